"""How tiles lie when they are shown, scored or shuffled, and the list of all kinds of scenes.

A layout knows millimetres and tiles, not pictures. Rows run along x and are read from the bottom edge.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from vision.render.body import FACE_DOWN, FACE_UP, Pose, resting, turn_x, turn_z
from vision.render.games import edge_on, standing, table, walls
from vision.render.placing import (
    Arrangement,
    Care,
    Size,
    Slot,
    Stock,
    centred,
    meld_slots,
    random_care,
    row,
    scattered,
    slots_of,
)


def hand(rng: np.random.Generator, size: Size, stock: Stock) -> Arrangement:
    """A hand laid down: the row, perhaps melds, bonus tiles and the winning tile apart."""
    care, w, h = random_care(rng), size[0], size[1]
    melds = int(rng.choice([0, 1, 2, 3], p=[0.45, 0.25, 0.2, 0.1]))
    codes = stock.deal(13 - 3 * melds)
    if rng.random() < 0.7:
        codes = sorted(codes, key=lambda code: (code[1:], code))
    slots = slots_of(codes)
    if rng.random() < 0.2:  # some the other way round
        slots = [Slot(s.code, FACE_UP, 2 if rng.random() < 0.5 else 0) for s in slots]
    result = Arrangement(elevation_deg=(20, 90), azimuth_deg=(-70, 70), fill=(0.65, 1.1))
    tiles, end = row(rng, size, slots, (0, 0), care)
    result.tiles += tiles
    if rng.random() < 0.6:
        away = float(rng.uniform(0.2, 1.0)) * w
        last, end = row(
            rng,
            size,
            [Slot(stock.deal(1)[0], FACE_UP, int(rng.random() < 0.3))],
            (end + away, float(rng.normal(0, 4))),
            care,
        )
        result.tiles += last
    x = end + w * float(rng.uniform(0.5, 1.5)) if rng.random() < 0.4 else 0.0
    y = 0.0 if x else h * float(rng.uniform(1.1, 1.8))
    for _ in range(melds):
        part, x = row(rng, size, meld_slots(rng, stock), (x, y), care)
        result.tiles += part
        x += float(rng.uniform(0.1, 0.8)) * w
    if rng.random() < 0.3:
        part, _ = row(
            rng,
            size,
            slots_of(stock.deal(int(rng.integers(1, 5)))),
            (float(rng.uniform(0, w * 6)), h * float(rng.uniform(2.3, 3.2))),
            care,
        )
        result.tiles += part
    return centred(result)


def grid(rng: np.random.Generator, size: Size, stock: Stock) -> Arrangement:
    """A whole set, or a good part of it, laid out tightly; some blocks face down, some turned."""
    care = Care(*(float(rng.choice([0.1, 0.5])), float(rng.choice([0.2, 0.7])), 0.05))
    columns = int(rng.integers(6, 18))
    rows = int(rng.integers(3, 12))
    quarters = int(rng.choice([0, 0, 1, 2, 3]))
    sideways = quarters % 2 == 1
    extent = (size[1], size[0]) if sideways else (size[0], size[1])
    codes = stock.whole(bool(rng.random() < 0.5))
    while len(codes) < columns * rows:
        codes = codes + codes
    down_columns = int(rng.integers(1, columns)) if rng.random() < 0.2 else 0
    mixed = rng.random() < 0.3
    result = Arrangement(
        elevation_deg=(50, 90), fill=(0.8, 1.5) if rng.random() < 0.5 else (0.6, 1.0)
    )
    gap_y = float(rng.choice([0.1, 0.3, rng.uniform(2, 25)], p=[0.5, 0.3, 0.2]))
    for r in range(rows):
        slots = []
        for c in range(columns):
            turn = quarters + (2 if mixed and rng.random() < 0.5 else 0)
            down = c < down_columns or rng.random() < 0.01
            slots.append(Slot(codes[r * columns + c], FACE_DOWN if down else FACE_UP, turn))
        tiles, _ = row(rng, size, slots, (float(rng.normal(0, 0.7)), r * (extent[1] + gap_y)), care)
        result.tiles += tiles
    return centred(result)


def sheet(rng: np.random.Generator, size: Size, stock: Stock) -> Arrangement:
    """Faces in order with even gaps, as explanations of the game draw them."""
    codes = stock.whole(shuffled=False)[:: int(rng.choice([1, 4]))]
    begin = int(rng.integers(max(len(codes) - 8, 1)))
    codes = codes[begin : begin + int(rng.integers(3, 50))]
    columns = int(rng.integers(3, 11))
    gap = float(rng.uniform(0.3, 9))
    result = Arrangement(fill=(0.5, 1.0), drawing=True)
    for r in range(-(-len(codes) // columns)):
        slots = slots_of(codes[r * columns : (r + 1) * columns])
        tiles, _ = row(rng, size, slots, (0, -r * (size[1] + gap)), Care(0, 0, gap / 2))
        result.tiles += tiles
    return centred(result)


def rows(rng: np.random.Generator, size: Size, stock: Stock) -> Arrangement:
    """Some loose rows with gaps, as tiles are shown to a camera; sometimes tilted tiles in them."""
    care = Care(
        float(rng.choice([0.4, 2.0, 5.0])),
        float(rng.choice([0.8, 3.0, 9.0])),
        float(rng.choice([0.2, 1.5, 5.0])),
    )
    result = Arrangement(elevation_deg=(30, 90), fill=(0.6, 1.1))
    turns = [0] if rng.random() < 0.6 else ([0, 2] if rng.random() < 0.5 else [0, 1, 2, 3])
    y = 0.0
    for _ in range(int(rng.integers(1, 6))):
        count = int(rng.integers(5, 15))
        slots = [
            Slot(code, FACE_UP if rng.random() < 0.97 else FACE_DOWN, int(rng.choice(turns)))
            for code in stock.deal(count)
        ]
        cut = int(rng.integers(0, count + 1)) if rng.random() < 0.4 else count
        first, x = row(rng, size, slots[:cut], (float(rng.normal(0, 8)), y), care)
        second, _ = row(rng, size, slots[cut:], (x + size[0] * 0.8, y), care)
        result.tiles += first + second
        y += size[1] * float(rng.uniform(1.08, 2.2))
    return centred(result)


def columns(rng: np.random.Generator, size: Size, stock: Stock) -> Arrangement:
    """Rows running away from the camera, tiles on their sides as the viewer sees them."""
    laid = rows(rng, size, stock).turned(90.0)
    laid.elevation_deg, laid.azimuth_deg = (55, 90), (-15, 15)
    return laid


def pool(rng: np.random.Generator, size: Size, stock: Stock) -> Arrangement:
    """Discards or unshuffled tiles, any way round, some face down."""
    spread = float(rng.uniform(2.5, 6)) * size[1]
    tiles = scattered(
        rng,
        size,
        stock,
        int(rng.integers(8, 70)),
        (0, 0),
        (spread, spread),
        float(rng.choice([0.05, 0.3, 0.6])),
    )
    return Arrangement(tiles, elevation_deg=(25, 90), fill=(0.6, 1.2))


def heap(rng: np.random.Generator, size: Size, stock: Stock) -> Arrangement:
    """A pool with tiles lying on others, some on edge."""
    spread = float(rng.uniform(2, 4)) * size[1]
    tiles = scattered(rng, size, stock, int(rng.integers(15, 50)), (0, 0), (spread, spread), 0.4)
    for code in stock.deal(int(rng.integers(3, 16))):
        x, y = rng.uniform(-spread * 0.7, spread * 0.7, 2)
        attitude = FACE_UP if rng.random() < 0.6 else FACE_DOWN
        pose = resting(size, float(x), float(y), attitude, float(rng.uniform(0, 360)), size[2])
        tilt = turn_x(float(rng.normal(0, 9)))
        lifted = pose.centre_mm + [0, 0, float(rng.uniform(0, 4))]
        if all(
            np.hypot(*(other.centre_mm[:2] - lifted[:2])) > size[1] * 1.2
            or other.centre_mm[2] < size[2]
            for _, other in tiles
        ):
            tiles.append((code, Pose(lifted, tilt @ pose.rotation)))
    return Arrangement(tiles, elevation_deg=(25, 90), fill=(0.6, 1.3))


def melds(rng: np.random.Generator, size: Size, stock: Stock) -> Arrangement:
    """Exposed sets near the camera."""
    care = random_care(rng)
    result = Arrangement(elevation_deg=(25, 90), fill=(0.45, 1.0))
    x = y = 0.0
    for i in range(int(rng.integers(1, 6))):
        part, x = row(rng, size, meld_slots(rng, stock), (x, y), care)
        result.tiles += part
        x += float(rng.uniform(0.05, 1.5)) * size[0]
        if i == 2:
            x, y = 0.0, size[1] * 1.3
    return centred(result)


def pair(rng: np.random.Generator, size: Size, stock: Stock) -> Arrangement:
    """One to three single tiles close to the camera."""
    result = Arrangement(elevation_deg=(40, 90), fill=(0.15, 0.6))
    at = 0.0
    for code in stock.deal(int(rng.choice([1, 2, 2, 3]))):
        attitude = FACE_UP if rng.random() < 0.88 else FACE_DOWN
        turn = float(rng.uniform(0, 360)) if rng.random() < 0.4 else float(rng.normal(0, 8))
        result.tiles.append(
            (code, resting(size, at, float(rng.normal(0, size[1] * 0.12)), attitude, turn))
        )
        reach = size[1] if abs(np.sin(np.radians(turn))) > 0.35 else size[0]
        at += (reach + size[1] if rng.random() < 0.5 else reach * 1.12) + 3
    if len(result.tiles) > 1:
        first = np.array([p.centre_mm[:2] for _, p in result.tiles])
        if np.linalg.norm(np.diff(first, axis=0), axis=1).min() < size[1] * 1.25:
            # Close neighbours must not cut into each other, so they turn together.
            turn = float(rng.normal(0, 4))
            result.tiles = [
                (
                    code,
                    resting(
                        size,
                        i * size[0] * 1.12,
                        float(pose.centre_mm[1]),
                        FACE_UP if pose.rotation[2, 2] > 0 else FACE_DOWN,
                        turn + 180.0 * int(rng.random() < 0.3),
                    ),
                )
                for i, (code, pose) in enumerate(result.tiles)
            ]
    return centred(result)


def few(rng: np.random.Generator, size: Size, stock: Stock) -> Arrangement:
    """A handful of tiles, so that most of the picture is something else."""
    tiles = scattered(
        rng, size, stock, int(rng.integers(1, 7)), (0, 0), (5 * size[1], 4 * size[1]), 0.35
    )
    return Arrangement(tiles, elevation_deg=(25, 90), fill=(0.5, 1.0))


def close(rng: np.random.Generator, size: Size, stock: Stock) -> Arrangement:
    """One to four tiles that fill much of the picture, lying or on their edges, often seen from low down."""
    care = random_care(rng)
    count = int(rng.integers(1, 5))
    slots = slots_of(stock.deal(count))
    if rng.random() < 0.25:
        slots = slots_of(stock.deal(count), FACE_DOWN)
    if rng.random() < 0.2:
        slots = [Slot(s.code, s.attitude, int(rng.integers(4))) for s in slots]
    tiles, _ = row(rng, size, slots, (0, 0), care)
    low = rng.random() < 0.6
    result = Arrangement(
        tiles,
        elevation_deg=(20, 45) if low else (40, 90),
        azimuth_deg=(-180, 180) if rng.random() < 0.4 else (-50, 50),
        fill=(0.35, 0.95),
    )
    return centred(result)


def held(rng: np.random.Generator, size: Size, stock: Stock) -> Arrangement:
    """One tile held up to the camera, any way round."""
    attitude = (
        turn_z(float(rng.normal(0, 14)))
        @ turn_x(90.0 - float(rng.uniform(5, 45)))
        @ turn_z(float(rng.normal(90.0 * int(rng.choice([0, 0, 0, 0, 2, 1, 3])), 12)))
    )
    if rng.random() < 0.12:
        attitude = attitude @ FACE_DOWN
    pose = Pose(np.array([0.0, 0.0, float(rng.uniform(90, 300))]), attitude)
    return Arrangement(
        [(stock.deal(1)[0], pose)],
        elevation_deg=(5, 50),
        azimuth_deg=(-12, 12),
        fill=(0.12, 0.6),
        held=True,
    )


def none(rng: np.random.Generator, size: Size, stock: Stock) -> Arrangement:
    """No tile at all."""
    return Arrangement(elevation_deg=(20, 90), fill=(0.6, 1.0))


Layout = Callable[[np.random.Generator, Size, Stock], Arrangement]

LAYOUTS: Final[dict[str, Layout]] = {
    "hand": hand,
    "standing": standing,
    "grid": grid,
    "rows": rows,
    "columns": columns,
    "table": table,
    "walls": walls,
    "pool": pool,
    "heap": heap,
    "sheet": sheet,
    "held": held,
    "close": close,
    "melds": melds,
    "pair": pair,
    "edge-on": edge_on,
    "few": few,
    "none": none,
}
