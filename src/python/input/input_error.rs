//! The exceptions for invalid input, which are classes of Python, and the places that they name.

use std::fmt;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::batch::ArgumentRow;
use crate::python::buffer::c_unwind_call::Arguments;
use crate::python::python_calls::call;

const MODULE: &str = "carom._input_error";

/// An argument or a row of it, and how a message goes on after it.
#[derive(Clone)]
pub(crate) struct Place {
    argument: Option<String>,
    /// What comes before the argument's name.
    before: &'static str,
    /// What follows the argument's name, such as the key of an item.
    item: String,
    row: Vec<usize>,
    link: &'static str,
}

impl Place {
    /// The place of an error that names no argument first.
    pub(crate) fn none() -> Self {
        Self {
            argument: None,
            ..Self::from("")
        }
    }

    /// What is not an argument, such as the call of a function.
    pub(crate) fn of_text(text: String) -> Self {
        Self {
            item: text,
            ..Self::none()
        }
    }

    /// An item of an argument, such as `['depth']`.
    pub(crate) fn item(self, item: impl fmt::Display) -> Self {
        Self {
            item: item.to_string(),
            ..self
        }
    }

    /// A property of the argument, which messages name by text before its name.
    pub(crate) fn within(self, before: &'static str) -> Self {
        Self { before, ..self }
    }

    pub(crate) fn row(self, row: usize) -> Self {
        self.rows(vec![row])
    }

    /// A row with an index for each dimension.
    pub(crate) fn rows(self, row: Vec<usize>) -> Self {
        Self { row, ..self }
    }

    /// This place, in a message whose reason goes on with a verb.
    pub(crate) fn subject(self) -> Self {
        Self { link: " ", ..self }
    }
}

impl From<&str> for Place {
    fn from(argument: &str) -> Self {
        Self {
            argument: Some(argument.to_owned()),
            before: "",
            item: String::new(),
            row: Vec::new(),
            link: ": ",
        }
    }
}

impl From<&ArgumentRow> for Place {
    fn from(at: &ArgumentRow) -> Self {
        Self {
            row: at.index.clone(),
            ..Self::from(at.argument)
        }
    }
}

impl From<ArgumentRow> for Place {
    fn from(at: ArgumentRow) -> Self {
        Self::from(&at)
    }
}

impl From<&Self> for Place {
    fn from(place: &Self) -> Self {
        place.clone()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.before)?;
        f.write_str(self.argument.as_deref().unwrap_or_default())?;
        f.write_str(&self.item)?;
        if self.argument.is_none() {
            // The text names the row, if there is one.
            return Ok(());
        }
        for (position, index) in self.row.iter().enumerate() {
            write!(f, "{}{index}", if position == 0 { "[" } else { ", " })?;
        }
        f.write_str(if self.row.is_empty() { "" } else { "]" })
    }
}

impl<'py> IntoPyObject<'py> for &Place {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        let row = match self.row[..] {
            [] => py.None().into_bound(py),
            [row] => row.into_pyobject(py)?.into_any(),
            _ => PyTuple::new(py, &self.row)?.into_any(),
        };
        call(py, MODULE, "Place", (&self.argument, row, self.to_string()))
    }
}

/// The exception for an argument of the right type with an invalid value.
pub(crate) fn value_error(at: impl Into<Place>, reason: impl fmt::Display) -> PyErr {
    of_parts("InputValueError", &at.into(), &[reason.to_string()])
}

/// The exception for an argument of the wrong type.
pub(crate) fn type_error(at: impl Into<Place>, reason: impl fmt::Display) -> PyErr {
    of_parts("InputTypeError", &at.into(), &[reason.to_string()])
}

/// The exception for a number of a row that does not exist.
pub(crate) fn index_error(at: impl Into<Place>, reason: impl fmt::Display) -> PyErr {
    of_parts("InputIndexError", &at.into(), &[reason.to_string()])
}

/// A `ValueError` whose reason has parts, some of which are advice that callers replace by their own.
pub(crate) fn value_error_of_parts(at: impl Into<Place>, parts: &[String]) -> PyErr {
    of_parts("InputValueError", &at.into(), parts)
}

fn of_parts(class: &str, at: &Place, parts: &[String]) -> PyErr {
    from_python(MODULE, "of_parts", (class, parts, at, at.link))
}

/// The exception that a function of Python makes.
pub(crate) fn from_python<A>(module: &str, function: &str, arguments: A) -> PyErr
where
    A: for<'py> Arguments<'py>,
{
    Python::attach(|py| {
        let made = call(py, module, function, arguments);
        made.map_or_else(|why| why, PyErr::from_value)
    })
}

/// What is wrong, without argument and row.
pub(crate) fn reason(py: Python<'_>, why: &PyErr) -> PyResult<String> {
    call(py, MODULE, "reason", (why.value(py),))?.extract()
}

/// An exception for input with advice at its end; another exception as it is.
pub(crate) fn with_advice(py: Python<'_>, why: &PyErr, advice: &str) -> PyErr {
    let advised = call(py, MODULE, "with_advice", (why.value(py), advice));
    advised.map_or_else(|why| why, PyErr::from_value)
}
