"""The sparrow (gorrión, 麻雀): a tree sparrow with its cap, dark cheek spot, bib and white collar."""

from __future__ import annotations

from drawings.palette import AMBER, CREAM, GREEN, INK, LEAF, RED, SAND
from drawings.pen import brush, curve, disc, fill, group, leaf, line, open_curve

_OUTLINE = (
    (57, 112), (57, 64), (94, 36), (136, 37), (184, 38), (208, 78), (222, 130),
    (240, 186), (248, 244), (212, 280), (172, 320), (104, 316), (68, 270),
    (38, 230), (42, 182), (66, 152), (58, 140), (57, 124), (57, 112),
)  # fmt: skip


def perched_sparrow() -> str:
    """1 of bamboos: the sparrow on a bamboo twig, filling a face."""
    return _twig() + sparrow()


def sparrow() -> str:
    """The bird with its feet, facing left, within x 22..286 and y 33..368."""
    return group(_tail(), _feet(), _trunk(), sparrow_head(), _wing())


def sparrow_head() -> str:
    """Cap, bill, eye, bib and cheek spot, to be laid on the trunk."""
    cap = curve(
        (57, 106), (59, 62), (96, 37), (136, 37), (184, 38), (208, 78), (222, 130),
        (204, 136), (188, 124), (176, 108), (164, 92), (142, 84), (118, 86),
        (94, 88), (76, 96), (57, 106))  # fmt: skip
    lore = curve(
        (58, 110), (74, 102), (88, 98), (98, 98), (110, 98), (116, 108), (124, 112),
        (112, 118), (80, 128), (60, 130), (57, 124), (57, 116), (58, 110))  # fmt: skip
    bib = curve(
        (57, 126), (68, 124), (80, 128), (84, 136), (92, 152), (90, 180), (74, 188),
        (62, 192), (54, 178), (59, 166), (66, 152), (58, 140), (57, 126))  # fmt: skip
    bill = curve(
        (62, 106), (48, 106), (34, 114), (22, 130), (34, 137), (50, 140), (64, 138),
        (68, 128), (68, 114), (62, 106))  # fmt: skip
    spot = curve(
        (134, 124), (144, 112), (166, 118), (168, 136), (169, 154), (150, 162), (138, 152),
        (128, 144), (126, 132), (134, 124))  # fmt: skip
    gape = line(open_curve((30, 130), (42, 126), (52, 125), (62, 125)), SAND, 3)
    return (
        fill(cap, RED) + fill(lore, INK) + fill(bib, INK) + fill(bill, INK) + gape
        + fill(spot, INK)
        + disc((97, 108), 13.5, CREAM) + disc((97, 108), 10.5, INK) + disc((93, 104), 3.6, CREAM)
    )  # fmt: skip


def _trunk() -> str:
    flank = curve(
        (212, 280), (172, 320), (104, 316), (68, 270), (60, 259), (54, 247), (52, 236),
        (84, 276), (150, 292), (190, 252), (206, 262), (214, 272), (212, 280))  # fmt: skip
    silhouette = curve(*_OUTLINE)
    return fill(silhouette, CREAM) + fill(flank, SAND) + line(silhouette, INK, 6)


def _tail() -> str:
    feathers = curve(
        (200, 232), (232, 262), (264, 306), (286, 350), (278, 364), (256, 370), (244, 363),
        (226, 328), (196, 300), (168, 286), (184, 262), (196, 252), (200, 232))  # fmt: skip
    parting = open_curve((212, 274), (232, 296), (250, 324), (263, 350))
    return fill(feathers, INK) + line(parting, SAND, 4)


def _wing() -> str:
    """Back and folded wing, with the two pale bars and the edges of the long feathers."""
    back = curve(
        (186, 152), (200, 144), (214, 146), (226, 146), (238, 190), (242, 226), (228, 262),
        (204, 240), (180, 200), (186, 152))  # fmt: skip
    folded = curve(
        (150, 164), (188, 140), (222, 160), (236, 206), (246, 240), (258, 274), (268, 308),
        (230, 302), (178, 290), (152, 258), (126, 226), (124, 182), (150, 164))  # fmt: skip
    bars = "".join(
        line(open_curve(*points), CREAM, 8)
        for points in (
            ((145, 204), (170, 216), (200, 210), (222, 192)),
            ((157, 236), (182, 246), (208, 240), (232, 222)),
        )
    )
    edges = "".join(
        line(open_curve(*points), CREAM, 4.5)
        for points in (
            ((182, 264), (202, 276), (224, 286), (244, 292)),
            ((206, 256), (222, 268), (236, 278), (250, 286)),
        )
    )
    return fill(back, GREEN, 4) + line(folded, CREAM, 11) + fill(folded, GREEN, 4) + bars + edges


def _feet() -> str:
    return "".join(
        line(f"M{x} 300L{x - 6} 330M{x - 24} 337L{x - 6} 329L{x + 13} 337", AMBER, 8)
        for x in (118, 168)
    )


def _twig() -> str:
    twig = fill(brush([(12, 348), (100, 330), (190, 350), (290, 328)], [11, 14, 11]), LEAF)
    leaves = "".join(
        fill(leaf(base, angle, length, 14), GREEN)
        for base, angle, length in (
            ((50, 342), 52, 44), ((50, 342), 12, 60), ((46, 341), 116, 38),
            ((196, 342), 128, 44), ((198, 342), 78, 38),
        )
    )  # fmt: skip
    return twig + leaves
