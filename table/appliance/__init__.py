"""Assembles the appliance from all packages, and feeds its watchdog; holds no game logic."""
