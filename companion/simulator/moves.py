"""One hand, move by move: from the dealt tiles to the win or the draw that ends it.

What the players do is theirs to choose (`companion.simulator.player`); here they are asked in turn, and
the rules say who gets what he asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from companion.rules import Profile, ScoreSheet
from companion.rules.flow import (
    Claim,
    may_rob,
    may_win_by_discard,
    nine_terminals,
    replacement_left,
    resolve,
)
from companion.rules.shanten import shanten
from companion.simulator.luck import LoadedWall
from companion.simulator.player import Player
from companion.table import events as ev
from companion.table.aborts import abort_due
from companion.table.fold import apply
from companion.table.settling import false_win_penalty
from companion.table.state import SEATS, State
from companion.table.winning import hand_of, is_complete, judge, ready_tiles, win_event
from companion.tiles import Tile

_CLAIM_EVENTS: Final = {"chow": ev.Chow, "pung": ev.Pung, "kong": ev.ClaimedKong}


class DealtHand:
    """A hand in play.

    Args:
        profile: the rules it is played by.
        state: the table after the deal; it goes on with every move.
        wall: the wall that the hand was dealt from.
        players: who plays, by seat.
    """

    def __init__(
        self, profile: Profile, state: State, wall: LoadedWall, players: Sequence[Player]
    ) -> None:
        self.profile = profile
        self.state = state
        self.wall = wall
        self.players = players

    def play(self) -> Iterator[ev.Event]:
        """The moves until the hand is over."""
        yield from self._replace_dealt_flowers()
        while self.state.in_hand:
            if self.state.phase == "discard":
                yield from self._turn(self.state.turn)
            elif self.state.phase == "claim":
                yield from self._after_discard()
            else:
                yield from self._replacement()

    def does(self, event: ev.Event) -> Iterator[ev.Event]:
        """Carry an event out and pass it on."""
        self.state = apply(self.state, event)
        yield event

    def _replace_dealt_flowers(self) -> Iterator[ev.Event]:
        east = self.state.standing.east
        for seat in ((east + place) % 4 for place in SEATS):
            yield from self._lay_flowers(seat)

    def _lay_flowers(self, seat: int) -> Iterator[ev.Event]:
        """Lay every bonus tile of a hand open and replace it, until there is none."""
        while any(tile.is_bonus for tile in self.state.chairs[seat].concealed):
            if not replacement_left(self.state.flow, self.state.wall):
                return
            tile = next(t for t in self.state.chairs[seat].concealed if t.is_bonus)
            yield from self.does(ev.Flower(seat, tile))
            yield from self.does(ev.ReplacementDraw(seat, self.wall.replacement(), "flower"))

    def _turn(self, seat: int) -> Iterator[ev.Event]:
        """What a player with 14 tiles does."""
        player = self.players[seat]
        yield from self._lay_flowers(seat)
        chair = self.state.chairs[seat]
        if any(tile.is_bonus for tile in chair.concealed):
            yield from self.does(ev.DrawnHand("exhausted"))
            return
        if chair.drawn is not None:
            yield from self._self_draw_win(seat)
        if self.state.phase != "discard":
            return
        if self._may_abort(seat) and player.says(player.temper.abort):
            yield from self.does(ev.DrawnHand("nine-terminals"))
            return
        kong = player.kong(self.state) if chair.drawn is not None else None
        if kong is not None:
            yield from self._declare_kong(seat, *kong)
            return
        yield from self._discard(seat)

    def _self_draw_win(self, seat: int) -> Iterator[ev.Event]:
        if self.state.chairs[seat].dead or not is_complete(self.state, seat):
            return
        sheet = judge(self.state, seat, self.profile)
        if sheet.can_win:
            yield from self.does(win_event(self.state, seat, sheet))
        elif self.players[seat].says(self.players[seat].temper.false_win):
            yield from self.does(win_event(self.state, seat, sheet))
            yield from self._false_win(seat)

    def _false_win(self, seat: int) -> Iterator[ev.Event]:
        yield from self.does(false_win_penalty(self.state, seat, self.profile))
        if self.state.flow.end.false_win == "replay":
            yield from self.does(ev.DrawnHand("replay"))

    def _may_abort(self, seat: int) -> bool:
        chair = self.state.chairs[seat]
        return nine_terminals(
            self.state.flow,
            chair.concealed,
            own_draws=chair.draws if not chair.discards else chair.draws + 1,
            claims=self.state.claims,
        )

    def _declare_kong(self, seat: int, kind: str, tile: Tile) -> Iterator[ev.Event]:
        chair = self.state.chairs[seat]
        same = tuple(t for t in chair.concealed if t.kind is tile)
        self.players[seat].forget()
        if kind == "concealed":
            yield from self.does(ev.ConcealedKong(seat, same))
            return
        pung = next(
            laid for laid in chair.melds if laid.meld.kind == "pung" and laid.tiles[0].kind is tile
        )
        yield from self.does(ev.AddedKong(seat, same[0], pung.tiles))

    def _discard(self, seat: int) -> Iterator[ev.Event]:
        player, chair = self.players[seat], self.state.chairs[seat]
        tile = player.discard(self.state)
        saying = self._says_riichi(seat)
        if saying is not None:
            tile = saying
            yield from self.does(ev.Riichi(seat))
        yield from self.does(ev.Discard(seat, tile, tsumogiri=tile is chair.drawn))
        while self.state.dora_due:
            shown = len(self.state.dora)
            marker = self.wall.indicators(shown + 1)[shown]
            yield from self.does(ev.Dora(marker))

    def _says_riichi(self, seat: int) -> Tile | None:
        """The discard that leaves a closed hand ready, if the player says riichi with it."""
        state, chair, player = self.state, self.state.chairs[seat], self.players[seat]
        if (
            not state.flow.discards.furiten
            or chair.riichi
            or chair.drawn is None
            or state.wall.live < len(SEATS)
            or state.scores[seat] < state.flow.riichi.stick
            or any(not laid.meld.is_concealed for laid in chair.melds)
            or shanten(hand_of(chair), state.shapes).best > 0
            or not player.says(player.temper.riichi)
        ):
            return None
        for tile in sorted(set(chair.concealed)):
            if ready_tiles(state, seat, without=tile):
                return tile
        return None

    def _after_discard(self) -> Iterator[ev.Event]:
        """Wins and claims on the discard on offer, or the next player's draw."""
        state, offer = self.state, self.state.offer
        if offer is None:
            return
        yield from self._wins_on_offer(self._may_win_on_discard)
        if self.state.phase != "claim":
            return
        yield from self._accept_riichi(offer.actor)
        abort = abort_due(self.state)
        if abort is not None:
            yield from self.does(ev.DrawnHand(abort))
            return
        yield from self._claims_on_offer()
        if self.state.phase != "claim":
            return
        if state.wall.live == 0:
            ready = tuple(seat for seat in SEATS if ready_tiles(self.state, seat))
            asks = state.flow.rotation.draw == "tenpai"
            yield from self.does(ev.DrawnHand("exhausted", ready if asks else ()))
        else:
            yield from self.does(ev.Draw(self.state.turn, self.wall.draw()))

    def _accept_riichi(self, seat: int) -> Iterator[ev.Event]:
        """The stick of a riichi just said comes to lie on the table: nobody is paid for the discard."""
        if self.state.chairs[seat].riichi == 1:
            yield from self.does(ev.RiichiAccepted(seat))

    def _wins_on_offer(self, allowed: Callable[[int, Tile], bool]) -> Iterator[ev.Event]:
        offer = self.state.offer
        assert offer is not None  # callers look first; mypy can't
        wins: list[tuple[int, ScoreSheet]] = []
        wrong: list[tuple[int, ScoreSheet]] = []
        for seat in ((offer.actor + step) % 4 for step in (1, 2, 3)):
            chair = self.state.chairs[seat]
            if chair.dead or not is_complete(self.state, seat, offer.pai):
                continue
            if not allowed(seat, offer.pai):
                continue
            sheet = judge(self.state, seat, self.profile, offer.pai)
            (wins if sheet.can_win else wrong).append((seat, sheet))
        granted = resolve(self.state.flow, offer.actor, [Claim(seat, "win") for seat, _ in wins])
        if self.state.flow.claims.draws_hand(len(granted)):
            yield from self._accept_riichi(offer.actor)
            yield from self.does(ev.DrawnHand("triple-win"))
            return
        seats = {claim.seat for claim in granted}
        before = self.state
        for seat, sheet in wins:
            if seat in seats:
                yield from self.does(win_event(before, seat, sheet, offer.pai))
        for seat, sheet in wrong if not wins else []:
            player = self.players[seat]
            if player.says(player.temper.false_win):
                yield from self.does(win_event(self.state, seat, sheet, offer.pai))
                yield from self._false_win(seat)
                return

    def _may_win_on_discard(self, seat: int, tile: Tile) -> bool:
        state, chair = self.state, self.state.chairs[seat]
        if state.last_discard and state.flow.claims.last_discard == "none":
            return False
        own = [discard.pai for discard in chair.discards]
        waits = ready_tiles(state, seat) if state.flow.discards.furiten else ()
        return may_win_by_discard(state.flow, waits, own, chair.furiten)

    def _may_rob(self, seat: int, tile: Tile) -> bool:
        offer, chair = self.state.offer, self.state.chairs[seat]
        if offer is None or offer.kong is None:
            return False
        orphans = all(t.is_terminal or t.is_honour for t in chair.concealed) and not chair.melds
        return may_rob(self.state.flow, offer.kong, orphans=orphans) and self._may_win_on_discard(
            seat, tile
        )

    def _claims_on_offer(self) -> Iterator[ev.Event]:
        offer = self.state.offer
        assert offer is not None  # see `_wins_on_offer`
        claims = [
            claim
            for seat in SEATS
            if seat != offer.actor and (claim := self.players[seat].claim(self.state)) is not None
        ]
        for claim in resolve(self.state.flow, offer.actor, claims):
            event = _CLAIM_EVENTS[claim.kind](claim.seat, offer.actor, offer.pai, claim.consumed)
            self.players[claim.seat].forget()
            yield from self.does(event)

    def _replacement(self) -> Iterator[ev.Event]:
        """Somebody robs the kong, or its replacement is drawn."""
        if self.state.offer is not None:
            yield from self._wins_on_offer(self._may_rob)
            if self.state.phase != "replace":
                return
        if not replacement_left(self.state.flow, self.state.wall):
            yield from self.does(ev.DrawnHand("exhausted"))
            return
        if self._turns_dora_before_replacement():
            shown = len(self.state.dora)
            yield from self.does(ev.Dora(self.wall.indicators(shown + 1)[shown]))
        tile = self.wall.replacement()
        yield from self.does(ev.ReplacementDraw(self.state.turn, tile, "kong"))

    def _turns_dora_before_replacement(self) -> bool:
        """A concealed kong turns its indicator at once; one still owed is turned before the next draw."""
        chair = self.state.chairs[self.state.turn]
        if not self.state.dora_due or not chair.melds:
            return False
        return chair.melds[-1].meld.is_concealed or self.state.dora_due > 1
