"""The committed drawings: complete, in step with the script, self-contained, told apart."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

import drawings  # noqa: E402
from drawings.lettering import CHARACTERS, OUTLINES  # noqa: E402

from companion.tiles import BONUS, KINDS, REDS  # noqa: E402

STATIC = ROOT / "companion" / "web" / "static"
TILES = STATIC / "tiles"
OWN = ROOT / "vision" / "render" / "own"
SVG_FILES = sorted([*TILES.glob("*.svg"), STATIC / "icon.svg", STATIC / "favicon.svg"])
NAMESPACE = "{http://www.w3.org/2000/svg}"
IVORY = (251, 245, 228)
# Mean difference of two faces, 24 pixels wide, in grey levels of 255 over all channels. The
# nearest pair (5m and its red five) differs by more than twice this; a copy differs by nothing.
TOLD_APART = 3.0


def test_every_tile_of_the_vocabulary_is_drawn() -> None:
    assert set(drawings.FACES) == {tile.code for tile in (*KINDS, *BONUS, *REDS)}
    assert {path.stem for path in TILES.glob("*.svg")} == {
        *drawings.FACES, "tiles", "body", "back", "unknown",
    }  # fmt: skip
    assert {path.stem for path in OWN.glob("*.png")} == {*drawings.FACES, "back"}


def test_committed_svg_is_what_the_script_draws() -> None:
    expected = {TILES / f"{name}.svg": text for name, text in drawings.singles().items()}
    expected[TILES / "tiles.svg"] = drawings.sprite()
    expected |= {STATIC / f"{name}.svg": text for name, text in drawings.icons().items()}
    stale = [path.name for path, text in expected.items() if path.read_text("utf-8") != text]
    assert not stale, "run scripts/draw_tiles.py --png"


def test_pictures_were_made_from_these_drawings() -> None:
    sources = json.loads((OWN / "SOURCES.json").read_text("utf-8"))
    assert sources == {
        code: hashlib.sha256(drawings.artwork(code).encode()).hexdigest()
        for code in (*drawings.FACES, "back")
    }, "run scripts/draw_tiles.py --png"


@pytest.mark.parametrize("path", SVG_FILES, ids=lambda path: path.stem)
def test_svg_stands_alone(path: Path) -> None:
    """No reference, script or style: it passes a strict content security policy."""
    root = ET.parse(path).getroot()
    assert root.tag == f"{NAMESPACE}svg"
    allowed = {"svg", "symbol", "g", "path", "circle", "rect"}
    for node in root.iter():
        assert node.tag.removeprefix(NAMESPACE) in allowed
        for name, value in node.attrib.items():
            assert not name.endswith("href")
            assert name not in ("style", "class")
            assert "url(" not in value


def test_sprite_holds_the_artwork_of_the_single_files() -> None:
    symbols = {symbol.get("id"): symbol for symbol in ET.parse(TILES / "tiles.svg").getroot()}
    assert all(symbol.get("viewBox") == "0 0 300 400" for symbol in symbols.values())
    index = {f"index-{lang}-{code}" for lang in ("en", "es") for code in drawings.FACES}
    assert set(symbols) == {"body", "back", "unknown", *drawings.FACES, *index}

    def shapes(name: str) -> list[bytes]:
        return [ET.tostring(node).strip() for node in symbols[name]]

    for code in (*drawings.FACES, "unknown"):
        single = [ET.tostring(node).strip() for node in ET.parse(TILES / f"{code}.svg").getroot()]
        assert single == shapes("body") + shapes(code)


def test_corner_index_follows_the_language() -> None:
    sprite = (TILES / "tiles.svg").read_text("utf-8")
    index = dict(re.findall(r'<symbol id="index-(\w+-\w+)"[^>]*?(?:/>|>(.*?)</symbol>)', sprite))
    differing = {code for code in drawings.FACES if index[f"en-{code}"] != index[f"es-{code}"]}
    assert differing == {"3z"}  # West is O in Spanish
    assert {code for code in drawings.FACES if not index[f"en-{code}"]} == {
        tile.code for tile in BONUS
    }
    assert index["en-5p"] == index["en-5s"] != index["en-0p"]


def _small(code: str) -> np.ndarray:
    """A face on ivory, 24 pixels wide: (32, 24, 3) float."""
    with Image.open(OWN / f"{code}.png") as picture:
        assert picture.mode == "RGBA" and picture.size == (240, 320)
        tile = Image.new("RGBA", picture.size, (*IVORY, 255))
        tile.alpha_composite(picture)
    small = tile.convert("RGB").resize((24, 32), Image.Resampling.BOX)
    return np.asarray(small, dtype=np.float64)


def test_faces_are_told_apart_at_24_pixels() -> None:
    small = {code: _small(code) for code in (*drawings.FACES, "back")}
    difference = {
        (a, b): float(np.abs(small[a] - small[b]).mean())
        for a, b in itertools.combinations(small, 2)
    }
    nearest = min(difference, key=lambda pair: difference[pair])
    assert difference[nearest] > TOLD_APART, nearest


@pytest.mark.parametrize("suit", "mps")
def test_red_five_is_red_all_over(suit: str) -> None:
    with Image.open(OWN / f"0{suit}.png") as picture:
        pixels = np.asarray(picture).astype(int)
    painted = pixels[pixels[..., 3] > 200]
    assert len(painted) > 3000
    assert np.all(painted[:, 0] > painted[:, 1:3].max(axis=1) + 80)


def test_pictures_are_light_enough_to_ship() -> None:
    assert sum(path.stat().st_size for path in OWN.glob("*.png")) < 600_000


def test_outlines_name_their_font_and_licence() -> None:
    record = json.loads(OUTLINES.read_text("utf-8"))
    assert set(record["characters"]) == set(CHARACTERS)
    credit = (TILES / "README.md").read_text("utf-8")
    assert record["about"]["licence"] == "SIL Open Font License 1.1"
    assert record["about"]["licence"] in credit
    assert record["about"]["font"].removesuffix(" Regular") in credit
