"""Puts the appliance together from all rooms, and pets its watchdog; nothing is decided here."""
