"""Renders stages with Blender's Python module `bpy`, run by an interpreter that has it.

`PYTHON blender.py` reads one job per line from standard input, `{"stage": …, "out": "picture.png", "samples": 8,
"device": "CPU"}`, and answers each with a line `done picture.png`. The picture is linear light in a 16-bit PNG. The
module imports nothing of the project, since `bpy` needs another version of numpy.
"""

from __future__ import annotations

import json
import math
import os
import sys
from typing import Any, Final

_METRES: Final = 0.001
_PAPER: Final = 0.32
"""The brightness of white paper in the linear picture under a light of 1."""
_WHITE: Final = 0.8
"""The fraction of light that white paper reflects."""
_SENSOR_MM: Final = 6.4
_SEGMENTS: Final = 3
"""The number of segments of a rounded edge."""


def render(stage: dict[str, Any], out: str, *, samples: int, threads: int, device: str) -> None:
    """Renders one stage to a PNG of linear light, on the processor (`CPU`) or on graphics cards (`CUDA`)."""
    import bpy  # noqa: PLC0415 - heavy, and only this adapter needs it

    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    builder = _Builder(bpy, scene, stage)
    builder.build()
    _set_up(scene, stage, samples=samples, threads=threads)
    if device != "CPU":
        _use_cards(bpy, scene, device)
    scene.render.filepath = out
    with _Silence():
        bpy.ops.render.render(write_still=True)


def _set_up(scene: Any, stage: dict[str, Any], *, samples: int, threads: int) -> None:
    render, cycles = scene.render, scene.cycles
    render.engine = "CYCLES"
    render.threads_mode, render.threads = "FIXED", threads
    render.resolution_x, render.resolution_y = stage["eye"]["width_px"], stage["eye"]["height_px"]
    render.resolution_percentage = 100
    render.image_settings.file_format = "PNG"
    render.image_settings.color_mode, render.image_settings.color_depth = "RGB", "16"
    scene.view_settings.view_transform = "Raw"
    cycles.device, cycles.samples, cycles.seed = "CPU", samples, stage["seed"]
    cycles.use_adaptive_sampling = False
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 3, 2, 2
    cycles.transmission_bounces, cycles.transparent_max_bounces = 0, 1
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 3.0
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
    cycles.denoising_prefilter, cycles.denoising_quality = "FAST", "FAST"


def _use_cards(bpy: Any, scene: Any, device: str) -> None:
    """Lets graphics cards trace the light; the processor still removes the noise.

    Raises:
        LookupError: there is no such device.
    """
    settings = bpy.context.preferences.addons["cycles"].preferences
    settings.compute_device_type = device
    settings.get_devices()
    for one in settings.devices:
        one.use = one.type == device
    if not any(one.use for one in settings.devices):
        raise LookupError(f"expected a {device} device, got {[one.type for one in settings.devices]}, from Cycles")
    scene.cycles.device = "GPU"


class _Builder:
    """Builds one stage in an empty scene."""

    def __init__(self, bpy: Any, scene: Any, stage: dict[str, Any]) -> None:
        self._bpy, self._scene, self._stage = bpy, scene, stage
        self._meshes: dict[tuple[Any, ...], Any] = {}
        self._materials: dict[tuple[str, tuple[float, ...]], Any] = {}
        self._images: dict[str, Any] = {}

    def build(self) -> None:
        """Creates objects, lamps, ambient light and camera."""
        shapes = {"box": self._box, "cylinder": self._cylinder, "ring": self._ring, "tubes": self._tubes}
        for thing in self._stage["things"]:
            built = shapes.get(thing["shape"], self._text)(thing)
            built.location = _metres(thing["at"])
            built.rotation_euler = [math.radians(angle) for angle in thing["turn_deg"]]
            built["cell"] = float(thing["cell"])
            self._scene.collection.objects.link(built)
        for lamp in self._stage["lamps"]:
            self._lamp(lamp)
        self._ambient_light()
        self._camera()

    def _object(self, name: str, content: Any) -> Any:
        return self._bpy.data.objects.new(name, content)

    def _box(self, thing: dict[str, Any]) -> Any:
        key = ("box", thing["material"], *thing["size"], thing["edge_mm"])
        if key not in self._meshes:
            self._meshes[key] = self._box_mesh(thing)
        return self._object("box", self._meshes[key])

    def _box_mesh(self, thing: dict[str, Any]) -> Any:
        import bmesh  # noqa: PLC0415 - comes with bpy

        form = bmesh.new()
        bmesh.ops.create_cube(form, size=1.0)
        bmesh.ops.scale(form, vec=_metres(thing["size"]), verts=form.verts)
        if thing["edge_mm"] > 0:
            bmesh.ops.bevel(
                form,
                geom=form.edges[:],
                offset=min(thing["edge_mm"], 0.45 * min(thing["size"])) * _METRES,
                segments=_SEGMENTS,
                profile=0.5,
                affect="EDGES",
                clamp_overlap=True,
            )
        return self._finished(form, thing, is_smooth=thing["edge_mm"] > 0)

    def _finished(self, form: Any, thing: dict[str, Any], *, is_smooth: bool) -> Any:
        mesh = self._bpy.data.meshes.new(thing["shape"])
        form.to_mesh(mesh)
        form.free()
        if is_smooth:
            _smooth_edges(mesh)
        mesh.materials.append(self._material(thing))
        return mesh

    def _cylinder(self, thing: dict[str, Any]) -> Any:
        import bmesh  # noqa: PLC0415 - comes with bpy

        form = bmesh.new()
        width, _, height = _metres(thing["size"])
        bmesh.ops.create_cone(
            form, cap_ends=True, segments=48, radius1=width / 2, radius2=width / 2, depth=height, calc_uvs=False
        )
        return self._object("cylinder", self._finished(form, thing, is_smooth=False))

    def _ring(self, thing: dict[str, Any]) -> Any:
        width, _, thick = _metres(thing["size"])
        steps = 48
        angles = [2 * math.pi * step / steps for step in range(steps + 1)]
        points: list[tuple[float, ...]] = [
            (math.cos(a) * width / 2, math.sin(a) * width / 2, 0.0, thick / 2) for a in angles
        ]
        return self._curve([points], thing)

    def _tubes(self, thing: dict[str, Any]) -> Any:
        strokes = [[tuple(value * _METRES for value in point) for point in stroke] for stroke in thing["strokes"]]
        return self._curve(strokes, thing)

    def _curve(self, strokes: list[list[tuple[float, ...]]], thing: dict[str, Any]) -> Any:
        curve = self._bpy.data.curves.new(thing["shape"], "CURVE")
        curve.dimensions, curve.bevel_depth, curve.bevel_resolution, curve.use_fill_caps = "3D", 1.0, 3, True
        for stroke in strokes:
            line = curve.splines.new("POLY")
            line.points.add(len(stroke) - 1)
            for point, (x, y, z, radius) in zip(line.points, stroke, strict=True):
                point.co, point.radius = (x, y, z, 1.0), radius
            line.use_smooth = True
        curve.materials.append(self._material(thing))
        return self._object(thing["shape"], curve)

    def _text(self, thing: dict[str, Any]) -> Any:
        text = self._bpy.data.curves.new("text", "FONT")
        text.body, text.size = thing["text"], thing["size"][0] * _METRES
        text.align_x, text.align_y = "CENTER", "CENTER"
        text.materials.append(self._material(thing))
        return self._object("text", text)

    def _lamp(self, lamp: dict[str, Any]) -> None:
        from mathutils import Vector  # noqa: PLC0415 - comes with bpy

        light = self._bpy.data.lights.new("lamp", "AREA")
        light.shape, light.color = "RECTANGLE", lamp["colour"]
        light.size, light.size_y = (size * _METRES for size in lamp["size_mm"])
        direction = Vector(_metres(lamp["aims_at"])) - Vector(_metres(lamp["at"]))
        # A flat lamp of P watts lights a surface facing it at a distance d with P / (pi d²), a level one with less.
        level = abs(direction.normalized().z)
        light.energy = lamp["lux"] * _PAPER / _WHITE * math.pi * math.pi * direction.length_squared / level
        shining = self._object("lamp", light)
        shining.location = _metres(lamp["at"])
        shining.rotation_euler = direction.to_track_quat("-Z", "Y").to_euler()
        self._scene.collection.objects.link(shining)

    def _ambient_light(self) -> None:
        world = self._bpy.data.worlds.new("around")
        world.use_nodes = True
        ground = world.node_tree.nodes["Background"]
        ground.inputs["Color"].default_value = (*self._stage["around"], 1.0)
        ground.inputs["Strength"].default_value = self._stage["around_lux"] * _PAPER / _WHITE
        self._scene.world = world

    def _camera(self) -> None:
        from mathutils import Matrix, Vector  # noqa: PLC0415 - comes with bpy

        eye = self._stage["eye"]
        camera = self._bpy.data.cameras.new("eye")
        camera.sensor_fit, camera.sensor_width = "HORIZONTAL", _SENSOR_MM
        camera.lens = eye["focal_px"] * _SENSOR_MM / eye["width_px"]
        camera.clip_start, camera.clip_end = 0.02, 30.0
        camera.dof.use_dof = eye["opening_mm"] > 0
        camera.dof.focus_distance = eye["focus_mm"] * _METRES
        camera.dof.aperture_fstop = camera.lens / max(eye["opening_mm"], 1e-3)
        right, up = Vector(eye["right"]), Vector(eye["up"])
        back = right.cross(up)
        turn = Matrix((right, up, back)).transposed().to_4x4()
        seeing = self._object("eye", camera)
        seeing.matrix_world = Matrix.Translation(_metres(eye["at"])) @ turn
        self._scene.collection.objects.link(seeing)
        self._scene.camera = seeing

    def _material(self, thing: dict[str, Any]) -> Any:
        name = thing["material"]
        size = tuple(thing["size"]) if self._stage["materials"][name]["kind"] == "printed" else ()
        if (name, size) not in self._materials:
            self._materials[name, size] = self._make_material(name, thing)
        return self._materials[name, size]

    def _make_material(self, name: str, thing: dict[str, Any]) -> Any:
        description = self._stage["materials"][name]
        material = self._bpy.data.materials.new(name)
        material.use_nodes = True
        nodes = _Nodes(material.node_tree)
        surface = material.node_tree.nodes["Principled BSDF"]
        surface.inputs["Roughness"].default_value = description["roughness"]
        surface.inputs["Metallic"].default_value = description["metallic"]
        surface.inputs["Coat Weight"].default_value = description["coat"]
        surface.inputs["Base Color"].default_value = (*_linear(description["colour"]), 1.0)
        if description["kind"] == "glow":
            surface.inputs["Emission Color"].default_value = (*_linear(description["colour"]), 1.0)
            surface.inputs["Emission Strength"].default_value = description["grain"]
        elif description["kind"] in ("cloth", "wood"):
            self._grain(nodes, surface, description)
        elif description["kind"] == "printed":
            self._print(nodes, surface, description, thing)
        return material

    def _grain(self, nodes: _Nodes, surface: Any, material: dict[str, Any]) -> None:
        """Adds the threads of cloth, or the long streaks of wood."""
        place = nodes.new("TexCoord").outputs["Object"]
        stretch = nodes.new("Mapping")
        stretch.inputs["Scale"].default_value = (9.0, 110.0, 9.0) if material["kind"] == "wood" else (1100.0,) * 3
        nodes.link(place, stretch.inputs["Vector"])
        noise = nodes.new("TexNoise")
        noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 1.0, 1.0
        nodes.link(stretch.outputs["Vector"], noise.inputs["Vector"])
        colour = _linear(material["colour"])
        mixed = nodes.new("Mix", data_type="RGBA")
        # Sockets of several types have one name; those of colours come last.
        for letter, shade in (("A", 1 - material["grain"]), ("B", 1 + material["grain"])):
            _colour_input(mixed, letter).default_value = (*(channel * shade for channel in colour), 1.0)
        nodes.link(noise.outputs["Fac"], mixed.inputs["Factor"])
        nodes.link(_colour_output(mixed), surface.inputs["Base Color"])
        if material["relief_mm"] > 0:
            nodes.bump(noise.outputs["Fac"], material["relief_mm"], surface)

    def _print(self, nodes: _Nodes, surface: Any, material: dict[str, Any], thing: dict[str, Any]) -> None:
        """Adds a picture of the atlas on the upper side, the body's colour around it, another one below the seam."""
        columns, rows = self._stage["atlas_cells"][material["atlas"]]
        coordinates = nodes.new("TexCoord")
        place = nodes.split(coordinates.outputs["Object"])
        normal = nodes.split(coordinates.outputs["Normal"])
        inset = material["inset_mm"]
        width, height = ((size - 2 * inset) * _METRES for size in thing["size"][:2])
        across = nodes.clamped(nodes.math("MULTIPLY_ADD", place[0], 1 / width, 0.5))
        upward = nodes.clamped(nodes.math("MULTIPLY_ADD", place[1], 1 / height, 0.5))
        cell = nodes.new("Attribute", attribute_type="OBJECT", attribute_name="cell").outputs["Fac"]
        row = nodes.math("FLOOR", nodes.math("DIVIDE", nodes.math("ADD", cell, 0.5), columns))
        column = nodes.math("SUBTRACT", cell, nodes.math("MULTIPLY", row, columns))
        u = nodes.math("DIVIDE", nodes.math("ADD", column, across), columns)
        v = nodes.math("DIVIDE", nodes.math("SUBTRACT", nodes.math("ADD", upward, rows - 1), row), rows)
        spot = nodes.joined(u, v)
        path = self._stage["atlases"][material["atlas"]]
        inks = nodes.picture(self._image(path, is_colour=True), spot)
        upper = nodes.math("GREATER_THAN", normal[2], 0.6)
        share = nodes.math("MULTIPLY", inks.outputs["Alpha"], upper)
        low = nodes.math("LESS_THAN", place[2], (material["seam"] - 0.5) * thing["size"][2] * _METRES)
        body = nodes.mixed(low, _linear(material["colour"]), _linear(material["under"]))
        nodes.link(nodes.mixed(share, body, inks.outputs["Color"]), surface.inputs["Base Color"])
        if material["relief_mm"] > 0:
            relief = nodes.picture(self._image(path.replace(".png", "_relief.png"), is_colour=False), spot)
            level = nodes.mixed(upper, (1.0, 1.0, 1.0), relief.outputs["Color"])
            nodes.bump(level, material["relief_mm"], surface)

    def _image(self, path: str, *, is_colour: bool) -> Any:
        if path not in self._images:
            image = self._bpy.data.images.load(path)
            image.colorspace_settings.name = "sRGB" if is_colour else "Non-Color"
            self._images[path] = image
        return self._images[path]


class _Nodes:
    """Shortcuts for a material's nodes."""

    def __init__(self, tree: Any) -> None:
        self._tree = tree

    def new(self, kind: str, **settings: Any) -> Any:
        """Adds a node."""
        node = self._tree.nodes.new(f"ShaderNode{kind}")
        for name, value in settings.items():
            setattr(node, name, value)
        return node

    def link(self, source: Any, target: Any) -> None:
        """Connects one socket to another."""
        self._tree.links.new(source, target)

    def math(self, operation: str, *values: Any) -> Any:
        """Returns the result of an operation; each value is a number or a socket."""
        node = self.new("Math", operation=operation)
        for socket, value in zip(node.inputs, values, strict=False):
            self._set_input(socket, value)
        return node.outputs[0]

    def clamped(self, value: Any) -> Any:
        """Returns a value limited to 0 to 1."""
        return self.math("MINIMUM", self.math("MAXIMUM", value, 0.0), 1.0)

    def split(self, vector: Any) -> tuple[Any, Any, Any]:
        """Returns the three components of a vector."""
        node = self.new("SeparateXYZ")
        self.link(vector, node.inputs[0])
        return node.outputs[0], node.outputs[1], node.outputs[2]

    def joined(self, x: Any, y: Any) -> Any:
        """Returns a vector of two values."""
        node = self.new("CombineXYZ")
        self.link(x, node.inputs[0])
        self.link(y, node.inputs[1])
        return node.outputs[0]

    def mixed(self, share: Any, first: Any, second: Any) -> Any:
        """Returns a mix of two colours."""
        node = self.new("Mix", data_type="RGBA")
        self._set_input(node.inputs[0], share)
        for letter, value in (("A", first), ("B", second)):
            self._set_input(_colour_input(node, letter), value)
        return _colour_output(node)

    def picture(self, image: Any, spot: Any) -> Any:
        """Returns an image at a place."""
        node = self.new("TexImage", image=image, extension="EXTEND")
        self.link(spot, node.inputs["Vector"])
        return node

    def bump(self, level: Any, depth_mm: float, surface: Any) -> None:
        """Adds bumps of a height to a surface."""
        node = self.new("Bump")
        node.inputs["Strength"].default_value, node.inputs["Distance"].default_value = 1.0, depth_mm * _METRES
        self.link(level, node.inputs["Height"])
        self.link(node.outputs["Normal"], surface.inputs["Normal"])

    def _set_input(self, socket: Any, value: Any) -> None:
        if isinstance(value, (int, float)):
            socket.default_value = value
        elif isinstance(value, tuple):
            socket.default_value = (*value, 1.0)
        else:
            self.link(value, socket)


class _Silence:
    """Keeps Blender's messages off standard output while it renders."""

    def __enter__(self) -> None:
        sys.stdout.flush()
        self._stdout_copy = os.dup(1)
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.close(nothing)

    def __exit__(self, *_: object) -> None:
        os.dup2(self._stdout_copy, 1)
        os.close(self._stdout_copy)


def _smooth_edges(mesh: Any) -> None:
    """Applies smooth shading that keeps the large flat sides flat."""
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    largest = max(polygon.area for polygon in mesh.polygons)
    normals = [(0.0, 0.0, 0.0)] * len(mesh.loops)
    sums: dict[int, list[float]] = {}
    for polygon in mesh.polygons:
        for vertex in polygon.vertices:
            # Each corner gets the normal of the largest side that it belongs to.
            if polygon.area > 0.2 * largest or vertex not in sums:
                sums[vertex] = list(polygon.normal)
    for polygon in mesh.polygons:
        for loop in polygon.loop_indices:
            vertex = mesh.loops[loop].vertex_index
            flat = polygon.area > 0.05 * largest
            normals[loop] = tuple(polygon.normal if flat else sums[vertex])
    mesh.normals_split_custom_set(normals)


def _colour_input(node: Any, letter: str) -> Any:
    return next(socket for socket in node.inputs if socket.name == letter and socket.type == "RGBA")


def _colour_output(node: Any) -> Any:
    return next(socket for socket in node.outputs if socket.type == "RGBA")


def _metres(place: Any) -> tuple[float, float, float]:
    x, y, z = (value * _METRES for value in place)
    return x, y, z


def _linear(colour: Any) -> tuple[float, float, float]:
    """Returns an sRGB colour as linear light."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return red, green, blue


def main() -> int:
    """Renders the jobs of standard input, one per line."""
    for line in sys.stdin:
        job = json.loads(line)
        device = job.get("device", "CPU")
        render(job["stage"], job["out"], samples=job["samples"], threads=job.get("threads", 1), device=device)
        print(f"done {job['out']}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
