import io
import struct
import warnings
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from vision.decode import DecodeLimits, PictureError, decode, decode_file

RED = (220, 30, 20)
RED_BGR = RED[::-1]


def saved(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def near(pixel: np.ndarray, wanted: tuple[int, ...], by: int = 12) -> bool:
    return bool(np.abs(pixel.astype(int) - np.array(wanted)).max() <= by)


def png_of_size(width: int, height: int) -> bytes:
    """A PNG whose header promises any size and whose data are one short row."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 9))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF", "PPM", "GIF"])
def test_every_format_gives_the_colour_in_bgr(kind: str) -> None:
    picture = decode(saved(Image.new("RGB", (64, 48), RED), kind))
    assert picture.shape == (48, 64, 3)
    assert picture.dtype == np.uint8
    assert near(picture[20, 30], RED_BGR)


def test_exif_orientation_is_followed() -> None:
    image = Image.new("RGB", (80, 40), (255, 255, 255))
    image.paste(
        RED, (0, 0, 40, 40)
    )  # left half; orientation 6 means: turn 90 degrees clockwise to view
    exif = Image.Exif()
    exif[0x0112] = 6
    picture = decode(saved(image, "JPEG", exif=exif, quality=95))
    assert picture.shape == (80, 40, 3)
    assert near(picture[10, 20], RED_BGR)
    assert near(picture[70, 20], (255, 255, 255))


def test_damaged_exif_does_not_cost_the_picture() -> None:
    data = saved(
        Image.new("RGB", (64, 48), RED), "JPEG", exif=b"Exif\0\0MM\0*\0\0\0\x08\xff\xff\0\0"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert decode(data).shape == (48, 64, 3)


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_transparent_parts_become_white(mode: str) -> None:
    clear = (0, 0, 0, 0) if mode == "RGBA" else (0, 0)
    assert near(decode(saved(Image.new(mode, (40, 40), clear)))[5, 5], (255, 255, 255), 0)


def test_a_palette_with_a_transparent_colour_becomes_white_there() -> None:
    image = Image.new("P", (40, 40), 0)
    image.putpalette([0, 0, 0, *RED])
    image.paste(1, (20, 0, 40, 40))
    picture = decode(saved(image, "PNG", transparency=0))
    assert near(picture[5, 5], (255, 255, 255), 0)
    assert near(picture[5, 30], RED_BGR, 0)


@pytest.mark.parametrize(
    ("mode", "value", "grey"), [("L", 90, 90), ("1", 1, 255), ("I;16", 90 * 257, 90)]
)
def test_grey_pictures(mode: str, value: int, grey: int) -> None:
    picture = decode(saved(Image.new(mode, (40, 40), value)))
    assert near(picture[5, 5], (grey, grey, grey), 1)


def test_a_float_picture_is_stretched_to_its_range() -> None:
    values = np.linspace(0, 1, 40 * 40, dtype=np.float32).reshape(40, 40)
    picture = decode(saved(Image.fromarray(values), "TIFF"))
    assert picture[0, 0, 0] == 0
    assert picture[39, 39, 0] == 255


def test_cmyk_jpeg() -> None:
    picture = decode(saved(Image.new("CMYK", (40, 40), (0, 255, 255, 0)), "JPEG"))
    assert near(picture[5, 5], (0, 0, 255), 30)


def test_of_an_animation_the_first_picture_is_read() -> None:
    frames = [Image.new("RGB", (40, 40), colour) for colour in (RED, (0, 0, 255))]
    data = saved(frames[0], "GIF", save_all=True, append_images=frames[1:])
    assert near(decode(data)[5, 5], RED_BGR)


HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 64
MP4 = b"\0\0\0\x18ftypisom\0\0\x02\0isomiso2" + b"\0" * 64


@pytest.mark.parametrize(
    ("data", "code", "word"),
    [
        (b"", "empty_file", "empty"),
        (b"123p 456s, a hand\n" * 9, "text_file", "text file"),
        ("五萬 " * 900, "text_file", "text file"),
        (HEIC, "heic", "Most Compatible"),
        (MP4, "video", "film"),
        (b"%PDF-1.7\n%\xe2\xe3", "pdf", "PDF"),
        (bytes(range(256)) * 4, "not_a_picture", "JPEG, PNG"),
        (saved(Image.effect_noise((200, 200), 90), "JPEG")[:4000], "truncated", "breaks off"),
        (saved(Image.effect_noise((200, 200), 90), "PNG")[:9000], "truncated", "breaks off"),
        (png_of_size(20_000, 10_000), "too_many_pixels", "200 megapixels"),
        (png_of_size(40_000, 100), "too_many_pixels", "40000 x 100"),
        (saved(Image.new("RGB", (20, 400))), "too_small", "20 x 400"),
    ],
)
def test_what_bad_files_are_told(data: bytes | str, code: str, word: str) -> None:
    with pytest.raises(PictureError) as error:
        decode(data.encode() if isinstance(data, str) else data)
    assert error.value.code == code
    assert word in str(error.value)
    assert error.value.exit_code == 2
    assert 400 <= error.value.status < 500


def test_too_many_bytes_is_said_before_anything_is_unpacked() -> None:
    with pytest.raises(PictureError, match="more than the 1 MB") as error:
        decode(b"\0" * 1_400_000, DecodeLimits(max_bytes=1_000_000))
    assert error.value.code == "too_many_bytes"


@given(
    st.binary(max_size=300),
    st.sampled_from([b"", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"RIFF"]),
)
def test_no_bytes_whatever_give_anything_but_a_sentence(tail: bytes, head: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            picture = decode(head + tail)
        except PictureError as error:
            assert str(error)
        else:
            assert picture.ndim == 3


@given(st.integers(20, 2000), st.integers(0, 255))
def test_a_damaged_picture_gives_pixels_or_a_sentence(at: int, byte: int) -> None:
    data = bytearray(saved(Image.linear_gradient("L").resize((64, 64)), "PNG"))
    data[at % len(data)] = byte
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            assert decode(bytes(data)).dtype == np.uint8
        except PictureError as error:
            assert error.code in {
                "broken_picture",
                "truncated",
                "not_a_picture",
                "too_many_pixels",
                "too_small",
            }


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "hand.png"
    path.write_bytes(saved(Image.new("RGB", (64, 48), RED)))
    assert decode_file(path).shape == (48, 64, 3)
    for missing, code in ((tmp_path / "none.jpg", "no_such_file"), (tmp_path, "is_folder")):
        with pytest.raises(PictureError) as error:
            decode_file(missing)
        assert error.value.code == code
        assert str(missing) in str(error.value)
    with pytest.raises(PictureError, match="more than the 0 MB"):
        decode_file(path, DecodeLimits(max_bytes=10))
