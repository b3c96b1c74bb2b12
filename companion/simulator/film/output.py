"""A film on disk: a video, or numbered pictures with their times."""

from __future__ import annotations

import errno
import json
import shutil
from pathlib import Path
from typing import Final, Protocol, TextIO

import cv2

from companion.reasons import system_says
from companion.simulator.film.shooting import Frame
from companion.text import GorrionError, T

CODECS: Final = (("mp4v", "video.mp4"), ("MJPG", "video.avi"))
"""What is tried, best first: some builds of OpenCV have no MPEG-4."""

QUALITY: Final = 92
"""JPEG quality of pictures: a webcam's own."""

RESERVE_BYTES: Final = 64 << 20
"""Room that must stay on the disk: OpenCV does not say when it could not write."""

_LOOK_EVERY: Final = 25
"""Frames between two looks at the room that is left."""


class FilmError(GorrionError):
    """A film that can't be written: the sentence names the file and what to do."""


class Recorder(Protocol):
    """Where frames go."""

    name: str

    def add(self, frame: Frame) -> None:
        """Write a frame.

        Raises:
            FilmError: the disk is full or does not let itself be written on.
        """

    def close(self) -> None:
        """Finish the file."""


class VideoRecorder:
    """A video file.

    Raises:
        FilmError: when no codec works here.
    """

    def __init__(self, folder: Path, fps: float, size_px: tuple[int, int]) -> None:
        self._folder = folder
        for codec, name in CODECS:
            code = cv2.VideoWriter.fourcc(*codec)
            self._writer = cv2.VideoWriter(str(folder / name), code, fps, size_px)
            if self._writer.isOpened():
                self.name = name
                return
        text = T("OpenCV writes no video here: use --frames to write pictures instead")
        raise FilmError(text, code="no_codec", status=500)

    def add(self, frame: Frame) -> None:
        if frame.number % _LOOK_EVERY == 0:
            _check_room(self._folder)
        self._writer.write(frame.image)

    def close(self) -> None:
        self._writer.release()


class PictureRecorder:
    """``frames/000000.jpg`` and so on, and ``frames.jsonl`` with the time of each."""

    name = "frames"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._times: TextIO | None = None

    def add(self, frame: Frame) -> None:
        if frame.number % _LOOK_EVERY == 0:
            _check_room(self._folder)
        name = f"frames/{frame.number:06d}.jpg"
        done, data = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if not done:
            text = T("frame %(number)s could not be encoded as JPEG", number=frame.number)
            raise FilmError(text, code="bad_frame", status=500)
        try:
            if self._times is None:
                (self._folder / "frames").mkdir(exist_ok=True)
                self._times = (self._folder / "frames.jsonl").open("w", encoding="utf-8")
            (self._folder / name).write_bytes(data.tobytes())
            line = {"frame": frame.number, "at_ms": round(frame.at_ms), "file": name}
            self._times.write(json.dumps(line) + "\n")
        except OSError as error:
            raise about_os_error(error, self._folder / name) from error

    def close(self) -> None:
        if self._times is not None:
            self._times.close()


def empty_folder(folder: Path) -> None:
    """Make a folder ready for a film: what an earlier one left in it goes.

    Raises:
        FilmError: when it can't be made or written in.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("truth.jsonl", "calibration.toml", "frames.jsonl", *(n for _, n in CODECS)):
            (folder / name).unlink(missing_ok=True)
        for picture in (folder / "frames").glob("[0-9]*.jpg"):
            picture.unlink()
        probe = folder / ".probe"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise about_os_error(error, folder) from error


def about_os_error(error: OSError, path: Path) -> FilmError:
    """The sentence for what the system refused."""
    if error.errno == errno.ENOSPC:
        return _full(path)
    text = T(
        "%(path)s can't be written (%(reason)s): choose another folder with --out",
        path=str(error.filename or path),
        reason=system_says(error),
    )
    return FilmError(text, code="not_writable", field="out", status=500)


def _check_room(folder: Path) -> None:
    if shutil.disk_usage(folder).free < RESERVE_BYTES:
        raise _full(folder)


def _full(path: Path) -> FilmError:
    text = T(
        "the disk is full, %(path)s can't be written: free some space, or choose another folder "
        "with --out",
        path=str(path),
    )
    return FilmError(text, code="disk_full", field="out", status=507)
