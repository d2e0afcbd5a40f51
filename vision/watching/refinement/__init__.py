"""Corrects a look's finds by the tiles around them: joins parts, straightens askew finds, reads missed tiles."""
