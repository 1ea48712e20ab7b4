"""`python -m carom demo traffic`: collisions in recorded traffic."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .contacts import Contact, Motion, Survey, contacts_of, motion_of, survey
from .scene import COLUMNS, RECORDED, Scene, SceneError, read_scene
from .table import aligned, count, decimal

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["COLUMNS", "PICTURE", "RECORDED_RATE", "SceneError", "run"]

RECORDED_RATE = 15.0  # frames per second
STRIDES = (1, 3, 5, 15)  # a camera with a lower rate takes every n-th frame
SHOWN = 16  # contacts, without --all
PICTURE = Path("carom-demo.png")


@dataclass(frozen=True)
class Run:
    """The contacts of a scene recorded at one rate."""

    rate: float
    motion: Motion
    survey: Survey
    contacts: list[Contact]

    @staticmethod
    def of(scene: Scene, rate: float, stride: int) -> Run:
        """Returns the contacts found from every `stride`-th frame."""
        motion = motion_of(scene.every(stride))
        answers = survey(motion)
        contacts = contacts_of(motion, answers.first, rate)
        return Run(rate / stride, motion, answers, contacts)

    def is_missed(self, contact: Contact) -> bool:
        """Whether the two vehicles overlap in no frame."""
        return self.vehicles(contact) not in self.survey.sampled

    def vehicles(self, contact: Contact) -> tuple[int, int]:
        """Returns the two vehicles of a contact."""
        a, b = self.motion.scene.vehicles[[contact.a, contact.b]]
        return int(a), int(b)

    def names(self, contact: Contact) -> str:
        """Returns the two vehicles' names."""
        return " and ".join(self.motion.scene.names[index] for index in self.vehicles(contact))


def run(
    scene_file: Path | None = None,
    rate: float = RECORDED_RATE,
    picture: Path | None = None,
    *,
    show_all: bool = False,
) -> Iterator[str]:
    """Yields the report's lines; draws the picture at the end if there is a path for it.

    Raises `SceneError` for an invalid scene, `OSError` for a file that can't be read or written,
    `ImportError` for a picture without matplotlib.
    """
    path = scene_file or RECORDED
    scene = read_scene(path)
    frames = len(np.unique(scene.frames))
    try:
        runs = [Run.of(scene, rate, stride) for stride in STRIDES if stride == 1 or stride < frames]
    except ValueError as error:
        raise SceneError(f"{path}: {error}") from None
    yield headline(scene, frames, rate, path)
    yield ""
    yield from contact_table(runs[0], rate, None if show_all else SHOWN)
    yield ""
    yield from sampling_table(runs)
    yield ""
    yield speed(runs[0].survey)
    if picture:
        yield from draw_most_interesting(runs, rate, picture)


def headline(scene: Scene, frames: int, rate: float, path: Path) -> str:
    """Returns a description of the scene."""
    seconds = (scene.frames[-1] - scene.frames[0]) / rate
    origin = "recorded with HighwayEnv" if path == RECORDED else str(path)
    return (
        f"{count(len(scene.names), 'vehicle')}, {count(frames, 'frame')}, {rate:g} a second "
        f"({seconds:.1f} s): {origin}"
    )


def contact_table(run: Run, rate: float, limit: int | None) -> Iterator[str]:
    """Yields the first contact of each pair: time, vehicles, point and closing speed."""
    contacts = run.contacts
    if not contacts:
        yield "No two vehicles touch."
        return
    touch = "pair touches" if len(contacts) == 1 else "pairs touch"
    yield f"{len(contacts):,} {touch}. The first contact of each, earliest first:"
    yield ""
    rows = [contact_row(run, contact, rate) for contact in contacts[:limit]]
    yield from aligned(
        [("time", "frame", "vehicles", "x (m)", "y (m)", "closing at", "sampling"), *rows]
    )
    if limit and len(contacts) > limit:
        yield f"  and {len(contacts) - limit:,} more; --all shows them"


def contact_row(run: Run, contact: Contact, rate: float) -> tuple[str, ...]:
    """Returns the cells of one contact."""
    return (
        f"{decimal(contact.frame / rate, 3)} s",
        decimal(contact.frame, 3),
        run.names(contact),
        decimal(contact.point[0], 2),
        decimal(contact.point[1], 2),
        f"{decimal(contact.closing_speed, 1)} m/s",
        "misses" if run.is_missed(contact) else "",
    )


def sampling_table(runs: list[Run]) -> Iterator[str]:
    """Yields the numbers of touching pairs found with sampling and with sweeping."""
    yield "Pairs found by testing each frame (sampling) and by sweeping from each to the next:"
    yield ""
    rows: list[tuple[str, ...]]
    rows = [("frames a second", "sampling", "sweeping", "missed by sampling")]
    for run in runs:
        sampled, swept = run.survey.sampled, run.survey.swept
        found = (len(sampled), len(swept), len(swept - sampled))
        rows.append((f"{run.rate:.4g}", *(f"{number:,}" for number in found)))
    yield from aligned(rows)


def speed(answers: Survey) -> str:
    """Returns the number of sweeps per second."""
    rate = answers.queries / answers.seconds if answers.queries else 0.0
    return (
        f"{count(answers.queries, 'sweep')} of a quadrilateral past another answered in "
        f"{answers.seconds * 1e3:,.1f} ms: {rate / 1e6:.3g} million a second"
    )


def draw_most_interesting(runs: list[Run], rate: float, path: Path) -> Iterator[str]:
    """Draws a contact, and yields the path of the picture."""
    from .picture import draw_contact

    run, contact = most_interesting(runs)
    if contact is None or run is None:
        yield "No picture, as there is no contact to draw."
        return
    draw_contact(run.motion, contact, title(run, contact, rate), path)
    yield f"Picture of {run.names(contact)}: {path}"


def most_interesting(runs: list[Run]) -> tuple[Run | None, Contact | None]:
    """Returns the contact missed by sampling with the largest relative depth.

    If sampling misses none, the contact with the highest closing speed.
    """
    missed = [(run, contact) for run in runs for contact in run.contacts if run.is_missed(contact)]
    if missed:
        return max(missed, key=lambda found: depth_for_sweep(found[1]))
    contacts = runs[0].contacts
    hardest = max(contacts, key=lambda contact: contact.closing_speed, default=None)
    return runs[0], hardest


def depth_for_sweep(contact: Contact) -> float:
    """Returns the depth at the end of the sweep, relative to the length of the motion."""
    return float(np.hypot(*contact.sweep.mtv) / np.hypot(*contact.velocity))


def title(run: Run, contact: Contact, rate: float) -> str:
    """Returns a title of two lines."""
    first, second = (run.motion.scene.names[index] for index in run.vehicles(contact))
    text = f"{first} touches {second} at {contact.frame / rate:.3f} s, "
    if run.is_missed(contact):
        text += f"and at {run.rate:.4g} frames a second none shows it"
    else:
        text += f"closing at {contact.closing_speed:.1f} m/s"
    return f"{text}\nSeen from {second}, which stands still here"
