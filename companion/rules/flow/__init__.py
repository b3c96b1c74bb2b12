"""How a game flows under a profile: wall, opening, deal, claims, kongs, furiten and rotation, as data."""

from companion.rules.flow.claims import (
    Claim,
    ClaimKind,
    KongKind,
    barred_after,
    claims_for,
    kong_allowed,
    kongs_in_turn,
    may_claim,
    may_rob,
    must_wait_for,
    rank_of,
    resolve,
    wins_draw_hand,
)
from companion.rules.flow.data import Flow
from companion.rules.flow.furiten import Furiten, may_win_by_discard, nine_terminals
from companion.rules.flow.reading import FlowError, flow_of
from companion.rules.flow.rotation import (
    HandResult,
    Standing,
    after,
    east_from_dice,
    east_stays,
)
from companion.rules.flow.wall import (
    DiceError,
    OpenedWall,
    Place,
    WallCount,
    deal,
    open_wall,
    replacement_left,
    wall_count,
)

__all__ = [
    "Claim",
    "ClaimKind",
    "DiceError",
    "Flow",
    "FlowError",
    "Furiten",
    "HandResult",
    "KongKind",
    "OpenedWall",
    "Place",
    "Standing",
    "WallCount",
    "after",
    "barred_after",
    "claims_for",
    "deal",
    "east_from_dice",
    "east_stays",
    "flow_of",
    "kong_allowed",
    "kongs_in_turn",
    "may_claim",
    "may_rob",
    "may_win_by_discard",
    "must_wait_for",
    "nine_terminals",
    "open_wall",
    "rank_of",
    "replacement_left",
    "resolve",
    "wall_count",
    "wins_draw_hand",
]
