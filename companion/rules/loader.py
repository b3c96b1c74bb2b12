"""Reading profiles: files, inheritance, and errors that name the file, the key and what is allowed.

The form of the files is told in `companion.rules.schema`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from companion.reasons import toml_says
from companion.rules.profile import Leaf, Profile
from companion.rules.schema import (
    FREE_SECTIONS,
    SCHEMA_VERSION,
    SECTIONS,
    SETTINGS,
    TOP_KEYS,
    needed_keys,
    obeys,
)
from companion.rules.story import LANGUAGES, ProfileError, read_leaf, read_pattern, refuse
from companion.rules.vocabulary import Names
from companion.text import T

EVALUATORS: Final = ("faan", "points", "riichi", "mcr")
"""The ways of counting that a profile may name; `companion.rules.scoring` holds those that are there."""
_MAX_PARENTS: Final = 8
_MAX_FILE_BYTES: Final = 1 << 20


def list_profiles() -> tuple[str, ...]:
    """Ids of the profiles that come with the program."""
    folder = resources.files("companion.rules") / "profiles"
    return tuple(sorted(f.name[:-5] for f in folder.iterdir() if f.name.endswith(".toml")))


def load_profile(id_or_path: str | Path) -> Profile:
    """The profile of that id, or of that file.

    Raises:
        ProfileError: when there is none, or when the file is wrong.
    """
    if isinstance(id_or_path, str) and id_or_path in list_profiles():
        return _packaged(id_or_path)
    path = Path(id_or_path)
    if path.suffix != ".toml" and not path.is_file():
        text = T(
            'there are no rules called "%(given)s": use one of %(known)s, or a file that ends in .toml',
            given=str(id_or_path),
            known=list_profiles(),
        )
        raise ProfileError(text, code="unknown_rules", field="rules")
    return _resolve(_read_file(path), str(path), path.parent, (str(path.resolve()),))


def parse_profile(text: str, file: str, folder: Path | None = None) -> Profile:
    """Read a profile from its text; `file` is what errors call it, `folder` where parents are sought.

    Raises:
        ProfileError: naming the file, the key and the allowed values.
    """
    return _resolve(_parse(text, file), file, folder, (file,))


@lru_cache(maxsize=64)
def _packaged(name: str) -> Profile:
    file = f"{name}.toml"
    folder = resources.files("companion.rules") / "profiles"
    return _resolve(_parse((folder / file).read_text("utf-8"), file), file, None, (file,))


def _read_file(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            raise ProfileError(
                T("%(file)s is too large for a profile: give a TOML file of rules", file=str(path)),
                code="bad_profile",
                field="rules",
            )
        return _parse(path.read_text("utf-8-sig"), str(path))
    except FileNotFoundError as error:
        text = T("there is no file %(file)s: give the path of a profile", file=str(path))
        raise ProfileError(text, code="no_file", field="rules") from error
    except (OSError, UnicodeDecodeError) as error:
        text = T(
            "can't read %(file)s: a profile is a TOML text file that you may read", file=str(path)
        )
        raise ProfileError(text, code="bad_profile", field="rules") from error


def _parse(text: str, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = T("%(file)s is not TOML: %(detail)s", file=file, detail=toml_says(error))
        raise ProfileError(message, code="bad_profile", field="rules") from error


def change_profile(profile: Profile, changes: Mapping[str, Any], name: str = "house") -> Profile:
    """A house profile made of another one and values by dotted key.

    Args:
        profile: the parent.
        changes: for example ``{"rules.minimum": 1, "patterns.dragon_pung": 1}``.
        name: the id of the new profile; errors call it that too.

    Raises:
        ProfileError: naming the key and the allowed values.
    """
    raw: dict[str, Any] = {"id": name}
    for key, value in changes.items():
        *tables, last = key.split(".")
        inner = raw
        for table in tables:
            inner = inner.setdefault(table, {})
        inner[last] = value
    return _overlay(raw, name, profile)


def _resolve(
    raw: dict[str, Any], file: str, folder: Path | None, trail: tuple[str, ...]
) -> Profile:
    """Check one file's tables and lay them over its parent's."""
    _check_top(raw, file)
    return _overlay(raw, file, _parent(raw.get("parent"), file, folder, trail))


def _overlay(raw: dict[str, Any], file: str, parent: Profile | None) -> Profile:
    if parent is None and raw.get("evaluator") not in EVALUATORS:
        refuse(file, "evaluator", T("one of %(choices)s", choices=EVALUATORS), raw.get("evaluator"))
    evaluator: str = raw.get("evaluator") or (parent.evaluator if parent else "")
    if parent is not None and evaluator != parent.evaluator:
        refuse(file, "evaluator", T("that of its parent, %(it)s", it=parent.evaluator), evaluator)
    own_id = raw.get("id") or (Path(file).stem if parent is not None else None)
    if not isinstance(own_id, str) or not own_id:
        refuse(file, "id", T("a name of its own"), own_id)
    document: str = raw.get("document", own_id)
    leaves = dict(parent.leaves) if parent else {}
    patterns = dict(parent.patterns) if parent else {}
    for section, table in raw.items():
        if section in TOP_KEYS:
            continue
        if section == "patterns":
            for pattern, value in _table(table, file, section).items():
                if not obeys(evaluator, f"patterns.{pattern}"):
                    refuse(
                        file, f"patterns.{pattern}", T("nothing: there are no patterns here"), value
                    )
                patterns[pattern] = read_pattern(
                    pattern, value, patterns.get(pattern), document, file
                )
        elif section in SECTIONS or section in FREE_SECTIONS:
            for leaf in _leaves(section, _table(table, file, section), document, file):
                _check_place(leaf.key, leaves, file)
                _check_obeyed(leaf, parent, evaluator, file)
                leaves[leaf.key] = leaf
        else:
            allowed = (*TOP_KEYS, "patterns", *sorted(SECTIONS), *FREE_SECTIONS)
            refuse(file, section, T("only %(keys)s", keys=allowed), None)
    profile = Profile(
        id=own_id,
        evaluator=evaluator,
        document=document,
        names=_names(raw.get("names"), parent, own_id, file),
        about=_about(raw.get("about"), parent),
        parents=(parent.id, *parent.parents) if parent else (),
        leaves=leaves,
        patterns=patterns,
    )
    _check_whole(profile, file)
    return profile


def _check_top(raw: dict[str, Any], file: str) -> None:
    if raw.get("schema", SCHEMA_VERSION) != SCHEMA_VERSION:
        refuse(file, "schema", T("%(version)s", version=SCHEMA_VERSION), raw["schema"])
    for key in ("id", "parent", "evaluator", "document"):
        if key in raw and not isinstance(raw[key], str):
            refuse(file, key, T("a text"), raw[key])
    for key in ("names", "about"):
        table = raw.get(key, {})
        if not isinstance(table, dict) or not all(
            lang in LANGUAGES and isinstance(text, str) for lang, text in table.items()
        ):
            refuse(file, key, T("a table of texts by language: %(langs)s", langs=LANGUAGES), table)


def _parent(
    given: str | None, file: str, folder: Path | None, trail: tuple[str, ...]
) -> Profile | None:
    if given is None:
        return None
    if given in list_profiles():
        if f"{given}.toml" in trail:
            raise ProfileError(_cycle(file, (*trail, given)), code="bad_profile", field="parent")
        return _packaged(given)
    path = (folder / given if folder else Path(given)).resolve()
    if str(path) in trail or len(trail) > _MAX_PARENTS:
        names = (*(Path(name).name for name in trail), path.name)
        raise ProfileError(_cycle(file, names), code="bad_profile", field="parent")
    if not path.is_file():
        allowed = T("a file beside it, or one of %(known)s", known=list_profiles())
        refuse(file, "parent", allowed, given)
    return _resolve(_read_file(path), str(path), path.parent, (*trail, str(path)))


def _cycle(file: str, names: Iterable[str]) -> T:
    return T(
        "%(file)s: parent: the profiles go round in a circle (%(names)s); let one of them have no parent",
        file=file,
        names=" -> ".join(names),
    )


def _leaves(section: str, table: Mapping[str, Any], document: str, file: str) -> list[Leaf]:
    """Flatten a table of settings into leaves with dotted keys."""
    found = []
    for name, value in table.items():
        key = f"{section}.{name}"
        if isinstance(value, dict) and "value" not in value:
            if section.partition(".")[0] in FREE_SECTIONS or _is_prefix(key):
                found += _leaves(key, value, document, file)
                continue
            refuse(file, f"{key}.value", T("a value"), None)
        if section.partition(".")[0] not in FREE_SECTIONS and key not in SETTINGS:
            known = tuple(k.partition(".")[2] for k in SETTINGS if k.startswith(f"{section}."))
            refuse(file, key, T("only %(keys)s", keys=known), None)
        found.append(read_leaf(key, value, document, file))
    return found


def _check_place(key: str, leaves: Mapping[str, Leaf], file: str) -> None:
    """A value may not stand where the parent has a table, nor a table where it has a value."""
    if key.count(".") < 2 and key.partition(".")[0] in FREE_SECTIONS:
        refuse(file, key, T("a table"), None)
    for known in leaves:
        if known.startswith(f"{key}."):
            refuse(file, key, T("a table"), None)
        if key.startswith(f"{known}."):
            refuse(file, known, T("a value, not a table: write { value = ... }"), None)


def _check_obeyed(leaf: Leaf, parent: Profile | None, evaluator: str, file: str) -> None:
    """A table may not change what its parent's way of counting doesn't go by: it would change nothing."""
    if parent is None or obeys(evaluator, leaf.key):
        return
    fixed = parent.get(leaf.key)
    if fixed is None:
        text = T(
            "%(file)s: %(key)s changes nothing here: leave it out, hands are not counted by it",
            file=file,
            key=leaf.key,
        )
        raise ProfileError(text, code="bad_profile", field=leaf.key)
    if leaf.value != fixed:
        as_written = json.dumps(fixed, ensure_ascii=False)
        text = T("only %(it)s: these rules know no other", it=as_written)
        refuse(file, leaf.key, text, leaf.value)


def _is_prefix(key: str) -> bool:
    return any(known.startswith(f"{key}.") for known in SETTINGS)


def _names(
    given: Mapping[str, str] | None, parent: Profile | None, own_id: str, file: str
) -> Names:
    given = given or {}
    if parent is None and not {"es", "en"} <= set(given):
        refuse(file, "names", T("a name in es and en"), given)
    other = given.get("en") or given.get("es") or own_id
    return Names(given.get("es", other), given.get("en", other), given.get("zh", ""))


def _about(given: Mapping[str, str] | None, parent: Profile | None) -> Names:
    if given:
        other = given.get("en") or given.get("es", "")
        return Names(given.get("es", other), given.get("en", other), given.get("zh", ""))
    return parent.about if parent else Names("", "")


def _check_whole(profile: Profile, file: str) -> None:
    """What can only be judged when parent and changes are together."""
    for key in needed_keys(profile.evaluator, profile.get("payment.kind")):
        if key not in profile.leaves:
            refuse(file, key, SETTINGS[key].allowed, None)
    if profile.get("penalties.false_win") == "faan":
        key = "penalties.false_win_faan"
        if key not in profile.leaves:
            refuse(file, key, SETTINGS[key].allowed, None)
    for rule in profile.patterns.values():
        for _, switch in rule.replaces:
            if switch and f"rules.{switch}" not in profile.leaves:
                refuse(file, f"rules.{switch}", T("true or false"), None)
    table, limit = profile.get("payment.table"), profile.get("rules.limit")
    if table is not None and limit is not None and sorted(table) != table:
        refuse(file, "payment.table", T("units that never fall as the faan rise"), table)
    if profile.get("rules.minimum", 0) > (limit if limit is not None else 100):
        allowed = T("no more than rules.limit, %(limit)s", limit=limit)
        refuse(file, "rules.minimum", allowed, profile["rules.minimum"])


def _table(value: Any, file: str, key: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        refuse(file, key, T("a table"), value)
    return value
