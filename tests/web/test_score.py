"""The score sheet: reading a picture, correcting it, and what the score does meanwhile."""

from __future__ import annotations

import pytest

from web.conftest import Page, jpeg, piece


def test_a_picture_becomes_a_sheet_with_the_groups_of_the_hand(page: Page) -> None:
    state = page.start()
    assert state["hand"] == "23477m123p123s [567m] 2f2g"
    assert piece(state, "4m")["id"] == state["layout"]["winning"]
    assert [each["tile"] for each in state["layout"]["bonus"]] == ["2f", "2g"]
    assert state["picture"] == {
        "url": f"/score/{state['id']}/picture.jpg",
        "width": 600,
        "height": 200,
    }
    assert len(state["reading"]["tiles"]) == 17, "the stray discard stays on the picture"


def test_the_status_line_leads_from_doubt_to_done(page: Page) -> None:
    state = page.start()
    assert (state["status"]["kind"], state["status"]["text"]) == (
        "todo",
        'One tile is uncertain: tap the one marked "?" and say what it is.',
    )
    doubtful = piece(state, "7m", 2)
    assert doubtful["doubtful"]
    assert [guess["tile"] for guess in doubtful["guesses"]] == ["7m", "8m", "9m"]
    state = page.edited(state, "name", piece=doubtful["id"], tile="7m")
    assert "1 of 3 faan" in state["status"]["text"]
    state = page.edited(state, "circumstances", set={"seat": "S"})
    assert state["status"]["text"].startswith("Who discarded the winning tile?")
    state = page.edited(state, "circumstances", set={"discarder": "W"})
    assert state["status"]["kind"] == "done"


def test_correcting_a_tile_changes_the_score(page: Page) -> None:
    state = page.edited(page.start(), "circumstances", set={"seat": "S"})
    assert state["result"]["total"] == {"number": 3, "unit": "faan"}
    state = page.edited(state, "name", piece=piece(state, "2f")["id"], tile="3f")
    assert state["result"]["total"] == {"number": 2, "unit": "faan"}
    assert not state["result"]["can_win"]
    assert "2 of 3 faan" in state["result"]["why"]


def test_the_discarder_alone_pays(page: Page) -> None:
    state = page.edited(page.start(), "circumstances", set={"seat": "S", "discarder": "W"})
    (payment,) = state["result"]["payments"]
    assert (payment["words"], payment["amount"]) == ("West pays South", 8)
    assert payment["chips"] == "1 chip of 8"
    state = page.edited(state, "circumstances", set={"by": "self-draw"})
    assert [each["words"] for each in state["result"]["payments"]] == [
        "East pays South",
        "West pays South",
        "North pays South",
    ]
    assert state["circumstances"]["discarder"] is None


def test_a_line_knows_the_pieces_that_make_it(page: Page) -> None:
    state = page.edited(page.start(), "circumstances", set={"seat": "S"})
    lines = {line["pattern"]: line["pieces"] for line in state["result"]["lines"]}
    assert len(lines["all_chows"]) == 14
    assert piece(state, "4m")["id"] in lines["all_chows"]
    assert lines["own_flower"] == [piece(state, "2g")["id"]]


def test_not_a_tile_leaves_the_sheet_and_comes_back_from_the_picture(page: Page) -> None:
    state = page.start()
    one = piece(state, "1p")
    state = page.edited(state, "name", piece=one["id"], tile="not")
    assert one["seen"] not in [each["seen"] for each in state["layout"]["pieces"]]
    state = page.edited(state, "add", tile="1p", seen=one["seen"])
    assert piece(state, "1p")["seen"] == one["seen"]
    refused = page.edit(state, "add", tile="1p", seen=one["seen"])
    assert refused.status_code == 400


def test_melds_are_made_moved_into_and_broken(page: Page) -> None:
    state = page.start(empty=True)
    for code in ("5m", "5m", "5m", "6m", "7m"):
        state = page.edited(state, "add", tile=code)
    kinds = [choice["kind"] for choice in piece(state, "5m")["melds"]]
    assert kinds == ["chow", "pung"]
    state = page.edited(state, "meld", pieces=piece(state, "5m")["melds"][1]["pieces"])
    (meld,) = state["layout"]["melds"]
    assert meld["name"] == "Pung 555m"
    state = page.edited(state, "add", tile="5m", to=meld["id"])
    state = page.edited(state, "turn", meld=meld["id"], concealed=True)
    assert state["hand"] == "67m (5555m)"
    state = page.edited(state, "move", piece=piece(state, "6m")["id"], to="new")
    assert len(state["layout"]["melds"]) == 2
    state = page.edited(state, "break", meld=meld["id"])
    assert state["hand"] == "55557m [6m]"


def test_the_pad_lays_whole_melds(page: Page) -> None:
    state = page.start(empty=True)
    state = page.edited(state, "lay", tile="8s", kind="chow")
    state = page.edited(state, "lay", tile="1z", kind="ckong")
    assert state["hand"] == "[789s] (1111z)"
    refused = page.edit(state, "lay", tile="1z", kind="chow")
    assert refused.json["error"]["message"] == (
        "East wind makes no such meld: choose another tile or another kind."
    )


def test_a_bonus_tile_finds_its_place(page: Page) -> None:
    state = page.edited(page.start(empty=True), "add", tile="3g")
    assert [each["tile"] for each in state["layout"]["bonus"]] == ["3g"]
    state = page.edited(state, "name", piece=piece(state, "3g")["id"], tile="3m")
    assert [each["tile"] for each in state["layout"]["concealed"]] == ["3m"]


def test_a_hand_in_notation_is_taken(page: Page) -> None:
    state = page.start(hand="123p123s23477m [567m] 2f2g", win="4m")
    assert piece(state, "4m")["id"] == state["layout"]["winning"]
    assert state["picture"] is None
    refused = page.edit(state, "hand", text="123x")
    assert refused.status_code == 400
    assert 'unknown suit "x"' in refused.json["error"]["message"].lower()


@pytest.mark.parametrize(
    ("hand", "sentence"),
    [
        ("123p123s2347m [567m]", "13 tiles: a complete hand has 14"),
        ("123p123s234777m [567m]", "15 tiles without a kong"),
        ("22222m123p123s444z", "Five copies of 2m"),
    ],
)
def test_a_wrong_hand_is_said_in_one_sentence(page: Page, hand: str, sentence: str) -> None:
    state = page.start(hand=hand)
    assert sentence in state["status"]["text"]
    assert state["status"]["text"].count(".") == 1
    assert state["result"]["total"] is None
    page.lang = "es"
    assert sentence not in page.state(state["id"])["status"]["text"], "in Spanish too"


def test_a_stale_edit_is_refused_with_the_reason(page: Page) -> None:
    state = page.start(empty=True)
    page.edited(state, "add", tile="1m")
    stale = page.edit(state, "add", tile="2m")
    assert stale.status_code == 409
    assert stale.json["error"]["code"] == "stale"
    assert stale.json["error"]["field"] == "version"
    assert "you saw version 1, it is now at 2" in stale.json["error"]["message"]
    assert page.state(state["id"])["hand"] == "1m"


def test_undo_goes_back_step_by_step(page: Page) -> None:
    first = page.start()
    state = page.edited(first, "name", piece=piece(first, "1p")["id"], tile="9p")
    state = page.edited(state, "circumstances", set={"seat": "N"})
    state = page.edited(state, "undo")
    assert state["circumstances"]["seat"] == "E"
    assert "9p" in [each["tile"] for each in state["layout"]["pieces"]]
    state = page.edited(state, "undo")
    assert state["layout"] == first["layout"]
    assert not state["can_undo"]
    assert page.edit(state, "undo").status_code == 409


def test_nothing_is_lost_when_the_server_starts_again(page: Page, app: object) -> None:
    from companion.settings import Settings
    from companion.web import create_app

    state = page.edited(page.start(), "circumstances", set={"seat": "W"})
    settings: Settings = app.extensions["gorrion_settings"]  # type: ignore[attr-defined]
    again = Page(create_app(settings, make_reader=lambda: None).test_client())  # type: ignore[arg-type,return-value]
    assert again.state(state["id"]) == state
    assert again.get(state["picture"]["url"]).status_code == 200


def test_the_kept_picture_has_no_metadata_and_a_bounded_size(page: Page) -> None:
    import io

    from PIL import Image

    big = io.BytesIO()
    exif = Image.Exif()
    exif[0x010F] = "camera with an owner"
    Image.new("RGB", (3000, 1000), "white").save(big, "JPEG", exif=exif)
    begun = page.upload(big.getvalue())
    kept = page.get(f"/score/{begun.json['id']}/picture.jpg")
    with Image.open(io.BytesIO(kept.data)) as picture:
        assert picture.size == (2400, 800)
        assert not picture.getexif()


def test_a_form_without_script_opens_the_sheet(page: Page) -> None:
    import io

    answer = page.post("/score", data={"photo": (io.BytesIO(jpeg()), "a.jpg")})
    assert answer.status_code == 303
    assert page.get(answer.headers["Location"]).status_code == 200


def test_a_forgotten_sheet_is_gone_with_its_picture(page: Page) -> None:
    state = page.start()
    assert page.post(f"/score/{state['id']}/forget").status_code == 303
    for address in (f"/score/{state['id']}", f"/score/{state['id']}.json", state["picture"]["url"]):
        assert page.get(address).status_code == 404


def test_other_rules_count_the_same_tiles(page: Page) -> None:
    state = page.edited(page.start(), "circumstances", set={"seat": "S"})
    systems = {system["id"] for system in state["rule_systems"]}
    assert {"hk-old-style", "hk-wiki", "beginner-points"} <= systems
    state = page.edited(state, "rules", id="beginner-points")
    assert state["result"]["total"]["unit"] == "points"
    refused = page.edit(state, "rules", id="../../etc/passwd")
    assert refused.json["error"]["code"] == "unknown_rules"


def test_every_system_of_rules_counts_on_the_page(page: Page) -> None:
    state = page.start()
    for system in [each["id"] for each in state["rule_systems"]]:
        state = page.edited(state, "rules", id=system)
        assert state["rules"]["id"] == system
        assert state["result"]["total"] or state["result"]["why"]


def test_the_japanese_game_asks_more(page: Page) -> None:
    state = page.start(hand="234m567p22s345678s", win="2m")
    asked = {question["name"] for question in state["questions"]}
    assert "riichi" not in asked
    state = page.edited(state, "rules", id="riichi")
    plain = state["score"]["han"]
    state = page.edited(state, "circumstances", set={"riichi": True})
    assert state["score"]["han"] == plain + 1
    assert state["result"]["total"]["unit"] == "han · 30 fu"
    state = page.edited(state, "circumstances", set={"ippatsu": True, "dora_indicators": "1m"})
    assert state["score"]["han"] == plain + 3
    state = page.edited(state, "circumstances", set={"riichi": False})
    assert state["circumstances"]["extra"] == {"dora_indicators": "1m"}
    state = page.edited(state, "circumstances", set={"dora_indicators": "9z"})
    assert state["result"]["total"] is None
    assert "9z" in state["result"]["why"]
