"""The table on its machine: the watchdog, updates, restarts and the log."""
