"""The set-up: a wizard that finds the table, learns the tiles and guides a rehearsal."""
