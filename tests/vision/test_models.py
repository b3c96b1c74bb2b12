import json
from pathlib import Path

import pytest

from vision import models
from vision.models import FINDER, MANIFEST, NAMER, REFINER, ModelError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    entries = {}
    for name in (FINDER, NAMER):
        (tmp_path / name).write_bytes(name.encode())
        entries[name] = {"sha256": models.sha256_of(tmp_path / name), "bytes": len(name)}
    (tmp_path / MANIFEST).write_text(json.dumps({"models": entries}))
    return tmp_path


def test_intact_models_are_given_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GORRION_MODELS", str(folder))
    assert models.models_dir() == folder
    assert models.model_path(FINDER) == folder / FINDER
    assert all(state.problem is None for state in models.check())


def test_a_changed_model_is_refused(folder: Path) -> None:
    (folder / NAMER).write_bytes(b"something else")
    with pytest.raises(ModelError, match=r"namer\.onnx is not the one") as error:
        models.model_path(NAMER, folder)
    assert (error.value.status, error.value.exit_code) == (500, 1)
    assert models.model_path(FINDER, folder).name == FINDER


def test_a_missing_model_and_a_missing_manifest_are_said(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / FINDER).unlink()
    with pytest.raises(ModelError, match="is missing"):
        models.model_path(FINDER, folder)
    (folder / MANIFEST).write_text("{}")
    with pytest.raises(ModelError, match="damaged"):
        models.load_manifest(folder)
    monkeypatch.setenv("GORRION_MODELS", str(tmp_path / "nowhere"))
    with pytest.raises(ModelError, match="GORRION_MODELS"):
        models.models_dir()


@pytest.mark.parametrize(
    "judge", [{"faces": [1.0]}, {"plain": ["a", 1, 2]}, {"other": [1.0]}, [1.0], {"backs": 3}]
)
def test_weights_that_are_none_are_said(folder: Path, judge: object) -> None:
    manifest = models.load_manifest(folder)
    (folder / MANIFEST).write_text(json.dumps({**manifest, "judge": judge}))
    with pytest.raises(models.ModelError, match="damaged"):
        models.load_manifest(folder)


def test_a_refiner_counts_where_the_manifest_lists_one(folder: Path) -> None:
    assert [state.name for state in models.check(folder)] == [FINDER, NAMER]
    manifest = models.load_manifest(folder)
    (folder / REFINER).write_bytes(b"refiner")
    manifest["models"][REFINER] = {"sha256": models.sha256_of(folder / REFINER), "bytes": 7}
    (folder / MANIFEST).write_text(json.dumps(manifest))
    assert [state.name for state in models.check(folder)] == [FINDER, REFINER, NAMER]
    (folder / REFINER).unlink()
    assert [state.problem is None for state in models.check(folder)] == [True, False, True]
