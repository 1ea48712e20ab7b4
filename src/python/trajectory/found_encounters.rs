//! What `encounters` finds: pairs of bodies, and fields of each.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyIterator, PyTuple};

use crate::batch::{Encounter, EncounterSearch, Field, FieldKind};
use crate::broad::row_number;
use crate::geom::{Point, Vec2};
use crate::python::input::errors;
use crate::python::output::result_methods::{SHORT, values_by_line};
use crate::python::python_calls;
use crate::python::queries::joins::pair_array;

/// The fields of encounters, beside the pairs.
pub(super) const FIELDS: [Field; 8] = [
    field("step", FieldKind::Index),
    field("time", FieldKind::Float),
    field("normal", FieldKind::Vector),
    field("contact", FieldKind::Segment),
    field("at", FieldKind::Float),
    field("distance", FieldKind::Float),
    field("distance_step", FieldKind::Index),
    field("distance_time", FieldKind::Float),
];

/// The fields that need more of a contact than its time, and those that need the least distance.
pub(super) const OF_CONTACT: [&str; 2] = ["normal", "contact"];
pub(super) const OF_DISTANCE: [&str; 3] = ["distance", "distance_step", "distance_time"];

const fn field(name: &'static str, kind: FieldKind) -> Field {
    Field {
        name,
        kind,
        is_optional: false,
    }
}

/// The pairs that `encounters` finds; unpacks into the arrays that were computed.
///
/// Attributes
/// ----------
/// pairs : ndarray of int64, shape (2, K)
///     Rows of a and of b, sorted.
/// step : ndarray of int64, shape (K,)
///     The pose at which the step of the first contact starts.
/// time : ndarray of float64, shape (K,)
///     When in that step, from 0 to 1.
/// normal : ndarray of float64, shape (K, 2)
///     Unit vector of the contact, from b to a; zeros where shapes that are not both convex overlap as they first meet.
/// contact : ndarray of float64, shape (K, 2, 2)
///     The two ends of the contact, equal for a point; NaN where `normal` is zero.
/// at : ndarray of float64, shape (K,)
///     The time of the first contact by the times of the trajectories; None without times.
/// distance : ndarray of float64, shape (K,)
///     How near they come at all; 0 where they touch.
/// distance_step : ndarray of int64, shape (K,)
///     The pose at which the step of the least distance starts.
/// distance_time : ndarray of float64, shape (K,)
///     When in that step it is reached, from 0 to 1.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Encounters {
    /// Rows of a and of b, sorted.
    #[pyo3(get)]
    pairs: Py<PyAny>,
    /// One for each of [`FIELDS`].
    fields: Vec<Option<Py<PyAny>>>,
}

macro_rules! getters {
    ($($position:literal $name:ident $doc:literal)+) => {
        #[pymethods]
        impl Encounters {
            $(
                #[doc = $doc]
                #[getter]
                fn $name<'py>(&self, py: Python<'py>) -> Option<&Bound<'py, PyAny>> {
                    self.fields[$position].as_ref().map(|array| array.bind(py))
                }
            )+
        }
    };
}

getters! {
    0 step "The pose at which the step of the first contact starts, shape (K,)."
    1 time "When in that step, from 0 to 1, shape (K,)."
    2 normal "Unit vector of the contact, from b to a, shape (K, 2)."
    3 contact "The two ends of the contact, shape (K, 2, 2)."
    4 at "The time of the first contact by the times of the trajectories, shape (K,)."
    5 distance "How near they come at all, shape (K,); 0 where they touch."
    6 distance_step "The pose at which the step of the least distance starts, shape (K,)."
    7 distance_time "When in that step it is reached, from 0 to 1, shape (K,)."
}

#[pymethods]
impl Encounters {
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.tuple(py)?.try_iter()
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.pairs.bind(py).get_item(0)?.len()
    }

    #[allow(clippy::unused_self)] // Python's protocol needs it.
    fn __bool__(&self) -> PyResult<bool> {
        Err(pyo3::exceptions::PyValueError::new_err(
            "The truth value of the result is ambiguous. Use len() of it",
        ))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let count = self.__len__(py)?;
        if count <= SHORT {
            let computed = self.computed(py);
            return values_by_line(
                "Encounters",
                computed.into_iter().map(|(name, it)| (name, Ok(it))),
            );
        }
        let names: Vec<_> = self
            .computed(py)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        Ok(format!(
            "Encounters(<{count} pairs>, with {})",
            names.join(", ")
        ))
    }

    /// The arrays that were computed by name; the others are None.
    fn _asdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = FIELDS.iter().zip(&self.fields);
        let fields =
            fields.map(|(field, array)| (field.name, array.as_ref().map(|it| it.bind(py))));
        let all = std::iter::once(("pairs", Some(self.pairs.bind(py)))).chain(fields);
        all.into_py_dict(py)
    }

    /// The arrays that were computed, for unpacking: the pairs first.
    fn _astuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.tuple(py)
    }

    /// The pairs as a pandas DataFrame.
    ///
    /// Returns
    /// -------
    /// pandas.DataFrame
    ///     A row for each pair: the rows ``a`` and ``b``, and a column for each number of the fields that were computed,
    ///     such as ``normal_x`` and ``normal_y``.
    ///
    /// Raises
    /// ------
    /// ImportError
    ///     If pandas is not installed.
    fn to_pandas<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        python_calls::call(this.py(), "carom.interop.pandas", "frame_of_pairs", (this,))
    }

    /// A result with these arrays.
    #[staticmethod]
    #[pyo3(signature = (pairs, fields, /))]
    fn _make(pairs: Py<PyAny>, fields: Vec<Option<Py<PyAny>>>) -> PyResult<Self> {
        if fields.len() != FIELDS.len() {
            return Err(pyo3::exceptions::PyTypeError::new_err(
                "expected one array or None per field",
            ));
        }
        Ok(Self { pairs, fields })
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, fields) = (this.py(), this.get());
        let make = this.get_type().getattr("_make")?;
        (make, (&fields.pairs, &fields.fields)).into_bound_py_any(py)
    }
}

impl Encounters {
    /// The arrays that were computed, with their names.
    fn computed<'py>(&self, py: Python<'py>) -> Vec<(&'static str, Bound<'py, PyAny>)> {
        let fields = FIELDS.iter().zip(&self.fields);
        let fields = fields.filter_map(|(field, array)| {
            let array = array.as_ref()?;
            Some((field.name, array.bind(py).clone()))
        });
        let all = std::iter::once(("pairs", self.pairs.bind(py).clone())).chain(fields);
        all.collect()
    }

    fn tuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.computed(py).into_iter().map(|(_, array)| array))
    }

    pub(super) fn new(
        py: Python<'_>,
        search: &EncounterSearch,
        found: &[Encounter],
        wanted: &[usize],
    ) -> PyResult<Self> {
        errors::memory(found.len().saturating_mul(16 * size_of::<f64>()))?;
        let rows = found.iter().map(Encounter::rows);
        let rows = rows.map(|rows| rows.map(row_number));
        let numbers = |of: &dyn Fn(&Encounter) -> f64| {
            let array = PyArray1::from_iter(py, found.iter().map(of));
            Ok(array.into_any().unbind())
        };
        let steps = |of: &dyn Fn(&Encounter) -> usize| {
            let steps = found.iter().map(|it| of(it).cast_signed() as i64);
            Ok(PyArray1::from_iter(py, steps).into_any().unbind())
        };
        let points = |of: &dyn Fn(&Encounter) -> Vec<f64>, axes: &[usize]| {
            let array = PyArray1::from_iter(py, found.iter().flat_map(of));
            let axes = [&[found.len()], axes].concat();
            Ok(array.reshape(axes)?.into_any().unbind())
        };
        let flat = |[p, q]: [Point; 2]| vec![p.x, p.y, q.x, q.y];
        let vector = |Vec2 { x, y }: Vec2| vec![x, y];
        let array = |position: usize| -> PyResult<Py<PyAny>> {
            match FIELDS[position].name {
                "step" => steps(&|it| it.contact.step),
                "time" => numbers(&|it| it.contact.collision.time()),
                "normal" => points(&|it| vector(it.contact.collision.normal()), &[2]),
                "contact" => points(&|it| flat(it.contact.contact), &[2, 2]),
                "at" => numbers(&|it| search.at(it).unwrap_or(f64::NAN)),
                "distance" => numbers(&|it| it.least.map_or(f64::NAN, |least| least.distance)),
                "distance_step" => steps(&|it| it.least.map_or(0, |least| least.step)),
                _ => numbers(&|it| it.least.map_or(f64::NAN, |least| least.time)),
            }
        };
        let fields = (0..FIELDS.len()).map(|position| {
            let is_wanted = wanted.contains(&position);
            is_wanted.then(|| array(position)).transpose()
        });
        Ok(Self {
            fields: fields.collect::<PyResult<_>>()?,
            pairs: pair_array(py, rows)?.into_any().unbind(),
        })
    }
}
