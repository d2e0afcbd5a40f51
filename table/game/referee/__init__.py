"""The referee turns what lies on the felt, and what people press, into events of the hand being played.

It explains the difference between the felt and the state, and keeps as little memory of its own as it can: after a
restart, a bump or frames that nobody saw, the same difference leads to the same events.
"""

from table.game.referee.findings import Correction, Finding, FoundEvent, Question, RefereeError
from table.game.referee.press_events import check_possible
from table.game.referee.referee import Referee

__all__ = ["Correction", "Finding", "FoundEvent", "Question", "Referee", "RefereeError", "check_possible"]
