"""Why the store refuses: what was asked for is gone, has changed meanwhile, or has nothing to undo."""

from __future__ import annotations

from typing import ClassVar

from companion.text import GorrionError, T


class NotKept(GorrionError):
    """There is nothing of that name (any more)."""

    def __init__(self, text: T, code: str, field: str) -> None:
        super().__init__(text, code=code, field=field, status=404)


class NoSuchDraft(NotKept):
    """There is no sheet of that name (any more)."""

    def __init__(self) -> None:
        super().__init__(
            T("this score sheet does not exist (any more): start a new one"),
            code="no_such_sheet",
            field="id",
        )


class NoSuchGame(NotKept):
    """There is no game of that name."""

    def __init__(self, game: str) -> None:
        super().__init__(
            T('there is no game "%(game)s": choose one of the list', game=game),
            code="no_such_game",
            field="game",
        )


class Stale(GorrionError):
    """The change was made on a version that is no longer the present one."""

    says: ClassVar[T]
    """The sentence, with places for `seen` and `current`."""

    def __init__(self, seen: int, current: int) -> None:
        super().__init__(
            T(self.says.msgid, seen=seen, current=current),
            code="stale",
            field="version",
            status=409,
        )

    @classmethod
    def check(cls, seen: int, current: int) -> None:
        """Raise it unless the version that was seen is the present one."""
        if seen != current:
            raise cls(seen, current)


class StaleEdit(Stale):
    """The edit was made on a version of the sheet that has changed since."""

    says = T(
        "the sheet has changed meanwhile (you saw version %(seen)s, it is now at %(current)s): "
        "look at it again and repeat your change"
    )


class StaleLog(Stale):
    """Somebody else has added an event meanwhile."""

    says = T(
        "the game has gone on meanwhile (you saw event %(seen)s, it is now at %(current)s): "
        "look at it again and repeat your change"
    )


class NothingToUndo(GorrionError):
    """The sheet is as it was at first."""

    def __init__(self) -> None:
        super().__init__(
            T("there is nothing to undo on this sheet"),
            code="nothing_to_undo",
            field="edit",
            status=409,
        )
