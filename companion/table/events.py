"""What can happen at a table, as immutable records with a JSON form.

The form follows mjai, so that its tools are one step away: ``type, actor, target, pai, consumed,
tsumogiri, deltas``, an actor being a seat 0..3 counter-clockwise; tiles are written in MPSZ and an unseen
tile is ``?``. Types that mjai does not have are our own: ``start_hand``, ``flower``,
``replacement_draw``, ``claim_window``, ``observation``, ``correction``, ``win``, ``settle``, ``rotate``,
``penalty``. Nothing is ever edited in place: a `Correction` is one more event.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Literal

from companion.text import GorrionError
from companion.tiles import Tile

SCHEMA: Final = 1
"""Version of the JSON form. Readers accept every older one (`upgrade`)."""

Tiles = tuple[Tile, ...]
Deltas = tuple[int, ...]


class EventError(GorrionError):
    """A line that is no event; the sentence names the key that is wrong."""


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events; `type` is the word in the JSON form."""

    type: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class StartGame(Event):
    """A match begins.

    Attributes:
        names: the players by seat.
        profile: id of the rule profile; `profile_hash` its content hash.
        rounds: rounds agreed on, or 0 for the profile's own number.
        scores: what each player begins with.
        extra: what an imported log says beside that, kept to be written out again.
    """

    type: ClassVar[str] = "start_game"
    names: tuple[str, ...]
    profile: str
    profile_hash: str
    scores: Deltas
    rounds: int = 0
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class StartHand(Event):
    """A hand begins: the wall is open and the tiles are dealt.

    Attributes:
        profile, profile_hash: the rules in force.
        round: wind of the round, a letter.
        east: the seat that is East.
        honba, sticks: repeat counters and riichi sticks on the table.
        scores: by seat.
        dice: the throws that opened the wall, first and second; empty when not known.
        hands: dealt tiles by seat, East with 14; unseen ones are ``?``.
        dora_marker: the first indicator, for systems that have one.
    """

    type: ClassVar[str] = "start_hand"
    profile: str
    profile_hash: str
    round: str
    east: int
    scores: Deltas
    hands: tuple[Tiles, ...]
    honba: int = 0
    sticks: int = 0
    dice: tuple[tuple[int, ...], ...] = ()
    dora_marker: Tile | None = None


@dataclass(frozen=True, slots=True)
class Draw(Event):
    """A tile is drawn from the head of the wall."""

    type: ClassVar[str] = "tsumo"
    actor: int
    pai: Tile


@dataclass(frozen=True, slots=True)
class ReplacementDraw(Event):
    """A tile is drawn for a kong or a bonus tile, from where the profile says."""

    type: ClassVar[str] = "replacement_draw"
    actor: int
    pai: Tile
    reason: Literal["kong", "flower"]


@dataclass(frozen=True, slots=True)
class Flower(Event):
    """A bonus tile is laid open; its replacement follows."""

    type: ClassVar[str] = "flower"
    actor: int
    pai: Tile


@dataclass(frozen=True, slots=True)
class Discard(Event):
    """A tile is discarded; `tsumogiri` if it is the one just drawn, None when nobody saw."""

    type: ClassVar[str] = "dahai"
    actor: int
    pai: Tile
    tsumogiri: bool | None = None


@dataclass(frozen=True, slots=True)
class Claim(Event):
    """A discard joins tiles of the claimer's hand: the common form of chow, pung and claimed kong."""

    kind: ClassVar[Literal["chow", "pung", "kong"]]
    actor: int
    target: int
    pai: Tile
    consumed: Tiles


@dataclass(frozen=True, slots=True)
class Chow(Claim):
    """A discard is claimed for a run."""

    type: ClassVar[str] = "chi"
    kind = "chow"


@dataclass(frozen=True, slots=True)
class Pung(Claim):
    """A discard is claimed for three alike."""

    type: ClassVar[str] = "pon"
    kind = "pung"


@dataclass(frozen=True, slots=True)
class ClaimedKong(Claim):
    """A discard is claimed for four alike."""

    type: ClassVar[str] = "daiminkan"
    kind = "kong"


@dataclass(frozen=True, slots=True)
class ConcealedKong(Event):
    """Four alike of the hand are declared."""

    type: ClassVar[str] = "ankan"
    actor: int
    consumed: Tiles


@dataclass(frozen=True, slots=True)
class AddedKong(Event):
    """A tile of the hand joins an exposed pung (`consumed`)."""

    type: ClassVar[str] = "kakan"
    actor: int
    pai: Tile
    consumed: Tiles


@dataclass(frozen=True, slots=True)
class Riichi(Event):
    """A player says riichi; his discard follows."""

    type: ClassVar[str] = "reach"
    actor: int


@dataclass(frozen=True, slots=True)
class RiichiAccepted(Event):
    """The riichi discard was not won on: a stick is on the table.

    Attributes:
        actor: who laid it.
        stake: its points; None for what a stick is worth under the rules.
    """

    type: ClassVar[str] = "reach_accepted"
    actor: int
    stake: int | None = None


@dataclass(frozen=True, slots=True)
class Dora(Event):
    """One more indicator is turned over."""

    type: ClassVar[str] = "dora"
    dora_marker: Tile


@dataclass(frozen=True, slots=True)
class ClaimWindow(Event):
    """The time in which a discard can be claimed: `open` for `seats`, then closed."""

    type: ClassVar[str] = "claim_window"
    open: bool
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Win(Event):
    """A player says that his hand is complete and shows it.

    Attributes:
        actor: who wins; `target` whose tile it was, the actor himself on a self-draw.
        pai: the winning tile.
        hand: his concealed tiles with the winning tile; empty when not seen.
        by: how the tile came.
        claimed, computed: worth as declared by the winner and as the rules have it, in the system's own
            unit (faan, han or points); None when not known.
        can_win: whether the rules let this hand win; a false win is an event too.
        ura_markers: indicators under the dora that a riichi winner turns over.
        breakdown: the score sheet as `companion.rules` writes it.
    """

    type: ClassVar[str] = "win"
    actor: int
    target: int
    pai: Tile
    by: Literal["discard", "self-draw", "rob-kong", "kong-draw"]
    hand: Tiles = ()
    claimed: int | None = None
    computed: int | None = None
    can_win: bool | None = None
    ura_markers: Tiles = ()
    breakdown: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class DrawnHand(Event):
    """The hand ends without a winner.

    Attributes:
        reason: ``exhausted`` wall, ``replay`` after a false win, or one of the abortive draws of
            `companion.rules.flow.data.Abort`.
        tenpai: the seats that were one tile short, where the system asks.
    """

    type: ClassVar[str] = "ryukyoku"
    reason: str
    tenpai: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Settle(Event):
    """Points or chips change hands; `deltas` by seat add up to zero but for sticks taken or laid."""

    type: ClassVar[str] = "settle"
    deltas: Deltas
    sticks: int = 0


@dataclass(frozen=True, slots=True)
class Rotate(Event):
    """The standing for the next hand."""

    type: ClassVar[str] = "rotate"
    east: int
    round: int
    streak: int
    honba: int = 0
    over: bool = False


@dataclass(frozen=True, slots=True)
class Penalty(Event):
    """A player pays for an error, or plays on with a dead hand.

    Attributes:
        kind: ``false-win``, ``wrong-count``, ``chombo`` or another word of the profile.
        deltas: what changes hands at once; all zero if nothing does.
        dead: his hand can't win any more.
    """

    type: ClassVar[str] = "penalty"
    actor: int
    kind: str
    deltas: Deltas = (0, 0, 0, 0)
    dead: bool = False


@dataclass(frozen=True, slots=True)
class Observation(Event):
    """Something that was seen and is no move: a cup on the table, tiles that do not match."""

    type: ClassVar[str] = "observation"
    what: str
    pai: Tile | None = None
    actor: int | None = None


@dataclass(frozen=True, slots=True)
class Correction(Event):
    """Earlier events are taken back, replaced or joined by others.

    Attributes:
        refers: `Entry.ref` of the event, or of a correction to be taken back.
        how: ``replace`` it by `events` (none: take it back), or ``before`` / ``after`` it insert them.
        events: what stands there instead.
        why: a word for people.
    """

    type: ClassVar[str] = "correction"
    refers: str
    how: Literal["replace", "before", "after"] = "replace"
    events: tuple[Event, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class EndGame(Event):
    """The match is over."""

    type: ClassVar[str] = "end_game"
    scores: Deltas = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """An event in the log, with where it came from.

    Attributes:
        seq: number in the log, from 1; never reused.
        event: what happened.
        at_ms: milliseconds since the match began, or None.
        frame: the picture that showed it, or None.
        confidence: 0..1; 1 for what a person entered or a program dealt.
        part: for an event that came in a correction, its number in there.
    """

    seq: int
    event: Event
    at_ms: int | None = None
    frame: int | None = None
    confidence: float = 1.0
    part: int | None = None

    @property
    def ref(self) -> str:
        """How a correction refers to it: ``"12"``, or ``"15.0"`` for the first event of correction 15."""
        return str(self.seq) if self.part is None else f"{self.seq}.{self.part}"


EVENT_TYPES: Final[Mapping[str, type[Event]]] = {
    cls.type: cls
    for cls in (
        StartGame, StartHand, Draw, ReplacementDraw, Flower, Discard, Chow, Pung, ClaimedKong,
        ConcealedKong, AddedKong, Riichi, RiichiAccepted, Dora, ClaimWindow, Win, DrawnHand, Settle,
        Rotate, Penalty, Observation, Correction, EndGame,
    )
}  # fmt: skip
