"""Path-traced tables: pictures with physical light that are none of the project's own renderers', with their truth.

A picture is described first, by its seed and number alone and without Blender (`shot`); Blender's Python module, in an
interpreter of its own (`blender`), renders the description; a camera develops what came (`develop`).
"""
