"""A scene: rectangular footprints with a pose in each frame, read from a CSV file."""

from __future__ import annotations

import csv
import math
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

import carom

if TYPE_CHECKING:
    from collections.abc import Iterator

COLUMNS = ("frame", "id", "x", "y", "heading", "length", "width")
FURTHEST = 1e150  # metres, so that sums, differences and products of two lengths are finite
RECORDED = Path(__file__).parent.parent.parent / "data" / "traffic.csv"

Floats = NDArray[np.float64]
State = tuple[int, str, float, float, float, float, float]


class SceneError(ValueError):
    """An invalid scene file; the message contains the line and the reason."""


@dataclass(frozen=True)
class Scene:
    """Vehicles with their names."""

    names: list[str]
    log: carom.Trajectories
    """A body for each name, and a pose for each frame; its times are the frames' numbers."""

    @property
    def frames(self) -> Floats:
        """The numbers of the frames."""
        assert self.log.times is not None
        return self.log.times

    def every(self, stride: int) -> Scene:
        """Returns the scene with only every `stride`-th frame."""
        poses, frames = self.log.poses[:, ::stride], self.frames[::stride]
        return Scene(self.names, carom.Trajectories(self.log.footprints, poses, times=frames))


def read_scene(path: Path) -> Scene:
    """Returns the scene in a CSV file: a header with at least `COLUMNS`, rows in any order.

    Raises `OSError` if the file can't be read and `SceneError` if it isn't a scene.
    """
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = csv.reader(file, strict=True)
        try:
            states = list(read_states(rows))
        except OSError as error:
            error.filename = str(path)  # read errors have none
            raise
        except UnicodeDecodeError as error:
            raise SceneError(f"{path}: not UTF-8 text ({error.reason})") from None
        except csv.Error as error:
            raise SceneError(f"{path}: line {rows.line_num}: {error}") from None
        except SceneError as error:
            line = f"line {rows.line_num}: " if rows.line_num else ""
            raise SceneError(f"{path}: {line}{error}") from None
    if not states:
        raise SceneError(f"{path}: a header and no vehicles")
    try:
        return scene_of(states)
    except ValueError as error:
        raise SceneError(f"{path}: {error}") from None


def scene_of(states: list[State]) -> Scene:
    """Returns the states as trajectories.

    Raises `SceneError` for a position, heading, size or motion too large to compute with.
    """
    names = list(dict.fromkeys(name for _, name, *_ in states))
    number = {name: index for index, name in enumerate(names)}
    frames, steps = np.unique([state[0] for state in states], return_inverse=True)
    vehicles = [number[state[1]] for state in states]
    numbers = np.array([state[2:] for state in states], dtype=np.float64)
    poses = np.full((len(names), len(frames), 3), np.nan)
    poses[vehicles, steps] = numbers[:, :3]
    sizes = np.empty((len(names), 2))
    sizes[vehicles] = numbers[:, 3:]
    refuse_too_large(names, frames, poses, sizes)
    footprints = carom.boxes(sizes[:, 0], sizes[:, 1])
    return Scene(names, carom.Trajectories(footprints, poses, times=frames))


def refuse_too_large(
    names: list[str], frames: NDArray[np.int64], poses: Floats, sizes: Floats
) -> None:
    """Refuses numbers of which sums, differences and products may not be finite."""
    with np.errstate(over="ignore"):
        leaps = np.abs(np.diff(poses, axis=1)).max(axis=-1) >= FURTHEST
    for vehicle, step in np.argwhere(leaps)[:1]:
        raise SceneError(f"vehicle {names[vehicle]!r} leaps too far after frame {frames[step]}")
    reaches = np.maximum(np.abs(poses[..., :2]).max(axis=-1), sizes.max(axis=-1)[:, None])
    for vehicle, step in np.argwhere(reaches >= FURTHEST)[:1]:
        name, frame = names[vehicle], frames[step]
        raise SceneError(f"vehicle {name!r} is too far out or too large in frame {frame}")


def read_states(rows: Any) -> Iterator[State]:
    """Yields the states in the rows of a `csv.reader`."""
    header = [name.strip() for name in next(rows, [])]
    places = places_of_columns(header)
    first_lines: dict[tuple[int, str], int] = {}
    sizes: dict[str, tuple[float, float]] = {}
    for row in rows:
        if not row:
            continue
        if len(row) != len(header):
            raise SceneError(f"{len(row)} fields where the header names {len(header)}")
        state = parse_state({name: row[place].strip() for name, place in places.items()})
        first = first_lines.setdefault(state[:2], rows.line_num)
        if first != rows.line_num:
            raise SceneError(f"vehicle {state[1]!r} is in frame {state[0]} twice, see line {first}")
        length, width = sizes.setdefault(state[1], state[5:])
        if (length, width) != state[5:]:
            raise SceneError(f"vehicle {state[1]!r} was {length:g} by {width:g} before")
        yield state


def places_of_columns(header: list[str]) -> dict[str, int]:
    """Returns the position of each of `COLUMNS` in a row."""
    if not any(header):
        raise SceneError(f"no header; the first line names the columns {','.join(COLUMNS)}")
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        raise SceneError(
            f"no column {' or '.join(missing)} among {','.join(header)}; "
            f"needed are {','.join(COLUMNS)}"
        )
    twice = [name for name in COLUMNS if header.count(name) > 1]
    if twice:
        raise SceneError(f"column {twice[0]} stands there twice")
    return {name: header.index(name) for name in COLUMNS}


def parse_state(texts: dict[str, str]) -> State:
    """Returns one state from its fields."""
    if not texts["id"]:
        raise SceneError("id is empty")
    if any(unicodedata.category(character) == "Cc" for character in texts["id"]):
        raise SceneError(f"id is {texts['id']!r}; it must be a line of text")
    frame, x, y, heading, length, width = (
        parse_number(name, text) for name, text in texts.items() if name != "id"
    )
    if not frame.is_integer() or abs(frame) > 2**53:
        raise SceneError(f"frame is {texts['frame']}; it must be a whole number")
    for name, size in (("length", length), ("width", width)):
        if size <= 0.0:
            raise SceneError(f"{name} is {texts[name]}; it must be above zero")
    return int(frame), texts["id"], x, y, heading, length, width


def parse_number(column: str, text: str) -> float:
    """Returns `text` as a finite number."""
    try:
        number = float(text.replace("_", "?"))  # unlike Python, a file may not contain 1_000
    except ValueError:
        raise SceneError(f"{column} is {text!r}; it must be a number") from None
    if not math.isfinite(number):
        raise SceneError(f"{column} is {text}; it must be finite")
    return number
