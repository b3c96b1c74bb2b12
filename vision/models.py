"""Where the networks are, and whether they are the ones the manifest vouches for."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.text import GorrionError, T, Text

FINDER: Final = "finder.onnx"
REFINER: Final = "refiner.onnx"
NAMER: Final = "namer.onnx"
MANIFEST: Final = "manifest.json"
ENVIRONMENT: Final = "GORRION_MODELS"

FITTED: Final = {"faces": 4, "backs": 4, "faces_among": 9, "backs_among": 9, "plain": 3}
"""Weights of `vision.judge`, `vision.company` and `vision.plain` in a manifest, fitted to its models, and how many
numbers each has."""

_PACKAGE: Final = Path(__file__).resolve().parent


class ModelError(GorrionError):
    """A model is missing or is not the one in the manifest: a failure of the installation, not of the input."""

    def __init__(self, text: Text, code: str) -> None:
        super().__init__(text, code, status=500, exit_code=1)


@dataclass(frozen=True, slots=True)
class ModelState:
    """One model as `check` finds it: ``problem`` is None if it is intact."""

    name: str
    path: Path
    sha256: str | None
    problem: Text | None


def models_dir() -> Path:
    """The folder of the models: ``GORRION_MODELS``, or the installed copy, or ``models/`` of the checkout.

    Raises:
        ModelError: if none of them holds a manifest.
    """
    chosen = os.environ.get(ENVIRONMENT)
    candidates = [Path(chosen)] if chosen else [_PACKAGE / "_models", _PACKAGE.parent / "models"]
    for folder in candidates:
        if (folder / MANIFEST).is_file():
            return folder
    raise ModelError(
        T(
            "the models are not in %(folder)s: install Gorrión again, or set %(variable)s to the folder "
            "that has %(manifest)s",
            folder=str(candidates[-1]),
            variable=ENVIRONMENT,
            manifest=MANIFEST,
        ),
        "no_models",
    )


def load_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a models folder.

    Raises:
        ModelError: if it is missing or is no manifest.
    """
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        for entry in manifest["models"].values():
            _ = entry["sha256"], entry["bytes"]
        for name, numbers in manifest.get("judge", {}).items():
            if len([float(number) for number in numbers]) != FITTED[name]:
                raise ValueError(name)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise ModelError(
            T("%(path)s is missing or damaged: install Gorrión again", path=str(path)),
            "bad_manifest",
        ) from None
    return dict(manifest)


def model_path(name: str, folder: Path | None = None) -> Path:
    """The path of an intact model.

    Args:
        name: `FINDER`, `REFINER` or `NAMER`.
        folder: where to look instead of `models_dir`.

    Raises:
        ModelError: if it is missing or its sha256 is not the manifest's.
    """
    folder = models_dir() if folder is None else folder
    state = _state(name, folder, load_manifest(folder))
    if state.problem is not None:
        raise ModelError(state.problem, "bad_model")
    return state.path


def check(folder: Path | None = None) -> tuple[ModelState, ...]:
    """The state of every model, for `gorrion doctor`.

    Raises:
        ModelError: if there is no readable manifest.
    """
    folder = models_dir() if folder is None else folder
    manifest = load_manifest(folder)
    return tuple(_state(name, folder, manifest) for name in shipped(manifest))


def shipped(manifest: dict[str, Any]) -> tuple[str, ...]:
    """The models that belong to a manifest's set: a finder and a namer always, a refiner where it is listed."""
    return tuple(
        name for name in (FINDER, REFINER, NAMER) if name != REFINER or name in manifest["models"]
    )


def sha256_of(path: Path) -> str:
    """Hexadecimal sha256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _state(name: str, folder: Path, manifest: dict[str, Any]) -> ModelState:
    path = folder / name
    if not path.is_file():
        return ModelState(
            name,
            path,
            None,
            T("the model %(path)s is missing: install Gorrión again", path=str(path)),
        )
    found = sha256_of(path)
    entry = manifest["models"].get(name)
    if entry is None or entry["sha256"] != found:
        return ModelState(
            name,
            path,
            found,
            T(
                "the model %(path)s is not the one its manifest describes: install Gorrión again",
                path=str(path),
            ),
        )
    return ModelState(name, path, found, None)
