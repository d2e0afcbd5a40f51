"""The common form of game records, and what all formats share."""
