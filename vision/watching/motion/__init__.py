"""What moves over a table, and which of its places are at rest."""
