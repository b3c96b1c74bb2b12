"""The one catalogue of translations: what `Text` becomes in Spanish or English."""

from __future__ import annotations

import gettext
import locale
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from companion.text import Text

LANGS = ("es", "en")
"""The languages that are complete; the first is the one a reader gets who asks for neither."""

TRANSLATIONS = Path(__file__).parent / "translations"


@lru_cache(maxsize=len(LANGS))
def catalogue(lang: str) -> gettext.NullTranslations:
    """The compiled catalogue of `lang`; one that changes nothing where none is there."""
    return gettext.translation("messages", TRANSLATIONS, languages=[lang], fallback=True)


def translate(text: Text, lang: str) -> str:
    """`text` as a reader of `lang` ("es" or "en") should see it."""
    return text.render(catalogue(lang).gettext, lang)


def language_of_locale(environ: Mapping[str, str] | None = None) -> str:
    """The language of the machine's locale: Spanish where the locale says so, English elsewhere.

    English, not the first of `LANGS`, is for a terminal whose locale is neither: program output on
    a machine set to, say, "C" or German is expected in English.
    """
    environ = os.environ if environ is None else environ
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environ.get(variable):
            return "es" if value.lower().startswith("es") else "en"
    # Windows sets none of the three; its own setting arrives through the locale module.
    name = locale.getlocale()[0] or ""
    return "es" if name.lower().startswith(("es", "spanish")) else "en"
