"""The wall opens at one place for every throw, and every tile is somewhere."""

from __future__ import annotations

from itertools import product

import pytest

from companion.rules import list_profiles, load_profile
from companion.rules.flow import DiceError, Flow, deal, flow_of, open_wall, wall_count
from companion.rules.flow.wall import Place


def throws(flow: Flow) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    dice = range(1, 7)
    return [
        (first, second)
        for first in product(dice, repeat=flow.opening.side_dice)
        for second in product(dice, repeat=flow.opening.column_dice)
    ]


@pytest.fixture(params=list_profiles())
def flow(request: pytest.FixtureRequest) -> Flow:
    return flow_of(load_profile(request.param))


def test_every_throw_opens_the_wall_at_one_place(flow: Flow) -> None:
    everywhere = {
        Place(side, column, level)
        for side in range(4)
        for column in range(1, flow.tiles.columns + 1)
        for level in ("top", "bottom")
    }
    for first, second in throws(flow):
        wall = open_wall(flow, 0, first, second)
        places = [*wall.live, *wall.dead]
        assert len(places) == len(set(places)) == flow.tiles.total
        if flow.opening.gap == "lifted":
            lifted = set(wall.counted.places)
            assert set(places) - set(wall.loose) == everywhere - lifted
        else:
            assert set(places) == everywhere
        assert set(wall.replacement_order) <= set(places)


def test_turning_the_table_turns_the_opening(flow: Flow) -> None:
    first, second = throws(flow)[-1]
    for east in range(4):
        turned = open_wall(flow, east, first, second)
        still = open_wall(flow, 0, first, second)
        assert turned.side == (still.side + east) % 4
        assert turned.counted.column == still.counted.column


def test_the_deal_gives_14_to_east_and_13_to_the_others(flow: Flow) -> None:
    hands = deal(flow)
    assert [len(hand) for hand in hands] == [14, 13, 13, 13]
    assert sorted(at for hand in hands for at in hand) == list(range(53))


def test_wall_dead_wall_and_dealt_tiles_make_the_set(flow: Flow) -> None:
    wall = open_wall(flow, 0, *throws(flow)[0])
    count = wall_count(flow, 53, 0)
    assert count.live + count.dead + 53 == flow.tiles.total
    assert count.live == len(wall.live) - 53
    assert count.dead == len(wall.dead)


@pytest.mark.parametrize(
    ("profile", "dead", "live"),
    [
        ("hk-wiki", 14, 144 - 14 - 53),
        ("beginner-points", 14, 136 - 14 - 53),
        ("hk-old-style", 0, 144 - 53),
        ("spanish-tournament", 16, 144 - 16 - 53),
    ],
)
def test_the_dead_wall_of_each_document(profile: str, dead: int, live: int) -> None:
    count = wall_count(flow_of(load_profile(profile)), 53, 0)
    assert (count.dead, count.live) == (dead, live)


def test_document_000_seven_opens_west_and_east_takes_columns_7_and_8() -> None:
    wall = open_wall(flow_of(load_profile("hk-wiki")), 0, (3, 4))
    assert wall.side == 2
    assert [(column.side, column.column) for column in wall.live_columns[:2]] == [(2, 7), (2, 8)]
    assert [(c.side, c.column) for c in wall.dead_columns] == [
        (3, 18),
        *[(2, n) for n in range(1, 7)],
    ]


def test_document_001_eight_and_five_open_the_left_walls_thirteenth_column() -> None:
    flow = flow_of(load_profile("beginner-points"))
    wall = open_wall(flow, 0, (6, 2), (4, 1))
    assert (
        wall.side == 3
    )  # own wall 1, right 2, opposite 3, left 4, own 5, right 6, opposite 7, left 8
    assert wall.counted.column == 17 - 13 + 1
    assert wall.first == Place(3, 6, "top")
    hill = [
        (3, 4),
        (3, 3),
        (3, 2),
        (3, 1),
    ]  # columns 14 to 17 from the left, and on round the corner
    assert [(c.side, c.column) for c in wall.dead_columns[::-1]][:4] == hill
    assert wall.loose == (Place(3, 4, "loose"), Place(3, 2, "loose"))
    assert len(wall.dead) == 14


def test_document_002_counts_past_the_corner_clockwise() -> None:
    wall = open_wall(flow_of(load_profile("hk-old-style")), 0, (6, 6), (6, 6))
    assert wall.side == 3  # 12: own wall is 1, 5 and 9
    assert (wall.counted.side, wall.counted.column) == (2, 24 - 18)
    assert wall.first == Place(2, 7, "top")
    assert wall.replacement_order[0] == Place(2, 6, "top")


def test_document_003_named_sides_and_loose_tiles() -> None:
    flow = flow_of(load_profile("spanish-tournament"))
    sides = [open_wall(flow, 0, (die,), (4, 4, 4)).side for die in range(1, 7)]
    assert sides == [0, 3, 2, 1, 0, 3]  # E N W S E N
    wall = open_wall(flow, 0, (1,), (4, 4, 4))
    assert wall.loose == (Place(0, 11, "loose"), Place(0, 5, "loose"))
    assert wall.first == Place(0, 13, "top")
    assert wall.replacement_order[0] == wall.live_columns[-1].places[0]


def test_a_kept_dead_wall_takes_the_last_live_tile() -> None:
    flow = flow_of(load_profile("hk-wiki"))
    before, after = wall_count(flow, 60, 0), wall_count(flow, 60, 1)
    assert (after.live, after.dead) == (before.live - 1, before.dead)


def test_the_hill_shrinks_and_an_untouched_dead_wall_does_not() -> None:
    hill = flow_of(load_profile("beginner-points"))
    assert wall_count(hill, 60, 1).dead == wall_count(hill, 60, 0).dead - 1
    untouched = flow_of(load_profile("spanish-tournament"))
    assert wall_count(untouched, 60, 1) == wall_count(untouched, 61, 0)


@pytest.mark.parametrize(("first", "words"), [((1,), "has 1 dice"), ((1, 7), "not 7")])
def test_wrong_dice_get_a_sentence(first: tuple[int, ...], words: str) -> None:
    with pytest.raises(DiceError, match=words):
        open_wall(flow_of(load_profile("hk-wiki")), 0, first)
