"""Printed matter that is not a tile: cards, sheets, phones, keyboards, dominoes, boxes, rulers."""

from __future__ import annotations

import string

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.render.surfaces import clouds, random_colour

Image = NDArray[np.uint8]

FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
    cv2.FONT_HERSHEY_PLAIN,
)


def _sheet(size_px: tuple[int, int], colour: ArrayLike) -> Image:
    image = np.empty((size_px[1], size_px[0], 3), np.uint8)
    image[:] = np.clip(np.asarray(colour), 0, 255).astype(np.uint8)
    return image


def _word(rng: np.random.Generator, low: int = 2, high: int = 9) -> str:
    letters = string.ascii_letters + string.digits
    return "".join(letters[i] for i in rng.integers(0, len(letters), int(rng.integers(low, high))))


def _ink(rng: np.random.Generator) -> list[float]:
    if rng.random() < 0.5:
        return [float(rng.uniform(10, 70))] * 3
    ink: list[float] = random_colour(rng, (0, 360), (0.5, 1), (0.3, 0.8)).tolist()
    return ink


def paper(rng: np.random.Generator, size_px: tuple[int, int]) -> Image:
    """A sheet with lines of writing, perhaps a table or a figure."""
    w, h = size_px
    image = _sheet(size_px, random_colour(rng, (30, 60), (0, 0.12), (0.8, 1)))
    ink, scale = _ink(rng), rng.uniform(0.25, 0.7)
    font = FONTS[int(rng.integers(len(FONTS)))]
    y = int(20 * scale + 8)
    while y < h - 6:
        line = " ".join(_word(rng) for _ in range(int(rng.integers(2, 9))))
        cv2.putText(image, line, (8, y), font, scale, ink, 1, cv2.LINE_AA)
        y += int(rng.uniform(24, 40) * scale)
    if rng.random() < 0.4:
        a = rng.integers(0, [w // 2, h // 2]).tolist()
        cv2.rectangle(
            image,
            a,
            (a[0] + w // 3, a[1] + h // 4),
            _ink(rng),
            -1 if rng.random() < 0.6 else 2,
            cv2.LINE_AA,
        )
    return image


def card(rng: np.random.Generator, size_px: tuple[int, int]) -> Image:
    """A playing card: pips of one suit, ranks in the corners; or a patterned back."""
    w, h = size_px
    if rng.random() < 0.25:
        image = _sheet(size_px, (245, 245, 245))
        tone = random_colour(rng, (0, 360), (0.6, 1), (0.3, 0.8)).tolist()
        cv2.rectangle(image, (w // 12, w // 12), (w - w // 12, h - w // 12), tone, -1)
        for at in range(0, w + h, max(w // 8, 4)):
            cv2.line(image, (at, w // 12), (0, at), (235, 235, 235), 1, cv2.LINE_AA)
        return image
    image = _sheet(size_px, rng.uniform(225, 255, 1).repeat(3))
    ink = (30, 20, 200) if rng.random() < 0.5 else (25, 25, 25)
    rank = "A23456789JQK"[int(rng.integers(12))]
    cv2.putText(
        image,
        rank,
        (w // 16, h // 7),
        cv2.FONT_HERSHEY_DUPLEX,
        w / 130,
        ink,
        max(w // 70, 1),
        cv2.LINE_AA,
    )
    image = np.minimum(image, image[::-1, ::-1])  # the other corner's rank stands on its head
    count = int(rank) if rank.isdigit() else 1
    columns = 1 if count < 4 else 2
    for i in range(count):
        x = w * (0.5 if columns == 1 else 0.32 + 0.36 * (i % 2))
        y = h * (0.2 + 0.6 * (i // columns + 0.5) / max(-(-count // columns), 1))
        r = w * (0.2 if count == 1 else 0.075)
        if rng.random() < 0.5:
            diamond = np.array([[x, y - 1.3 * r], [x + r, y], [x, y + 1.3 * r], [x - r, y]])
            cv2.fillPoly(image, [np.round(diamond).astype(np.int32)], ink, cv2.LINE_AA)
        else:
            cv2.circle(image, (round(x - r / 2), round(y)), round(r * 0.6), ink, -1, cv2.LINE_AA)
            cv2.circle(image, (round(x + r / 2), round(y)), round(r * 0.6), ink, -1, cv2.LINE_AA)
            cv2.fillPoly(
                image,
                [
                    np.array(
                        [[x - r, y + r * 0.2], [x + r, y + r * 0.2], [x, y + 1.5 * r]], np.int32
                    )
                ],
                ink,
                cv2.LINE_AA,
            )
    return image


def phone(rng: np.random.Generator, size_px: tuple[int, int]) -> Image:
    w, h = size_px
    image = _sheet(size_px, rng.uniform(8, 45, 1).repeat(3))
    edge = w // 18
    screen = image[edge * 2 : h - edge * 2, edge : w - edge]
    if rng.random() < 0.6:
        tone = random_colour(rng, (0, 360), (0, 0.8), (0.1, 1))
        screen[:] = np.clip(tone, 0, 255).astype(np.uint8)
        step = max(w // 5, 8)
        for y in range(step, h - 3 * step, step + step // 2):
            for x in range(step // 2, w - step, step):
                colour = random_colour(rng, (0, 360), (0.2, 1), (0.4, 1)).tolist()
                cv2.rectangle(screen, (x, y), (x + step * 2 // 3, y + step * 2 // 3), colour, -1)
    return image


def keyboard(rng: np.random.Generator, size_px: tuple[int, int]) -> Image:
    """Rows of square keys with letters, standing close like a grid of tiles."""
    w, h = size_px
    image = _sheet(size_px, rng.uniform(20, 200, 1).repeat(3))
    key = random_colour(rng, (0, 360), (0, 0.3), (0.1, 1.0))
    ink = (20, 20, 20) if key.mean() > 110 else (230, 230, 230)
    rows = int(rng.integers(4, 7))
    side = h / (rows + 0.4)
    for row in range(rows):
        x = side * 0.2 + (row * side * 0.25 if row else 0)
        while x < w - side:
            wide = side if rng.random() < 0.88 else side * rng.uniform(1.4, 2.5)
            a = (round(x), round(side * 0.2 + row * side))
            b = (round(x + wide - side * 0.15), round(side * 0.2 + row * side + side * 0.85))
            tone = key if rng.random() < 0.92 else random_colour(rng, (0, 360), (0.4, 1), (0.4, 1))
            cv2.rectangle(image, a, b, tone.tolist(), -1, cv2.LINE_AA)
            cv2.putText(
                image,
                _word(rng, 1, 2 if wide == side else 5),
                (a[0] + round(side * 0.15), a[1] + round(side * 0.45)),
                cv2.FONT_HERSHEY_SIMPLEX,
                side / 75,
                ink,
                1,
                cv2.LINE_AA,
            )
            x += wide
    return image


def buttons(rng: np.random.Generator, size_px: tuple[int, int]) -> Image:
    """A calculator or a remote control: a display and rows of marked buttons."""
    w, h = size_px
    image = _sheet(size_px, random_colour(rng, (0, 360), (0, 0.5), (0.1, 0.95)))
    cv2.rectangle(image, (w // 10, h // 14), (w - w // 10, h // 5), (120, 150, 140), -1)
    key = random_colour(rng, (0, 360), (0, 0.4), (0.1, 1.0))
    ink = (20, 20, 20) if key.mean() > 110 else (235, 235, 235)
    count = int(rng.integers(3, 6))
    step = w * 0.86 / count
    for y in np.arange(h * 0.27, h - step, step * rng.uniform(0.85, 1.2)):
        for column in range(count):
            a = (round(w * 0.07 + column * step), round(float(y)))
            b = (round(a[0] + step * 0.82), round(a[1] + step * 0.7))
            cv2.rectangle(image, a, b, key.tolist(), -1, cv2.LINE_AA)
            mark = "0123456789+-x=CE%"[int(rng.integers(17))]
            cv2.putText(
                image,
                mark,
                (a[0] + round(step * 0.25), b[1] - round(step * 0.15)),
                cv2.FONT_HERSHEY_DUPLEX,
                step / 48,
                ink,
                1,
                cv2.LINE_AA,
            )
    return image


def dial(rng: np.random.Generator, size_px: tuple[int, int]) -> Image:
    """A watch: hour marks and hands on a pale or dark face, a square case around it."""
    w, h = size_px
    image = _sheet(size_px, random_colour(rng, (0, 360), (0, 0.4), (0.1, 0.9)))
    pale = rng.random() < 0.6
    tone, ink = ((240, 240, 240), (25, 25, 25)) if pale else ((25, 25, 25), (235, 235, 235))
    middle = np.array([w / 2, h / 2])
    cv2.circle(image, (w // 2, h // 2), round(w * 0.46), tone, -1, cv2.LINE_AA)
    for hour in range(12):
        ray = np.array([np.sin(hour * np.pi / 6), -np.cos(hour * np.pi / 6)])
        a, b = middle + ray * w * 0.36, middle + ray * w * 0.42
        cv2.line(
            image,
            np.round(a).astype(int).tolist(),
            np.round(b).astype(int).tolist(),
            ink,
            3,
            cv2.LINE_AA,
        )
    for reach in (0.2, 0.33):
        angle = rng.uniform(0, 2 * np.pi)
        b = middle + np.array([np.sin(angle), np.cos(angle)]) * w * reach
        cv2.line(image, (w // 2, h // 2), np.round(b).astype(int).tolist(), ink, 3, cv2.LINE_AA)
    return image


def ruler(rng: np.random.Generator, size_px: tuple[int, int]) -> Image:
    w, h = size_px
    image = _sheet(size_px, random_colour(rng, (0, 360), (0, 0.8), (0.3, 1)))
    for i, x in enumerate(range(4, w, max(w // 120, 2))):
        cv2.line(image, (x, 0), (x, h // (2 if i % 10 == 0 else 4)), (20, 20, 20), 1)
        if i % 10 == 0:
            cv2.putText(
                image,
                str(i // 10),
                (x, h - 3),
                cv2.FONT_HERSHEY_SIMPLEX,
                h / 60,
                (20, 20, 20),
                1,
                cv2.LINE_AA,
            )
    return image


def domino(rng: np.random.Generator, size_px: tuple[int, int]) -> Image:
    """Twice as long as wide, a line across the middle and pips on both halves."""
    w, h = size_px
    dark = rng.random() < 0.3
    image = _sheet(size_px, (30, 30, 30) if dark else rng.uniform(205, 250, 1).repeat(3))
    ink = (235, 235, 235) if dark else (25, 25, 25)
    cv2.line(image, (w // 8, h // 2), (w - w // 8, h // 2), ink, max(w // 30, 1))
    spots = {
        0: [],
        1: [4],
        2: [0, 8],
        3: [0, 4, 8],
        4: [0, 2, 6, 8],
        5: [0, 2, 4, 6, 8],
        6: [0, 2, 3, 5, 6, 8],
    }
    for half in (0, 1):
        for spot in spots[int(rng.integers(7))]:
            x, y = w * (0.25 + 0.25 * (spot % 3)), h * (half / 2 + 0.125 + 0.125 * (spot // 3))
            cv2.circle(image, (round(x), round(y)), max(w // 12, 1), ink, -1, cv2.LINE_AA)
    return image


def package(rng: np.random.Generator, size_px: tuple[int, int]) -> Image:
    """The printed side of a box or the cover of a book."""
    w, h = size_px
    white = rng.random() < 0.5
    base = random_colour(
        rng, (0, 360), (0, 0.08) if white else (0.3, 0.9), (0.8, 1) if white else (0.2, 0.9)
    )
    image = _sheet(size_px, base)
    for _ in range(int(rng.integers(0, 4))):
        a = rng.integers(0, [w, h]).tolist()
        b = rng.integers(0, [w, h]).tolist()
        cv2.rectangle(image, a, b, random_colour(rng, (0, 360), (0.3, 1), (0.3, 1)).tolist(), -1)
    if rng.random() < 0.3:
        cv2.circle(
            image, rng.integers(0, [w, h]).tolist(), max(w // 6, 2), _ink(rng), -1, cv2.LINE_AA
        )
    for _ in range(int(rng.integers(1, 6))):
        x, y = rng.integers(0, [max(w * 2 // 3, 2), h]).tolist()
        cv2.putText(
            image,
            _word(rng, 3, 11),
            (x, y),
            FONTS[int(rng.integers(len(FONTS)))],
            w / 220 * rng.uniform(0.4, 2.2),
            _ink(rng),
            int(rng.integers(1, 4)),
            cv2.LINE_AA,
        )
    return image


def console(rng: np.random.Generator, size_px: tuple[int, int]) -> Image:
    """The centre of an automatic table: dark panel, dome, buttons, lights."""
    w, h = size_px
    image = _sheet(size_px, random_colour(rng, (0, 360), (0, 0.3), (0.1, 0.6)))
    cv2.rectangle(
        image,
        (w // 14, h // 14),
        (w - w // 14, h - h // 14),
        random_colour(rng, (0, 360), (0, 0.3), (0.03, 0.4)).tolist(),
        -1,
    )
    cv2.circle(
        image,
        (w // 2, h // 2),
        w // 4,
        random_colour(rng, (0, 360), (0, 0.3), (0.1, 0.7)).tolist(),
        -1,
        cv2.LINE_AA,
    )
    cv2.circle(
        image, (w // 2 - w // 14, h // 2 - h // 14), w // 14, (225, 225, 225), -1, cv2.LINE_AA
    )
    for x, y in (
        (0.2, 0.2),
        (0.8, 0.2),
        (0.8, 0.8),
        (0.2, 0.8),
        (0.5, 0.12),
        (0.5, 0.88),
        (0.12, 0.5),
        (0.88, 0.5),
    ):
        colour = random_colour(rng, (0, 360), (0.3, 1), (0.3, 1)).tolist()
        cv2.circle(image, (round(x * w), round(y * h)), max(w // 22, 2), colour, -1, cv2.LINE_AA)
    cv2.putText(
        image,
        _word(rng, 3, 7).upper(),
        (w // 3, h // 9),
        cv2.FONT_HERSHEY_SIMPLEX,
        w / 400,
        (210, 210, 210),
        1,
        cv2.LINE_AA,
    )
    return image


def rack_front(rng: np.random.Generator, size_px: tuple[int, int]) -> Image:
    """The front of a rack: white or ivory with some writing, one colour, or a laminated pattern."""
    dice = rng.random()
    if dice < 0.35:
        return patterned_cover(rng, size_px)
    pale = dice < 0.75
    base = random_colour(
        rng, (0, 360), (0, 0.12) if pale else (0.3, 0.9), (0.8, 1) if pale else (0.2, 0.9)
    )
    image = _sheet(size_px, base)
    for _ in range(int(rng.integers(0, 4))):
        x = int(rng.integers(0, size_px[0]))
        cv2.putText(
            image,
            _word(rng),
            (x, size_px[1] * 3 // 4),
            FONTS[int(rng.integers(len(FONTS)))],
            size_px[1] / 45,
            _ink(rng),
            2,
            cv2.LINE_AA,
        )
    return image


def patterned_cover(rng: np.random.Generator, size_px: tuple[int, int]) -> Image:
    """The laminated front of a rack: clouds in two colours."""
    w, h = size_px
    mix = 1 / (1 + np.exp(-2 * clouds(rng, (6, 14, 30), 256)))[..., None]
    a = random_colour(rng, (0, 360), (0.3, 1), (0.2, 0.9))
    b = random_colour(rng, (0, 360), (0, 0.9), (0.4, 1))
    image = np.clip(a * mix + b * (1 - mix), 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(image, (w, h), interpolation=cv2.INTER_LINEAR), np.uint8)
