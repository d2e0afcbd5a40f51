"""The limits of the sizes that files and people may give for a table and its tiles.

Other sizes have a wrong unit. Pictures of the felt have a fixed number of pixels per millimetre, so that they would
become too small to read or too large for memory.
"""

from __future__ import annotations

from typing import Annotated, Final

from vision.strict_reader import Between

SideMm = Annotated[float, Between(300, 1500)]
"""The play surface's side."""
SIDES_MM: Final = (199.0, 2000.0)
"""The play surface's side in a photograph: above the first number, up to and including the second."""
WidthMm = Annotated[float, Between(10, 60)]
"""The short side of a tile's face."""
HeightMm = Annotated[float, Between(12, 80)]
"""The long side of a tile's face."""
DepthMm = Annotated[float, Between(5, 50)]
"""The height of a lying tile."""
