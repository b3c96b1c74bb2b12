"""The patterns of the additive systems as predicates over one reading of a hand.

Each predicate returns where it found its pattern: a tuple of the tiles of each find, empty for none.
What a pattern is worth, what it is called and whether it counts at all is the profile's to say.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Final, TypeAlias

from companion.hand import Hand
from companion.rules.circumstances import Circumstances
from companion.rules.decomposition import DRAGONS, ORPHANS, WIND_INDICES, Block, Reading
from companion.rules.profile import Profile
from companion.tiles import KINDS, WINDS, Tile

Tiles: TypeAlias = tuple[Tile, ...]
Finds: TypeAlias = tuple[Tiles, ...]

NONE: Final[Finds] = ()
_TERMINALS: Final = frozenset((0, 8, 9, 17, 18, 26))
_ORPHAN_SET: Final = frozenset(ORPHANS)
_GATES: Final = (3, 1, 1, 1, 1, 1, 1, 1, 3)
_BONUS_RANKS: Final = 4
_DRAGON_HANDS: Final = {"jade_dragon": (32, 18), "ruby_dragon": (33, 0), "pearl_dragon": (31, 9)}
"""Dragon and first tile of the suit: green with bamboos, red with characters, white with circles."""


class Facts:
    """What holds for a hand however it is read; worked out once.

    Attributes:
        hand, circumstances, profile: what was given.
        suits: the suits present, out of ``mps``.
        honours: whether there are winds or dragons.
        seat_wind, round_wind: indices of the two winds.
        exposed: whether a discard was claimed before the win, or another act opened the hand.
    """

    def __init__(self, hand: Hand, circumstances: Circumstances, profile: Profile) -> None:
        self.hand = hand
        self.circumstances = circumstances
        self.profile = profile
        counts = hand.all_counts
        self.present = [index for index in range(34) if counts[index]]
        self.suits = "".join(
            suit for suit, low in (("m", 0), ("p", 9), ("s", 18)) if any(counts[low : low + 9])
        )
        self.honours = any(counts[27:])
        self.seat_wind = WIND_INDICES[WINDS.index(circumstances.seat)]
        self.round_wind = WIND_INDICES[WINDS.index(circumstances.round)]
        self.exposed = any(
            not meld.is_concealed or not profile.get("rules.concealed_kong_keeps_concealed", True)
            for meld in hand.melds
        )

    @cached_property
    def whole(self) -> Finds:
        """The whole hand as one find."""
        return (tuple(sorted(self.hand.tiles)),)

    def tiles_of(self, block: Block) -> Tiles:
        """The tiles of a block; red fives are not told apart."""
        return tuple(KINDS[index] for index in block.indices)

    def each(self, blocks: list[Block]) -> Finds:
        """Each block as a find of its own."""
        return tuple(self.tiles_of(block) for block in blocks)

    def together(self, blocks: list[Block], pair: int | None = None) -> Finds:
        """Blocks (and a pair) as one find, in the order of their tiles: how the melds lie makes no other sheet."""
        ordered = sorted(blocks, key=lambda block: block.indices)
        tiles = [tile for block in ordered for tile in self.tiles_of(block)]
        if pair is not None:
            tiles += [KINDS[pair]] * 2
        return (tuple(tiles),)


Predicate: TypeAlias = Callable[[Facts, Reading], Finds]
REGISTRY: Final[dict[str, Predicate]] = {}
"""Predicates by pattern id; every id of `companion.rules.vocabulary` but ``chicken`` has one."""


def _pattern(name: str) -> Callable[[Predicate], Predicate]:
    def register(predicate: Predicate) -> Predicate:
        REGISTRY[name] = predicate
        return predicate

    return register


# -- the form of the sets


def pair_of_chows_hand(facts: Facts, reading: Reading) -> str | None:
    """Why the pair spoils a hand of four chows: ``dragon``, ``seat_wind``, ``round_wind`` or None."""
    get = facts.profile.get
    if reading.pair in DRAGONS and get("rules.pinghu_pair_excludes_dragon"):
        return "dragon"
    if reading.pair == facts.seat_wind and get("rules.pinghu_pair_excludes_seat_wind"):
        return "seat_wind"
    if reading.pair == facts.round_wind and get("rules.pinghu_pair_excludes_round_wind"):
        return "round_wind"
    return None


@_pattern("all_chows")
def _all_chows(facts: Facts, reading: Reading) -> Finds:
    if reading.form != "standard" or reading.chows != 4 or pair_of_chows_hand(facts, reading):
        return NONE
    return facts.whole


def is_all_pungs(reading: Reading) -> bool:
    """Whether the hand is four pungs or kongs and a pair."""
    return reading.form == "standard" and reading.chows == 0


@_pattern("all_pungs")
def _all_pungs(facts: Facts, reading: Reading) -> Finds:
    return facts.whole if is_all_pungs(reading) else NONE


@_pattern("hidden_pungs")
def _hidden_pungs(facts: Facts, reading: Reading) -> Finds:
    """No set was made with another's tile; the pair may be (000: it "no entra en esta consideración")."""
    if not is_all_pungs(reading) or any(block.is_open for block in reading.blocks):
        return NONE
    return facts.whole


@_pattern("four_kongs")
def _four_kongs(facts: Facts, reading: Reading) -> Finds:
    return facts.whole if reading.kongs == 4 else NONE


@_pattern("seven_pairs")
def _seven_pairs(facts: Facts, reading: Reading) -> Finds:
    return facts.whole if reading.form == "seven_pairs" else NONE


@_pattern("thirteen_orphans")
def _thirteen_orphans(facts: Facts, reading: Reading) -> Finds:
    return facts.whole if reading.form == "thirteen_orphans" else NONE


def is_nine_gates_shape(hand: Hand) -> bool:
    """Whether the hand is 1112345678999 of one suit and a fourteenth tile of it, without melds."""
    if hand.melds:
        return False
    return any(
        sum(hand.counts[low : low + 9]) == 14
        and all(have >= need for have, need in zip(hand.counts[low : low + 9], _GATES, strict=True))
        for low in (0, 9, 18)
    )


def is_ninefold_wait(hand: Hand) -> bool:
    """Whether a nine-gates hand was exactly 1112345678999 before the winning tile."""
    if hand.winning is None or hand.winning.index is None or not hand.winning.is_suited:
        return False
    low = hand.winning.index // 9 * 9
    before = list(hand.counts[low : low + 9])
    before[hand.winning.index - low] -= 1
    return tuple(before) == _GATES


@_pattern("nine_gates")
def _nine_gates(facts: Facts, reading: Reading) -> Finds:
    if reading.form != "standard" or not is_nine_gates_shape(facts.hand):
        return NONE
    if facts.profile.get("rules.nine_gates", "any") == "pure" and not is_ninefold_wait(facts.hand):
        return NONE
    return facts.whole


# -- which tiles the hand is made of


@_pattern("half_flush")
def _half_flush(facts: Facts, reading: Reading) -> Finds:
    return facts.whole if len(facts.suits) == 1 and facts.honours else NONE


@_pattern("full_flush")
def _full_flush(facts: Facts, reading: Reading) -> Finds:
    return facts.whole if len(facts.suits) == 1 and not facts.honours else NONE


@_pattern("mixed_terminals")
def _mixed_terminals(facts: Facts, reading: Reading) -> Finds:
    if not facts.suits or not facts.honours or not _ORPHAN_SET.issuperset(facts.present):
        return NONE
    pairs_allowed = facts.profile.get("rules.mixed_terminals_with_seven_pairs", False)
    if is_all_pungs(reading) or (reading.form == "seven_pairs" and pairs_allowed):
        return facts.whole
    return NONE


@_pattern("all_terminals")
def _all_terminals(facts: Facts, reading: Reading) -> Finds:
    if is_all_pungs(reading) and _TERMINALS.issuperset(facts.present):
        return facts.whole
    return NONE


@_pattern("all_honours")
def _all_honours(facts: Facts, reading: Reading) -> Finds:
    if facts.suits:
        return NONE
    pairs_allowed = facts.profile.get("rules.all_honours_with_seven_pairs", True)
    if is_all_pungs(reading) or (reading.form == "seven_pairs" and pairs_allowed):
        return facts.whole
    return NONE


def _dragon_hand(name: str) -> None:
    dragon, low = _DRAGON_HANDS[name]

    @_pattern(name)
    def found(facts: Facts, reading: Reading) -> Finds:
        if not is_all_pungs(reading):
            return NONE
        others = [block for block in reading.blocks if block.base != dragon]
        if len(others) != 3 or any(not low <= block.base < low + 9 for block in others):
            return NONE
        any_pair = facts.profile.get("rules.dragon_hand_pair", "suit") == "any"
        return facts.whole if any_pair or low <= reading.pair < low + 9 else NONE


for _name in _DRAGON_HANDS:
    _dragon_hand(_name)


# -- sets of honours


@_pattern("dragon_pung")
def _dragon_pung(facts: Facts, reading: Reading) -> Finds:
    return facts.each(reading.pungs_of(DRAGONS)) if facts.honours else NONE


@_pattern("seat_wind")
def _seat_wind(facts: Facts, reading: Reading) -> Finds:
    return facts.each(reading.pungs_of((facts.seat_wind,))) if facts.honours else NONE


@_pattern("round_wind")
def _round_wind(facts: Facts, reading: Reading) -> Finds:
    return facts.each(reading.pungs_of((facts.round_wind,))) if facts.honours else NONE


def _family(facts: Facts, reading: Reading, family: tuple[int, ...], *, big: bool) -> Finds:
    """All pungs of a family, or all but one with the last as the pair."""
    if not facts.honours:
        return NONE
    pungs = reading.pungs_of(family)
    if big:
        return facts.together(pungs) if len(pungs) == len(family) else NONE
    if len(pungs) == len(family) - 1 and reading.pair in family:
        return facts.together(pungs, reading.pair)
    return NONE


@_pattern("small_dragons")
def _small_dragons(facts: Facts, reading: Reading) -> Finds:
    return _family(facts, reading, DRAGONS, big=False)


@_pattern("big_dragons")
def _big_dragons(facts: Facts, reading: Reading) -> Finds:
    return _family(facts, reading, DRAGONS, big=True)


@_pattern("small_winds")
def _small_winds(facts: Facts, reading: Reading) -> Finds:
    return _family(facts, reading, WIND_INDICES, big=False)


@_pattern("big_winds")
def _big_winds(facts: Facts, reading: Reading) -> Finds:
    return _family(facts, reading, WIND_INDICES, big=True)


# -- how the winning tile came


def _winning(facts: Facts) -> Finds:
    return ((facts.hand.winning,),) if facts.hand.winning is not None else ((),)


@_pattern("self_draw")
def _self_draw(facts: Facts, reading: Reading) -> Finds:
    return _winning(facts) if facts.circumstances.is_self_draw else NONE


@_pattern("concealed_discard")
def _concealed_discard(facts: Facts, reading: Reading) -> Finds:
    return NONE if facts.circumstances.is_self_draw or facts.exposed else facts.whole


@_pattern("kong_replacement")
def _kong_replacement(facts: Facts, reading: Reading) -> Finds:
    return _winning(facts) if facts.circumstances.kong_draw and facts.hand.kongs else NONE


@_pattern("rob_kong")
def _rob_kong(facts: Facts, reading: Reading) -> Finds:
    return _winning(facts) if facts.circumstances.rob_kong else NONE


@_pattern("last_tile")
def _last_tile(facts: Facts, reading: Reading) -> Finds:
    now = facts.circumstances
    if now.kong_draw and not facts.profile.get("rules.last_tile_with_kong_draw", True):
        return NONE
    return _winning(facts) if now.last_tile else NONE


@_pattern("last_discard")
def _last_discard(facts: Facts, reading: Reading) -> Finds:
    """A robbed tile is no discard; and no kong can be made when no replacement is left."""
    now = facts.circumstances
    claimable = facts.profile.get("rules.last_discard_claim", "win") == "win"
    return _winning(facts) if now.last_discard and claimable and not now.rob_kong else NONE


@_pattern("quick_hand")
def _quick_hand(facts: Facts, reading: Reading) -> Finds:
    """In the first go-around by self-draw; nobody discards before East's turn, so East has claimed nothing."""
    now = facts.circumstances
    if not (now.first_turn and now.is_self_draw):
        return NONE
    return NONE if now.is_dealer and facts.hand.is_open else facts.whole


@_pattern("dealt_hand")
def _dealt_hand(facts: Facts, reading: Reading) -> Finds:
    """The dealer's fourteen tiles "tal cual": a declared kong would have drawn another tile."""
    now = facts.circumstances
    if not (now.first_turn and now.is_dealer and now.is_self_draw) or facts.hand.melds:
        return NONE
    return NONE if now.kong_draw else facts.whole


@_pattern("dealer_first_discard")
def _dealer_first_discard(facts: Facts, reading: Reading) -> Finds:
    """On the dealer's first discard nobody has laid anything down yet."""
    now = facts.circumstances
    if not now.first_turn or now.is_dealer or now.is_self_draw or now.rob_kong or facts.hand.melds:
        return NONE
    return facts.whole if now.discarder in {None, "E"} else NONE


@_pattern("own_first_draw")
def _own_first_draw(facts: Facts, reading: Reading) -> Finds:
    now = facts.circumstances
    if not now.first_turn or now.is_dealer or not now.is_self_draw or now.kong_draw:
        return NONE
    return facts.whole


# -- flowers and seasons


def _bonus_in_play(facts: Facts) -> Tiles:
    return facts.hand.bonus if facts.profile.get("rules.bonus_tiles", True) else ()


@_pattern("own_flower")
def _own_flower(facts: Facts, reading: Reading) -> Finds:
    number = WINDS.index(facts.circumstances.seat) + 1
    return tuple((tile,) for tile in _bonus_in_play(facts) if tile.rank == number)


@_pattern("flower_set")
def _flower_set(facts: Facts, reading: Reading) -> Finds:
    bonus = _bonus_in_play(facts)
    families = (tuple(tile for tile in bonus if tile.suit == suit) for suit in "fg")
    return tuple(family for family in families if len(family) == _BONUS_RANKS)


@_pattern("no_flowers")
def _no_flowers(facts: Facts, reading: Reading) -> Finds:
    if facts.hand.bonus or not facts.profile.get("rules.bonus_tiles", True):
        return NONE
    return ((),)
