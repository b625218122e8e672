"""The tray, its dice and its camera as a MuJoCo model: real geometry, so that the truth is known exactly.

Lengths are metres inside MuJoCo, millimetres wherever a name says so. The tray-floor frame is MuJoCo's
world: origin in the middle of the floor, z up.
"""

from __future__ import annotations

from typing import cast
from xml.etree import ElementTree

import mujoco
import numpy as np
from numpy.typing import NDArray

from vision.opencv import cv2

Floats = NDArray[np.float64]

DIE_MM = 18.0
N_DICE = 6
FLOOR_MM = (244.0, 140.0)
RIM_MM = (11.0, 15.0)  # thickness, height
IMAGE_SIZE = (1280, 720)
CAMERA_MM = (0.0, -22.0, 520.0)
FOV_DEG = 21.8

# The axis of the body each face looks along. Opposite faces sum to 7; 1, 2, 3 run counter-clockwise around
# their corner, as on western dice.
FACE_AXES: dict[int, tuple[int, int, int]] = {
    1: (1, 0, 0),
    2: (0, 1, 0),
    3: (0, 0, 1),
    4: (0, 0, -1),
    5: (0, -1, 0),
    6: (-1, 0, 0),
}
_PIP_CELLS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_PIP_SPREAD, _PIP_RADIUS, _ROUNDING = 0.26, 0.093, 0.17  # in edges
_PIP_PROUD_M = 0.00006


def tray_model(seed: int) -> mujoco.MjModel:
    """Return the model: felt floor, wooden rim, table, `N_DICE` free dice, an overhead camera, soft light."""
    random = np.random.default_rng([seed, 1])
    textures = {
        "felt.png": _felt(random),
        "rim.png": _wood(random, (62, 96, 150)),
        "table.png": _wood(random, (44, 58, 78)),
    }
    assets = {name: cv2.imencode(".png", picture)[1].tobytes() for name, picture in textures.items()}
    return mujoco.MjModel.from_xml_string(_xml(), assets)


def _xml() -> str:
    root = ElementTree.Element("mujoco")
    _add(root, "option", timestep="0.0005", cone="elliptic", impratio="10", iterations="50")
    visual = _add(root, "visual")
    _add(visual, "global", offwidth=str(IMAGE_SIZE[0]), offheight=str(IMAGE_SIZE[1]))
    _add(visual, "quality", offsamples="8", shadowsize="4096")
    _add(visual, "map", znear="0.2", zfar="4", shadowclip="0.4")
    _add(visual, "headlight", ambient="0.30 0.30 0.30", diffuse="0 0 0", specular="0 0 0")
    _add_materials(_add(root, "asset"))
    world = _add(root, "worldbody")
    _add_light(world)
    _add_camera(world)
    _add_tray(world)
    for index in range(N_DICE):
        _add_die(world, index)
    return ElementTree.tostring(root, encoding="unicode")


def _add(parent: ElementTree.Element, tag: str, **attributes: str) -> ElementTree.Element:
    return ElementTree.SubElement(parent, tag, attributes)


def _numbers(*values: float) -> str:
    return " ".join(f"{value:.9g}" for value in values)


def _add_materials(asset: ElementTree.Element) -> None:
    for name, repeat in (("felt", 6), ("rim", 3), ("table", 2)):
        _add(asset, "texture", name=name, type="2d", file=f"{name}.png")
        _add(
            asset,
            "material",
            name=name,
            texture=name,
            texrepeat=_numbers(repeat, repeat),
            texuniform="true",
            specular="0.05",
            shininess="0.1",
        )
    _add(asset, "material", name="ivory", rgba="0.93 0.90 0.83 1", specular="0.25", shininess="0.6")
    _add(asset, "material", name="pip", rgba="0.07 0.06 0.06 1", specular="0.15", shininess="0.4")
    vertices, normals, triangles = rounded_cube(DIE_MM / 1000, _ROUNDING)
    _add(
        asset,
        "mesh",
        name="die",
        vertex=_numbers(*vertices.ravel()),
        normal=_numbers(*normals.ravel()),
        face=" ".join(str(corner) for corner in triangles.ravel()),
    )


def _add_light(world: ElementTree.Element) -> None:
    """Several weak lamps side by side stand for one large soft one."""
    for x, y in ((-0.30, 0.34), (-0.22, 0.40), (-0.12, 0.44), (-0.36, 0.26), (-0.20, 0.32)):
        _add(
            world,
            "light",
            pos=_numbers(x, y, 0.9),
            dir=_numbers(-x, -y, -0.9),
            diffuse="0.17 0.165 0.155",
            specular="0.05 0.05 0.05",
            cutoff="60",
            castshadow="true",
        )


def _add_camera(world: ElementTree.Element) -> None:
    x, y, z = (value / 1000 for value in CAMERA_MM)
    back = np.array([x, y, z]) / np.linalg.norm([x, y, z])  # the camera's own z points away from the middle
    right = np.array([1.0, 0.0, 0.0])
    up = np.cross(back, right)
    _add(
        world,
        "camera",
        name="overhead",
        pos=_numbers(x, y, z),
        xyaxes=_numbers(*right, *up),
        fovy=str(FOV_DEG),
    )


def _add_tray(world: ElementTree.Element) -> None:
    bounce = {"solref": "0.005 0.5", "friction": "0.3 0.005 0.0005", "condim": "4"}
    half_x, half_y = FLOOR_MM[0] / 2000, FLOOR_MM[1] / 2000
    thick, high = RIM_MM[0] / 1000, RIM_MM[1] / 1000
    table_z = -0.004
    _add(
        world,
        "geom",
        type="plane",
        size="1 1 0.1",
        pos=_numbers(0, 0, table_z),
        material="table",
        **bounce,
    )
    floor = {"type": "box", "material": "felt", **bounce}
    _add(world, "geom", size=_numbers(half_x, half_y, 0.002), pos=_numbers(0, 0, -0.002), **floor)
    wall = {"type": "box", "material": "rim", **bounce}
    middle, half_high = (high + table_z) / 2, (high - table_z) / 2
    for side in (-1, 1):
        _add(
            world,
            "geom",
            size=_numbers(half_x + thick, thick / 2, half_high),
            pos=_numbers(0, side * (half_y + thick / 2), middle),
            **wall,
        )
        _add(
            world,
            "geom",
            size=_numbers(thick / 2, half_y, half_high),
            pos=_numbers(side * (half_x + thick / 2), 0, middle),
            **wall,
        )


def _add_die(world: ElementTree.Element, index: int) -> None:
    half = DIE_MM / 2000
    body = _add(world, "body", name=f"die{index}", pos=_numbers(1 + 0.05 * index, 1, half))
    _add(body, "freejoint")
    _add(
        body,
        "geom",
        type="box",
        size=_numbers(half, half, half),
        density="1180",
        group="3",  # felt, not seen: only the rounded mesh is drawn
        solref="0.005 0.5",
        friction="0.3 0.005 0.0005",
        condim="4",
    )
    _add(body, "geom", type="mesh", mesh="die", material="ivory", contype="0", conaffinity="0", mass="0")
    for face, axis in FACE_AXES.items():
        for place in pip_places(face):
            _add(
                body,
                "geom",
                type="cylinder",
                size=_numbers(_PIP_RADIUS * DIE_MM / 1000, _PIP_PROUD_M),
                pos=_numbers(*(place * DIE_MM / 1000)),
                zaxis=_numbers(*axis),
                material="pip",
                contype="0",
                conaffinity="0",
                mass="0",
            )


def pip_places(face: int) -> Floats:
    """Return where the pips of `face` sit on a die of edge 1, (face, 3), in its body frame."""
    axis = np.array(FACE_AXES[face], dtype=float)
    across = np.roll(axis, 1)
    along = np.cross(axis, across)
    return np.array([axis / 2 + _PIP_SPREAD * (a * across + b * along) for a, b in _PIP_CELLS[face]])


def rotation(quaternion: Floats) -> Floats:
    """Return the matrix (3, 3) from the frame of a body at `quaternion` w x y z to the world's."""
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, quaternion)
    return matrix.reshape(3, 3)


def rounded_cube(edge: float, rounding: float) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Return vertices (V, 3), normals (V, 3) and triangles (T, 3) of a cube with rounded edges and corners.

    `rounding` is the radius of the edges as a share of `edge`.
    """
    half, radius = edge / 2, edge * rounding
    bend = radius * (1 - np.tan(np.linspace(np.pi / 4, 0, 5)))
    ticks = np.concatenate([-half + bend, (half - bend)[::-1]])
    vertices: list[Floats] = []
    triangles: list[tuple[int, int, int]] = []
    for axis in FACE_AXES.values():
        outward = np.array(axis, dtype=float)
        across = np.roll(outward, 1)
        along = np.cross(outward, across)
        base = len(vertices)
        vertices += [outward * half + a * across + b * along for a in ticks for b in ticks]
        for row in range(len(ticks) - 1):
            for column in range(len(ticks) - 1):
                at = base + row * len(ticks) + column
                below = at + len(ticks)
                triangles += [(at, below, below + 1), (at, below + 1, at + 1)]
    sharp = np.array(vertices)
    core = np.clip(sharp, radius - half, half - radius)
    normals = sharp - core
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return core + radius * normals, normals, np.array(triangles)


def _felt(random: np.random.Generator) -> NDArray[np.uint8]:
    """A green cloth of short fibres, BGR uint8 (512, 512, 3)."""
    return _tinted((60, 112, 38), 1 + 0.05 * _grain(random, 0.6, 0.6) + 0.03 * _grain(random, 3, 3))


def _wood(random: np.random.Generator, colour: tuple[int, int, int]) -> NDArray[np.uint8]:
    """Boards with a grain along x, BGR uint8 (512, 512, 3)."""
    return _tinted(colour, 1 + 0.14 * _grain(random, 60, 1.2))


def _grain(random: np.random.Generator, along_px: float, across_px: float) -> Floats:
    """Smooth noise of mean 0 and deviation 1 that tiles without a seam, (512, 512)."""
    margin = 192
    rough = np.pad(random.normal(0, 1, (512, 512)), margin, mode="wrap")
    smooth = cv2.GaussianBlur(rough, (0, 0), sigmaX=along_px, sigmaY=across_px)[
        margin:-margin, margin:-margin
    ]
    return cast(Floats, smooth / smooth.std())


def _tinted(colour: tuple[int, int, int], shade: Floats) -> NDArray[np.uint8]:
    picture = np.clip(shade[..., np.newaxis] * np.array(colour), 0, 255)
    return cast(NDArray[np.uint8], picture.astype(np.uint8))
