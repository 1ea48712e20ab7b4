//! The exceptions for every refusal, and the parts of their messages.

use std::any::Any;
use std::ffi::CString;
use std::fmt::Display;

use pyo3::PyTypeInfo;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::input_error::{self, Place};
use crate::batch::memory::{self, OutOfMemory};
use crate::batch::{InvalidRow, Stop};
use crate::invalid_shape::{InvalidRing, InvalidShape, RingPosition};
use crate::python::buffer::Unfit;
use crate::shape::ShapeKind;

/// The exception for an invalid operand.
impl From<InvalidRow> for PyErr {
    fn from(fault: InvalidRow) -> Self {
        let refused = |advice: &str| {
            let (at, reason) = (Place::from(fault.at()), fault.reason());
            let at = if fault.is_sentence() {
                at.subject()
            } else {
                at
            };
            input_error::value_error_of_parts(at, &[reason, advice.to_owned()])
        };
        match &fault {
            InvalidRow::Shape(_, why) if why.is_concave() => {
                let others = match why {
                    InvalidShape::Kind { name } if *name != ShapeKind::MultiPolygon.name() => {
                        "intersects, which takes any"
                    }
                    _ => "penetration and intersects, which take any polygon, and convex_parts",
                };
                refused(&format!("; sat takes convex shapes: see {others}"))
            }
            InvalidRow::Shape(_, why) => refused(remedy(why)),
            _ => refused(""),
        }
    }
}

/// What makes a valid shape of an invalid one, or of its vertices; empty if nothing is known.
fn remedy(why: &InvalidShape) -> &'static str {
    use InvalidRing::{SelfIntersection, Spike, TooFewVertices, ZeroArea};
    match why {
        InvalidShape::Ring {
            ring: 0,
            why: TooFewVertices { count: 1 },
        } => "; a point is a row of Shapes.from_points, or a Point of Shapely",
        InvalidShape::Ring {
            ring: 0,
            why: TooFewVertices { count: 2 } | ZeroArea,
        } => "; a segment is a row of Shapes.from_segments, or a LineString of Shapely",
        InvalidShape::PartInPart { .. } => UNION,
        InvalidShape::RingsMeet {
            rings: [one, other],
            ..
        } if one.part != other.part => UNION,
        InvalidShape::Ring {
            why: SelfIntersection { .. } | Spike { .. } | ZeroArea,
            ..
        }
        | InvalidShape::Part {
            why: SelfIntersection { .. } | Spike { .. } | ZeroArea,
            ..
        }
        | InvalidShape::RingsMeet { .. }
        | InvalidShape::HoleOutside {
            ring: RingPosition { part: Some(_), .. },
            ..
        }
        | InvalidShape::HoleInHole { .. }
        | InvalidShape::InteriorCut { .. } => REPAIR,
        _ => "",
    }
}

// `carom.interop.shapely_faults` has both texts, too: errors about frames replace them.
// What `make_valid` returns may be invalid, with parts that share an edge, which `buffer` joins.
const REPAIR: &str = "; shapely.buffer(shapely.make_valid(g, method=\"structure\", keep_collapsed=False), 0) repairs it";
const UNION: &str = "; shapely.union_all(shapely.get_parts(g)) joins the parts, which can also be rows of their own";

/// The exception for a batch that was stopped.
impl From<Stop> for PyErr {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Refused(_, fault) => fault.into(),
            Stop::OutOfMemory(why) => why.into(),
            Stop::TooManyPairs { most, found } => {
                let are = if found == 1 {
                    "is at least 1 pair".to_owned()
                } else {
                    format!("are at least {found} pairs")
                };
                input_error::value_error(
                    Place::from("max_pairs").subject(),
                    format!("is {most}, but there {are}"),
                )
            }
            // An interrupt raises its own exception, and what was tried for too long is done again: neither comes here.
            Stop::Cancelled => internal("cancelled without a cause"),
        }
    }
}

/// The exception for memory that is not available.
impl From<OutOfMemory> for PyErr {
    fn from(OutOfMemory { bytes }: OutOfMemory) -> Self {
        PyMemoryError::new_err(match bytes {
            0 => "hardly any memory is left".to_owned(),
            _ => format!("{bytes} bytes of memory can't be had"),
        })
    }
}

/// The exception for a join that was stopped. Only the pairs of an exact one are those that
/// `iter_colliding_pairs` yields.
pub(crate) fn join_stopped(py: Python<'_>, stop: Stop, exact: bool) -> PyErr {
    let advice = if exact {
        "iter_colliding_pairs yields them piece by piece"
    } else {
        ""
    };
    match stop {
        Stop::OutOfMemory(_) if exact => {
            PyMemoryError::new_err(format!("there is no memory for all pairs; {advice}"))
        }
        _ => advised(py, stop.into(), advice),
    }
}

/// Checks that this many bytes are available now, and a reserve.
pub(crate) fn memory(bytes: usize) -> PyResult<()> {
    Ok(memory::check(bytes)?)
}

/// A `ValueError` with advice, if there is any; another exception as it is.
pub(crate) fn advised(py: Python<'_>, why: PyErr, advice: &str) -> PyErr {
    if advice.is_empty() || !why.is_instance_of::<PyValueError>(py) {
        return why;
    }
    input_error::with_advice(py, &why, &format!("; {advice}"))
}

/// Whether an exception is about an argument, rather than an interrupt or lack of memory.
pub(crate) fn is_refusal(why: &PyErr, py: Python<'_>) -> bool {
    why.is_instance_of::<PyValueError>(py) || why.is_instance_of::<PyTypeError>(py)
}

/// The exception for a bug of this library.
pub(crate) fn internal(what: impl Display) -> PyErr {
    PyRuntimeError::new_err(format!("internal error in carom, please report it: {what}"))
}

/// The exception for converted memory that doesn't have the layout it was converted to.
impl From<Unfit> for PyErr {
    fn from(why: Unfit) -> Self {
        internal(format!("{why:?}"))
    }
}

pub(crate) fn warn<W: PyTypeInfo>(py: Python<'_>, message: &str) -> PyResult<()> {
    let message = CString::new(message).map_err(internal)?;
    PyErr::warn(py, &py.get_type::<W>(), &message, 1)
}

/// The exception for an argument of the wrong type.
pub(crate) fn not_a(value: &Bound<'_, PyAny>, name: impl Into<Place>, expected: &str) -> PyErr {
    let found = type_name(value);
    input_error::type_error(name, format!("expected {expected}, got {found}"))
}

pub(crate) fn type_name(object: &Bound<'_, PyAny>) -> String {
    let name = object.get_type().qualname();
    name.map_or_else(|_| "?".to_owned(), |name| text(&name))
}

/// The text of a Python string, for code that valid arguments reach. `to_string` checks for signals there, and prints and
/// drops a `KeyboardInterrupt`.
pub(crate) fn text(string: &Bound<'_, PyString>) -> String {
    string.to_string_lossy().into_owned()
}

/// A shape as Python writes it.
pub(crate) fn tuple(shape: &[usize]) -> String {
    if let [length] = shape {
        return format!("({length},)");
    }
    let lengths: Vec<_> = shape.iter().map(ToString::to_string).collect();
    format!("({})", lengths.join(", "))
}

/// The error for a panic of the core.
pub(crate) fn panicked(payload: &(dyn Any + Send)) -> PyErr {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    internal(text.unwrap_or("panic"))
}
