"""Frames and files as others write them: joins of the same frames, and WKB in other forms.

As in cliffs.py, a question is answered by carom and by a peer, one thread. The counties need `pip
install bokeh_sampledata`, and one row SedonaDB, `pip install sedonadb`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import carom
import geopandas
import numpy as np
import pyarrow as pa
import shapely
from carom.interop import geopandas as cg
from cliffs import ONE, SQUARE, Cliff

COUNT = 100_000


def places(count: int) -> Any:
    """Returns points anywhere in a square."""
    return shapely.points(np.random.default_rng(3).uniform(0.0, 1_000.0, (count, 2)))


def squares(count: int) -> Any:
    """Returns squares anywhere in the same, one of which holds a point in ten."""
    corners = np.random.default_rng(4).uniform(0.0, 1_000.0, (count, 1, 2))
    return shapely.polygons(3.0 * SQUARE + corners)


def same_frames() -> Iterator[Cliff]:
    """The second join of two frames; GeoPandas keeps the tree of one."""
    points, boxes = (geopandas.GeoDataFrame(geometry=it(COUNT)) for it in (places, squares))
    for name, left, right in (
        (f"{COUNT:,} points and boxes", points, boxes),
        (f"{COUNT:,} boxes and points", boxes, points),
        (f"{COUNT:,} boxes and themselves", boxes, boxes),
    ):
        ask = partial(cg.sjoin, left, right, **ONE)
        peer = partial(geopandas.sjoin, left, right)
        yield Cliff(name, "sjoin of the same frames", "GeoPandas", 1.5, ask, peer)


def wkb_forms() -> Iterator[Cliff]:
    """WKB with an SRID, in the other byte order, and with a row that is empty, beside plain WKB."""
    for name, geometries in (("points", places(COUNT)), ("boxes", squares(COUNT))):
        with_srid = shapely.set_srid(geometries, 32633)
        one_empty = np.append(geometries, type(geometries[0])())
        plain = pa.array(shapely.to_wkb(geometries, byte_order=1))
        for form, array in {
            "with SRID": shapely.to_wkb(with_srid, include_srid=True),
            "big-endian": shapely.to_wkb(geometries, byte_order=0),
            "one of which is empty": shapely.to_wkb(one_empty),
            "one of which has Z": shapely.to_wkb(
                np.append(geometries, shapely.force_3d(geometries[:1]))
            ),
        }.items():
            ask = partial(carom.Shapes.from_arrow, pa.array(array), drop_z=True)
            peer = partial(carom.Shapes.from_arrow, plain)
            data = f"WKB of {COUNT:,} {name}, {form}"
            yield Cliff(data, "reading", "carom, plain WKB", 0.7, ask, peer)


def counties() -> Any:
    """Returns the US counties, or None without their data."""
    try:
        from bokeh_sampledata import us_counties
    except ImportError:
        return None
    return shapely.get_parts([record["geometry"] for record in us_counties.records()])


def points_among(areas: Any) -> Any:
    """Returns a million points in the bounds of most areas."""
    corners = shapely.bounds(areas).reshape(-1, 2)
    low, high = np.percentile(corners, (10, 90), axis=0)  # without islands far away
    return shapely.points(np.random.default_rng(17).uniform(low, high, (1_000_000, 2)))


def points_in_counties() -> Iterator[Cliff]:
    """A million points in counties that are read, validated and indexed each time."""
    areas = counties()
    if areas is None:
        return
    rows = {"points": points_among(areas), "counties": areas}

    # A frame keeps its tree, so that each call has frames of its own.
    def geopandas_join(left: str, right: str) -> int:
        a, b = (geopandas.GeoDataFrame(geometry=rows[name].copy()) for name in (left, right))
        return len(geopandas.sjoin(a, b))

    def carom_join(left: str, right: str) -> int:
        a, b = (geopandas.GeoSeries(rows[name].copy()) for name in (left, right))
        return carom.colliding_pairs(a, b, **ONE).shape[1]

    for order in (("points", "counties"), ("counties", "points")):
        ask, peer = partial(carom_join, *order), partial(geopandas_join, *order)
        data = " and ".join(order)
        yield Cliff(f"a million {data}, fresh", "sjoin", "GeoPandas", 2.0, ask, peer)
    wkb = {name: pa.array(shapely.to_wkb(it)) for name, it in rows.items()}
    if (theirs := sedona_join(wkb)) is not None:

        def from_wkb() -> int:
            a, b = (carom.Shapes.from_arrow(wkb[name]) for name in ("points", "counties"))
            return carom.colliding_pairs(a, b, **ONE).shape[1]

        data = "a million points and counties, WKB"
        yield Cliff(data, "reading and join", "SedonaDB", 2.5, from_wkb, theirs)


def sedona_join(wkb: dict[str, Any]) -> Callable[[], int] | None:
    """Returns SedonaDB's join of points and counties in one partition, None without SedonaDB."""
    try:
        import sedonadb  # type: ignore[import-not-found]
    except ImportError:
        return None
    context = sedonadb.connect()
    context.sql("SET datafusion.execution.target_partitions = 1").execute()
    for name, array in wkb.items():
        context.create_data_frame(pa.table({"wkb": array})).to_view(name, overwrite=True)
    geometry = {name: f"(SELECT ST_GeomFromWKB(wkb) AS g FROM {name})" for name in wkb}
    query = (
        f"SELECT COUNT(*) FROM {geometry['points']} AS p JOIN {geometry['counties']} AS c "
        "ON ST_Intersects(p.g, c.g)"
    )

    def join() -> int:
        return int(pa.table(context.sql(query)).column(0)[0].as_py())

    return join


def counties_and_one() -> Iterator[Cliff]:
    """Rows of a frame with one geometry: again, and of a frame that is read and validated."""
    areas = counties()
    if areas is None:
        return
    frame = geopandas.GeoDataFrame(geometry=areas)
    one = frame.geometry.iloc[len(frame) // 2].buffer(1.0)

    read = partial(carom.Shapes.from_shapely, frame.geometry.array)

    for name, ask, peer in (
        ("is_valid", cg.is_valid, lambda rows: rows.is_valid),
        ("intersects", lambda rows: cg.intersects(rows, one), lambda rows: rows.intersects(one)),
        (
            "distance",
            lambda rows: cg.distance(rows, one, fields=("distance",)),
            lambda rows: rows.distance(one),
        ),
    ):
        again, theirs = partial(ask, frame), partial(peer, frame)
        yield Cliff("counties and one geometry, again", name, "GeoPandas", 2.0, again, theirs)

        def first(ask: Callable[[Any], Any] = ask) -> Any:
            cg.forget()
            return ask(frame)

        data = "counties and one geometry, first"
        yield Cliff(data, name, "carom, reading and validation", 0.77, first, read)


def within_areas() -> Iterator[Cliff]:
    """Points within counties, and counties within their states, of kept frames."""
    areas = counties()
    if areas is None:
        return
    frame = geopandas.GeoDataFrame(geometry=areas)
    points = geopandas.GeoDataFrame(geometry=points_among(areas))
    cells = np.round(shapely.get_coordinates(shapely.centroid(areas)) / 4.0).astype(np.int64)
    states = frame.dissolve(by=[*cells.T]).reset_index(drop=True)
    states.geometry = states.buffer(0)
    for name, left, right, least in (
        ("a million points and counties", points, frame, 1.5),
        ("counties and groups of them", frame, states, 2.0),
    ):
        given: Any = {"predicate": "within"}
        ask = partial(cg.sjoin, left, right, **given, **ONE)
        peer = partial(geopandas.sjoin, left, right, **given)
        yield Cliff(f"{name}, frames", "sjoin within", "GeoPandas", least, ask, peer)


def ships_by_time() -> Iterator[Cliff]:
    """Ships near each other at the same of 100 times, and all pairs of which these are chosen."""
    rng = np.random.default_rng(5)
    ships = shapely.points(rng.uniform(0.0, 100.0, (206_304, 2)))
    time = np.arange(len(ships)) % 100
    frame = geopandas.GeoDataFrame({"time": time}, geometry=shapely.buffer(ships, 0.3, quad_segs=2))

    def chosen() -> Any:
        joined = cg.sjoin(frame, frame, **ONE)
        return joined[joined["time_left"] == joined["time_right"]]

    ask = partial(cg.sjoin, frame, frame, on_attribute="time", **ONE)
    yield Cliff("ships at 100 times", "sjoin on_attribute", "carom, all times", 5.0, ask, chosen)


GROUPS: dict[str, Callable[[], Iterator[Cliff]]] = {
    "same_frames": same_frames,
    "wkb_forms": wkb_forms,
    "points_in_counties": points_in_counties,
    "counties_and_one": counties_and_one,
    "within_areas": within_areas,
    "ships_by_time": ships_by_time,
}
