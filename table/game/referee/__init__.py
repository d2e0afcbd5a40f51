"""The referee turns changes on the felt, and presses of people, into events of the hand being played.

It explains the difference between the felt and the state, and has as little state of its own as possible: after a
restart, a bump or missed frames, the same difference leads to the same events.
"""

from table.game.referee.findings import Correction, Finding, FoundEvent, Question, RefereeError
from table.game.referee.press_events import check_possible
from table.game.referee.referee import Referee

__all__ = ["Correction", "Finding", "FoundEvent", "Question", "Referee", "RefereeError", "check_possible"]
