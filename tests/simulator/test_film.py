"""Simulated games on film: every tile is on the table, where the rules have it, and the pixels agree."""

from __future__ import annotations

import itertools
from collections import Counter
from functools import cache
from random import Random

import numpy as np
import pytest

from companion.rules import list_profiles, load_profile
from companion.rules.flow import flow_of
from companion.simulator.film.acts import Act, Move
from companion.simulator.film.cast import dealt
from companion.simulator.film.deck import deck_of
from companion.simulator.film.disturb import ENDS, LASTS_MS, disturbed
from companion.simulator.film.look import faces_of, look_of, tile_box
from companion.simulator.film.painter import Painter
from companion.simulator.film.script import FILM_PACE, Script, script_of
from companion.simulator.film.shooting import Frame, frame_at, frame_count, shoot
from companion.simulator.film.stage import (
    DOWN,
    STANDING,
    UP,
    Lie,
    TablePlan,
    at_seat,
    built_lies,
)
from companion.simulator.film.views import VIEWS, calibration_of, camera_of
from companion.simulator.luck import tile_set
from companion.simulator.pace import timed
from companion.simulator.play import play_match, start_state
from companion.table import events as ev
from companion.table.fold import apply
from companion.table.state import SEATS, State
from vision.render.scene import Scene, render

PROFILES = list_profiles()
PLAN = TablePlan()
SMALL = (320, 180)


@cache
def played(profile: str, seed: int) -> Script:
    rules = load_profile(profile)
    entries = list(timed(play_match(rules, seed, 1), seed, FILM_PACE))
    return script_of(rules, entries, seed, PLAN)


def states(profile: str, script: Script) -> dict[int, State]:
    state, found = start_state(load_profile(profile)), {}
    for entry in script.entries:
        state = apply(state, entry.event)
        found[entry.seq] = state
    return found


@pytest.mark.parametrize("seed", [3, 7, 12])
@pytest.mark.parametrize("profile", PROFILES)
def test_every_tile_is_on_the_table_once_at_all_times(profile: str, seed: int) -> None:
    script = played(profile, seed)
    flow = flow_of(load_profile(profile))
    whole = Counter(tile_set(flow))
    for scene in script.scenes.values():
        assert sorted(scene.cast.numbers()) == list(range(flow.tiles.total))
        assert set(scene.lies) == set(range(flow.tiles.total))
        assert Counter(scene.deck.tiles) == whole


@pytest.mark.parametrize("profile", PROFILES)
def test_the_cast_is_what_the_state_says(profile: str) -> None:
    script = played(profile, 7)
    state_after = states(profile, script)
    for seq, scene in script.scenes.items():
        state, tiles = state_after[seq], scene.deck.tiles
        if state.phase in {"before", "over"}:
            continue
        for seat, chair in enumerate(state.chairs):
            hand = sorted(tiles[number] for number in scene.cast.hands[seat])
            assert hand == sorted(chair.concealed)
            melds = [tuple(tiles[number] for number in meld) for meld in scene.cast.melds[seat]]
            assert melds == [laid.tiles for laid in chair.melds]
            assert sorted(tiles[number] for number in scene.cast.bonus[seat]) == list(chair.bonus)
        lying = [discard.pai for discard in state.pool if discard.claimed_by is None]
        assert [tiles[number] for number in scene.cast.pool] == lying


@pytest.mark.parametrize("profile", PROFILES)
def test_the_wall_shrinks_at_its_head_and_where_replacements_come_from(profile: str) -> None:
    script = played(profile, 7)
    flow = flow_of(load_profile(profile))
    state_after = states(profile, script)
    events = {entry.seq: entry.event for entry in script.entries}
    for (_, before), (seq, after) in itertools.pairwise(script.scenes.items()):
        opened, event = after.deck.opened, events[seq]
        assert len(after.cast.wall) == state_after[seq].wall.live + state_after[seq].wall.dead
        gone = [after.deck.places[number] for number in before.cast.wall - after.cast.wall]
        left = {after.deck.places[number] for number in before.cast.wall}
        if isinstance(event, ev.Draw):
            assert gone == [next(place for place in opened.live if place in left)]
        elif isinstance(event, ev.ReplacementDraw):
            assert gone == [next(place for place in opened.replacement_order if place in left)]
        else:
            assert gone == []
    assert flow.wall.dead_columns_plain * 2 <= len(opened.dead)


def test_the_wall_is_built_before_it_is_opened() -> None:
    """Two tiles lie loose after the opening, none before; both walls have the same columns else."""
    script = played("spanish-tournament", 7)
    scene = next(iter(script.scenes.values()))
    flow = flow_of(load_profile("spanish-tournament"))
    built = built_lies(PLAN, flow, scene.deck.opened)
    heights = Counter(lie.base_mm for lie in built)
    assert heights == {0.0: 72, 20.0: 72}
    assert len({(lie.x_mm, lie.y_mm, lie.base_mm) for lie in built}) == 144
    loose = [number for number, place in enumerate(scene.deck.places) if place.level == "loose"]
    assert [scene.lies[number].base_mm for number in loose] == [40.0, 40.0]


def _seat_frame(seat: int, lie: Lie) -> Lie:
    return at_seat((4 - seat) % 4, lie)


@pytest.mark.parametrize("profile", PROFILES)
def test_melds_lie_as_the_profile_says_at_their_seats_right(profile: str) -> None:
    met: set[str] = set()
    for seed in range(2, 8):
        script = played(profile, seed)
        state_after = states(profile, script)
        last = [seq for seq in script.scenes if state_after[seq].phase not in {"before", "over"}][
            -1
        ]
        scene, state = script.scenes[last], state_after[last]
        for seat in SEATS:
            end = PLAN.row_end_mm + 2
            for laid, numbers in zip(state.chairs[seat].melds, scene.cast.melds[seat], strict=True):
                lies = [_seat_frame(seat, scene.lies[number]) for number in numbers]
                for how, lie in zip(laid.lies, lies, strict=True):
                    assert lie.pitch_deg == (DOWN if how == "down" else UP)
                    turn = lie.turn_deg % 180
                    assert abs(turn - 90) < 4 if how == "sideways" else min(turn, 180 - turn) < 4
                    met.add(how)
                xs = [lie.x_mm for lie in lies]
                assert all(a < b + 2 for a, b in itertools.pairwise(xs)), laid
                assert xs[-1] < end
                end = xs[0]
            held = [_seat_frame(seat, scene.lies[n]).x_mm for n in scene.cast.hands[seat]]
            assert not held or max(held) + 13 < end
    assert "up" in met
    assert ("sideways" in met) == flow_of(load_profile(profile)).claims.sideways


@pytest.mark.parametrize("profile", PROFILES)
def test_tiles_at_rest_do_not_cut_into_each_other(profile: str) -> None:
    """No two tiles of one height lie nearer than they can."""
    script = played(profile, 7)
    for scene in list(script.scenes.values())[::25]:
        by_height: dict[int, list[Lie]] = {}
        for lie in scene.lies.values():
            by_height.setdefault(round(lie.base_mm), []).append(lie)
        for lies in by_height.values():
            at = np.array([(lie.x_mm, lie.y_mm) for lie in lies])
            near = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1))
            np.fill_diagonal(near, 99)
            assert near.min() > 23.5


def test_hands_stand_until_they_are_shown() -> None:
    script = played("hk-old-style", 7)
    state_after = states("hk-old-style", script)
    for seq, scene in script.scenes.items():
        for seat in SEATS:
            shown = state_after[seq].chairs[seat].shown
            pitches = {scene.lies[number].pitch_deg for number in scene.cast.hands[seat]}
            assert pitches <= {UP if shown else STANDING}
    assert any(chair.shown for chair in state_after[max(script.scenes)].chairs)


def test_a_rivers_rows_have_six_tiles_and_riichi_lies_sideways() -> None:
    met = False
    for seed in range(4):
        script = played("riichi", seed)
        state_after = states("riichi", script)
        seq = [seq for seq in script.scenes if state_after[seq].phase not in {"before", "over"}][-1]
        scene, state = script.scenes[seq], state_after[seq]
        lying = [discard for discard in state.pool if discard.claimed_by is None]
        for seat in SEATS:
            row = [
                (_seat_frame(seat, scene.lies[number]), discard)
                for number, discard in zip(scene.cast.pool, lying, strict=True)
                if discard.actor == seat
            ]
            first = row[:6]
            assert max(lie.y_mm for lie, _ in first) - min(lie.y_mm for lie, _ in first) < 6
            for lie, discard in row:
                sideways = abs(lie.turn_deg % 180 - 90) < 5
                assert sideways == discard.riichi
                met = met or sideways
    assert met


def test_an_indicator_lies_face_up_on_the_dead_wall() -> None:
    scene = next(iter(played("riichi", 7).scenes.values()))
    up = [number for number in scene.cast.wall if scene.lies[number].pitch_deg == UP]
    assert up == list(scene.deck.indicators(1))
    assert scene.deck.places[up[0]] in scene.deck.opened.dead


def test_a_deck_needs_a_hands_beginning() -> None:
    flow = flow_of(load_profile("mcr"))
    with pytest.raises(ValueError, match="begins with start_hand"):
        deck_of(flow, [ev.Rotate(0, 0, 0)], Random(1))


def test_the_dealt_cast_holds_the_hands() -> None:
    scene = next(iter(played("mcr", 7).scenes.values()))
    assert [len(hand) for hand in dealt(scene.deck).hands].count(13) == 3


@pytest.mark.parametrize("profile", PROFILES)
def test_acts_end_where_the_table_rests_when_the_log_says(profile: str) -> None:
    script = played(profile, 7)
    lies: dict[int, Lie] = {}
    acts = list(script.acts)
    for scene in script.scenes.values():
        while acts and acts[0].stop_ms <= scene.at_ms + 1e-6:
            for move in acts.pop(0).moves:
                lies[move.number] = move.at(1.0)
        assert lies == dict(scene.lies)


def test_a_carried_tile_goes_up_and_comes_to_rest() -> None:
    move = Move(0, Lie(0, 0, 0, 10, STANDING), Lie(300, 0, 0, 350, UP), 0.2, 1.0, 30.0, 9.0)
    assert move.at(0.1) == move.begin and move.at(1.0) == move.end
    middle = move.at(0.5)
    assert 0 < middle.x_mm < 300 and middle.base_mm > 10
    assert -20 <= middle.turn_deg - 10 <= 0  # the short way round
    assert move.at(0.95).base_mm == 0.0  # it slides


@pytest.mark.parametrize("view", VIEWS)
def test_the_calibration_maps_tiles_to_their_rendered_quads(view: str) -> None:
    scene = list(played("hk-old-style", 7).scenes.values())[-4]
    flow = flow_of(load_profile("hk-old-style"))
    camera = camera_of(VIEWS[view], PLAN, (960, 540))
    look = look_of(faces_of(None, flow), PLAN, 7, (960, 540))
    calibration = calibration_of(camera, PLAN, flow)
    numbers = [n for n, lie in scene.lies.items() if lie.pitch_deg == UP and n in scene.cast.pool]
    boxes = [tile_box(look, scene.deck.tiles[n], scene.lies[n]) for n in numbers]
    faces = render(Scene(camera, look.light, look.table, tuple(boxes))).faces
    assert len(faces) == len(numbers) > 30
    for face in faces:
        lie = scene.lies[numbers[face.solid]]
        middle = np.array([lie.x_mm, lie.y_mm])
        turn = np.radians(lie.turn_deg)
        axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        signs = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) / 2
        corners = middle + (signs * PLAN.tile_mm[:2]) @ axes
        expected = calibration.to_px(corners, PLAN.tile_mm[2])
        assert np.abs(expected - face.quad_px).max() < 2
        assert any(zone.kind == "pool" for zone in calibration.zones_at(lie.x_mm, lie.y_mm))


@pytest.mark.parametrize("view", VIEWS)
def test_every_tile_is_in_the_picture(view: str) -> None:
    camera = camera_of(VIEWS[view], PLAN, SMALL)
    for profile in PROFILES:
        for scene in list(played(profile, 7).scenes.values())[::20]:
            lies = np.array([[lie.x_mm, lie.y_mm, lie.base_mm] for lie in scene.lies.values()])
            pixels = camera.project(lies)
            assert (pixels >= 0).all() and (pixels <= SMALL).all()


def test_zones_hold_what_lies_in_them() -> None:
    for profile in ("hk-old-style", "riichi"):
        flow = flow_of(load_profile(profile))
        calibration = calibration_of(camera_of(VIEWS["overhead"], PLAN, SMALL), PLAN, flow)
        scene = list(played(profile, 7).scenes.values())[-4]

        def kinds(number: int, scene=scene, calibration=calibration) -> set[tuple[str, int | None]]:
            lie = scene.lies[number]
            return {(zone.kind, zone.seat) for zone in calibration.zones_at(lie.x_mm, lie.y_mm)}

        for number in scene.cast.wall:
            assert ("wall", scene.deck.places[number].side) in kinds(number)
        for seat in SEATS:
            assert all(("hand", seat) in kinds(number) for number in scene.cast.hands[seat])
            melds = [number for meld in scene.cast.melds[seat] for number in meld]
            assert all(("meld", seat) in kinds(number) for number in melds)
            assert all(("bonus", seat) in kinds(number) for number in scene.cast.bonus[seat])


def _frames(script: Script, seed: int, first: int, count: int, fps: float = 1.0) -> list[Frame]:
    flow = flow_of(load_profile("riichi"))
    camera = camera_of(VIEWS["overhead"], PLAN, SMALL)
    look = look_of(faces_of(None, flow), PLAN, seed, SMALL)
    found = shoot(script, look, camera, fps, seed)
    return list(itertools.islice(found, first, first + count))


def test_the_same_seed_gives_the_same_pixels() -> None:
    script = played("riichi", 7)
    once, again = _frames(script, 7, 0, 26), _frames(script, 7, 0, 26)
    assert [f.image.tobytes() for f in once] == [f.image.tobytes() for f in again]
    assert len({f.image.tobytes() for f in once}) == 26  # and no two frames are alike
    other = _frames(script, 8, 25, 1)
    assert other[0].image.tobytes() != once[25].image.tobytes()


def test_drawing_only_what_changed_looks_like_drawing_everything() -> None:
    scenes = list(played("riichi", 7).scenes.values())
    flow = flow_of(load_profile("riichi"))
    camera = camera_of(VIEWS["slanted"], PLAN, (640, 360))
    look = look_of(faces_of(None, flow), PLAN, 7, (640, 360))

    def boxes(at: int) -> dict[object, object]:
        scene = scenes[at]
        tiles = scene.deck.tiles
        return {n: tile_box(look, tiles[n], lie) for n, lie in scene.lies.items()}

    step_by_step, at_once = Painter(look, camera, 7), Painter(look, camera, 7)
    step_by_step.show(boxes(10))
    for at in range(11, 19):
        changed = {n for n in scenes[at].lies if scenes[at].lies[n] != scenes[at - 1].lies[n]}
        step_by_step.show({n: box for n, box in boxes(at).items() if n in changed})
    at_once.show(boxes(18))
    apart = np.abs(step_by_step.image.astype(int) - at_once.image.astype(int)).max(2)
    # Outlines are smoothed a little differently in windows of another size.
    assert (apart > 12).mean() < 0.002
    assert apart.mean() < 0.15


def test_frames_have_the_times_the_log_refers_to() -> None:
    script = played("riichi", 7)
    assert frame_at(1000, 5) == 5 and frame_at(1001, 5) == 6
    assert frame_count(script, 5) > frame_at(float(script.entries[-1].at_ms or 0), 5)
    assert [frame.at_ms for frame in _frames(script, 7, 0, 3, fps=2.0)] == [0.0, 500.0, 1000.0]


def test_disturbances_are_in_the_log_and_in_the_pictures() -> None:
    plain = played("hk-old-style", 7)
    camera = camera_of(VIEWS["overhead"], PLAN, SMALL)
    script, found = disturbed(plain, camera, 7)
    assert {one.what for one in found} == set(LASTS_MS)
    told = [e.event.what for e in script.entries if isinstance(e.event, ev.Observation)]
    assert Counter(told) == Counter([*LASTS_MS, *ENDS.values()])
    assert [entry.seq for entry in script.entries] == list(range(1, len(script.entries) + 1))
    times = [entry.at_ms or 0 for entry in script.entries]
    assert times == sorted(times)
    moves = [e.event for e in script.entries if not isinstance(e.event, ev.Observation)]
    assert moves == [entry.event for entry in plain.entries]
    assert disturbed(plain, camera, 7)[0] == script

    flow = flow_of(load_profile("hk-old-style"))
    look = look_of(faces_of(None, flow), PLAN, 7, SMALL)
    images = {f.at_ms: f.image for f in shoot(script, look, camera, 2.0, 7, found)}
    clear = {f.at_ms: f.image for f in shoot(plain, look, camera, 2.0, 7)}
    by_kind = {one.what: one for one in found}

    def during(what: str) -> list[float]:
        one = by_kind[what]
        return [t for t in images if one.start_ms + 300 < t < min(one.stop_ms, 1e9) - 300]

    assert all(images[t].mean() < 0.5 * clear[t].mean() for t in during("light-off"))
    assert len({images[t].tobytes() for t in during("frozen")}) == 1
    for what in ("cup-placed", "leaning-in", "tile-dropped"):
        middle = during(what)[len(during(what)) // 2]
        assert np.abs(images[middle].astype(int) - clear[middle]).max() > 60, what
    bumped = by_kind["camera-bumped"].start_ms
    assert all(each.camera is not None for each in found if each.what == "camera-bumped")
    assert np.abs(images[max(images)].astype(int) - clear[max(images)]).mean() > 3
    assert bumped < by_kind["camera-bumped"].stop_ms


def test_a_dropped_tile_is_one_that_nobody_draws() -> None:
    for seed in range(3):
        plain = played("riichi", seed)
        script, found = disturbed(plain, camera_of(VIEWS["overhead"], PLAN, SMALL), seed)
        added: list[Act] = [act for act in script.acts if act not in plain.acts]
        dropped = [one for one in found if one.what == "tile-dropped"]
        fallen = {move.number for act in added for move in act.moves}
        assert len(fallen) == len(dropped)
        last = list(plain.scenes.values())[-1]
        assert fallen <= last.cast.wall
