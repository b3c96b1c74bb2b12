"""Tiles, notation and the flags of a hand."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.hand import Hand, format_hand, hand_from_json, parse_hand
from companion.meld import Meld, MeldKind, meld_kind, parse_meld
from companion.notation import NotationError, format_tiles, parse_tiles
from companion.text import GorrionError
from companion.tiles import ALL, BACK, BONUS, KINDS, REDS, Tile, TileError, wind_tile

any_tile = st.sampled_from(ALL)
hand_tile = st.sampled_from([tile for tile in ALL if not tile.is_bonus])


@st.composite
def melds(draw: st.DrawFn) -> Meld:
    """Sets as they can be laid, with a red five now and then."""
    kind: MeldKind = draw(st.sampled_from(["chow", "pung", "kong", "ckong"]))
    if kind == "chow":
        low = draw(st.integers(1, 7))
        suit = draw(st.sampled_from("mps"))
        codes = [f"{rank}{suit}" for rank in range(low, low + 3)]
    else:
        codes = [draw(st.sampled_from(KINDS)).code] * (3 if kind == "pung" else 4)
    if codes[-1][0] == "5" and codes[-1][1] != "z" and draw(st.booleans()):
        codes[-1] = f"0{codes[-1][1]}"
    return Meld(kind, tuple(map(Tile, codes)))


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    concealed = draw(st.lists(hand_tile, min_size=1, max_size=14))
    return Hand(
        tuple(concealed),
        tuple(draw(st.lists(melds(), max_size=4))),
        tuple(draw(st.lists(st.sampled_from(BONUS), max_size=8, unique=True))),
        draw(st.sampled_from(concealed)),
    )


@given(hands())
def test_parse_and_format_are_inverses(hand: Hand) -> None:
    assert hand.winning is not None
    assert parse_hand(format_hand(hand), win=hand.winning.code) == hand
    assert format_hand(parse_hand(format_hand(hand))) == format_hand(hand)


@given(hands())
def test_json_gives_the_hand_back(hand: Hand) -> None:
    assert hand_from_json(hand.to_json()) == hand


@given(st.lists(any_tile, max_size=20))
def test_loose_tiles_keep_their_order(tiles: list[Tile]) -> None:
    assert parse_tiles(format_tiles(tiles)) == tuple(tiles)


@given(st.text(max_size=40))
def test_any_text_gives_a_hand_or_one_sentence(text: str) -> None:
    try:
        hand = parse_hand(text)
    except GorrionError as error:
        assert str(error.text)
        assert "\n" not in str(error.text) or "\n" in text
    else:
        assert parse_hand(format_hand(hand)) == hand
        assert all(str(flag.text) for flag in hand.flags())


@given(any_tile)
def test_a_tile_is_one_object(tile: Tile) -> None:
    assert Tile(tile.code) is Tile.parse(f" {tile.code.upper()} ") is tile
    assert pickle.loads(pickle.dumps(tile)) is tile
    assert copy.deepcopy(tile) is tile
    with pytest.raises(AttributeError):
        tile.rank = 3


def test_kinds_are_indexed_in_order() -> None:
    assert [tile.index for tile in KINDS] == list(range(34))
    assert list(ALL) == sorted(ALL)
    assert [red.kind.code for red in REDS] == ["5m", "5p", "5s"]
    assert [red.index for red in REDS] == [4, 13, 22]
    assert wind_tile("S") is Tile("2z")


@pytest.mark.parametrize(
    ("code", "es", "en", "zh"),
    [
        ("5m", "5 de caracteres", "5 of characters", "五萬"),
        ("0p", "5 rojo de círculos", "red 5 of circles", "赤五筒"),
        ("3z", "viento Oeste", "West wind", "西"),
        ("6z", "dragón verde", "green dragon", "發"),
        ("2f", "flor 2 (orquídea)", "flower 2 (orchid)", "蘭"),
        ("4g", "estación 4 (invierno)", "season 4 (winter)", "冬"),
        ("back", "ficha boca abajo", "face-down tile", "牌背"),
    ],
)
def test_names(code: str, es: str, en: str, zh: str) -> None:
    tile = Tile(code)
    assert (tile.name("es"), tile.name("en"), tile.name("zh")) == (es, en, zh)


@pytest.mark.parametrize("lang", ["es", "en", "zh"])
def test_every_name_is_different(lang: str) -> None:
    assert len({tile.name(lang) for tile in ALL}) == len(ALL)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("123h", 'unknown suit "h" in "123h"'),
        ("123m 9z", 'there is no tile "9z": suit z goes from 1 to 7'),
        ("12", 'no suit after "12"'),
        ("567?", 'no suit after "567"'),
        ("[123m 44p", 'the bracket "[" has no partner'),
        ("123m)", 'the bracket ")" has no partner'),
        ("一萬二萬", 'can\'t read "一萬二萬"'),
        ("m123", 'can\'t read "m123"'),
        ("1m" * 300, "the hand has 600 characters"),
    ],
)
def test_what_cannot_be_read_is_quoted(text: str, sentence: str) -> None:
    with pytest.raises(NotationError, match=r".") as caught:
        parse_hand(text)
    assert str(caught.value.text).startswith(sentence)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("4h", 'unknown suit "h" in "4h"'),
        ("0z", 'there is no tile "0z"'),
        ("x", '"x" is not a tile'),
    ],
)
def test_a_code_without_a_tile(code: str, sentence: str) -> None:
    with pytest.raises(TileError) as caught:
        Tile(code)
    assert str(caught.value.text).startswith(sentence)


@pytest.mark.parametrize(
    ("text", "win", "code", "sentence"),
    [
        ("22222m345p678s111z", "1z", "five_copies", "five copies of 2m"),
        ("22m345p678s111z[222m]", "1z", "five_copies", "five copies of 2m"),
        ("05555m345p678s11z", "1z", "five_copies", "five copies of 5m"),
        ("123p123s23477m567m1z", "4m", "too_many_tiles", "15 tiles without a kong"),
        ("1111m234p567s123p99s", "9s", "too_many_tiles", "15 tiles without a kong"),
        ("123p123s2377m567m", "7m", "too_few_tiles", "13 tiles: a complete hand has 14"),
        ("123m[1111p]55z", "5z", "too_few_tiles", "9 tiles: a hand with a kong has 15"),
        (
            "55z[1111p][222p][222s](3333s)1m",
            "5z",
            "too_many_tiles",
            "17 tiles: a hand with 2 kongs",
        ),
        ("55z[124m]", "5z", "not_a_meld", "[124m] is neither a chow"),
        ("55z(888s)", "5z", "not_a_meld", "a kong has four tiles, (888s) has 3"),
        ("55z[88s]", "5z", "not_a_meld", "a pung has three tiles, [88s] has 2"),
        ("55z[123z]", "5z", "not_a_meld", "[123z] is neither a chow"),
        ("55z[8889s]", "5z", "not_a_meld", "[8889s] is not a kong"),
        ("55z[88s?]", "5z", "not_a_meld", "[88s ?] holds ?"),
        ("123m?back", "1m", "unknown_tiles", "2 of the tiles are face down or not known"),
        ("123m 2f2f", "1m", "double_bonus", "two copies of 2f"),
        ("123m", "4m", "winning_tile_missing", "the winning tile 4m is not among"),
    ],
)
def test_flags(text: str, win: str, code: str, sentence: str) -> None:
    flags = {flag.code: str(flag.text) for flag in parse_hand(text, win=win).flags()}
    assert flags[code].startswith(sentence)


def test_a_good_hand_has_no_flags() -> None:
    assert parse_hand("123p123s23477m [567m] 2f2g", win="4m").flags() == ()
    assert parse_hand("55z (1111p) [2222s] [3333z] [9999m]").flags() == ()
    assert parse_hand("123p123s2377m [567m]").flags(size=13) == ()


def test_lenient_reading() -> None:
    hand = parse_hand(" 1 2 3M,(back 88s back) [567Z] [1f2f] 0p ", win="5p")
    assert format_hand(hand) == "123m0p (8888s) [567z] 12f"
    assert [meld.kind for meld in hand.melds] == ["ckong", "chow"]
    assert hand.winning is Tile("0p")
    assert parse_tiles("back?") == (BACK, Tile("?"))


def test_meld_words() -> None:
    assert [meld_kind(w) for w in ("pon", "Ankan", "chi", "KONG")] == [
        "pung",
        "ckong",
        "chow",
        "kong",
    ]
    assert parse_meld("777z", meld_kind("pon")).flag() is None
    with pytest.raises(NotationError, match="set of five"):
        meld_kind("set of five")
    with pytest.raises(NotationError):
        hand_from_json({"melds": 3})


def test_full_width_writing_is_read_as_ascii() -> None:
    wide = "１２３ｐ１２３Ｓ２３４７７ｍ　［５６７ｍ］【５５５ｚ】（８８８８ｓ）２ｆ？"
    assert parse_hand(wide, "４ｍ") == parse_hand("123p123S23477m [567m][555z](8888s)2f?", win="4m")
    assert Tile.parse(" ５Ｚ ") is Tile("5z")
