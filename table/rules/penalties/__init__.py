"""Penalties, pure: the words in which effects are told, a house's rules in those words, and what follows from a foul.

`vocabulary` effects with their timing, `book` the options and the house's choice, `facts` what is known of a foul,
`chombo` what a chombo pays and how the hand ends, `consequence` all of it for one foul, `in_hand` what fouls do to the
hand being played. The catalogue itself is data in `table.book`.
"""
