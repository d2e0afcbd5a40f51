"""What can go wrong while seeing.

VisionError
└── ModelError (also ValueError): a model or its manifest is missing, altered, or made for another program
"""

from __future__ import annotations


class VisionError(Exception):
    """Anything this package raises on purpose; the message says what was expected, what came, and where."""


class ModelError(VisionError, ValueError):
    """The weights cannot be used: absent, not the ones the manifest names, or of another shape."""
