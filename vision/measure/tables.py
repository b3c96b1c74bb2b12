"""The figures of `scripts/evaluate.py` as tables for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def as_text(report: dict[str, Any]) -> str:
    """All tables of a report."""
    parts = [f"part: {report['part']}"]
    if "photos" in report:
        parts += _photos(report["photos"])
    if "shop_tiles" in report:
        parts += ["Single shop faces", _table(_HEAD, [_row("shop-tiles", report["shop_tiles"])])]
    if "tile_free" in report:
        parts += _tile_free(report["tile_free"])
    if "renders" in report:
        parts += _renders(report["renders"])
    return "\n\n".join(parts)


_HEAD = ("", "images", "labels", "found", "right/labels", "right/found", "exact", "ECE")


def _row(name: str, tally: dict[str, Any]) -> tuple[str, ...]:
    shares = ("found", "right_of_labels", "right_of_found", "exact_images")
    return (
        name,
        str(tally["images"]),
        str(tally["labels"]),
        *(percent(tally[share]) for share in shares),
        f"{tally['ece']:.3f}",
    )


def _photos(photos: dict[str, Any]) -> list[str]:
    rows = [_row(name, tally) for name, tally in photos["by_part"].items()]
    rows.append(_row("all photographs", photos["total"]))
    if "strict" in photos:
        rows.append(_row("(by upright bounds alone)", photos["strict"]))
    return [
        "Labelled photographs (red fives count as fives)",
        _table(_HEAD, rows),
        "By set",
        _table(_HEAD, [_row(name, tally) for name, tally in photos["by_set"].items()]),
        "By the label's shorter side (each tile counted as an image)",
        _table(_HEAD, [_row(name, tally) for name, tally in photos["by_size"].items()]),
        "By kind",
        _table(
            ("kind", "labels", "found", "right/labels", "most often taken for"),
            [
                (
                    name,
                    str(tally["labels"]),
                    percent(tally["found"]),
                    percent(tally["right_of_labels"]),
                    "  ".join(f"{b} {n}" for _, b, n in tally["confusion"]),
                )
                for name, tally in photos["by_label"].items()
            ],
        ),
        "Most frequent mistakes (label -> name: times)\n  "
        + _wrapped(f"{a} -> {b}: {n}" for a, b, n in photos["total"]["confusion"][:40]),
        "Worst images (wrong or missed of labels)\n"
        + "\n".join(f"  {n:3} of {of:3}  {image}" for n, of, image in photos["worst_images"][:12]),
    ]


def _tile_free(found: dict[str, Any]) -> list[str]:
    detail = ", ".join(f"{name} {n} on {of}" for name, (n, of) in found["by_prefix"].items())
    return [
        f"Tile-free photographs: {found['false_finds']} false finds on {found['images']} pictures "
        f"({found['per_image']} a picture): {detail}"
    ]


def _renders(renders: dict[str, Any]) -> list[str]:
    names = {
        "images": "images",
        "tiles": "tiles",
        "recall_50": "found, IoU 0.5",
        "recall_75": "found, IoU 0.75",
        "faces_found": "faces found",
        "backs_found": "backs found",
        "right_of_tiles": "right of tiles",
        "right_of_found": "right of found",
        "false_share": "false finds of finds",
        "exact_images": "exact images",
        "corner_error_median": "corner error / width, median",
        "corner_error_p90": "corner error / width, 90 %",
        "red_five_right": "red five told",
        "plain_five_right": "plain five told",
        "back_right": "back told",
        "face_right": "face told",
        "direction_right": "reading direction",
        "ece": "ECE",
    }
    plain_numbers = {"images", "tiles", "corner_error_median", "corner_error_p90", "ece"}
    rows = [
        (
            title,
            *(
                str(score[key]) if key in plain_numbers else percent(score[key])
                for score in renders.values()
            ),
        )
        for key, title in names.items()
    ]
    mistakes = [
        f"Most frequent mistakes, {name}\n  "
        + _wrapped(f"{a} -> {b}: {n}" for a, b, n in score["confusion"][:30])
        for name, score in renders.items()
    ]
    designs = [
        f"Right of tiles by design, none of them trained on, {name}\n  "
        + _wrapped(
            f"{design} {percent(right)} of {n}" for design, (n, right) in score["by_design"].items()
        )
        for name, score in renders.items()
    ]
    return ["Renders", _table(("", *renders), rows), *designs, *mistakes]


def percent(share: float | None) -> str:
    """A share in per cent with one decimal, a dash for none."""
    return "-" if share is None else f"{100 * share:.1f}"


def _wrapped(words: Iterable[str], width: int = 110) -> str:
    lines, line = [], ""
    for word in words:
        if line and len(line) + len(word) > width:
            lines.append(line)
            line = ""
        line += ("   " if line else "") + word
    return "\n  ".join([*lines, line])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
    lines = [
        "  ".join(
            cell.ljust(width) if k == 0 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (head, *rows)
    ]
    return "\n".join(lines)
