"""A mid-hand table for tests of the synthetic camera."""

from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.layout import Discard, Layout, Meld, Wall
from vision.cameras.synthetic.scene import Scene


def discards(text: str, *, sideways: int | None = None) -> list[Discard]:
    """A river from run-together tile texts."""
    faces = [text[i : i + 2] for i in range(0, len(text), 2)]
    return [Discard(face=face, is_sideways=index == sideways) for index, face in enumerate(faces)]


def busy_table(appearance: Appearance, *, seed: int = 0) -> Scene:
    """Rivers, melds of every kind, standing hands and one open, walls, indicators, sticks."""
    layout = Layout(appearance=appearance, seed=seed)
    tiles = (
        *layout.river(0, discards("1z9m1p2s5z7p8p0p3s4s6s7s9s1s2m", sideways=8)),
        *layout.river(1, discards("3z2z9p8m7m6m5m4m3m2m1m", sideways=3)),
        *layout.river(2, discards("1s2s3s4s5s6s7s8s9s1p2p3p4p5p6p7p8p9p")),
        *layout.river(3, discards("4z6z7z0m0s9p8s")),
        *layout.melds(
            0, [Meld.from_call(("2m", "4m"), "3m", from_left=1), Meld(faces=("6z",) * 3, turned_index=1, added="6z")]
        ),
        *layout.melds(2, [Meld.closed_kan(("7s",) * 4), Meld.from_call(("1p", "1p"), "1p", from_left=3)]),
        *layout.standing_hand(0, 7),
        *layout.standing_hand(1, 14, has_drawn=True),
        *layout.standing_hand(2, 7),
        *layout.open_hand(3, ["1m", "2m", "3m", "4m", "0m", "6m", "7m", "8m", "9m", "1z", "1z", "5z", "5z"]),
        *layout.wall(Wall(break_side=1, break_stack=7, drawn=94, rinshan=1, indicators=("3p", "8s"))),
    )
    sticks = (layout.riichi_stick(0), layout.riichi_stick(1), *layout.counters(2, 2))
    return Scene(tiles=tiles, sticks=sticks)
