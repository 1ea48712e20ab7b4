//! `candidate_pairs` and `colliding_pairs`.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::batch::join::finite;
use crate::batch::query_batch::is_radius;
use crate::batch::{Column, IndexPairs, Join, JoinCriterion, MovingColumn, Shared, Source};
use crate::error::Number;
use crate::geom::Vec2;
use crate::python::buffer::Claims;
use crate::python::docstrings::join_arguments;
use crate::python::errors;
use crate::python::input::{self, Argument, ItemShape, Lossy};
use crate::python::interruptible;
use crate::python::keywords;
use crate::python::operands::{Reader, broadcast};
use crate::python::polygons::Polygons;
use crate::python::shapely;

/// The argument `margin`, if it was given. None is no margin, as it is no other number.
#[derive(Clone, Copy, Default)]
pub(crate) struct Margin<'a, 'py>(Option<Borrowed<'a, 'py, PyAny>>);

impl<'a, 'py> FromPyObject<'a, 'py> for Margin<'a, 'py> {
    type Error = Infallible;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> Result<Self, Infallible> {
        Ok(Self(Some(given)))
    }
}

/// The arguments of a join as Python gave them.
struct JoinArguments<'a, 'py> {
    a: &'a Bound<'py, PyAny>,
    b: Option<&'a Bound<'py, PyAny>>,
    velocities: [Option<&'a Bound<'py, PyAny>>; 2],
    margin: Margin<'a, 'py>,
    threads: Option<&'a Bound<'py, PyAny>>,
    progress: Option<&'a Bound<'py, PyAny>>,
}

impl<'py> JoinArguments<'_, 'py> {
    fn run(&self, exact: bool) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let py = self.a.py();
        let threads = self.threads.map(keywords::threads).transpose()?;
        let join = Arc::new(self.read(exact)?);
        let total = join.a.column.len();
        let done = Arc::new(AtomicUsize::new(0));
        let tell = |py: Python<'_>, done: usize| match self.progress {
            Some(progress) => progress.call1((done, total)).map(drop),
            None => py.check_signals(),
        };
        let pairs = interruptible::run_telling(
            py,
            (join.clone(), Arc::clone(&done)),
            work(&join),
            threads,
            |py| match done.load(Ordering::Relaxed) {
                // The end is told once, after the pairs are sorted.
                done if done < total => tell(py, done),
                _ => py.check_signals(),
            },
            |(join, done), threads, control| join.pairs(threads, control, done),
        )?;
        let pairs = pairs.map_err(|stop| errors::stopped(&stop))?;
        tell(py, total)?;
        array(py, &pairs)
    }

    fn read(&self, exact: bool) -> PyResult<Join> {
        let [velocity_a, velocity_b] = self.velocities;
        if self.b.is_none() && velocity_b.is_some() {
            return Err(PyValueError::new_err(
                "velocity_b: given without b; a column joined with itself moves by velocity_a",
            ));
        }
        if let Some(progress) = self.progress
            && !progress.is_callable()
        {
            return Err(PyTypeError::new_err(
                "progress: expected a function of two numbers, the rows done and all rows",
            ));
        }
        let margin = self.margin.0.map_or(Ok(0.0), |it| {
            input::number(&it, Argument::one("margin", ItemShape::Number))
        })?;
        if !is_radius(margin) {
            let margin = Number(margin);
            return Err(PyValueError::new_err(format!(
                "margin is {margin}; it must be finite and 0 or more"
            )));
        }
        if let Some(b) = self.b {
            shapely::refuse_different_crs([("a", self.a), ("b", b)])?;
        }
        Ok(Join {
            a: fleet(["a", "velocity_a"], self.a, velocity_a)?,
            b: self
                .b
                .map(|b| fleet(["b", "velocity_b"], b, velocity_b))
                .transpose()?,
            nearness: JoinCriterion { margin, exact },
        })
    }
}

fn fleet(
    names: [&'static str; 2],
    polygons: &Bound<'_, PyAny>,
    velocity: Option<&Bound<'_, PyAny>>,
) -> PyResult<MovingColumn> {
    let column = Polygons::read(names[0], polygons)?;
    let velocity = velocity.map(|it| velocities(names, it, &column));
    Ok(MovingColumn {
        velocity: velocity.transpose()?,
        column,
    })
}

/// One velocity for all rows, or one each.
pub(super) fn velocities(
    [rows_name, name]: [&'static str; 2],
    velocity: &Bound<'_, PyAny>,
    column: &Column,
) -> PyResult<Source<Shared<Vec2>>> {
    let mut claims = Claims::default();
    let read =
        Reader::new(&mut claims, Lossy::Refuse).items(name, velocity, ItemShape::Vector(2))?;
    let rows = [column.len()];
    let named = read.named();
    if broadcast(&[(rows_name, &rows), named])? != rows {
        return Err(crate::python::operands::apart(&[(rows_name, &rows), named]));
    }
    let velocity = read.source(&rows, None);
    finite(&velocity, column.len()).map_err(|fault| errors::refused(&fault))?;
    Ok(velocity)
}

/// Each row may meet each other, and then a join costs as much as asking about all pairs.
fn work(join: &Join) -> usize {
    let (a, b) = (&join.a.column, &join.b.as_ref().unwrap_or(&join.a).column);
    let pairs = a.len().saturating_mul(b.len());
    interruptible::work(
        pairs.max(8 * (a.len() + b.len())),
        a.longest() + b.longest(),
    )
}

fn array<'py>(py: Python<'py>, pairs: &IndexPairs) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let side = |side: usize| pairs.iter().map(move |pair| i64::from(pair[side]));
    let rows: Vec<i64> = side(0).chain(side(1)).collect();
    rows.into_pyarray(py).reshape([2, pairs.len()])
}

/// Pairs of rows whose bounding boxes meet.
///
/// Every pair that intersects is among them. The boxes are swept relative to each other and grown
/// by `margin`, and what is rounded there is rounded outward.
///
#[doc = join_arguments!()]
///
/// See Also
/// --------
/// colliding_pairs : decides exactly.
///
/// Notes
/// -----
/// The boxes of the second column are held in a packed R-tree [1]_, which is asked for each row of
/// the first.
///
/// References
/// ----------
/// .. [1] I. Kamel and C. Faloutsos, "On packing R-trees", 1993.
///
/// Examples
/// --------
/// Two triangles whose boxes meet, though they don't:
///
/// >>> import carom
/// >>> low, high = [(0, 0), (4, 0), (0, 4)], [(3, 3), (4, 3), (4, 4)]
/// >>> carom.candidate_pairs([low, high])
/// array([[0],
///        [1]])
/// >>> carom.colliding_pairs([low, high])
/// array([], shape=(2, 0), dtype=int64)
#[pyfunction]
#[pyo3(signature = (a, b=None, *, velocity_a=None, velocity_b=None, margin=Margin::default(), threads=None, progress=None))]
#[pyo3(
    text_signature = "(a, b=None, *, velocity_a=None, velocity_b=None, margin=0.0, threads=None, progress=None)"
)]
pub(crate) fn candidate_pairs<'py>(
    a: &Bound<'py, PyAny>,
    b: Option<&Bound<'py, PyAny>>,
    velocity_a: Option<&Bound<'py, PyAny>>,
    velocity_b: Option<&Bound<'py, PyAny>>,
    margin: Margin<'_, 'py>,
    threads: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let velocities = [velocity_a, velocity_b];
    JoinArguments {
        a,
        b,
        velocities,
        margin,
        threads,
        progress,
    }
    .run(false)
}

/// Pairs of rows that intersect, or come within a margin.
///
/// Which pairs these are is exact: touching counts, and so does a distance of exactly `margin`.
/// With velocities, polygons pair that do so at some time of the frame, from 0 to 1; the difference
/// of two velocities is not rounded.
///
#[doc = join_arguments!()]
///
/// See Also
/// --------
/// candidate_pairs : judges by boxes alone.
/// swept_collision_batch : when and where such pairs meet.
///
/// Notes
/// -----
/// The candidates are decided as they are found, row by row, and never stored.
///
/// Examples
/// --------
/// Squares in a row that share edges:
///
/// >>> import carom
/// >>> squares = [[(x, 0), (x + 1, 0), (x + 1, 1), (x, 1)] for x in range(3)]
/// >>> carom.colliding_pairs(squares)
/// array([[0, 1],
///        [1, 2]])
/// >>> carom.colliding_pairs(squares, margin=1.0)
/// array([[0, 0, 1],
///        [1, 2, 2]])
///
/// The first passes the others at the end of the frame:
///
/// >>> carom.colliding_pairs(squares[:1], squares, velocity_a=(0, 3), velocity_b=(0, 2))
/// array([[0, 0],
///        [0, 1]])
#[pyfunction]
#[pyo3(signature = (a, b=None, *, velocity_a=None, velocity_b=None, margin=Margin::default(), threads=None, progress=None))]
#[pyo3(
    text_signature = "(a, b=None, *, velocity_a=None, velocity_b=None, margin=0.0, threads=None, progress=None)"
)]
pub(crate) fn colliding_pairs<'py>(
    a: &Bound<'py, PyAny>,
    b: Option<&Bound<'py, PyAny>>,
    velocity_a: Option<&Bound<'py, PyAny>>,
    velocity_b: Option<&Bound<'py, PyAny>>,
    margin: Margin<'_, 'py>,
    threads: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let velocities = [velocity_a, velocity_b];
    JoinArguments {
        a,
        b,
        velocities,
        margin,
        threads,
        progress,
    }
    .run(true)
}
