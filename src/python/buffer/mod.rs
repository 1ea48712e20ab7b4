//! Raw memory of NumPy arrays, in [`arrow_ffi`] and [`arrow_stream`] of Arrow arrays, and calls that may unwind: the only unsafe code.
//!
//! Two kinds of access to NumPy arrays, with two reasons why they are sound:
//! - [`ring`] and [`pair`] lend memory while the caller stays attached to the interpreter and runs
//!   no Python code, so it is not freed, moved or (with a GIL) written;
//! - [`Held`] and [`HeldMut`] own a reference to their array, so the memory stays for as long as
//!   they do, attached or not. Another thread of Python may write to it meanwhile, as it may while
//!   NumPy itself computes without the GIL: the numbers read are then either old or new, and
//!   nothing that is read serves as an address. `ndarray.resize(refcheck=False)` on an array in
//!   use is as fatal here as it is in NumPy.
#![allow(unsafe_code)]
// Alignment is a flag of the array, which is looked at first.
#![allow(clippy::cast_ptr_alignment)]

pub(crate) mod arrow_decoding;
pub(crate) mod arrow_ffi;
pub(crate) mod arrow_stream;
pub(crate) mod c_unwind_call;

use std::ops::Range;
use std::sync::Arc;

use numpy::ndarray::ArrayView2;
use numpy::npyffi::{
    _PyArray_GET_ITEM_DATA, _PyDataType_GET_ITEM_DATA, NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS,
    NPY_ARRAY_OWNDATA, NPY_ARRAY_WRITEABLE, NPY_TYPES, PyArrayObject_fields,
};
use numpy::{Element, PyArray2, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::batch::Column;
use crate::geom::{Point, Vec2};

/// A type that some whole number of array elements of type `Self::Element` makes up.
///
/// # Safety
///
/// `Self` has the size of a whole number of elements, an alignment no greater than theirs, no
/// padding, and any bits that are valid for the elements are valid for it.
pub(crate) unsafe trait Plain: Copy + Send + Sync + 'static {
    /// What the array holds.
    type Element: Element;
}

// SAFETY: `Point` and `Vec2` are `repr(C)` structs of two `f64`s and nothing else.
unsafe impl Plain for Point {
    type Element = f64;
}
// SAFETY: as above.
unsafe impl Plain for Vec2 {
    type Element = f64;
}
// SAFETY: three elements in a row.
unsafe impl Plain for [f64; 3] {
    type Element = f64;
}
// SAFETY: the element itself.
unsafe impl Plain for f64 {
    type Element = f64;
}
// SAFETY: the element itself.
unsafe impl Plain for i64 {
    type Element = i64;
}
// SAFETY: the element itself.
unsafe impl Plain for i8 {
    type Element = i8;
}
// SAFETY: a boolean is one byte, and any byte is a valid `u8`. All writers of an `OutputColumn::Bool` or
// of the column `valid` of an `OutputTable` write 0 and 1 only: `OutputColumn::set` and `OutputColumn::fill`,
// `OutputTable::answer_all`, `write` in `batch/query.rs`, `TileOutput::write` and
// `Answers::write` in `batch/tile_output.rs`.
unsafe impl Plain for u8 {
    type Element = bool;
}

/// The header of an exact `numpy.ndarray` of native, aligned, C-contiguous `float64`s.
#[inline]
fn header<'a>(object: &'a Bound<'_, PyAny>) -> Option<&'a PyArrayObject_fields> {
    if !object.is_exact_instance_of::<PyUntypedArray>() {
        return None;
    }
    // SAFETY: the object is an ndarray (checked above), so it starts with NumPy's header and its
    // descriptor is a valid one; both live as long as the object, and nothing writes them while
    // the caller, attached, runs no Python code.
    let (header, descriptor) = unsafe {
        let header = &*_PyArray_GET_ITEM_DATA(object.as_ptr().cast());
        (header, &*_PyDataType_GET_ITEM_DATA(header.descr))
    };
    let layout = NPY_ARRAY_ALIGNED | NPY_ARRAY_C_CONTIGUOUS;
    let is_plain = header.flags & layout == layout
        && descriptor.type_num == NPY_TYPES::NPY_DOUBLE as i32
        && descriptor.byteorder.cast_unsigned() == b'=';
    is_plain.then_some(header)
}

/// The vertices in an array that needs no conversion. This fast path takes a few nanoseconds. The
/// caller runs no Python code while it uses them.
#[inline]
pub(crate) fn ring<'a>(object: &'a Bound<'_, PyAny>) -> Option<&'a [Point]> {
    let header = header(object)?;
    if header.nd != 2 {
        return None;
    }
    // SAFETY: an array has as many dimensions as `nd` says: two (checked above).
    let [length, width] = unsafe { *header.dimensions.cast::<[isize; 2]>() };
    if width != 2 || length <= 0 {
        return None;
    }
    // SAFETY: `header` found aligned, contiguous float64s; there are `length` pairs of them, none
    // of which is written or freed while the caller runs no Python code.
    Some(unsafe { std::slice::from_raw_parts(header.data.cast(), length.cast_unsigned()) })
}

/// The two numbers in an array that needs no conversion.
#[inline]
pub(crate) fn pair(object: &Bound<'_, PyAny>) -> Option<[f64; 2]> {
    let header = header(object)?;
    // SAFETY: there is one dimension to read where `nd` is 1.
    if header.nd != 1 || unsafe { *header.dimensions } != 2 {
        return None;
    }
    // SAFETY: `header` found aligned, contiguous float64s; there are two of them.
    Some(unsafe { *header.data.cast::<[f64; 2]>() })
}

/// The memory of an array, and the reference that keeps it there.
pub(crate) struct Held<T> {
    _array: Py<PyAny>,
    start: *mut T,
    length: usize,
}

// SAFETY: plain numbers, which are written only through a `&mut HeldMut`, and a reference that pyo3
// lets any thread drop.
unsafe impl<T: Plain> Send for Held<T> {}
// SAFETY: as above.
unsafe impl<T: Plain> Sync for Held<T> {}

impl<T: Plain> AsRef<[T]> for Held<T> {
    fn as_ref(&self) -> &[T] {
        if self.length == 0 {
            return &[];
        }
        // SAFETY: `length` aligned items of type `T` lie at `start` (checked by `held`), and
        // `_array` keeps them there. On writers, see the module's remark.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}

/// The memory of an array that is written to by one call and overlaps nothing else it uses.
pub(crate) struct HeldMut<T>(Held<T>);

impl<T: Plain> HeldMut<T> {
    pub(crate) fn as_mut(&mut self) -> &mut [T] {
        if self.0.length == 0 {
            return &mut [];
        }
        // SAFETY: as in `Held::as_ref`; the array is writeable and nothing else that the call uses
        // has any of this memory (checked by `Claims::write`).
        unsafe { std::slice::from_raw_parts_mut(self.0.start, self.0.length) }
    }
}

/// Why an array can't be used as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// Its elements are not of the type, or not aligned, or not in C order without gaps.
    ItemShape,
    ReadOnly,
    /// It shares memory with another array of the call.
    Overlap,
}

/// All array memory that one call uses. All of it is obtained here, so that no written memory overlaps
/// any other.
#[derive(Default)]
pub(crate) struct Claims {
    /// Addresses, and the arrays that have them: NumPy could give the memory of a freed array to an output.
    read: Vec<(Range<usize>, Py<PyAny>)>,
    written: Vec<Range<usize>>,
}

impl Claims {
    /// Holds an array for reading.
    pub(crate) fn read<T: Plain>(&mut self, array: &Bound<'_, PyAny>) -> Result<Held<T>, Unfit> {
        let (held, range) = held(array, 0)?;
        if self.written.iter().any(|other| overlap(other, &range)) {
            return Err(Unfit::Overlap);
        }
        self.read.push((range, array.clone().unbind()));
        Ok(held)
    }

    /// Holds an array for writing.
    pub(crate) fn write<T: Plain>(
        &mut self,
        array: &Bound<'_, PyAny>,
    ) -> Result<HeldMut<T>, Unfit> {
        let (held, range) = held(array, NPY_ARRAY_WRITEABLE)?;
        let read = self.read.iter().map(|(range, _)| range);
        let mut others = read.chain(&self.written);
        if others.any(|other| overlap(other, &range)) {
            return Err(Unfit::Overlap);
        }
        self.written.push(range);
        Ok(HeldMut(held))
    }
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start.max(other.start) < one.end.min(other.end)
}

/// The memory of an array, and the addresses that it takes.
fn held<T: Plain>(array: &Bound<'_, PyAny>, access: i32) -> Result<(Held<T>, Range<usize>), Unfit> {
    let typed: &Bound<'_, PyArrayDyn<T::Element>> = array.cast().map_err(|_| Unfit::ItemShape)?;
    let layout = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED;
    let flags = flags(typed.as_untyped());
    let per_item = size_of::<T>() / size_of::<T::Element>();
    if flags & layout != layout || !typed.len().is_multiple_of(per_item) {
        return Err(Unfit::ItemShape);
    }
    if flags & access != access {
        return Err(Unfit::ReadOnly);
    }
    let held = Held {
        _array: array.clone().unbind(),
        start: typed.data().cast::<T>(),
        length: typed.len() / per_item,
    };
    let start = held.start.addr();
    let end = start + held.length * size_of::<T>();
    Ok((held, start..end))
}

/// Whether an array is never written again, so that it can be kept without a copy: it is read-only,
/// and so is all that it is a view of, down to an array that owns its memory, `bytes` or a column;
/// or this is the only reference to an array that owns its memory.
pub(crate) fn is_frozen(array: &Bound<'_, PyUntypedArray>) -> bool {
    // SAFETY: the object is alive.
    let references = unsafe { pyo3::ffi::Py_REFCNT(array.as_ptr()) };
    if references == 1 && owns_memory(array) {
        return true;
    }
    let mut object = array.clone().into_any();
    while let Ok(array) = object.cast_exact::<PyUntypedArray>() {
        if flags(array) & NPY_ARRAY_WRITEABLE != 0 {
            return false;
        }
        if owns_memory(array) {
            return true;
        }
        let Ok(base) = array.getattr(intern!(array.py(), "base")) else {
            return false;
        };
        object = base;
    }
    object.is_exact_instance_of::<PyBytes>() || object.is_exact_instance_of::<ColumnOwner>()
}

fn owns_memory(array: &Bound<'_, PyUntypedArray>) -> bool {
    flags(array) & NPY_ARRAY_OWNDATA != 0
}

fn flags(array: &Bound<'_, PyUntypedArray>) -> i32 {
    // SAFETY: the object is an ndarray, by its type, so it starts with NumPy's header.
    unsafe { (*_PyArray_GET_ITEM_DATA(array.as_array_ptr())).flags }
}

/// Keeps a column for the arrays that look into it.
#[pyclass(frozen)]
struct ColumnOwner {
    _column: Arc<Column>,
}

/// Points of a column as a read-only array, which keeps the column.
pub(crate) fn column_array<'py>(
    py: Python<'py>,
    column: &Arc<Column>,
    points: fn(&Column) -> &[Point],
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let points = points(column);
    // SAFETY: a `Point` is two `f64`s (see `Plain`), so these are the same bytes.
    let numbers =
        unsafe { std::slice::from_raw_parts(points.as_ptr().cast::<f64>(), 2 * points.len()) };
    let view = ArrayView2::from_shape((points.len(), 2), numbers)
        .map_err(|why| pyo3::exceptions::PyRuntimeError::new_err(why.to_string()))?;
    let owner = Bound::new(
        py,
        ColumnOwner {
            _column: Arc::clone(column),
        },
    )?;
    // SAFETY: the owner keeps the column, whose points nothing changes or moves while it is
    // shared.
    let array = unsafe { PyArray2::borrow_from_array(&view, owner.into_any()) };
    array.call_method1("setflags", (false,))?;
    Ok(array)
}
