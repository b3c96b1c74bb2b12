"""A rule profile: every setting and pattern with its value, its source and how sure it is.

`companion.rules.loader` makes profiles out of files; `companion.rules.schema` tells their form.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from companion.rules.decomposition import Form, Shapes
from companion.rules.vocabulary import Names

DEFAULT_RULES: Final = "hk-old-style"
"""The profile that is taken until somebody names another one."""

HASH_CHARS: Final = 16
"""Hexadecimal digits of the content hash that are kept: enough that two house rules never meet."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a value comes from.

    Attributes:
        document: the number of the rule document (``"002"``), or the id of the house profile.
        term: the words of the document, in its own language.
    """

    document: str
    term: str

    def to_json(self) -> dict[str, str]:
        return {"document": self.document, "term": self.term}


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value of a profile with its story; see `companion.rules.schema`."""

    key: str
    value: Any
    source: Source
    status: str = "stated"
    options: tuple[Any, ...] = ()
    why: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_decided(self) -> bool:
        return self.status == "stated"


@dataclass(frozen=True, slots=True)
class PatternRule:
    """What a profile says of one pattern: its value, names and what it contains.

    `leaf.value` is the faan, ``"limit"``, or 0 where the pattern does not count. `replaces` are the
    patterns that it contains, ``(id, switch)`` where `switch` is "" or the key that must be true.
    """

    id: str
    leaf: Leaf
    names: Names
    replaces: tuple[tuple[str, str], ...] = ()

    @property
    def is_on(self) -> bool:
        return bool(self.leaf.value != 0)

    @property
    def is_limit(self) -> bool:
        return bool(self.leaf.value == "limit")


@dataclass(frozen=True, eq=False)
class Profile:
    """One system of rules, complete and checked; `companion.rules.loader` makes it."""

    id: str
    evaluator: str
    document: str
    names: Names
    about: Names
    parents: tuple[str, ...]
    leaves: Mapping[str, Leaf]
    patterns: Mapping[str, PatternRule]

    def __getitem__(self, key: str) -> Any:
        """The value of a setting by its dotted key: ``profile["rules.minimum"]``."""
        leaf = self.leaves.get(key)
        if leaf is None:
            raise KeyError(f"profile {self.id} has no setting {key}")
        return leaf.value

    def get(self, key: str, default: Any = None) -> Any:
        leaf = self.leaves.get(key)
        return default if leaf is None else leaf.value

    @cached_property
    def hash(self) -> str:
        """Hash of everything that can change a result; names, sources and reasons do not count."""
        content = {
            "evaluator": self.evaluator,
            "settings": {key: leaf.value for key, leaf in self.leaves.items()},
            "patterns": {
                rule.id: [rule.leaf.value, list(rule.replaces)]
                for rule in self.patterns.values()
                if rule.is_on
            },
        }
        text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:HASH_CHARS]

    @cached_property
    def shapes(self) -> Shapes:
        """Which hands are finished under this profile."""
        forms: frozenset[Form] = frozenset(self.get("rules.forms", ["standard"]))
        return Shapes(
            forms,
            dragon_chow=self.get("rules.dragon_chow", False),
            seven_pairs_quad=self.get("rules.seven_pairs_quad", False),
            quad_may_split=self.get("rules.quad_may_split", True),
            max_chows=self.get("rules.max_chows", 4),
        )

    @cached_property
    def replaced_by(self) -> Mapping[str, frozenset[str]]:
        """For each pattern that is on, the patterns it contains under the switches as they stand."""
        return {
            rule.id: frozenset(
                other for other, switch in rule.replaces if not switch or self[f"rules.{switch}"]
            )
            for rule in self.patterns.values()
            if rule.is_on
        }

    @cached_property
    def flow_data(self) -> Mapping[str, Any]:
        """The ``flow`` table with plain values, nested as in the file."""
        nested: dict[str, Any] = {}
        for key, leaf in self.leaves.items():
            section, _, rest = key.partition(".")
            if section != "flow":
                continue
            *tables, last = rest.split(".")
            inner = nested
            for table in tables:
                inner = inner.setdefault(table, {})
            inner[last] = leaf.value
        return nested

    @property
    def undecided(self) -> tuple[Leaf, ...]:
        """Every value that the documents leave open, to be settled before play."""
        rules = (rule.leaf for rule in self.patterns.values())
        return tuple(leaf for leaf in (*self.leaves.values(), *rules) if not leaf.is_decided)

    @property
    def is_house(self) -> bool:
        """Whether it changes another profile."""
        return bool(self.parents)
