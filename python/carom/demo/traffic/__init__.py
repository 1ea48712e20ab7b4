"""`python -m carom demo traffic`: collisions in recorded traffic."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from carom.commands.report_text import aligned, count, decimal

from .contacts import Contact, Survey, contacts_of, survey
from .encounter import Encounter
from .recorded_scene import COLUMNS, RECORDED, Scene, SceneError, read_scene

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
    scene: Scene
    survey: Survey
    contacts: list[Contact]

    @staticmethod
    def of(scene: Scene, rate: float, stride: int) -> Run:
        """Returns the contacts found from every `stride`-th frame."""
        seen = scene.every(stride)
        answers = survey(seen)
        return Run(rate / stride, seen, answers, contacts_of(seen, answers.found, rate))

    def is_missed(self, contact: Contact) -> bool:
        """Whether the two vehicles overlap in no frame."""
        return (contact.a, contact.b) not in self.survey.sampled

    def frames_around(self, frame: float) -> tuple[int, int]:
        """Returns the last frame no later than a time, and the next one; the same if none is."""
        frames = self.scene.frames
        last = int(np.searchsorted(frames, frame, "right")) - 1
        return int(frames[last]), int(frames[min(last + 1, len(frames) - 1)])

    def names(self, contact: Contact) -> str:
        """Returns the two vehicles' names."""
        return " and ".join(self.scene.names[index] for index in (contact.a, contact.b))


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
    frames = len(scene.frames)
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
        f"{count(answers.queries, 'sweep')} of a quadrilateral past another decided in "
        f"{answers.seconds * 1e3:,.1f} ms: {rate / 1e6:.3g} million a second"
    )


def draw_most_interesting(runs: list[Run], rate: float, path: Path) -> Iterator[str]:
    """Draws a contact, and yields the path of the picture."""
    from .picture import draw_contact

    encounter, slower = most_interesting(runs)
    if encounter is None:
        yield "No picture, as there is no contact to draw."
        return
    draw_contact(encounter, title(encounter, rate, slower), path)
    yield f"Picture of {' and '.join(encounter.names)}: {path}"


def most_interesting(runs: list[Run]) -> tuple[Encounter | None, Run | None]:
    """Returns the contact with the largest relative depth among those that sampling misses.

    With it comes the run at the lower rate that misses it. If none misses any, it is the contact
    with the highest closing speed.
    """
    recorded = runs[0]
    scene = recorded.scene
    missed = [
        (encounter, run)
        for run in runs
        for contact in recorded.contacts
        if run.is_missed(contact)
        and (encounter := Encounter.of(scene, contact, *run.frames_around(contact.frame)))
    ]
    if missed:
        return max(missed, key=lambda found: found[0].relative_depth)
    hardest = max(recorded.contacts, key=lambda contact: contact.closing_speed, default=None)
    if hardest is None:
        return None, None
    return Encounter.of(scene, hardest, *recorded.frames_around(hardest.frame)), None


def title(encounter: Encounter, rate: float, slower: Run | None) -> str:
    """Returns a title of two lines."""
    (first, second), contact = encounter.names, encounter.contact
    text = f"{first} touches {second} at {contact.frame / rate:.3f} s, "
    if slower:
        text += f"and at {slower.rate:.4g} frames a second none shows it"
    else:
        text += f"closing at {contact.closing_speed:.1f} m/s"
    return f"{text}\nSeen from {second}, which stands still here"
