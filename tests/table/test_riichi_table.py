"""What only the Japanese game asks of a table: furiten, riichi, kongs after a claim, broken-off hands."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli import main
from companion.notation import parse_tiles
from companion.rules import Profile, load_profile, score
from companion.rules.flow import FlowError, flow_of
from companion.rules.loader import change_profile
from companion.simulator.play import Luck, play_match, start_state
from companion.simulator.player import Temper
from companion.table import events as ev
from companion.table.account import tell
from companion.table.fold import fold
from companion.table.log import entries_of
from companion.table.mjai import from_mjai, to_mjai
from companion.table.settling import draw_settlement
from companion.table.state import State
from companion.table.tenhou.reading import from_tenhou
from companion.table.tenhou.writing import to_tenhou
from companion.table.wire import write_entry
from companion.tiles import UNKNOWN, Tile

UNSEEN = (UNKNOWN,) * 13


def begin(hands: dict[int, str], rules: str = "riichi") -> ev.StartHand:
    """A hand of which some seats are known; East is seat 0."""
    held = [parse_tiles(hands[seat]) if seat in hands else UNSEEN for seat in range(4)]
    if 0 not in hands:
        held[0] = (*UNSEEN, UNKNOWN)
    return ev.StartHand(rules, "", "E", 0, (25000,) * 4, tuple(held))


def played(hands: dict[int, str], *moves: ev.Event, rules: str = "riichi") -> State:
    start = start_state(load_profile(rules))
    return fold(start, entries_of([begin(hands, rules), *moves]))


def played_by(rules: Profile, hands: dict[int, str], *moves: ev.Event) -> State:
    return fold(start_state(rules), entries_of([begin(hands), *moves]))


def house(**riichi: object) -> Profile:
    """House rules that change a few settings of the table `riichi`."""
    return change_profile(load_profile("riichi"), {f"riichi.{k}": v for k, v in riichi.items()})


def codes(state: State) -> set[str]:
    return {flag.code for flag in state.flags}


def tile(code: str) -> Tile:
    return Tile.parse(code)


WAITS_369 = "45678p123s789s11z"
"""Waits for 3p, 6p and 9p."""


@pytest.mark.parametrize(
    ("own", "furiten"), [("9p", True), ("3p", True), ("6p", True), ("2z", False)]
)
def test_any_wait_in_the_own_river_is_furiten(own: str, furiten: bool) -> None:
    state = played(
        {1: WAITS_369},
        ev.Discard(0, tile("5z")),
        ev.Draw(1, tile(own)),
        ev.Discard(1, tile(own), True),
        ev.Draw(2, UNKNOWN),
        ev.Discard(2, tile("3p")),
        ev.Win(1, 2, tile("3p"), "discard"),
    )
    assert ("furiten" in codes(state)) is furiten


def test_an_unseen_hand_that_is_shown_can_be_furiten_too() -> None:
    shown = parse_tiles(f"{WAITS_369}3p")
    state = played(
        {},
        ev.Discard(0, tile("5z")),
        ev.Draw(1, UNKNOWN),
        ev.Discard(1, tile("9p")),
        ev.Draw(2, UNKNOWN),
        ev.Discard(2, tile("3p")),
        ev.Win(1, 2, tile("3p"), "discard", hand=shown),
    )
    assert codes(state) == {"furiten"}


def test_riichi_needs_a_hand_that_can_wait() -> None:
    waiting, far = f"{WAITS_369}5z", "147m258p369s12345z"
    assert codes(played({0: waiting}, ev.Riichi(0))) == set()
    assert codes(played({0: far}, ev.Riichi(0))) == {"not_waiting"}
    assert codes(played({}, ev.Riichi(0))) == set()


@pytest.mark.parametrize(
    ("rules", "flagged"),
    [
        ("riichi", True),
        ("hk-old-style", True),
        ("spanish-tournament", True),
        ("beginner-points", True),
        ("hk-wiki", False),  # "en cualquier momento dentro de su turno"
    ],
)
def test_a_kong_in_a_turn_that_began_with_a_claim(rules: str, flagged: bool) -> None:
    moves = (
        ev.Discard(0, tile("5z")),
        ev.Pung(1, 0, tile("5z"), (tile("5z"),) * 2),
        ev.ConcealedKong(1, (tile("1m"),) * 4),
    )
    state = played({1: "1111m55z2345678p"}, *moves, rules=rules)
    assert codes(state) == ({"kong_after_claim"} if flagged else set())


def test_a_kong_after_a_draw_is_fine() -> None:
    moves = (ev.Discard(0, tile("5z")), ev.Draw(1, tile("1m")))
    state = played({1: "111m55z23456789p"}, *moves, ev.ConcealedKong(1, (tile("1m"),) * 4))
    assert codes(state) == set()


def test_renhou_on_any_discard_before_the_own_first_draw() -> None:
    state = played(
        {2: "234678m456p3478s"},
        ev.Discard(0, tile("5z")),
        ev.Draw(1, UNKNOWN),
        ev.Discard(1, tile("2s")),
        ev.Win(2, 1, tile("2s"), "discard"),
    )
    # 13 tiles were dealt, so the hand is 14 with the discard.
    assert state.wins[0].circumstances.first_turn
    assert state.wins[0].circumstances.discarder == "S"


def test_what_is_no_discard_of_the_dealer_is_no_earthly_hand() -> None:
    state = played(
        {2: "234678m456p3455s"},
        ev.Discard(0, tile("5z")),
        ev.Draw(1, UNKNOWN),
        ev.Discard(1, tile("5s")),
        ev.Win(2, 1, tile("5s"), "discard"),
        rules="hk-old-style",
    )
    won = state.wins[0]
    sheet = score(won.hand, won.circumstances, load_profile("hk-old-style"))
    assert "dealer_first_discard" not in {line.pattern for line in sheet.lines}


def four_winds() -> list[ev.Event]:
    moves: list[ev.Event] = [ev.Discard(0, tile("2z"))]
    for seat in (1, 2, 3):
        moves += [ev.Draw(seat, UNKNOWN), ev.Discard(seat, tile("2z"))]
    return moves


def test_four_equal_winds_break_the_hand_off() -> None:
    over = played({}, *four_winds(), ev.DrawnHand("four-winds"))
    assert codes(over) == set()
    assert codes(played({}, *four_winds(), ev.Draw(0, UNKNOWN))) == {"abort_due"}
    early = played({}, *four_winds()[:-2], ev.DrawnHand("four-winds"))
    assert codes(early) == {"no_abort_due"}


def test_nine_terminals_are_at_the_first_draw_alone() -> None:
    nine, eight = "19m19p19s1234z2345p", "19m19p19s12z234567p"
    assert codes(played({0: nine}, ev.DrawnHand("nine-terminals"))) == set()
    assert codes(played({0: eight}, ev.DrawnHand("nine-terminals"))) == {"no_abort_due"}
    late = played({}, ev.Discard(0, tile("5m")), ev.DrawnHand("nine-terminals"))
    assert codes(late) == {"no_abort_due"}


def test_the_dealer_stays_after_a_hand_that_was_broken_off() -> None:
    rules, luck = load_profile("riichi"), Luck(temper=Temper(abort=1.0))
    seen = 0
    for seed in range(150):
        state = start_state(rules)
        for event in play_match(rules, seed, 1, luck):
            before, state = state, fold(state, entries_of([event]))
            if isinstance(event, ev.Rotate) and before.history[-1].reason == "nine-terminals":
                assert (event.east, event.honba) == (before.standing.east, before.honba + 1)
                seen += 1
    assert seen


def test_all_four_waiting_keeps_the_dealer_in_a_log(shared_dir: Path) -> None:
    """Nothing is paid when all wait, so the payments do not tell who did."""
    lines = (shared_dir / "rules/oracles/riichi-game.mjai.jsonl").read_text().splitlines()
    events = [json.loads(line) for line in lines]
    begins = [at for at, each in enumerate(events) if each["type"] == "start_kyoku"]
    hand = events[begins[0]]
    run = [f"{rank}m" for rank in range(1, 10)]
    dealt = [[*run, *[f"{seat + 1}p"] * 3, "ESWN"[seat]] for seat in range(4)]
    hand |= {"oya": 0, "tehais": dealt, "dora_marker": "9s"}
    end = {"type": "ryukyoku", "deltas": [0, 0, 0, 0], "reason": "fanpai"}
    log = [{"type": "start_game"}, hand, {"type": "tsumo", "actor": 0, "pai": "P"}]
    log += [{"type": "dahai", "actor": 0, "pai": "P"}, end, {"type": "end_kyoku"}]
    found = from_mjai(map(json.dumps, log), start_state(load_profile("riichi")))
    drawn = next(event for event in found if isinstance(event, ev.DrawnHand))
    rotated = next(event for event in found if isinstance(event, ev.Rotate))
    assert drawn.tenpai == (0, 1, 2, 3)
    assert (rotated.east, rotated.honba) == (0, hand["honba"] + 1)


def test_a_win_with_a_hand_nobody_saw_does_not_end_the_account(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moves = [begin({}), ev.Win(0, 0, tile("5m"), "self-draw"), ev.Discard(1, tile("1m"))]
    log = tmp_path / "game.jsonl"
    log.write_text("".join(f"{write_entry(entry)}\n" for entry in entries_of(moves)))
    assert main(["replay", str(log), "--lang", "en"]) == 1
    said = capsys.readouterr().out
    assert "face down or not known" in said
    assert "discards 1 of characters" in said


def test_everything_that_does_not_fit_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moves = [begin({1: WAITS_369}), ev.Discard(1, tile("9m"))]
    log = tmp_path / "game.jsonl"
    log.write_text("".join(f"{write_entry(entry)}\n" for entry in entries_of(moves)))
    assert main(["replay", str(log), "--lang", "en"]) == 1
    said = capsys.readouterr().out
    assert "it is not South's turn but East's" in said
    assert "South does not hold 9 of characters" in said


def test_house_rules_may_let_a_kong_follow_a_claim() -> None:
    rules = change_profile(load_profile("riichi"), {"flow.kong.after_claim": True}, "house")
    moves = [
        begin({1: "1111m55z2345678p"}),
        ev.Discard(0, tile("5z")),
        ev.Pung(1, 0, tile("5z"), (tile("5z"),) * 2),
        ev.ConcealedKong(1, (tile("1m"),) * 4),
    ]
    assert codes(fold(start_state(rules), entries_of(moves))) == set()


def test_an_imported_match_is_over_where_its_log_ends() -> None:
    """East rounds alone, and matches that go on into West, are no other rules."""
    rules = load_profile("riichi")
    whole = list(play_match(rules, 3, 60))
    assert isinstance(whole[-2], ev.Rotate) and whole[-2].over
    log = to_tenhou(entries_of(whole))
    for hands in (log["log"][:1], [*log["log"], log["log"][-1]]):
        found = from_tenhou(json.dumps({**log, "log": hands}), start_state(rules))
        over = [event.over for event in found if isinstance(event, ev.Rotate)]
        assert over == [False] * (len(hands) - 1) + [True]
        told = from_mjai(map(json.dumps, to_mjai(entries_of(found))), start_state(rules))
        assert [event.over for event in told if isinstance(event, ev.Rotate)] == over


@pytest.mark.parametrize(
    ("dealt", "drawn", "kong", "flagged"),
    [
        ("222z123456789p1s", "2z", "2222z", False),
        ("222z123456789p1s", "5m", "2222z", True),  # not the tile that was drawn, nor all four
        ("2223456m777p555z", "2m", "2222m", True),  # 2m was a part of the waits too
    ],
)
def test_a_kong_in_riichi_leaves_the_waits_as_they_are(
    dealt: str, drawn: str, kong: str, flagged: bool
) -> None:
    moves: list[ev.Event] = [
        ev.Discard(0, tile("9m")),
        ev.Draw(1, tile("9s")),
        ev.Riichi(1),
        ev.Discard(1, tile("9s"), True),
        ev.RiichiAccepted(1),
    ]
    for seat in (2, 3, 0):
        moves += [ev.Draw(seat, UNKNOWN), ev.Discard(seat, tile("9m"), True)]
    state = played({1: dealt}, *moves, ev.Draw(1, tile(drawn)))
    assert codes(state) == set()
    state = fold(state, entries_of([ev.ConcealedKong(1, parse_tiles(kong))]))
    assert ("riichi_hand_changed" in codes(state)) is flagged


def test_a_tile_drawn_unseen_may_be_any_tile() -> None:
    """As a log tells it that was written from one player's chair."""
    state = played(
        {},
        ev.Riichi(0),
        ev.Discard(0, tile("5z")),
        ev.RiichiAccepted(0),
        *(
            move
            for seat in (1, 2, 3)
            for move in (ev.Draw(seat, UNKNOWN), ev.Discard(seat, tile("9m")))
        ),
        ev.Draw(0, UNKNOWN),
        ev.Discard(0, tile("1p"), True),
    )
    assert codes(state) == set()


def test_a_stick_is_worth_what_the_house_says() -> None:
    rules = house(stick=500)
    laid = (ev.Riichi(0), ev.Discard(0, tile("5z")), ev.RiichiAccepted(0))
    state = played_by(rules, {}, *laid)
    assert (state.scores, state.sticks) == ((24500, 25000, 25000, 25000), 1)
    told = [str(text) for _, text in tell(entries_of([begin({}), *laid]), start_state(rules))]
    assert any("a stick of 500" in sentence for sentence in told)
    written = replace(laid[-1], stake=1000)  # a log that says what lay there is believed
    assert played_by(rules, {}, *laid[:-1], written).scores[0] == 24000


@pytest.mark.parametrize("stick", [500, 0])
def test_a_game_with_other_sticks_adds_up_in_every_form(stick: int) -> None:
    rules, sticks = house(stick=stick), 0
    state = start_state(rules)
    whole = list(play_match(rules, 3, 40))
    for entry in entries_of(whole):
        state = fold(state, [entry])
        sticks += isinstance(entry.event, ev.RiichiAccepted)
        assert "not_zero_sum" not in codes(state)
        if state.phase == "settled":
            assert sum(state.scores) + stick * state.sticks == 4 * rules["flow.match.start"]
    assert sticks
    told = from_mjai(map(json.dumps, to_mjai(entries_of(whole))), start_state(rules))
    read = fold(start_state(rules), entries_of(told))
    assert (read.scores, codes(read)) == (state.scores, codes(state))


@pytest.mark.parametrize(
    ("rule", "deltas", "left"), [("returned", (0, 1000, 0, 0), 2), ("stay", (0, 0, 0, 0), 3)]
)
def test_after_a_chombo_the_sticks_of_that_hand_go_back(
    rule: str, deltas: tuple[int, ...], left: int
) -> None:
    rules = house(replay_sticks=rule)
    moves = [
        replace(begin({}), sticks=2),  # laid in hands before
        ev.Discard(0, tile("5z")),
        ev.Draw(1, UNKNOWN),
        ev.Riichi(1),
        ev.Discard(1, tile("9s"), True),
        ev.RiichiAccepted(1),
        ev.Draw(2, UNKNOWN),
        ev.Riichi(2),
        ev.Discard(2, tile("9m"), True),  # called wrongly: this stick never lay on the table
        ev.Win(3, 2, tile("9m"), "discard", can_win=False),
        ev.Penalty(3, "false-win", (4000, 2000, 2000, -8000)),
        ev.DrawnHand("replay"),
    ]
    state = fold(start_state(rules), entries_of(moves))
    payment = draw_settlement(state, rules)
    assert (payment.deltas, payment.sticks) == (deltas, left)
    settled = fold(state, entries_of([payment]))
    assert "not_zero_sum" not in codes(settled)
    assert settled.scores[1] == 25000 - 1000 + 2000 + deltas[1]


def test_a_hand_drawn_in_the_usual_way_leaves_the_sticks_on_the_table() -> None:
    laid = (ev.Riichi(0), ev.Discard(0, tile("5z")), ev.RiichiAccepted(0))
    drawn = played({}, *laid, ev.DrawnHand("four-winds"))
    assert draw_settlement(drawn, load_profile("riichi")) == ev.Settle((0, 0, 0, 0), 1)


@pytest.mark.parametrize(
    ("rule", "winners"), [("nearest", "nearest"), ("all", "all"), ("draw_on_three", "all")]
)
def test_who_may_win_on_one_discard_is_said_once(rule: str, winners: str) -> None:
    flow = flow_of(house(several_rons=rule))
    assert flow.claims.winners == winners
    wins = [ev.Win(seat, 0, tile("5z"), "discard") for seat in (1, 2)]
    state = played_by(house(several_rons=rule), {}, ev.Discard(0, tile("5z")), *wins)
    assert ("second_winner" in codes(state)) is (winners == "nearest")


@pytest.mark.parametrize(
    ("rule", "known"), [("draw_on_three", True), ("draw", True), ("all", False)]
)
def test_three_rons_break_the_hand_off_where_they_are_not_paid(rule: str, known: bool) -> None:
    moves = (ev.Discard(0, tile("5z")), ev.DrawnHand("triple-win"))
    state = played_by(house(several_rons=rule), {}, *moves)
    assert codes(state) == (set() if known else {"unknown_abort"})


def test_rules_that_say_it_twice_have_to_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    twice = {"flow.claims.winners": "nearest", "riichi.several_rons": "nearest"}
    agreed = change_profile(load_profile("riichi"), twice)
    assert flow_of(agreed).claims.winners == "nearest"
    with pytest.raises(FlowError, match=r"leave flow\.claims\.winners out"):
        flow_of(change_profile(agreed, {"riichi.several_rons": "all"}))
    file = tmp_path / "house.toml"
    file.write_text('parent = "riichi"\n[flow.claims]\nwinners = "nearest"\n', "utf-8")
    assert main(["rules", "check", str(file), "--lang", "en"]) != 0
    told = capsys.readouterr().err.strip()
    assert told.count("\n") == 0
    assert (
        'flow.claims.winners can\'t be "nearest" while riichi.several_rons is "all": leave '
        "flow.claims.winners out" in told
    )


@pytest.mark.parametrize("rule", ["all", "nearest"])
@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "can't list {} while riichi.several_rons is {}: leave {} out"),
        ("es", "no puede incluir {} mientras riichi.several_rons sea {}: quita {}"),
    ],
)
def test_rules_that_pay_several_rons_list_no_hand_broken_off_by_them(
    rule: str, lang: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "house.toml"
    lines = [
        'parent = "riichi"',
        f'riichi.several_rons = "{rule}"',
        'flow.end.aborts = ["four-winds", "triple-win"]',
    ]
    file.write_text("\n".join(lines), "utf-8")
    assert main(["rules", "check", str(file), "--lang", lang]) != 0
    told = capsys.readouterr().err.strip()
    abort = '"triple-win"'
    sentence = sentence.format(abort, f'"{rule}"', abort)
    assert told.count("\n") == 0 and f"flow.end.aborts {sentence}" in told
    file.write_text("\n".join(lines).replace(rule, "draw", 1), "utf-8")
    assert main(["rules", "check", str(file), "--lang", lang]) == 0


@pytest.mark.parametrize(
    ("own", "claimed", "discard", "flagged"),
    [
        ("56m4m7m456p77s1122z", "4m", "4m", True),  # the tile just claimed
        ("56m4m7m456p77s1122z", "4m", "7m", True),  # the other end of the run
        ("56m4m7m456p77s1122z", "4m", "1z", False),
        ("56m4m7m456p77s1122z", "7m", "4m", True),
        ("46m5m7m456p77s1122z", "5m", "7m", False),  # a gap has no other end
        ("46m0m7m456p77s1122z", "5m", "0m", True),  # a red five is a five
        ("12m3m4m456p77s1122z", "3m", "4m", False),  # 4 is no end of 1, 2, 3
        ("89m7m6m456p77s1122z", "7m", "6m", False),
    ],
)
def test_a_run_may_not_be_swapped_for_itself(
    own: str, claimed: str, discard: str, flagged: bool
) -> None:
    held = parse_tiles(own)
    moves = (
        ev.Discard(0, tile(claimed)),
        ev.Chow(1, 0, tile(claimed), held[:2]),
        ev.Discard(1, tile(discard)),
    )
    state = played({1: own}, *moves)
    assert codes(state) == ({"swap_call"} if flagged else set())
    free = change_profile(load_profile("riichi"), {"flow.claims.swap": "anything"})
    assert codes(played_by(free, {1: own}, *moves)) == set()
    same = change_profile(load_profile("riichi"), {"flow.claims.swap": "not-same"})
    is_same = tile(claimed).kind is tile(discard).kind
    assert codes(played_by(same, {1: own}, *moves)) == ({"swap_call"} if is_same else set())


def test_the_fourth_of_a_pung_may_be_discarded_a_turn_later() -> None:
    own = "555z123456m1122p"
    claim = (ev.Discard(0, tile("5z")), ev.Pung(1, 0, tile("5z"), (tile("5z"),) * 2))
    assert codes(played({1: own}, *claim, ev.Discard(1, tile("5z")))) == {"swap_call"}
    later: list[ev.Event] = [ev.Discard(1, tile("1m"))]
    for seat in (2, 3, 0):
        later += [ev.Draw(seat, UNKNOWN), ev.Discard(seat, tile("9s"))]
    later += [ev.Draw(1, tile("9p")), ev.Discard(1, tile("5z"))]
    assert codes(played({1: own}, *claim, *later)) == set()
