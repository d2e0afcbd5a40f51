"""Path-traced tables: pictures with physical light by an independent renderer, with their truth.

A picture is first described by its seed and number alone, without Blender (`shots`); Blender's Python module, in a
separate interpreter (`blender`), renders the description; a simulated camera develops the result (`develop`).
"""
