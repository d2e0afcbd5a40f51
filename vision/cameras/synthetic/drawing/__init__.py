"""How the drawn table is painted: solids, textures, light, arms, lens and sensor."""
