"""Melds as they lie: which tile is turned, which lies on top of it, which are face down."""

from __future__ import annotations

from table.dashboard.web.view import View, face_view
from table.i18n import Catalogue
from table.rules.terms.melds import Meld, MeldKind
from table.rules.terms.seats import Seat


def meld_view(meld: Meld, owner: Seat, texts: Catalogue) -> View:
    """Returns a meld's tiles from its owner's left; the turned one shows whose discard was called."""
    tiles = _closed(meld) if meld.kind is MeldKind.CLOSED_KAN else _open(meld, owner)
    return {
        "kind": meld.kind.value,
        "tiles": [face_view(face, texts) | {"sideways": turned} for face, turned in tiles],
        "added": face_view(meld.tiles[-1].text, texts) | {"sideways": True}
        if meld.kind is MeldKind.ADDED_KAN
        else None,
    }


def meld_entry(meld: Meld) -> View:
    """Returns a meld as the tile keyboard writes it: its faces, and the text that `read_melds` reads."""
    faces = [tile.text for tile in sorted(meld.tiles)]
    text = "".join(faces)
    return {"tiles": faces, "text": f"({text})" if meld.kind is MeldKind.CLOSED_KAN else text}


def _closed(meld: Meld) -> list[tuple[str, bool]]:
    """The outer two face down, a red five in sight."""
    ordered = sorted(meld.tiles)
    return [("back", False), (ordered[-1].text, False), (ordered[-2].text, False), ("back", False)]


def _open(meld: Meld, owner: Seat) -> list[tuple[str, bool]]:
    """The called tile turned, at the side of the seat it came from; an added tile lies on it and is left out."""
    tiles = list(meld.tiles[:3] if meld.kind is MeldKind.ADDED_KAN else meld.tiles)
    called = tiles[0] if meld.called is None else meld.called
    tiles.remove(called)
    own = [(tile.text, False) for tile in sorted(tiles)]
    at = {3: 0, 2: 1, 1: len(own)}[meld.from_seat.after(owner)] if meld.from_seat is not None else 0
    return [*own[:at], (called.text, True), *own[at:]]
