import numpy as np
import onnxruntime as ort
import pytest

from vision.bench import reference
from vision.bench.graph import Graph
from vision.bench.pictures import table
from vision.bench.timing import resident_mb


def run(content: bytes, **inputs: np.ndarray) -> list[np.ndarray]:
    session = ort.InferenceSession(content, providers=["CPUExecutionProvider"])
    return session.run(None, inputs)


def test_a_graph_written_by_hand_computes_what_it_says() -> None:
    graph = Graph(np.random.default_rng(0))
    doubled = graph.node("Mul", ["x", graph.constant(np.array([2.0], np.float32))])[0]
    parts = graph.node(
        "Split", [doubled, graph.constant(np.array([1, 2], np.int64))], outputs=2, axis=1
    )
    joined = graph.node("Concat", parts[::-1], axis=-3)[0]
    x = np.arange(12, dtype=np.float32).reshape(1, 3, 2, 2)
    (out,) = run(graph.model({"x": x.shape}, {joined: x.shape}), x=x)
    assert np.array_equal(out, 2 * x[:, [1, 2, 0]])


def test_a_convolution_is_counted() -> None:
    graph = Graph(np.random.default_rng(0))
    y = graph.conv("x", 4, 6, 3, 5 * 5, stride=2, groups=2)
    assert (graph.parameters, graph.macs) == (6 * 2 * 9 + 6, 6 * 2 * 9 * 25)
    (out,) = run(
        graph.model({"x": (1, 4, 10, 10)}, {y: (1, 6, 5, 5)}), x=np.ones((1, 4, 10, 10), np.float32)
    )
    assert out.shape == (1, 6, 5, 5)


def test_the_reference_has_yolo11ns_size() -> None:
    content, macs, parameters = reference.build()
    assert parameters == pytest.approx(2.62e6, rel=0.01)
    assert macs == pytest.approx(6.5e9 / 2, rel=0.02)
    (out,) = run(content, images=np.zeros((1, 3, 640, 640), np.float32))
    assert out.shape == (1, 144, 8400)
    assert np.isfinite(out).all()


@pytest.mark.parametrize("tiles", [14, 40, 100])
def test_tables_are_drawn_at_any_size_and_always_the_same(tiles: int) -> None:
    picture = table(640, 480, tiles)
    assert picture.shape == (480, 640, 3)
    assert np.array_equal(picture, table(640, 480, tiles))
    with pytest.raises(ValueError, match="not of 7"):
        table(640, 480, 7)


def test_memory_is_told_or_not_known() -> None:
    memory = resident_mb()
    assert memory is None or 10 < memory < 20_000
