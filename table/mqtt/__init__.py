"""Publishes a table's scores, public announcements and health over MQTT, and shows a hall of tables on one page.

A table publishes under ``tachiai/NAME/``: `status` (online, offline), `table` (round, counters, scores) and `health`
are retained; each announcement is one message under `announcement`. Private information, verdicts and staff messages
are never published, nor are announcements in a tournament. The table keeps running while the broker is unreachable and
sends what it missed afterwards.
"""
