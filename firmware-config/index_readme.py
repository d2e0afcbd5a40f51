"""The README as the package's description: on an index page its links and pictures need an address of their own.

The address stands in `pyproject.toml` under `[tool.tachiai]`. While it is empty nothing is changed.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface


class IndexReadme(MetadataHookInterface):
    """Hands the description to the build."""

    def update(self, metadata: dict[str, object]) -> None:
        """Sets the description."""
        root = Path(self.root)
        settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        text = (root / "README.md").read_text(encoding="utf-8")
        address = settings["tool"]["tachiai"]["address"]
        metadata["readme"] = {"content-type": "text/markdown", "text": with_address(text, address)}


def with_address(text: str, address: str) -> str:
    """Returns Markdown with the address before every link and picture that has none; without one, as it is.

    Where the address shows files as pages, as those of GitHub, GitLab and Gitea do, pictures get the address of the
    file itself.
    """
    if not address:
        return text
    picture = address.replace("/blob/", "/raw/").replace("/src/branch/", "/raw/branch/")
    text = re.sub(r"((?<=!\[)[^\]]*\]\(|src=\")(?!\w+:|#)", rf"\g<1>{picture}", text)
    return re.sub(r"(\]\()(?!\w+:|#)", rf"\g<1>{address}", text)
