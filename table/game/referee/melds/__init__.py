"""Melds on the felt: which meld a group of tiles is, who made it, and a call that is put back."""
