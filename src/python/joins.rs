//! `candidate_pairs` and `colliding_pairs`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::join::finite;
use crate::batch::{
    Column, IndexPairs, Join, JoinCriterion, MovingColumn, Shared, Source, is_radius,
};
use crate::error::Number;
use crate::geom::Vec2;
use crate::python::argument::{Argument, ItemShape};
use crate::python::buffer::Claims;
use crate::python::docstrings::join_arguments;
use crate::python::errors;
use crate::python::input;
use crate::python::interruptible;
use crate::python::keywords::{threads, unexpected};
use crate::python::operands::{broadcast, no_broadcast, vectors};
use crate::python::shapes::reading::column;
use crate::python::vectors::number;

/// The keywords of a join.
struct Keywords<'py> {
    velocities: [Option<Bound<'py, PyAny>>; 2],
    margin: f64,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
}

impl<'py> Keywords<'py> {
    fn read(function: &str, given: Option<&Bound<'py, PyDict>>) -> PyResult<Self> {
        let mut keywords = Self {
            velocities: [None, None],
            margin: 0.0,
            threads: None,
            progress: None,
        };
        for (key, value) in given.into_iter().flatten() {
            let given = Some(value.clone()).filter(|value| !value.is_none());
            match key.extract::<String>()?.as_str() {
                "velocity_a" => keywords.velocities[0] = given,
                "velocity_b" => keywords.velocities[1] = given,
                "margin" => keywords.margin = margin(&value)?,
                "threads" => keywords.threads = given.as_ref().map(threads).transpose()?,
                "progress" => keywords.progress = given,
                key => return Err(unexpected(function, key)),
            }
        }
        if let Some(progress) = &keywords.progress
            && !progress.is_callable()
        {
            return Err(PyTypeError::new_err(
                "progress: expected a function of two numbers, the rows done and all rows",
            ));
        }
        Ok(keywords)
    }
}

fn margin(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    let margin = number(value, Argument::one("margin", ItemShape::Number))?;
    if is_radius(margin) {
        return Ok(margin);
    }
    let margin = Number(margin);
    Err(PyValueError::new_err(format!(
        "margin is {margin}; it must be finite and 0 or more"
    )))
}

fn run<'py>(
    a: &Bound<'py, PyAny>,
    b: Option<&Bound<'py, PyAny>>,
    keywords: &Keywords<'py>,
    exact: bool,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let py = a.py();
    let join = Arc::new(read(a, b, keywords, exact)?);
    let (total, searches) = (join.a.column.len(), join.searches());
    let done = Arc::new(AtomicUsize::new(0));
    let tell = |py: Python<'_>, done: usize| match &keywords.progress {
        Some(progress) => progress.call1((done, total)).map(drop),
        None => py.check_signals(),
    };
    let pairs = interruptible::run_with_progress(
        py,
        (join.clone(), Arc::clone(&done)),
        work(&join),
        keywords.threads,
        // In rows of `a`, also where those of `b` are searched for.
        |py| match done.load(Ordering::Relaxed) * total / searches.max(1) {
            // The last call follows after the pairs are sorted.
            done if done < total => tell(py, done),
            _ => py.check_signals(),
        },
        |(join, done), threads, control| join.pairs(threads, control, done),
    )?;
    let pairs = pairs.map_err(|stop| errors::stopped(&stop))?;
    tell(py, total)?;
    array(py, &pairs)
}

fn read(
    a: &Bound<'_, PyAny>,
    b: Option<&Bound<'_, PyAny>>,
    keywords: &Keywords<'_>,
    exact: bool,
) -> PyResult<Join> {
    let [velocity_a, velocity_b] = keywords.velocities.each_ref().map(Option::as_ref);
    if b.is_none() && velocity_b.is_some() {
        return Err(PyValueError::new_err(
            "velocity_b: given without b; a column joined with itself moves by velocity_a",
        ));
    }
    if let Some(b) = b {
        input::refuse_different_crs([("a", a), ("b", b)])?;
    }
    let margin = keywords.margin;
    Ok(Join {
        a: moving(["a", "velocity_a"], a, velocity_a)?,
        b: b.map(|b| moving(["b", "velocity_b"], b, velocity_b))
            .transpose()?,
        nearness: JoinCriterion { margin, exact },
    })
}

fn moving(
    names: [&'static str; 2],
    polygons: &Bound<'_, PyAny>,
    velocity: Option<&Bound<'_, PyAny>>,
) -> PyResult<MovingColumn> {
    let column = column(names[0], polygons.py(), input::classify(polygons)?)?;
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
    let argument = Argument::many(name, ItemShape::Vector(2));
    let read = vectors(argument, velocity, &mut claims)?;
    let rows = [column.len()];
    let named = read.named();
    if broadcast(&[(rows_name, &rows), named])? != rows {
        return Err(no_broadcast(&[(rows_name, &rows), named]));
    }
    let velocity = read.source(&rows, None);
    finite(&velocity, column.len()).map_err(|fault| errors::refused(&fault))?;
    Ok(velocity)
}

/// Work bound of a join: every row may meet every other one.
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
/// Every pair that intersects is among them. The boxes are swept relative to each other, grown by
/// `margin`, and rounded outward.
///
#[doc = join_arguments!()]
///
/// See Also
/// --------
/// colliding_pairs : decides exactly.
///
/// Notes
/// -----
/// The boxes of each column are in a packed R-tree [1]_. The tree of one is searched for the rows of the
/// other, the one with fewer rows where the pairs can't depend on that, eight neighbours at a time.
///
/// References
/// ----------
/// .. [1] I. Kamel and C. Faloutsos, "On packing R-trees", 1993.
///
/// Examples
/// --------
/// Two disjoint triangles whose boxes meet:
///
/// >>> import carom
/// >>> low, high = [(0, 0), (4, 0), (0, 4)], [(3, 3), (4, 3), (4, 4)]
/// >>> carom.candidate_pairs([low, high])
/// array([[0],
///        [1]])
/// >>> carom.colliding_pairs([low, high])
/// array([], shape=(2, 0), dtype=int64)
#[pyfunction]
#[pyo3(
    signature = (a, b=None, **keywords),
    text_signature = "(a, b=None, *, velocity_a=None, velocity_b=None, margin=0.0, threads=None, progress=None)"
)]
pub(crate) fn candidate_pairs<'py>(
    a: &Bound<'py, PyAny>,
    b: Option<&Bound<'py, PyAny>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    run(a, b, &Keywords::read("candidate_pairs", keywords)?, false)
}

/// Pairs of rows that intersect, or come within a margin.
///
/// The pairs are exact: touching counts, and so does a distance of exactly `margin`. With
/// velocities, a pair counts if it does so at some time of the frame, from 0 to 1; the difference of
/// two velocities is not rounded.
///
#[doc = join_arguments!()]
///
/// See Also
/// --------
/// candidate_pairs : tests the bounding boxes only.
/// swept_collision_batch : when and where such pairs meet.
///
/// Notes
/// -----
/// Candidates are tested soon after they are found; those of all rows are never stored.
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
#[pyo3(
    signature = (a, b=None, **keywords),
    text_signature = "(a, b=None, *, velocity_a=None, velocity_b=None, margin=0.0, threads=None, progress=None)"
)]
pub(crate) fn colliding_pairs<'py>(
    a: &Bound<'py, PyAny>,
    b: Option<&Bound<'py, PyAny>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    run(a, b, &Keywords::read("colliding_pairs", keywords)?, true)
}
