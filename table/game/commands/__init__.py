"""The requests and statements of people to the table, before anything is written."""
