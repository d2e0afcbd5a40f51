"""Makes the README the package's description: on an index page, its links and pictures need a whole address.

The address is in `pyproject.toml` under `[tool.tachiai]`. While it is empty nothing is changed.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface


class IndexReadme(MetadataHookInterface):
    """Gives the description to the build."""

    def update(self, metadata: dict[str, object]) -> None:
        """Sets the description."""
        root = Path(self.root)
        settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        text = (root / "README.md").read_text(encoding="utf-8")
        address = settings["tool"]["tachiai"]["address"]
        metadata["readme"] = {"content-type": "text/markdown", "text": with_address(text, address)}


def with_address(text: str, address: str) -> str:
    """Returns Markdown with `address` before every relative link and picture; unchanged if it is empty.

    If the address shows files as pages, as on GitHub, GitLab and Gitea, pictures get the address of the file itself.
    """
    if not address:
        return text
    picture = address.replace("/blob/", "/raw/").replace("/src/branch/", "/raw/branch/")
    text = re.sub(r"((?<=!\[)[^\]]*\]\(|src=\")(?!\w+:|#)", rf"\g<1>{picture}", text)
    return re.sub(r"(\]\()(?!\w+:|#)", rf"\g<1>{address}", text)
