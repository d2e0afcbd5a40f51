"""The stable interface for other programs: read photographs, score hands, follow games, watch tables.

This is the only documented interface to `vision` and `table`; `README.md` beside it shows how to use it. An installed
wheel offers the same names as ``import tachiai``. Every name in `__all__` keeps its arguments and its meaning until the
first number of the version changes; everything else may change with any version.
"""

from table.i18n import languages
from table.library.games import Game, Question, Said, follow_mjai
from table.library.hands import score
from table.library.photos import Corners, read_photo
from table.library.tables import FrameSource, open_camera, watch
from table.rules.scoring.hand_value import HandValue, Payments
from table.rules.terms.rule_errors import RulesError
from table.runtime.table_errors import TachiaiError
from vision.errors import VisionError
from vision.felt import Outcome
from vision.frames import Camera, Frame
from vision.photo.photo_reader import PhotoReading
from vision.photo.photo_things import ReadStick, ReadTile
from vision.photo.tables.table_in_photo import TableInPhoto
from vision.reading.set_consistency import Remark

__all__ = [
    "Camera",
    "Corners",
    "Frame",
    "FrameSource",
    "Game",
    "HandValue",
    "Outcome",
    "Payments",
    "PhotoReading",
    "Question",
    "ReadStick",
    "ReadTile",
    "Remark",
    "RulesError",
    "Said",
    "TableInPhoto",
    "TachiaiError",
    "VisionError",
    "follow_mjai",
    "languages",
    "open_camera",
    "read_photo",
    "score",
    "watch",
]
