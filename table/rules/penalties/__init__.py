"""Penalties, pure: the words in which effects are told, a house's rules in those words, and what follows from a foul.

`vocabulary` effects with their timing, `book` the options and the house's choice, `facts` what is known of a foul,
`chombo` what a chombo costs and how it ends the hand, `consequence` the values that say what follows, `effects` the
function from a foul to them. The catalogue itself is data in `table.book`.
"""
