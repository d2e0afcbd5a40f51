"""Games in Tenhou's forms: mjlog read, tenhou.net/6 read and written."""
