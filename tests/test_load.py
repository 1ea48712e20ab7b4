"""Long and large calls: interrupts, constant memory, and lack of memory."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from helpers import seconds_until_interrupted

HERE = Path(__file__).parent
SCENE = """
import io, pickle, sys, time, warnings
import numpy as np
import carom

warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
quads = rng.uniform(-3, 3, (10_000, 1, 2)) + square
crowd = carom.Shapes(quads)
notched = np.array([(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)], float) + quads[:, :1]
some = carom.Shapes(notched)
ones = np.ones((10_000, 2))
"""

STAR = """
import numpy as np
import carom

def star(count, x):
    angles = np.arange(count) * (2 * np.pi / count)
    radii = np.random.default_rng(count).uniform(0.4, 1, count)
    return np.stack([x + radii * np.cos(angles), radii * np.sin(angles)], axis=-1)
"""

INTERRUPTED = """
turn = {"turn_a": 2.0, "center_a": (0.0, 0.0)}
of = {"pairs": (np.arange(10_000).repeat(300), np.tile(np.arange(10_000), 300))}
stars = star(4000, 0.0), star(4000, 0.3)
ring = star(400, 0.0)
poses = np.zeros((4000, 40, 3)) + rng.uniform(-1, 1, (4000, 40, 3))
log = carom.Trajectories(square, np.concatenate([poses[..., :2] * 20, poses[..., 2:]], axis=2))
import shapely
wkb = [shapely.to_wkb(shapely.Polygon(ring)) for ring in notched] * 20
mixed = wkb + [shapely.to_wkb(shapely.Point(0, 0), byte_order=0)]
import pyarrow
import pyarrow.compute
# Made here, where it imports pandas: there an interrupt may be lost, and in pyarrow wait.
plain_wkb, mixed_wkb = pyarrow.array(wkb * 5), pyarrow.array(mixed)
around = np.arange(300) * (2 * np.pi / 300)
gear = np.stack([np.cos(around), np.sin(around)], axis=-1)
hole = gear / np.cos(np.pi / 300) * (1 + 1e-15)
gears = [gear, [np.array([(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)]), hole]]
fast = {"turn_a": 2e4, "center_a": (0.5, 0.5)}
calls = {
    "fast turn": lambda: carom.swept_collision(square, square + 3, (3, 1e308), **fast),
    "its approach": lambda: carom.closest_approach(square, square + 3, (3, 1e308), **fast),
    "a row of it": lambda: carom.swept_collision_batch(square, square + 3, (3, 1e308), **fast),
    "its join": lambda: carom.colliding_pairs(
        [square], [square + 3], velocity_a=(3, 1e308), **fast
    ),
    "gears": lambda: carom.swept_collision(*gears, (0, 0), **turn),
    "a row of gears": lambda: carom.swept_collision_batch(gears[:1], gears[1:], (0, 0), **turn),
    "a way of gears": lambda: carom.first_contact(gears[0], [[(0, 0, 0), (0, 0, 3)]], gears[1:]),
    "candidate_pairs": lambda: carom.candidate_pairs(crowd, crowd, margin=9.0),
    "colliding_pairs": lambda: carom.colliding_pairs(some, margin=9.0),
    "turning join": lambda: carom.colliding_pairs(some, turn_a=2.0, center_a=(0.0, 0.0)),
    "pieces": lambda: [*carom.iter_colliding_pairs(some, margin=9.0, chunk_pairs=1000)],
    "nearest": lambda: carom.nearest(some, some, k=500),
    "ray_cast": lambda: carom.ray_cast(rng.normal(size=(300_000, 2)), (9.0, 9.0), some),
    "penetration": lambda: carom.penetration(*stars),
    "penetration_batch": lambda: carom.penetration_batch(some, some, **of),
    "one thread": lambda: carom.penetration_batch(some, some, threads=1, **of),
    "turning sweeps": lambda: carom.swept_collision_batch(some, some, (1, 1), **turn, **of),
    "closest_approach": lambda: carom.closest_approach_batch(some, some, (1, 1), **turn, **of),
    "contact_intervals": lambda: carom.contact_intervals_batch(some, some, (1, 1), **of),
    "first_contact": lambda: carom.first_contact(square, poses, some.translate((9.0, 9.0))),
    "clearance": lambda: carom.clearance(square, poses, some.translate((20.0, 20.0))),
    "trajectories": lambda: carom.Trajectories(ring, poses),
    "their boxes": lambda: log.bounds,
    "encounters": lambda: carom.encounters(log, fields=("distance",), margin=3.0),
    "list of shapes": lambda: carom.Shapes([*notched] * 100),
    "plain WKB": lambda: carom.Shapes.from_arrow(plain_wkb, check=False),
    "mixed WKB": lambda: carom.Shapes.from_arrow(mixed_wkb, check=False),
}
expected = carom.colliding_pairs(some[:100]).tobytes()
for name, call in calls.items():
    print(name, flush=True)
    try:
        while True:
            call()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    assert carom.colliding_pairs(some[:100]).tobytes() == expected
print("end", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_every_long_call_is_interrupted_within_a_second_and_the_process_goes_on() -> None:
    pytest.importorskip("shapely")
    pytest.importorskip("pyarrow")
    command = [sys.executable, "-c", SCENE + STAR + INTERRUPTED]
    slow = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            while (name := process.stdout.readline().strip()) != "end":
                assert name, "the process ended"
                time.sleep(0.2)
                if (waited := seconds_until_interrupted(process)) > 1.0:
                    slow[name] = waited
            assert process.wait(timeout=30) == 0
        finally:
            process.kill()
    assert not slow


SHORT_OF_MEMORY = """
import resource
same = carom.Shapes(np.broadcast_to(square, (20_000, 4, 2)).copy())
alike = carom.Shapes(same)
few = carom.Shapes(same[:3000])
many = np.tile(quads, (20, 1, 1)) + np.arange(200_000)[:, None, None]
column = carom.Shapes(many)
stars = carom.Shapes(star(10, 0.0) + rng.uniform(0, 9, (250_000, 1, 2)))
notched_rows = star(40, 0.0) + rng.uniform(0, 9, (20_000, 1, 2))
kept = []

def fill(make):
    while True:
        kept.append(make())

import pyarrow, shapely
wkb = pyarrow.array([shapely.to_wkb(shapely.Polygon(square))] * 200_000)
picks = np.zeros(2_000_000, int)
starts = np.arange(0, 800_001, 4)
radii, moves, posed = np.ones(200_000), np.ones((200_000, 2)), np.zeros((200_000, 3, 3))
poses = np.zeros((1, 3, 3))
stacked = carom.Trajectories(square, np.zeros((3000, 1, 3)))

def seen(rows):
    return rows, carom.ray_cast((0.0, 0.0), (1.0, 0.0), rows)

def passed(rows, **how):
    return rows, carom.first_contact(square, poses, rows, **how)

def indexed(rows):
    carom.nearest(few[:2], rows)
    return rows

calls = {
    "all fields": lambda: carom.sat_batch(quads[:, None], quads),
    "one field": lambda: carom.distance_batch(quads[:, None], quads, fields=("distance",)),
    "intervals": lambda: carom.contact_intervals_batch(quads[:, None], quads, (1.0, 1.0)),
    "penetration": lambda: carom.penetration_batch(notched[:, None], notched),
    "convex pieces": lambda: carom.penetration_batch(stars, stars, fields=("depth",)),
    "one thread": lambda: carom.penetration_batch(stars, stars, fields=("depth",), threads=1),
    "candidate_pairs": lambda: carom.candidate_pairs(same),
    "colliding_pairs": lambda: carom.colliding_pairs(same, alike),
    "moving": lambda: carom.colliding_pairs(few, few, velocity_a=(1.0, 0.0)),
    "a piece": lambda: [*carom.iter_colliding_pairs(same, chunk_pairs=10**9)],
    "nearest": lambda: carom.nearest(few, few, k=3000),
    "lists": lambda: fill(lambda: carom.Shapes([*many[:50_000]])),
    "notched": lambda: fill(lambda: carom.Shapes(notched_rows)),
    "rounded": lambda: fill(lambda: stars.with_radius(1.0)),
    "translate": lambda: fill(lambda: column.translate((1.0, 1.0))),
    "affine": lambda: fill(lambda: column.affine_transform((1.0, 0.0, 0.0, 1.0, 1.0, 1.0))),
    "indices": lambda: fill(lambda: indexed(column.translate((1.0, 1.0)))),
    "picked": lambda: fill(lambda: column[picks]),
    "reversed": lambda: fill(lambda: column[::-1].coords),
    "radii": lambda: fill(lambda: column.with_radius(radii)),
    "paths": lambda: fill(lambda: carom.Shapes.from_paths(many.reshape(-1, 2), starts)),
    "rays": lambda: fill(lambda: seen(column.translate((1.0, 1.0)))),
    "drifting": lambda: fill(lambda: passed(column.translate((1.0, 1.0)), velocity=moves)),
    "posed": lambda: carom.first_contact(square, poses, column, obstacle_poses=posed),
    "trajectories": lambda: fill(lambda: carom.Trajectories(square, posed)),
    "encounters": lambda: carom.encounters(stacked, fields=("step",)),
    "no bodies": lambda: carom.encounters(carom.Trajectories(square, np.zeros((0, 10**9, 3)))),
    "to Arrow": lambda: fill(column.__arrow_c_array__),
    "from Arrow": lambda: fill(lambda: carom.Shapes.from_arrow(column)),
    "from WKB": lambda: fill(lambda: carom.Shapes.from_arrow(wkb, check=False)),
    "pickles": lambda: fill(lambda: pickle.dumps(column)),
    "hulls": lambda: fill(lambda: carom.convex_hull(rng.normal(size=(200_000, 2)))),
    "places": lambda: fill(lambda: carom.place(square, np.zeros((100_000, 3)))),
}
carom.sat_batch(quads, quads)
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + int(sys.argv[1]) * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
told = io.StringIO()
for name, call in calls.items():
    try:
        call()
        outcome = "enough"
    except MemoryError as why:
        outcome = "MemoryError"
    except RuntimeError as why:
        # With hardly any memory the system starts no threads.
        assert str(why).startswith("can't start"), why
        outcome = "MemoryError"
    kept.clear()
    assert carom.sat_batch(quads[:9], quads[:9]).depth.tolist() == [1.0] * 9
    print(f"{name}: {outcome}")
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs limits of memory")
@pytest.mark.parametrize("megabytes", [1, 20, 70, 100, 120])
def test_a_result_too_large_for_the_memory_is_a_memory_error_and_no_abort(megabytes: int) -> None:
    pytest.importorskip("shapely")
    pytest.importorskip("pyarrow")
    command = [sys.executable, "-c", SCENE + STAR + SHORT_OF_MEMORY, str(megabytes)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    outcomes = dict(line.split(": ") for line in done.stdout.splitlines())
    assert len(outcomes) == 33
    assert {*outcomes.values()} <= {"MemoryError", "enough"}
    enough = {name for name, outcome in outcomes.items() if outcome == "enough"}
    assert enough <= {"moving", "nearest"}


WAY_OUT = """
def peak():
    status = open("/proc/self/status").read().split()
    return int(status[status.index("VmHWM:") + 1]) / 1024

a, b = star(1000, 0.0), star(1000, 0.3)
carom.penetration(a[::10], b[::10])
before = peak()
assert carom.penetration(a, b).depth > 1.0
print(peak() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs the size of the process")
def test_the_way_out_of_large_polygons_takes_less_than_16_megabytes() -> None:
    """The vertices of all Minkowski differences of their convex pieces would be 39 megabytes."""
    command = [sys.executable, "-c", STAR + WAY_OUT]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert float(done.stdout) < 16


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the size of the process")
def test_memory_stays_flat_under_load() -> None:
    command = [sys.executable, str(HERE / "load.py"), "--seconds", "3"]
    command += ["--rows", "2000", "--pairs", "2e5", "--growth", "8"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, textwrap.indent(done.stdout + done.stderr, "    ")
