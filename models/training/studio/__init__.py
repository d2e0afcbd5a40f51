"""How a table is photographed: scenes, layouts, clutter, renderer, and what is cut out of them."""
