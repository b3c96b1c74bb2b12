import json

import numpy as np
import pytest
from painted import PaintedFinder, PaintedNamer, picture

from vision.glance import GlanceConfig
from vision.judge import Weights
from vision.labels import INDEX, LABELS
from vision.overlay import draw
from vision.reader import Reader, ReaderConfig
from vision.seen import Finds, Names


def tile(x: float, y: float, width: float = 40, height: float = 54, turn: float = 0) -> np.ndarray:
    a = np.deg2rad(turn)
    box = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    return (box @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + (x, y)).astype(
        np.float32
    )


HAND = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "3z", "3z", "7z", "7z", "6m"]
LAID = [(label, tile(60 + 44 * k, 400)) for k, label in enumerate(HAND)]


def reader(quads: list[np.ndarray], **options: object) -> Reader:
    return Reader(finder=PaintedFinder(quads), namer=PaintedNamer(), **options)


def test_a_hand_is_read_named_and_grouped() -> None:
    reading = reader([quad for _, quad in LAID]).read(picture(LAID))
    assert [each.tile for each in reading.tiles] == HAND
    assert [(each.kind, each.tiles) for each in reading.groups] == [("hand", tuple(range(14)))]
    assert reading.dropped == ()
    assert not any(each.doubtful or each.changed_from for each in reading.tiles)


@pytest.mark.parametrize("turn", [0, 40, 90, 135, 180, 270])
@pytest.mark.parametrize("start", [0, 2])
def test_the_quad_starts_at_the_faces_own_top_left(turn: float, start: int) -> None:
    quad = tile(300, 300, turn=turn)
    reading = reader([np.roll(quad, start, axis=0)]).read(picture([("7m", quad)]))
    assert np.allclose(reading.tiles[0].quad_px, quad, atol=1e-3)


@pytest.mark.parametrize("start", range(4))
def test_a_foreshortened_tile_is_read_whichever_side_the_finder_starts_with(start: int) -> None:
    quad = tile(300, 300, width=60, height=52)  # wider than tall: seen from low down
    reading = reader([np.roll(quad, start, axis=0)]).read(picture([("7m", quad)]))
    assert [each.tile for each in reading.tiles] == ["7m"]
    assert np.allclose(reading.tiles[0].quad_px, quad, atol=1e-3)


def test_faces_without_a_top_are_turned_like_their_neighbours() -> None:
    class Unsure(PaintedNamer):
        def name(self, crops: np.ndarray) -> Names:
            names = super().name(crops)
            circle = names.posteriors.argmax(axis=1) == INDEX["1p"]
            return Names(
                names.posteriors,
                np.where(circle, 0.9, names.turned).astype(np.float32),
                names.embeddings,
            )

    laid = [("7m", tile(100, 300)), ("1p", tile(144, 300)), ("9m", tile(188, 300))]
    read = Reader(finder=PaintedFinder([quad for _, quad in laid]), namer=Unsure()).read(
        picture(laid)
    )
    assert np.allclose(read.tiles[1].quad_px, laid[1][1], atol=1e-3)


def test_what_is_no_tile_tiny_unsure_or_seen_twice_is_dropped_with_its_reason() -> None:
    laid = [("1m", tile(100, 300)), ("2m", tile(200, 300)), ("3m", tile(300, 300))]
    quads = [
        *(quad for _, quad in laid),
        tile(500, 500),  # background
        tile(600, 300, 5, 7),
        tile(103, 302),  # the first tile once more
    ]
    seen = picture(laid)
    read = Reader(
        finder=PaintedFinder(quads, [0.97, 0.97, 0.2, 0.97, 0.97, 0.95]), namer=PaintedNamer()
    ).read(seen)
    assert [each.tile for each in read.tiles] == ["1m", "2m"]
    assert sorted(each.because for each in read.dropped) == [
        "duplicate",
        "not-a-tile",
        "tiny",
        "unsure",
    ]


def test_plain_surfaces_are_no_company_for_doubtful_finds() -> None:
    def read(labels: list[str]) -> list[str]:
        laid = [(label, tile(60 + 44 * k, 400)) for k, label in enumerate(labels)]
        doubtful = [("5s", tile(60 + 44 * k, 200)) for k in range(4)]
        scores = [0.95] * len(laid) + [0.7] * 4
        quads = [quad for _, quad in (*laid, *doubtful)]
        eyes = Reader(finder=PaintedFinder(quads, scores), namer=PaintedNamer())
        return [each.tile for each in eyes.read(picture([*laid, *doubtful])).tiles]

    assert read(["1m", "2m", "3m"]) == ["1m", "2m", "3m", *["5s"] * 4]
    assert read(["back", "1p", "5z"]) == ["back", "1p", "5z"]
    assert read(["back"] * 5) == [*["back"] * 5, *["5s"] * 4], "a wall of sure backs is mahjong"


def test_dice_are_no_circles() -> None:
    laid = [
        *LAID,
        ("1p", tile(200, 250, 22, 22)),
        ("4p", tile(240, 250, 21, 23)),
        ("1p", tile(400, 250)),
    ]
    read = reader([quad for _, quad in laid]).read(picture(laid))
    assert [each.tile for each in read.tiles] == [*HAND, "1p"]
    assert [each.because for each in read.dropped] == ["die", "die"]


def test_five_of_a_kind_are_settled_and_the_change_is_said() -> None:
    class Wavering(PaintedNamer):
        def name(self, crops: np.ndarray) -> Names:
            names = super().name(crops)
            names.posteriors[-1, INDEX["2m"]] = 0.6
            names.posteriors[-1, INDEX["3m"]] = 0.38
            return names

    laid = [("2m", tile(60 + 44 * k, 400)) for k in range(5)]
    read = Reader(finder=PaintedFinder([quad for _, quad in laid]), namer=Wavering()).read(
        picture(laid)
    )
    last = read.tiles[-1]
    assert [each.tile for each in read.tiles] == ["2m"] * 4 + ["3m"]
    assert last.changed_from == "2m"
    assert last.alternatives[0][0] == "2m"
    assert last.to_json()["changed_from"] == "2m"


def test_a_row_photographed_in_two_parts_is_counted_once() -> None:
    class ByPicture:
        """Gives the quads of the picture it is asked about, told by its width; none for another shape of it."""

        def __init__(self, parts: dict[int, list[tuple[str, np.ndarray]]]) -> None:
            self.parts = parts

        def find(self, image_bgr: np.ndarray) -> Finds:
            return PaintedFinder([quad for _, quad in self.parts.get(image_bgr.shape[1], [])]).find(
                image_bgr
            )

    names = ["2m", "2m", "2m", "3p", "4p", "5p", "6s", "7s", "8s"]
    left = [(name, tile(60 + 44 * k, 400)) for k, name in enumerate(names[:6])]
    right = [(name, tile(60 + 44 * k, 200)) for k, name in enumerate([*names[3:], "2m", "2m"])]
    pictures = [picture(left, (900, 700)), picture(right, (901, 700))]
    eyes = Reader(finder=ByPicture({900: left, 901: right}), namer=PaintedNamer(sure=0.7))
    first, second = eyes.read_together(pictures)
    assert [each.same_as for each in second.tiles] == [(0, 3), (0, 4), (0, 5), *[None] * 5]
    assert [each.tile for each in second.tiles[:3]] == names[3:6]
    assert min(each.confidence for each in second.tiles[:3]) > 0.9, "two looks are surer than one"
    assert min(each.confidence for each in first.tiles[:3]) < 0.5, "but there are five 2m in view"
    assert second.to_json()["tiles"][0]["same_as"] == {"picture": 0, "tile": 3}
    assert eyes.read(pictures[1]).tiles[0].same_as is None


def test_copies_are_counted_over_pictures_read_together() -> None:
    laid = [
        ("2m", tile(60 + 44 * k, 400)) for k in (0, 1, 9)
    ]  # no row: nothing says that they are the same
    eyes = Reader(
        finder=PaintedFinder([quad for _, quad in laid]),
        namer=PaintedNamer(sure=0.7),
        config=ReaderConfig(),
    )
    alone = eyes.read(picture(laid))
    first, second = eyes.read_together([picture(laid), picture(laid)])
    assert all(each.confidence > 0.69 for each in alone.tiles)
    assert min(each.confidence for each in (*first.tiles, *second.tiles)) < 0.5, (
        "six of a kind can't be sure"
    )


def test_the_finders_opinion_on_the_back_counts() -> None:
    class Backs(PaintedFinder):
        def find(self, image_bgr: np.ndarray) -> Finds:
            finds = super().find(image_bgr)
            return Finds(finds.quads_px, finds.scores, np.full(len(finds), 0.02, np.float32))

    class Torn(PaintedNamer):
        def name(self, crops: np.ndarray) -> Names:
            names = super().name(crops)
            names.posteriors[:] = 0.001
            names.posteriors[:, INDEX["5z"]], names.posteriors[:, INDEX["back"]] = 0.55, 0.4
            return names

    laid = [("5z", tile(200, 200))]
    assert (
        Reader(finder=PaintedFinder([laid[0][1]]), namer=Torn()).read(picture(laid)).tiles[0].tile
        == "5z"
    )
    assert (
        Reader(finder=Backs([laid[0][1]]), namer=Torn()).read(picture(laid)).tiles[0].tile == "back"
    )


def test_a_manifests_weights_take_the_place_of_the_configured_ones() -> None:
    config = ReaderConfig()
    fitted = config.fitted({"faces": [1.0, 2.0, 3.0, -4.0], "plain": [0.5, -1.0, 6.0]})
    assert fitted.glance.judge.faces == Weights(1.0, 2.0, 3.0, -4.0)
    assert fitted.glance.judge.backs == config.glance.judge.backs
    assert (fitted.plain.odds, fitted.plain.distance, fitted.plain.bias) == (0.5, -1.0, 6.0)
    assert config.fitted({}) == config


def test_an_empty_picture_gives_an_empty_reading() -> None:
    read = reader([]).read(np.zeros((240, 320, 3), np.uint8))
    assert (read.width, read.height, read.tiles, read.groups) == (320, 240, (), ())
    assert set(read.ms) == {"find", "name"}


def test_json_is_the_contracts() -> None:
    read = reader([quad for _, quad in LAID[:2]]).read(picture(LAID))
    out = json.loads(json.dumps(read.to_json()))
    assert set(out) == {"width", "height", "tiles", "groups", "ms"}
    assert set(out["tiles"][0]) == {"tile", "confidence", "quad", "alternatives"}
    assert np.array(out["tiles"][0]["quad"]).shape == (4, 2)
    assert out["groups"][0]["kind"] == "hand"


def test_the_overlay_marks_every_tile() -> None:
    image = picture(LAID)
    out = draw(image, reader([quad for _, quad in LAID]).read(image))
    assert out.shape == image.shape
    for _, quad in LAID:
        x0, y0, x1, y1 = (*quad.min(axis=0).astype(int), *quad.max(axis=0).astype(int))
        assert (out[y0:y1, x0:x1] != image[y0:y1, x0:x1]).any()


def test_a_doubtful_find_counts_only_in_the_company_of_sure_ones() -> None:
    laid = [
        ("1m", tile(100, 300)),
        ("2m", tile(200, 300)),
        ("3m", tile(300, 300)),
        ("9s", tile(400, 300)),
    ]
    quads = [quad for _, quad in laid]
    together = Reader(finder=PaintedFinder(quads, [0.95, 0.95, 0.95, 0.7]), namer=PaintedNamer())
    assert [each.tile for each in together.read(picture(laid)).tiles] == ["1m", "2m", "3m", "9s"]
    alone = Reader(finder=PaintedFinder(quads[3:], [0.7]), namer=PaintedNamer()).read(
        picture(laid[3:])
    )
    assert alone.tiles == ()
    assert [each.because for each in alone.dropped] == ["alone"]
    shown = Reader(finder=PaintedFinder(quads[3:], [0.95]), namer=PaintedNamer()).read(
        picture(laid[3:])
    )
    assert [each.tile for each in shown.tiles] == ["9s"]


def test_a_squeezed_picture_is_looked_at_stretched_and_read_where_it_is() -> None:
    squeezed = tile(300, 300, width=26, height=54)

    class WideOnly(PaintedFinder):
        """Sees the tile only where it has a tile's shape."""

        def find(self, image_bgr: np.ndarray) -> Finds:
            stretched = image_bgr.shape[1] > image_bgr.shape[0] * 1.9
            seen = PaintedFinder([squeezed * (1.6, 1.0)] if stretched else [])
            return seen.find(image_bgr)

    read = Reader(finder=WideOnly([]), namer=PaintedNamer()).read(picture([("7m", squeezed)]))
    assert [each.tile for each in read.tiles] == ["7m"]
    assert np.allclose(read.tiles[0].quad_px, squeezed, atol=0.5)


def test_finds_are_put_right_before_they_are_named() -> None:
    quads = [quad for _, quad in LAID]
    nowhere = tile(600, 100)

    class Knowing:
        """Knows where the tiles are, and that there is none in the corner."""

        def refine(
            self, image_bgr: np.ndarray, quads_px: np.ndarray
        ) -> tuple[np.ndarray, np.ndarray]:
            there = np.array([*quads, nowhere], np.float32)
            middles = quads_px.mean(axis=1)[:, None] - there.mean(axis=1)
            nearest = np.hypot(middles[..., 0], middles[..., 1]).argmin(axis=1)
            present = np.where(nearest == len(quads), 0.02, 0.98).astype(np.float32)
            return there[nearest], present

    strayed = [quad + np.float32(9) for quad in quads] + [nowhere]
    refined = Reader(finder=PaintedFinder(strayed), refiner=Knowing(), namer=PaintedNamer())
    reading = refined.read(picture(LAID))
    assert [each.tile for each in reading.tiles] == HAND
    assert np.allclose([each.quad_px for each in reading.tiles], quads, atol=1e-3)
    assert [each.because for each in reading.dropped] == ["not-a-tile"]
    assert np.allclose(reading.dropped[0].quad_px, nowhere)


def test_the_refiners_doubts_count_beside_the_finders_score() -> None:
    class Doubting:
        def refine(
            self, image_bgr: np.ndarray, quads_px: np.ndarray
        ) -> tuple[np.ndarray, np.ndarray]:
            return quads_px, np.full(len(quads_px), 0.02, np.float32)

    laid = LAID[:1]
    finder = PaintedFinder([laid[0][1]], [0.85])
    assert Reader(finder=finder, namer=PaintedNamer()).read(picture(laid)).tiles
    doubted = Reader(finder=finder, refiner=Doubting(), namer=PaintedNamer()).read(picture(laid))
    assert [each.because for each in doubted.dropped] == ["alone"]


def test_a_piece_of_a_tiles_picture_is_no_tile() -> None:
    pieces = [tile(100, 292, 14, 16), tile(100, 310, 14, 16)]
    laid = [("4s", tile(100, 300)), ("2m", tile(200, 300)), ("3m", tile(300, 300))]
    quads = [*pieces, *(quad for _, quad in laid)]
    read = Reader(
        finder=PaintedFinder(quads, [0.97, 0.97, 0.9, 0.9, 0.9]), namer=PaintedNamer()
    ).read(picture([*laid, *(("1p", piece) for piece in pieces)]))
    assert sorted(each.because for each in read.dropped) == ["part", "part"]
    assert [each.tile for each in read.tiles][1:] == ["2m", "3m"]


def test_a_tile_that_lies_across_in_a_squeezed_picture_is_read() -> None:
    lying = [
        np.float32([[x, 360], [x, 300], [x + 24, 300], [x + 24, 360]]) for x in (100, 200, 300)
    ]
    found = [np.roll(quad, -1, axis=0) for quad in lying]
    laid = list(zip(("2m", "3m", "4m"), lying, strict=True))
    reading = Reader(finder=PaintedFinder(found), namer=PaintedNamer()).read(picture(laid))
    assert [each.tile for each in reading.tiles] == ["2m", "3m", "4m"]
    assert all(
        np.allclose(each.quad_px, quad) for each, quad in zip(reading.tiles, lying, strict=True)
    )


@pytest.mark.parametrize(("first", "asked_again"), [(0.55, True), (0.97, False), (0.1, False)])
def test_a_doubtful_name_is_asked_for_closer_and_wider_and_the_answers_averaged(
    first: float, asked_again: bool
) -> None:
    quads = [tile(100 + 45 * k, 100) for k in range(4)]
    calls: list[int] = []

    class Wavering(PaintedNamer):
        """Unsure of the crops as they come, and quite sure of another name in all others."""

        def name(self, crops: np.ndarray) -> Names:
            names = super().name(crops)
            later = len(calls) > 0
            calls.append(len(crops))
            best, p = ("3m", 0.99) if later else ("2m", first)
            posteriors = np.full((len(crops), len(LABELS)), (1 - p) / (len(LABELS) - 1), np.float32)
            posteriors[:, INDEX[best]] = p
            return Names(posteriors, names.turned, names.embeddings)

    config = ReaderConfig(glance=GlanceConfig(second_look=0.0))
    eyes = Reader(finder=PaintedFinder(quads), namer=Wavering(), config=config)
    looked = eyes.evidence(picture([("2m", quad) for quad in quads]))
    assert calls == ([4, 4, 4] if asked_again else [4])
    best = [LABELS[i] for i in looked.posteriors.argmax(axis=1)]
    assert best == ["3m" if asked_again else "2m"] * 4
    assert looked.posteriors.sum(axis=1) == pytest.approx(1, abs=1e-4)
    if asked_again:
        assert looked.named.max() < 0.99, "the first doubt still counts"


def test_the_halves_of_a_face_that_fills_the_picture_are_one_tile() -> None:
    frame = np.array([[0, 0], [300, 0], [300, 400], [0, 400]], np.float32)
    shown = picture([("4s", frame)], (300, 400))
    columns = picture([("2s", frame)], (300, 400))
    shown[:, :100], shown[:, 200:] = columns[:, :100], columns[:, 200:]
    halves = [frame * (0.48, 0.9) + (3, 5), frame * (0.48, 0.9) + (153, 5)]
    reading = Reader(finder=PaintedFinder(halves), namer=PaintedNamer(sure=0.98)).read(shown)
    assert [tile.tile for tile in reading.tiles] == ["4s"]
    assert np.allclose(reading.tiles[0].quad_px, frame)
    # Two tiles in a picture of another shape stay two.
    beside = np.hstack([shown, np.full((400, 200, 3), 250, np.uint8)])
    reading = Reader(finder=PaintedFinder(halves), namer=PaintedNamer(sure=0.98)).read(beside)
    assert [tile.tile for tile in reading.tiles] == ["2s", "2s"]


@pytest.mark.parametrize(("present", "told"), [(0.9, ["4s"]), (0.05, [])])
def test_a_picture_is_one_face_only_if_the_refiner_sees_a_tile(
    present: float, told: list[str]
) -> None:
    class Refiner:
        """Says the same of every quad."""

        def refine(
            self, image_bgr: np.ndarray, quads_px: np.ndarray
        ) -> tuple[np.ndarray, np.ndarray]:
            return quads_px, np.full(len(quads_px), present, np.float32)

    frame = np.array([[0, 0], [300, 0], [300, 400], [0, 400]], np.float32)
    asked = Reader(finder=PaintedFinder([]), refiner=Refiner(), namer=PaintedNamer(sure=0.98))
    reading = asked.read(picture([("4s", frame)], (300, 400)))
    assert [each.tile for each in reading.tiles] == told
