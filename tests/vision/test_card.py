from pathlib import Path

import pytest

from vision.training.card import fill_card

DATA = [{"name": "photos", "what": "ten photographs", "licence": "CC0-1.0", "credit": "nobody"}]


def test_only_the_marked_parts_change_and_twice_is_once(tmp_path: Path) -> None:
    card = tmp_path / "card.md"
    card.write_text(
        "a\n<!-- figures -->\nold\n<!-- /figures -->\nb\n<!-- data -->\n<!-- /data -->\nc\n"
    )
    fill_card(card, {"part": "held-out"}, DATA)
    once = card.read_text()
    assert "old" not in once
    assert "part: held-out" in once
    assert "| photos | ten photographs | CC0-1.0 | nobody |" in once
    assert once.startswith("a\n") and once.endswith("c\n")
    fill_card(card, {"part": "held-out"}, DATA)
    assert card.read_text() == once


def test_a_card_without_marks_is_refused(tmp_path: Path) -> None:
    card = tmp_path / "card.md"
    card.write_text("nothing here")
    with pytest.raises(ValueError, match="figures"):
        fill_card(card, {"part": "held-out"}, DATA)
