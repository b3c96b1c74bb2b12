"""Sentences for people, kept apart from the language they will be read in.

Pure code (rules, table, tutor) and the seeing parts say things to people without knowing who reads:
they make a `Text`, the terminal and the page translate it through `companion.catalogue`.

    >>> str(T("%(count)s copies of %(tile)s", count=5, tile="2m"))
    '5 copies of 2m'

`T` is the word that the extractor looks for: write the English sentence as a literal inside
`T(...)`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias


class Named(Protocol):
    """Anything with a name in each language, such as a `Tile` or a `Wind`."""

    def name(self, lang: str, /) -> str: ...


Param: TypeAlias = "str | int | float | Text | Named | tuple[Param, ...]"


@dataclass(frozen=True, slots=True, init=False)
class Text:
    """An English sentence with named placeholders and what fills them; hashable and immutable.

    `msgid` holds `%(name)s` placeholders; a parameter may be a string, a number, another `Text`, a
    `Named` thing, or a tuple of these (joined by commas). Without parameters the sentence is taken
    as it stands, so a lone `%` needs no doubling there; with parameters it is written `%%`.
    """

    msgid: str
    params: tuple[tuple[str, Param], ...]

    def __init__(self, msgid: str, /, **params: Param) -> None:
        object.__setattr__(self, "msgid", msgid)
        object.__setattr__(self, "params", tuple(sorted(params.items())))

    def render(self, gettext: Callable[[str], str], lang: str) -> str:
        """The sentence in `lang`, looked up by `gettext`; parameters are rendered the same way.

        Raises KeyError when a placeholder has no parameter: a mistake in the code, not of a person.
        """
        sentence = gettext(self.msgid)
        if not self.params:
            return sentence
        return sentence % {key: _render(value, gettext, lang) for key, value in self.params}

    def __str__(self) -> str:
        return self.render(lambda msgid: msgid, "en")


T = Text


def _render(value: Param, gettext: Callable[[str], str], lang: str) -> str | int | float:
    if isinstance(value, Text):
        return value.render(gettext, lang)
    if isinstance(value, tuple):
        return ", ".join(str(_render(each, gettext, lang)) for each in value)
    if isinstance(value, (str, int, float)):
        return value
    return value.name(lang)


class GorrionError(Exception):
    """What went wrong, said to a person in one sentence that names it and says what to do.

    `code` is a stable word for programs ("too_many_pixels"), `field` the input that was wrong, and
    `status` the HTTP status. `exit_code` of the terminal is 2 for bad use and 1 for a failure; it
    follows from the status (below 500: bad use) unless it is given.
    """

    def __init__(
        self,
        text: Text,
        code: str,
        field: str | None = None,
        status: int = 400,
        exit_code: int | None = None,
    ) -> None:
        super().__init__(text, code, field, status, exit_code)
        self.text = text
        self.code = code
        self.field = field
        self.status = status
        self.exit_code = exit_code if exit_code is not None else (2 if status < 500 else 1)

    def __str__(self) -> str:
        return str(self.text)
