"""The traffic demo: its results for the recorded scene equal the oracle's."""

from __future__ import annotations

import csv
import functools
import itertools
import math
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from shutil import which

import carom
import numpy as np
import pytest
from carom.demo import counties
from carom.demo.traffic import PICTURE
from numpy.typing import NDArray

from command import assert_refused, demo, table, without
from reference import oracle
from reference.oracle import turning
from reference.oracle.kinds import Shape
from reference.oracle.moving import Motion

HEADER = "frame,id,x,y,heading,length,width\n"
POSE_AND_SIZE = ("x", "y", "heading", "length", "width")
STRIDES = (1, 3, 5, 15)
RATE = 15.0

Floats = NDArray[np.float64]
Row = dict[str, str]
Rows = dict[str, Row]
Pair = tuple[str, str]


# --- the recorded scene ---------------------------------------------------------------------------


@dataclass
class Touch:
    """The first contact of two vehicles: the frame with its fraction, and the shapes then."""

    frame: float
    shapes: tuple[Floats, Floats]


@dataclass
class Truth:
    """The exact contacts in the recorded scene, with every `stride`-th frame."""

    sampled: set[Pair] = field(default_factory=set)
    first: dict[Pair, Touch] = field(default_factory=dict)


def recorded() -> dict[int, list[Row]]:
    """The recorded rows by frame."""
    frames: dict[int, list[Row]] = {}
    text = resources.files(carom).joinpath("data/traffic.csv").read_text()
    for row in csv.DictReader(text.splitlines()):
        frames.setdefault(int(row["frame"]), []).append(row)
    return frames


@functools.cache
def footprint(x: str, y: str, heading: str, length: str, width: str) -> Floats:
    half_length, half_width = float(length) / 2, float(width) / 2
    corners = [(-half_length, -half_width), (half_length, -half_width)]
    corners += [(half_length, half_width), (-half_length, half_width)]
    placed: Floats = carom.place(corners, [float(x), float(y), float(heading)])
    return placed


def pose(row: Row) -> Floats:
    return np.array([float(row[column]) for column in ("x", "y", "heading")])


def moved(row: Row, later: Rows) -> Floats | None:
    """How far a vehicle moves and turns until the next frame; None if it has no next frame."""
    if row["id"] not in later:
        return None
    x, y, angle = pose(later[row["id"]]) - pose(row)
    return np.array([x, y, math.remainder(angle, math.tau)])


def come_near(rows: tuple[Row, Row], velocity: Floats) -> bool:
    """Never False for a contact: compares the least distance of the centres with the radii."""
    apart = (pose(rows[0]) - pose(rows[1]))[:2]
    square = float(velocity @ velocity)
    part = min(max(-float(apart @ velocity) / square, 0.0), 1.0) if square else 0.0
    reach = sum(math.hypot(float(row["length"]), float(row["width"])) for row in rows) / 2.0
    return math.hypot(*(apart + part * velocity)) <= reach + 1e-6


def sweep_of(
    shapes: tuple[Floats, Floats], rows: tuple[Row, Row], motions: tuple[Floats, Floats]
) -> tuple[bool, float | None]:
    """Whether two vehicles intersect now, and when they first do; None if never."""
    velocity = tuple((motions[0] - motions[1])[:2].tolist())
    if not motions[0][2] and not motions[1][2]:
        sweep = oracle.swept_collision(*shapes, velocity)
        return sweep.intersects, None if sweep.time is None else float(sweep.time)
    turns = [
        (float(motion[2]), tuple(pose(row)[:2].tolist()))
        for motion, row in zip(motions, rows, strict=True)
    ]
    a, b = (Shape("polygon", [[list(map(tuple, shape.tolist()))]]) for shape in shapes)
    contact = turning.swept_collision(a, b, Motion(velocity, *turns[0], *turns[1]))
    assert contact.will_intersect is not None
    return contact.intersects, None if contact.time is None else float(contact.time)


def add_pair(truth: Truth, frame: int, duration: int, rows: tuple[Row, Row], later: Rows) -> None:
    """The oracle's result for two vehicles from one frame to the next."""
    moved_a, moved_b = (moved(row, later) for row in rows)
    if moved_a is None or moved_b is None:
        moved_a = moved_b = np.zeros(3)
    if not come_near(rows, (moved_a - moved_b)[:2]):
        return
    shapes = [footprint(*(row[column] for column in POSE_AND_SIZE)) for row in rows]
    intersects, time = sweep_of((shapes[0], shapes[1]), rows, (moved_a, moved_b))
    pair = rows[0]["id"], rows[1]["id"]
    if intersects:
        truth.sampled.add(pair)
    if time is not None and pair not in truth.first:
        there = [
            carom.place(shape - pose(row)[:2], (*(pose(row) + time * motion)[:2], time * motion[2]))
            for shape, row, motion in zip(shapes, rows, (moved_a, moved_b), strict=True)
        ]
        truth.first[pair] = Touch(frame + duration * time, (there[0], there[1]))


@functools.cache
def truth(stride: int) -> Truth:
    """The oracle's answers."""
    found = Truth()
    frames = recorded()
    order = list(dict.fromkeys(row["id"] for rows in frames.values() for row in rows))
    numbers = sorted(frames)[::stride]
    for frame, after in itertools.zip_longest(numbers, numbers[1:]):
        later = {row["id"]: row for row in frames.get(after, [])}
        rows = sorted(frames[frame], key=lambda row: order.index(row["id"]))
        for pair in itertools.combinations(rows, 2):
            add_pair(found, frame, (after or frame) - frame, pair, later)
    return found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    done = demo("--all", "--no-picture", cwd=tmp_path_factory.mktemp("demo"))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_pairs_that_touch_are_those_of_the_oracle(report: str) -> None:
    printed = {tuple(row[2].split(" and ")) for row in table(report, "time")}
    assert printed == set(truth(1).first)
    assert f"{len(printed)} pairs touch." in report


def test_first_contacts_are_at_the_times_of_the_oracle(report: str) -> None:
    rows = table(report, "time")
    assert rows
    for time, frame, who, *_ in rows:
        one, other = who.split(" and ")
        exact = truth(1).first[one, other].frame
        assert float(frame) == pytest.approx(exact, abs=0.5001e-3)
        assert float(time.removesuffix(" s")) == pytest.approx(exact / RATE, abs=0.5001e-3)


def distance_to_boundary(point: Floats, ring: Floats) -> float:
    starts, along = ring, np.roll(ring, -1, axis=0) - ring
    part = ((point - starts) * along).sum(axis=1) / (along**2).sum(axis=1)
    feet = starts + np.clip(part, 0.0, 1.0)[:, None] * along
    return float(np.hypot(*(feet - point).T).min())


def test_first_contacts_are_on_both_boundaries(report: str) -> None:
    rows = table(report, "time")
    assert rows
    for _, _, who, x, y, *_ in rows:
        one, other = who.split(" and ")
        touch = truth(1).first[one, other]
        for shape in touch.shapes:
            assert distance_to_boundary(np.array([float(x), float(y)]), shape) < 0.0075


def test_contacts_that_sampling_misses_are_marked(report: str) -> None:
    marked = {tuple(row[2].split(" and ")) for row in table(report, "time") if len(row) == 7}
    assert marked == set(truth(1).first) - truth(1).sampled
    assert marked


@pytest.mark.parametrize("stride", STRIDES)
def test_counts_at_each_rate_are_those_of_the_oracle(report: str, stride: int) -> None:
    exact = truth(stride)
    row = table(report, "frames")[STRIDES.index(stride)]
    missed = set(exact.first) - exact.sampled
    assert [float(cell) for cell in row] == [
        RATE / stride,
        len(exact.sampled),
        len(exact.first),
        len(missed),
    ]


def test_every_pair_of_every_frame_is_asked_about(report: str) -> None:
    pairs = sum(len(rows) * (len(rows) - 1) // 2 for rows in recorded().values())
    assert f"{pairs:,} sweeps" in report
    assert re.search(r"[\d.]+ million a second", report)


# --- scenes of the user ---------------------------------------------------------------------------


def own(folder: Path, text: str | bytes, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the demo on a scene with this text."""
    file = folder / "own.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return demo("--scene", file, "--no-picture", *arguments, cwd=folder)


HEAD_ON = """0,left,0,0,0,4,2
0,right,20,1,0,4,2
1,left,12,0,0,4,2
1,right,12,1,0,4,2
"""


def only_contact(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert (done.returncode, done.stderr) == (0, "")
    (row,) = table(done.stdout, "time")
    return row


def test_a_head_on_contact_as_reckoned_by_hand(tmp_path: Path) -> None:
    # 16 m apart, approaching by 20 m per frame: at 4/5 the left front has moved from 2 to 11.6.
    row = only_contact(own(tmp_path, HEADER + HEAD_ON, "--rate", "2"))
    assert row == ["0.400 s", "0.800", "left and right", "11.60", "0.50", "40.0 m/s"]


def test_closing_speed_is_along_the_normal(tmp_path: Path) -> None:
    # A square's corner hits a slope of 45 degrees, so cos 45 degrees of its speed counts.
    slope = f"0,slope,0,0,{np.pi / 4!r},20,2\n1,slope,0,0,{np.pi / 4!r},20,2\n"
    falling = "0,stone,0,5,0,1,1\n1,stone,0,-5,0,1,1\n"
    row = only_contact(own(tmp_path, HEADER + slope + falling, "--rate", "1"))
    assert row[5] == f"{10 * np.cos(np.pi / 4):.1f} m/s"


def test_vehicles_that_pass_through_each_other_are_found_and_marked(tmp_path: Path) -> None:
    passing = HEAD_ON.replace("1,left,12", "1,left,40").replace("1,right,12", "1,right,-20")
    row = only_contact(own(tmp_path, HEADER + passing))
    assert row[1:] == ["0.200", "left and right", "10.00", "0.50", "1200.0 m/s", "misses"]


def test_missing_frames_are_swept_across(tmp_path: Path) -> None:
    row = only_contact(own(tmp_path, HEADER + HEAD_ON.replace("\n1,", "\n11,")))
    assert row[:2] == ["0.587 s", "8.800"]


def test_a_vehicle_that_turns_on_the_spot_touches_between_two_frames(tmp_path: Path) -> None:
    # The bus's side, 1 from its centre, reaches the car's corner (2, 3) after an angle t with
    # 3 cos t - 2 sin t = 1.
    states = "0,bus,0,0,0,12,2\n0,car,0,4,0,4,2\n1,bus,0,0,1.5707963,12,2\n1,car,0,4,0,4,2\n"
    angle = math.atan2(3, 2) - math.asin(1 / math.sqrt(13))
    assert only_contact(own(tmp_path, HEADER + states))[1] == f"{angle / 1.5707963:.3f}"


def test_headings_turn_the_short_way_round(tmp_path: Path) -> None:
    # From 3 to -3 radians are 0.28 the short way: the bus's ends stay near y = 0.
    states = "".join(
        f"{frame},bus,0,0,{heading},12,2\n{frame},car,0,5,0,4,2\n"
        for frame, heading in ((0, 3), (1, -3))
    )
    assert "No two vehicles touch." in own(tmp_path, HEADER + states).stdout


def test_a_vehicle_that_vanishes_is_not_swept(tmp_path: Path) -> None:
    vanishing = HEAD_ON.replace("1,right,12,1,0,4,2\n", "1,other,90,90,0,4,2\n")
    assert "No two vehicles touch." in own(tmp_path, HEADER + vanishing).stdout


def test_a_single_frame_is_tested_where_it_stands(tmp_path: Path) -> None:
    row = only_contact(own(tmp_path, HEADER + "7,a,0,0,0,4,2\n7,b,4,0,0,4,2\n"))
    assert row[1:3] == ["7.000", "a and b"]


def test_a_lone_vehicle_touches_nothing(tmp_path: Path) -> None:
    done = own(tmp_path, HEADER + "0,a,0,0,0,4,2\n1,a,1,0,0,4,2\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "No two vehicles touch." in done.stdout


ACCEPTED = {
    "windows line ends": (HEADER + HEAD_ON).replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + HEADER + HEAD_ON,
    "rows in another order": HEADER + "".join(reversed(HEAD_ON.splitlines(keepends=True))),
    "blank lines": HEADER + "\n" + HEAD_ON + "\n\n",
    "no last line end": HEADER + HEAD_ON.rstrip("\n"),
    "spaces around": (HEADER + HEAD_ON).replace(",", " , "),
    "extra columns": "".join(
        f"x,{line}" for line in (HEADER + HEAD_ON).splitlines(keepends=True)
    ).replace("x,frame", "colour,frame"),
    "frames as floats": HEADER + HEAD_ON.replace("\n1,", "\n1.0,"),
}


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_harmless_differences_change_nothing(tmp_path: Path, text: str) -> None:
    assert only_contact(own(tmp_path, text))[1] == "0.800"


REFUSED: dict[str, tuple[str | bytes, str]] = {
    "empty file": ("", "no header"),
    "header only": (HEADER, "a header and no vehicles"),
    "no header": (HEAD_ON, "line 1: no column frame or id or x or y"),
    "missing column": (HEADER.replace(",heading", "") + HEAD_ON, "line 1: no column heading"),
    "column twice": (HEADER.replace("width", "width,x"), "line 1: column x stands there twice"),
    "semicolons": (HEADER.replace(",", ";"), "line 1: no column frame"),
    "underscore": (HEADER + "0,a,1_000,0,0,4,2\n", "line 2: x is '1_000'; it must be a number"),
    "text": (HEADER + HEAD_ON.replace("0,right,20", "0,right,twenty"), "line 3: x is 'twenty'"),
    "nan": (HEADER + "0,a,0,NaN,0,4,2\n", "line 2: y is NaN; it must be finite"),
    "infinity": (HEADER + "0,a,0,0,inf,4,2\n", "line 2: heading is inf; it must be finite"),
    "too large": (HEADER + "0,a,1e999,0,0,4,2\n", "line 2: x is 1e999; it must be finite"),
    "empty field": (HEADER + "0,a,0,,0,4,2\n", "line 2: y is ''; it must be a number"),
    "negative length": (HEADER + "0,a,0,0,0,-4,2\n", "line 2: length is -4; it must be above zero"),
    "no width": (HEADER + "0,a,0,0,0,4,0\n", "line 2: width is 0; it must be above zero"),
    "half a frame": (HEADER + "0.5,a,0,0,0,4,2\n", "line 2: frame is 0.5"),
    "no id": (HEADER + "0,,0,0,0,4,2\n", "line 2: id is empty"),
    "same vehicle twice": (HEADER + HEAD_ON + "1,left,9,9,0,4,2\n", "line 6: vehicle 'left' is in"),
    "short row": (HEADER + "0,a,0,0,0,4\n", "line 2: 6 fields where the header names 7"),
    "long row": (HEADER + "0,a,0,0,0,4,2,9\n", "line 2: 8 fields where the header names 7"),
    "a size that changes": (
        HEADER + HEAD_ON + "2,left,9,9,0,4,3\n",
        "line 6: vehicle 'left' was 4 by 2",
    ),
    "open quote": (HEADER + '0,"a,0,0,0,4,2\n', "line 2: unexpected end of data"),
    "not text": (b"\xff\xfe\x00frame", "not UTF-8 text"),
    "leap beyond the floats": (
        HEADER
        + "0,a,1e308,0,0,4e300,2e300\n0,b,0,0,0,4,2\n1,a,-1e308,0,0,4e300,2e300\n1,b,0,0,0,4,2\n",
        "vehicle 'a' leaps too far after frame 0",
    ),
    "edge of the floats": (HEADER + "0,a,1e308,0,0,1e308,1\n0,b,1e308,0,0,4,2\n", "too far out"),
    "length beyond the floats": (HEADER + "0,a,0,0,0,1e308,1\n", "'a' is too far out or too large"),
    "id of two lines": (HEADER + '0,"a\nb",0,0,0,4,2\n', r"line 3: id is 'a\nb'"),
    "id that steers terminals": (HEADER + "0,\x1b[2J,0,0,0,4,2\n", r"line 2: id is '\x1b[2J'"),
}


@pytest.mark.parametrize(("text", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_malformed_scene_is_refused_with_its_line(
    tmp_path: Path, text: str | bytes, reason: str
) -> None:
    done = own(tmp_path, text)
    assert_refused(done, "own.csv: ", reason)
    assert done.stdout == ""


# --- the command line -----------------------------------------------------------------------------


def test_help_names_the_columns(tmp_path: Path) -> None:
    done = demo("--help", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert HEADER.strip() in done.stdout
    assert "--scene FILE" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["--scenes", "x"],
        ["--rate", "0"],
        ["--rate", "fast"],
        ["--rate", "1e-320"],
        ["--rate", "1e308"],
        ["--rate", "nan"],
        ["--output", "x", "--no-picture"],
        ["counties", "--rate", "3"],
        ["cities"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_status_two(tmp_path: Path, arguments: list[str]) -> None:
    done = demo(*arguments, cwd=tmp_path)
    assert_refused(done, "--help prints the usage", status=2)
    assert done.stdout == ""


def test_a_command_must_be_named(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "carom"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "COMMAND" in done.stderr


def test_a_bad_path_is_named(tmp_path: Path) -> None:
    done = demo("--scene", "nowhere.csv", cwd=tmp_path)
    assert_refused(done, "nowhere.csv: No such file", status=2)
    assert_refused(demo("--scene", ".", cwd=tmp_path), ".: ", status=2)


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "carom", "demo", "--no-picture"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""


# --- the picture ----------------------------------------------------------------------------------


def colours(file: Path) -> set[str]:
    """The colours of a picture that fill at least a thousandth of it."""
    image = pytest.importorskip("matplotlib.image").imread(file)
    pixels, count = np.unique(
        (image[..., :3] * 255).round().astype(int).reshape(-1, 3), axis=0, return_counts=True
    )
    return {"#{:02X}{:02X}{:02X}".format(*pixel) for pixel in pixels[count > image.size / 4000]}


def test_a_picture_is_written_and_shows_both_footprints_and_the_answers(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = demo(cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(": carom-demo.png\n")
    picture = tmp_path / "carom-demo.png"
    assert {"#0072B2", "#E69F00", "#009E73", "#D55E00"} <= colours(picture)


def test_the_picture_and_the_table_tell_the_same_time(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = demo("--output", "x.svg", "--all", cwd=tmp_path)
    names = re.search("Picture of (.*): ", done.stdout)
    assert names
    (time,) = [row[0] for row in table(done.stdout, "time") if row[2] == names[1]]
    comments = re.findall("<!-- (.*) -->", (tmp_path / "x.svg").read_text())
    one, other = names[1].split(" and ")
    assert any(text.startswith(f"{one} touches {other} at {time}, ") for text in comments)


def test_the_picture_goes_where_it_is_told(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert demo("--output", "here.svg", cwd=tmp_path).returncode == 0
    assert "<svg" in (tmp_path / "here.svg").read_text()
    assert [file.name for file in tmp_path.iterdir()] == ["here.svg"]


def test_a_picture_that_cannot_be_written_is_a_failure(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for name in ("traffic", "counties"):
        for output, reason in (("no/where.png", "No such file"), (".", "Is a directory")):
            done = demo(name, "--output", output, cwd=tmp_path)
            assert_refused(done, reason, status=2)
            assert done.stdout == ""
    assert not list(tmp_path.iterdir())
    assert_refused(demo("--output", "x.unknown", cwd=tmp_path), "x.unknown: ", "unknown", status=2)


def test_a_picture_without_a_suffix_has_none_added(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = demo("--output", "picture", cwd=tmp_path)
    assert done.stdout.endswith(": picture\n")
    assert (tmp_path / "picture").read_bytes().startswith(b"\x89PNG")
    assert [file.name for file in tmp_path.iterdir()] == ["picture"]


ROOT = Path(__file__).parent.parent


@pytest.mark.skipif(not (ROOT / ".git").exists() or not which("git"), reason="not a checkout")
@pytest.mark.parametrize(
    "path", [PICTURE, *counties.pictures(counties.PICTURE)], ids=lambda path: path.name
)
def test_what_the_demos_draw_is_no_part_of_the_checkout(path: Path) -> None:
    subprocess.run(["git", "check-ignore", "--quiet", path], cwd=ROOT, check=True)


@pytest.mark.parametrize("contact", ["already touching", "none"])
def test_a_scene_without_a_sweep_to_draw_is_no_failure(tmp_path: Path, contact: str) -> None:
    pytest.importorskip("matplotlib")
    place = {"already touching": "1", "none": "50"}[contact]
    file = tmp_path / "own.csv"
    file.write_text(f"{HEADER}0,a,0,0,0,4,2\n0,b,{place},0.5,0.3,4,2\n")
    done = demo("--scene", file, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "carom-demo.png").exists() == (contact != "none")


def test_places_and_sizes_of_a_hundred_digits_are_told_with_an_exponent(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    states = "".join(
        f"{frame},{name},{x},0,0,1e120,1e120\n"
        for frame, name, x in [(0, "a", 0), (0, "b", 9e120), (1, "a", 8.5e120), (1, "b", 9e120)]
    )
    (tmp_path / "own.csv").write_text(HEADER + states)
    row = only_contact(demo("--scene", "own.csv", cwd=tmp_path))
    assert row[3] == "8.500000e+120"


def test_names_are_shown_as_they_are(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "own.csv"
    file.write_text(HEADER + HEAD_ON.replace("left", "$Zoë$^").replace("right", "$\\x$"), "utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "carom", "demo", "--scene", str(file)]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "$Zo\\xeb$^ and $\\x$" in done.stdout


def test_without_matplotlib_everything_is_printed_and_the_way_to_the_picture(
    tmp_path: Path, report: str
) -> None:
    path = without(tmp_path, "matplotlib")
    done = demo("--all", cwd=tmp_path, path=path)
    assert (done.returncode, done.stderr) == (0, "")
    assert table(done.stdout, "time") == table(report, "time")
    assert done.stdout.endswith(
        "No picture: matplotlib is not installed; pip install 'carom[plot]'\n"
    )
    asked = demo("--output", "x.png", cwd=tmp_path, path=path)
    assert_refused(asked, "x.png", "pip install 'carom[plot]'")
