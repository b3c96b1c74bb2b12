"""Claims: who may take a discard for what, who goes first, and which kongs may be declared or robbed.

Sources: "Utilización de las fichas descartadas" (document 000), "Fases del turno" (001), "Prioridad al
robar descartes" (002, its table is lost: the order is the profile's default), items 12 to 15 (003),
"Quién tiene prioridad" and "Robar un kan" (004).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from companion.meld import Meld
from companion.rules.flow.data import Flow
from companion.rules.flow.wall import WallCount, replacement_left
from companion.rules.profile import Profile
from companion.tiles import KINDS, Tile

SEATS: Final = 4

ClaimKind = Literal["win", "kong", "pung", "chow"]
KongKind = Literal["concealed", "claimed", "added"]
Moment = Literal["discarded", "drawn", "gone"]
"""Since the discard: nobody has drawn; the next player has drawn but not discarded; he has discarded."""

RONS_THAT_DRAW: Final[Mapping[str, int]] = {"draw": 2, "draw_on_three": 3}
"""What `riichi.several_rons` may say, and how many rons on one tile then break the hand off unpaid."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What one player says to a discard.

    Attributes:
        seat: who claims.
        kind: what for.
        consumed: the tiles of his hand that the discard joins; empty for a win.
    """

    seat: int
    kind: ClaimKind
    consumed: tuple[Tile, ...] = ()


def may_claim(
    flow: Flow,
    kind: ClaimKind,
    seat: int,
    discarder: int,
    *,
    moment: Moment = "discarded",
    last_discard: bool = False,
) -> bool:
    """Whether the rules let a seat claim a discard, whatever he holds.

    `last_discard` says that no live tile is left to draw after it.
    """
    if seat == discarder or moment == "gone":
        return False
    if last_discard:
        allowed = flow.claims.last_discard
        if allowed == "none" or (allowed == "win" and kind != "win"):
            return False
    if kind == "chow":
        return moment == "discarded" and seat == (discarder + 1) % SEATS
    return moment == "discarded" or flow.claims.pung_until == "discard"


def claims_for(
    flow: Flow,
    concealed: Sequence[Tile],
    tile: Tile,
    seat: int,
    discarder: int,
    *,
    melds: Sequence[Meld] = (),
    moment: Moment = "discarded",
    last_discard: bool = False,
    wall: WallCount | None = None,
    kongs: int = 0,
) -> tuple[Claim, ...]:
    """The kongs, pungs and chows that a known hand may claim; wins are for the scoring to say.

    Args:
        flow: the flow of the profile.
        concealed: the claimer's tiles that are not in melds.
        tile: the discard.
        seat, discarder: seats, 0..3.
        melds: the claimer's melds.
        moment: how long ago the discard was made.
        last_discard: no live tile is left.
        wall: what is left of the wall; without it a kong is taken to be replaceable.
        kongs: kongs that all players together have declared in this hand.
    """
    same = tuple(each for each in concealed if each.kind is tile.kind)
    found: list[Claim] = []

    def allowed(kind: ClaimKind) -> bool:
        return may_claim(flow, kind, seat, discarder, moment=moment, last_discard=last_discard)

    if len(same) >= 3 and allowed("kong") and kong_allowed(flow, wall, kongs):
        found.append(Claim(seat, "kong", same[:3]))
    if len(same) >= 2 and allowed("pung"):
        found += [Claim(seat, "pung", pair) for pair in _choices(same, 2)]
    chows = sum(meld.kind == "chow" for meld in melds)
    if allowed("chow") and chows < flow.claims.max_chows:
        found += [Claim(seat, "chow", pair) for pair in chow_partners(flow, concealed, tile)]
    return tuple(found)


def chow_partners(flow: Flow, concealed: Sequence[Tile], tile: Tile) -> list[tuple[Tile, Tile]]:
    """The pairs of a hand that make a chow with a tile, lowest first; red fives count as different."""
    by_kind: dict[Tile, list[Tile]] = {}
    for each in sorted(set(concealed)):
        by_kind.setdefault(each.kind, []).append(each)
    return [
        (first, second)
        for low, high in _missing_pairs(flow, tile.kind)
        for first in by_kind.get(low, ())
        for second in by_kind.get(high, ())
    ]


def barred_after(flow: Flow, claimed: Tile, consumed: Sequence[Tile]) -> frozenset[Tile]:
    """The kinds that may not be discarded right after a pung or chow of a tile (kuikae).

    After a claim of 4 for 5 and 6 these are 4 and, where both ends are barred, 7.
    """
    if flow.claims.swap == "anything":
        return frozenset()
    barred = {claimed.kind}
    ranks = sorted(tile.rank for tile in consumed) or [0]
    low, high = ranks[0], ranks[-1]
    at, other_end = claimed.kind.index, high + 1 if claimed.rank < low else low - 1
    is_run = claimed.is_suited and high - low == 1 and all(tile.is_suited for tile in consumed)
    if flow.claims.swap == "not-either-end" and is_run and at is not None and 1 <= other_end <= 9:
        barred.add(KINDS[at - claimed.rank + other_end])
    return frozenset(barred)


def rank_of(flow: Flow, kind: ClaimKind) -> int:
    """Where a kind of claim stands: 0 is the strongest. A kind that is not listed comes last."""
    for rank, kinds in enumerate(flow.claims.priority):
        if kind in kinds:
            return rank
    return len(flow.claims.priority)


def resolve(flow: Flow, discarder: int, claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """The claims that are granted: the strongest, and of one rank the nearest in turn order.

    More than one only where the system lets all winners win.
    """
    ordered = sorted(
        claims, key=lambda claim: (rank_of(flow, claim.kind), (claim.seat - discarder) % SEATS)
    )
    if not ordered:
        return ()
    best = ordered[0]
    if best.kind == "win" and flow.claims.winners == "all":
        return tuple(claim for claim in ordered if claim.kind == "win")
    return (best,)


def wins_draw_hand(profile: Profile, wins: int) -> bool:
    """Whether so many wins on one tile break the hand off by the profile, and nobody is paid."""
    return 0 < wins_that_draw(profile) <= wins


def wins_that_draw(profile: Profile) -> int:
    """So many wins on one tile break the hand off by the profile; 0 where none do."""
    return RONS_THAT_DRAW.get(profile.get("riichi.several_rons", ""), 0)


def must_wait_for(
    flow: Flow, discarder: int, made: Claim, possible: Iterable[Claim]
) -> tuple[int, ...]:
    """The seats whose answer is still needed before a claim can be granted, in turn order.

    A lower claim waits for every claim of others that would go before it.
    """
    seats = {
        other.seat
        for other in possible
        if other.seat != made.seat and made not in resolve(flow, discarder, (made, other))
    }
    return tuple(sorted(seats, key=lambda seat: (seat - discarder) % SEATS))


def kong_allowed(flow: Flow, wall: WallCount | None, kongs: int = 0) -> bool:
    """Whether a kong may be declared: a replacement is left and the limit is not reached."""
    if flow.kong.limit and kongs >= flow.kong.limit:
        return False
    return wall is None or flow.kong.on_last_tile or replacement_left(flow, wall)


def kongs_in_turn(
    flow: Flow, concealed: Sequence[Tile], melds: Sequence[Meld], drawn: Tile | None = None
) -> tuple[tuple[KongKind, Tile], ...]:
    """The kongs that a player may declare in his own turn: concealed ones, then added ones.

    `drawn` is the tile just drawn: where a system lets only that one be added, it is asked for.
    """
    counts = Counter(tile.kind for tile in concealed)
    found: list[tuple[KongKind, Tile]] = [
        ("concealed", kind) for kind in sorted(counts) if counts[kind] == 4
    ]
    if flow.kong.added != "no":
        pungs = sorted(meld.tiles[0].kind for meld in melds if meld.kind == "pung")
        for kind in pungs:
            if not counts[kind]:
                continue
            if flow.kong.added == "drawn" and (drawn is None or drawn.kind is not kind):
                continue
            found.append(("added", kind))
    return tuple(found)


def may_rob(flow: Flow, kong: KongKind, *, orphans: bool = False) -> bool:
    """Whether a kong may be robbed for the win; `orphans` says that the robber has thirteen orphans."""
    if kong == "concealed":
        return flow.claims.rob_concealed_orphans and orphans
    if kong == "claimed":
        return flow.claims.rob == "declared"
    return flow.claims.rob in {"added", "declared"}


def _missing_pairs(flow: Flow, tile: Tile) -> list[tuple[Tile, Tile]]:
    if tile.is_dragon and flow.claims.dragon_chow:
        first, second = (kind for kind in KINDS if kind.is_dragon and kind is not tile)
        return [(first, second)]
    if not tile.is_suited or tile.index is None:
        return []
    pairs = []
    for low in range(tile.rank - 2, tile.rank + 1):
        ranks = [rank for rank in range(low, low + 3) if rank != tile.rank]
        if low >= 1 and low + 2 <= 9:
            first, second = (KINDS[tile.index - tile.rank + rank] for rank in ranks)
            pairs.append((first, second))
    return pairs


def _choices(same: Sequence[Tile], count: int) -> list[tuple[Tile, ...]]:
    """Ways to take `count` of equal tiles that differ in red fives, plain ones first."""
    plain = [tile for tile in same if not tile.is_red]
    red = [tile for tile in same if tile.is_red]
    return [
        tuple(plain[: count - reds] + red[:reds])
        for reds in range(min(count, len(red)) + 1)
        if len(plain) >= count - reds
    ]
