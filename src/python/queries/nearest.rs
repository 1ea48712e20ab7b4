//! `nearest`.

use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyIterator, PyTuple};

use super::joins::pair_array;
use crate::batch::CancelToken;
use crate::batch::queries::nearest::{Nearest, NeighborPair};
use crate::geom::DisplayNumber;
use crate::python::input::expected_argument::{Argument, ItemShape};
use crate::python::input::input_error::{self, Place};
use crate::python::input::keywords::{self, Keywords, count};
use crate::python::input::vector_arguments::number;
use crate::python::output::result_methods::{SHORT, of_other_lengths, values_by_line};
use crate::python::shapes::from_sequence::{column, two_columns};
use crate::python::{input::errors, interruptible};

/// The nearest rows that `nearest` finds; unpacks into pairs and distance.
///
/// Attributes
/// ----------
/// pairs : ndarray of int64, shape (2, K)
///     Rows of a and of b, ordered by the row of a, then the nearest first.
/// distance : ndarray of float64, shape (K,)
///     The distance of each pair; 0 when they intersect.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Neighbors {
    /// Rows of a and of b, ordered by the row of a, then the nearest first.
    #[pyo3(get)]
    pairs: Py<PyAny>,
    /// The distance of each pair; 0 when they intersect.
    #[pyo3(get)]
    distance: Py<PyAny>,
}

#[pymethods]
impl Neighbors {
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self._astuple(py)?.try_iter()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (pairs, distance) = (self.pairs.bind(py), self.distance.bind(py));
        let count = distance.len()?;
        if count <= SHORT {
            let values = [("pairs", pairs), ("distance", distance)];
            let values = values.map(|(name, array)| (name, Ok(array.clone())));
            return values_by_line("Neighbors", values);
        }
        Ok(format!(
            "Neighbors(pairs=<int64 (2, {count})>, distance=<float64 ({count},)>)"
        ))
    }

    #[allow(clippy::unused_self)] // Python's protocol needs it.
    fn __getitem__(&self, _key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        Err(PyTypeError::new_err(
            "Neighbors has no items: pairs, distance = nearest(a, b) unpacks it; of neighbor k, pairs[:, k] are the \
             rows and distance[k] is the distance",
        ))
    }
}

of_other_lengths!(Neighbors { pairs distance }, "the size of `distance`");

/// The nearest rows of another column, and their distances.
///
/// Which row is nearer is decided exactly, of rounded rows to 1e-12 of their distances.
///
/// Parameters
/// ----------
/// a, b : Shapes, or list of shapes, or GeoSeries, or array_like of shape (N, V, 2)
///     The columns. Missing rows have no neighbors and are none. In a column joined with itself each
///     row is its own nearest, at distance 0: ask for one more.
/// k : int, default 1
///     How many neighbors each row of `a` has; fewer where `b` has fewer rows, or `max_distance`
///     excludes some.
/// max_distance : float, default inf
///     The greatest distance of a neighbor, itself included, in the unit of the coordinates.
/// threads : int, optional
///     How many threads to use; all cores, by default. The result doesn't depend on it.
///
/// Returns
/// -------
/// Neighbors
///     `pairs`, an array of int64 of shape (2, K) with rows of `a` and of `b`, which is what
///     ``pairs=`` of the batch functions takes; and `distance`, an array of shape (K,). Ordered by the
///     row of `a`, the nearest first, of equally near rows the lowest. Shapes that touch or
///     intersect have distance 0.
///
/// Raises
/// ------
/// ValueError
///     If a row is not a valid shape; if `k` is less than 1; if `max_distance` is negative or NaN; if `a`
///     and `b` have different CRS.
/// TypeError
///     If an argument does not consist of numbers, `k` is not an integer, or a keyword is unknown.
///
/// See Also
/// --------
/// colliding_pairs : all pairs within a margin.
/// distance_batch : the nearest points of pairs.
///
/// Notes
/// -----
/// A packed R-tree over the boxes of `b` is searched by branch and bound [1]_.
///
/// References
/// ----------
/// .. [1] N. Roussopoulos, S. Kelley and F. Vincent, "Nearest neighbor queries", 1995.
///
/// Examples
/// --------
/// >>> import carom
/// >>> squares = [[(x, 0), (x + 1, 0), (x + 1, 1), (x, 1)] for x in (0, 3, 5)]
/// >>> triangle = [(2, 0), (1.5, 1), (2, 2)]
/// >>> pairs, distance = carom.nearest([triangle], squares, k=2)
/// >>> pairs
/// array([[0, 0],
///        [0, 1]])
/// >>> distance
/// array([0.5, 1. ])
/// >>> carom.nearest([triangle], squares, k=3, max_distance=0.5).pairs
/// array([[0],
///        [0]])
// Python reads 1e999 as infinity, and no name in a signature.
#[pyfunction(
    signature = (a, b, **keywords),
    text_signature = "(a, b, *, k=1, max_distance=1e999, threads=None)"
)]
pub(crate) fn nearest<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Neighbors> {
    let py = a.py();
    let keywords = Keywords::of("nearest", keywords)?;
    let k = keywords.get("k").map_or(Ok(1), |k| count("k", &k))?;
    let most = keywords.get("max_distance");
    let max_distance = most.map_or(Ok(f64::INFINITY), |most| largest_distance(&most))?;
    let threads = keywords.threads()?;
    let [a, b] = two_columns(["a", "b"], [a, b])?;
    let query = Nearest {
        k: vec![k; a.len()],
        a,
        b,
        with_ties: false,
        max_distance,
    };
    neighbors(py, query, threads)
}

/// The `k[i]` nearest rows of `b` for each row `i` of `a`, and all that are as near as the farthest of these.
#[pyfunction]
#[pyo3(signature = (a, b, k, max_distance, threads))]
pub(crate) fn _nearest_with_ties(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    k: &Bound<'_, PyArray1<usize>>,
    max_distance: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Neighbors> {
    let (a, k) = (column("a", a)?, k.to_vec()?);
    if k.len() != a.len() || k.contains(&0) {
        return Err(input_error::value_error(
            "k",
            "expected 1 or more for each row of a",
        ));
    }
    let threads = threads.map(keywords::threads).transpose()?;
    let query = Nearest {
        a,
        b: column("b", b)?,
        k,
        with_ties: true,
        max_distance: largest_distance(max_distance)?,
    };
    neighbors(b.py(), query, threads)
}

fn neighbors(py: Python<'_>, query: Nearest, threads: Option<usize>) -> PyResult<Neighbors> {
    let others = query.b.len();
    let longest = query.a.longest() + query.b.longest();
    let work = |rows: usize| interruptible::work(rows.saturating_mul(8), longest);
    // For each row of `a` some eight candidates for each neighbor; and the tree over `b`.
    let neighbors = query.k.iter().map(|&k| k.min(others));
    let neighbors = neighbors.fold(0, usize::saturating_add);
    let bound = work(neighbors.saturating_add(others));
    let expected = if query.is_prepared() {
        work(neighbors)
    } else {
        bound
    };
    let search = |control: &CancelToken| query.pairs(1, control);
    let tried = interruptible::try_here(py, [expected, bound], search)?;
    let in_pool = || {
        interruptible::run(py, query, bound, threads, |query, threads, control| {
            query.pairs(threads, control)
        })
    };
    let pairs = tried.map_or_else(in_pool, Ok)??;
    arrays(py, &pairs)
}

fn largest_distance(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    let distance = number(value, Argument::one("max_distance", ItemShape::Number))?;
    if distance >= 0.0 {
        return Ok(distance);
    }
    let distance = DisplayNumber(distance);
    Err(input_error::value_error(
        Place::from("max_distance").subject(),
        format!("is {distance}; it must be 0 or more"),
    ))
}

fn arrays(py: Python<'_>, pairs: &[NeighborPair]) -> PyResult<Neighbors> {
    errors::memory(pairs.len().saturating_mul(3 * size_of::<i64>()))?;
    let rows = pair_array(py, pairs.iter().map(|&(row, other, _)| [row, other]))?;
    let distance: Vec<f64> = pairs.iter().map(|&(.., distance)| distance).collect();
    Ok(Neighbors {
        pairs: rows.into_any().unbind(),
        distance: distance.into_pyarray(py).into_any().unbind(),
    })
}
