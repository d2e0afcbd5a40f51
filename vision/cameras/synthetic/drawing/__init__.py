"""Draws the table: solids, textures, light, arms, lens and sensor."""
