"""How a finder errs: parallelograms that stray from true quads, with heavy tails."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.maps import Floats, describe, rebuild


@dataclass(frozen=True, slots=True)
class ErrorConfig:
    """How a find strays from its tile; lengths in shares of the tile's own sides, standard deviations."""

    centre: float = 0.08
    sides: float = 0.13
    """Of the logarithm of each side."""
    turn_deg: float = 5.0
    shear_deg: float = 4.0
    """Of the long side against the short one."""
    far: float = 0.1
    """Share of finds that are turned or sheared three times as far."""
    strengths: tuple[float, ...] = (0.25, 0.6, 0.6, 1.0, 1.5)
    """A find errs in everything a little or in everything much: each find draws one of these factors."""
    swapped: float = 0.06
    """Share whose long side lies where the tile's short side is."""
    wild: float = 0.12
    """Share that misses by far, as in squeezed photographs: shifted, skewed, one side half as long or nearly twice."""
    wild_centre: float = 0.35
    """Largest shift of those along each side."""
    wild_sides: tuple[float, float] = (0.5, 1.8)
    wild_shear_deg: float = 25.0


def stray(quads_px: Floats, rng: np.random.Generator, config: ErrorConfig) -> Floats:
    """Parallelograms as a finder would answer them for true quads.

    Args:
        quads_px: (N, 4, 2) true corners, clockwise, sides 0-1 and 2-3 the physical short ones.
        rng: chance.
        config: how far.

    Returns:
        (N, 4, 2) float32; either short side may come first.
    """
    n = len(quads_px)
    centres, short, long = (np.asarray(a, np.float64) for a in describe(quads_px))
    by = rng.choice(np.array(config.strengths), n)[:, None]
    off = rng.normal(0, config.centre, (n, 2)) * by
    centres = centres + off[:, :1] * short + off[:, 1:] * long
    far = np.where(rng.random((n, 1)) < config.far, 3.0, 1.0)
    turn = np.deg2rad(rng.normal(0, config.turn_deg, (n, 1)) * by * far)
    shear = np.deg2rad(rng.normal(0, config.shear_deg, (n, 1)) * by * far)
    lengths = np.concatenate([np.hypot(*short.T)[:, None], np.hypot(*long.T)[:, None]], axis=1)
    angles = np.concatenate(
        [
            np.arctan2(short[:, 1], short[:, 0])[:, None],
            np.arctan2(long[:, 1], long[:, 0])[:, None],
        ],
        axis=1,
    )
    angles = angles + turn + np.concatenate([np.zeros((n, 1)), shear], axis=1)
    lengths = lengths * np.exp(rng.normal(0, config.sides, (n, 2)) * by)
    wild = np.flatnonzero(rng.random(n) < config.wild)
    shift = rng.uniform(-config.wild_centre, config.wild_centre, (len(wild), 2))
    centres[wild] += shift[:, :1] * short[wild] + shift[:, 1:] * long[wild]
    factors = np.exp(
        rng.uniform(np.log(config.wild_sides[0]), np.log(config.wild_sides[1]), len(wild))
    )
    lengths[wild, rng.integers(0, 2, len(wild))] *= factors
    skew = np.deg2rad(rng.uniform(-config.wild_shear_deg, config.wild_shear_deg, len(wild)))
    angles[wild, rng.integers(0, 2, len(wild))] += skew
    swapped = rng.random(n) < config.swapped
    angles[swapped] = angles[swapped][:, ::-1]
    doubled = np.stack([np.cos(2 * angles), np.sin(2 * angles)], axis=-1)
    quads = rebuild(
        centres.astype(np.float32),
        lengths.astype(np.float32),
        doubled[:, 0].astype(np.float32),
        doubled[:, 1].astype(np.float32),
    )
    half = rng.random(n) < 0.5
    quads[half] = np.roll(quads[half], 2, axis=1)
    return quads
