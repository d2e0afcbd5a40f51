"""Keeps a journal whole: opening, checks, backups, restoring, salvage, upgrades, and notices about them."""
