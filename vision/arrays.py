"""Array types of pictures and measurements."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""Rows, columns, and blue, green, red."""
Bgra = npt.NDArray[np.uint8]
"""Rows, columns, and blue, green, red, opacity."""
Grey = npt.NDArray[np.uint8]
"""Rows and columns."""
Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
"""Measurements: points, planes, probabilities."""
Floats32 = npt.NDArray[np.float32]
"""Inputs and outputs of models, and OpenCV's points."""
