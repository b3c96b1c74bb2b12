"""The sparrow (gorrión, 麻雀): a tree sparrow with its chestnut cap, dark cheek spot and bib."""

from __future__ import annotations

from drawings.palette import AMBER, BARK, CHESTNUT, CREAM, GREEN, INK, LEAF, RED
from drawings.pen import brush, curve, disc, fill, group, leaf, line, open_curve


def perched_sparrow() -> str:
    """1 of bamboos: the sparrow on a bamboo twig, filling a face."""
    return _twig() + sparrow()


def sparrow() -> str:
    """The bird alone, facing left, about x 30..282 and y 36..366."""
    silhouette = curve(
        (58, 112), (58, 64), (96, 38), (136, 40), (184, 43), (206, 84), (220, 130),
        (240, 186), (246, 244), (212, 280), (172, 320), (106, 316), (70, 270),
        (40, 230), (44, 182), (66, 152), (58, 140), (57, 124), (58, 112))  # fmt: skip
    tail = curve(
        (200, 232), (232, 262), (262, 306), (284, 352), (276, 364), (254, 368), (244, 362),
        (226, 328), (196, 300), (168, 286), (184, 262), (196, 252), (200, 232))  # fmt: skip
    tail_line = open_curve((210, 272), (230, 294), (248, 322), (261, 350))
    flank = curve(
        (212, 280), (172, 320), (106, 316), (70, 270), (62, 259), (57, 248), (54, 237),
        (84, 276), (150, 292), (190, 252), (206, 262), (214, 272), (212, 280))  # fmt: skip
    # The cap runs from the bill over the crown down the nape.
    cap = curve(
        (57, 104), (60, 62), (98, 38), (136, 40), (184, 43), (204, 80), (218, 124),
        (200, 132), (184, 120), (172, 104), (158, 88), (128, 86), (104, 98),
        (86, 106), (70, 108), (57, 104))  # fmt: skip
    mask = curve(
        (50, 112), (70, 112), (96, 106), (112, 106), (112, 122), (98, 126), (84, 128),
        (96, 146), (92, 170), (72, 182), (58, 172), (54, 140), (50, 112))  # fmt: skip
    bill = curve(
        (64, 106), (48, 106), (34, 114), (24, 130), (36, 136), (52, 138), (66, 134),
        (70, 126), (70, 114), (64, 106))  # fmt: skip
    wing = curve(
        (150, 160), (190, 138), (220, 160), (234, 206), (244, 238), (254, 272), (262, 304),
        (226, 296), (176, 286), (152, 256), (128, 226), (126, 180), (150, 160))  # fmt: skip
    bars = (
        line(open_curve((146, 200), (172, 210), (200, 204), (222, 186)), CREAM, 8)
        + line(open_curve((158, 232), (182, 240), (206, 234), (230, 218)), CREAM, 8)
    )
    quills = "".join(
        line(open_curve(*points), CREAM, 5)
        for points in (
            ((184, 256), (202, 264), (222, 274), (240, 284)),
            ((206, 248), (220, 256), (232, 266), (243, 278)),
        )
    )
    feet = "".join(
        line(f"M{x} 300L{x - 6} 328", AMBER, 8) + line(f"M{x - 22} 334L{x - 6} 326L{x + 12} 334", AMBER, 7)
        for x in (118, 166)
    )
    return group(
        fill(tail, INK), line(tail_line, CREAM, 5),
        feet,
        fill(silhouette, CREAM, 0), fill(flank, "#e9d3a6"),
        line(silhouette, INK, 6),
        fill(cap, CHESTNUT if False else RED), fill(mask, INK), fill(bill, INK),
        fill(curve((132, 120), (146, 112), (164, 120), (164, 138), (164, 154), (148, 160), (136, 152),
                   (124, 144), (122, 128), (132, 120)), INK),
        disc((93, 104), 9.5, CREAM), disc((93, 104), 7, INK), disc((90.5, 101.5), 2.4, CREAM),
        fill(wing, GREEN), line(wing, GREEN, 4), bars, quills,
    )  # fmt: skip


def _twig() -> str:
    twig = fill(brush([(14, 344), (100, 328), (190, 346), (290, 326)], [11, 14, 11]), LEAF)
    leaves = "".join(
        fill(leaf(base, angle, length, 13), GREEN)
        for base, angle, length in (
            ((52, 340), 62, 52), ((52, 340), 18, 60), ((48, 338), 118, 44),
            ((214, 338), 110, 50), ((216, 338), 60, 46),
        )
    )  # fmt: skip
    return twig + leaves
