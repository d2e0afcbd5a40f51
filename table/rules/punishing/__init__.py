"""Fouls in the game: which are `possible`, what is `seen` of one, what it does `in_hand`, how it is `ending` a hand."""
