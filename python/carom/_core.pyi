from collections.abc import Callable, Iterable, Iterator, Sequence
from types import EllipsisType
from typing import (
    Any,
    Final,
    Generic,
    Literal,
    Never,
    Protocol,
    Self,
    TypeAlias,
    TypeVar,
    final,
    overload,
)

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "FEATURES",
    "INSTRUCTIONS",
    "KINDS",
    "Arcs",
    "CirclePolygonBatchResult",
    "CirclePolygonResult",
    "ClearanceBatchResult",
    "ClearanceResult",
    "ClosestApproachBatchResult",
    "ClosestApproachResult",
    "ContactIntervals",
    "DistanceBatchResult",
    "DistanceResult",
    "Encounters",
    "FirstContactBatchResult",
    "FirstContactResult",
    "Neighbors",
    "PenetrationBatchResult",
    "PenetrationResult",
    "RayCastBatchResult",
    "RayCastResult",
    "SatBatchResult",
    "SatResult",
    "Shapes",
    "SweptCircleBatchResult",
    "SweptCircleResult",
    "SweptCollisionBatchResult",
    "SweptCollisionResult",
    "Trajectories",
    "__version__",
    "_nearest_with_ties",
    "arc",
    "boxes",
    "candidate_pairs",
    "circle_polygon",
    "circle_polygon_batch",
    "clearance",
    "closest_approach",
    "closest_approach_batch",
    "colliding_pairs",
    "contact_intervals",
    "contact_intervals_batch",
    "convex_hull",
    "convex_parts",
    "distance",
    "distance_batch",
    "encounters",
    "first_contact",
    "intersects",
    "intersects_batch",
    "iter_colliding_pairs",
    "locate",
    "nearest",
    "overlap_area",
    "overlap_area_batch",
    "penetration",
    "penetration_batch",
    "place",
    "predicate_batch",
    "ray_cast",
    "sat",
    "sat_batch",
    "swept_circle",
    "swept_circle_batch",
    "swept_collision",
    "swept_collision_batch",
]

__version__: Final[str]
FEATURES: Final[tuple[str, str]]
KINDS: Final[tuple[str, str, str, str, str, str]]
INSTRUCTIONS: Final[str]

_Bools: TypeAlias = NDArray[np.bool_]
_Floats: TypeAlias = NDArray[np.float64]
_Integers: TypeAlias = NDArray[np.int64]

# Shapely's, GeoPandas' and Arrow's objects, without a need for these to be there.
class _Geometry(Protocol):
    @property
    def geom_type(self) -> str: ...

class _GeoSeries(Protocol):
    @property
    def geometry(self) -> Any: ...
    @property
    def crs(self) -> Any: ...

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

_Geometries: TypeAlias = _GeoSeries | NDArray[np.object_] | Sequence[_Geometry | None]
_Arrow: TypeAlias = _ArrowArray | _ArrowStream
# One polygon, and what the batch functions take: rows of them; a missing row is None.
_Polygon: TypeAlias = ArrayLike | _Geometry | Shapes
_Rows: TypeAlias = (
    Shapes | ArrayLike | _Geometry | _Geometries | Sequence[ArrayLike | _Geometry | None]
)
_Pairs: TypeAlias = ArrayLike | tuple[ArrayLike, ArrayLike]
_Index: TypeAlias = int | np.integer[Any]
_Rest: TypeAlias = slice | EllipsisType | list[int] | list[bool] | NDArray[Any]
_Out: TypeAlias = dict[str, NDArray[Any]]
_Row = TypeVar("_Row")
_Kind: TypeAlias = Literal["point", "multipoint", "path", "multipath", "polygon", "multipolygon"]
_OnInvalid: TypeAlias = Literal["raise", "mask"]
_JoinPredicate: TypeAlias = Literal[
    "intersects",
    "contains",
    "within",
    "covers",
    "covered_by",
    "contains_properly",
    "touches",
    "overlaps",
    "crosses",
    "equals",
]

# A field that was not asked for with `fields` is None, of a batch result and of its rows. It is
# typed as if it were present: otherwise each use of a field would need a check for None first.

class _Scalar:
    def __bool__(self) -> bool: ...
    def _repr_html_(self) -> str: ...
    def _asdict(self) -> dict[str, Any]: ...
    def _astuple(self) -> tuple[Any, ...]: ...

class _Batch(Generic[_Row]):
    @property
    def valid(self) -> _Bools: ...
    def __bool__(self) -> bool: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: _Index, /) -> _Row: ...
    @overload
    def __getitem__(self, key: _Rest, /) -> Self: ...
    @overload
    def __getitem__(self, key: tuple[Any, ...], /) -> Any: ...
    def __iter__(self) -> Iterator[_Row]: ...
    def to_pandas(self, index: Any = None) -> Any: ...
    def _repr_html_(self) -> str: ...
    def _asdict(self) -> dict[str, Any]: ...
    def _astuple(self) -> tuple[Any, ...]: ...

@final
class SatResult(_Scalar):
    @property
    def intersects(self) -> bool: ...
    @property
    def depth(self) -> float: ...
    @property
    def mtv(self) -> _Floats: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def separation(self) -> float: ...
    @property
    def contact(self) -> _Floats: ...
    @staticmethod
    def _make(values: Sequence[Any], /) -> SatResult: ...

@final
class SatBatchResult(_Batch[SatResult]):
    @property
    def intersects(self) -> _Bools: ...
    @property
    def depth(self) -> _Floats: ...
    @property
    def mtv(self) -> _Floats: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def separation(self) -> _Floats: ...
    @property
    def contact(self) -> _Floats: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @staticmethod
    def _make(
        shape: Sequence[int], values: Sequence[NDArray[Any] | None], valid: _Bools | None, /
    ) -> SatBatchResult: ...

@final
class PenetrationResult(_Scalar):
    @property
    def intersects(self) -> bool: ...
    @property
    def depth(self) -> float: ...
    @property
    def mtv(self) -> _Floats: ...
    @property
    def normal(self) -> _Floats: ...
    @staticmethod
    def _make(values: Sequence[Any], /) -> PenetrationResult: ...

@final
class PenetrationBatchResult(_Batch[PenetrationResult]):
    @property
    def intersects(self) -> _Bools: ...
    @property
    def depth(self) -> _Floats: ...
    @property
    def mtv(self) -> _Floats: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @staticmethod
    def _make(
        shape: Sequence[int], values: Sequence[NDArray[Any] | None], valid: _Bools | None, /
    ) -> PenetrationBatchResult: ...

@final
class SweptCollisionResult(_Scalar):
    @property
    def intersects(self) -> bool: ...
    @property
    def will_intersect(self) -> bool: ...
    @property
    def time(self) -> float: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def contact(self) -> _Floats: ...
    @property
    def mtv(self) -> _Floats: ...
    @staticmethod
    def _make(values: Sequence[Any], /) -> SweptCollisionResult: ...

@final
class SweptCollisionBatchResult(_Batch[SweptCollisionResult]):
    @property
    def intersects(self) -> _Bools: ...
    @property
    def will_intersect(self) -> _Bools: ...
    @property
    def time(self) -> _Floats: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def contact(self) -> _Floats: ...
    @property
    def mtv(self) -> _Floats: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @staticmethod
    def _make(
        shape: Sequence[int], values: Sequence[NDArray[Any] | None], valid: _Bools | None, /
    ) -> SweptCollisionBatchResult: ...

@final
class CirclePolygonResult(_Scalar):
    @property
    def intersects(self) -> bool: ...
    @property
    def depth(self) -> float: ...
    @property
    def mtv(self) -> _Floats: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def closest(self) -> _Floats: ...
    @property
    def feature(self) -> Literal["vertex", "edge"] | None: ...
    @property
    def index(self) -> int: ...
    @property
    def distance(self) -> float: ...
    @staticmethod
    def _make(values: Sequence[Any], /) -> CirclePolygonResult: ...

@final
class CirclePolygonBatchResult(_Batch[CirclePolygonResult]):
    @property
    def intersects(self) -> _Bools: ...
    @property
    def depth(self) -> _Floats: ...
    @property
    def mtv(self) -> _Floats: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def closest(self) -> _Floats: ...
    @property
    def feature(self) -> NDArray[np.int8]: ...
    @property
    def index(self) -> _Integers: ...
    @property
    def distance(self) -> _Floats: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @staticmethod
    def _make(
        shape: Sequence[int], values: Sequence[NDArray[Any] | None], valid: _Bools | None, /
    ) -> CirclePolygonBatchResult: ...

@final
class SweptCircleResult(_Scalar):
    @property
    def intersects(self) -> bool: ...
    @property
    def will_intersect(self) -> bool: ...
    @property
    def time(self) -> float: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def contact(self) -> _Floats: ...
    @staticmethod
    def _make(values: Sequence[Any], /) -> SweptCircleResult: ...

@final
class SweptCircleBatchResult(_Batch[SweptCircleResult]):
    @property
    def intersects(self) -> _Bools: ...
    @property
    def will_intersect(self) -> _Bools: ...
    @property
    def time(self) -> _Floats: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def contact(self) -> _Floats: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @staticmethod
    def _make(
        shape: Sequence[int], values: Sequence[NDArray[Any] | None], valid: _Bools | None, /
    ) -> SweptCircleBatchResult: ...

@final
class ClosestApproachResult(_Scalar):
    @property
    def distance(self) -> float: ...
    @property
    def time(self) -> float: ...
    @property
    def closest_a(self) -> _Floats: ...
    @property
    def closest_b(self) -> _Floats: ...
    @staticmethod
    def _make(values: Sequence[Any], /) -> ClosestApproachResult: ...

@final
class ClosestApproachBatchResult(_Batch[ClosestApproachResult]):
    @property
    def distance(self) -> _Floats: ...
    @property
    def time(self) -> _Floats: ...
    @property
    def closest_a(self) -> _Floats: ...
    @property
    def closest_b(self) -> _Floats: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @staticmethod
    def _make(
        shape: Sequence[int], values: Sequence[NDArray[Any] | None], valid: _Bools | None, /
    ) -> ClosestApproachBatchResult: ...

@final
class DistanceResult(_Scalar):
    @property
    def distance(self) -> float: ...
    @property
    def closest_a(self) -> _Floats: ...
    @property
    def closest_b(self) -> _Floats: ...
    @staticmethod
    def _make(values: Sequence[Any], /) -> DistanceResult: ...

@final
class DistanceBatchResult(_Batch[DistanceResult]):
    @property
    def distance(self) -> _Floats: ...
    @property
    def closest_a(self) -> _Floats: ...
    @property
    def closest_b(self) -> _Floats: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @staticmethod
    def _make(
        shape: Sequence[int], values: Sequence[NDArray[Any] | None], valid: _Bools | None, /
    ) -> DistanceBatchResult: ...

@final
class ClearanceResult(_Scalar):
    @property
    def distance(self) -> float: ...
    @property
    def step(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def obstacle(self) -> int: ...
    @property
    def closest_a(self) -> _Floats: ...
    @property
    def closest_b(self) -> _Floats: ...
    @property
    def part(self) -> int: ...
    @property
    def at(self) -> float: ...
    @staticmethod
    def _make(values: Sequence[Any], /) -> ClearanceResult: ...

@final
class ClearanceBatchResult(_Batch[ClearanceResult]):
    @property
    def distance(self) -> _Floats: ...
    @property
    def step(self) -> _Integers: ...
    @property
    def time(self) -> _Floats: ...
    @property
    def obstacle(self) -> _Integers: ...
    @property
    def closest_a(self) -> _Floats: ...
    @property
    def closest_b(self) -> _Floats: ...
    @property
    def part(self) -> _Integers: ...
    @property
    def at(self) -> _Floats: ...
    @property
    def valid_obstacles(self) -> _Bools: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @staticmethod
    def _make(
        shape: Sequence[int],
        values: Sequence[NDArray[Any] | None],
        valid: _Bools | None,
        valid_obstacles: _Bools | None,
        /,
    ) -> ClearanceBatchResult: ...

@final
class FirstContactResult(_Scalar):
    @property
    def hit(self) -> bool: ...
    @property
    def step(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def obstacle(self) -> int: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def contact(self) -> _Floats: ...
    @property
    def part(self) -> int: ...
    @property
    def at(self) -> float: ...
    @staticmethod
    def _make(values: Sequence[Any], /) -> FirstContactResult: ...

@final
class FirstContactBatchResult(_Batch[FirstContactResult]):
    @property
    def hit(self) -> _Bools: ...
    @property
    def step(self) -> _Integers: ...
    @property
    def time(self) -> _Floats: ...
    @property
    def obstacle(self) -> _Integers: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def contact(self) -> _Floats: ...
    @property
    def part(self) -> _Integers: ...
    @property
    def at(self) -> _Floats: ...
    @property
    def valid_obstacles(self) -> _Bools: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @staticmethod
    def _make(
        shape: Sequence[int],
        values: Sequence[NDArray[Any] | None],
        valid: _Bools | None,
        valid_obstacles: _Bools | None,
        /,
    ) -> FirstContactBatchResult: ...

@final
class RayCastResult(_Scalar):
    @property
    def hit(self) -> bool: ...
    @property
    def time(self) -> float: ...
    @property
    def row(self) -> int: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def point(self) -> _Floats: ...
    @staticmethod
    def _make(values: Sequence[Any], /) -> RayCastResult: ...

@final
class RayCastBatchResult(_Batch[RayCastResult]):
    @property
    def hit(self) -> _Bools: ...
    @property
    def time(self) -> _Floats: ...
    @property
    def row(self) -> _Integers: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def point(self) -> _Floats: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @staticmethod
    def _make(
        shape: Sequence[int], values: Sequence[NDArray[Any] | None], valid: _Bools | None, /
    ) -> RayCastBatchResult: ...

@final
class ContactIntervals:
    @property
    def intervals(self) -> _Floats: ...
    @property
    def offsets(self) -> _Integers: ...
    @property
    def valid(self) -> _Bools: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Iterator[_Floats]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: _Index, /) -> _Floats: ...
    @overload
    def __getitem__(self, key: _Rest, /) -> ContactIntervals: ...
    @overload
    def __getitem__(self, key: tuple[Any, ...], /) -> Any: ...
    def to_pandas(self, index: Any = None) -> Any: ...
    def _asdict(self) -> dict[str, Any]: ...
    def _astuple(self) -> tuple[Any, ...]: ...
    @staticmethod
    def _make(intervals: _Floats, offsets: _Integers, valid: _Bools, /) -> ContactIntervals: ...

@final
class Arcs:
    # A float for two single poses.
    @property
    def turn(self) -> Any: ...
    @property
    def center(self) -> _Floats: ...
    def __bool__(self) -> bool: ...
    def _asdict(self) -> dict[str, Any]: ...
    def _astuple(self) -> tuple[Any, ...]: ...
    @staticmethod
    def _make(turn: Any, center: _Floats, /) -> Arcs: ...

@final
class Neighbors:
    @property
    def pairs(self) -> _Integers: ...
    @property
    def distance(self) -> _Floats: ...
    def __bool__(self) -> bool: ...
    def __getitem__(self, key: Any, /) -> Never: ...
    def __iter__(self) -> Iterator[Any]: ...
    def _asdict(self) -> dict[str, Any]: ...
    def _astuple(self) -> tuple[Any, ...]: ...
    @staticmethod
    def _make(pairs: _Integers, distance: _Floats, /) -> Neighbors: ...

@final
class Encounters:
    @property
    def pairs(self) -> _Integers: ...
    @property
    def step(self) -> _Integers: ...
    @property
    def time(self) -> _Floats: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def contact(self) -> _Floats: ...
    @property
    def at(self) -> _Floats: ...
    @property
    def distance(self) -> _Floats: ...
    @property
    def distance_step(self) -> _Integers: ...
    @property
    def distance_time(self) -> _Floats: ...
    def __bool__(self) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def _asdict(self) -> dict[str, Any]: ...
    def _astuple(self) -> tuple[Any, ...]: ...
    def to_pandas(self) -> Any: ...
    @staticmethod
    def _make(pairs: _Integers, fields: Sequence[NDArray[Any] | None], /) -> Encounters: ...

@final
class Trajectories:
    def __new__(
        cls,
        footprints: _Rows,
        poses: ArrayLike,
        *,
        present: ArrayLike | None = None,
        times: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        motion: Literal["straight", "arc"] = "straight",
        on_invalid: _OnInvalid = "raise",
    ) -> Self: ...
    @staticmethod
    def _restored(
        footprints: Shapes,
        poses: _Floats,
        present: _Bools,
        times: Sequence[float] | None,
        groups: Sequence[int] | None,
        motion: str,
        faults: Sequence[tuple[int, str]],
    ) -> Trajectories: ...
    @property
    def footprints(self) -> Shapes: ...
    @property
    def poses(self) -> _Floats: ...
    @property
    def present(self) -> _Bools: ...
    @property
    def times(self) -> _Floats | None: ...
    @property
    def groups(self) -> _Integers | None: ...
    @property
    def motion(self) -> Literal["straight", "arc"]: ...
    @property
    def bounds(self) -> _Floats: ...
    @property
    def is_valid(self) -> _Bools: ...
    @property
    def invalid_reason(self) -> NDArray[np.object_]: ...
    @property
    def nbytes(self) -> int: ...
    def at(self, step: int, /) -> Shapes: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: Any, /) -> Trajectories: ...
    def __iter__(self) -> Iterator[Trajectories]: ...
    def __array__(self, *_operands: Any, **_keywords: Any) -> Never: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: Any) -> Self: ...

@final
class Shapes:
    def __new__(
        cls, shapes: _Rows, *, check: bool = True, on_invalid: _OnInvalid = "raise"
    ) -> Self: ...
    @staticmethod
    def from_ragged(
        coords: ArrayLike,
        ring_offsets: ArrayLike,
        polygon_offsets: ArrayLike | None = None,
        shape_offsets: ArrayLike | None = None,
        *,
        check: bool = True,
        on_invalid: _OnInvalid = "raise",
    ) -> Shapes: ...
    @staticmethod
    def _restored(
        coords: ArrayLike,
        ring_offsets: ArrayLike,
        polygon_offsets: ArrayLike,
        shape_offsets: ArrayLike | None,
        attributes: tuple[Sequence[int], Sequence[float]] | None,
        faults: Sequence[tuple[int, str]],
        crs: str | None = None,
    ) -> Shapes: ...
    @staticmethod
    def from_points(
        xy: ArrayLike, radius: ArrayLike = 0.0, *, on_invalid: _OnInvalid = "raise"
    ) -> Shapes: ...
    @staticmethod
    def from_segments(
        ends: ArrayLike, radius: ArrayLike = 0.0, *, on_invalid: _OnInvalid = "raise"
    ) -> Shapes: ...
    @staticmethod
    def from_paths(
        coords: ArrayLike,
        offsets: ArrayLike,
        radius: ArrayLike = 0.0,
        *,
        on_invalid: _OnInvalid = "raise",
    ) -> Shapes: ...
    @staticmethod
    def from_shapely(
        geoms: _Geometries,
        *,
        drop_z: bool = False,
        check: bool = True,
        on_invalid: _OnInvalid = "raise",
    ) -> Shapes: ...
    @staticmethod
    def from_arrow(
        obj: _Arrow,
        *,
        column: str | None = None,
        kind: _Kind | Literal["box"] | None = None,
        check: bool = True,
        on_invalid: _OnInvalid = "raise",
        drop_z: bool = False,
    ) -> Shapes: ...
    @staticmethod
    def concat(columns: Iterable[Shapes]) -> Shapes: ...
    def to_shapely(self) -> NDArray[np.object_]: ...
    def to_wkb(self) -> NDArray[np.object_]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    @property
    def coords(self) -> _Floats: ...
    @property
    def offsets(self) -> tuple[_Integers, ...]: ...
    @property
    def kind(self) -> NDArray[np.int8]: ...
    @property
    def radius(self) -> _Floats: ...
    @property
    def crs(self) -> dict[str, Any] | str | None: ...
    @property
    def is_valid(self) -> _Bools: ...
    @property
    def invalid_reason(self) -> NDArray[np.object_]: ...
    @property
    def bounds(self) -> _Floats: ...
    @property
    def is_convex(self) -> _Bools: ...
    @property
    def area(self) -> _Floats: ...
    @property
    def centroid(self) -> _Floats: ...
    @property
    def nbytes(self) -> int: ...
    def with_crs(self, crs: object) -> Shapes: ...
    def with_radius(self, radius: ArrayLike) -> Shapes: ...
    def translate(self, offset: ArrayLike) -> Shapes: ...
    def affine_transform(self, matrix: ArrayLike) -> Shapes: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: _Index, /) -> _Floats | list[_Floats] | Shapes | None: ...
    @overload
    def __getitem__(self, key: slice | Sequence[int] | NDArray[Any], /) -> Shapes: ...
    def __contains__(self, item: object, /) -> bool: ...
    def __iter__(self) -> Iterator[_Floats | list[_Floats] | Shapes | None]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def _repr_svg_(self) -> str | None: ...
    def _repr_html_(self) -> str | None: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object) -> Self: ...
    __hash__: None  # type: ignore[assignment]

def candidate_pairs(
    a: _Rows,
    b: _Rows | None = None,
    *,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    turn_a: ArrayLike = 0.0,
    center_a: ArrayLike | None = None,
    turn_b: ArrayLike = 0.0,
    center_b: ArrayLike | None = None,
    margin: ArrayLike = 0.0,
    max_pairs: int | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> _Integers: ...
def colliding_pairs(
    a: _Rows,
    b: _Rows | None = None,
    *,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    turn_a: ArrayLike = 0.0,
    center_a: ArrayLike | None = None,
    turn_b: ArrayLike = 0.0,
    center_b: ArrayLike | None = None,
    margin: ArrayLike = 0.0,
    predicate: _JoinPredicate = "intersects",
    max_pairs: int | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> _Integers: ...
def iter_colliding_pairs(
    a: _Rows,
    b: _Rows | None = None,
    *,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    turn_a: ArrayLike = 0.0,
    center_a: ArrayLike | None = None,
    turn_b: ArrayLike = 0.0,
    center_b: ArrayLike | None = None,
    margin: ArrayLike = 0.0,
    predicate: _JoinPredicate = "intersects",
    chunk_pairs: int = 1_000_000,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Iterator[_Integers]: ...
def convex_hull(points: ArrayLike) -> _Floats: ...
def convex_parts(polygon: _Polygon) -> Shapes: ...
def clearance(
    footprints: _Rows | Trajectories,
    poses: ArrayLike | _Rows | Trajectories | None = None,
    obstacles: _Rows | Trajectories | None = None,
    *,
    obstacle_velocity: ArrayLike | None = None,
    obstacle_poses: ArrayLike | None = None,
    fields: Sequence[str] | None = None,
    out: ClearanceBatchResult | _Out | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: _OnInvalid = "raise",
) -> ClearanceBatchResult: ...
def encounters(
    a: Trajectories,
    b: Trajectories | _Rows | None = None,
    *,
    margin: ArrayLike = 0.0,
    fields: Sequence[str] | None = None,
    max_pairs: int | None = None,
    threads: int | None = None,
) -> Encounters: ...
def first_contact(
    footprints: _Rows | Trajectories,
    poses: ArrayLike | _Rows | Trajectories | None = None,
    obstacles: _Rows | Trajectories | None = None,
    *,
    obstacle_velocity: ArrayLike | None = None,
    obstacle_poses: ArrayLike | None = None,
    margin: ArrayLike = 0.0,
    fields: Sequence[str] | None = None,
    out: FirstContactBatchResult | _Out | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: _OnInvalid = "raise",
) -> FirstContactBatchResult: ...
def locate(points: ArrayLike, polygon: _Polygon, *, threads: int | None = None) -> Any: ...
def nearest(
    a: _Rows,
    b: _Rows,
    *,
    k: int = 1,
    max_distance: float = ...,
    threads: int | None = None,
) -> Neighbors: ...
def _nearest_with_ties(
    a: Shapes, b: Shapes, k: Any, max_distance: float, threads: int | None
) -> Neighbors: ...
def ray_cast(
    origins: ArrayLike,
    directions: ArrayLike,
    shapes: _Rows,
    *,
    length: ArrayLike = ...,
    threads: int | None = None,
) -> RayCastBatchResult: ...
def arc(poses: ArrayLike, next_pose: ArrayLike | None = None) -> Arcs: ...
def boxes(
    length: ArrayLike,
    width: ArrayLike,
    *,
    reference: Literal["center", "front", "rear"] | ArrayLike = "center",
) -> _Floats: ...
@overload
def place(shapes: Shapes, poses: ArrayLike) -> Shapes: ...
@overload
def place(shapes: ArrayLike, poses: ArrayLike) -> _Floats: ...
def sat(a: _Polygon, b: _Polygon, *, margin: float = 0.0) -> SatResult: ...
def sat_batch(
    a: _Rows,
    b: _Rows,
    *,
    margin: ArrayLike = 0.0,
    pairs: _Pairs | None = None,
    fields: Sequence[str] | None = None,
    out: SatBatchResult | _Out | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: _OnInvalid = "raise",
) -> SatBatchResult: ...
def penetration(
    a: _Polygon, b: _Polygon, *, direction: ArrayLike | None = None, margin: float = 0.0
) -> PenetrationResult: ...
def penetration_batch(
    a: _Rows,
    b: _Rows,
    *,
    direction: ArrayLike | None = None,
    margin: ArrayLike = 0.0,
    pairs: _Pairs | None = None,
    fields: Sequence[str] | None = None,
    out: PenetrationBatchResult | _Out | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: _OnInvalid = "raise",
) -> PenetrationBatchResult: ...
def intersects(a: _Polygon, b: _Polygon, *, margin: float = 0.0) -> bool: ...
def intersects_batch(
    a: _Rows,
    b: _Rows,
    *,
    margin: ArrayLike = 0.0,
    pairs: _Pairs | None = None,
    fields: Sequence[str] | None = None,
    out: _Out | _Bools | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: _OnInvalid = "raise",
) -> _Bools: ...
def overlap_area(a: _Polygon, b: _Polygon) -> float: ...
def overlap_area_batch(
    a: _Rows,
    b: _Rows,
    *,
    pairs: _Pairs | None = None,
    fields: Sequence[str] | None = None,
    out: _Out | _Floats | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: _OnInvalid = "raise",
) -> _Floats: ...
def predicate_batch(
    a: _Rows,
    b: _Rows,
    predicate: _JoinPredicate | Literal["disjoint"],
    *,
    pairs: _Pairs | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: _OnInvalid = "raise",
) -> _Bools: ...
def swept_collision(
    a: _Polygon,
    b: _Polygon,
    velocity: ArrayLike | None = None,
    *,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    turn_a: float = 0.0,
    center_a: ArrayLike | None = None,
    turn_b: float = 0.0,
    center_b: ArrayLike | None = None,
    margin: float = 0.0,
) -> SweptCollisionResult: ...
def swept_collision_batch(
    a: _Rows,
    b: _Rows,
    velocity: ArrayLike | None = None,
    *,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    turn_a: ArrayLike = 0.0,
    center_a: ArrayLike | None = None,
    turn_b: ArrayLike = 0.0,
    center_b: ArrayLike | None = None,
    margin: ArrayLike = 0.0,
    pairs: _Pairs | None = None,
    fields: Sequence[str] | None = None,
    out: SweptCollisionBatchResult | _Out | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: _OnInvalid = "raise",
) -> SweptCollisionBatchResult: ...
def closest_approach(
    a: _Polygon,
    b: _Polygon,
    velocity: ArrayLike | None = None,
    *,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    turn_a: float = 0.0,
    center_a: ArrayLike | None = None,
    turn_b: float = 0.0,
    center_b: ArrayLike | None = None,
) -> ClosestApproachResult: ...
def closest_approach_batch(
    a: _Rows,
    b: _Rows,
    velocity: ArrayLike | None = None,
    *,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    turn_a: ArrayLike = 0.0,
    center_a: ArrayLike | None = None,
    turn_b: ArrayLike = 0.0,
    center_b: ArrayLike | None = None,
    pairs: _Pairs | None = None,
    fields: Sequence[str] | None = None,
    out: ClosestApproachBatchResult | _Out | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: _OnInvalid = "raise",
) -> ClosestApproachBatchResult: ...
def contact_intervals(
    a: _Polygon,
    b: _Polygon,
    velocity: ArrayLike | None = None,
    *,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    margin: float = 0.0,
) -> _Floats: ...
def contact_intervals_batch(
    a: _Rows,
    b: _Rows,
    velocity: ArrayLike | None = None,
    *,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    margin: ArrayLike = 0.0,
    pairs: _Pairs | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: _OnInvalid = "raise",
) -> ContactIntervals: ...
def circle_polygon(center: ArrayLike, radius: float, polygon: _Polygon) -> CirclePolygonResult: ...
def circle_polygon_batch(
    center: ArrayLike,
    radius: ArrayLike,
    polygon: _Rows,
    *,
    pairs: _Pairs | None = None,
    fields: Sequence[str] | None = None,
    out: CirclePolygonBatchResult | _Out | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: _OnInvalid = "raise",
) -> CirclePolygonBatchResult: ...
def swept_circle(
    center: ArrayLike,
    radius: float,
    velocity: ArrayLike | None = None,
    polygon: _Polygon | None = None,
    *,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    margin: float = 0.0,
) -> SweptCircleResult: ...
def swept_circle_batch(
    center: ArrayLike,
    radius: ArrayLike,
    velocity: ArrayLike | None = None,
    polygon: _Rows | None = None,
    *,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    margin: ArrayLike = 0.0,
    pairs: _Pairs | None = None,
    fields: Sequence[str] | None = None,
    out: SweptCircleBatchResult | _Out | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: _OnInvalid = "raise",
) -> SweptCircleBatchResult: ...
def distance(a: _Polygon, b: _Polygon) -> DistanceResult: ...
def distance_batch(
    a: _Rows,
    b: _Rows,
    *,
    pairs: _Pairs | None = None,
    fields: Sequence[str] | None = None,
    out: DistanceBatchResult | _Out | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: _OnInvalid = "raise",
) -> DistanceBatchResult: ...
