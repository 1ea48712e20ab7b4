//! `candidate_pairs`, `colliding_pairs` and `iter_colliding_pairs`. The file is long because of their docstrings.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat};
use pyo3::{PyTraverseError, PyVisit};

use crate::batch::{
    CancelToken, ChunkedJoin, Column, Join, MovingColumn, OnInvalid, OperandRows, Shared,
};
use crate::broad::NO_GROUP;
use crate::geom::Vec2;
use crate::python::buffer::Claims;
use crate::python::docstrings::join_arguments;
use crate::python::input::batch_operand::vectors;
use crate::python::input::expected_argument::{Argument, ItemShape};
use crate::python::input::input_error;
use crate::python::input::keywords::{self, Keywords, count, count_from_0};
use crate::python::input::turn_arguments::{self, TurnOperands};
use crate::python::shapes::from_sequence::{column, two_columns};
use crate::python::{input::errors, interruptible};
use crate::shape::Predicate;

/// The function that is called with the progress of a join, if any.
fn progress<'py>(keywords: &Keywords<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let progress = keywords.get("progress");
    if progress.as_ref().is_some_and(|it| !it.is_callable()) {
        return Err(input_error::type_error(
            "progress",
            "expected a function of two numbers, the rows done and all rows",
        ));
    }
    Ok(progress)
}

fn run<'py>(
    a: &Bound<'py, PyAny>,
    b: Option<&Bound<'py, PyAny>>,
    function: &str,
    given: Option<&Bound<'py, PyDict>>,
    exact: bool,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let py = a.py();
    let keywords = Keywords::of(function, given)?;
    let most = keywords.get("max_pairs");
    let most = most.map_or(Ok(usize::MAX), |most| count_from_0("max_pairs", &most))?;
    let (threads, progress) = (keywords.threads()?, progress(&keywords)?);
    let join = Arc::new(read(a, b, &keywords, exact)?);
    let (total, searches) = (join.a.column.len(), join.searches());
    let done = Arc::new(AtomicUsize::new(0));
    let tell = |py: Python<'_>, done: usize| match &progress {
        Some(progress) => progress.call1((done, total)).map(drop),
        None => py.check_signals(),
    };
    let work = work(&join);
    let tried = interruptible::try_here(py, [expected_work(&join), work], |control| {
        join.pairs(most, 1, control, &AtomicUsize::new(0))
    })?;
    let in_pool = || {
        interruptible::run_with_progress(
            py,
            (join.clone(), Arc::clone(&done)),
            work,
            threads,
            // In rows of `a`, also where those of `b` are searched for.
            |py| match done.load(Ordering::Relaxed) * total / searches.max(1) {
                // The last call follows after the pairs are sorted.
                done if done < total => tell(py, done),
                _ => py.check_signals(),
            },
            move |(join, done), threads, control| join.pairs(most, threads, control, done),
        )
    };
    let pairs = tried.map_or_else(in_pool, Ok)?;
    let pairs = pairs.map_err(|stop| errors::join_stopped(py, stop, exact))?;
    tell(py, total)?;
    pair_array(py, pairs.iter().copied())
}

fn read(
    a: &Bound<'_, PyAny>,
    b: Option<&Bound<'_, PyAny>>,
    keywords: &Keywords<'_>,
    exact: bool,
) -> PyResult<Join> {
    let py = a.py();
    if b.is_none() {
        for (name, instead) in [
            ("velocity_b", "moves by velocity_a"),
            ("turn_b", "turns by turn_a"),
            ("center_b", "turns about center_a"),
        ] {
            let given = keywords.get(name);
            // A turn of 0 is the default, and may be given.
            let is_default =
                |it: &Bound<'_, PyAny>| name == "turn_b" && it.eq(0.0).unwrap_or(false);
            if given.is_some_and(|given| !is_default(&given)) {
                return Err(input_error::value_error(
                    name,
                    format!("given without b; a column joined with itself {instead}"),
                ));
            }
        }
    }
    let (a, b) = match b {
        Some(b) => {
            let [a, b] = two_columns(["a", "b"], [a, b])?;
            (a, Some(b))
        }
        None => (column("a", a)?, None),
    };
    let a = moving("a", "velocity_a", turn_arguments::NAMES[0], a, keywords)?;
    let given = keywords.get("margin");
    let given = given.unwrap_or_else(|| PyFloat::new(py, 0.0).into_any());
    let margin = margin(&given, &a.column, b.is_none())?;
    let b = b.map(|b| moving("b", "velocity_b", turn_arguments::NAMES[1], b, keywords));
    let b = b.transpose()?;
    let given = keywords.get("_groups");
    let join = Join {
        groups: given
            .map(|it| groups(&it, [&a, b.as_ref().unwrap_or(&a)]))
            .transpose()?,
        a,
        b,
        margin,
        exact,
        predicate: predicate(keywords)?,
        in_order: false,
    };
    if join.predicate == Predicate::Intersects {
        return Ok(join);
    }
    refuse_motion_and_margin(&join)?;
    let (a, b) = (&join.a.column, &join.b.as_ref().unwrap_or(&join.a).column);
    let size = [a.len() + b.len(), a.longest().max(b.longest())];
    let check = |join: &mut Option<Join>, _: usize, control: &CancelToken| {
        let join = join.take().expect("run once");
        join.check_rows(control).map(|()| join)
    };
    Ok(interruptible::run_rows(
        py,
        Some(join),
        size,
        Some(1),
        check,
    )??)
}

/// The groups of the rows of both columns, two arrays of int64: numbers from 0 on, fewer than rows, or -1 for none.
fn groups(given: &Bound<'_, PyAny>, columns: [&MovingColumn; 2]) -> PyResult<[Vec<u32>; 2]> {
    let given: [PyReadonlyArray1<'_, i64>; 2] = given.extract()?;
    let rows = columns.map(|it| it.column.len());
    let most = i64::try_from(rows[0] + rows[1]).unwrap_or(i64::MAX);
    let mut read = [Vec::new(), Vec::new()];
    for ((into, given), rows) in read.iter_mut().zip(&given).zip(rows) {
        let given = given.as_array();
        if given.len() != rows || given.iter().any(|group| !(-1..most).contains(group)) {
            let expected = "expected a number below that of all rows, or -1, for each row";
            return Err(input_error::value_error("_groups", expected));
        }
        let number = |group: &i64| u32::try_from(*group).unwrap_or(NO_GROUP);
        into.extend(given.iter().map(number));
    }
    Ok(read)
}

/// The predicate of a join: one that needs a common point.
fn predicate(keywords: &Keywords<'_>) -> PyResult<Predicate> {
    let known: Vec<_> = (Predicate::ALL.into_iter())
        .filter(|it| *it != Predicate::Disjoint)
        .collect();
    let given = keywords.given("predicate");
    given.map_or(Ok(Predicate::Intersects), |it| {
        keywords::predicate(&it, &known)
    })
}

/// Refuses a margin and a motion, which only the predicate 'intersects' takes.
fn refuse_motion_and_margin(join: &Join) -> PyResult<()> {
    let only = "only the predicate 'intersects' takes";
    if !join.margin.is_zero() {
        return Err(input_error::value_error("margin", format!("{only} one")));
    }
    let sides = [("a", Some(&join.a)), ("b", join.b.as_ref())];
    for (name, side) in sides
        .into_iter()
        .filter_map(|(name, side)| Some((name, side?)))
    {
        let motion = match side {
            MovingColumn {
                velocity: Some(_), ..
            } => "velocity",
            MovingColumn { turns: Some(_), .. } => "turn",
            _ => continue,
        };
        return Err(input_error::value_error(
            &*format!("{motion}_{name}"),
            format!("{only} motion"),
        ));
    }
    Ok(())
}

fn moving(
    name: &'static str,
    velocity: &'static str,
    turn: [&'static str; 2],
    column: Arc<Column>,
    keywords: &Keywords<'_>,
) -> PyResult<MovingColumn> {
    let argument = Argument::many(velocity, ItemShape::Vector(2));
    let velocity = keywords.get(velocity);
    let velocity = velocity.map(|it| velocities(argument, &it, name, &column));
    let velocity = velocity.transpose()?;
    let turns = TurnOperands::read(turn, keywords, OnInvalid::Raise, &mut Claims::default())?;
    let turns = turns.map(|it| {
        let is_one = it.named().all(|(_, shape)| shape.is_empty());
        let turns = it.per_row(name, column.len())?;
        rows_to_check(&column, is_one).try_for_each(|row| turns.at(row).map(drop))?;
        PyResult::Ok(turns)
    });
    let turns = turns.transpose()?;
    Ok(MovingColumn {
        velocity,
        // Without turns the boxes of the column serve.
        turns: turns.filter(|it| !it.angle.is_zero()),
        column,
    })
}

/// The rows whose numbers must be valid: those with a shape; of one number for all the first, also without
/// rows.
fn rows_to_check(column: &Column, is_one: bool) -> impl Iterator<Item = usize> + '_ {
    let rows = if is_one { 1 } else { column.len() };
    (0..rows).filter(move |&row| is_one || column.rings(row).is_some())
}

/// One velocity for all rows, or one each.
pub(crate) fn velocities(
    argument: Argument,
    velocity: &Bound<'_, PyAny>,
    rows_name: &'static str,
    column: &Column,
) -> PyResult<OperandRows<Shared<Vec2>>> {
    let read = vectors(argument, velocity, &mut Claims::default())?;
    let is_one = read.named().1.is_empty();
    let rows = read.per_row(rows_name, column.len());
    let velocity = rows.map_err(|why| errors::advised(velocity.py(), why, argument.several))?;
    if argument.on_invalid == OnInvalid::Raise {
        rows_to_check(column, is_one).try_for_each(|row| velocity.check_finite(row))?;
    }
    Ok(velocity)
}

/// One margin for all rows of `a`, or one each; of a column joined with itself only one.
fn margin(
    margin: &Bound<'_, PyAny>,
    column: &Column,
    is_own: bool,
) -> PyResult<OperandRows<Shared<f64>>> {
    let argument = Argument::many("margin", ItemShape::Number);
    let read = vectors(argument, margin, &mut Claims::default())?;
    if is_own && !read.named().1.is_empty() {
        return Err(input_error::value_error(
            "margin",
            format!(
                "expected one number for a column joined with itself, got shape {}",
                errors::tuple(read.named().1)
            ),
        ));
    }
    let is_one = read.named().1.is_empty();
    let margin = read.per_row("a", column.len())?;
    rows_to_check(column, is_one).try_for_each(|row| margin.check_radius(row))?;
    Ok(margin)
}

/// Work bound of a join: every row may meet every other one.
fn work(join: &Join) -> usize {
    if join.is_slow() {
        return usize::MAX;
    }
    let (a, b) = (&join.a.column, &join.b.as_ref().unwrap_or(&join.a).column);
    let pairs = a.len().saturating_mul(b.len());
    interruptible::work(
        pairs.max(8 * (a.len() + b.len())),
        a.longest() + b.longest(),
    )
}

/// The work that is expected of a join: where boxes and trees are kept, some pairs for each row that is searched for.
fn expected_work(join: &Join) -> usize {
    if join.is_slow() || !join.is_prepared() {
        return usize::MAX;
    }
    let (a, b) = (&join.a.column, &join.b.as_ref().unwrap_or(&join.a).column);
    interruptible::work(8 * join.searches(), a.longest() + b.longest())
}

/// Pairs of rows as an array of shape (2, K).
pub(crate) fn pair_array(
    py: Python<'_>,
    pairs: impl ExactSizeIterator<Item = [u32; 2]> + Clone,
) -> PyResult<Bound<'_, PyArray2<i64>>> {
    let count = pairs.len();
    errors::memory(count.saturating_mul(2 * size_of::<i64>()))?;
    let of_a = pairs.clone().map(|[row, _]| i64::from(row));
    let of_b = pairs.map(|[_, row]| i64::from(row));
    let rows: Vec<i64> = of_a.chain(of_b).collect();
    rows.into_pyarray(py).reshape([2, count])
}

/// An iterator over the pieces of a join. As a generator it is ended by an exception, and refuses to be
/// advanced by two threads at once.
#[pyclass(frozen, module = "carom")]
struct PairChunks {
    /// What is left of the join; locked while a piece is computed.
    rest: Mutex<Option<Box<ChunkedJoin>>>,
    chunk_pairs: usize,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
}

#[pymethods]
impl PairChunks {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<i64>>>> {
        let Ok(mut rest) = self.rest.try_lock() else {
            return Err(PyValueError::new_err(
                "the iterator is computing its next piece already",
            ));
        };
        // Put back with a piece: neither at the end nor after an exception, which ends the join.
        let Some(join) = rest.take() else {
            return Ok(None);
        };
        let least = self.chunk_pairs;
        // A piece may take as long as the whole join.
        let (join, pairs) = interruptible::run(
            py,
            Some(join),
            usize::MAX,
            self.threads,
            move |job, threads, control| {
                let mut join = job.take().expect("run once");
                let pairs = join.take(least, threads, control);
                (join, pairs)
            },
        )?;
        let pairs = pairs?;
        if let Some(tell) = &self.progress {
            tell.call1(py, join.progress())?;
        }
        if pairs.is_empty() {
            return Ok(None);
        }
        let pairs = pair_array(py, pairs.iter().copied())?;
        *rest = Some(join);
        Ok(Some(pairs))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.progress)
    }
}

/// Pairs of rows that intersect, or come within a margin, piece by piece.
///
/// The pieces together are what `colliding_pairs` returns. They take the memory of one piece, however
/// many pairs there are.
///
#[doc = join_arguments!(
    "predicate : str, default \"intersects\"
    As in `colliding_pairs`.
",
    "chunk_pairs : int, default 1000000
    How many pairs a piece has at least, but the last. A piece ends with the last pair of a row of
    `a`: it may be longer by that row's pairs.",
    "after every piece",
    "",
    "iterator of ndarray of int64, shape (2, K)
    Each piece has pairs of rows of `a` and of `b`, sorted by the first, then by the second. There
    are no empty pieces: of a join without pairs there is none."
)]
///
/// See Also
/// --------
/// colliding_pairs : all pairs at once.
///
/// Examples
/// --------
/// >>> import carom
/// >>> squares = [[(x, 0), (x + 1, 0), (x + 1, 1), (x, 1)] for x in range(5)]
/// >>> for pairs in carom.iter_colliding_pairs(squares, margin=1.0, chunk_pairs=3):
/// ...     print(pairs.tolist())
/// [[0, 0, 1, 1], [1, 2, 2, 3]]
/// [[2, 2, 3], [3, 4, 4]]
#[pyfunction(
    signature = (a, b=None, **keywords),
    text_signature = "(a, b=None, *, velocity_a=None, velocity_b=None, turn_a=0.0, center_a=None, turn_b=0.0, center_b=None, margin=0.0, predicate='intersects', chunk_pairs=1000000, threads=None, progress=None)"
)]
pub(crate) fn iter_colliding_pairs<'py>(
    a: &Bound<'py, PyAny>,
    b: Option<&Bound<'py, PyAny>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let keywords = Keywords::of("iter_colliding_pairs", keywords)?;
    let chunk_pairs = keywords.given("chunk_pairs");
    let chunk_pairs = chunk_pairs.map_or(Ok(1_000_000), |it| count("chunk_pairs", &it))?;
    let (threads, progress) = (keywords.threads()?, progress(&keywords)?);
    let join = ChunkedJoin::new(read(a, b, &keywords, true)?)?;
    let chunks = PairChunks {
        rest: Mutex::new(Some(Box::new(join))),
        chunk_pairs,
        threads,
        progress: progress.map(Bound::unbind),
    };
    Bound::new(a.py(), chunks).map(Bound::into_any)
}

/// Pairs of rows whose bounding boxes meet.
///
/// Every pair that intersects is among them. The boxes are swept relative to each other, grown by
/// `margin`, and rounded outward.
///
#[doc = join_arguments!("")]
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
#[pyfunction(
    signature = (a, b=None, **keywords),
    text_signature = "(a, b=None, *, velocity_a=None, velocity_b=None, turn_a=0.0, center_a=None, turn_b=0.0, center_b=None, margin=0.0, max_pairs=None, threads=None, progress=None)"
)]
pub(crate) fn candidate_pairs<'py>(
    a: &Bound<'py, PyAny>,
    b: Option<&Bound<'py, PyAny>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    run(a, b, "candidate_pairs", keywords, false)
}

/// Pairs of rows that intersect, come within a margin, or fulfil another predicate.
///
/// The pairs are exact: touching counts, and so does a distance of exactly `margin`. With
/// velocities or turns, a pair counts if it does so at some time of the frame, from 0 to 1; the
/// difference of two velocities is not rounded.
///
#[doc = join_arguments!("predicate : str, default \"intersects\"
    Another predicate that a pair fulfils, row of `a` to row of `b`, as of `predicate_batch`: \"contains\",
    \"within\", \"covers\", \"covered_by\", \"contains_properly\", \"touches\", \"overlaps\", \"crosses\" or
    \"equals\". It takes no margin, no radii and no motion. A column joined with itself has the pairs of
    the first five in both orders, without those of a row and itself.
")]
///
/// See Also
/// --------
/// candidate_pairs : tests the bounding boxes only.
/// swept_collision_batch : when and where such pairs meet.
/// predicate_batch : explains the predicates, and decides them of given pairs.
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
/// The first row that covers another one is the larger square:
///
/// >>> carom.colliding_pairs([[(0, 0), (2, 0), (2, 2), (0, 2)], *squares], predicate="covers")
/// array([[0, 0],
///        [1, 2]])
///
/// The first passes the others at the end of the frame:
///
/// >>> carom.colliding_pairs(squares[:1], squares, velocity_a=(0, 3), velocity_b=(0, 2))
/// array([[0, 0],
///        [0, 1]])
#[pyfunction(
    signature = (a, b=None, **keywords),
    text_signature = "(a, b=None, *, velocity_a=None, velocity_b=None, turn_a=0.0, center_a=None, turn_b=0.0, center_b=None, margin=0.0, predicate='intersects', max_pairs=None, threads=None, progress=None)"
)]
pub(crate) fn colliding_pairs<'py>(
    a: &Bound<'py, PyAny>,
    b: Option<&Bound<'py, PyAny>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    run(a, b, "colliding_pairs", keywords, true)
}
