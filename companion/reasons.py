"""Why something failed, where the reason comes in English from elsewhere: the system, SQLite, JSON, TOML.

Their sentences are listed here so that the catalogue has them too. One that is not listed stays as it is: what
it says is worth more than the language it says it in.
"""

from __future__ import annotations

import re
from json import JSONDecodeError
from tomllib import TOMLDecodeError
from typing import Final

from companion.text import T, Text

THE_SYSTEM_SAYS: Final = (
    T("No such file or directory"),
    T("Not a directory"),
    T("Is a directory"),
    T("Permission denied"),
    T("Operation not permitted"),
    T("Read-only file system"),
    T("File exists"),
    T("File name too long"),
    T("No space left on device"),
    T("Disk quota exceeded"),
    T("Input/output error"),
    T("Cannot assign requested address"),
)

SQLITE_SAYS: Final = (
    T("attempt to write a readonly database"),
    T("database disk image is malformed"),
    T("database is locked"),
    T("database or disk is full"),
    T("disk I/O error"),
    T("file is not a database"),
    T("unable to open database file"),
)

JSON_SAYS: Final = (
    T("Expecting value"),
    T("Expecting ',' delimiter"),
    T("Expecting ':' delimiter"),
    T("Expecting property name enclosed in double quotes"),
    T("Illegal trailing comma before end of array"),
    T("Illegal trailing comma before end of object"),
    T("Extra data"),
    T("Invalid \\uXXXX escape"),
    T("Unterminated string starting at"),
)

TOML_SAYS: Final = (
    T("Cannot overwrite a value"),
    T("Expected '=' after a key in a key/value pair"),
    T("Expected ']' at the end of a table declaration"),
    T("Expected ']]' at the end of an array declaration"),
    T('Expected "\'"'),
    T("Expected \"'''\""),
    T("Expected newline or end of document after a statement"),
    T("Invalid date or datetime"),
    T("Invalid initial character for a key part"),
    T("Invalid statement"),
    T("Invalid value"),
    T("Unclosed array"),
    T("Unclosed inline table"),
    T("Unescaped '\\' in a string"),
    T("Unterminated string"),
)

_TOML_PLACE: Final = re.compile(r"(.*) \(at line (\d+), column (\d+)\)", re.DOTALL)
_TOML_END: Final = re.compile(r"(.*) \(at end of document\)", re.DOTALL)


def system_says(error: OSError) -> Text:
    """Why the system refused."""
    return T(error.strerror or str(error) or type(error).__name__)


def database_says(error: Exception) -> Text:
    """Why SQLite refused; `error` is a `sqlite3.Error`."""
    return T(str(error))


def json_says(error: ValueError | RecursionError) -> Text:
    """Where a text is no JSON, and why.

    Beside `JSONDecodeError` Python's reader raises `RecursionError` for what is nested too deep, and `ValueError` for
    numbers with thousands of digits.
    """
    if isinstance(error, RecursionError):
        return T("it is nested too deep")
    if not isinstance(error, JSONDecodeError):
        return T("a number has too many digits")
    if "\n" not in error.doc.strip():  # a line of JSON Lines, whose number its reader says
        return T("%(reason)s at column %(column)s", reason=T(error.msg), column=error.colno)
    return T(
        "%(reason)s at line %(line)s, column %(column)s",
        reason=T(error.msg),
        line=error.lineno,
        column=error.colno,
    )


def toml_says(error: TOMLDecodeError | UnicodeDecodeError) -> Text:
    """Where a file is no TOML, and why."""
    if isinstance(error, UnicodeDecodeError):
        return T("it is not written in UTF-8")
    said = str(error)
    if found := _TOML_PLACE.fullmatch(said):
        reason, line, column = found.groups()
        return T(
            "%(reason)s at line %(line)s, column %(column)s",
            reason=T(reason),
            line=line,
            column=column,
        )
    if found := _TOML_END.fullmatch(said):
        return T("%(reason)s at the end of the file", reason=T(found.group(1)))
    return T(said)
