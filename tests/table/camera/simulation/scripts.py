"""Short made-up scripts for tests, each showing one thing."""

from __future__ import annotations

from typing import Final

KANS: Final = """
hand E1 honba 0 sticks 0 dora 1z ura 3z pace 1.6
deal 0 1111m234p567s99p5z
deal 1 555z234m456m78s22z
deal 2 66z123789p123s44z
deal 3 6z789m234s345m678p
0 8s closed_kan 1111m
dora 3z 7z
0 7z 5z
1 open_kan 555z
1 1z 2z
dora 7z 4z
2 9s 3p
3 9m 6z
2 pon 66z 9s
3 9s
0 1s
1 8m
2 6z added_kan 6z
2 1p
dora 1z 2z
3 5p
draw
scores 25000 25000 25000 25000
"""
"""One kan of every sort, with its indicator."""

SHORT: Final = """
hand E1 honba 0 sticks 0 dora 1z ura 3z pace 1.6
deal 0 123m456m789m11p23s
deal 1 34p55p678s222z777z
deal 2 1234p5678s44z555z
deal 3 19m19p19s123456z7z
0 2p r2p
1 chi 34p 6s
2 3z 3z
3 8p 8p
0 9p 9p
1 9s 9s
2 6m 6m
3 4s
0 ron
scores 37000 25000 25000 13000
"""
"""A called riichi tile, the sideways one that replaces it, and a ron:
double riichi, pinfu, a straight: a mangan."""

RIICHI_TSUMO: Final = """
hand E1 honba 0 sticks 0 dora 1z ura 3z pace 1.2
deal 0 123m456m789m11p23s
deal 1 34p55p678s222z777z
deal 2 1234p5678s44z555z
deal 3 19m19p19s123456z7z
0 2p r2p
1 3z 3z
2 8p 8p
3 9s 9s
0 tsumo 4s
scores 43000 19000 19000 19000
"""
"""A riichi with its stick, and a tsumo on the next draw: double riichi, ippatsu, tsumo, pinfu, a straight: 6000 all."""

CALM: Final = """
hand E1 honba 0 sticks 0 dora 1z ura 3z pace 1.6
deal 0 19m19p19s123456z7z
deal 1 34p55p678s222z777z
deal 2 1234p5678s44z555z
deal 3 123m456m789m11p23s
0 2p 2p
1 3z 3z
2 8p 8p
3 9s 9s
0 6m 6m
1 5s 5s
draw
scores 25000 25000 25000 25000
"""
"""Six discards and nothing else: something happens to the camera or the table meanwhile."""

OPEN_HANDS: Final = """
hand E1 honba 0 sticks 0 dora 1z ura 3z pace 1.6
deal 0 123m456m789m11p23s
deal 1 34p55p678s222z777z
deal 2 1234p5678s44z555z
deal 3 19m19p19s123456z7z
0 2p 2p
1 6p 3p
2 8p 8p
draw 0 1 3
scores 26000 26000 22000 26000
"""
"""Three hands laid open at a draw."""

NINE: Final = """
hand E1 honba 0 sticks 0 dora 1z ura 3z pace 1.2
deal 0 19m19p19s123456z7z
deal 1 34p55p678s222z777z
deal 2 1234p5678s44z555z
deal 3 123m456m789m11p23s
0 9m 9m
1 3z 3z
draw
scores 25000 25000 25000 25000
"""
"""A nine of characters is discarded."""
