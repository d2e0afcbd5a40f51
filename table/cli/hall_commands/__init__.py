"""Commands of a hall of several tables and of its tournament."""
