"""How the networks are opened: onnxruntime on the processor, with as many threads as asked for and nothing kept."""

from __future__ import annotations

from pathlib import Path

import onnxruntime as ort


def open_session(path: Path | str, threads: int) -> ort.InferenceSession:
    """An ONNX file ready to run.

    Args:
        path: the file.
        threads: processor threads of one pass.

    Raises:
        FileNotFoundError: if there is no file.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"no model at {path}")
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Parts of pictures and numbers of crops come in many shapes: plans and arenas kept for each would only grow.
    options.enable_mem_pattern = False
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
