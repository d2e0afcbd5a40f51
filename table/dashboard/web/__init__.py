"""The basis of every page: answers, roles, security, secrets, language, the base page, the table's port."""
