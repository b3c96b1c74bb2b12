"""Gorrión's own tile drawings: every face as SVG from geometry and a few font outlines.

`face` gives the artwork of a code, `sprite` and `singles` the committed files of the page,
`artwork` the document behind each of the renderer's pictures.
"""

from __future__ import annotations

from drawings import bonus, furniture, suits
from drawings.icon import SIDE, favicon, icon
from drawings.pen import HEIGHT, WIDTH, element

SVG = "http://www.w3.org/2000/svg"
FACES: tuple[str, ...] = (
    *(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)),
    *(f"{rank}z" for rank in range(1, 8)),
    *(f"{rank}{suit}" for suit in "fg" for rank in range(1, 5)),
    "0m", "0p", "0s",
)  # fmt: skip


def face(code: str) -> str:
    """The artwork of one face on transparency, in tile units, as SVG elements."""
    rank, suit = int(code[0]), code[1]
    red = rank == 0
    if suit == "m":
        return suits.characters(rank or 5, red)
    if suit == "p":
        return suits.circles(rank or 5, red)
    if suit == "s":
        return suits.bamboos(rank or 5, red)
    if suit == "f":
        return bonus.flower(rank)
    if suit == "g":
        return bonus.season(rank)
    if rank <= 4:
        return suits.wind(rank)
    return (suits.white_dragon, suits.green_dragon, suits.red_dragon)[rank - 5]()


def document(*shapes: str, width: float = WIDTH, height: float = HEIGHT) -> str:
    """A whole SVG file, one tile large unless told."""
    size = f"0 0 {width:g} {height:g}"
    return element("svg", *shapes, xmlns=SVG, viewBox=size) + "\n"


def artwork(code: str) -> str:
    """The document the renderer's picture of a face (or of the back) is made from."""
    return document(furniture.back() if code == "back" else face(code))


def sprite() -> str:
    """One file of symbols: `body`, `back`, `unknown`, every face, every corner index."""
    symbols = {"body": furniture.body(), "back": furniture.back(), "unknown": furniture.unknown()}
    symbols |= {code: face(code) for code in FACES}
    for language in furniture.LANGUAGES:
        for code in FACES:
            symbols[f"index-{language}-{code}"] = furniture.index(code, language)
    rows = [
        element("symbol", shapes, id=name, viewBox=f"0 0 {WIDTH} {HEIGHT}")
        for name, shapes in symbols.items()
    ]
    return element("svg", "\n", "\n".join(rows), "\n", xmlns=SVG) + "\n"


def singles() -> dict[str, str]:
    """Name and text of the files that hold one finished tile each."""
    files = {code: document(furniture.body(), face(code)) for code in FACES}
    files["body"] = document(furniture.body())
    files["back"] = document(furniture.back())
    files["unknown"] = document(furniture.body(), furniture.unknown())
    return files


def icons() -> dict[str, str]:
    """Name and text of the application's icons."""
    return {
        "icon": document(icon(), width=SIDE, height=SIDE),
        "favicon": document(favicon(), width=SIDE, height=SIDE),
    }
