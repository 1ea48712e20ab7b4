//! Row numbers: any array of integers as one of `int64`.

use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyInt;

use super::errors::{self, tuple};
use super::float64_arrays::Converted;
use super::input_error::{self, Place};
use super::nested_sequences::asarray;
use super::numpy_arrays::{dtype, is_masked, plain};

/// Refuses the first integer that NumPy keeps as an object, as it is beyond all of its types.
fn refuse_large(array: &Bound<'_, PyUntypedArray>, name: &Place) -> PyResult<()> {
    for (position, item) in array.try_iter()?.enumerate() {
        let item = item?;
        if item.is_instance_of::<PyInt>() && item.extract::<i64>().is_err() {
            return Err(input_error::index_error(
                name.clone().row(position).subject(),
                format!("is {item}, which is not a row"),
            ));
        }
    }
    Ok(())
}

/// Row numbers as an array of native `int64`s in C order.
pub(crate) fn indices<'py>(
    object: &Bound<'py, PyAny>,
    name: &Place,
) -> PyResult<Bound<'py, PyArrayDyn<i64>>> {
    let expected = "expected an array of integers";
    if is_masked(object)? {
        return Err(input_error::type_error(
            name,
            format!("{expected}, got a masked array"),
        ));
    }
    if Converted::in_object(object)?.bools {
        return Err(input_error::type_error(
            name,
            format!("{expected}, got booleans among them"),
        ));
    }
    let convert = |object: &Bound<'py, PyAny>| {
        asarray(object, None).map_err(|why| {
            if !errors::is_refusal(&why, object.py()) {
                return why;
            }
            let found = "items of different shapes";
            input_error::value_error(name, format!("expected shape (K,), got {found}"))
        })
    };
    let mut array = convert(object)?;
    if array.ndim() != 1 {
        let found = tuple(array.shape());
        return Err(input_error::value_error(
            name,
            format!("expected shape (K,), got {found}"),
        ));
    }
    if dtype(&array).0 == b'O' {
        // The dtype of what the objects are: integers, if they are all.
        let items = array.call_method0(intern!(object.py(), "tolist"))?;
        if Converted::in_object(&items)?.bools {
            return Err(input_error::type_error(
                name,
                format!("{expected}, got booleans among them"),
            ));
        }
        array = convert(&items)?;
    }
    match dtype(&array) {
        (b'i', _) | (b'u', ..8) => plain(&array, "int64"),
        (b'u', _) => {
            let values = plain::<u64>(&array, "uint64")?.to_vec()?;
            // No array has a row beyond the range of `int64`.
            match values.iter().position(|&row| i64::try_from(row).is_err()) {
                None => plain(&array, "int64"),
                Some(position) => Err(input_error::index_error(
                    name.clone().row(position).subject(),
                    format!("is {}, which is not a row", values[position]),
                )),
            }
        }
        // NumPy makes an empty list an array of floats.
        (b'f', _) if array.is_empty() => plain(&array, "int64"),
        (kind, _) => {
            let dtype = array.dtype();
            if kind == b'O' {
                refuse_large(&array, name)?;
            }
            let found = format!("{expected}, got dtype {dtype}");
            Err(input_error::type_error(name, found))
        }
    }
}
