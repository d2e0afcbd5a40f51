"""Penalties, pure: the words in which effects are told, a house's rules in those words, and what follows from a foul.

`effect_terms` effects with their timing, `penalty_rules` the options and the house's choice, `foul_facts` what is known
of a foul, `chombo` what a chombo costs and how it ends the hand, `consequence` the values that say what follows,
`foul_effects` the function from a foul to them. The catalogue itself is data in `table.rulebook`.
"""
