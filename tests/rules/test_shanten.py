"""Distances and completeness, against the `mahjong` package and by hand."""

from __future__ import annotations

import random

import pytest
from mahjong.agari import Agari
from mahjong.shanten import Shanten as PackageShanten

from companion.hand import Hand, parse_hand
from companion.notation import parse_tiles
from companion.rules.decomposition import Shapes, is_finished
from companion.rules.shanten import OUT_OF_REACH, shanten, useful_tiles
from companion.tiles import KINDS, Tile

RIICHI_SHAPES = Shapes()
"""The shapes that the package knows: no dragon chow, seven different pairs."""
WALL = [tile for tile in KINDS for _ in range(4)]
SAME_SUIT = WALL[:36]


def random_hand(chance: random.Random, size: int) -> Hand:
    """A hand out of the whole wall, or out of one or two suits so that it is near to something."""
    wall = chance.choice([WALL, WALL[:72], SAME_SUIT, WALL[108:] + SAME_SUIT])
    return Hand(tuple(chance.sample(wall, size)))


def test_shanten_agrees_with_the_package_on_5000_hands() -> None:
    chance = random.Random(20)
    for _ in range(5000):
        hand = random_hand(chance, chance.choice((13, 14)))
        ours, theirs = shanten(hand, RIICHI_SHAPES), list(hand.counts)
        expected = (
            PackageShanten.calculate_shanten_for_regular_hand(theirs),
            PackageShanten.calculate_shanten_for_chiitoitsu_hand(theirs),
            PackageShanten.calculate_shanten_for_kokushi_hand(theirs),
        )
        assert (ours.standard, ours.seven_pairs, ours.thirteen_orphans) == expected, str(hand)


def near_complete(chance: random.Random) -> list[Tile]:
    """Fourteen tiles made of sets and a pair, half of the time with one tile exchanged."""
    wall = chance.choice([WALL, SAME_SUIT])
    tiles: list[Tile] = []
    while len(tiles) < 12:
        tile = chance.choice(wall)
        if tile.is_suited and tile.rank <= 7 and chance.random() < 0.6:
            index = tile.index or 0
            tiles += KINDS[index : index + 3]
        else:
            tiles += [tile] * 3
    tiles += [chance.choice(wall)] * 2
    if chance.random() < 0.5:
        tiles[chance.randrange(14)] = chance.choice(wall)
    return tiles


def test_completeness_agrees_with_the_package_on_20000_hands() -> None:
    chance = random.Random(21)
    finished = 0
    for at in range(20_000):
        tiles = near_complete(chance) if at % 2 else list(random_hand(chance, 14).concealed)
        hand = Hand(tuple(tiles))
        if max(hand.counts) > 4:
            continue
        expected = Agari.is_agari(list(hand.counts))
        assert is_finished(hand, RIICHI_SHAPES) == expected, str(hand)
        if at % 10 == 0 or expected:
            assert (shanten(hand, RIICHI_SHAPES).best == -1) == expected, str(hand)
        finished += expected
    assert finished > 2000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("123456789m1111p", 1),  # MahjongRepository/mahjong#43: nobody holds a fifth 1p
        ("1112345678999m", 0),
        ("19m19p19s1234567z", 0),
        ("1133557799m112p", 0),
        ("11335555m77m112p", 2),  # four alike are one pair: a tile for 2p, then another pair
        ("123m55z [567m](8888s)[111p]", -1),
        ("1111m [2222m][3333m][444m]", 1),  # both a fifth 1m and a fifth 4m are out of reach
    ],
)
def test_known_distances(text: str, expected: int) -> None:
    assert shanten(parse_hand(text), RIICHI_SHAPES).best == expected


def test_switches_of_the_shapes() -> None:
    dragons = parse_hand("567z123m456p789s22p")
    assert shanten(dragons, Shapes(dragon_chow=True)).standard == -1
    assert shanten(dragons, Shapes()).standard == 1
    quads = parse_hand("11335555m77m1122p")
    assert shanten(quads, Shapes(seven_pairs_quad=True)).seven_pairs == -1
    chows = parse_hand("123456m123p11155z")
    assert shanten(chows, Shapes()).standard == -1
    assert shanten(chows, Shapes(max_chows=2)).standard == 1  # 5z for a pung, then a pair
    assert shanten(chows, Shapes(max_chows=1)).standard == 3
    laid = parse_hand("[123m]456m11p222555z")
    assert shanten(laid, Shapes(max_chows=2)).standard == -1
    assert shanten(laid, Shapes(max_chows=1)).standard == 1
    assert shanten(laid, Shapes(max_chows=0)).standard is None
    split = parse_hand("1111m23m456p789s22z")
    assert shanten(split, Shapes()).standard == -1
    assert shanten(split, Shapes(quad_may_split=False)).standard == 0


@pytest.mark.parametrize("seed", range(40))
def test_a_distance_is_the_number_of_exchanges(seed: int) -> None:
    """Some tile brings a hand nearer by exactly one, and none by more."""
    chance = random.Random(seed)
    shapes = Shapes(
        dragon_chow=chance.random() < 0.5,
        seven_pairs_quad=chance.random() < 0.5,
        quad_may_split=chance.random() < 0.5,
        max_chows=chance.choice((0, 1, 2, 4)),
    )
    hand = random_hand(chance, 13)
    now, useful = useful_tiles(hand, shapes)
    assert useful
    for each in useful:
        drawn = Hand((*hand.concealed, each.tile))
        assert shanten(drawn, shapes).best == now.best - 1
        if now.best == 0:
            assert is_finished(drawn, shapes)


def test_useful_tiles_with_live_copies() -> None:
    hand = parse_hand("123p123s2377m [567m]")
    now, useful = useful_tiles(hand, Shapes(), parse_tiles("1m444m1m"))
    assert now.best == 0
    assert [(each.tile.code, each.live) for each in useful] == [("1m", 2), ("4m", 1)]


KNITTED = Shapes(
    frozenset({"standard", "seven_pairs", "thirteen_orphans", "knitted"}), seven_pairs_quad=True
)
"""The shapes of the competition rules."""


@pytest.mark.parametrize(
    ("text", "distance", "useful"),
    [
        ("147m258p369s1234z", 0, "567z"),  # fourteen of the sixteen different tiles
        ("147m258p369s11z22z", 0, "1z2z"),  # a knitted straight, a pung and a pair
        ("147m258p369s11z2z9p", 1, "789p1z2z"),
        ("147p258s369m9m [111z]", 0, "9m"),
        ("147m258p36s1234z9p", 1, "9s567z"),
        ("1111m2222p3333s4s", 0, "4s"),  # four alike are two of the seven pairs
        ("19m19p19s1234567z", 0, "19m19p19s1234567z"),
    ],
)
def test_hands_of_the_competition_rules(text: str, distance: int, useful: str) -> None:
    found, tiles = useful_tiles(parse_hand(text), KNITTED)
    assert found.best == distance
    assert tuple(each.tile for each in tiles) == parse_tiles(useful)


@pytest.mark.parametrize(
    ("text", "finished"),
    [
        ("147m258p369s12345z", True),
        ("147m258p369s11122z", True),
        ("147m258p369s11z [567m]", True),
        ("147m258p369m12345z", False),
        ("147m258p369s1234z 1m", False),
        ("147m258p369s11z22z9p", False),
        ("47m258p369s1z [123m] 1z2z3z", False),
    ],
)
def test_knitted_hands_are_finished(text: str, finished: bool) -> None:
    assert is_finished(parse_hand(text), KNITTED) is finished
    assert (shanten(parse_hand(text), KNITTED).best == -1) is finished


def test_sets_that_the_rules_do_not_know_rule_every_hand_out() -> None:
    dragons = parse_hand("[567z] 123m 456m 789m 1z")
    assert shanten(dragons, Shapes()).best == OUT_OF_REACH
    assert useful_tiles(dragons, Shapes())[1] == ()
    assert shanten(dragons, Shapes(dragon_chow=True)).best == 0
