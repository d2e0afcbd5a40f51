"""The referee turns what lies on the felt, and what people press, into events of the hand being played.

It explains the difference between the felt and the state, and keeps as little memory of its own as it can: after a
restart, a bump or frames that nobody saw, the same difference leads to the same events.
"""

from table.referee.pressed import check_possible
from table.referee.referee import Referee
from table.referee.rulings import Correction, Finding, Question, RefereeError, Ruling

__all__ = ["Correction", "Finding", "Question", "Referee", "RefereeError", "Ruling", "check_possible"]
