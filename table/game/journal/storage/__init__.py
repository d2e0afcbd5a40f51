"""The journal in its file: tables and format, hash chain, mark of the last entry, lock, JSON, rule sets."""
