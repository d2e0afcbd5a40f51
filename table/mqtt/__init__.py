"""Publishes a table's scores, public announcements and health over MQTT, and shows a hall of tables on one page.

A table publishes under ``tachiai/NAME/``: `status` (online, offline), `table` (round, counters, scores), `games`,
`appeals` and `health` are retained; each announcement is one message under `announcement`. Private information,
verdicts and staff messages are never published, nor are announcements in a tournament. While the broker is unreachable,
the table keeps running; afterwards it sends the messages that were queued.
"""
