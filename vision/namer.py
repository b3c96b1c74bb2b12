"""Name rectified crops: which tile, which way up, and an embedding for adaptation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.labels import LABELS
from vision.rectify import CROP_SIZE
from vision.seen import Names
from vision.session import open_session


@dataclass(frozen=True, slots=True)
class NamerConfig:
    """Knobs of the namer at run time."""

    batch: int = 64
    """Crops per pass: the activations of 64 crops (about 12 MB) stay near the processor; larger passes are no faster
    and a table of 144 tiles must not raise the peak memory."""


DEFAULT_CONFIG: Final = NamerConfig()


class Namer:
    """The naming network, loaded once and called with batches of crops.

    Args:
        path: the ONNX file.
        threads: processor threads for one pass.
        config: see `NamerConfig`.

    Raises:
        FileNotFoundError: if there is no file at ``path``.
        ValueError: if the file is a model of another shape or of other labels.
    """

    def __init__(
        self, path: Path | str, threads: int = 1, config: NamerConfig = DEFAULT_CONFIG
    ) -> None:
        path = Path(path)
        self._session = open_session(path, threads)
        shapes = {output.name: output.shape for output in self._session.get_outputs()}
        if list(shapes) != ["posteriors", "turned", "embeddings"] or shapes["posteriors"][1] != len(
            LABELS
        ):
            raise ValueError(f"{path.name} is not a naming model for these {len(LABELS)} labels")
        self.embedding_size: int = shapes["embeddings"][1]
        self._config = config

    def name(self, crops: NDArray[np.uint8]) -> Names:
        """Name every crop.

        Args:
            crops: (N, 64, 48, 3) uint8 BGR, as `vision.rectify.rectify` cuts them; N may be 0.

        Returns:
            `Names`: calibrated posteriors over `vision.labels.LABELS`, the probability that the crop is upside down
            (meaningful where the face has a direction), and embeddings of length one.

        Raises:
            ValueError: if the array has another shape or type.
        """
        width, height = CROP_SIZE
        if crops.ndim != 4 or crops.shape[1:] != (height, width, 3) or crops.dtype != np.uint8:
            raise ValueError(
                f"crops must be (N, {height}, {width}, 3) uint8, got {crops.shape} {crops.dtype}"
            )
        n, step = len(crops), self._config.batch
        posteriors = np.empty((n, len(LABELS)), np.float32)
        turned = np.empty(n, np.float32)
        embeddings = np.empty((n, self.embedding_size), np.float32)
        for start in range(0, n, step):
            part = slice(start, start + step)
            posteriors[part], turned[part], embeddings[part] = self._session.run(
                None, {"crops": crops[part]}
            )
        return Names(posteriors, turned, embeddings)
