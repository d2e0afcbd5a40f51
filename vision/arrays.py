"""What pictures and measures are kept in."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""Rows, columns, and blue, green, red."""
Bgra = npt.NDArray[np.uint8]
"""The same with opacity last."""
Grey = npt.NDArray[np.uint8]
"""Rows and columns."""
Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
"""Measures: points, planes, chances."""
Floats32 = npt.NDArray[np.float32]
"""What models are given and answer, and OpenCV's points."""
