//! The arrays that a batch fills: fresh ones, and those given as `out`.

pub(super) mod result_methods;
pub(super) mod results;

use std::fmt::Display;

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyEllipsis};

use super::buffer::{Claims, HeldMut, Unfit};
use super::input::errors::{self, tuple};
use super::input::input_error::{self, Place};
use super::input::keywords;
use super::input::numpy_arrays::{is_masked, numpy, zeros};
use crate::batch::{Field, FieldKind, OnInvalid, OutputColumn, OutputTable};

const OVERLAP: &str = "shares memory with another array of the call";

/// The memory of a column, held for writing.
enum Memory {
    Bool(HeldMut<u8>),
    Float(HeldMut<f64>, FieldKind),
    Index(HeldMut<i64>),
    Feature(HeldMut<i8>),
}

impl Memory {
    fn new(kind: FieldKind, array: &Bound<'_, PyAny>, claims: &mut Claims) -> Result<Self, Unfit> {
        Ok(match kind {
            FieldKind::Bool => Self::Bool(claims.write(array)?),
            FieldKind::Index => Self::Index(claims.write(array)?),
            FieldKind::Feature => Self::Feature(claims.write(array)?),
            FieldKind::Float | FieldKind::Vector | FieldKind::Segment => {
                Self::Float(claims.write(array)?, kind)
            }
        })
    }

    fn column(&mut self) -> OutputColumn<'_> {
        match self {
            Self::Bool(held) => OutputColumn::Bool(held.as_mut()),
            Self::Float(held, kind) => OutputColumn::floats(held.as_mut(), *kind),
            Self::Index(held) => OutputColumn::Index(held.as_mut()),
            Self::Feature(held) => OutputColumn::Feature(held.as_mut()),
        }
    }
}

fn dtype(kind: FieldKind) -> &'static str {
    match kind {
        FieldKind::Bool => "bool",
        FieldKind::Float | FieldKind::Vector | FieldKind::Segment => "float64",
        FieldKind::Index => "int64",
        FieldKind::Feature => "int8",
    }
}

/// The arrays of a batch result.
#[derive(Default)]
pub(crate) struct Arrays {
    pub shape: Vec<usize>,
    /// One per field, in field order; `None` where it wasn't wanted.
    pub fields: Vec<Option<Py<PyAny>>>,
    /// Which rows had valid operands; `None` if all had.
    pub valid: Option<Py<PyAny>>,
    /// Which obstacles were valid; `None` for a query without any.
    pub valid_obstacles: Option<Py<PyAny>>,
}

/// The memory that a batch fills, which the job owns.
pub(crate) struct OutputMemory {
    rows: usize,
    columns: Vec<(usize, Memory)>,
    valid: Option<HeldMut<u8>>,
}

impl OutputMemory {
    pub(crate) fn table(&mut self) -> OutputTable<'_> {
        let columns = self.columns.iter_mut();
        OutputTable {
            first: 0,
            rows: self.rows,
            columns: columns.map(|(field, it)| (*field, it.column())).collect(),
            valid: self.valid.as_mut().map(HeldMut::as_mut),
        }
    }
}

/// The arrays that a call fills.
pub(crate) struct Outputs<'py> {
    arrays: Arrays,
    /// Arrays of the caller that can't be written directly, and those that are filled instead.
    copies: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
}

impl<'py> Outputs<'py> {
    /// Finds an array for every wanted field, the caller's or a fresh one.
    pub(crate) fn new(
        py: Python<'py>,
        fields: &[Field],
        shape: &[usize],
        out: Option<&Bound<'py, PyAny>>,
        wanted: &[usize],
        on_invalid: OnInvalid,
        claims: &mut Claims,
    ) -> PyResult<(Self, OutputMemory)> {
        let given = match out {
            Some(out) => given_arrays(out, fields, wanted)?,
            None => PyDict::new(py),
        };
        let arrays = Arrays {
            shape: shape.to_vec(),
            fields: fields.iter().map(|_| None).collect(),
            ..Arrays::default()
        };
        let copies = Vec::new();
        let mut outputs = Self { arrays, copies };
        let mut memory = OutputMemory {
            rows: shape.iter().product(),
            columns: Vec::with_capacity(wanted.len()),
            valid: None,
        };
        for &position in wanted {
            let field = fields[position];
            let array = given.get_item(field.name)?.filter(|it| !it.is_none());
            let column = outputs.add(py, position, field, array.as_ref(), claims)?;
            memory.columns.push((position, column));
        }
        if on_invalid == OnInvalid::Mask {
            let valid = fresh(py, FieldKind::Bool, shape)?;
            memory.valid = Some(claims.write(&valid)?);
            outputs.arrays.valid = Some(valid.unbind());
        }
        Ok((outputs, memory))
    }

    fn add(
        &mut self,
        py: Python<'py>,
        position: usize,
        field: Field,
        given: Option<&Bound<'py, PyAny>>,
        claims: &mut Claims,
    ) -> PyResult<Memory> {
        let kind = field.kind;
        let array = match given {
            Some(array) => {
                check_given(array, field, &self.arrays.shape)?;
                self.check_no_overlap(array, field)?;
                array.clone()
            }
            None => fresh(py, kind, &self.arrays.shape)?,
        };
        let memory = match Memory::new(kind, &array, claims) {
            // As in NumPy, an array may be operand and output: it is written at the end.
            Err(Unfit::ItemShape | Unfit::Overlap) => {
                let copy = fresh(py, kind, &self.arrays.shape)?;
                self.copies.push((array.clone(), copy.clone()));
                Memory::new(kind, &copy, claims)?
            }
            memory => memory?,
        };
        self.arrays.fields[position] = Some(array.unbind());
        Ok(memory)
    }

    /// Refuses an array that shares memory with another one to be written.
    fn check_no_overlap(&self, array: &Bound<'py, PyAny>, field: Field) -> PyResult<()> {
        if self.arrays.shape.contains(&0) {
            return Ok(());
        }
        let py = array.py();
        let numpy = numpy(py)?;
        for other in self.arrays.fields.iter().flatten() {
            // An exact answer can take exponential time; only unusual layouts exceed this limit.
            let limit = [("max_work", 1 << 20)].into_py_dict(py)?;
            let shared = numpy.call_method("shares_memory", (array, other), Some(&limit));
            let may_overlap = match shared {
                // NumPy gives up beyond the limit, and at huge strides. `KeyboardInterrupt` is no `Exception`.
                Err(why) if why.is_instance_of::<PyException>(py) => true,
                shared => shared?.is_truthy()?,
            };
            if may_overlap {
                return Err(refused(field.name, OVERLAP));
            }
        }
        Ok(())
    }

    /// The arrays, now that the memory is filled and dropped.
    pub(crate) fn finish(self) -> PyResult<Arrays> {
        for (target, copy) in &self.copies {
            target.set_item(PyEllipsis::get(target.py()), copy)?;
        }
        Ok(self.arrays)
    }
}

/// An array of the argument.
fn item(name: impl Display) -> Place {
    Place::from("out").item(format!("['{name}']"))
}

fn refused(name: &str, what: &str) -> PyErr {
    input_error::value_error(item(name).subject(), what)
}

/// An array of zeros for a field. NumPy's zeros cost nothing until they are written.
pub(crate) fn fresh<'py>(
    py: Python<'py>,
    kind: FieldKind,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    zeros(py, &[shape, kind.axes()].concat(), dtype(kind))
}

fn check_given(array: &Bound<'_, PyAny>, field: Field, shape: &[usize]) -> PyResult<()> {
    let (name, dtype) = (field.name, dtype(field.kind));
    let array = match array.cast::<PyUntypedArray>() {
        // Values written under a mask would not be seen.
        Ok(array) if !is_masked(array)? => array,
        _ => return Err(errors::not_a(array, item(name), "an array")),
    };
    let found = array.dtype();
    if !found.eq(dtype)? {
        return Err(input_error::value_error(
            item(name),
            format!("expected dtype {dtype}, got {found}"),
        ));
    }
    let (expected, shape) = ([shape, field.kind.axes()].concat(), array.shape());
    if shape != expected {
        return Err(input_error::value_error(
            item(name),
            format!("expected shape {}, got {}", tuple(&expected), tuple(shape)),
        ));
    }
    if !array.getattr("flags")?.getattr("writeable")?.is_truthy()? {
        return Err(refused(name, "is read-only"));
    }
    let repeats = |(&stride, &length): (&isize, &usize)| stride == 0 && length > 1;
    // Empty arrays have strides of 0.
    if !shape.contains(&0) && array.strides().iter().zip(shape).any(repeats) {
        return Err(refused(name, "repeats memory by a stride of 0"));
    }
    Ok(())
}

/// The arrays that were given as `out`, by field: a dict, an earlier result, or the array of the
/// only field.
fn given_arrays<'py>(
    out: &Bound<'py, PyAny>,
    fields: &[Field],
    wanted: &[usize],
) -> PyResult<Bound<'py, PyDict>> {
    if let Ok(given) = out.cast::<PyDict>() {
        // An array of an unwanted field would stay as it is. Earlier results may hold such fields.
        for (key, array) in given {
            let position = keywords::position("out", key.str()?.to_cow()?.as_ref(), fields)?;
            if !array.is_none() && !wanted.contains(&position) {
                return Err(input_error::value_error(
                    item(key),
                    "not among the wanted fields",
                ));
            }
        }
        return Ok(given.clone());
    }
    if fields.len() == 1 && out.is_instance_of::<PyUntypedArray>() {
        return [(fields[0].name, out)].into_py_dict(out.py());
    }
    let has_all = |given: &Bound<'py, PyDict>| {
        let has = |field: &&Field| given.contains(field.name).unwrap_or(false);
        let found = fields.iter().filter(has).count();
        given.len() == found && fields.iter().all(|field| field.is_optional || has(&field))
    };
    let given = out.call_method0("_asdict").ok();
    let given = given.and_then(|given| given.cast_into().ok());
    given.filter(has_all).ok_or_else(|| {
        let expected = "an earlier result of this function or a dict of arrays by field";
        errors::not_a(out, "out", expected)
    })
}
