"""The wiring: a reading laid out as a hand, and a reader that is loaded once and used in turn."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.app import Companion, hand_from_reading, layout_from_reading
from companion.eyes import EyesConfig, LazyReader, ReaderBusy
from companion.hand import format_hand
from companion.text import GorrionError, T
from vision.seen import Group, Reading, SeenTile

PICTURE = np.zeros((40, 40, 3), np.uint8)


def reading(*groups: tuple[str, str, int | None]) -> Reading:
    """A reading from groups as (kind, codes with spaces, hand)."""
    tiles: list[SeenTile] = []
    made: list[Group] = []
    for kind, codes, hand in groups:
        first = len(tiles)
        for code in codes.split():
            x = 30.0 * len(tiles)
            quad = ((x, 0.0), (x + 20, 0.0), (x + 20, 30.0), (x, 30.0))
            tiles.append(SeenTile(code.rstrip("~"), 0.9, quad, doubtful=code.endswith("~")))
        made.append(Group(kind, tuple(range(first, len(tiles))), hand))  # type: ignore[arg-type]
    return Reading(900, 100, tuple(tiles), tuple(made))


def test_groups_become_hand_melds_and_bonus_tiles() -> None:
    seen = reading(
        ("hand", "1p 2p 3p 2m 3m 7m 7m", None),
        ("single", "4m", 0),
        ("meld", "5m 6m 7m", 0),
        ("meld", "back 8s 8s back", 0),
        ("bonus", "2f 2g", 0),
        ("row", "9s 9p 1z", None),
    )
    hand = hand_from_reading(seen)
    assert format_hand(hand) == "23477m123p [567m] (8888s) 2f2g"
    assert hand.winning is not None
    assert hand.winning.code == "4m"
    assert not hand.flags()


def test_the_largest_hand_is_the_one_and_its_neighbours_stay_with_theirs() -> None:
    seen = reading(
        ("hand", "1m 2m", None),
        ("hand", "4p 5p 6p", None),
        ("meld", "7z 7z 7z", 0),
        ("bonus", "1f", 1),
    )
    assert format_hand(hand_from_reading(seen)) == "456p 1f"


def test_without_a_hand_everything_is_laid_out_to_be_sorted() -> None:
    layout = layout_from_reading(reading(("row", "1m 9s", None), ("row", "3f back", None)))
    assert [piece.tile.code for piece in layout.concealed] == ["1m", "9s", "back"]
    assert [piece.tile.code for piece in layout.bonus] == ["3f"]
    assert layout.winning is None


def test_pieces_know_the_tile_they_were_read_from_and_its_doubt() -> None:
    layout = layout_from_reading(reading(("hand", "1m 2m~", None), ("bonus", "3g", 0)))
    assert [(p.seen, p.doubtful) for p in layout.pieces] == [(0, False), (1, True), (2, False)]


def test_a_flower_in_the_row_of_the_hand_is_a_flower() -> None:
    layout = layout_from_reading(reading(("hand", "1m 2m 3f", None), ("single", "4g", 0)))
    assert [piece.tile.code for piece in layout.bonus] == ["3f", "4g"]
    assert layout.winning is None


class OneTile:
    """A reader that sees one tile."""

    def read(self, image_bgr: NDArray[np.uint8], /) -> Reading:
        return reading(("hand", "1m", None))


def test_the_reader_is_made_once_and_in_the_background() -> None:
    made = []

    def make() -> OneTile:
        made.append(threading.current_thread().name)
        return OneTile()

    reader = LazyReader(make)
    assert reader.state == "loading"
    reader.warm()
    assert len(reader.read(PICTURE).tiles) == 1
    assert len(reader.read(PICTURE).tiles) == 1
    assert len(made) == 1
    assert reader.state == "ready"


def test_a_reader_that_could_not_be_made_is_tried_again() -> None:
    answers: list[OneTile | GorrionError] = [GorrionError(T("no models"), "no_models"), OneTile()]

    def make() -> OneTile:
        answer = answers.pop(0)
        if isinstance(answer, GorrionError):
            raise answer
        return answer

    reader = LazyReader(make)
    with pytest.raises(GorrionError):
        reader.read(PICTURE)
    assert reader.state == "failed"
    assert str(reader.failure) == "no models"
    reader.read(PICTURE)
    assert (reader.state, reader.failure) == ("ready", None)


def test_pictures_beyond_the_queue_are_refused_at_once() -> None:
    inside, go_on = threading.Event(), threading.Event()

    class Slow:
        def read(self, image_bgr: NDArray[np.uint8], /) -> Reading:
            inside.set()
            assert go_on.wait(10)
            return reading()

    reader = LazyReader(Slow, EyesConfig(waiting_reads=1, wait_s=5))
    first = threading.Thread(target=reader.read, args=(PICTURE,))
    first.start()
    assert inside.wait(5)
    with pytest.raises(ReaderBusy) as busy:
        reader.read(PICTURE)
    assert busy.value.status == 503
    go_on.set()
    first.join()


def test_an_unscorable_hand_has_a_reason_instead(tmp_path: Path) -> None:
    companion = Companion(tmp_path, OneTile)
    draft = companion.start_from_hand()
    scored = companion.score(companion.open(draft.id))
    assert scored.score is None
    assert scored.problem is not None
