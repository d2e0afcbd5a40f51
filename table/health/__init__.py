"""How the appliance is: the report, the machine, the latest log lines, and what systemd is told."""
