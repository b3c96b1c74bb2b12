"""A game in progress: a player's standing hand, walls, whole tables."""

from __future__ import annotations

import numpy as np

from vision.render.body import FACE_DOWN, FACE_UP, STANDING, Pose, turn_x, turn_z
from vision.render.placing import (
    Arrangement,
    Bar,
    Care,
    Size,
    Stock,
    centred,
    meld_slots,
    random_care,
    river,
    row,
    scattered,
    shifted,
    slots_of,
    two_high,
)


def standing(rng: np.random.Generator, size: Size, stock: Stock) -> Arrangement:
    """A player's standing hand from that player's seat, with what lies beyond it."""
    w, h, d = size
    care = Care(float(rng.choice([0.15, 0.6])), float(rng.choice([0.2, 0.8])), 0.08)
    count = int(rng.choice([4, 7, 8, 10, 11, 13, 14]))
    result = Arrangement(
        elevation_deg=(3, 52),
        azimuth_deg=(-28, 28),
        fill=(0.7, 1.15),
        table_mm=float(rng.uniform(380, 520)),
    )
    lean = turn_x(float(rng.uniform(-14, 3))) if rng.random() < 0.3 else np.eye(3)
    attitude = lean @ STANDING
    tiles, end = row(rng, size, slots_of(stock.deal(count), attitude), (0, 0), care)
    result.tiles += tiles
    middle = end / 2
    if rng.random() < 0.55:  # a rack or a strip before the hand
        depth = float(rng.uniform(8, 45))
        result.bars.append(
            Bar(
                (middle, -depth / 2 - float(rng.uniform(1, 14))),
                (end * float(rng.uniform(1.05, 1.8)), depth, float(rng.uniform(2, 0.45 * h))),
                float(rng.normal(0, 0.5)),
            )
        )
    y = d + float(rng.uniform(0.05, 1.2)) * h
    if rng.random() < 0.6:  # exposed melds or bonus tiles behind or before the hand
        part: list[tuple[str, Pose]] = []
        x = float(rng.uniform(-0.1, 0.5)) * end
        for _ in range(int(rng.integers(1, 4))):
            slots = meld_slots(rng, stock)
            if rng.random() < 0.35:
                slots = slots_of(stock.deal(int(rng.integers(1, 9))))
            found, x = row(rng, size, slots, (x, y), care)
            part += found
            x += float(rng.uniform(0, 1.5)) * w
        result.tiles += part
        y += h * 1.2
    if rng.random() < 0.25:  # a second standing row right behind, facing the same way
        found, _ = row(
            rng,
            size,
            slots_of(stock.deal(int(rng.integers(5, 12))), STANDING),
            (float(rng.uniform(-2, 3)) * w, y),
            care,
        )
        result.tiles += found
        y += d * 2
    if rng.random() < 0.6:  # a wall
        length = int(rng.integers(6, 19))
        wall = two_high(rng, size, stock, length, care)
        offset = middle - length * w / 2 + float(rng.normal(0, 3 * w))
        result.tiles += shifted(wall.tiles, offset, y + float(rng.uniform(0.2, 3)) * h)
    if rng.random() < 0.4:
        pool = scattered(
            rng,
            size,
            stock,
            int(rng.integers(3, 22)),
            (middle, y + 4.0 * h),
            (5 * w, 2.5 * h),
            0.15,
        )
        result.tiles += pool
    if rng.random() < 0.3:  # the player opposite shows backs
        found, _ = row(
            rng,
            size,
            slots_of(stock.deal(13), turn_z(180) @ STANDING),
            (middle - 6.5 * w, y + float(rng.uniform(6, 10)) * h),
            care,
        )
        result.tiles += found
    return _anchored(result, tiles)


def edge_on(rng: np.random.Generator, size: Size, stock: Stock) -> Arrangement:
    """Standing hands from above: only narrow top edges show; a few tiles lie flat beside them."""
    w, h, _ = size
    care = random_care(rng)
    tiles, end = row(rng, size, slots_of(stock.deal(13), STANDING), (0, 0), care)
    result = Arrangement(list(tiles), elevation_deg=(72, 90), fill=(0.6, 1.05))
    if rng.random() < 0.7:
        other, _ = row(
            rng,
            size,
            slots_of(stock.deal(int(rng.integers(5, 14))), turn_z(180) @ STANDING),
            (float(rng.uniform(0, 3 * w)), 5 * h),
            care,
        )
        result.tiles += other
    result.tiles += scattered(
        rng, size, stock, int(rng.integers(4, 20)), (end / 2, 2.7 * h), (end / 2, 1.2 * h), 0.3
    )
    return centred(result)


def walls(rng: np.random.Generator, size: Size, stock: Stock) -> Arrangement:
    """One to four walls around a table, perhaps with a pool within."""
    care = Care(0.4, 0.4, 0.1)
    length = int(rng.integers(6, 19))
    count = int(rng.choice([1, 2, 4]))
    result = Arrangement(
        elevation_deg=(25, 85), fill=(0.7, 1.3), table_mm=float(rng.uniform(380, 520))
    )
    away = length * size[0] / 2 + size[1] * float(rng.uniform(0.3, 1.2))
    for side in range(count):
        wall = two_high(rng, size, stock, length, care)
        wall.tiles = shifted(wall.tiles, -length * size[0] / 2, -away)
        result.add(wall.turned(90.0 * side))
    if rng.random() < 0.5:
        result.tiles += scattered(
            rng, size, stock, int(rng.integers(3, 30)), (0, 0), (away * 0.6, away * 0.6), 0.2
        )
    return result


def table(rng: np.random.Generator, size: Size, stock: Stock) -> Arrangement:
    """A game in progress: four hands, rivers with a sideways tile or a pool, melds, walls."""
    w, h, _ = size
    care = random_care(rng)
    half = max(float(rng.uniform(340, 430)) * w / 26, 11 * w + 3.5 * h)
    result = Arrangement(
        elevation_deg=(28, 90),
        azimuth_deg=(-180, 180),
        fill=(0.8, 1.35),
        table_mm=half + float(rng.uniform(5, 60)),
    )
    open_hands, rivers = rng.random() < 0.35, rng.random() < 0.6
    turns = int(rng.integers(2, 19))
    for side in range(4):
        seat = Arrangement()
        melded = int(rng.choice([0, 0, 1, 2, 3]))
        codes = stock.deal(13 - 3 * melded)
        attitude = FACE_UP if open_hands or (side == 0 and rng.random() < 0.4) else STANDING
        if attitude is STANDING and rng.random() < 0.12:
            attitude = FACE_DOWN
        tiles, end = row(rng, size, slots_of(codes, attitude), (0, 0), care)
        shift = float(rng.uniform(-half * 0.85, half * 0.8 - end)) if end < half * 1.6 else -end / 2
        seat.tiles += shifted(tiles, shift, -half + float(rng.uniform(5, 25)))
        x = -half * 0.8
        for _ in range(melded):
            part, x = row(
                rng,
                size,
                meld_slots(rng, stock),
                (x, -half + h * float(rng.uniform(1.5, 1.7))),
                care,
            )
            seat.tiles += part
            x += w * 0.4
        if rivers:
            seat.tiles += river(rng, size, stock.deal(turns + int(rng.integers(2))), care)
        if rng.random() < 0.6:
            length = int(rng.integers(3, 18))
            wall = two_high(rng, size, stock, length, Care(0.4, 0.4, 0.1))
            seat.tiles += shifted(
                wall.tiles, -length * w / 2 + float(rng.normal(0, w)), -half + h * 3.2
            )
        result.add(seat.turned(90.0 * side))
    if not rivers:
        result.tiles += scattered(
            rng, size, stock, int(rng.integers(4, 60)), (0, 0), (half * 0.42, half * 0.42), 0.03
        )
    if rng.random() < 0.5:
        result.console_mm = (0.0, 0.0, float(rng.uniform(3.6, 5.4)) * w)
        if not rivers:
            keep = result.console_mm[2] / 2 + h * 0.6
            result.tiles = [
                (c, p)
                for c, p in result.tiles
                if max(abs(p.centre_mm[0]), abs(p.centre_mm[1])) > keep
            ]
    return result


def _anchored(arrangement: Arrangement, main: list[tuple[str, Pose]]) -> Arrangement:
    """Move everything so that the main row's middle is the origin."""
    middle = np.mean([pose.centre_mm for _, pose in main], axis=0)
    arrangement.tiles = shifted(arrangement.tiles, -float(middle[0]), -float(middle[1]))
    arrangement.bars = [
        Bar(
            (b.centre_mm[0] - float(middle[0]), b.centre_mm[1] - float(middle[1])),
            b.size_mm,
            b.turn_deg,
        )
        for b in arrangement.bars
    ]
    arrangement.row_ends_mm = (main[0][1].centre_mm - middle, main[-1][1].centre_mm - middle)
    return arrangement
