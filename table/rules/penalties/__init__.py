"""Penalties without a game's state: the vocabulary of effects, a rule set's penalties, and a foul's consequences.

`effect_terms` holds effects with their timing, `penalty_rules` the options and the chosen ones, `foul_facts` the known
facts about a foul, `chombo` the cost of a chombo and how it ends the hand, `consequence` the values that describe
consequences, and `foul_effects` the function that computes them. The catalogue itself is data in `table.rulebook`.
"""
