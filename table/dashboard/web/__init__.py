"""The basis of every page: answers, security, language, the base page, the table's port."""
