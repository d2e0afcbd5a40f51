"""What needs libcamera's own Python module is collected where that is: in the root that `test_in_trixie.py` enters."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("libcamera") else ["inside/*"]
