"""The whole training as one command, with scripts in the place of those that need torch."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "scripts"))

import train  # noqa: E402

TRAININGS = "finder,namer,refiner"

STAND_IN = """
import sys, time
from pathlib import Path
words = sys.argv[1:]
out = Path(words[words.index("--out") + 1])
print("learning", *words)
{body}
out.parent.mkdir(parents=True, exist_ok=True)
out.write_bytes(b"weights")
print("wrote")
"""

MEETS_THE_OTHER = """
other = out.with_name({other!r})
begun = out.with_name({own!r})
begun.touch()
for _ in range(300):
    if other.exists():
        break
    time.sleep(0.1)
else:
    sys.exit("the other lane did not run beside this one")
"""


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    (tmp_path / "shared" / "data").mkdir(parents=True)
    (tmp_path / "shared" / "data" / "photos.jsonl").touch()
    return tmp_path / "shared"


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "scripts"
    folder.mkdir()
    for name in ("train_finder", "train_refiner", "train_namer"):
        stand_in(folder, name)
    monkeypatch.setattr(train, "SCRIPTS", folder)
    return folder


def stand_in(scripts: Path, name: str, body: str = "") -> None:
    (scripts / f"{name}.py").write_text(STAND_IN.format(body=body))


def arguments(shared: Path, stages: str, *more: str) -> list[str]:
    folders = ["--work", str(shared.parent / "work"), "--out", str(shared.parent / "models")]
    return ["--data", str(shared), *folders, "--stages", stages, *more]


def words(shared: Path, stage: str, *more: str) -> tuple[str, ...]:
    return train.command(stage, train.parse(arguments(shared, stage, *more)))


def test_namer_and_refiner_run_beside_each_other_behind_the_finder(
    shared: Path, scripts: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    late = "if not out.with_name('finder.onnx').exists(): sys.exit('too early')"
    for own, other in (("namer", "refiner"), ("refiner", "namer")):
        body = late + MEETS_THE_OTHER.format(own=f"{own}.begun", other=f"{other}.begun")
        stand_in(scripts, f"train_{own}", body)
    assert train.main(arguments(shared, TRAININGS)) == 0
    work = shared.parent / "work"
    assert all((work / name).is_file() for name in train.SHIPPED)
    for stage in TRAININGS.split(","):
        assert "learning" in (work / f"{stage}.log").read_text()
    printed = capfd.readouterr().out
    assert "== finder (" in printed and "== namer beside refiner (" in printed
    assert "refiner    wrote\n" in printed and "namer      wrote\n" in printed
    facts = json.loads((work / "training.json").read_text())
    assert set(facts["stages"]) == {"finder", "refiner", "namer"}
    assert all(stage["minutes"] >= 0 and stage["begun"] for stage in facts["stages"].values())


def test_a_failure_stops_the_other_lane_and_names_the_log(
    shared: Path, scripts: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    stand_in(scripts, "train_refiner", "time.sleep(60)")
    stand_in(scripts, "train_namer", "sys.exit('no such pool')")
    begun = time.monotonic()
    assert train.main(arguments(shared, TRAININGS)) == 1
    assert time.monotonic() - begun < 30
    work = shared.parent / "work"
    assert (work / "finder.onnx").exists() and not (work / "refiner.onnx").exists()
    error = capfd.readouterr().err
    assert "namer failed" in error and str(work / "namer.log") in error
    assert "no such pool" in (work / "namer.log").read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to a process there")
def test_ctrl_c_stops_what_runs(shared: Path, scripts: Path) -> None:
    for name in ("train_refiner", "train_namer"):
        body = "import os; out.with_suffix('.pid').write_text(str(os.getpid())); time.sleep(60)"
        stand_in(scripts, name, body)
    code = (
        f"import sys; sys.path.insert(0, {str(CHECKOUT / 'scripts')!r}); import train; "
        f"from pathlib import Path; train.SCRIPTS = Path({str(scripts)!r}); "
        f"sys.exit(train.main({arguments(shared, TRAININGS)!r}))"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    pids = [shared.parent / "work" / f"{name}.pid" for name in ("refiner", "namer")]
    for _ in range(300):
        if all(pid.is_file() and pid.read_text() for pid in pids):
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=30)
    assert process.returncode == 130 and "--resume" in error
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid.read_text()), 0)


def test_stages_keep_their_order_whatever_order_is_asked_for() -> None:
    assert train.groups(["card", "namer", "render"]) == [["render"], ["namer"], ["card"]]
    assert train.groups(list(train.STAGES)) == [
        ["render"],
        ["render-own"],
        ["finder"],
        ["namer", "refiner"],
        ["quantize"],
        ["judge"],
        ["manifest"],
        ["evaluate"],
        ["card"],
    ]


def test_an_unknown_stage_and_a_folder_without_data_are_refused(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        train.parse(arguments(shared, "render,dance"))
    assert "no stage 'dance'" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        train.parse(["--data", str(tmp_path / "nowhere")])
    assert "--data" in capsys.readouterr().err


def test_the_commands_of_the_stages(shared: Path) -> None:
    work = str(shared.parent / "work")
    finder = words(shared, "finder", "--finder-steps", "20", "--seed", "7")
    assert finder[0] == sys.executable and finder[1].endswith("train_finder.py")
    assert finder[finder.index("--steps") + 1] == "20"
    assert finder[finder.index("--seed") + 1] == "7"
    assert finder[finder.index("--threads") + 1] == "1"
    assert "--resume" not in finder and "--resume" in words(shared, "finder", "--resume")
    namer = words(shared, "namer")
    assert namer[namer.index("--own-pool") + 1] == f"{work}/own".replace("/", os.sep)
    assert namer[namer.index("--finder") + 1] == finder[finder.index("--out") + 1]
    quantize = words(shared, "quantize")
    assert quantize[quantize.index("--models") + 1] == work
    assert quantize[quantize.index("--out") + 1] == str(shared.parent / "models")
    judge = words(shared, "judge")
    assert judge[judge.index("--models") + 1] == str(shared.parent / "models")
    assert judge[judge.index("--out") + 1] == str(shared.parent / "work" / train.JUDGE)
    assert "own" in words(shared, "render-own") and "own" not in words(shared, "render")


def test_renders_go_on_behind_the_last_one_without_a_gap(shared: Path) -> None:
    pool = shared.parent / "work" / "renders"
    pool.mkdir(parents=True)
    for number in (0, 1, 3):
        (pool / f"{number:05d}.json").touch()
    line = words(shared, "render", "--renders", "5")
    assert line[line.index("--start") + 1] == "2" and line[line.index("--count") + 1] == "3"
    assert words(shared, "render", "--renders", "2") == ()


def test_a_run_from_the_start_uses_nothing_of_an_earlier_one(shared: Path, scripts: Path) -> None:
    work = shared.parent / "work"
    (work / "renders").mkdir(parents=True)
    (work / "renders" / "00000.json").touch()
    (work / "namer.onnx").write_bytes(b"old")
    (scripts / "render.py").write_text("print('nothing')")
    stand_in(scripts, "train_namer", "assert not out.exists()")
    assert train.main(arguments(shared, "render,namer")) == 0
    assert not (work / "renders").exists()


def test_minutes_of_a_resumed_stage_add_up(shared: Path, scripts: Path) -> None:
    options = train.parse(arguments(shared, "finder", "--resume"))
    options.work.mkdir(parents=True)
    step = train.Step("finder", train.command("finder", options), options.work / "finder.log")
    for _ in range(2):
        facts = train.Facts(options)
        facts.begun(step)
        facts.ended(step, 90.0)
    assert json.loads((options.work / "training.json").read_text())["stages"]["finder"][
        "minutes"
    ] == pytest.approx(3.0)


def test_what_is_told_names_no_folder_of_this_machine(shared: Path) -> None:
    line = words(shared, "finder", "--finder-steps", "20", "--resume")
    assert train.told(line) == "train_finder.py --steps 20 --seed 1 --threads 1"
    own = train.told(words(shared, "render-own"))
    assert own == "render.py --start 0 --count 300 --part train --seed 1 --designs own"


def test_a_card_without_figures_of_these_models_is_refused(
    shared: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    models = shared.parent / "models"
    models.mkdir()
    for name in train.SHIPPED:
        (models / name).write_bytes(b"weights")
    # onnx is part of the train extra only.
    monkeypatch.setitem(sys.modules, "vision.training.manifest", type(sys)("manifest"))
    monkeypatch.setattr(
        sys.modules["vision.training.manifest"], "write_manifest", None, raising=False
    )
    assert train.main(arguments(shared, "card")) == 1
    assert "judge first" in capsys.readouterr().err
    (shared.parent / "work" / train.JUDGE).write_text("{}")
    assert train.main(arguments(shared, "card")) == 1
    assert "evaluate first" in capsys.readouterr().err
