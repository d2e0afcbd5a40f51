"""Checks the installed Tachiai: every model exists, runs once, and returns finite numbers.

The installer runs this with the new environment's Python in an empty folder, so that Python finds only what was
installed. If a library was not made for this processor, the program ends here, and not in the middle of a game.
"""

import sys
from pathlib import Path

import numpy as np

import vision
from vision.reading.weights import load, session

KINDS = {"tensor(uint8)": np.uint8, "tensor(float)": np.float32}
SIDE = 64
"""Pixels along a side whose length the model leaves open."""


def run_once(name: str) -> None:
    """Runs a model on a dark picture; raises `RuntimeError` if it does not return finite numbers."""
    model = session(load(name), threads=1)
    inputs = {
        each.name: np.zeros([1, *(side if isinstance(side, int) else SIDE for side in sides)], KINDS[each.type])
        for each in model.get_inputs()
        for sides in [each.shape[1:]]
    }
    if not all(np.isfinite(answer).all() for answer in model.run(None, inputs)):
        raise RuntimeError(f"expected numbers of the model {name}, got none")


if __name__ == "__main__":
    if not Path(vision.__file__).is_relative_to(sys.prefix):
        sys.exit(f"expected vision below {sys.prefix}, got {vision.__file__}")
    for model in ("watch", "tiles", "locate", "strips"):
        run_once(model)
