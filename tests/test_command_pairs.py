"""`carom pairs`: attributes, formats, nearest features, velocities, and warnings about degrees."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from typing import TYPE_CHECKING, Any

import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely

from command import assert_refused, carom_here, without
from command import carom as carom_elsewhere

if TYPE_CHECKING:
    from pathlib import Path

METRES = "EPSG:25832"
PLOTS = [shapely.box(x, 0, x + 2, 2) for x in (0, 2, 5)]
FLOOD = [shapely.MultiPolygon([shapely.box(1, 1, 3, 3), shapely.box(8, 0, 9, 1)])]


def write(file: Path, geometries: list[Any], crs: Any = METRES, **columns: Any) -> Path:
    """Writes a file of the format that its suffix names."""
    frame = geopandas.GeoDataFrame(columns, geometry=geometries, crs=crs)
    if file.suffix == ".parquet":
        frame.to_parquet(file)
    else:
        frame.to_file(file)
    return file


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Plots and a flood in several formats."""
    for suffix in ("geojson", "parquet", "gpkg", "shp"):
        write(tmp_path / f"plots.{suffix}", PLOTS, name=list("pqr"), worth=[1, 2, 3])
        write(tmp_path / f"flood.{suffix}", FLOOD, name=["Elbe"], depth=[0.5])
    return tmp_path


READ = pytest.mark.parametrize("suffix", ["geojson", "parquet", "gpkg", "shp"])


@READ
def test_pairs_carry_the_attributes_of_both_layers(folder: Path, suffix: str) -> None:
    done = carom_here("pairs", f"plots.{suffix}", f"flood.{suffix}", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "a,b,name_a,worth,name_b,depth\n0,0,p,1,Elbe,0.5\n1,0,q,2,Elbe,0.5\n"


@READ
def test_a_layer_joined_with_itself_has_each_attribute_twice(folder: Path, suffix: str) -> None:
    done = carom_here("pairs", f"plots.{suffix}", cwd=folder)
    assert done.stdout == "a,b,name_a,worth_a,name_b,worth_b\n0,1,p,1,q,2\n"


def test_attributes_are_left_out_on_request(folder: Path) -> None:
    done = carom_here("pairs", "--no-attributes", "plots.parquet", cwd=folder)
    assert done.stdout == "a,b\n0,1\n"


@pytest.mark.slow
@pytest.mark.parametrize("output", ["out.geojson", "out.json", "out.parquet", "out.GeoParquet"])
@READ
def test_files_with_geometry_have_that_of_the_first_layer(
    folder: Path, suffix: str, output: str
) -> None:
    done = carom_here("pairs", f"plots.{suffix}", f"flood.{suffix}", "-o", output, cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    is_json = "json" in output
    frame = (geopandas.read_file if is_json else geopandas.read_parquet)(folder / output)
    expected = geopandas.sjoin(
        geopandas.read_parquet(folder / "plots.parquet"),
        geopandas.read_parquet(folder / "flood.parquet"),
        lsuffix="a",
        rsuffix="b",
    )
    assert frame.crs == METRES
    assert frame.geometry.geom_equals(expected.geometry.reset_index(drop=True)).all()
    for name in ("name_a", "worth", "name_b", "depth"):
        assert frame[name].tolist() == expected[name].tolist()
    assert frame["b"].tolist() == expected["index_b"].tolist()


def test_every_kind_of_geometry_is_written_as_it_was_read(tmp_path: Path) -> None:
    holed = shapely.box(0, 0, 9, 9).difference(shapely.box(4, 4, 5, 5))
    kinds = [
        shapely.Point(1, 1),
        shapely.MultiPoint([(1, 2), (2, 1)]),
        shapely.LineString([(0, 0), (3, 1)]),
        shapely.MultiLineString([[(0, 1), (3, 1)], [(0, 2), (3, 2)]]),
        holed,
        shapely.MultiPolygon([holed, shapely.box(20, 0, 21, 1)]),
    ]
    write(tmp_path / "kinds.geojson", kinds, 4326)
    write(tmp_path / "all.geojson", [shapely.box(-9, -9, 30, 30)], 4326)
    for output in ("out.geojson", "out.parquet"):
        done = carom_here("pairs", "kinds.geojson", "all.geojson", "-o", output, cwd=tmp_path)
        assert done.returncode == 0
        is_json = output == "out.geojson"
        frame = (geopandas.read_file if is_json else geopandas.read_parquet)(tmp_path / output)
        assert frame.geometry.tolist() == kinds
    assert "crs" not in json.loads((tmp_path / "out.geojson").read_text())


def test_z_is_left_out_of_what_is_written(tmp_path: Path) -> None:
    write(tmp_path / "own.geojson", [shapely.force_3d(plot, 7.0) for plot in PLOTS])
    for output in ("out.geojson", "out.parquet"):
        words = ("pairs", "--drop-z", "own.geojson", "-o", output)
        assert carom_here(*words, cwd=tmp_path).returncode == 0
    assert not geopandas.read_file(tmp_path / "out.geojson").has_z.any()
    assert not geopandas.read_parquet(tmp_path / "out.parquet").has_z.any()


AWKWARD = [
    {"a": 1, "geometry": "x", "list": [1, {"k": None}], "mixed": 1, "some": None, "n": 1},
    {
        "a": 2,
        "list": [],
        "mixed": "two",
        "some": 1.5,
        "large": 10**30,
        "text": 'with "quotes", and a\nline',
        "n": 2,
    },
]


def awkward(folder: Path) -> Path:
    """Features with properties that other formats don't have, or have for themselves."""
    features = [
        {"type": "Feature", "properties": it, "geometry": shapely.geometry.mapping(plot)}
        for it, plot in zip([*AWKWARD, None], PLOTS, strict=True)
    ]
    file = folder / "own.geojson"
    file.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return file


def test_properties_of_any_kind_are_kept(tmp_path: Path) -> None:
    awkward(tmp_path)
    done = carom_here("pairs", "own.geojson", cwd=tmp_path)
    (row,) = rows(done.stdout)
    assert (row["a"], row["b"], row["a_a"], row["a_b"]) == ("0", "1", "1", "2")
    assert json.loads(row["list_a"]) == [1, {"k": None}]
    assert (row["some_a"], row["some_b"], row["geometry_b"]) == ("", "1.5", "")
    assert row["text_b"] == AWKWARD[1]["text"]
    assert carom_here("pairs", "own.geojson", "-o", "x.json", cwd=tmp_path).returncode == 0
    (feature,) = json.loads((tmp_path / "x.json").read_text())["features"]
    found = feature["properties"]
    for side, properties in zip("ab", AWKWARD, strict=True):
        for name, value in properties.items():
            assert found[f"{name}_{side}"] == value
    assert found["text_a"] is None
    assert carom_here("pairs", "own.geojson", "-o", "x.parquet", cwd=tmp_path).returncode == 0
    (wide,) = geopandas.read_parquet(tmp_path / "x.parquet").to_dict("records")
    assert (wide["mixed_a"], wide["mixed_b"]) == ("1", '"two"')
    assert json.loads(wide["list_a"]) == AWKWARD[0]["list"]
    assert (wide["n_a"], wide["n_b"], wide["some_b"]) == (1, 2, 1.5)
    assert wide["large_b"] == str(10**30)


def test_a_file_without_geometries_is_refused_as_such(tmp_path: Path) -> None:
    import pyogrio

    pyogrio.write_dataframe(pd.DataFrame({"a": [1]}), tmp_path / "table.gpkg")
    done = carom_here("pairs", "table.gpkg", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("table.gpkg: has no geometries\n")


def test_lists_of_parquet_are_json_elsewhere(tmp_path: Path) -> None:
    lists = [list(range(40)), [1, 2]]
    plots = geopandas.GeoDataFrame({"list": lists}, geometry=PLOTS[:2], crs=METRES)
    plots.to_parquet(tmp_path / "own.parquet")
    (row,) = rows(carom_here("pairs", "own.parquet", cwd=tmp_path).stdout)
    assert json.loads(row["list_a"]) == lists[0]
    assert carom_here("pairs", "own.parquet", "-o", "x.json", cwd=tmp_path).returncode == 0
    (feature,) = json.loads((tmp_path / "x.json").read_text())["features"]
    assert feature["properties"]["list_a"] == lists[0]


def test_columns_keep_their_types_in_parquet_and_the_index_is_one(tmp_path: Path) -> None:
    day = dt.datetime(2026, 11, 22, tzinfo=dt.UTC)
    frame = geopandas.GeoDataFrame(
        {
            "when": pd.to_datetime([day, None, day]),
            "count": pd.array([1, None, 2**60 + 1], dtype="Int64"),
            "use": pd.Categorical(["field", "wood", "field"]),
        },
        geometry=PLOTS,
        index=pd.Index(["p", "q", "r"], name="plot"),
        crs=METRES,
    )
    frame.to_parquet(tmp_path / "own.parquet")
    done = carom_here("pairs", "own.parquet", "-o", "out.parquet", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    out = geopandas.read_parquet(tmp_path / "out.parquet")
    assert out["plot_a"].tolist() == ["p"]
    for name in ("when", "count", "use"):
        assert out[f"{name}_a"].dtype == frame[name].dtype
    (row,) = rows(carom_here("pairs", "own.parquet", cwd=tmp_path).stdout)
    assert (row["when_b"], row["count_b"], row["use_b"]) == ("", "", "wood")
    assert carom_here("pairs", "own.parquet", "-o", "out.json", cwd=tmp_path).returncode == 0
    (feature,) = json.loads((tmp_path / "out.json").read_text())["features"]
    assert feature["properties"]["when_a"].startswith("2026-11-22")
    assert feature["properties"]["when_b"] is None


@pytest.mark.parametrize(
    ("ids", "properties", "header", "values"),
    [
        (["p", 7], [{"n": 1}, {"n": 2}], "id_a,n_a,id_b,n_b", "p,1,7,2"),
        (["p", None], [{}, None], "id_a,id_b", "p,"),
        ([1, 2], [{"id": 1}, {"id": 2}], "id_a,id_b", "1,2"),
        ([1, 2], [{"id": 1}, {"id": 3}], "feature_id_a,id_a,feature_id_b,id_b", "1,1,2,3"),
        ([0, 0], [{"id": 1, "feature_id": 2}] * 2, None, "0,1,2,0,1,2"),
    ],
    ids=str,
)
def test_the_ids_of_features_are_attributes(
    tmp_path: Path, ids: Any, properties: Any, header: str | None, values: str
) -> None:
    features = [
        {"type": "Feature", "properties": it, "geometry": shapely.geometry.mapping(plot)}
        | ({} if number is None else {"id": number})
        for number, it, plot in zip(ids, properties, PLOTS, strict=False)
    ]
    (tmp_path / "own.json").write_text(
        json.dumps({"type": "FeatureCollection", "features": features})
    )
    done = carom_here("pairs", "own.json", cwd=tmp_path)
    assert done.stderr == ""
    first, second = done.stdout.splitlines()
    assert header is None or first == f"a,b,{header}"
    assert second == f"0,1,{values}"
    assert carom_here("pairs", "own.json", "-o", "out.json", cwd=tmp_path).returncode == 0
    (feature,) = json.loads((tmp_path / "out.json").read_text())["features"]
    found = list(feature["properties"].values())[2:]
    assert ",".join("" if it is None else str(it) for it in found) == values


def test_an_index_with_the_name_of_a_column_is_an_attribute_of_another_name(tmp_path: Path) -> None:
    frame = geopandas.GeoDataFrame({"n": [1, 2, 3]}, geometry=PLOTS, crs=METRES)
    for names in (["n"], ["geometry"], ["n", "n"], [None, "index_n"]):
        index = pd.MultiIndex.from_arrays([list("pqr"), list("xyz")][: len(names)])
        index = index.set_names(names) if len(names) > 1 else pd.Index(list("pqr"), name=names[0])
        frame.set_index(index).to_parquet(tmp_path / "own.parquet")
        done = carom_here("pairs", "own.parquet", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        (row,) = rows(done.stdout)
        assert (row["n_a"], row["n_b"]) == ("1", "2")
        assert row[f"{'index_' if names[-1] != 'index_n' else ''}{names[-1]}_a"] in {"p", "x"}


def test_numbers_that_json_lacks_are_null_there(tmp_path: Path) -> None:
    write(tmp_path / "own.parquet", PLOTS, high=[np.inf, np.nan, 1.0])
    assert carom_here("pairs", "own.parquet", "-o", "out.json", cwd=tmp_path).returncode == 0
    text = (tmp_path / "out.json").read_text()
    (feature,) = json.loads(text, parse_constant=pytest.fail)["features"]
    assert feature["properties"] == {"a": 0, "b": 1, "high_a": None, "high_b": None}


@pytest.mark.parametrize("name", ["out.txt", "out.dbf", "out.xyz", "https://x.org/out.csv"])
def test_a_format_that_is_not_written_is_refused_before_anything_is_read(
    tmp_path: Path, name: str
) -> None:
    done = carom_here("pairs", "unread.geojson", "-o", name, cwd=tmp_path)
    assert_refused(done, name, "is not written", status=2)
    assert ("://" in name) != (".csv, .geojson, .json, .parquet" in done.stderr)


def test_geojson_is_joined_and_written_without_any_other_package(folder: Path) -> None:
    blocker = without(folder, "geopandas", "pandas", "pyarrow", "shapely", "tqdm", "pyproj")
    words = ("pairs", "plots.geojson", "flood.geojson", "-o", "out.geojson")
    done = carom_elsewhere(*words, cwd=folder, path=blocker)
    assert (done.returncode, done.stderr) == (0, "")
    assert geopandas.read_file(folder / "out.geojson").name_b.tolist() == ["Elbe", "Elbe"]


def test_a_crs_that_geojson_cannot_name_is_refused_there(tmp_path: Path) -> None:
    own = "+proj=laea +lat_0=48 +lon_0=12"
    write(tmp_path / "own.parquet", PLOTS, own)
    done = carom_here("pairs", "own.parquet", "-o", "out.geojson", cwd=tmp_path)
    assert_refused(done, "GeoJSON can't name the CRS", "write .parquet", status=2)
    assert carom_here("pairs", "own.parquet", "-o", "out.parquet", cwd=tmp_path).returncode == 0


def test_a_geopackage_of_several_layers_is_refused_by_name(tmp_path: Path) -> None:
    frame = geopandas.GeoDataFrame(geometry=PLOTS, crs=METRES)
    for layer in ("plots", "roads"):
        frame.to_file(tmp_path / "own.gpkg", layer=layer)
    done = carom_here("check", "own.gpkg", cwd=tmp_path)
    assert_refused(done, "own.gpkg: it has 2 layers, plots, roads", status=2)


# --- nearest --------------------------------------------------------------------------------------


def test_the_nearest_feature_of_another_file_comes_with_its_distance(tmp_path: Path) -> None:
    write(tmp_path / "houses.geojson", [shapely.Point(0, 0), None, shapely.Point(9, 0)])
    write(tmp_path / "roads.geojson", [shapely.LineString([(0, 3), (9, 3)]), PLOTS[2]], kind=[7, 8])
    words = ["pairs", "houses.geojson", "roads.geojson", "--nearest"]
    done = carom_here(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "a,b,distance,kind\n0,0,3.0,7\n2,1,2.0,8\n"
    done = carom_here(*words, "--margin", "2", "-o", "out.parquet", cwd=tmp_path)
    assert geopandas.read_parquet(tmp_path / "out.parquet")["distance"].tolist() == [2.0]


def test_within_one_file_the_nearest_is_another_feature(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    corners = random.integers(0, 30, (40, 2))
    boxes = [shapely.box(x, y, x + 4, y + 3) for x, y in corners.tolist()]
    boxes[5:9] = [boxes[0]] * 4  # more than two are equally near
    write(tmp_path / "own.geojson", boxes)
    found = rows(carom_here("pairs", "own.geojson", "--nearest", cwd=tmp_path).stdout)
    expected = []
    for i, box in enumerate(boxes):
        gaps = [np.inf if i == j else box.distance(other) for j, other in enumerate(boxes)]
        expected.append((i, int(np.argmin(gaps)), min(gaps)))
    assert [(int(row["a"]), int(row["b"]), float(row["distance"])) for row in found] == expected


# --- velocities -----------------------------------------------------------------------------------


@READ
def test_features_that_meet_while_they_move_are_paired(tmp_path: Path, suffix: str) -> None:
    write(tmp_path / f"own.{suffix}", PLOTS, vx=[0.0, 0.0, -1.5], vy=[0, 0, 0])
    assert len(rows(carom_here("pairs", f"own.{suffix}", cwd=tmp_path).stdout)) == 1
    done = carom_here("pairs", f"own.{suffix}", "--velocity", "vx,vy", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert [(row["a"], row["b"]) for row in rows(done.stdout)] == [("0", "1"), ("1", "2")]


@pytest.mark.parametrize("is_other", [True, False])
def test_a_file_without_the_columns_is_at_rest(tmp_path: Path, is_other: bool) -> None:
    write(tmp_path / "still.geojson", [shapely.box(10, 0, 11, 1)])
    write(tmp_path / "moving.geojson", [shapely.box(0, 0, 1, 1)], vx=[9], vy=[0.5])
    files = ["moving.geojson", "still.geojson"][:: 1 if is_other else -1]
    done = carom_here("pairs", *files, "--velocity", "vx,vy", "--no-attributes", cwd=tmp_path)
    assert done.stdout == "a,b\n0,0\n"


def test_both_files_move_by_their_columns(tmp_path: Path) -> None:
    for name, x, vx in (("one", 0, 5), ("other", 11, -5)):
        box = shapely.box(x, 0, x + 1, 1)
        write(tmp_path / f"{name}.geojson", [box], vx=[vx], vy=[0])
    words = ("pairs", "one.geojson", "other.geojson", "--velocity", "vx,vy", "--no-attributes")
    assert carom_here(*words, cwd=tmp_path).stdout == "a,b\n0,0\n"


def test_bad_velocities_are_named_with_their_feature(tmp_path: Path) -> None:
    for value in (None, True, "fast", 2**53 + 1):
        features = [
            {"type": "Feature", "properties": {"vx": vx, "vy": 0}, "geometry": geometry}
            for vx, geometry in ((None, None), (value, shapely.geometry.mapping(PLOTS[0])))
        ]
        tree = {"type": "FeatureCollection", "features": features}
        (tmp_path / "own.geojson").write_text(json.dumps(tree))
        done = carom_here("pairs", "own.geojson", "--velocity", "vx,vy", cwd=tmp_path)
        assert done.returncode == 1
        told = f"own.geojson: feature 1: vx is {value!r}, expected a finite number"
        assert done.stderr.endswith(f"carom: {told}\n")
    write(tmp_path / "own.parquet", PLOTS, vx=[0.0, np.nan, 1.0], vy=[0, 0, 0])
    done = carom_here("pairs", "own.parquet", "--velocity", "vx,vy", cwd=tmp_path)
    assert_refused(done, "own.parquet: feature 1: vx is nan, expected a finite number")
    done = carom_here("pairs", "own.geojson", "--velocity", "vx,vz", cwd=tmp_path)
    assert done.returncode == 2
    assert "there is no column vz" in done.stderr
    done = carom_here("pairs", "own.geojson", "--velocity", "u,v", cwd=tmp_path)
    assert done.returncode == 2
    assert "there are no columns u and v" in done.stderr


# --- warnings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["--margin", "0.5"], "the margin is in degrees"),
        (["--nearest"], "distances are in degrees"),
        (["--velocity", "vx,vy"], "the velocity is in degrees"),
    ],
)
def test_degrees_are_warned_of(tmp_path: Path, words: list[str], meant: str) -> None:
    for name, crs in (("degrees", 4326), ("metres", METRES), ("unknown", None)):
        write(tmp_path / f"{name}.parquet", PLOTS, crs, vx=[0] * 3, vy=[0] * 3)
    (tmp_path / "plain.geojson").write_text(
        geopandas.GeoSeries(PLOTS[:2]).to_json()  # without a CRS it is longitude and latitude
    )
    done = carom_here("pairs", "degrees.parquet", *words, cwd=tmp_path)
    (line,) = done.stderr.splitlines()
    assert done.returncode == 0
    assert line.startswith(f"carom: warning: {meant}, as the CRS of degrees.parquet is geographic")
    for name in ("metres", "unknown"):
        assert carom_here("pairs", f"{name}.parquet", *words, cwd=tmp_path).stderr == ""
    if words[0] != "--velocity":
        assert meant in carom_here("pairs", "plain.geojson", *words, cwd=tmp_path).stderr
    for rest in ([], ["--margin", "0"]):
        assert carom_here("pairs", "degrees.parquet", *rest, cwd=tmp_path).stderr == ""


def test_a_file_without_a_crs_is_told_beside_one_with(tmp_path: Path) -> None:
    write(tmp_path / "metres.parquet", PLOTS)
    write(tmp_path / "unknown.parquet", PLOTS, None)
    for files in (("metres", "unknown"), ("unknown", "metres")):
        done = carom_here("pairs", *(f"{name}.parquet" for name in files), cwd=tmp_path)
        (line,) = done.stderr.splitlines()
        assert line.startswith("carom: warning: unknown.parquet has no CRS, and metres.parquet has")
