"""The files of a table's data folder: their names, who may read them, their backup and their check."""
