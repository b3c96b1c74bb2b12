"""The private environment: when it is made anew, when it is left alone, what goes wrong and how."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "scripts"))

import browser  # noqa: E402
import environment  # noqa: E402
import run  # noqa: E402
from environment import SetUpFailed, Venv  # noqa: E402

from companion.catalogue import translate  # noqa: E402
from companion.settings import SETTINGS  # noqa: E402


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose locks ask for nothing, so that pip has nothing to fetch."""
    (tmp_path / "requirements").mkdir()
    for name in ("run.txt", "test.txt", "headless.txt"):
        (tmp_path / "requirements" / name).write_text("")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    return tmp_path


@pytest.fixture
def pips(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What pip was asked to do, instead of doing it; OpenCV always loads.

    Environments are real but for pip, which takes seconds to come into one: an empty one does here.
    """
    asked: list[list[str]] = []
    really_run = subprocess.run

    def quick_run(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        if command[1:3] != ["-m", "venv"]:
            return really_run(command, **options)
        done = really_run([*command, "--without-pip"], **options)
        (package,) = Path(command[-1]).glob("[Ll]ib/**/site-packages")
        (package / "pip.py").touch()
        return done

    monkeypatch.setattr(environment.subprocess, "run", quick_run)
    monkeypatch.setattr(
        Venv, "_pip", lambda self, arguments, progress=None: asked.append(arguments)
    )
    monkeypatch.setattr(Venv, "_settle_opencv", lambda self: None)
    return asked


def test_the_second_start_does_nothing(checkout: Path, pips: list[list[str]]) -> None:
    python = environment.environment("run", checkout)
    assert subprocess.run([python, "-c", "import pip"]).returncode == 0
    assert len(pips) == 2
    assert environment.environment("run", checkout) == python
    assert len(pips) == 2


def test_a_changed_lock_is_installed(checkout: Path, pips: list[list[str]]) -> None:
    environment.environment("run", checkout)
    (checkout / "requirements" / "run.txt").write_text("numpy==2.0.0 --hash=sha256:00\n")
    environment.environment("run", checkout)
    assert len(pips) == 4


def test_the_tests_environment_serves_the_run_too(checkout: Path, pips: list[list[str]]) -> None:
    environment.environment("test", checkout)
    environment.environment("run", checkout)
    assert len(pips) == 2


def test_a_checkout_that_moved_is_set_up_again(
    checkout: Path, pips: list[list[str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    environment.environment("run", checkout)
    moved = checkout.rename(tmp_path_factory.mktemp("other") / "place")
    assert not Venv(moved).has("run")


def test_an_interrupted_installation_is_done_over(
    checkout: Path, pips: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:

        def stop(self: Venv) -> None:
            raise KeyboardInterrupt

        patch.setattr(Venv, "_settle_opencv", stop)
        with pytest.raises(KeyboardInterrupt):
            environment.environment("run", checkout)
    assert "--force-reinstall" not in pips[0]
    environment.environment("run", checkout)
    assert "--force-reinstall" in pips[1]
    assert Venv(checkout).has("run")


def test_a_half_made_environment_is_made_afresh(
    checkout: Path, pips: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout / ".venv").mkdir()
    (checkout / ".venv" / "pyvenv.cfg").write_text("home = /nowhere\n")
    environment.environment("run", checkout)
    assert "starting it afresh" in capsys.readouterr().out
    assert Venv(checkout).has("run")


def test_a_folder_that_is_no_environment_is_left_alone(
    checkout: Path, pips: list[list[str]]
) -> None:
    (checkout / ".venv").mkdir()
    (checkout / ".venv" / "diary.txt").write_text("dear diary")
    with pytest.raises(SetUpFailed, match="move it away"):
        environment.environment("run", checkout)
    assert (checkout / ".venv" / "diary.txt").read_text() == "dear diary"


def test_a_python_without_venv_gets_advice(
    checkout: Path, pips: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SetUpFailed, match="sudo apt install python3") as failed:
        environment.environment("run", checkout)
    assert "\n" not in str(failed.value)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(SetUpFailed, match="can't be written"):
        environment.environment("run", tmp_path / "absent")


def test_a_missing_lock_is_named(tmp_path: Path) -> None:
    with pytest.raises(SetUpFailed, match=r"pyproject\.toml can't be read"):
        Venv(tmp_path)._wanted("run")


def test_pips_failure_is_told_in_its_own_words(checkout: Path) -> None:
    (checkout / "requirements" / "run.txt").write_text("segno==1.6.6\n")  # a pin without a hash
    with pytest.raises(SetUpFailed, match="require") as failed:
        environment.environment("run", checkout)
    assert "--require-hashes mode" in str(failed.value)
    assert not Venv(checkout).has("run")


def test_opencv_gives_way_to_its_headless_twin(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[list[str]] = []
    answers = iter(
        [
            (1, "Traceback ...\nImportError: libGL.so.1: cannot open shared object file\n"),
            (0, ""),
        ]
    )

    def probe(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        code, error = next(answers)
        return subprocess.CompletedProcess(command, code, "", error)

    monkeypatch.setattr(environment.subprocess, "run", probe)
    monkeypatch.setattr(
        Venv, "_pip", lambda self, arguments, progress=None: asked.append(arguments)
    )
    Venv(checkout)._settle_opencv()
    assert asked[0] == ["uninstall", "--yes", "opencv-python"]
    assert asked[1][-1].endswith("headless.txt")
    assert "libGL.so.1" in capsys.readouterr().out


def test_the_headless_twin_has_the_same_version() -> None:
    def pin(lock: str, name: str) -> str:
        lines = (CHECKOUT / "requirements" / lock).read_text().splitlines()
        return next(line for line in lines if line.startswith(f"{name}==")).split("==")[1]

    assert pin("headless.txt", "opencv-python-headless") == pin("run.txt", "opencv-python")


@pytest.mark.parametrize("lock", ["run.txt", "test.txt", "headless.txt"])
def test_locks_name_no_place_to_fetch_from(lock: str) -> None:
    text = (CHECKOUT / "requirements" / lock).read_text()
    assert "://" not in text
    assert "--hash=sha256:" in text


@pytest.mark.parametrize(
    ("version", "fits"), [((2, 7), 0), ((3, 10), 0), ((3, 11), 1), ((3, 14), 1), ((3, 15), 0)]
)
def test_which_pythons_are_taken(version: tuple[int, int], fits: int) -> None:
    assert run.supported(version) is bool(fits)
    assert f"this is {version[0]}.{version[1]}" in run.refusal(version)


@pytest.mark.parametrize("script", ["run.py", "test.py"])
def test_the_help_needs_no_set_up(script: str, tmp_path: Path) -> None:
    for name in ("run.py", "test.py"):
        (tmp_path / name).write_bytes((CHECKOUT / "scripts" / name).read_bytes())
    done = subprocess.run(
        [sys.executable, str(tmp_path / script), "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(f"usage: python3 scripts/{script}")
    assert not (tmp_path.parent / ".venv").exists()


def test_every_setting_is_in_the_help_and_in_both_readmes() -> None:
    texts = [("en", run.HELP)] + [
        (lang, (CHECKOUT / name).read_text("utf-8"))
        for lang, name in (("en", "README.md"), ("es", "README.es.md"))
    ]
    for setting in SETTINGS:
        for lang, text in texts:
            value = f" {translate(setting.metavar, lang)}" if setting.metavar else ""
            assert f"{setting.flag}{value}" in text


def test_the_browser_that_is_named_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GORRION_CHROMIUM", "/opt/browser")
    assert browser.chromium() == "/opt/browser"


def test_without_a_browser_the_way_to_one_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GORRION_CHROMIUM", raising=False)
    monkeypatch.setattr(browser, "_installed", lambda: None)
    monkeypatch.setattr(browser, "_may_install", lambda: False)
    assert browser.chromium() is None
    assert "sudo apt install chromium" in capsys.readouterr().err
