"""The first start: a wizard that finds the table, learns the tiles and leads a rehearsal."""
