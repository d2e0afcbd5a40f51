"""Eight players of a hall, in five scripts; one name is longer than a column, and one is short."""

from __future__ import annotations

from typing import Final

NAMES: Final = (
    "Maximilian Obermüller-Hohenstein-Wolkenstein",
    "佐藤 葵",
    "김수한무거북이와두루미",
    "欧阳司马诸葛",
    "陳大文",
    "Ann O’Neil",
    "Юлия Константинопольская",
    "Zoë",
)
