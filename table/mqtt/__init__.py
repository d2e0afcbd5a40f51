"""Other programs: scores, public announcements and health of a table over MQTT, and one page for a hall of tables.

A table sends under ``tachiai/NAME/``: `status` (online, offline), `table` (round, counters, scores) and `health` are
retained, `announcement` is one message each. Nothing private, no verdicts, nothing for the staff; in a tournament no
announcements at all. A table goes on when the broker is away; what happened meanwhile is sent when it is back.
"""
