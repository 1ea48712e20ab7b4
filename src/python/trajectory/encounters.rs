//! `encounters`.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::found_encounters::Encounters;
use super::trajectories::Trajectories;
use crate::batch::{CancelToken, Encounter, EncounterSearch, Obstacles, OnInvalid, QueryResult};
use crate::python::buffer::Claims;
use crate::python::input::keywords::{Keywords, count_from_0, wanted};
use crate::python::input::trajectories_argument::indexed;
use crate::python::input::trajectory_arguments::{margins_of, moving_obstacles, unwrapped};
use crate::python::input::{errors, input_error};
use crate::python::readers::shape_input;
use crate::python::shapes::from_sequence;
use crate::python::{crs, interruptible};

/// Which bodies come near each other, and when first.
///
/// All pairs that touch, or come within a margin, at some time of the log: at a step at which both are present, as
/// they move to their next poses if both have one, else where they stand. Nothing is sampled: the pairs are exact,
/// and touching counts. The results don't depend on the number of threads.
///
/// Parameters
/// ----------
/// a : Trajectories
///     The bodies.
/// b : Trajectories or Shapes, optional
///     Other bodies with as many poses, or obstacles at rest. By default the bodies meet each other: each pair is told
///     once, ``i < j``, and none of rows of one group.
/// margin : float or array_like, shape (M,) or (K, 1) or (K, M), default 0
///     A distance, finite and 0 or more: bodies meet when they are no farther apart. Of bodies and others an array has
///     one for each of the others, for each body, or for each pair of them.
/// fields : tuple of str, optional
///     The wanted fields: "step", "time", "normal", "contact" and, with times, "at" by default; on request also
///     "distance", "distance_step" and "distance_time". The others are None and cost nothing; pairs are always there.
/// max_pairs : int, optional
///     More pairs are an error, before they fill the memory.
/// threads : int, optional
///     How many threads to use; all cores, by default.
///
/// Returns
/// -------
/// Encounters
///     `pairs`, an array of int64 of shape (2, K) with rows of a and of b, sorted; for each `step`, `time`, `normal` and
///     `contact` of its first contact, as `first_contact` tells them; and how near it comes in the whole log, as
///     `clearance` does: `distance`, `distance_step` and `distance_time`, which are those of the first contact where the
///     two touch.
///
/// Raises
/// ------
/// ValueError
///     If `b` has another number of poses, other times or another CRS; if a margin is negative, NaN or infinite, or has
///     the wrong shape; if a field is unknown, or "at" without times; if there are more pairs than `max_pairs`; if a row
///     of `b` is not a valid shape.
/// MemoryError
///     If there is no memory for all pairs.
/// TypeError
///     If `a` is not a column of trajectories, or a keyword is unknown or of the wrong type.
///
/// See Also
/// --------
/// first_contact : the first obstacle that each touches.
/// colliding_pairs : the same for shapes in one frame.
///
/// Notes
/// -----
/// In each step the box that a body sweeps is looked up in a packed R-tree over those of all [1]_; trees are kept in the
/// column. A pair is tested in the order of steps, until its first contact.
///
/// References
/// ----------
/// .. [1] I. Kamel and C. Faloutsos, "On packing R-trees", 1993.
///
/// Examples
/// --------
/// Three cars drive in a row; the first brakes:
///
/// >>> import carom
/// >>> car = carom.boxes(4, 2)
/// >>> log = carom.Trajectories(car, [
/// ...     [(20, 0, 0), (25, 0, 0), (25, 0, 0)],
/// ...     [(10, 0, 0), (15, 0, 0), (20, 0, 0)],
/// ...     [(0, 0, 0), (5, 0, 0), (10, 0, 0)],
/// ... ], times=(0, 0.5, 1))
/// >>> carom.encounters(log).pairs.shape
/// (2, 0)
/// >>> near = carom.encounters(log, margin=2, fields=("at", "distance"))
/// >>> near.pairs.tolist(), near.at, near.distance
/// ([[0], [1]], array([0.9]), array([1.]))
#[pyfunction(
    signature = (a, b=None, **keywords),
    text_signature = "(a, b=None, *, margin=0.0, fields=None, max_pairs=None, threads=None)"
)]
pub(crate) fn encounters<'py>(
    a: &Bound<'py, PyAny>,
    b: Option<&Bound<'py, PyAny>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Encounters> {
    let (py, keywords) = (a.py(), Keywords::of("encounters", keywords)?);
    let (a, b) = (unwrapped(a)?, b.map(unwrapped).transpose()?);
    let Ok(kept) = a.cast::<Trajectories>() else {
        return Err(errors::not_a(&a, "a", "Trajectories"));
    };
    let bodies = Arc::clone(&kept.get().0);
    let threads = keywords.threads()?;
    let most = keywords.get("max_pairs");
    let most = most.map_or(Ok(usize::MAX), |most| count_from_0("max_pairs", &most))?;
    let bodies = indexed(py, bodies, threads)?;
    let mut obstacles = match &b {
        None => Obstacles::moving(Arc::clone(&bodies)),
        Some(b) => {
            if let Ok(b) = b.cast::<Trajectories>() {
                moving_obstacles(["a", "b"], b, &bodies, threads)?
            } else {
                let input = shape_input::classify(b)?;
                let column =
                    from_sequence::column_of("b", input, py, [true, true], OnInvalid::Raise)?;
                crs::refuse_different(py, ["a", "b"], [&bodies.footprints, &column])?;
                Obstacles::drifting(column, bodies.poses.steps, None)?
            }
        }
    };
    let margins = match keywords.get("margin") {
        None => None,
        Some(margin) => {
            let (checks, mut claims) = ((true, OnInvalid::Raise), Claims::default());
            let margins = margins_of(&margin, bodies.len(), &mut obstacles, checks, &mut claims)?;
            if b.is_none() && !margins.is_one() {
                let text = "expected a number, where bodies meet each other, got an array";
                return Err(input_error::value_error("margin", text));
            }
            for row in 0..bodies.len() {
                margins.check(row)?;
            }
            Some(margins.owned()?)
        }
    };
    let has_times = obstacles.times_with(&bodies).is_some();
    let wanted = wanted_fields(&keywords, has_times)?;
    let wants = |fields: &[usize]| wanted.iter().any(|field| fields.contains(field));
    let search = EncounterSearch {
        with_normal: wants(&[Encounter::NORMAL, Encounter::CONTACT]),
        with_distance: wants(&OF_DISTANCE),
        of_itself: b.is_none(),
        bodies,
        obstacles,
        margins,
        most,
    };
    let work = if search.is_slow() {
        usize::MAX
    } else {
        interruptible::work(search.poses(), search.longest())
    };
    let search = Arc::new(search);
    let run = |search: &mut Arc<EncounterSearch>, threads: usize, control: &CancelToken| {
        search.run(threads, control)
    };
    let found = interruptible::run(py, Arc::clone(&search), work, threads, run)??;
    Encounters::new(py, &found, &wanted)
}

/// The fields that need the least distance of each pair.
const OF_DISTANCE: [usize; 3] = [
    Encounter::DISTANCE,
    Encounter::DISTANCE_STEP,
    Encounter::DISTANCE_TIME,
];

/// The positions of the wanted fields.
fn wanted_fields(keywords: &Keywords<'_>, have_times: bool) -> PyResult<Vec<usize>> {
    let Some(given) = keywords.get("fields") else {
        let by_default =
            |it: &usize| !OF_DISTANCE.contains(it) && (*it != Encounter::AT || have_times);
        return Ok((0..Encounter::FIELDS.len()).filter(by_default).collect());
    };
    let wanted = wanted(&given, Encounter::FIELDS)?;
    if !have_times && wanted.contains(&Encounter::AT) {
        let text = "'at' is a time of Trajectories that were made with times=";
        return Err(input_error::value_error("fields", text));
    }
    Ok(wanted)
}
