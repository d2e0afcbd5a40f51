"""Riichi: as it is declared at the table, as people report it afterwards, and with its wait laid open."""
