"""Threads that share columns and arrays, processes that fork or end in the midst of a call."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import carom
import numpy as np
import pytest

import fixed_scene

ROWS = 400


def fresh(seed: int) -> Any:
    """Polygons of which nothing is known yet: no index, no areas, no kinds."""
    rng = np.random.default_rng(seed)
    rows: list[Any] = []
    for row in range(ROWS):
        x, y = rng.uniform(0, 30, 2)
        if row % 10 == 0:
            shell = [(x, y), (x + 3, y), (x + 3, y + 3), (x + 1.5, y + 2.5), (x, y + 3)]
            rows.append([shell, [(x + 1, y + 1), (x + 2, y + 1), (x + 1.5, y + 1.5)]])
        else:
            rows.append([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)])
    rows[7] = None
    return carom.Shapes(rows)


def ring_of(column: Any) -> Any:
    return carom.Shapes(column[:1])


LAZY: dict[str, Callable[[Any], Any]] = {
    "candidates": lambda it: carom.candidate_pairs(it, threads=2),
    "colliding": lambda it: carom.colliding_pairs(it, velocity_a=(0.5, 0.5)),
    "part": lambda it: carom.colliding_pairs(it[100:130], it[::-1]),
    "pieces": lambda it: np.concatenate([*carom.iter_colliding_pairs(it, chunk_pairs=50)], axis=1),
    "nearest": lambda it: carom.nearest(it, it[50:], k=3).distance,
    "rays": lambda it: carom.ray_cast((0.0, 0.0), (40.0, 40.0), it).time,
    "measures": lambda it: np.concatenate([it.bounds, it.centroid, it.area[:, None]], axis=1),
    "kinds": lambda it: np.concatenate([it.kind, it.is_convex, it.is_valid]),
    "rows": lambda it: it[::3].coords,
    "pickle": lambda it: np.frombuffer(it.__reduce__()[1][0].tobytes(), np.uint8),
    "moved": lambda it: it.translate((1.0, 2.0)).bounds,
    "batch": lambda it: carom.distance_batch(it, it[::-1]).distance,
    "penetration": lambda it: carom.penetration_batch(it[:60], it[60:120]).depth,
    "located": lambda it: carom.locate(np.arange(40.0).reshape(-1, 2), ring_of(it)),
}
"""Calls that build what a column keeps: its index, boxes of edges, the part that rows need."""


@pytest.mark.parametrize("seed", range(10))
def test_what_eight_threads_find_out_about_a_column_at_once_is_what_one_does(seed: int) -> None:
    expected = {name: call(fresh(seed)).tobytes() for name, call in LAZY.items()}
    column, start = fresh(seed), threading.Barrier(8)

    def ask(first: int) -> dict[str, bytes]:
        names = list(LAZY)
        # Four threads begin with the same call, the others each with another.
        names = names[first // 2 * 3 :] + names[: first // 2 * 3]
        start.wait()
        return {name: LAZY[name](column).tobytes() for name in names}

    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(ask, range(8)):
            assert found == expected


def test_all_answers_have_the_same_bits_in_four_threads_at_once() -> None:
    with ThreadPoolExecutor(4) as pool:
        digests = [*pool.map(fixed_scene.digest_of_kinds, [None, 1, 2, 3])]
    assert len({*digests}) == 1


def run(program: str, *arguments: str, timeout: float = 120.0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(program), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


MUTATED = """
    import sys, threading, time, numpy as np, carom

    rng = np.random.default_rng(0)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
    rows = 2400
    a, b = rng.uniform(0, 3, (2, rows, 1, 2)) + square
    velocity, radius, margin = rng.normal(size=(rows, 2)), np.ones(rows), np.zeros(rows)
    # Pairs of rows that nobody changes.
    i, j = rng.integers(0, rows // 2, (2, rows)) * 2 + 1
    kept = a.copy(), b.copy(), velocity.copy(), i.copy(), j.copy()
    out = {"depth": np.zeros(rows)}
    stop = threading.Event()

    def change():
        # All bits, far rows, NaN and what was there: in every other row.
        noise = np.random.default_rng(1)
        while not stop.is_set():
            for array, own in zip((a, b, velocity), kept):
                bits = noise.integers(-2**63, 2**63 - 1, array[::2].shape, dtype=np.int64)
                array[::2] = bits.view(np.float64)
                array[::4] = np.nan
                array[::2] = own[::2]
            for index, own in zip((i, j), kept[3:]):
                index[::2] = noise.integers(-2**63, 2**63 - 1, index[::2].shape, dtype=np.int64)
                index[::2] = own[::2]
            radius[::2], margin[::2] = np.nan, -np.inf
            radius[::2], margin[::2] = 1.0, 0.0
            out["depth"][::2] = np.nan

    calls = [
        lambda **k: carom.sat_batch(a, b, margin=margin, **k).depth,
        lambda **k: carom.sat_batch(a, b, pairs=(i, j), **k).depth,
        lambda **k: carom.sat_batch(a, b, out=out, fields=("depth",), **k).depth,
        lambda **k: carom.distance_batch(a, b, **k).distance,
        lambda **k: carom.penetration_batch(a, b, **k).depth,
        lambda **k: carom.swept_collision_batch(a, b, velocity, **k).time,
        lambda **k: carom.closest_approach_batch(a, b, velocity, **k).distance,
        lambda **k: carom.swept_circle_batch(a[:, 0], radius, velocity, b, **k).time,
        lambda **k: carom.circle_polygon_batch(a[:, 0], radius, b, **k).depth,
        lambda **k: carom.contact_intervals_batch(a, b, velocity, **k).offsets[:0],
    ]
    ways = [{"on_invalid": "mask"}, {"check": False}, {"on_invalid": "mask", "threads": 1}]
    expected = [call(on_invalid="mask")[1::2].copy() for call in calls]
    column = carom.Shapes(a)
    joined = carom.colliding_pairs(column).tobytes()
    changer = threading.Thread(target=change)
    changer.start()
    end = time.monotonic() + float(sys.argv[1])
    refused = 0
    try:
        while time.monotonic() < end:
            for call, answer in zip(calls, expected):
                for how in ways:
                    try:
                        found = call(**how)[1::2]
                    except (ValueError, IndexError):
                        refused += 1
                        continue
                    if len(found):
                        # The rows that nobody changes are answered as before.
                        assert found.tobytes() == answer.tobytes(), (calls.index(call), how)
            for join in (carom.colliding_pairs, carom.candidate_pairs):
                try:
                    join(a, b, velocity_a=velocity, margin=margin)
                except (ValueError, IndexError):
                    refused += 1
            assert carom.colliding_pairs(column).tobytes() == joined
    finally:
        stop.set()
        changer.join()
    print("done", refused)
"""


def test_arrays_that_change_during_a_call_change_the_answers_of_their_rows_alone() -> None:
    done = run(MUTATED, os.environ.get("CAROM_THREADS_SECONDS", "3"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("done")


LONG = {
    "batch": "carom.sat_batch(quads[:, None], quads, fields=('depth',))",
    "one thread": "carom.sat_batch(quads[:, None], quads, fields=('depth',), threads=1)",
    "join": "carom.colliding_pairs(crowd, velocity_a=np.ones((len(crowd), 2)))",
    "scalar": "carom.sat(wheel, wheel + 0.1)",
    "results": "carom.distance_batch(quads[:500], quads[500:1000])",
    "lists": "carom.distance_batch([*quads[:500]], quads[500:1000])",
}
"""The first four compute without the interpreter. The last two often are in a function of NumPy
that detaches from it, to allocate results or to read numbers."""


@pytest.mark.parametrize("ending", ["", "raise SystemExit(3)", "raise ValueError('gone')"])
@pytest.mark.parametrize("call", LONG.values(), ids=LONG)
def test_the_interpreter_ends_in_the_midst_of_a_call(call: str, ending: str) -> None:
    program = f"""
import threading, time, numpy as np, carom
square = [(0, 0), (1, 0), (1, 1), (0, 1)]
quads = np.random.default_rng(0).uniform(-3, 3, (10_000, 1, 2)) + square
crowd = carom.Shapes(quads[:4000] * 0.1)
turns = np.linspace(0, 2 * np.pi, 300_000, endpoint=False)
wheel = np.stack([np.cos(turns), np.sin(turns)], axis=-1)
def work():
    while True:
        {call}
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.3)
{ending}
"""
    done = run(program, timeout=60.0)
    assert done.returncode == {"": 0, "raise SystemExit(3)": 3}.get(ending, 1)
    expected = "ValueError: gone" if "gone" in ending else ""
    assert done.stderr.strip().splitlines()[-1:] == ([expected] if expected else [])
    assert "panicked" not in done.stderr
    assert "Fatal" not in done.stderr


def answers(column: Any) -> bytes:
    """A join and a batch, both long enough for the threads of the pool."""
    pairs = carom.colliding_pairs(column, margin=1.0, threads=2)
    depth = carom.penetration_batch(column, column, pairs=pairs, threads=2).depth
    return pairs.tobytes() + depth.tobytes()


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes_that_share_a_column_find_what_their_parent_finds(method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("this system has no such start method")
    column = fresh(1)
    expected = answers(column)
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.map_async(answers, [column] * 4).get(timeout=120)
    assert found == [expected] * 4
    assert answers(column) == expected


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_forked_from_within_a_join_goes_on_with_it_and_with_others() -> None:
    program = """
        import os, signal, numpy as np, carom
        square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
        column = carom.Shapes(np.random.default_rng(0).uniform(0, 60, (40_000, 1, 2)) + square)
        expected = carom.candidate_pairs(column, threads=2).tobytes()
        children = []
        def fork(done, total):
            if len(children) < 3 and done < total:
                child = os.fork()
                if child == 0:
                    signal.alarm(60)
                    os._exit(carom.candidate_pairs(column, threads=2).tobytes() != expected)
                children.append(child)
        found = carom.candidate_pairs(column, threads=2, progress=fork)
        assert found.tobytes() == expected
        print(len(children), *[os.waitpid(child, 0)[1] for child in children])
    """
    done = run(program)
    assert (done.returncode, done.stderr) == (0, "")
    count, *codes = done.stdout.split()
    assert codes == ["0"] * int(count)
