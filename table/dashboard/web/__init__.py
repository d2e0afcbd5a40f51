"""What every page stands on: answers, roles, security, secrets, language, the base page, the table's port."""
