"""Game records of other programs, read into one common form; text such as `5mr` or tile numbers stays in here."""
