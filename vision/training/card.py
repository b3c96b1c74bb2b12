"""Fill the generated parts of the model card: the figures, and the list of the data with terms and credits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vision.measure.tables import as_text


def fill_card(path: Path, report: dict[str, Any], data: Sequence[dict[str, str]]) -> None:
    """Replace what stands between ``<!-- figures -->`` and its end mark, and between those of ``data``.

    Args:
        path: of the card.
        report: of `scripts/evaluate.py`.
        data: entries of the manifest: ``name, what, licence, credit``.

    Raises:
        ValueError: if a mark is missing.
    """
    card = path.read_text(encoding="utf-8")
    card = _replaced(card, "figures", f"```\n{as_text(report)}\n```")
    rows = [
        f"| {each['name']} | {each['what']} | {each['licence']} | {each['credit']} |"
        for each in data
    ]
    table = "\n".join(["| data | what | licence | credit |", "|---|---|---|---|", *rows])
    path.write_text(_replaced(card, "data", table), encoding="utf-8")


def _replaced(card: str, name: str, content: str) -> str:
    start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if start not in card or end not in card:
        raise ValueError(f"the model card has no {start} ... {end}")
    head, rest = card.split(start, 1)
    return f"{head}{start}\n{content}\n{end}{rest.split(end, 1)[1]}"
