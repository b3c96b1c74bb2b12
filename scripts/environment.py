"""The private environment `.venv/` in the checkout: made, filled from the lock, and kept.

scripts/run.py and scripts/test.py both begin here, with any Python that the project supports and
nothing but its standard library. What is said is said in Spanish where the locale is Spanish.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import locale
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Literal

ROOT = Path(__file__).resolve().parent.parent
Need = Literal["run", "test"]

WINDOWS = os.name == "nt"
PACKAGES_ARE_SLOW_S = 5.0
"""A progress line at most this often where the output is no terminal (a log, CI)."""


class SetUpFailed(Exception):
    """The environment can't be made; the message says why and what to do."""


def words(english: str, spanish: str) -> str:
    """Whichever of the two the machine's locale asks for."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return spanish if value.lower().startswith("es") else english
    name = (locale.getlocale()[0] or "").lower()
    return spanish if name.startswith(("es", "spanish")) else english


def say(english: str, spanish: str) -> None:
    """One progress line, seen at once even through a pipe."""
    print(words(english, spanish), flush=True)


def environment(need: Need, root: Path = ROOT) -> Path:
    """The Python of `.venv/` with the packages for `need` installed; makes what is missing.

    Raises SetUpFailed, with everything it did so far left for the next try to go on from.
    """
    venv = Venv(root)
    if not venv.has(need):
        with _one_at_a_time(root):
            if not venv.has(need):
                venv.make()
                venv.fill(need)
    return venv.python


def hand_over(command: list[str]) -> int:
    """Run `command` in this process's place, so that signals and the exit code are its own."""
    if not WINDOWS:
        sys.stdout.flush()
        os.execv(command[0], command)
    # Windows has no exec; Ctrl-C reaches both processes there, and the child's answer counts.
    with subprocess.Popen(command) as child:
        while True:
            with contextlib.suppress(KeyboardInterrupt):
                return child.wait()


class Venv:
    """`.venv/` of the checkout at `root`, and the stamp that says what was installed in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / ".venv"
        self.python = self.folder / ("Scripts/python.exe" if WINDOWS else "bin/python")
        self.log = self.folder / "set-up.log"
        self._stamp = self.folder / "gorrion.json"
        self._unfinished = self.folder / "unfinished"

    def has(self, need: Need) -> bool:
        """True if everything for `need` was installed from today's lock, in this very place."""
        return self._usable() and self._stamped().get(need) == self._wanted(need)

    def make(self) -> None:
        """Create the environment unless a usable one is there; replace a broken one."""
        if self._usable() and self._runs("import pip"):
            return
        if (
            importlib.util.find_spec("ensurepip") is None
            or importlib.util.find_spec("venv") is None
        ):
            raise SetUpFailed(_no_venv())
        if self.folder.exists():
            self._remove_broken()
        say("Making a private environment in .venv ...", "Creando un entorno privado en .venv ...")
        # Not this very interpreter if it is the environment's own: the one it was made from.
        python = getattr(sys, "_base_executable", None) or sys.executable
        done = subprocess.run(
            [python, "-m", "venv", str(self.folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        if done.returncode:
            raise SetUpFailed(_venv_failed(done.stdout))

    def fill(self, need: Need) -> None:
        """Install the locked packages for `need` and the project itself, then stamp it."""
        self.log.write_text("", encoding="utf-8")
        # A package that was being unpacked when the power went may look installed and be broken.
        again = self._unfinished.exists()
        self._unfinished.touch()
        self._install(self.root / "requirements" / f"{need}.txt", again)
        self._settle_opencv()
        say("Installing Gorrión itself ...", "Instalando Gorrión ...")
        self._pip(["install", "--no-deps", "--no-build-isolation", "--editable", str(self.root)])
        stamped = self._stamped()
        stamped[need] = self._wanted(need)
        if need == "test":  # it holds everything that `run` needs, at the same versions
            stamped["run"] = self._wanted("run")
        self._stamp.write_text(json.dumps(stamped, indent=1), encoding="utf-8")
        self._unfinished.unlink()

    def _usable(self) -> bool:
        # `python` is a link on POSIX, so it is gone when the Python it was made from is; Windows
        # copies a launcher, which needs the folder named in pyvenv.cfg.
        if not self.python.exists():
            return False
        with contextlib.suppress(OSError):
            for line in (self.folder / "pyvenv.cfg").read_text(encoding="utf-8").splitlines():
                key, _, value = line.partition("=")
                if key.strip() == "home":
                    return Path(value.strip()).is_dir()
        return False

    def _runs(self, code: str) -> bool:
        return subprocess.run([str(self.python), "-c", code], capture_output=True).returncode == 0

    def _remove_broken(self) -> None:
        """Clear away a half-made environment, but nothing that doesn't look like one."""
        files = [path for path in self.folder.rglob("*") if not path.is_dir()]
        if not self.folder.is_dir() or (files and not (self.folder / "pyvenv.cfg").is_file()):
            raise SetUpFailed(
                words(
                    f"{self.folder} is there but is no Python environment: move it away and start again.",
                    f"{self.folder} existe pero no es un entorno de Python: muévelo a otro sitio y "
                    "vuelve a empezar.",
                )
            )
        say(
            "The environment in .venv is broken or half made: starting it afresh ...",
            "El entorno de .venv está roto o a medias: se vuelve a crear ...",
        )
        shutil.rmtree(self.folder)

    def _stamped(self) -> dict[str, str]:
        try:
            stamped = json.loads(self._stamp.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return stamped if isinstance(stamped, dict) else {}

    def _wanted(self, need: Need) -> str:
        """A hash of all that decides what is installed: the lock, the metadata and the place."""
        digest = hashlib.sha256(str(self.root).encode())
        for name in ("pyproject.toml", f"requirements/{need}.txt", "requirements/headless.txt"):
            digest.update(_read(self.root / name))
        return digest.hexdigest()

    def _install(self, lock: Path, again: bool) -> None:
        total = sum(
            1
            for line in _read(lock).decode().splitlines()
            if "==" in line and not line.startswith((" ", "#"))
        )
        say(
            f"Installing {total} locked packages (a few minutes the first time) ...",
            f"Instalando {total} paquetes fijados (unos minutos la primera vez) ...",
        )
        self._pip(
            ["install", "--require-hashes", "--only-binary", ":all:", "--requirement", str(lock)]
            + (["--force-reinstall"] if again else []),
            progress=Progress(total),
        )

    def _settle_opencv(self) -> None:
        """Replace OpenCV by its headless twin where the system lacks the libraries of windows."""
        probe = subprocess.run(
            [str(self.python), "-c", "import cv2"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        if probe.returncode == 0:
            return
        why = (probe.stderr.strip().splitlines() or ["?"])[-1]
        say(
            f"OpenCV can't load here ({why}).\nInstalling the same version of opencv-python-headless "
            "instead: it needs no window libraries, and Gorrión opens no windows ...",
            f"OpenCV no se puede cargar aquí ({why}).\nSe instala la misma versión de "
            "opencv-python-headless: no necesita bibliotecas de ventanas, y Gorrión no las abre ...",
        )
        headless = self.root / "requirements" / "headless.txt"
        # Both own the folder cv2/, so the one must be gone before the other comes.
        self._pip(["uninstall", "--yes", "opencv-python"])
        self._pip(
            [
                "install",
                "--require-hashes",
                "--only-binary",
                ":all:",
                "--no-deps",
                "--force-reinstall",
            ]
            + ["--requirement", str(headless)]
        )
        again = subprocess.run(
            [str(self.python), "-c", "import cv2"], capture_output=True, text=True, errors="replace"
        )
        if again.returncode:
            why = (again.stderr.strip().splitlines() or ["?"])[-1]
            raise SetUpFailed(
                words(
                    f"OpenCV can't load on this machine, not even without windows: {why}",
                    f"OpenCV no se puede cargar en esta máquina, ni siquiera sin ventanas: {why}",
                )
            )

    def _pip(self, arguments: Sequence[str], progress: Progress | None = None) -> None:
        command = [str(self.python), "-m", "pip", "--disable-pip-version-check", *arguments]
        # Settings of the user's own that can't hold in a private environment, or for a checkout.
        environ = os.environ | {"PIP_USER": "0", "PIP_REQUIRE_HASHES": "0"}
        with (
            self.log.open("a", encoding="utf-8") as log,
            subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                cwd=self.root,
                env=environ,
            ) as pip,
        ):
            assert pip.stdout is not None
            told = _follow(pip.stdout, log, progress)
        if progress is not None:
            progress.finish()
        if pip.returncode:
            errors = [line for line in told if line.startswith("ERROR")]
            reason = "\n".join((errors or told)[-3:])
            raise SetUpFailed(
                words(
                    f"The packages could not be installed:\n{reason}\nThe first set-up needs the "
                    f"internet. Start again: it goes on where it stopped. All of it: {self.log}",
                    f"No se pudieron instalar los paquetes:\n{reason}\nLa primera vez hace falta "
                    f"internet. Vuelve a empezar: sigue donde quedó. El registro: {self.log}",
                )
            )


class Progress:
    """`  12/31 numpy` while pip works: rewritten in place on a terminal, now and then in a log."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.count = 0
        self._terminal = sys.stdout.isatty()
        self._said_at = time.monotonic()

    def step(self, package: str) -> None:
        # Packages that only another system or Python needs are in the lock, but pip skips them.
        self.count = min(self.count + 1, self.total)
        self._show(f"  {self.count}/{self.total} {package}")

    def unpack(self) -> None:
        self._show(words("  unpacking ...", "  desempaquetando ..."), always=True)

    def finish(self) -> None:
        if self._terminal:
            print("\r\033[K", end="", flush=True)

    def _show(self, line: str, always: bool = False) -> None:
        if self._terminal:
            print(f"\r\033[K{line[:78]}", end="", flush=True)
        elif always or time.monotonic() - self._said_at > PACKAGES_ARE_SLOW_S:
            self._said_at = time.monotonic()
            print(line, flush=True)


def _follow(lines: IO[str], log: IO[str], progress: Progress | None) -> list[str]:
    """Copy pip's output to the log, tell the progress, and return the lines that say something."""
    told = []
    for line in lines:
        log.write(line)
        if line.strip():
            told.append(line.strip())
        if progress is None:
            continue
        if line.startswith(("Collecting ", "Requirement already satisfied: ")):
            package = line.removeprefix("Requirement already satisfied: ")
            progress.step(package.removeprefix("Collecting ").split()[0])
        elif line.startswith("Installing collected packages"):
            progress.unpack()
    return told


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SetUpFailed(
            words(
                f"{path} can't be read ({error.strerror}): is the checkout complete?",
                f"No se puede leer {path} ({error.strerror}): ¿está completa la copia del proyecto?",
            )
        ) from None


@contextlib.contextmanager
def _one_at_a_time(root: Path) -> Iterator[None]:
    """Two set-ups at once would trip over each other; the lock goes with the process that holds it."""
    path = root / ".venv.lock"
    try:
        handle = path.open("w", encoding="utf-8")
    except OSError as error:
        raise SetUpFailed(
            words(
                f"This folder can't be written ({path.parent}: {error.strerror}). Copy the project to "
                "a folder of your own and start it there.",
                f"No se puede escribir en esta carpeta ({path.parent}: {error.strerror}). Copia el "
                "proyecto a una carpeta tuya y arráncalo allí.",
            )
        ) from None
    with handle:
        if not _try_lock(handle):
            say(
                "Another set-up is at work here: waiting for it ...",
                "Otra instalación está en marcha aquí: esperando ...",
            )
            while not _try_lock(handle):
                time.sleep(0.5)
        yield


def _try_lock(handle: IO[str]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _no_venv() -> str:
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    return words(
        "This Python can't make a private environment: its venv or ensurepip module is missing. On "
        f"Debian, Ubuntu and Raspberry Pi OS:  sudo apt install python{version}-venv  (or python3-venv). "
        "Then start again.",
        "Este Python no puede crear un entorno privado: le falta el módulo venv o ensurepip. En "
        f"Debian, Ubuntu y Raspberry Pi OS:  sudo apt install python{version}-venv  (o python3-venv). "
        "Después, vuelve a empezar.",
    )


def _venv_failed(output: str) -> str:
    reason = (output.strip().splitlines() or ["?"])[-1]
    return words(
        f"The private environment in .venv could not be made: {reason}. On Debian, Ubuntu and Raspberry "
        "Pi OS  sudo apt install python3-venv  helps; a full disk and a folder that can't be written "
        "are the other usual reasons.",
        f"No se pudo crear el entorno privado en .venv: {reason}. En Debian, Ubuntu y Raspberry Pi OS "
        "ayuda  sudo apt install python3-venv ; las otras causas habituales son un disco lleno y una "
        "carpeta en la que no se puede escribir.",
    )
