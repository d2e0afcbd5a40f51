"""A configuration for an appliance in a folder of the test's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from table.config import Config, LoadedConfig, PageConfig, TableConfig


def make_config(folder: Path, **sections: Any) -> LoadedConfig:
    table = TableConfig(data=str(folder), name="felt-1")
    return LoadedConfig(config=Config(table=table, page=PageConfig(host="127.0.0.1", port=0), **sections))
