"""The areas of the demo: countries, which are part of the package, or counties if installed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import carom

from .weather import ANTILLES, EUROPE, GULF, UNITED_STATES, Floats, Integers, Track

CARRIED = Path(__file__).parent.parent.parent / "data" / "natural_earth.npz"
DATA = ("natural-earth", "us-counties")
NO_COUNTIES = "bokeh_sampledata 2026.1 or later is not installed; pip install 'carom[data]'"


class DataError(Exception):
    """Requested data that aren't installed; the message says how to install them."""


@dataclass(frozen=True)
class Areas:
    """Named areas, each of one polygon or more, in degrees of longitude and latitude."""

    nouns: tuple[str, str]
    """Singular and plural of the kind of area."""
    credit: str
    names: list[str]
    owners: Integers
    """The area that each polygon belongs to, an index into `names`."""
    column: carom.Shapes
    storm: Track
    """A track of a storm that reaches many of these areas."""
    front: Track
    view: tuple[float, float, float, float]
    """The limits of a map of all areas: longitude from, to, latitude from, to."""

    def first_of_each(self, hours: Floats) -> Integers:
        """Returns the first polygon reached of each area, earliest first."""
        order = np.argsort(hours, kind="stable")
        order = order[np.isfinite(hours[order])]
        _, first = np.unique(self.owners[order], return_index=True)
        return order[np.sort(first)]

    def any_of_each(self, flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Returns for each area whether any of its polygons has the flag."""
        return np.bincount(self.owners, weights=flags, minlength=len(self.names)) > 0


def load(name: str | None = None) -> Areas:
    """Returns the named data; without a name the counties if installed, else the countries.

    Raises `DataError` if the named data aren't installed.
    """
    if name == DATA[0]:
        return countries()
    try:
        return us_counties()
    except ImportError as error:
        if name:
            raise DataError(f"{name}: {NO_COUNTIES}") from error
        return countries()


def countries() -> Areas:
    """Returns Natural Earth's countries, which are part of the package."""
    with np.load(CARRIED) as file:
        coords, ring_offsets, polygon_offsets, owners, names = (file[key] for key in file)
    return Areas(
        nouns=("country", "countries"),
        credit="Made with Natural Earth (public domain, naturalearthdata.com)",
        names=names.tolist(),
        owners=owners,
        column=carom.Shapes.from_ragged(coords, ring_offsets, polygon_offsets),
        storm=ANTILLES,
        front=EUROPE,
        view=(-180.0, 180.0, -60.0, 85.0),
    )


def us_counties() -> Areas:
    """Returns the counties of the United States; raises `ImportError` if they aren't installed."""
    import shapely
    from bokeh_sampledata.us_counties import records

    counties = records()
    parts, owners = shapely.get_parts([row["geometry"] for row in counties], return_index=True)
    _, coords, offsets = shapely.to_ragged_array(parts)
    return Areas(
        nouns=("county", "counties"),
        credit="Counties: U.S. Census Bureau, TIGER/Line, simplified, from bokeh_sampledata",
        names=[row["detailed_name"] for row in counties],
        owners=owners,
        column=carom.Shapes.from_ragged(coords, *offsets),
        storm=GULF,
        front=UNITED_STATES,
        view=(-125.0, -66.0, 24.0, 50.0),
    )
