"""Layouts as people make them, drawn as quads: a tile is 30 x 40 px unless it is said otherwise."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.groups import group
from vision.pieces import is_set, split_into_sets
from vision.seen import Group

W, H = 30.0, 40.0


def tile(x: float, y: float, turn: float = 0.0, scale: float = 1.0) -> np.ndarray:
    """A quad with its centre at (x, y), turned clockwise by so many degrees."""
    a = np.deg2rad(turn)
    corners = np.array([[-W, -H], [W, -H], [W, H], [-W, H]]) / 2 * scale
    return corners @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + (x, y)


class Layout:
    """Rows of tiles, remembered by name of the row."""

    def __init__(self) -> None:
        self.quads: list[np.ndarray] = []
        self.labels: list[str] = []

    def row(
        self, text: str, x: float, y: float, gap: float = 1.0, scale: float = 1.0
    ) -> tuple[int, ...]:
        """Tiles from left to right; a code with ' lies sideways, a space leaves half a tile free."""
        first = len(self.quads)
        at = x
        for word in text.split(" "):
            if not word:
                at += W / 2 * scale
                continue
            wide = (H if word.endswith("'") else W) * scale
            turn = 90.0 if word.endswith("'") else 0.0
            low = (
                (H - W) / 2 * scale if turn else 0.0
            )  # sideways tiles are flush with the row's near edge
            self.quads.append(tile(at + wide / 2, y + low, turn, scale))
            self.labels.append(word.rstrip("'"))
            at += wide + gap
        return tuple(range(first, len(self.quads)))

    def groups(self, turn: float = 0.0) -> tuple[Group, ...]:
        a = np.deg2rad(turn)
        matrix = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        return group((np.array(self.quads) @ matrix).astype(np.float32), self.labels)


def kinds(groups: tuple[Group, ...]) -> dict[str, list[tuple[int, ...]]]:
    out: dict[str, list[tuple[int, ...]]] = {}
    for each in groups:
        out.setdefault(each.kind, []).append(each.tiles)
    return out


TEN = "1m 2m 3m 1p 2p 3p 2s 3s 4s 7m"
TEN_MORE = ("1m", "1m", "1m", "2p", "3p", "4p", "6s", "7s", "8s", "9s")


@pytest.mark.parametrize("turn", [0, 7, 90, 180, 231])
def test_hand_melds_bonus_and_winning_tile_apart_from_any_side(turn: float) -> None:
    table = Layout()
    hand = table.row(TEN, 100, 300)
    meld = table.row("5m 6m' 7m", 450, 300)
    bonus = table.row("2f 2g", 100, 180)
    winner = table.row("7m", 300, 200)
    found = table.groups(turn)
    assert kinds(found) == {"hand": [hand], "meld": [meld], "bonus": [bonus], "single": [winner]}
    assert found[0].kind == "hand"
    assert all(each.hand == 0 for each in found[1:])


def test_the_winning_tile_beside_the_row_or_sideways_at_its_end() -> None:
    for text in (
        "1m 2m 3m 1p 2p 3p 2s 3s 4s 7m 8m 9m 5z  5z",
        "1m 2m 3m 1p 2p 3p 2s 3s 4s 7m 8m 9m 5z 5z'",
    ):
        table = Layout()
        tiles = table.row(text, 100, 300)
        found = kinds(table.groups())
        assert found == {"hand": [tiles[:-1]], "single": [tiles[-1:]]}, text


def test_a_tile_among_the_discards_is_no_winner() -> None:
    table = Layout()
    hand = table.row("1m 2m 3m 1p 2p 3p 2s 3s 4s 7m 8m 9m 5z", 100, 300)
    pile = [(200, 180, 40), (245, 170, 110), (225, 215, 75), (290, 190, 20)]
    for x, y, turn in pile:
        table.quads.append(tile(x, y, turn))
        table.labels.append("9p")
    assert {each.tiles for each in table.groups() if each.hand is not None} == set()
    table.row("5z", 420, 210)
    found = table.groups()
    assert [each.tiles for each in found if each.hand == 0] == [(17,)]
    assert found[0].tiles == hand


def test_fourteen_in_a_row_leave_a_stray_tile_alone() -> None:
    table = Layout()
    hand = table.row("1m 2m 3m 1p 2p 3p 2s 3s 4s 7m 8m 9m 5z 5z", 100, 300)
    stray = table.row("3z", 300, 200)
    found = table.groups()
    assert kinds(found) == {"hand": [hand], "single": [stray]}
    assert found[1].hand is None


def test_melds_pushed_together_and_a_concealed_kong() -> None:
    table = Layout()
    hand = table.row("2p 3p 4p 8s 8s", 100, 300)
    melds = table.row("5m 6m 7m' 1z 1z 1z back 9s 9s back", 330, 300)
    found = table.groups()
    assert kinds(found) == {"hand": [hand], "meld": [melds[:3], melds[3:6], melds[6:]]}
    assert {each.hand for each in found} == {None, 0}


def test_a_hand_laid_out_set_by_set_is_one_hand() -> None:
    table = Layout()
    tiles = table.row("1p 1p 1p  5p 5p 5p  9p 9p 9p  8p 8p 8p  6p 6p", 100, 300)
    assert kinds(table.groups()) == {"hand": [tiles]}


def test_a_hand_kept_in_runs_and_pairs_is_one_hand() -> None:
    table = Layout()
    tiles = table.row("1p 2p 2p 3p  5s 5s  7z 7z", 100, 300)
    meld = table.row("4m 4m' 4m", 420, 300)
    table.row("9s 9s 9s", 560, 300)
    winner = table.row("1p", 300, 200)
    found = kinds(table.groups())
    assert found["hand"] == [tiles]
    assert found["meld"][0] == meld
    assert found["single"] == [winner]


def test_four_tiles_wait_among_three_melds_far_from_a_longer_river() -> None:
    table = Layout()
    table.row("6m 9m 9p 1s 2z 3z", 250, 100)
    melds = [table.row(text, x, 500) for text, x in (("7m 7m 7m", 60), ("8m 8m 8m", 170))]
    hand = table.row("0m 5m  7s 7s", 280, 500)
    melds.append(table.row("back 5s 0s back", 460, 500))
    winner = table.row("7s", 400, 420)
    found = kinds(table.groups())
    assert found["hand"] == [hand]
    assert sorted(found["meld"]) == melds
    assert found["single"] == [winner]


def test_melds_with_a_gap_within_one_are_melds() -> None:
    table = Layout()
    melds = table.row("2z 2z 2z 3z 3z  3z 8m 9m 7m", 100, 200)
    hand = table.row("1p 2p 3p 7p 7p 8p 9p", 150, 285)
    found = kinds(table.groups())
    assert found["hand"] == [hand]
    assert found["meld"] == [melds[k : k + 3] for k in (0, 3, 6)]


def test_a_pair_pushed_aside_is_part_of_the_hand_it_makes_whole() -> None:
    table = Layout()
    pair = table.row("2m 2m", 30, 330)
    hand = table.row("4m 4m 0m 5m 6m", 140, 300)
    melds = [table.row(text, x, 300) for text, x in (("7m 7m 7m", 340), ("8m 8m 8m", 470))]
    found = kinds(table.groups())
    assert found["hand"] == [pair + hand]
    assert sorted(found["meld"]) == melds


def test_backs_beside_a_hand_are_no_part_of_it() -> None:
    table = Layout()
    backs = table.row("back back", 30, 330)
    hand = table.row("1m 2m 3m 1p 2p 3p 2s 3s 4s 7m 8m", 140, 300)
    found = kinds(table.groups())
    assert found == {"hand": [hand], "row": [backs]}


def test_sets_at_hand_are_the_hands_even_if_they_seem_upside_down() -> None:
    table = Layout()
    hand = table.row("1m 2m 3m 1p 2p 3p 2s 3s 4s 7m", 100, 300)
    first = len(table.quads)
    for k in range(3):
        table.quads.append(tile(250 + 31 * k, 215, 180))
        table.labels.append("7z")
    meld = tuple(range(first + 2, first - 1, -1))
    owners = {each.tiles: each.hand for each in table.groups()}
    assert owners == {hand: None, meld: 0}


def test_flanks_read_as_backs_make_no_wall_of_a_standing_hand() -> None:
    table = Layout()
    hand = table.row("1m 2m 3m 1p 2p 3p 2s 3s 4s 7m 8m 9m 5z 5z", 100, 300)
    table.row("back back back back back", 100, 340)
    table.row("back back back", 400, 340)
    assert kinds(table.groups())["hand"] == [hand]


def test_a_set_between_flowers_stays_a_set() -> None:
    table = Layout()
    hand = table.row("2p 3p 4p 6s 7s 8s 3m 3m 9s 9s 9s", 100, 400)
    table.row("2g 7z 7z 7z 3g 4p", 100, 300)
    found = kinds(table.groups())
    assert found["hand"] == [hand]
    assert found["meld"] == [(12, 13, 14)]
    assert found["bonus"] == [(11, 15)]


def test_all_sets_in_one_row_and_the_pair_below() -> None:
    table = Layout()
    sets = table.row("1z 1z 1z 2z 2z 2z 3z 3z 3z 4z 4z 4z", 100, 300)
    pair = table.row("2m 2m", 250, 380)
    found = kinds(table.groups())
    assert found["hand"] == [pair]
    assert found["meld"] == [sets[k : k + 3] for k in range(0, 12, 3)]


def test_rivers_and_walls_are_not_hands() -> None:
    table = Layout()
    hand = table.row("1m 2m 3m 1p 2p 3p 2s 3s 4s 7m 8m 9m 5z 5z", 100, 600)
    river = [
        table.row(text, 250, 300 + 41 * k)
        for k, text in enumerate(["1z 9m 9p 1s 2z 3z", "8p 2m' 4p 5s 6s", "7z 1m 1p 6z"])
    ]
    wall = table.row(" ".join(["back"] * 17), 60, 100)
    found = kinds(table.groups())
    assert found["hand"] == [hand]
    assert sorted(found["row"]) == sorted([*river, wall])


def test_hands_of_four_players_each_with_what_is_theirs() -> None:
    table = Layout()
    mine = table.row("1m 2m 3m 1p 2p 3p 2s 3s 4s 7m 8m 9m 5z", 300, 900)
    my_winner = table.row("5z", 450, 820)
    first = len(table.quads)
    for k, label in enumerate(TEN_MORE):  # the player at the right
        table.quads.append(tile(1000, 700 - 31 * k, -90))
        table.labels.append(label)
    right = tuple(range(first, first + 10))
    for k, label in enumerate(["4z", "4z", "4z"]):
        table.quads.append(tile(1000, 330 - 31 * k, -90))
        table.labels.append(label)
    right_meld = tuple(range(first + 10, first + 13))
    found = table.groups()
    hands = {each.tiles: n for n, each in enumerate(found) if each.kind == "hand"}
    assert set(hands) == {mine, right}
    owners = {each.tiles: each.hand for each in found if each.hand is not None}
    assert owners == {my_winner: hands[mine], right_meld: hands[right]}


def test_a_set_whose_upright_tile_turns_out_a_flower_keeps_its_place() -> None:
    table = Layout()
    hand = table.row("2p 3p 4p 8s 8s", 100, 300)
    table.row("1f 5m' 5m' 5m'", 330, 300)
    found = table.groups()
    assert found[0].tiles == hand
    assert sorted(i for each in found for i in each.tiles) == list(range(9))


def test_reading_order_is_the_owners() -> None:
    table = Layout()
    tiles = table.row("1m 2m 3m 4m 5m 6m 7m", 100, 300)
    assert table.groups(180)[0].tiles == tiles


def test_a_loosely_laid_row_stays_whole() -> None:
    table = Layout()
    tiles = table.row("1m 9s 3p 5z 6m 7m 2s 4s", 100, 300, gap=17)
    assert kinds(table.groups()) == {"hand": [tiles]}


@pytest.mark.parametrize(
    ("labels", "yes"),
    [
        ("1m 2m 3m", True),
        ("3m 1m 2m", True),
        ("8p 9p 1p", False),
        ("1z 2z 3z", False),
        ("5s 0s 5s", True),
        ("4s 0s 6s", True),
        ("7z 7z 7z 7z", True),
        ("back 2m 2m back", True),
        ("2m back back 2m", True),
        ("back 2m 3m back", False),
        ("1m 2m 3m 4m", False),
        ("1f 1f 1f", False),
        ("9p 9p", False),
    ],
)
def test_what_a_set_looks_like(labels: str, yes: bool) -> None:
    assert is_set(labels.split()) is yes


def test_splitting_tries_fours_where_threes_do_not_fit() -> None:
    labels = ["7z", "7z", "7z", "7z", "1m", "2m", "3m"]
    assert split_into_sets(labels, [False] * 7) == [4, 3]
    assert split_into_sets(labels[1:], [False] * 6) == [3, 3]
    assert split_into_sets(labels[:5], [False] * 5) is None


LABEL = st.sampled_from(("1m", "5m", "0p", "9s", "1z", "7z", "1f", "3g", "back"))
PLACE = st.tuples(LABEL, st.floats(0, 900), st.floats(0, 900), st.floats(0, 360), st.floats(0.3, 4))


@given(st.lists(PLACE, max_size=25))
def test_every_tile_is_in_exactly_one_group(
    heap: list[tuple[str, float, float, float, float]],
) -> None:
    quads = np.array([tile(x, y, turn, scale) for _, x, y, turn, scale in heap]).reshape(-1, 4, 2)
    found = group(quads, [label for label, *_ in heap])
    assert sorted(i for each in found for i in each.tiles) == list(range(len(heap)))
    assert all(each.hand is None or found[each.hand].kind == "hand" for each in found)


def test_a_whole_table_is_grouped_quickly() -> None:
    table = Layout()
    for k in range(8):
        table.row(" ".join(["1m", "4p", "9s"] * 6), 50, 100 + 60 * k)
    start = time.perf_counter()
    table.groups()
    assert time.perf_counter() - start < 0.5
