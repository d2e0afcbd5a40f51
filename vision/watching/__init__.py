"""Watches a table: motion, readings, beliefs, votes, changes, and the watcher that combines them."""
