"""Tile faces to train on: artwork of many sets, recoloured with the inks of real sets.

A face is (133, 100, 4) BGRA uint8, artwork on transparency, filling a tile of 100 x 133 px. Photographed faces are
opaque. Nothing here knows what lies around a tile; that is `namer_synthesis`.
"""

from __future__ import annotations

import colorsys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import FACES, NOT, RED_FIVES, plain
from vision.training.namer_canvas import BGR, FACE_SIZE

Face = NDArray[np.uint8]


@dataclass(frozen=True)
class FaceSet:
    """All faces of one design: ``faces[label]`` holds one or more drawings; ``not`` holds jokers and animals."""

    name: str
    faces: dict[str, list[Face]]
    mono: bool = False
    white_ink: bool = False
    photo: bool = False


@dataclass(frozen=True)
class Inks:
    """The colours of one made-up set (BGR, 0..255) and the part each of them plays."""

    red: BGR
    blue: BGR
    green: BGR
    black: BGR
    roles: dict[str, BGR] = field(default_factory=dict)

    def of(self, role: str) -> BGR:
        """The ink of a part: ``numeral``, ``wan``, ``wind``, ``bamboo``, ``accent``, ``dot1``..``dot3``, ``white``."""
        return self.roles[role]


def load_sets(folder: Path, keep: Callable[[str], bool]) -> list[FaceSet]:
    """Read the design folders under ``folder`` whose name ``keep`` accepts, in alphabetical order."""
    sets = []
    for directory in sorted(p for p in folder.iterdir() if p.is_dir() and keep(p.name)):
        faces: dict[str, list[Face]] = defaultdict(list)
        for file in sorted(directory.glob("*.png")):
            code = file.stem.split("__")[0]
            if code in ("back", "front"):
                continue
            label = code if code in FACES else NOT
            image = np.asarray(cv2.imread(str(file), cv2.IMREAD_UNCHANGED), np.uint8)
            faces[label].append(
                cv2.resize(_premultiplied(image), FACE_SIZE, interpolation=cv2.INTER_AREA)
            )
        saturation = [_mean_saturation(f) for group in faces.values() for f in group]
        white = "black" in directory.name.split("-")
        mono = float(np.mean(saturation)) < 20 and not white
        sets.append(FaceSet(directory.name, dict(faces), mono=mono, white_ink=white))
    return sets


def _premultiplied(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Give transparent pixels the colour of the nearest ink, so that shrinking makes no dark or white fringe."""
    bgr, alpha = image[..., :3], image[..., 3]
    weight = cv2.GaussianBlur((alpha > 128).astype(np.float32), (0, 0), 3)
    spread = cv2.GaussianBlur(bgr.astype(np.float32) * (alpha > 128)[..., None], (0, 0), 3)
    filled = np.where((alpha > 200)[..., None], bgr, spread / np.maximum(weight, 1e-4)[..., None])
    return np.dstack([np.clip(filled, 0, 255).astype(np.uint8), alpha])


def _mean_saturation(face: Face) -> float:
    ink = face[..., 3] > 128
    if not ink.any():
        return 0.0
    spread = face[..., :3].max(2).astype(int) - face[..., :3].min(2)
    return float(spread[ink].mean())


def random_inks(rng: np.random.Generator, dark_body: bool) -> Inks:
    """Draw the inks of a set, and which part of each face they paint."""
    red = _ink(rng, (-8, 7), (0.7, 1.0), (0.5, 0.95))
    blue = _ink(rng, (205, 245), (0.55, 1.0), (0.3, 0.85))
    green = _ink(rng, (115, 175), (0.5, 1.0), (0.2, 0.65))
    black = _ink(rng, (0, 360), (0.0, 0.5), (0.03, 0.25))
    if dark_body:
        red = _ink(rng, (-8, 30), (0.6, 1.0), (0.8, 1.0))
        blue = _ink(rng, (190, 240), (0.1, 0.7), (0.8, 1.0))
        green = _ink(rng, (90, 170), (0.2, 0.8), (0.7, 1.0))
        black = _ink(rng, (30, 60), (0.0, 0.6), (0.8, 1.0))
    dots = [blue, green, red]
    if rng.random() < 0.35:
        dots[:2] = [black, black]
    elif rng.random() < 0.3:
        dots[:2] = [green, black] if rng.random() < 0.5 else [black, green]
    elif rng.random() < 0.4:
        dots[:2] = [green, green] if rng.random() < 0.5 else [blue, blue]
    main = blue if rng.random() < 0.4 else (black if rng.random() < 0.85 else green)
    bamboo = green if rng.random() < 0.8 else black
    roles = {
        "numeral": main,
        "wan": red if rng.random() < 0.95 else main,
        "wind": main if rng.random() < 0.8 else black,
        "bamboo": bamboo,
        "bamboo2": blue if rng.random() < 0.25 else bamboo,
        "accent": red if rng.random() < 0.85 else bamboo,
        "dot1": dots[0],
        "dot2": dots[1],
        "dot3": dots[2],
        "white": (blue, black, green, red)[rng.choice(4, p=[0.55, 0.25, 0.15, 0.05])],
        "fortune": green if rng.random() < 0.8 else black,
        "centre": red,
    }
    return Inks(red, blue, green, black, roles)


_Span = tuple[float, float]


def _ink(rng: np.random.Generator, hue: _Span, sat: _Span, val: _Span) -> BGR:
    r, g, b = colorsys.hsv_to_rgb(
        (rng.uniform(*hue) % 360) / 360, rng.uniform(*sat), rng.uniform(*val)
    )
    return b * 255, g * 255, r * 255


def paint(face: Face, label: str, face_set: FaceSet, inks: Inks, rng: np.random.Generator) -> Face:
    """Recolour a face: a one-colour drawing from scratch by its parts, a coloured one by its groups of hues."""
    if label in RED_FIVES:
        return (
            face if label in face_set.faces and rng.random() < 0.5 else paint_red(face, inks, rng)
        )
    if face_set.mono:
        face = _paint_parts(face, label, inks, rng)
    elif rng.random() < 0.55:
        face = paint_hues(face, label, inks)
    if (label == "1s" or label[1] in "fg") and rng.random() < _FILLED:
        face = filled(face, inks, rng)
    return face


_FILLED: Final = 0.3
"""Share of drawn birds and flowers that are filled in: some sets print solid pictures, the artwork is mostly lines."""


def filled(face: Face, inks: Inks, rng: np.random.Generator) -> Face:
    """Lay two or three colours under the lines of a picture, within its outline."""
    alpha = face[..., 3]
    h, w = alpha.shape
    reach = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))
    closed = cv2.morphologyEx((alpha > 60).astype(np.uint8), cv2.MORPH_CLOSE, reach)
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    inside = np.zeros((h, w), np.uint8)
    cv2.drawContours(inside, outlines, -1, 255, -1)
    under = np.empty((h, w, 3), np.float32)
    yy, xx = np.mgrid[0:h, 0:w]
    palette = np.array([inks.red, inks.green, inks.blue, inks.black, (235, 235, 235)], np.float32)
    under[:] = _lightened(palette[int(rng.integers(5))], rng)
    for _ in range(int(rng.integers(1, 4))):
        angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.25, 0.25)
        side = (xx / w - 0.5) * np.cos(angle) + (yy / h - 0.5) * np.sin(angle) > offset
        under[side] = _lightened(palette[int(rng.integers(5))], rng)
    lines = alpha[..., None].astype(np.float32) / 255
    bgr = face[..., :3] * lines + under * (1 - lines)
    return np.dstack([bgr.astype(np.uint8), np.maximum(alpha, inside)])


def _lightened(colour: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    share = np.float32(rng.uniform(0, 0.7))
    return colour * (1 - share) + 245 * share


def paint_red(face: Face, inks: Inks, rng: np.random.Generator) -> Face:
    """Make a red five of a plain one: all ink red, white details stay; sometimes the dot Japanese sets carry."""
    out = face.copy()
    bgr = face[..., :3].astype(np.float32)
    light = bgr.min(2) > 170
    shade = np.clip(0.75 + bgr.mean(2) / 400, 0.6, 1.15)[..., None]
    red = np.clip(np.array(inks.red, np.float32) * shade, 0, 255)
    out[..., :3] = np.where(light[..., None], face[..., :3], red.astype(np.uint8))
    if rng.random() < 0.3:
        w, h = FACE_SIZE
        centre = (int(w * rng.uniform(0.42, 0.58)), int(h * rng.choice([0.06, 0.36, 0.5, 0.94])))
        colour = inks.red if rng.random() < 0.7 else (60, 180, 230)
        cv2.circle(out, centre, int(w * rng.uniform(0.03, 0.06)), (*colour, 255), -1, cv2.LINE_AA)
    return out


def plain_label(label: str, face_set: FaceSet) -> str:
    """The label whose drawing makes ``label`` in this set: red fives are drawn from plain ones where they lack."""
    return label if label in face_set.faces else plain(label)


def paint_hues(face: Face, label: str, inks: Inks) -> Face:
    """Change the red, green, blue and dark parts of a coloured face to the inks that paint them in this set."""
    bgr = face[..., :3]
    hsv = cv2.cvtColor(bgr, cv2.COLOR_BGR2HSV)
    hue, sat, val = (hsv[..., i].astype(np.int32) for i in range(3))
    white = (sat < 70) & (val > 150)
    dark = ~white & ((sat < 70) | (val < 60))
    colour = ~white & ~dark
    red = colour & ((hue < 12) | (hue > 165))
    green = colour & (hue >= 35) & (hue < 95)
    blue = colour & (hue >= 95) & (hue < 135)
    suit = label[1:] if label[0].isdigit() else ""
    targets = {
        "m": (inks.of("wan"), inks.of("numeral"), inks.of("numeral"), inks.of("numeral")),
        "p": (inks.of("dot3"), inks.of("dot2"), inks.of("dot1"), inks.of("dot1")),
        "s": (inks.of("accent"), inks.of("bamboo"), inks.of("bamboo2"), inks.of("bamboo2")),
        "z": (inks.of("centre"), inks.of("fortune"), inks.of("wind"), inks.of("wind")),
    }.get(suit, (inks.red, inks.green, inks.blue, inks.black))
    out = bgr.astype(np.float32)
    for mask, target in zip((red, green, blue, dark), targets, strict=True):
        if mask.any():
            level = val[mask].astype(np.float32)
            shade = np.clip(level / max(float(level.mean()), 1), 0.6, 1.4)[:, None]
            out[mask] = np.array(target, np.float32) * shade
    return np.dstack([np.clip(out, 0, 255).astype(np.uint8), face[..., 3]])


def _paint_parts(face: Face, label: str, inks: Inks, rng: np.random.Generator) -> Face:
    alpha = face[..., 3]
    h, w = alpha.shape
    colours = np.empty((h, w, 3), np.float32)
    rank, suit = (int(label[0]), label[1]) if label != NOT else (0, "")
    if suit == "m":
        split = _gap_row(alpha)
        colours[:split], colours[split:] = inks.of("numeral"), inks.of("wan")
    elif suit == "z":
        role = {5: "white", 6: "fortune", 7: "centre"}.get(rank, "wind")
        colours[:] = inks.of(role)
    elif suit in ("p", "s") and not (suit == "s" and rank == 1):
        _paint_pieces(colours, alpha, rank, suit, inks, rng)
    else:
        _paint_patches(colours, alpha, inks, rng)
    return np.dstack([np.clip(colours, 0, 255).astype(np.uint8), alpha])


def _gap_row(alpha: NDArray[np.uint8]) -> int:
    """The row between the numeral and 萬: the emptiest one between 35 % and 58 % of the height."""
    rows = alpha.astype(np.float32).sum(1)
    h = len(rows)
    low, high = int(h * 0.35), int(h * 0.58)
    return low + int(np.argmin(rows[low:high]))


def _paint_pieces(
    colours: NDArray[np.float32],
    alpha: NDArray[np.uint8],
    rank: int,
    suit: str,
    inks: Inks,
    rng: np.random.Generator,
) -> None:
    """Colour circles or sticks one by one, by where they lie on the face."""
    solid = cv2.morphologyEx(
        (alpha > 60).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)
    )
    count, pieces, stats, centres = cv2.connectedComponentsWithStats(solid)
    h, w = alpha.shape
    main = "dot1" if suit == "p" else "bamboo"
    colours[:] = inks.of(main)
    two_tone = suit == "p" and rng.random() < 0.4
    for piece in range(1, count):
        x, y = centres[piece][0] / w, centres[piece][1] / h
        role = _dot_role(rank, x, y) if suit == "p" else _stick_role(rank, x, y)
        mask = pieces == piece
        colours[mask] = inks.of(role)
        if two_tone:
            radius = max(stats[piece][2], stats[piece][3]) / 2
            yy, xx = np.mgrid[0:h, 0:w]
            inner = mask & (np.hypot(xx - centres[piece][0], yy - centres[piece][1]) < radius * 0.5)
            colours[inner] = inks.of("dot3" if rank == 1 or rng.random() < 0.7 else "dot2")


def _dot_role(rank: int, x: float, y: float) -> str:
    middle = abs(x - 0.5) < 0.15 and abs(y - 0.5) < 0.12
    if rank in (1, 5) and middle:
        return "dot3"
    if rank in (6, 7):
        return "dot2" if y < 0.42 else "dot3"
    if rank == 9:
        return ("dot1", "dot3", "dot2")[min(int(y * 3), 2)]
    if rank == 3:
        return ("dot1", "dot3", "dot2")[min(int(y * 3), 2)]
    if rank == 2:
        return "dot2" if y < 0.5 else "dot1"
    if rank in (4, 5):
        return "dot1" if (x < 0.5) == (y < 0.5) else "dot2"
    return "dot1"


def _stick_role(rank: int, x: float, y: float) -> str:
    centre = abs(x - 0.5) < 0.12
    if rank == 5 and centre:
        return "accent"
    if rank == 7:
        return "accent" if y < 0.35 else ("bamboo" if centre else "bamboo2")
    if rank == 9:
        return "accent" if centre else "bamboo"
    if rank in (4, 6):
        return "bamboo" if y < 0.5 else "bamboo2"
    return "bamboo"


def _paint_patches(
    colours: NDArray[np.float32], alpha: NDArray[np.uint8], inks: Inks, rng: np.random.Generator
) -> None:
    """Birds, flowers and jokers: each connected piece one ink, large ones split by a tilted line."""
    count, pieces = cv2.connectedComponents((alpha > 60).astype(np.uint8))
    h, w = alpha.shape
    palette = [inks.green, inks.red, inks.blue, inks.black]
    weights = rng.dirichlet([1.5, 1.5, 0.7, 1.0])
    colours[:] = palette[int(rng.choice(4, p=weights))]
    yy, xx = np.mgrid[0:h, 0:w]
    for piece in range(1, min(count, 30)):
        colours[pieces == piece] = palette[int(rng.choice(4, p=weights))]
    for _ in range(int(rng.integers(0, 3))):
        angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.3, 0.3)
        side = (xx / w - 0.5) * np.cos(angle) + (yy / h - 0.5) * np.sin(angle) > offset
        colours[side & (rng.random() < 0.7)] = palette[int(rng.choice(4, p=weights))]
