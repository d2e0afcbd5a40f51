"""What an appliance consists of: its table, its devices, and their health."""
