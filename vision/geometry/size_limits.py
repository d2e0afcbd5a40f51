"""The sizes that a table and its tiles may be said to have, wherever a file names them.

Anything else is a wrong unit: pictures of the felt are made of so many pixels a millimetre, and would be too small to
read, or too large for the memory.
"""

from __future__ import annotations

from typing import Annotated, Final

from vision.strict_reader import Between

SideMm = Annotated[float, Between(300, 1500)]
"""The play surface's side."""
SIDES_MM: Final = (199.0, 2000.0)
"""The same as people may give it for a photograph: above the first number, up to and including the second."""
WidthMm = Annotated[float, Between(10, 60)]
"""The short side of a tile's face."""
HeightMm = Annotated[float, Between(12, 80)]
"""The long side of a tile's face."""
DepthMm = Annotated[float, Between(5, 50)]
"""The height of a lying tile."""
