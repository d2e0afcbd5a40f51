"""Computer vision: from pixels to the objects on the felt."""

from __future__ import annotations

import os
from typing import Final

MOST_PIXELS: Final = 2**28
"""The most pixels of a picture that is decoded: more than any camera takes, and less than a gigabyte of memory."""
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))  # which OpenCV reads once, when it is imported
