"""A watched table: motion, looks, beliefs, votes, changes, and the watcher that runs it all."""
