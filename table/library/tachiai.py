"""`import tachiai`: the library of Tachiai, as `table.library` documents it. The wheel maps this file to that name."""

from table.library import *  # noqa: F403
from table.library import __all__  # noqa: F401
