"""A page with a reader that always sees the same hand, and a browser's actions on it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from numpy.typing import NDArray
from werkzeug.test import TestResponse

from companion.settings import Settings
from companion.web import create_app
from vision.seen import Group, Reading, SeenTile

HOME = "http://127.0.0.1:8136"
PIN = "481516"


def seen(code: str, at: int, row: int = 0, doubtful: bool = False) -> SeenTile:
    """A tile of 30 x 40 px in the column `at` of a row."""
    x, y = 10.0 + 32 * at, 10.0 + 60 * row
    quad = ((x, y), (x + 30, y), (x + 30, y + 40), (x, y + 40))
    return SeenTile(code, 0.6 if doubtful else 0.99, quad, (("8m", 0.3), ("9m", 0.05)), doubtful)


def worked_example() -> Reading:
    """123p123s23477m [567m] 2f2g with 4m apart and a doubtful 7m in the meld, and a stray discard."""
    hand = [
        seen(code, at)
        for at, code in enumerate(["1p", "2p", "3p", "1s", "2s", "3s", "2m", "3m", "7m", "7m"])
    ]
    rest = [seen("4m", 12), seen("5m", 0, 1), seen("6m", 1, 1), seen("7m", 2, 1, doubtful=True)]
    bonus = [seen("2f", 6, 1), seen("2g", 7, 1), seen("9s", 10, 1)]
    groups = (
        Group("hand", tuple(range(10))),
        Group("single", (10,), 0),
        Group("meld", (11, 12, 13), 0),
        Group("bonus", (14, 15), 0),
        Group("row", (16,)),
    )
    return Reading(600, 200, tuple(hand + rest + bonus), groups, {"find": 1.0, "name": 1.0})


class FakeReader:
    """Sees the worked example on every picture but a black one, on which it sees nothing."""

    def read(self, image_bgr: NDArray[np.uint8], /) -> Reading:
        if not image_bgr.any():
            return Reading(image_bgr.shape[1], image_bgr.shape[0], (), ())
        return worked_example()


def jpeg(value: int = 120, width: int = 600, height: int = 200) -> bytes:
    """A picture of one grey."""
    done, data = cv2.imencode(".jpg", np.full((height, width, 3), value, np.uint8))
    assert done
    return data.tobytes()


class Page:
    """What a browser does, and what it is answered."""

    def __init__(self, client: FlaskClient, remote: str = "127.0.0.1", host: str = HOME) -> None:
        self.client = client
        self.remote = remote
        self.host = host
        self.lang = "en"

    def ask(self, method: str, path: str, **options: Any) -> TestResponse:
        """One request as this browser makes it, with the headers it would send."""
        accept = "application/json" if ".json" in path else "text/html,*/*;q=0.8"
        headers = {
            "Accept": accept,
            "Accept-Language": self.lang,
            **options.pop("headers", {}),
        }
        if method == "POST":
            headers.setdefault("Origin", self.host)
        return self.client.open(
            path,
            method=method,
            base_url=self.host,
            headers=headers,
            environ_overrides={"REMOTE_ADDR": self.remote},
            buffered=True,
            **options,
        )

    def get(self, path: str, **options: Any) -> TestResponse:
        return self.ask("GET", path, **options)

    def post(self, path: str, **options: Any) -> TestResponse:
        return self.ask("POST", path, **options)

    def upload(self, data: bytes, name: str = "photo.jpg") -> TestResponse:
        """Send a picture as the form of /score does."""
        return self.post("/score.json", data={"photo": (io.BytesIO(data), name)})

    def start(self, **value: Any) -> dict[str, Any]:
        """Begin a sheet (from the picture, if nothing is said) and give its state."""
        begun = self.post("/score.json", json=value) if value else self.upload(jpeg())
        assert begun.status_code == 201, begun.text
        return self.state(begun.json["id"])

    def state(self, draft_id: str) -> dict[str, Any]:
        answer = self.get(f"/score/{draft_id}.json")
        assert answer.status_code == 200, answer.text
        return dict(answer.json)

    def edit(self, state: dict[str, Any], do: str, **edit: Any) -> TestResponse:
        """Make one edit on the version that `state` has."""
        value = {"version": state["version"], "edit": {"do": do, **edit}}
        return self.post(f"/score/{state['id']}.json", json=value)

    def edited(self, state: dict[str, Any], do: str, **edit: Any) -> dict[str, Any]:
        """The state after an edit that must succeed."""
        answer = self.edit(state, do, **edit)
        assert answer.status_code == 200, answer.text
        return dict(answer.json)


def piece(state: dict[str, Any], code: str, at: int = 0) -> dict[str, Any]:
    """The piece of that code, the first or the `at`-th."""
    return [each for each in state["layout"]["pieces"] if each["tile"] == code][at]


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    settings = Settings(data_dir=tmp_path / "data", lan=True)
    app = create_app(settings, make_reader=FakeReader, pin_code=PIN)
    app.config["TESTING"] = True
    return app


@pytest.fixture
def page(app: Flask) -> Iterator[Page]:
    """The browser of this machine."""
    with app.test_client() as client:
        yield Page(client)


@pytest.fixture
def guest(app: Flask) -> Iterator[Page]:
    """A browser of the local network that has not given the PIN."""
    with app.test_client() as client:
        yield Page(client, remote="192.168.1.77")
