//! The classes of results: one scalar and one batch class per query, which differ in their fields. The file is long
//! because it is one table with the docstrings of all classes.

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::Arrays;
use super::result_methods::{Answer, as_dict, as_tuple, position, rows};
use crate::batch::{
    Clearance, FieldKind, FirstContact, LazyResult, QueryResult, RayCast, SweptCollisionWithMtv,
};
use crate::python::python_calls;
use crate::shape::{CirclePolygon, ClosestApproach, Distance, Penetration, Sat, SweptCircle};

/// The type of a field of a scalar result, as its docstring has it.
macro_rules! scalar_type {
    (Bool) => {
        "bool"
    };
    (Float) => {
        "float"
    };
    (Vector) => {
        "ndarray of float64, shape (2,)"
    };
    (Segment) => {
        "ndarray of float64, shape (2, 2)"
    };
    (Index) => {
        "int"
    };
    (Feature) => {
        "str or None"
    };
}

/// The type of a field of a batch result.
macro_rules! batch_type {
    (Bool) => {
        "ndarray of bool, shape (...)"
    };
    (Float) => {
        "ndarray of float64, shape (...)"
    };
    (Vector) => {
        "ndarray of float64, shape (..., 2)"
    };
    (Segment) => {
        "ndarray of float64, shape (..., 2, 2)"
    };
    (Index) => {
        "ndarray of int64, shape (...)"
    };
    (Feature) => {
        "ndarray of int8, shape (...)"
    };
}

/// Declares the scalar and the batch class of a query: the fields of the record, in their order.
macro_rules! results {
    (
        $(#[doc = $scalar_doc:expr])* $scalar:ident,
        $batch:ident of $function:ident $(with $obstacles:ident)?,
        $record:ty { $($field:ident: $kind:ident $field_doc:literal)+ }
    ) => {
        const _: () = assert!(<$record>::FIELDS.len() == [$(stringify!($field)),+].len());

        $(#[doc = $scalar_doc])*
        #[doc = concat!(
            "\nAttributes\n----------\n",
            $(stringify!($field), " : ", scalar_type!($kind), "\n    ", $field_doc, "\n"),+
        )]
        #[pyclass(frozen, module = "carom")]
        pub(crate) struct $scalar(Answer<$record>);

        /// The result that knows the whole answer.
        impl From<$record> for $scalar {
            #[inline]
            fn from(answer: $record) -> Self {
                Self(Answer::Whole(answer))
            }
        }

        #[pymethods]
        impl $scalar {
            $(
                #[doc = $field_doc]
                #[getter]
                fn $field(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    const POSITION: usize =
                        position(<$record>::FIELDS, stringify!($field), FieldKind::$kind);
                    self.0.get(py, POSITION)
                }
            )+

            fn __bool__(&self) -> PyResult<bool> {
                self.0.truth()
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                self.0.repr(py, stringify!($scalar))
            }

            /// The fields as a table, with a small picture: for notebooks.
            fn _repr_html_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                python_calls::notebook_display(this.as_any(), "scalar_html")
            }

            /// The fields by name.
            fn _asdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                as_dict(py, <$record>::FIELDS, self.0.all(py)?)
            }

            /// The fields in order, for unpacking.
            fn _astuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                as_tuple(py, <$record>::FIELDS, self.0.all(py)?)
            }

            /// A result with these values, in field order.
            #[staticmethod]
            #[pyo3(signature = (values, /))]
            fn _make(values: &Bound<'_, PyAny>) -> PyResult<Self> {
                Answer::make(values).map(Self)
            }

            fn __reduce__<'py>(
                this: &Bound<'py, Self>,
            ) -> PyResult<(Bound<'py, PyAny>, (Vec<Py<PyAny>>,))> {
                let make = this.get_type().getattr("_make")?;
                Ok((make, (this.get().0.all(this.py())?,)))
            }
        }

        #[doc = concat!(
            "What `", stringify!($function), "` returns: an array per field, over the rows.\n\n",
            "`result[i]` is the `", stringify!($scalar), "` of row i, and iterating gives these; ",
            "`_astuple()` gives the fields, for unpacking.\n\nAttributes\n----------\n",
            $(stringify!($field), " : ", batch_type!($kind), "\n    ", $field_doc, "\n",)+
            "valid : ndarray of bool, shape (...)\n    Which rows had valid operands: all, unless ",
            "invalid rows were masked.",
            $("\n", stringify!($obstacles), " : ndarray of bool, shape (M,)\n    Which obstacles were ",
            "valid: the others, which were masked, count as missing.",)?
            "\nshape : tuple of int\n    The shape of the rows.",
        )]
        #[pyclass(frozen, module = "carom")]
        pub(crate) struct $batch(pub(crate) Arrays);

        #[pymethods]
        impl $batch {
            $(
                #[doc = $field_doc]
                #[getter]
                fn $field<'py>(&self, py: Python<'py>) -> Option<&Bound<'py, PyAny>> {
                    const POSITION: usize =
                        position(<$record>::FIELDS, stringify!($field), FieldKind::$kind);
                    self.0.fields[POSITION].as_ref().map(|array| array.bind(py))
                }
            )+

            /// Which rows had valid operands: all, unless invalid rows were masked.
            #[getter]
            fn valid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                self.0.valid(py)
            }

            $(
                /// Which obstacles were valid: the others, which were masked, count as missing.
                #[getter]
                fn $obstacles<'py>(&self, py: Python<'py>) -> Option<&Bound<'py, PyAny>> {
                    self.0.$obstacles.as_ref().map(|valid| valid.bind(py))
                }
            )?

            /// The shape of the rows.
            #[getter]
            fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                PyTuple::new(py, &self.0.shape)
            }

            fn __len__(&self) -> PyResult<usize> {
                self.0.len()
            }

            fn __getitem__<'py>(
                &self,
                py: Python<'py>,
                key: &Bound<'py, PyAny>,
            ) -> PyResult<Py<PyAny>> {
                let (is_row, chosen) = self.0.index(py, <$record>::FIELDS, key)?;
                if is_row {
                    let values = chosen.fields.into_bound_py_any(py)?;
                    return $scalar(Answer::make(&values)?).into_py_any(py);
                }
                Self(chosen).into_py_any(py)
            }

            fn __iter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                rows(this.as_any(), this.get().0.shape.first().copied())
            }

            fn __bool__(&self) -> PyResult<bool> {
                Err(PyValueError::new_err(concat!(
                    "The truth value of a batch result is ambiguous. ",
                    "Use any() or all() of the field that you mean"
                )))
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                self.0.repr(py, <$record>::FIELDS, stringify!($batch))
            }

            /// The first and last rows as a table: for notebooks.
            fn _repr_html_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                python_calls::notebook_display(this.as_any(), "batch_html")
            }

            /// The fields by name.
            fn _asdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                as_dict(py, <$record>::FIELDS, &self.0.fields)
            }

            /// The fields in order, for unpacking; None for those that were not wanted.
            fn _astuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                as_tuple(py, <$record>::FIELDS, &self.0.fields)
            }

            /// The rows as a pandas DataFrame.
            ///
            /// Parameters
            /// ----------
            /// index : array_like or pandas.Index, optional
            ///     The labels of the rows; their numbers, by default.
            ///
            /// Returns
            /// -------
            /// pandas.DataFrame
            ///     A column for each number of the fields that were computed: ``mtv_x`` and
            ///     ``mtv_y`` of a vector, ``contact_0_x`` to ``contact_1_y`` of a contact.
            ///
            /// Raises
            /// ------
            /// ValueError
            ///     If the result has any but one leading dimension, or there are more labels than
            ///     rows or fewer.
            /// ImportError
            ///     If pandas is not installed.
            #[pyo3(signature = (index = None))]
            fn to_pandas<'py>(
                this: &Bound<'py, Self>,
                index: Option<&Bound<'py, PyAny>>,
            ) -> PyResult<Bound<'py, PyAny>> {
                python_calls::call(this.py(), "carom.interop.pandas", "frame", (this, index))
            }

            /// A result of this shape with these arrays, in field order.
            #[staticmethod]
            #[pyo3(signature = (shape, values, valid, $($obstacles,)? /))]
            fn _make(
                shape: Vec<usize>,
                values: Vec<Option<Py<PyAny>>>,
                valid: Option<Py<PyAny>>,
                $($obstacles: Option<Py<PyAny>>,)?
            ) -> PyResult<Self> {
                if values.len() != <$record>::FIELDS.len() {
                    return Err(PyTypeError::new_err("expected one array or None per field"));
                }
                let valid_obstacles = None $(.or($obstacles))?;
                Ok(Self(Arrays { shape, fields: values, valid, valid_obstacles }))
            }

            fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                let (py, arrays) = (this.py(), &this.get().0);
                let state = (&arrays.shape, &arrays.fields, &arrays.valid $(, &arrays.$obstacles)?);
                (this.get_type().getattr("_make")?, state).into_bound_py_any(py)
            }
        }
    };
}

results! {
    /// Whether and how two convex shapes overlap: what `sat` returns.
    ///
    /// True when they intersect.
    SatResult,
    SatBatchResult of sat_batch,
    LazyResult<Sat> {
        intersects: Bool "Whether the shapes intersect; touching counts."
        depth: Float "Length of `mtv`; 0 when the shapes are apart or only touch."
        mtv: Vector "The least translation of a after which it only touches b; zeros when apart."
        normal: Vector "Unit vector, the way a must move: from b to a; when apart, a separating direction."
        separation: Float "`-depth` when the shapes intersect, else the gap along `normal`."
        contact: Segment "The two ends of the contact, equal for a point, on the rounded boundary of shapes \
            with a radius; NaN when apart."
    }
}

results! {
    /// Whether two shapes overlap, and the shortest way apart: what `penetration` returns.
    ///
    /// True when they intersect.
    PenetrationResult,
    PenetrationBatchResult of penetration_batch,
    Penetration {
        intersects: Bool "Whether the shapes intersect; touching counts."
        depth: Float "Length of `mtv`; 0 exactly when the interiors are disjoint."
        mtv: Vector "A shortest translation of a after which the interiors are disjoint; zeros when they are."
        normal: Vector "Unit vector along `mtv`, or along the direction given; when the interiors are disjoint \
            without a direction, that of `sat` for convex shapes, zeros for others."
    }
}

results! {
    /// Whether, when and where a moving shape meets another: what `swept_collision` returns.
    ///
    /// True when they meet within the frame.
    SweptCollisionResult,
    SweptCollisionBatchResult of swept_collision_batch,
    LazyResult<SweptCollisionWithMtv> {
        intersects: Bool "Whether the shapes intersect now, at time 0."
        will_intersect: Bool "Whether they do at some time from 0 to 1."
        time: Float "When they first touch: 0 if they intersect now, inf if they never do."
        normal: Vector "Unit vector of the contact at that time, from b to a; zeros when never, and \
            when shapes that are not both convex intersect already."
        contact: Segment "The two ends of the contact at that time, equal for a point; NaN when \
            never, and when shapes that are not both convex intersect already."
        mtv: Vector "The least translation that clears b from the whole sweep of a; zeros when never. \
            NaN if either shape is not convex, and with a turn."
    }
}

results! {
    /// Overlap and nearest feature of a circle and a shape: what `circle_polygon` returns.
    ///
    /// True when they intersect.
    CirclePolygonResult,
    CirclePolygonBatchResult of circle_polygon_batch,
    CirclePolygon {
        intersects: Bool "Whether the circle and the shape intersect; touching counts."
        depth: Float "Radius minus the signed distance of the center from the boundary; 0 when apart."
        mtv: Vector "The translation of the circle, `depth` along `normal`; zeros when apart."
        normal: Vector "Unit vector from `closest` to the center; reversed when the center is inside."
        closest: Vector "The point of the boundary nearest to the center."
        feature: Feature "What `closest` lies on: \"vertex\" or \"edge\", None in a bad or missing row; in a batch 0, 1 or -1, see `FEATURES`."
        index: Index "Which vertex or edge that is, in the caller's order."
        distance: Float "The gap between circle and shape; 0 when they intersect."
    }
}

results! {
    /// Whether, when and where a moving circle meets a shape: what `swept_circle` returns.
    ///
    /// True when they meet within the frame.
    SweptCircleResult,
    SweptCircleBatchResult of swept_circle_batch,
    SweptCircle {
        intersects: Bool "Whether the circle and the shape intersect now, at time 0."
        will_intersect: Bool "Whether they do at some time from 0 to 1."
        time: Float "When they first touch: 0 if they intersect now, inf if they never do."
        normal: Vector "Unit vector of the contact, from the shape to the center; zeros when never."
        contact: Segment "The two ends of the contact at that time, equal for a point; NaN when never."
    }
}

results! {
    /// Distance and nearest points of two shapes: what `distance` returns.
    ///
    /// True when they intersect, that is when the distance is 0.
    DistanceResult,
    DistanceBatchResult of distance_batch,
    Distance {
        distance: Float "The distance; 0 when the shapes intersect."
        closest_a: Vector "The point of a nearest to b; NaN when they intersect."
        closest_b: Vector "The point of b nearest to a; NaN when they intersect."
    }
}

results! {
    /// How near a moving shape comes to another, and when: what `closest_approach` returns.
    ///
    /// True when they meet, that is when the distance is 0.
    ClosestApproachResult,
    ClosestApproachBatchResult of closest_approach_batch,
    ClosestApproach {
        distance: Float "The least distance within the frame; 0 when the shapes meet."
        time: Float "When it is reached, from 0 to 1; of shapes that meet the first contact."
        closest_a: Vector "The point of a nearest to b at that time; NaN when they meet."
        closest_b: Vector "The point of b nearest to a at that time, b standing still; NaN when they meet."
    }
}

results! {
    /// The first contact of a trajectory: a row of what `first_contact` returns.
    ///
    /// True when it touches something.
    FirstContactResult,
    FirstContactBatchResult of first_contact with valid_obstacles,
    FirstContact {
        hit: Bool "Whether the trajectory touches an obstacle at all."
        step: Index "The pose at which the step of the first contact starts; -1 if there is none."
        time: Float "When in that step, from 0 to 1; inf if never."
        obstacle: Index "The row of the obstacle; -1 if there is none."
        normal: Vector "Unit vector of the contact, from the obstacle to the footprint; zeros when never, \
            and when shapes that are not both convex intersect already as the step starts."
        contact: Segment "The two ends of the contact, where it is at that time, equal for a point; NaN \
            where `normal` is zero."
        part: Index "The row of the column that touched; -1 if never, None without groups."
        at: Float "The time of the contact by the times of the trajectories; inf if never, None without times."
    }
}

results! {
    /// How near a trajectory comes to obstacles: a row of what `clearance` returns.
    ///
    /// True when it touches one, that is when the distance is 0.
    ClearanceResult,
    ClearanceBatchResult of clearance with valid_obstacles,
    Clearance {
        distance: Float "The least distance; 0 when an obstacle is touched, inf without obstacles."
        step: Index "The pose at which the step of the least distance starts; -1 without obstacles."
        time: Float "When in that step it is reached, from 0 to 1; inf without obstacles."
        obstacle: Index "The row of the nearest obstacle; -1 without obstacles."
        closest_a: Vector "The point of the footprint nearest to the obstacle, where it is at that time; NaN when \
            they touch, and without obstacles."
        closest_b: Vector "The point of the obstacle nearest to the footprint, where it is at that time; NaN when \
            they touch, and without obstacles."
        part: Index "The row of the column that came nearest; -1 without obstacles, None without groups."
        at: Float "The time of the least distance by the times of the trajectories; inf without obstacles, None \
            without times."
    }
}

results! {
    /// The first shape that a ray meets: a row of what `ray_cast` returns.
    ///
    /// True when there is one.
    RayCastResult,
    RayCastBatchResult of ray_cast,
    RayCast {
        hit: Bool "Whether the ray meets a shape; touching counts."
        time: Float "When it first does, in units of the direction; 0 where it starts in one, inf if never."
        row: Index "The row of that shape; -1 if there is none."
        normal: Vector "Outward unit normal of the edge there, which faces the ray; zeros where the ray starts \
            in the shape, and when never."
        point: Vector "Where it first meets the shape; NaN when never."
    }
}
