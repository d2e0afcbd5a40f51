"""A rule set whose articles depend on how often something happened, in ways that no rulebook of ours does."""

from __future__ import annotations

from typing import Final

from table.rulebook.ruleset_reader import read_rules

ARTICLES: Final = """
format = 1
name = "counted"
base = "home"

[choices]
"7-01" = "g"
"7-05-10" = "c"
"7-08-06" = "b"

[[article]]
number = "A 1"
title = "the second ends the hand"
evidence = "read"
effects = [{ when = "discovery", do = "chombo", pay = "now", hand = "end", if = "occurrence>=2" }]

[[article]]
number = "A 2"
title = "the second is a chombo beside which play goes on"
evidence = "read"
effects = [{ when = "discovery", do = "chombo", pay = "now", hand = "continue", if = "occurrence>=2" }]

[[article]]
number = "A 3"
title = "the second kills the hand"
evidence = "read"
effects = [{ when = "discovery", do = "dead_hand", if = "occurrence>=2" }]

[[article]]
number = "A 4"
title = "a card, the second in a hand costs more"
evidence = "read"
effects = [
  { when = "discovery", do = "card", colour = "yellow", scope = "hand" },
  { when = "unit_end", do = "after_uma", points = 3000, if = "cards>=2" },
]

[[article]]
number = "A 5"
title = "a card, the second in a game costs more"
evidence = "read"
effects = [
  { when = "discovery", do = "card", colour = "red", scope = "game" },
  { when = "discovery", do = "deposit", points = 500, if = "cards>=2" },
]
"""
COUNTED_RULES: Final = read_rules(ARTICLES, "counted").ruleset
