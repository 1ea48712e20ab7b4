//! Lossless conversion of numbers to `float64` arrays: what is accepted, and what is refused.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyComplex, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet,
    PyString,
};

use super::errors;
use super::expected_argument::{Argument, ItemShape, NotNumbers, WKB, WKT, wrong_type};
use super::nested_sequences::{asarray, depth, first_difference, is_list, items};
use super::numpy_arrays::{dtype, is_masked, numpy, plain};
use crate::batch::OnInvalid;
use crate::python::buffer::c_unwind_call::call_method;
use crate::python::shapes::Shapes;

type Floats<'py> = Bound<'py, PyArrayDyn<f64>>;

/// The numbers that are NaN because they are masked or no float64 holds them: where each is among
/// all, in order, and what is wrong with it.
pub(crate) type Losses = Vec<(usize, String)>;

/// Any argument as an array of native, aligned `float64`s in C order: itself, if it is one.
pub(crate) fn float64<'py>(
    object: &Bound<'py, PyAny>,
    argument: Argument,
) -> PyResult<Floats<'py>> {
    Ok(float64_with_losses(object, argument)?.0)
}

/// Any argument as an array, see [`float64`], and the numbers that [`OnInvalid::Mask`] made NaN.
pub(crate) fn float64_with_losses<'py>(
    object: &Bound<'py, PyAny>,
    argument: Argument,
) -> PyResult<(Floats<'py>, Losses)> {
    let mut losses = Losses::new();
    let floats = converted(object, argument, &mut losses);
    Ok((floats.map_err(|why| argument.refusal(why))?, losses))
}

fn converted<'py>(
    object: &Bound<'py, PyAny>,
    argument: Argument,
    losses: &mut Losses,
) -> Result<Floats<'py>, NotNumbers> {
    refuse_other_types(object)?;
    let found = Converted::in_object(object)?;
    if found.masks {
        return unmasked(object, argument, losses);
    }
    let may_be_frame = !object.is_instance_of::<PyUntypedArray>() && !is_list(object);
    let frame = may_be_frame.then(|| without_common_type(object));
    let frame = frame.transpose()?;
    let object = frame.as_ref().unwrap_or(object);
    let array = as_array(object, None)?;
    let (kind, size) = dtype(&array);
    let floats = match (kind, size) {
        (b'f', ..=8) | (b'i' | b'u', _) => plain(&array, "float64")?,
        (b'f' | b'O', _) => from_objects(&array, object, argument, losses)?,
        // NumPy makes one string or complex type of a list that has such an item. As objects they are read one by
        // one, so that the message names the item.
        (b'U' | b'S' | b'c', _) if is_list(object) => {
            let array = as_array(object, Some("object"))?;
            from_objects(&array, object, argument, losses)?
        }
        _ => {
            let (strings, reader) = match kind {
                b'U' => ("strings of ", Some(WKT)),
                b'S' => ("strings of ", Some(WKB)),
                _ => ("", None),
            };
            let found = format!("{strings}dtype {}", errors::text(&array.dtype().str()?));
            return Err(match reader {
                Some(reader) if array.ndim() < 2 => NotNumbers::Encoded(found, reader),
                _ => NotNumbers::Type(found),
            });
        }
    };
    argument
        .check_shape(floats.shape())
        .map_err(|why| match why {
            NotNumbers::Shape(_, axes) if floats.ndim() == 0 => {
                NotNumbers::Shape(format!("the number {object}"), axes)
            }
            why => why,
        })?;
    // NumPy silently rounds integers, also those among floats in a list, and takes booleans for
    // numbers.
    let is_list = is_list(object);
    let may_round = (is_list || kind == b'i' || kind == b'u') && any_beyond_integers(&floats)?;
    if may_round || found.bools {
        let array = if is_list {
            as_array(object, Some("object"))?
        } else {
            array
        };
        return from_objects(&array, object, argument, losses);
    }
    Ok(floats)
}

fn refuse_other_types(object: &Bound<'_, PyAny>) -> Result<(), NotNumbers> {
    if object.is_instance_of::<Shapes>() {
        return Err(NotNumbers::Column);
    }
    if object.is_instance_of::<PyString>() {
        return Err(NotNumbers::Encoded("a string".to_owned(), WKT));
    }
    let is_refused = object.is_none()
        || object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyByteArray>()
        || object.is_instance_of::<PyBool>()
        || object.is_instance_of::<PyDict>()
        || object.is_instance_of::<PySet>()
        || object.is_instance_of::<PyFrozenSet>();
    if is_refused {
        return Err(wrong_type(object)?);
    }
    Ok(())
}

fn as_array<'py>(
    object: &Bound<'py, PyAny>,
    dtype: Option<&str>,
) -> Result<Bound<'py, PyUntypedArray>, NotNumbers> {
    match asarray(object, dtype) {
        Err(why) if is_list(object) && why.is_instance_of::<PyValueError>(object.py()) => {
            let found = first_difference(object, &mut Vec::new())?;
            let found = format!("a sequence of items of different shapes{found}");
            Err(NotNumbers::Shape(found, depth(object)?))
        }
        array => Ok(array?),
    }
}

/// A frame of pandas whose columns have several types, as a frame of objects: pandas would round integers to
/// the type that all have in common. Any other object as it is, but a GeoDataFrame, whose columns are not
/// numbers.
fn without_common_type<'py>(object: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>, NotNumbers> {
    let py = object.py();
    if errors::type_name(object) == "GeoDataFrame" {
        return Err(NotNumbers::Geometry("GeoDataFrame".to_owned()));
    }
    if let Some(types) = object.getattr_opt(intern!(py, "dtypes"))?
        && types.hasattr(intern!(py, "nunique"))?
        && types.call_method0("nunique")?.gt(1)?
    {
        return Ok(object.call_method1("astype", ("object",))?);
    }
    Ok(object.clone())
}

/// What NumPy would silently convert in a list, at any depth.
#[derive(Default)]
pub(crate) struct Converted {
    masks: bool,
    pub(crate) bools: bool,
}

impl Converted {
    /// Looks for masked arrays and booleans in an object; of other objects than lists it knows only whether
    /// they are masked.
    pub(crate) fn in_object(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut found = Self::default();
        if is_list(object) {
            // A list may contain itself, and no array has more axes.
            found.look(object, 64)?;
        } else {
            found.masks = is_masked(object)?;
        }
        Ok(found)
    }

    fn look(&mut self, list: &Bound<'_, PyAny>, most: usize) -> PyResult<()> {
        if most == 0 {
            return Ok(());
        }
        for item in items(list)? {
            let item = item?;
            if item.is_exact_instance_of::<PyFloat>() || item.is_exact_instance_of::<PyInt>() {
                continue;
            }
            if is_list(&item) {
                self.look(&item, most - 1)?;
            } else {
                self.masks |= is_masked(&item)?;
                self.bools |= is_bool(&item)?;
            }
        }
        Ok(())
    }
}

/// The numbers of an object, and which of them are masked; both are nested in lists as it is.
fn data_and_masks<'py>(object: &Bound<'py, PyAny>) -> PyResult<[Bound<'py, PyAny>; 2]> {
    let py = object.py();
    if is_masked(object)? {
        let masked = py.import("numpy.ma")?;
        let part = |name| masked.call_method1(name, (object,));
        return Ok([part("getdata")?, part("getmaskarray")?]);
    }
    if !is_list(object) {
        let shape = numpy(py)?.call_method1("shape", (object,))?;
        let unmasked = numpy(py)?.call_method1("zeros", (shape, "bool"))?;
        return Ok([object.clone(), unmasked]);
    }
    let parts = items(object)?.map(|item| data_and_masks(&item?));
    let parts = parts.collect::<PyResult<Vec<_>>>()?;
    let lists = [0, 1].map(|part| PyList::new(py, parts.iter().map(|it| &it[part])));
    let [data, masks] = lists;
    Ok([data?.into_any(), masks?.into_any()])
}

fn unmasked<'py>(
    object: &Bound<'py, PyAny>,
    argument: Argument,
    losses: &mut Losses,
) -> Result<Floats<'py>, NotNumbers> {
    let py = object.py();
    let [data, mask] = data_and_masks(object)?;
    // The masks have the shape of the numbers, and are named if it differs among the items.
    let mask = as_array(&mask, Some("bool"))?.into_any();
    // In an array of objects the numbers of a list are those given, none rounded.
    let kept = is_list(object).then_some("object");
    let data = call_method(&as_array(&data, kept)?, "copy", ("C",))?;
    // Numbers under the mask must not raise.
    data.set_item(&mask, 0)?;
    let floats = converted(&data, argument, losses)?;
    let marked: Vec<usize> = call_method(&numpy(py)?, "flatnonzero", (&mask,))?.extract()?;
    if marked.is_empty() {
        return Ok(floats);
    }
    floats.set_item(mask, f64::NAN)?;
    for flat in marked {
        lost(argument, floats.shape(), flat, "is masked", losses)?;
    }
    losses.sort_by_key(|(flat, _)| *flat);
    Ok(floats)
}

fn any_beyond_integers(array: &Floats<'_>) -> PyResult<bool> {
    // From 2^53 on not every integer is a float64.
    const LIMIT: f64 = 9_007_199_254_740_992.0;
    Ok(array.to_vec()?.iter().any(|number| number.abs() >= LIMIT))
}

/// Whether an object is a boolean of Python's or NumPy's, or an array of them.
fn is_bool(item: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(item.is_instance_of::<PyBool>() || has_kind(item, "b")?)
}

/// Whether an object has a dtype of NumPy of the kind with this letter.
fn has_kind(item: &Bound<'_, PyAny>, letter: &str) -> PyResult<bool> {
    let Some(dtype) = item.getattr_opt(intern!(item.py(), "dtype"))? else {
        return Ok(false);
    };
    let kind = dtype.getattr_opt(intern!(item.py(), "kind"))?;
    kind.map_or(Ok(false), |kind| kind.eq(letter))
}

/// Converts numbers one by one, each exactly.
fn from_objects<'py>(
    array: &Bound<'py, PyUntypedArray>,
    object: &Bound<'py, PyAny>,
    argument: Argument,
    losses: &mut Losses,
) -> Result<Floats<'py>, NotNumbers> {
    let shape = array.shape();
    if shape.is_empty() && argument.layout != ItemShape::Number {
        return Err(wrong_type(object)?);
    }
    let list = array.call_method0("ravel")?.call_method0("tolist")?;
    let mut floats = Vec::with_capacity(array.len());
    for (flat, item) in items(&list)?.enumerate() {
        let item = item?;
        let Some(float) = float_of(&item)? else {
            if depth(&item)? > 0 {
                return Err(of_arrays(&list, argument)?);
            }
            if argument.on_invalid == OnInvalid::Mask && is_missing_number(&item) {
                floats.push(lost(argument, shape, flat, "is missing", losses)?);
                continue;
            }
            return Err(match wrong_type(&item)? {
                NotNumbers::Encoded(found, _)
                    if shape.len() > 1 || argument.layout != ItemShape::Ring =>
                {
                    argument.check_shape(shape)?;
                    NotNumbers::Element(shape.to_vec(), flat, found)
                }
                NotNumbers::Type(found) => {
                    argument.check_shape(shape)?;
                    NotNumbers::Element(shape.to_vec(), flat, found)
                }
                geometry => geometry,
            });
        };
        // NumPy compares its integers with floats as floats.
        let item = if has_kind(&item, "i")? || has_kind(&item, "u")? {
            item.call_method0(intern!(item.py(), "__index__"))?
        } else {
            item
        };
        let is_kept = float.is_nan() || item.eq(float)?;
        floats.push(if is_kept {
            float
        } else {
            lost(argument, shape, flat, &loss(&item, float)?, losses)?
        });
    }
    Ok(PyArray1::from_vec(array.py(), floats).reshape(shape)?)
}

/// What is wrong with a number that is not equal to its nearest float.
fn loss(number: &Bound<'_, PyAny>, nearest: f64) -> PyResult<String> {
    if nearest.is_infinite() {
        return Ok("has a number beyond the range of float64".to_owned());
    }
    // An integer may have 300 digits.
    let digits = errors::text(&number.str()?);
    let dots = if digits.len() > 40 { "..." } else { "" };
    Ok(format!(
        "has {digits:.40}{dots}, which no float64 holds exactly"
    ))
}

/// Whether an object is None or pandas' missing value.
fn is_missing_number(item: &Bound<'_, PyAny>) -> bool {
    item.is_none() || errors::type_name(item) == "NAType"
}

/// The refusal of an array whose elements are arrays, which are in this list.
fn of_arrays(list: &Bound<'_, PyAny>, argument: Argument) -> PyResult<NotNumbers> {
    match as_array(list, None) {
        Err(NotNumbers::Raised(why)) => Err(why),
        Err(ragged) => Ok(ragged),
        Ok(_) => Ok(NotNumbers::Type(format!(
            "an array of arrays; numpy.stack({}) makes one of them",
            argument.name
        ))),
    }
}

/// NaN for an element that is masked or has no exact float64, or the refusal.
fn lost(
    argument: Argument,
    shape: &[usize],
    flat: usize,
    what: &str,
    losses: &mut Losses,
) -> Result<f64, NotNumbers> {
    match argument.on_invalid {
        OnInvalid::Raise => Err(NotNumbers::Loss(shape.to_vec(), flat, what.to_owned())),
        OnInvalid::Mask => {
            losses.push((flat, what.to_owned()));
            Ok(f64::NAN)
        }
    }
}

/// The float nearest to a number, infinite beyond the range; `None` if it is not a number.
fn float_of(item: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    let py = item.py();
    // NumPy's strings and complex numbers have `__float__`.
    let is_no_number = is_bool(item)?
        || item.is_instance_of::<PyString>()
        || item.is_instance_of::<PyBytes>()
        || item.is_instance_of::<PyComplex>()
        || has_kind(item, "c")?
        || !(item.hasattr(intern!(py, "__float__"))? || item.is_instance_of::<PyInt>());
    if is_no_number || item.hasattr(intern!(py, "ndim"))? && depth(item)? > 0 {
        return Ok(None);
    }
    match item.call_method0(intern!(py, "__float__")) {
        Ok(float) => float.extract().map(Some),
        Err(why) if why.is_instance_of::<PyOverflowError>(py) => Ok(Some(f64::INFINITY)),
        Err(why) if errors::is_refusal(&why, py) => Ok(None),
        Err(why) => Err(why),
    }
}
