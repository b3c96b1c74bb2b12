"""Bytes of a picture file to pixels: limits before decoding, the way up the camera meant, one sentence if it can't be.

Pillow reads the header first, so a picture that is too large is refused without unpacking it.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from companion.reasons import system_says
from companion.text import GorrionError, T, Text

# Pillow warns, or refuses, by a limit of its own and in words of its own; ours is stricter and is
# checked before anything is unpacked.
Image.MAX_IMAGE_PIXELS = None

FORMATS: Final = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "PPM", "AVIF")
"""Pillow's names of the formats that are read; its rarer decoders stay shut to what strangers send."""


class PictureError(GorrionError):
    """The bytes are no picture that can be read; ``code`` says why in a word."""

    def __init__(self, text: Text, code: str, status: int = 400) -> None:
        super().__init__(text, code, field="image", status=status, exit_code=2)


@dataclass(frozen=True, slots=True)
class DecodeLimits:
    """What a picture may be at most and must be at least."""

    max_bytes: int = 64_000_000
    """A 60 MP photograph at the best JPEG quality has about 30 MB, the same as PNG twice that."""
    max_pixels: int = 60_000_000
    """No phone's ordinary photograph has more than 50 MP; 60 MP are 180 MB in memory, twice while they are turned."""
    max_side_px: int = 30_000
    """OpenCV can't warp pictures with a side of 32,767 pixels or more."""
    min_side_px: int = 32
    """The narrowest picture that holds a tile of 15 x 20 pixels and something around it."""


DEFAULT_LIMITS: Final = DecodeLimits()


def decode_file(path: Path, limits: DecodeLimits = DEFAULT_LIMITS) -> NDArray[np.uint8]:
    """Read a picture file; see `decode`.

    Raises:
        PictureError: also when there is no such file, it is a folder, or it may not be read.
    """
    name = str(path)
    try:
        if path.is_dir():
            raise PictureError(
                T("%(path)s is a folder: name the pictures in it", path=name), "is_folder"
            )
        if path.stat().st_size > limits.max_bytes:
            raise _too_many_bytes(path.stat().st_size, limits)
        data = path.read_bytes()
    except FileNotFoundError:
        raise PictureError(
            T("there is no file %(path)s", path=name), "no_such_file", status=404
        ) from None
    except OSError as error:
        raise PictureError(
            T(
                "%(path)s can't be read: %(reason)s",
                path=name,
                reason=system_says(error),
            ),
            "unreadable_file",
        ) from None
    return decode(data, limits)


def decode(data: bytes, limits: DecodeLimits = DEFAULT_LIMITS) -> NDArray[np.uint8]:
    """Unpack a picture as the eye should see it.

    Turned as its EXIF says; transparent parts over white; grey, palette, CMYK and 16-bit pictures as plain colour; of
    an animation the first picture.

    Args:
        data: the whole file.
        limits: see `DecodeLimits`.

    Returns:
        (H, W, 3) uint8, blue green red.

    Raises:
        PictureError: with code ``empty_file``, ``too_many_bytes``, ``text_file``, ``heic``, ``video``, ``pdf``,
            ``not_a_picture``, ``too_many_pixels``, ``too_small``, ``truncated`` or ``broken_picture``.
    """
    if not data:
        raise PictureError(T("the file is empty: take or choose the picture again"), "empty_file")
    if len(data) > limits.max_bytes:
        raise _too_many_bytes(len(data), limits)
    try:
        image = Image.open(io.BytesIO(data), formats=FORMATS)
    except UnidentifiedImageError:
        raise _not_a_picture(data) from None
    except (
        Exception
    ):  # a decoder may raise anything on a damaged header: OSError, ValueError, struct.error, ...
        raise _broken() from None
    with image:
        _check_size(image.width, image.height, limits)
        try:
            image.load()
        except Exception as error:
            # Pillow has no exception of its own for a file that ends too early, only these words.
            words = str(error).lower()
            if "truncated" in words or "incomplete" in words or isinstance(error, EOFError):
                raise _truncated() from None
            raise _broken() from None
        try:
            return _as_bgr(_turned(image))
        except MemoryError:
            raise
        except Exception:
            raise _broken() from None


def _check_size(width: int, height: int, limits: DecodeLimits) -> None:
    if width * height > limits.max_pixels or max(width, height) > limits.max_side_px:
        raise PictureError(
            T(
                "the picture has %(width)s x %(height)s pixels (%(megapixels)s megapixels), more than the "
                "%(limit)s megapixels that are read: make it smaller",
                width=width,
                height=height,
                megapixels=round(width * height / 1e6),
                limit=round(limits.max_pixels / 1e6),
            ),
            "too_many_pixels",
            status=413,
        )
    if min(width, height) < limits.min_side_px:
        raise PictureError(
            T(
                "the picture has only %(width)s x %(height)s pixels, too few to show a tile: choose a larger one",
                width=width,
                height=height,
            ),
            "too_small",
        )


def _turned(image: Image.Image) -> Image.Image:
    try:
        return ImageOps.exif_transpose(image)
    except Exception:  # damaged EXIF is common after editing; the picture itself is sound
        return image


def _as_bgr(image: Image.Image) -> NDArray[np.uint8]:
    if image.mode in ("I;16", "I;16L", "I;16B", "I;16N", "I", "F"):
        grey = _eight_bits(np.asarray(image))
        return cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR).astype(np.uint8, copy=False)
    if image.mode in ("RGBA", "RGBa", "LA", "La", "PA") or "transparency" in image.info:
        rgba = image.convert("RGBA")
        white = Image.new("RGBA", rgba.size, (255, 255, 255, 255))
        image = Image.alpha_composite(white, rgba)
    rgb = np.asarray(image.convert("RGB"))
    return cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR).astype(np.uint8, copy=False)


def _eight_bits(deep: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Grey of more than eight bits, to 0..255: 16-bit values by their range, other ranges by what is there."""
    values = deep.astype(np.float32)
    top = float(np.nanmax(values, initial=0.0))
    bottom = min(float(np.nanmin(values, initial=0.0)), 0.0)
    if deep.dtype.kind in "iu":
        scale = 1.0 if top <= 255 else 255 / max(65535.0, top)
    else:
        scale = 255 / (top - bottom) if top > bottom else 0.0
    return np.clip(np.nan_to_num((values - bottom) * scale) + 0.5, 0, 255).astype(np.uint8)


def _not_a_picture(data: bytes) -> PictureError:
    """What the bytes are instead, as far as their first few tell."""
    brand = data[8:12] if data[4:8] == b"ftyp" else b""
    if brand in (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"):
        return PictureError(
            T(
                "HEIC pictures can't be read here: send it as JPEG (on an iPhone: Settings, Camera, Formats, "
                "Most Compatible)"
            ),
            "heic",
            status=415,
        )
    if (brand and brand not in (b"avif", b"avis")) or data[:4] in (b"RIFF", b"\x1aE\xdf\xa3"):
        return PictureError(
            T("this is a film or a sound, not a picture: choose a still of it"), "video", status=415
        )
    if data[:5] == b"%PDF-":
        return PictureError(
            T("this is a PDF document, not a picture: send the picture in it"), "pdf", status=415
        )
    if _looks_like_text(data):
        return PictureError(
            T("this is a text file, not a picture: choose a photograph"), "text_file", status=415
        )
    return PictureError(
        T(
            "this is no picture that can be read: use %(formats)s",
            formats="JPEG, PNG, WebP, AVIF, GIF, BMP, TIFF",
        ),
        "not_a_picture",
        status=415,
    )


def _looks_like_text(data: bytes) -> bool:
    head = data[:2048]
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(head) - 3:  # not just a letter cut in two at the end of the head
            return False
        text = head[: error.start].decode("utf-8")
    return all(letter.isprintable() or letter in "\t\r\n\f\ufeff" for letter in text)


def _too_many_bytes(size: int, limits: DecodeLimits) -> PictureError:
    return PictureError(
        T(
            "the file has %(size)s MB, more than the %(limit)s MB that are read: send a smaller picture",
            size=round(size / 1e6),
            limit=round(limits.max_bytes / 1e6),
        ),
        "too_many_bytes",
        status=413,
    )


def _truncated() -> PictureError:
    return PictureError(
        T("the picture breaks off before its end: send or copy it again"), "truncated"
    )


def _broken() -> PictureError:
    return PictureError(
        T("the picture is damaged and can't be unpacked: send or copy it again"), "broken_picture"
    )
