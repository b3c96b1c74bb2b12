"""Bring the catalogue up to date with the code: extract, merge, compile; or check that it is.

    python3 scripts/translate.py          update companion/translations, list what has no Spanish
    python3 scripts/translate.py --check  change nothing; fail on anything missing or stale

Needs Babel (.venv/ has it once scripts/test.py has run). Translate in companion/translations/es/
LC_MESSAGES/messages.po; the English one fills itself, since the sentences are English.
"""

from __future__ import annotations

import argparse
import copy
import io
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
TRANSLATIONS = ROOT / "companion" / "translations"
LANGS = ("es", "en")
PACKAGES = ("companion", "vision", "calibration")
METHODS = [("**.py", "python"), ("**/templates/**.*", "jinja2")]
KEYWORDS = {
    "T": None,
    "_": None,
    "gettext": None,
    "lazy_gettext": None,
    "ngettext": (1, 2),
}
HEADER = """\
# Gorrión in the language "{lang}".
msgid ""
msgstr ""
"Language: {lang}\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"""
"""How a new catalogue begins; the plural of one and many is all that Spanish needs here."""
DROPPED = (
    b'"POT-Creation-Date',  # a date would make every run a change
    b'"PO-Revision-Date',
    b'"Generated-By',
    b'"Project-Id-Version',  # and these name nobody in particular
    b'"Report-Msgid-Bugs-To',
    b'"Last-Translator',
    b'"Language-Team',
)
"""Header lines that Babel insists on."""
SOME_DAY = datetime(2026, 1, 1, tzinfo=UTC)
PLACEHOLDER = re.compile(r"%\((\w+)\)")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="change nothing, fail on anything stale"
    )
    check = parser.parse_args().check
    sentences = extract()
    complaints = [each for lang in LANGS for each in update(lang, sentences, check)]
    for complaint in complaints:
        print(complaint)
    if not complaints:
        print(f"{len(sentences)} sentences, complete in {' and '.join(LANGS)}")
    return 1 if complaints else 0


def extract() -> Catalog:
    """Every sentence marked for people in the packages, with the file it stands in."""
    catalogue = Catalog()
    for package in PACKAGES:
        found = extract_from_dir(str(ROOT / package), METHODS, keywords=KEYWORDS)
        for name, _line, sentence, _comments, context in sorted(found, key=lambda each: each[:2]):
            # Without line numbers, or every edit anywhere would change the catalogue.
            catalogue.add(sentence, locations=[(f"{package}/{name}", 0)], context=context)
    return catalogue


def update(lang: str, sentences: Catalog, check: bool) -> list[str]:
    """Merge `sentences` into the catalogue of `lang` and compile it; what is wrong with it, in words."""
    path = TRANSLATIONS / lang / "LC_MESSAGES" / "messages.po"
    old = path.read_bytes() if path.exists() else b""
    catalogue = read_po(io.BytesIO(old or HEADER.format(lang=lang).encode()), locale=lang)
    # A guess from a similar sentence would pass for a translation; obsolete ones help nobody.
    catalogue.update(copy.deepcopy(sentences), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    catalogue.fuzzy = False
    if lang == "en":
        for message in _messages(catalogue):
            message.string = message.id
    complaints = [
        f"{lang}: {fault}" for message in _messages(catalogue) for fault in faults(message)
    ]
    for name, data in (("messages.po", _po(catalogue)), ("messages.mo", _mo(catalogue))):
        target = path.with_name(name)
        if target.exists() and target.read_bytes() == data:
            continue
        if check:
            complaints.append(f"{lang}: {name} is stale: run scripts/translate.py and commit it")
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    return complaints


def faults(message: Message) -> Iterator[str]:
    """What is wrong with one translation: missing, or other placeholders than the English has."""
    ids = message.id if isinstance(message.id, tuple) else (message.id,)
    strings = message.string if isinstance(message.string, tuple) else (message.string,)
    if not all(strings):
        yield f"no translation: {ids[0]!r}"
        return
    wanted = {name for each in ids for name in PLACEHOLDER.findall(each)}
    for string in strings:
        used = set(PLACEHOLDER.findall(string))
        # A singular may leave its number out ("one tile"); nothing else may differ.
        if used != wanted and not (len(ids) > 1 and used < wanted):
            yield f"placeholders {sorted(used)} instead of {sorted(wanted)}: {ids[0]!r}"


def _messages(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id)


def _po(catalogue: Catalog) -> bytes:
    buffer = io.BytesIO()
    write_po(
        buffer, catalogue, width=100, omit_header=False, sort_output=True, include_lineno=False
    )
    kept = [
        line for line in buffer.getvalue().splitlines(keepends=True) if not line.startswith(DROPPED)
    ]
    return b"".join(kept)


def _mo(catalogue: Catalog) -> bytes:
    buffer = io.BytesIO()
    compiled = read_po(io.BytesIO(_po(catalogue)), locale=catalogue.locale)
    # Babel writes both dates into the header and takes now for a date that isn't there.
    compiled.creation_date = compiled.revision_date = SOME_DAY
    write_mo(buffer, compiled)
    return buffer.getvalue()


if __name__ == "__main__":
    sys.exit(main())
