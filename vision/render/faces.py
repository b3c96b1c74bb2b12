"""Printed and engraved faces: which artwork a set shows, in which inks, at which size.

Artwork is a PNG with transparency per face and set (``<set>/<code>.png`` or ``<set>/<code>__n.png``),
the ink alone. A `Design` is one physical set: artwork, inks, scale, relief, corner index.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import FACES
from vision.render.art import ART_HEIGHTS, FaceLibrary, drawn_extent, is_monochrome, load_art
from vision.render.inks import Palette, colour_in, random_palette, recolour

Image = NDArray[np.uint8]

WITH_INDEX: Final = frozenset(
    {"martinpersson-index", "kde-classic", "kde-default", "kde-traditional"}
)
"""Artwork that already carries a Western index."""

LIGHT_INK: Final = frozenset({"fluffystuff-black"})
"""Artwork meant for dark tiles."""


@dataclass(frozen=True)
class CornerIndex:
    """A Western index: 1-9 and E S W N, drawn small in one or two corners."""

    corner: tuple[int, int]
    both: bool
    font: int
    height: float
    thickness: float
    colour: tuple[float, float, float]
    letters: str


@dataclass(frozen=True)
class Design:
    """One physical set's faces.

    Attributes:
        name: the artwork that gives the set its character.
        files: artwork per face; a face without a file is blank.
        drawn_frames: white dragons that are a drawn frame, as (inset, thickness) shares.
        palette: inks that replace the artwork's, or None for its own.
        scale: share of the face's width and height that the set's largest drawings may take.
        stretch: width over height of the drawings, relative to the artwork.
        offset: artwork's shift, shares of the face.
        relief: depth of the engraving, 0 for print.
        opacity: how dense the ink is.
        light_ink: the set is meant for dark tiles.
    """

    name: str
    files: Mapping[str, Path]
    reds_from_fives: frozenset[str]
    frame: tuple[float, float, bool] | None
    palette: Palette | None
    monochrome: frozenset[str]
    scale: tuple[float, float]
    stretch: float
    offset: tuple[float, float]
    relief: float
    relief_angle: float
    opacity: float
    index: CornerIndex | None
    light_ink: bool
    seed: int


def random_design(library: FaceLibrary, rng: np.random.Generator, light_ink: bool) -> Design:
    """A set as one could meet it: mostly one artist's faces, sometimes typefaces or mixed suits."""

    def choose(names: list[str]) -> str:
        return names[int(rng.integers(len(names)))]

    light_sets = [name for name in library.sets if name in LIGHT_INK]
    usable = [name for name in library.complete_for("mpsz") if name not in LIGHT_INK]
    base = choose(light_sets) if light_ink and light_sets and rng.random() < 0.5 else choose(usable)
    lettered = [name for name in library.complete_for("m") if name not in LIGHT_INK]
    with_bonus = [name for name in library.complete_for("fg") if name not in LIGHT_INK]
    sources = dict.fromkeys("mpszfg", base)
    if base not in LIGHT_INK:
        if rng.random() < 0.35:  # a set lettered in another hand
            sources["m"] = sources["z"] = choose(lettered)
        if rng.random() < 0.12:
            sources["p"], sources["s"] = choose(usable), choose(usable)
    if with_bonus and (base not in with_bonus or rng.random() < 0.25):
        sources["f"] = sources["g"] = choose(with_bonus)
    files: dict[str, Path] = {}
    reds: set[str] = set()
    for code in FACES:
        suit = code[1]
        drawings = library.drawings(sources[suit], code)
        if not drawings and suit == "z":
            drawings = library.drawings(base, code)
        reddened = sources[suit] not in LIGHT_INK and (not drawings or rng.random() < 0.4)
        if code[0] == "0" and reddened:
            drawings = [files["5" + suit]] if "5" + suit in files else []
            reds.add(code)
        if drawings:
            files[code] = drawings[int(rng.integers(len(drawings)))]
    birds = [
        file
        for name in library.sets
        if name not in LIGHT_INK
        for file in library.drawings(name, "1s")
    ]
    if birds and rng.random() < 0.2:
        files["1s"] = birds[int(rng.integers(len(birds)))]
    frame: tuple[float, float, bool] | None = None
    dice = rng.random()
    if dice < 0.35:
        files.pop("5z", None)
    elif dice < 0.55:
        files.pop("5z", None)
        frame = (
            float(rng.uniform(0.04, 0.14)),
            float(rng.uniform(0.015, 0.06)),
            bool(rng.random() < 0.4),
        )
    jokers = library.jokers()
    if jokers:
        files["?"] = jokers[int(rng.integers(len(jokers)))]
    own_colours = rng.random() < 0.3 and not light_ink
    fill = float(rng.uniform(0.72, 0.95))
    return Design(
        name=base,
        files=files,
        reds_from_fives=frozenset(reds),
        frame=frame,
        palette=None if own_colours else random_palette(rng, light_ink),
        monochrome=frozenset(code for code, file in files.items() if is_monochrome(file)),
        scale=(fill, float(np.clip(fill * rng.uniform(0.98, 1.12), 0.7, 0.96))),
        stretch=float(rng.uniform(0.92, 1.08)),
        offset=(float(rng.normal(0, 0.012)), float(rng.normal(0, 0.012))),
        relief=float(rng.choice([0.0, 0.35, 0.7, 1.0])),
        relief_angle=float(rng.uniform(0, 2 * np.pi)),
        opacity=float(rng.uniform(0.84, 1.0)),
        index=_random_index(rng, light_ink)
        if rng.random() < 0.25 and not WITH_INDEX.intersection(sources.values())
        else None,
        light_ink=light_ink,
        seed=int(rng.integers(2**31)),
    )


def plain_design(library: FaceLibrary, name: str) -> Design:
    """The artwork of one set as it was drawn, engraved a little; for samples and simulated games."""
    files = {code: library.drawings(name, code)[0] for code in library.codes(name)}
    return Design(
        name=name,
        files=files,
        reds_from_fives=frozenset(),
        frame=None,
        palette=None,
        monochrome=frozenset(),
        scale=(0.84, 0.88),
        stretch=1.0,
        offset=(0.0, 0.0),
        relief=0.45,
        relief_angle=2.2,
        opacity=1.0,
        index=None,
        light_ink=False,
        seed=0,
    )


def _random_index(rng: np.random.Generator, light_ink: bool) -> CornerIndex:
    colours = [(40, 30, 190), (30, 30, 30), (160, 60, 20), (40, 110, 30)]
    colour = (235.0, 235.0, 235.0) if light_ink else colours[int(rng.integers(4))]
    fonts = [
        cv2.FONT_HERSHEY_SIMPLEX,
        cv2.FONT_HERSHEY_DUPLEX,
        cv2.FONT_HERSHEY_COMPLEX,
        cv2.FONT_HERSHEY_TRIPLEX,
    ]
    return CornerIndex(
        corner=(int(rng.choice([0, 1])), int(rng.choice([0, 0, 1]))),
        both=bool(rng.random() < 0.25),
        font=fonts[int(rng.integers(4))],
        height=float(rng.uniform(0.11, 0.2)),
        thickness=float(rng.uniform(0.008, 0.022)),
        colour=(float(colour[0]), float(colour[1]), float(colour[2])),
        letters="ESWN" if rng.random() < 0.8 else "ESON",
    )


def draw_face(
    design: Design, code: str, body_bgr: tuple[float, float, float], size_px: tuple[int, int]
) -> Image:
    """The face of a tile as seen straight on under even light.

    Args:
        code: MPSZ notation, or ``?`` for a face outside it.
        size_px: (width, height).
    Returns:
        (height, width, 3) uint8.
    """
    width, height = size_px
    face = np.empty((height, width, 3), np.float32)
    face[:] = body_bgr
    ink, alpha = _ink(design, code, size_px)
    alpha *= design.opacity
    if design.relief and alpha.any():
        blurred = cv2.GaussianBlur(alpha, (0, 0), max(height / 130, 0.5))
        slope = np.cos(design.relief_angle) * cv2.Sobel(blurred, cv2.CV_32F, 1, 0) + np.sin(
            design.relief_angle
        ) * cv2.Sobel(blurred, cv2.CV_32F, 0, 1)
        face += (slope * (26 * design.relief))[..., None]
        face *= (1 - 0.10 * design.relief * blurred)[..., None]
        ink += (slope * (30 * design.relief))[..., None]
    face += alpha[..., None] * (ink - face)
    return np.clip(face, 0, 255).astype(np.uint8)


def _ink(
    design: Design, code: str, size_px: tuple[int, int]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The ink's colour (h, w, 3) and cover (h, w) of a face, both float32."""
    width, height = size_px
    colour = np.zeros((height, width, 3), np.float32)
    alpha = np.zeros((height, width), np.float32)
    file = design.files.get(code)
    if file is not None:
        wanted_h = design.scale[1] * height
        art_height = next((h for h in reversed(ART_HEIGHTS) if h >= wanted_h), ART_HEIGHTS[0])
        art = load_art(file, art_height)
        all_red = code in design.reds_from_fives
        inked_already = file.parent.name in LIGHT_INK
        if (design.palette is not None or all_red) and not inked_already:
            palette = design.palette or Palette.classic()
            kind = "red" if all_red or code[0] == "0" else code
            if code in design.monochrome:
                art = colour_in(art, kind, palette, design.seed)
            elif all_red or code not in ("?",):
                art = recolour(art, kind, palette)
        x0, y0, x1, y1 = np.array(drawn_extent(file.parent)) * art_height
        fit = min(design.scale[0] * width / (x1 - x0), design.scale[1] * height / (y1 - y0))
        sx, sy = fit * min(design.stretch, 1.0), fit / max(design.stretch, 1.0)
        place = np.array(
            [
                [sx, 0, width * (0.5 + design.offset[0]) - sx * (x0 + x1) / 2],
                [0, sy, height * (0.5 + design.offset[1]) - sy * (y0 + y1) / 2],
            ],
            np.float32,
        )
        solid = art.astype(np.float32)
        solid[..., :3] *= solid[..., 3:] / 255
        if min(sx, sy) < 0.6:
            solid = cv2.GaussianBlur(solid, (0, 0), 0.35 / min(sx, sy))
        warped = cv2.warpAffine(solid, place, (width, height), flags=cv2.INTER_LINEAR)
        alpha = warped[..., 3] / 255
        colour = warped[..., :3] / np.maximum(alpha, 1e-3)[..., None]
    elif code == "5z" and design.frame is not None:
        tone = (design.palette or Palette.classic()).frame
        alpha = _frame(size_px, *design.frame)
        colour[:] = tone
    if design.index is not None:
        mark = _index_mark(code, design.index.letters)
        if mark:
            over = _index_mask(design.index, mark, size_px)
            colour += over[..., None] * (np.array(design.index.colour, np.float32) - colour)
            alpha = np.maximum(alpha, over)
    return colour, np.ascontiguousarray(alpha)


def _frame(
    size_px: tuple[int, int], inset: float, thickness: float, double: bool
) -> NDArray[np.float32]:
    width, height = size_px
    mask = np.zeros((height, width), np.uint8)
    stroke = max(round(thickness * width), 1)
    for step in (0, 2) if double else (0,):
        gap = round(inset * width) + step * stroke + stroke
        cv2.rectangle(
            mask, (gap, gap), (width - 1 - gap, height - 1 - gap), 255, stroke, cv2.LINE_AA
        )
    return mask.astype(np.float32) / np.float32(255)


def _index_mark(code: str, letters: str) -> str:
    if code[0] == "?" or code == "back":
        return ""
    if code[1] in "mps":
        return code[0].replace("0", "5")
    if code[1] == "z" and code[0] in "1234":
        return letters[int(code[0]) - 1]
    return ""


def _index_mask(index: CornerIndex, mark: str, size_px: tuple[int, int]) -> NDArray[np.float32]:
    width, height = size_px
    scale = index.height * height / 21.0
    stroke = max(round(index.thickness * height), 1)
    (text_w, text_h), _ = cv2.getTextSize(mark, index.font, scale, stroke)
    margin = round(0.05 * width)
    mask = np.zeros((height, width), np.uint8)
    x = margin if index.corner[0] == 0 else width - margin - text_w
    y = margin + text_h if index.corner[1] == 0 else height - margin
    cv2.putText(mask, mark, (x, y), index.font, scale, 255, stroke, cv2.LINE_AA)
    if index.both:
        mask = np.maximum(mask, mask[::-1, ::-1])
    return mask.astype(np.float32) / np.float32(255)
