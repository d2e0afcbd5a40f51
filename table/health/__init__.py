"""The appliance's health: the report, the machine, the latest log lines, and the notifications to systemd."""
