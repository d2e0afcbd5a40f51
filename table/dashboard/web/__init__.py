"""The basis of every page: answers, security, language, addresses, the base page, the table's port."""
