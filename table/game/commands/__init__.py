"""What people ask of the table and tell it, before anything of it is written."""
