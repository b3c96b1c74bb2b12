"""Who pays whom under every payment rule: worked cases, and that nothing is ever lost or made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.hand import parse_hand
from companion.rules import Circumstances, Profile, load_profile, score
from companion.rules.loader import change_profile
from companion.rules.settlement import (
    Fed,
    Purse,
    SettlementError,
    Transfer,
    Win,
    buy_in,
    cannot_win,
    chip_payments,
    liable_for,
    pay,
    settle_all_hands,
    settle_false_win,
    settle_nagashi,
    settle_noten,
    settle_points,
    settle_wins,
    win_of,
)
from companion.text import T
from companion.tiles import Tile

YAKUMAN = 8000
HALF_SPICY = [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384]


def row_named(shared_dir: Path, name: str) -> dict[str, Any]:
    lines = (shared_dir / "rules" / "cases.jsonl").read_text("utf-8").splitlines()
    return next(row for row in map(json.loads, lines) if row["id"] == name)


def riichi(**changes: Any) -> Profile:
    return change_profile(load_profile("riichi"), {f"riichi.{k}": v for k, v in changes.items()})


def half_spicy() -> Profile:
    """The half-spicy table where the discarder pays for all, as a house profile."""
    return change_profile(
        load_profile("hk-old-style"),
        {
            "rules.minimum": 0,
            "rules.limit": 13,
            "payment.table": HALF_SPICY,
            "payment.discarder_share": 2,
            "penalties.false_win": "limit_self_draw",
        },
    )


def classical() -> Profile:
    return change_profile(
        load_profile("spanish-tournament"),
        {"payment.winner_takes": "full", "payment.east_multiplier": 2},
    )


# -- units by faan


def test_document_000_all_pay_and_the_discarder_double() -> None:
    profile = load_profile("hk-wiki")
    assert settle_wins(profile, [Win(2, 5, discarder=3)], 0).net == (-16, -16, 64, -32)
    assert settle_wins(profile, [Win(2, 5)], 0).net == (-32, -32, 96, -32)
    assert settle_wins(profile, [Win(0, 5, discarder=3)], 0).net == (64, -16, -16, -32)


def test_document_002_the_discarder_pays_alone() -> None:
    profile = load_profile("hk-old-style")
    claimed = settle_wins(profile, [Win(1, 5, discarder=3)], 0)
    assert claimed.net == (0, 24, 0, -24)
    assert claimed.to_json()["chips"] == [0, 3, 0, -3]
    assert settle_wins(profile, [Win(1, 5)], 0).net == (-24, 72, -24, -24)


def test_the_winner_is_paid_what_he_declared() -> None:
    profile = load_profile("hk-old-style")
    settled = settle_wins(profile, [Win(1, 5, discarder=3, declared=4)], 0)
    assert settled.net == (0, 16, 0, -16)
    assert settled.paid[0].to_json() == {"winner": 1, "computed": 5, "declared": 4, "settled": 4}
    more = settle_wins(profile, [Win(1, 5, discarder=3, declared=7)], 0)
    assert more.net == (0, 24, 0, -24)
    counted = settle_wins(load_profile("hk-wiki"), [Win(1, 5, discarder=3, declared=4)], 0)
    assert counted.paid[0].settled == 5
    with pytest.raises(SettlementError, match="2 were declared and 3 are needed"):
        settle_wins(profile, [Win(1, 5, discarder=3, declared=2)], 0)


def test_who_fed_a_limit_hand_pays_for_all_where_the_table_says_so() -> None:
    house = change_profile(load_profile("hk-old-style"), {"payment.liability": True})
    assert settle_wins(house, [Win(1, 10, liable=2)], 0).net == (0, 384, -384, 0)
    assert settle_wins(load_profile("hk-old-style"), [Win(1, 10, liable=2)], 0).net[2] == -128


def test_east_doubles_where_the_table_says_so() -> None:
    house = change_profile(load_profile("hk-wiki"), {"payment.east_multiplier": 2})
    assert settle_wins(house, [Win(0, 5, discarder=3)], 0).net == (128, -32, -32, -64)
    assert settle_wins(house, [Win(1, 5, discarder=0)], 0).net == (-64, 96, -16, -16)


def test_the_half_spicy_rows(shared_dir: Path) -> None:
    row = row_named(shared_dir, "hk-yawnoc-selfdraw-4")
    won = Win(row["context"]["winner"], row["context"]["faan"])
    assert list(settle_wins(half_spicy(), [won], 0).net) == row["expected"]["net"]
    row = row_named(shared_dir, "hk-yawnoc-false-win")
    capped = change_profile(half_spicy(), {"rules.limit": row["context"]["max_faan"]})
    settled = settle_false_win(capped, row["context"]["fault"], 0)
    assert list(settled.net) == row["expected"]["net"]
    assert settle_wins(half_spicy(), [Win(0, 8, discarder=3)], 0).net == (128, 0, 0, -128)


# -- errors


def test_a_false_win_costs_two_faan_to_each() -> None:
    assert settle_false_win(load_profile("hk-wiki"), 1, 0).net == (4, -12, 4, 4)


def test_where_the_document_is_silent_the_table_decides() -> None:
    settled = settle_false_win(load_profile("hk-old-style"), 1, 0)
    assert settled.net == (0, 0, 0, 0)
    assert "table" in str(settled.note)


def test_a_hand_with_too_many_or_too_few_tiles() -> None:
    profile = load_profile("hk-wiki")
    assert cannot_win(profile, 13) is None
    assert cannot_win(profile, 14, to_discard=True) is None
    assert cannot_win(profile, 14, kongs=1) is None
    assert "1 too many tiles (big eunuch)" in str(cannot_win(profile, 14))
    assert "1 too few tiles (small eunuch)" in str(cannot_win(profile, 13, to_discard=True))
    assert cannot_win(load_profile("hk-old-style"), 15) is None


# -- all hands


def test_differences_of_document_003(shared_dir: Path) -> None:
    profile = load_profile("spanish-tournament")
    row = row_named(shared_dir, "c003-settle-zero-losers")
    settled = settle_points(profile, row["context"]["points"], row["context"]["winner"], 0)
    assert list(settled.net) == row["expected"]["net"]
    assert settle_points(profile, [60, 40, 80, 10], 0, 0).net == (90, -30, 90, -150)


@pytest.mark.parametrize("name", ["classic-settle-east-loser", "classic-settle-east-winner"])
def test_classical_settlement(name: str, shared_dir: Path) -> None:
    row = row_named(shared_dir, name)
    context = row["context"]
    settled = settle_points(classical(), context["points"], context["winner"], context["east"])
    assert list(settled.net) == row["expected"]["net"]


def test_four_hands_are_counted_and_settled() -> None:
    profile = load_profile("spanish-tournament")
    hands = [
        parse_hand("234s55z [111m] [7777z] 222z", win="2z"),
        parse_hand("123456789m1133p"),
        parse_hand("12345m [999p] [888p] 66z"),
        parse_hand("666z12345m (9999s) 88p"),
    ]
    counted = settle_all_hands(profile, hands, 0, Circumstances("self-draw", "E"), 0)
    assert counted.points == (66, 0, 8, 48)
    assert counted.settlement is not None
    assert counted.settlement.note is None
    assert counted.settlement.net == settle_points(profile, counted.points, 0, 0).net
    beginners = settle_all_hands(
        load_profile("beginner-points"), hands, 0, Circumstances("self-draw", "E"), 0
    )
    assert beginners.points[0] == 66
    assert beginners.settlement is None


def test_tiles_of_losers_that_nobody_saw_are_told() -> None:
    profile = load_profile("spanish-tournament")
    hands = [
        parse_hand("234s55z [111m] [7777z] 222z", win="2z"),
        parse_hand("123456789m1133p"),
        parse_hand("???????????? ?"),
        parse_hand("666z [999p] (????) ???"),
    ]
    counted = settle_all_hands(profile, hands, 0, Circumstances("self-draw", "E"), 0)
    assert counted.points[2] == 0
    assert [bool(sheet.remarks) for sheet in counted.sheets] == [False, False, True, True]
    assert counted.settlement is not None and counted.settlement.note is not None
    told = {lang: counted.to_json(lang) for lang in ("en", "es")}
    assert "unseen tiles of the losers (20) count nothing" in told["en"]["settlement"]["note"]
    assert "(20) no cuentan" in told["es"]["settlement"]["note"]
    assert "no cuentan" in told["es"]["sheets"][2]["remarks"][0]


def test_an_unfinished_winner_is_refused() -> None:
    hands = [parse_hand("123m456p789s1122z3z", win="3z"), *[parse_hand("123456789m1133p")] * 3]
    with pytest.raises(SettlementError, match="not finished"):
        settle_all_hands(load_profile("spanish-tournament"), hands, 0, Circumstances(), 0)
    with pytest.raises(SettlementError, match="3 hands were given"):
        settle_all_hands(load_profile("spanish-tournament"), hands[:3], 0, Circumstances(), 0)
    with pytest.raises(SettlementError, match="only the winner's hand counts"):
        settle_all_hands(load_profile("riichi"), hands, 0, Circumstances(), 0)


# -- riichi


def test_ron_and_tsumo_with_honba_and_sticks() -> None:
    profile = load_profile("riichi")
    ron = settle_wins(profile, [Win(1, 2000, discarder=2)], 0, honba=2, sticks=1)
    assert (ron.net, ron.from_table) == ((0, 9600, -8600, 0), 1000)
    tsumo = settle_wins(profile, [Win(1, 2000)], 0, honba=1)
    assert tsumo.net == (-4100, 8300, -2100, -2100)
    dealer = settle_wins(profile, [Win(0, 2000)], 0, honba=1)
    assert dealer.net == (12300, -4100, -4100, -4100)


def test_several_rons() -> None:
    wins = [Win(0, 1000, discarder=2), Win(3, 2000, discarder=2)]
    settled = settle_wins(load_profile("riichi"), wins, 0, honba=1, sticks=2)
    assert settled.net == (6000, 0, -6000 - 8300, 8300 + 2000)
    nearest = settle_wins(riichi(several_rons="nearest"), wins, 0, honba=1, sticks=2)
    assert nearest.net == (0, 0, -8300, 10300)
    each = settle_wins(riichi(honba_to="each"), wins, 0, honba=1)
    assert each.net == (6300, 0, -6300 - 8300, 8300)
    three = [*wins, Win(1, 1000, discarder=2)]
    assert settle_wins(riichi(several_rons="draw_on_three"), three, 0).net == (0, 0, 0, 0)
    assert settle_wins(riichi(several_rons="draw_on_three"), wins, 0).net != (0, 0, 0, 0)
    assert settle_wins(riichi(several_rons="draw"), wins, 0, sticks=1).from_table == 0


def test_pao_on_a_ron_is_split_and_the_liable_player_pays_the_honba(shared_dir: Path) -> None:
    row = row_named(shared_dir, "riichi-pao-ron-honba")
    told = row["context"]
    won = Win(told["winner"], YAKUMAN, told["discarder"], liable=told["liable"])
    settled = settle_wins(load_profile("riichi"), [won], told["dealer"], honba=told["honba"])
    assert [gain // 100 for gain in settled.net] == row["expected"]["deltas_hundreds"]
    row = row_named(shared_dir, "riichi-pao-ron-sum-zero")
    won = Win(1, YAKUMAN, 0, liable=3)
    settled = settle_wins(load_profile("riichi"), [won], 2, honba=row["context"]["honba"])
    expected = row["expected"]
    assert settled.net == (expected["discarder"], expected["winner"], 0, expected["liable"])


def test_pao_on_a_tsumo_is_all_the_liable_players(shared_dir: Path) -> None:
    row = row_named(shared_dir, "riichi-pao-added-kan")
    laid = [
        Fed("pung", Tile(tile), feeder) for tile, feeder in row["context"]["melds_from"].items()
    ]
    laid[-1] = Fed("kong", laid[-1].tile, laid[-1].feeder, added=True)
    liable = liable_for(load_profile("riichi"), row["context"]["yakuman"], laid)
    assert liable == row["expected"]["payer_all"]
    settled = settle_wins(load_profile("riichi"), [Win(0, YAKUMAN, liable=liable)], 1, honba=1)
    assert settled.net == (32300, 0, -32300, 0)


def test_pao_of_a_hand_with_two_yakuman() -> None:
    """Row riichi-pao-composite: the whole hand, or only the yakuman that was fed."""
    both = Win(1, 2 * YAKUMAN, liable=3, liable_worth=YAKUMAN)
    assert settle_wins(riichi(), [both], 0).net == (0, 64000, 0, -64000)
    only = riichi(pao_scope="yakuman")
    assert settle_wins(only, [both], 0).net == (-16000, 64000, -8000, -32000 - 8000)
    ron = Win(1, 2 * YAKUMAN, discarder=2, liable=3, liable_worth=YAKUMAN)
    assert settle_wins(riichi(), [ron], 0).net == (0, 64000, -32000, -32000)
    assert settle_wins(only, [ron], 0).net == (0, 64000, -48000, -16000)
    fed_and_dealt = Win(1, YAKUMAN, discarder=3, liable=3)
    assert settle_wins(riichi(), [fed_and_dealt], 0).net == (0, 32000, 0, -32000)


def test_who_is_liable() -> None:
    profile = load_profile("riichi")
    dragons = [Fed("pung", Tile(f"{n}z"), n - 5) for n in (5, 6)]
    assert liable_for(profile, "daisangen", dragons) is None
    hidden = [*dragons, Fed("ckong", Tile("7z"), None)]
    assert liable_for(profile, "daisangen", hidden) is None
    winds = [Fed("pung", Tile(f"{n}z"), 3) for n in (1, 2, 3)]
    assert liable_for(profile, "daisuushii", [*winds, Fed("kong", Tile("4z"), 2)]) == 2
    kongs = [Fed("kong", Tile(f"{n}m"), 1) for n in (1, 2, 3)]
    four = [*kongs, Fed("kong", Tile("4m"), 2)]
    assert liable_for(profile, "suukantsu", four) is None
    wide = riichi(pao=["daisangen", "daisuushii", "suukantsu"])
    assert liable_for(wide, "suukantsu", four) == 2
    assert liable_for(wide, "suukantsu", [*kongs, Fed("kong", Tile("4m"), 2, added=True)]) is None


@pytest.mark.parametrize(
    ("tenpai", "net"),
    [
        ([], (0, 0, 0, 0)),
        ([2], (-1000, -1000, 3000, -1000)),
        ([0, 2], (1500, -1500, 1500, -1500)),
        ([0, 1, 2], (1000, 1000, 1000, -3000)),
        ([0, 1, 2, 3], (0, 0, 0, 0)),
    ],
)
def test_noten(tenpai: list[int], net: tuple[int, ...]) -> None:
    assert settle_noten(load_profile("riichi"), tenpai).net == net


def test_chombo() -> None:
    assert settle_false_win(load_profile("riichi"), 1, 0).net == (4000, -8000, 2000, 2000)
    assert settle_false_win(load_profile("riichi"), 0, 0).net == (-12000, 4000, 4000, 4000)
    fixed = riichi(false_win="points", false_win_points=3000)
    assert settle_false_win(fixed, 0, 0).net == (-9000, 3000, 3000, 3000)
    assert settle_false_win(riichi(false_win="nothing"), 0, 0).net == (0, 0, 0, 0)


def test_nagashi_mangan() -> None:
    assert settle_nagashi(load_profile("riichi"), [1], 0).net == (-4000, 8000, -2000, -2000)
    assert settle_nagashi(load_profile("riichi"), [0], 0).net == (12000, -4000, -4000, -4000)
    assert settle_nagashi(riichi(nagashi_mangan=False), [0], 0).net == (0, 0, 0, 0)


def test_a_liable_player_answers_for_what_he_fed() -> None:
    hand = parse_hand("11z222z [555z] [666z] [777z]", win="1z")
    for profile, net in [
        (riichi(), (0, 64000, 0, -64000)),
        (riichi(pao_scope="yakuman"), (-16000, 64000, -8000, -40000)),
    ]:
        sheet = score(hand, Circumstances("self-draw", "S"), profile)
        assert {line.pattern for line in sheet.lines} == {"daisangen", "tsuuiisou"}
        assert settle_wins(profile, [win_of(sheet, 1, liable=3)], 0).net == net


def test_a_win_from_its_sheet() -> None:
    profile = load_profile("riichi")
    hand = parse_hand("234567m234p56799s", win="7s")
    sheet = score(hand, Circumstances("self-draw", "S"), profile)
    settled = settle_wins(profile, [win_of(sheet, 1)], 0)
    assert sheet.payments is not None and sheet.payments.net is not None
    assert settled.net == tuple(sheet.payments.net.values())
    old_style = load_profile("hk-old-style")
    little = score(parse_hand("123p123s234m11z [567m] 3f", win="4m"), Circumstances(), old_style)
    with pytest.raises(SettlementError, match="can't be called"):
        win_of(little, 1)


# -- what can't be settled


def spanish() -> Profile:
    return load_profile("spanish-tournament")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda p: settle_wins(p, [], 0), "nobody won"),
        (lambda p: settle_wins(p, [Win(0, 3), Win(1, 3)], 0), "one and the same discard"),
        (lambda p: settle_wins(p, [Win(4, 3)], 0), "no seat 4"),
        (lambda p: settle_wins(p, [Win(0, 3, discarder=0)], 0), "does not pay himself"),
        (lambda p: settle_wins(p, [Win(0, -3)], 0), "less than nothing"),
        (lambda p: settle_wins(load_profile("spanish-tournament"), [Win(0, 3)], 0), "all four"),
        (lambda p: settle_wins(load_profile("beginner-points"), [Win(0, 3)], 0), "do not say who"),
        (lambda p: settle_points(p, [1, 2, 3, 4], 0, 0), "differences between the hands are not"),
        (lambda _: settle_points(spanish(), [1, 2, 3], 0, 0), "all four hands"),
        (lambda _: settle_points(spanish(), [1, 2, 3, -4], 0, 0), "none below zero"),
    ],
)
def test_what_cannot_be_settled_is_named(make: Any, words: str) -> None:
    with pytest.raises(SettlementError, match=words):
        make(load_profile("hk-old-style"))


# -- chips


def purse(*counts: int) -> Purse:
    return Purse((1, 5, 10), counts)


def test_a_buy_in_is_fifty_chips() -> None:
    start = buy_in(load_profile("hk-old-style"))
    assert (start.counts, start.total) == ((15, 5, 1), 50)
    with pytest.raises(SettlementError, match="do not play for chips"):
        buy_in(load_profile("riichi"))


def test_change_is_given_when_small_chips_are_missing() -> None:
    refill = buy_in(load_profile("hk-old-style"))
    made = pay(purse(0, 2, 0), purse(3, 0, 0), 3, refill)
    assert (made.given, made.change, made.rebuys) == ((0, 1, 0), (2, 0, 0), 0)
    assert (made.payer.counts, made.payee.counts) == ((2, 1, 0), (1, 1, 0))


def test_the_fewest_chips_change_hands() -> None:
    refill = buy_in(load_profile("hk-old-style"))
    made = pay(purse(15, 5, 1), purse(15, 5, 1), 9, refill)
    assert (made.given, made.change) == ((0, 0, 1), (1, 0, 0))


def test_who_has_too_little_buys_in_again() -> None:
    refill = buy_in(load_profile("hk-old-style"))
    made = pay(purse(2, 0, 0), purse(15, 5, 1), 12, refill)
    assert made.rebuys == 1
    assert made.payer.total == 2 + 50 - 12


@given(
    st.lists(st.integers(0, 20), min_size=6, max_size=6),
    st.integers(1, 150),
)
def test_chips_are_never_made_or_lost(counts: list[int], amount: int) -> None:
    payer, payee = purse(*counts[:3]), purse(*counts[3:])
    made = pay(payer, payee, amount, purse(15, 5, 1))
    assert made.payer.total == payer.total + 50 * made.rebuys - amount
    assert made.payee.total == payee.total + amount
    for before, bought, after, got, had in zip(
        payer.counts, (15, 5, 1), made.payer.counts, made.payee.counts, payee.counts, strict=True
    ):
        assert before + bought * made.rebuys + had == after + got


def test_a_self_draw_at_the_limit_in_chips() -> None:
    profile = load_profile("hk-old-style")
    settled = settle_wins(profile, [Win(1, 10)], 0)
    made, purses = chip_payments(profile, settled.transfers, [buy_in(profile)] * 4)
    assert len(made) == 3
    assert [each.total for each in purses] == [34, 98, 34, 34]
    odd = [Transfer(0, 1, 12, T("penalty"))]
    with pytest.raises(SettlementError, match="no whole number of chips"):
        chip_payments(profile, odd, [buy_in(profile)] * 4)


# -- nothing is made or lost

PROFILES = ["hk-wiki", "hk-old-style", "riichi"]
SEAT = st.integers(0, 3)


@given(
    st.sampled_from(PROFILES),
    st.lists(SEAT, min_size=2, max_size=4, unique=True),
    st.lists(st.integers(0, 13), min_size=3, max_size=3),
    st.booleans(),
    SEAT,
    st.one_of(st.none(), SEAT),
    st.integers(0, 5),
    st.sampled_from(["all", "nearest", "draw_on_three", "draw"]),
    st.sampled_from(["total", "yakuman"]),
)
def test_wins_add_up_to_zero(
    name: str,
    seats: list[int],
    worth: list[int],
    drawn: bool,
    dealer: int,
    liable: int | None,
    counters: int,
    several: str,
    scope: str,
) -> None:
    profile = load_profile(name)
    if name == "riichi":
        profile = riichi(several_rons=several, pao_scope=scope)
        worth = [400 * (each + 1) for each in worth]
    else:
        profile = change_profile(profile, {"payment.east_multiplier": 2, "payment.liability": True})
    discarder, *winners = seats
    liable = None if liable in winners else liable
    if drawn:
        wins = [Win(winners[0], worth[0], liable=liable, liable_worth=400)]
    else:
        wins = [
            Win(winner, value, discarder, liable=liable, liable_worth=400)
            for winner, value in zip(winners, worth, strict=False)
        ]
    settled = settle_wins(profile, wins, dealer, honba=counters, sticks=counters)
    assert sum(settled.net) == settled.from_table
    assert settled.from_table == (1000 * counters if name == "riichi" and settled.transfers else 0)
    assert all(settled.net[win.winner] >= 0 for win in wins)


@given(
    st.lists(st.integers(0, 500), min_size=4, max_size=4),
    SEAT,
    SEAT,
    st.integers(1, 4),
    st.booleans(),
)
def test_differences_add_up_to_zero_and_the_winner_never_pays(
    points: list[int], winner: int, dealer: int, east: int, full: bool
) -> None:
    house = change_profile(
        load_profile("spanish-tournament"),
        {
            "payment.east_multiplier": east,
            "payment.winner_takes": "full" if full else "difference",
        },
    )
    settled = settle_points(house, points, winner, dealer)
    assert sum(settled.net) == 0
    assert settled.net[winner] >= 0
    assert all(each.payer != winner for each in settled.transfers)


@given(st.sampled_from([*PROFILES, "spanish-tournament"]), SEAT, SEAT, st.sets(SEAT))
def test_penalties_and_draws_add_up_to_zero(
    name: str, offender: int, dealer: int, tenpai: set[int]
) -> None:
    assert sum(settle_false_win(load_profile(name), offender, dealer).net) == 0
    assert sum(settle_noten(load_profile("riichi"), tenpai).net) == 0
    assert sum(settle_nagashi(load_profile("riichi"), tenpai, dealer).net) == 0
