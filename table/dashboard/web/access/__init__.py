"""Who may do what: roles, holders of the seats, rights for commands, PINs, secrets, sessions."""
