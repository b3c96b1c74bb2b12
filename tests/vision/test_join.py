import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.join import overlap, same_tiles
from vision.labels import BACK, INDEX, LABELS

KINDS = 9


def sure(names: list[int]) -> np.ndarray:
    return np.eye(KINDS)[np.array(names, int)].reshape(-1, KINDS)


@given(st.lists(st.integers(0, KINDS - 1), min_size=3, max_size=14), st.integers(3, 14))
def test_a_row_cut_in_two_overlapping_parts_is_found(row: list[int], shared: int) -> None:
    shared = min(shared, len(row))
    cut = (len(row) - shared) // 2
    left, right = row[: cut + shared], row[cut:]
    k = overlap(sure(left), sure(right))
    assert k >= shared
    assert left[len(left) - k :] == right[:k]


def test_short_or_contradicted_overlaps_are_chance() -> None:
    assert overlap(sure([1, 2, 3, 4]), sure([3, 4, 5])) == 0
    assert overlap(sure([1, 2, 3, 4]), sure([2, 3, 5, 6])) == 0
    assert overlap(sure([1, 2, 3, 4]), sure([2, 3, 4, 6])) == 3


def test_backs_are_like_all_other_backs() -> None:
    def row(names: list[str]) -> np.ndarray:
        return np.eye(len(LABELS))[[INDEX[name] for name in names]]

    assert overlap(row([BACK] * 7), row([BACK] * 5)) == 0
    assert overlap(row(["1m", BACK, BACK]), row(["1m", BACK, BACK, "3p"])) == 3


def test_one_blurred_tile_does_not_hide_an_overlap() -> None:
    blurred = sure([2, 3, 4, 6])
    blurred[1] = 0.05
    blurred[1, 3], blurred[1, 8] = 0.3, 0.35
    assert overlap(sure([1, 2, 3, 4]), blurred) == 3


def test_places_lead_to_the_first_picture_that_shows_the_tile() -> None:
    rows = [
        ([4, 5, 6, 7], sure([0] * 4 + [1, 2, 3, 4])),
        ([0, 1, 2, 3], sure([2, 3, 4, 5])),
        ([1, 2, 3, 0], sure([8, 3, 4, 5])),
    ]
    found = same_tiles(rows)
    assert found[1, 0] == (0, 5)
    assert found[2, 1] == (0, 6)
    assert (2, 0) not in found
    assert same_tiles([([], np.zeros((0, KINDS))), ([0, 1, 2], sure([1, 2, 3]))]) == {}
