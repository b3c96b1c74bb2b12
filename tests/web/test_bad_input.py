"""What bad input gets: one clear sentence in the reader's language, a fitting status, one shape."""

from __future__ import annotations

import io
import struct
import zlib

import cv2
import numpy as np
import pytest

from web.conftest import Page, jpeg


def png_header(width: int, height: int) -> bytes:
    """A PNG that promises that many pixels and holds none."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


def noise() -> bytes:
    """A picture of which half a file still has a header."""
    pixels = np.random.default_rng(0).integers(0, 255, (200, 300, 3), np.uint8)
    return cv2.imencode(".jpg", pixels)[1].tobytes()


BAD_FILES = [
    pytest.param(b"", 400, "empty_file", id="empty"),
    pytest.param(noise()[:5000], 400, "truncated", id="truncated"),
    pytest.param(b"Dear diary, today I won.\n", 415, "text_file", id="text named .jpg"),
    pytest.param(png_header(20000, 10000), 413, "too_many_pixels", id="200 MP"),
    pytest.param(jpeg(0), 422, "no_tiles", id="no tiles"),
]


@pytest.mark.parametrize(("data", "status", "code"), BAD_FILES)
def test_a_bad_picture_gets_one_sentence_in_both_languages(
    page: Page, data: bytes, status: int, code: str
) -> None:
    said = {}
    for lang in ("en", "es"):
        page.lang = lang
        answer = page.upload(data)
        assert answer.status_code == status
        assert set(answer.json) == {"error"}
        assert set(answer.json["error"]) == {"code", "message", "field"}
        assert answer.json["error"]["code"] == code
        said[lang] = answer.json["error"]["message"]
        assert said[lang][0].isupper()
        assert said[lang].endswith(".")
    assert said["en"] != said["es"]
    assert page.get("/score.json").json["recent"] == [], "nothing is kept of it"


def test_without_script_the_sentence_is_a_page(page: Page) -> None:
    page.lang = "es"
    answer = page.post(
        "/score", data={"photo": (io.BytesIO(b""), "a.jpg")}, headers={"Accept": "text/html"}
    )
    assert answer.status_code == 400
    assert answer.mimetype == "text/html"
    assert "archivo está vacío" in answer.text


def test_a_program_that_names_no_type_gets_the_sentence_as_json(page: Page) -> None:
    data = {"file": (io.BytesIO(b"hello, world"), "a.jpg")}
    answer = page.post("/score", data=data, headers={"Accept": "*/*"})
    assert (answer.status_code, answer.json["error"]["code"]) == (415, "text_file")


def test_no_picture_at_all(page: Page) -> None:
    answer = page.post("/score.json", data={})
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "no_photo")


def test_an_upload_over_the_limit_is_refused(page: Page) -> None:
    body, form = b"\xff" * (33 * 2**20), "multipart/form-data; boundary=x"
    answer = page.post("/score.json", data=body, content_type=form)
    assert answer.status_code == 413
    assert "32 MB" in answer.json["error"]["message"]


@pytest.mark.parametrize(
    ("edit", "field"),
    [
        ({"do": "fly"}, "do"),
        ({"do": "name", "piece": "x", "tile": "1m"}, "piece"),
        ({"do": "name", "piece": 999, "tile": "1m"}, "piece"),
        ({"do": "add", "tile": "9z"}, "tile"),
        ({"do": "add", "tile": 5}, "tile"),
        ({"do": "move", "piece": 1, "to": "moon"}, "to"),
        ({"do": "break", "meld": 77}, "meld"),
        ({"do": "circumstances"}, "set"),
        ({"do": "circumstances", "set": {"seat": "X"}}, "seat"),
        ({"do": "circumstances", "set": {"discarder": "E"}}, "discarder"),
        ({"do": "circumstances", "set": {"kong_draw": True}}, "kong_draw"),
        ({"do": "meld", "pieces": [1]}, "pieces"),
    ],
)
def test_a_bad_edit_names_its_field_and_changes_nothing(
    page: Page, edit: dict[str, object], field: str
) -> None:
    state = page.start(hand="123m")
    answer = page.post(f"/score/{state['id']}.json", json={"version": 1, "edit": edit})
    assert answer.status_code == 400
    assert answer.json["error"]["field"] == field
    assert page.state(state["id"]) == state


@pytest.mark.parametrize("body", ["null", "[]", "{}", '{"version": "1", "edit": {}}', "nonsense"])
def test_a_body_of_another_shape(page: Page, body: str) -> None:
    state = page.start(empty=True)
    answer = page.post(f"/score/{state['id']}.json", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json["error"]["message"]


def test_too_many_tiles_are_stopped(page: Page) -> None:
    state = page.start(hand="1234567891234567891234567891234567891234m")
    answer = page.edit(state, "add", tile="1z")
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "too_many_tiles")


def test_unknown_pages_and_sheets(page: Page) -> None:
    for path, code in (("/nowhere.json", "http_404"), ("/score/nothing.json", "no_such_sheet")):
        answer = page.get(path)
        assert (answer.status_code, answer.json["error"]["code"]) == (404, code)
    assert page.get("/nowhere", headers={"Accept": "text/html"}).mimetype == "text/html"
    assert page.get("/rules.json?id=chess").status_code == 404


def test_a_failure_inside_shows_no_traceback(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    page.client.application.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setattr("companion.web.score.sheet_view", lambda *_: 1 / 0)
    monkeypatch.setattr(page.client.application.logger, "disabled", True)
    answer = page.get(f"/score/{page.post('/score.json', json={'empty': True}).json['id']}.json")
    assert answer.status_code == 500
    assert answer.json["error"]["code"] == "internal"
    assert "ZeroDivision" not in answer.text


@pytest.mark.parametrize("path", ["/score.json", "/table.json", "/table/demo"])
def test_json_that_is_nested_too_deep_is_none(page: Page, path: str) -> None:
    headers = {"Content-Type": "application/json"}
    answer = page.post(path, data="[" * 20_000, headers=headers)
    assert answer.status_code == 400
    assert answer.json["error"]["code"] == "http_400"


def test_a_count_of_too_many_digits_is_read_as_far_as_it_goes(page: Page) -> None:
    state = page.edited(page.start(hand="123p123s23477m567m", win="4m"), "rules", id="riichi")
    assert page.edit(state, "circumstances", set={"honba": "9" * 5000}).status_code == 200


@pytest.mark.parametrize("hand", ["1m" * 200, "[123m]" * 30, "1" * 100 + "m"])
def test_a_hand_of_too_many_tiles_is_named(page: Page, hand: str) -> None:
    answer = page.post("/score.json", json={"hand": hand})
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "too_many_tiles")


@pytest.mark.parametrize("path", ["/score.json", "/table/demo"])
def test_half_a_surrogate_pair_is_no_text(page: Page, path: str) -> None:
    headers = {"Content-Type": "application/json"}
    answer = page.post(path, data='{"hand": "\\ud800", "rules": "\\ud800"}', headers=headers)
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "http_400")


@pytest.mark.parametrize("pieces", [[[1], [2]], [{"a": 1}, 2, 3], [True, 2, 3], "123", None])
def test_a_meld_of_no_tiles_is_named(page: Page, pieces: object) -> None:
    answer = page.edit(page.start(hand="123p123s"), "meld", pieces=pieces)
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_edit")


@pytest.mark.parametrize("rules", ["/etc/hostname", "house.toml", ["riichi"], "\0"])
def test_a_browser_names_no_files_of_this_machine(page: Page, rules: object) -> None:
    answer = page.post("/table/demo", json={"rules": rules})
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "unknown_rules")
