"""Draws rigs with Mitsuba 3, a physically based renderer, on the processor.

One scene a rig; from throw to throw only the dice's and the coin's vertices change. Needs the LLVM library.
"""

from __future__ import annotations

import ctypes.util
import os
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from datasets.dice_mesh import Mesh, die_mesh, die_picture
from datasets.hand import ColouredMesh, hand_mesh
from datasets.lens import Radiance, film_of
from datasets.meshes import coin_mesh, cup_mesh, floor_mesh, placed, table_mesh, wall_mesh
from datasets.rig import GONE_MM, Coin, Hand, Instant, Lamp, Props, Rig, Surface
from datasets.textures import Picture, surface_picture

VARIANT: Final = "llvm_ad_rgb"
SAMPLES: Final = 6
FEW_INSTANTS: Final = 4
DEPTH: Final = 3  # light may bounce once
LLVM_ENV: Final = "DRJIT_LIBLLVM_PATH"
_LLVMS: Final = ("LLVM-20", "LLVM-19", "LLVM-18", "LLVM-17", "LLVM-16", "LLVM")


class RendererMissingError(RuntimeError):
    """Mitsuba, or the LLVM library it compiles with, cannot be loaded."""


def load_mitsuba(threads: int) -> Any:
    """Return the module `mitsuba` with its variant set; raises RendererMissingError with one line."""
    _point_to_llvm()
    try:
        mitsuba: Any = import_module("mitsuba")
    except ImportError as error:
        raise RendererMissingError(
            f"Mitsuba cannot be imported ({error}): pip install 'mitsuba>=3.6'"
        ) from error
    try:
        mitsuba.set_variant(VARIANT)
        drjit = import_module("drjit")
        drjit.set_thread_count(threads)
        drjit.eval(drjit.llvm.Float(1.0) + 1)
    except Exception as error:  # Dr.Jit raises bare RuntimeErrors of many wordings
        raise RendererMissingError(
            f"Mitsuba finds no LLVM library ({' '.join(str(error).split())[:120]}): install one, on Debian "
            f"`sudo apt-get install libllvm19`, or name it in {LLVM_ENV}"
        ) from error
    mitsuba.set_log_level(mitsuba.LogLevel.Error)
    return mitsuba


def _point_to_llvm() -> None:
    """Name a newer LLVM than the system's default: 14 and 15 crash on processors with AVX-512."""
    if os.environ.get(LLVM_ENV):
        return
    for name in _LLVMS:
        found = ctypes.util.find_library(name)
        if found:
            os.environ[LLVM_ENV] = found
            return
    for path in sorted(Path("/usr/lib").glob("*-linux-gnu/libLLVM.so.*"), reverse=True):
        os.environ[LLVM_ENV] = str(path)
        return


class MitsubaRenderer:
    """One rig's scene, drawn again and again with its dice elsewhere."""

    def __init__(self, rig: Rig, *, threads: int = 1, props: Props | None = None) -> None:
        self._mi = load_mitsuba(threads)
        self._rig, self._props = rig, props or Props()
        cup, arm = self._props.cup, self._props.arm
        self._cup_mesh = None if cup is None else cup_mesh(cup)
        self._hands = {} if arm is None else {pose: hand_mesh(arm, pose) for pose in self._props.hand_poses}
        self._dice = [die_mesh(look) for look in rig.dice]
        self._coin = coin_mesh(Coin((0.0, 0.0), 11.5, 2.2))
        self._shown: frozenset[str] = frozenset(self._hands)
        self._scene = self._mi.load_dict(self._scene_dict())
        self._parameters = self._mi.traverse(self._scene)
        self._denoise = _denoiser()

    def draw(self, instants: Sequence[Instant], seed: int) -> Radiance:
        """Return the pinhole picture `film_of`, linear RGB float32 (H, W, 3), of all instants together."""
        samples = max(1 if len(instants) > FEW_INSTANTS else 2, SAMPLES // len(instants))
        layers = [self._layers(instant, samples, seed + at) for at, instant in enumerate(instants)]
        return self._denoise(np.asarray(np.mean(layers, axis=0), dtype=np.float32))

    def colours(self, instant: Instant, seed: int) -> Radiance:
        """Return what everything is painted with, linear RGB float32 (H, W, 3), whatever the light."""
        return np.ascontiguousarray(self._layers(instant, SAMPLES, seed)[..., 3:6])

    def _layers(self, instant: Instant, samples: int, seed: int) -> NDArray[np.float32]:
        poses, coin = instant.poses, instant.coin
        for number in range(len(self._dice)):
            here = number < len(poses)
            at, turn = (poses.at_mm[number], poses.turn[number]) if here else (GONE_MM, np.eye(3))
            self._move(f"die{number}", placed(self._dice[number], at, turn))
        at = GONE_MM if coin is None else np.array([*coin.at, 0.0])
        self._move("coin", placed(self._coin, at, np.eye(3)))
        if self._cup_mesh is not None:
            at = GONE_MM if instant.cup_mm is None else instant.cup_mm
            self._move("cup", placed(self._cup_mesh, at, np.eye(3)))
        for pose, hand in self._hands.items():
            self._place_hand(pose, hand.mesh, instant.hand)
        self._parameters.update()
        return np.array(self._mi.render(self._scene, spp=samples, seed=seed), dtype=np.float32)

    def _place_hand(self, pose: str, mesh: Mesh, hand: Hand | None) -> None:
        """Move a hand only when it is in the picture, or was before: it has many vertices."""
        here = hand is not None and hand.pose == pose
        if not here and pose not in self._shown:
            return
        self._shown = (self._shown | {pose}) if here else (self._shown - {pose})
        at, turn = (hand.at_mm, hand.turn) if hand is not None and here else (GONE_MM, np.eye(3))
        self._move(f"hand-{pose}", placed(mesh, at, turn))

    def _move(self, name: str, mesh: Mesh) -> None:
        float_type = self._mi.Float
        self._parameters[f"{name}.vertex_positions"] = float_type(mesh.vertices.ravel().astype(np.float32))
        self._parameters[f"{name}.vertex_normals"] = float_type(mesh.normals.ravel().astype(np.float32))

    def _scene_dict(self) -> dict[str, Any]:
        rig, mi = self._rig, self._mi
        scene: dict[str, Any] = {
            "type": "scene",
            "integrator": _integrator(),
            "sensor": self._sensor(),
            "sky": {"type": "constant", "radiance": {"type": "rgb", "value": [rig.ambience / np.pi] * 3}},
            "floor": self._still("floor", floor_mesh(rig.tray), rig.tray.floor),
            "wall": self._still("wall", wall_mesh(rig.tray), rig.tray.wall),
            "table": self._still("table", table_mesh(rig.tray.base_mm, rig.table.tile_mm), rig.table),
        }
        for number, lamp in enumerate(rig.lamps):
            scene[f"lamp{number}"] = _lamp(mi, lamp)
        for number, look in enumerate(rig.dice):
            colours = self._bitmap(die_picture(look), "clamp")
            bsdf = _principled(colours, look.roughness, look.metallic, 0.5)
            scene[f"die{number}"] = self._mesh(f"die{number}", self._dice[number], bsdf)
        metal = _principled({"type": "rgb", "value": [0.55, 0.42, 0.22]}, 0.35, 0.9, 0.5)
        scene["coin"] = self._mesh("coin", self._coin, metal)
        if self._props.cup is not None and self._cup_mesh is not None:
            leather = _principled({"type": "rgb", "value": list(self._props.cup.colour)}, 0.5, 0.0, 0.4)
            scene["cup"] = self._mesh("cup", self._cup_mesh, leather)
        for pose, hand in self._hands.items():
            scene[f"hand-{pose}"] = self._hand(f"hand-{pose}", hand)
        return scene

    def _sensor(self) -> dict[str, Any]:
        lens, mi = self._rig.lens, self._mi
        film = film_of(lens)
        off = [film.left + film.width / 2, film.top + film.height / 2] - (lens.matrix[:2, 2] + 0.5)
        to_world = np.eye(4)
        to_world[:3, :3] = lens.turn.T * [-1, -1, 1]  # its cameras have x to the left and y up
        to_world[:3, 3] = lens.at_mm
        return {
            "type": "perspective",
            "fov": float(2 * np.degrees(np.arctan(film.width / 2 / lens.matrix[0, 0]))),
            "fov_axis": "x",
            "principal_point_offset_x": float(off[0] / film.width),
            "principal_point_offset_y": float(off[1] / film.height),
            "near_clip": 20.0,
            "far_clip": 9000.0,
            "to_world": mi.ScalarTransform4f(to_world),
            "film": {
                "type": "hdrfilm",
                "width": film.width,
                "height": film.height,
                "rfilter": {"type": "box"},
                "pixel_format": "rgb",
                "component_format": "float32",
            },
            "sampler": {"type": "independent", "sample_count": SAMPLES},
        }

    def _still(self, name: str, mesh: Mesh, surface: Surface) -> Any:
        bsdf = _principled(
            self._bitmap(surface_picture(surface), "repeat"),
            surface.roughness,
            0.0,
            0.1 if surface.roughness > 0.9 else 0.35,
        )
        return self._mesh(name, mesh, bsdf)

    def _bitmap(self, picture: Picture, wrap: str) -> dict[str, Any]:
        bitmap = self._mi.Bitmap(np.ascontiguousarray(picture))
        return {
            "type": "bitmap",
            "bitmap": bitmap,
            "raw": False,
            "wrap_mode": wrap,
            "filter_type": "bilinear",
        }

    def _hand(self, name: str, hand: ColouredMesh) -> Any:
        painted = {"type": "mesh_attribute", "name": "vertex_color"}
        shape = self._mesh(name, hand.mesh, _principled(painted, 0.55, 0.0, 0.35))
        shape.add_attribute("vertex_color", 3, hand.colours.ravel().astype(np.float32).tolist())
        return shape

    def _mesh(self, name: str, mesh: Mesh, bsdf: dict[str, Any]) -> Any:
        mi = self._mi
        properties = mi.Properties()
        properties["mesh_bsdf"] = mi.load_dict({"type": "twosided", "nested": bsdf})
        shape = mi.Mesh(name, len(mesh.vertices), len(mesh.triangles), properties, True, True)
        parameters = mi.traverse(shape)
        parameters["vertex_positions"] = mi.Float(mesh.vertices.ravel().astype(np.float32))
        parameters["vertex_normals"] = mi.Float(mesh.normals.ravel().astype(np.float32))
        parameters["vertex_texcoords"] = mi.Float(mesh.uv.ravel().astype(np.float32))
        parameters["faces"] = mi.UInt32(mesh.triangles.ravel().astype(np.uint32))
        parameters.update()
        return shape


def _integrator() -> dict[str, Any]:
    """A path tracer that also says what colours and slopes it sees, which the denoiser asks for."""
    return {
        "type": "aov",
        "aovs": "albedo:albedo,normals:sh_normal",
        "path": {"type": "path", "max_depth": DEPTH, "hide_emitters": True},
    }


def _denoiser() -> Callable[[NDArray[np.float32]], Radiance]:
    """Return what takes layers (H, W, 9) - light, albedo, normals - to light (H, W, 3) with less noise."""
    try:
        oidn: Any = import_module("mitsuba_oidn")
    except ImportError:
        return lambda layers: np.maximum(layers[..., :3], 0)

    def denoise(layers: NDArray[np.float32]) -> Radiance:
        light, albedo, normals = (np.ascontiguousarray(part) for part in np.split(layers, 3, axis=2))
        clean = oidn.denoise(light, np.clip(albedo, 0, 1), normals, hdr=True)
        return np.asarray(np.maximum(clean, 0), dtype=np.float32)

    return denoise


def _principled(colour: dict[str, Any], roughness: float, metallic: float, specular: float) -> dict[str, Any]:
    return {
        "type": "principled",
        "base_color": colour,
        "roughness": roughness,
        "metallic": metallic,
        "specular": specular,
    }


def _lamp(mi: Any, lamp: Lamp) -> dict[str, Any]:
    """A square that faces the middle of the floor and lights it with `power`, whatever its size."""
    at = np.array(lamp.at_mm)
    distance = float(np.linalg.norm(at))
    solid = (lamp.side_mm / distance) ** 2
    radiance = lamp.power / solid / (at[2] / distance)
    return {
        "type": "rectangle",
        "to_world": mi.ScalarTransform4f()
        .look_at(origin=list(at), target=[0, 0, 0], up=[0.1, 1, 0.2])
        .scale(lamp.side_mm / 2),
        "light": {
            "type": "area",
            "radiance": {"type": "rgb", "value": [float(radiance * c) for c in lamp.colour]},
        },
    }
