//! Raw memory of NumPy and Arrow arrays: the only unsafe code of the bindings, which makes this
//! file longer than others.
//!
//! Three kinds of access, with three reasons why they are sound:
//! - [`ring`] and [`pair`] lend memory while the caller stays attached to the interpreter and runs
//!   no Python code, so nobody frees, moves or (with a GIL) writes it;
//! - [`Held`] and [`HeldMut`] own a reference to their array, so the memory stays for as long as
//!   they do, attached or not. Another thread of Python may write to it meanwhile, as it may while
//!   NumPy itself computes without the GIL: the numbers read are then either old or new, and
//!   nothing that is read serves as an address. `ndarray.resize(refcheck=False)` on an array in
//!   use is as fatal here as it is in NumPy;
//! - [`arrow_field`], [`arrow_array`] and [`ArrowStream`] compare the structs of Arrow's C data
//!   interface with the type and with each other before they import them. Two statements are
//!   taken on the producer's word, as the interface has it: a pointer that isn't null points to
//!   what it should, and a buffer is as long as its array says. Readers check offsets one by one
//!   and read nothing beyond a wrong one.
#![allow(unsafe_code)]
// Alignment is a flag of the array, which is looked at first.
#![allow(clippy::cast_ptr_alignment)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ops::Range;
use std::ptr::NonNull;
use std::slice;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, make_array};
use arrow_buffer::ScalarBuffer;
use arrow_schema::{ArrowError, DataType, Field};
use numpy::ndarray::ArrayView2;
use numpy::npyffi::{
    _PyArray_GET_ITEM_DATA, _PyDataType_GET_ITEM_DATA, NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS,
    NPY_ARRAY_OWNDATA, NPY_ARRAY_WRITEABLE, NPY_TYPES, PyArrayObject_fields,
};
use numpy::{Element, PyArray2, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};

use crate::batch::{Column, Shared};
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
// SAFETY: a boolean is one byte, and any byte is a valid `u8`. Whoever writes an `OutputColumn::Bool` or the
// column `valid` of an `OutputTable` writes 0 and 1 only: `OutputColumn::set` and `OutputColumn::fill`,
// `OutputTable::answer` and `OutputTable::answer_all`, `write` in `batch/query.rs`, `TileOutput::write` in
// `batch/tile_io.rs` and `Answers::write` in `batch/tile_rows.rs`.
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

/// The vertices in an array that needs no conversion: the fast way in, which costs a few
/// nanoseconds. The caller runs no Python code while it uses them.
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
    Some(unsafe { slice::from_raw_parts(header.data.cast(), length.cast_unsigned()) })
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
    start: *const T,
    length: usize,
}

// SAFETY: a shared slice of plain numbers and a reference that pyo3 lets any thread drop.
unsafe impl<T: Plain> Send for Held<T> {}
// SAFETY: as above.
unsafe impl<T: Plain> Sync for Held<T> {}

impl<T: Plain> AsRef<[T]> for Held<T> {
    fn as_ref(&self) -> &[T] {
        if self.length == 0 {
            return &[];
        }
        // SAFETY: `length` aligned items of type `T` lie at `start` (checked by `items` for
        // `Claims::read`), and `_array` keeps them there. On writers, see the module's remark.
        unsafe { slice::from_raw_parts(self.start, self.length) }
    }
}

/// The memory of an array that is written to by one call and overlaps nothing else it uses.
pub(crate) struct HeldMut<T> {
    _array: Py<PyAny>,
    start: *mut T,
    length: usize,
}

// SAFETY: as for `Held`; the slice is handed out only through `&mut self`.
unsafe impl<T: Plain> Send for HeldMut<T> {}
// SAFETY: `&HeldMut` gives access to nothing.
unsafe impl<T: Plain> Sync for HeldMut<T> {}

impl<T: Plain> HeldMut<T> {
    /// The memory.
    pub(crate) fn as_mut(&mut self) -> &mut [T] {
        if self.length == 0 {
            return &mut [];
        }
        // SAFETY: as in `Held::as_ref`; the array is writeable and nothing else that the call uses
        // has any of this memory (checked by `Claims::write`).
        unsafe { slice::from_raw_parts_mut(self.start, self.length) }
    }
}

/// Why an array can't be used as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// Its elements are not of the type, or not aligned, or not in C order without gaps.
    ItemShape,
    /// It is read-only.
    ReadOnly,
    /// It shares memory with another array of the call.
    Overlap,
}

/// All array memory that one call uses. Whoever wants some gets it from here, so that what is
/// written overlaps nothing else.
#[derive(Default)]
pub(crate) struct Claims {
    read: Vec<Range<usize>>,
    written: Vec<Range<usize>>,
}

impl Claims {
    /// Holds an array for reading.
    pub(crate) fn read<T: Plain>(&mut self, array: &Bound<'_, PyAny>) -> Result<Held<T>, Unfit> {
        let (start, length) = items::<T>(array, 0)?;
        let range = range(start, length);
        if self.written.iter().any(|other| overlap(other, &range)) {
            return Err(Unfit::Overlap);
        }
        self.read.push(range);
        Ok(Held {
            _array: array.clone().unbind(),
            start,
            length,
        })
    }

    /// Holds an array for writing.
    pub(crate) fn write<T: Plain>(
        &mut self,
        array: &Bound<'_, PyAny>,
    ) -> Result<HeldMut<T>, Unfit> {
        let (start, length) = items::<T>(array, NPY_ARRAY_WRITEABLE)?;
        let range = range(start, length);
        let mut others = self.read.iter().chain(&self.written);
        if others.any(|other| overlap(other, &range)) {
            return Err(Unfit::Overlap);
        }
        self.written.push(range);
        Ok(HeldMut {
            _array: array.clone().unbind(),
            start,
            length,
        })
    }
}

fn range<T>(start: *const T, length: usize) -> Range<usize> {
    let start = start.addr();
    start..start + length * size_of::<T>()
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start.max(other.start) < one.end.min(other.end)
}

/// Where the items of an array lie, and how many they are.
fn items<T: Plain>(array: &Bound<'_, PyAny>, access: i32) -> Result<(*mut T, usize), Unfit> {
    let array: &Bound<'_, PyArrayDyn<T::Element>> = array.cast().map_err(|_| Unfit::ItemShape)?;
    let layout = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED;
    let flags = flags(array.as_untyped());
    let per_item = size_of::<T>() / size_of::<T::Element>();
    if flags & layout != layout || !array.len().is_multiple_of(per_item) {
        return Err(Unfit::ItemShape);
    }
    if flags & access != access {
        return Err(Unfit::ReadOnly);
    }
    Ok((array.data().cast(), array.len() / per_item))
}

/// Whether nobody will write to an array, so that it need not be copied to be kept: it is
/// read-only and so is all that it is a view of, down to an array that owns its memory, `bytes`,
/// or a column; or this is the only reference to an array that owns its memory.
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
    object.is_exact_instance_of::<PyBytes>() || object.is_exact_instance_of::<Owner>()
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
struct Owner {
    _column: Arc<Column>,
}

/// The vertices of a column as a read-only array, which keeps the column.
pub(crate) fn coords<'py>(
    py: Python<'py>,
    column: &Arc<Column>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    lent(py, column, column.coords())
}

/// The memory in which a column's vertices lie as a read-only array, which keeps the column.
pub(crate) fn memory<'py>(
    py: Python<'py>,
    column: &Arc<Column>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    lent(py, column, column.memory())
}

/// Points that a column owns.
fn lent<'py>(
    py: Python<'py>,
    column: &Arc<Column>,
    points: &[Point],
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    // SAFETY: a `Point` is two `f64`s (see `Plain`), so these are the same bytes.
    let numbers = unsafe { slice::from_raw_parts(points.as_ptr().cast::<f64>(), 2 * points.len()) };
    let view = ArrayView2::from_shape((points.len(), 2), numbers)
        .map_err(|why| pyo3::exceptions::PyRuntimeError::new_err(why.to_string()))?;
    let owner = Bound::new(
        py,
        Owner {
            _column: Arc::clone(column),
        },
    )?;
    // SAFETY: the owner keeps the column, whose points nothing changes or moves while it is
    // shared.
    let array = unsafe { PyArray2::borrow_from_array(&view, owner.into_any()) };
    array.call_method1("setflags", (false,))?;
    Ok(array)
}

/// How deeply Arrow types may be nested. Polygons take 4 levels, and a table of them 5.
const MOST_LEVELS: usize = 32;

/// How many types may be nested in one. It ends the walk over a type that holds itself.
const MOST_TYPES: usize = 1 << 16;

/// The most items of 8 bytes that memory can hold.
const MOST_ITEMS: usize = isize::MAX.unsigned_abs() / 8;

/// `struct ArrowSchema`, whose fields `FFI_ArrowSchema` hides, except for the last.
#[repr(C)]
struct SchemaLayout {
    format: *const c_char,
    name: *const c_char,
    _metadata: *const c_char,
    _flags: i64,
    n_children: i64,
    children: *const *const SchemaLayout,
    dictionary: *const SchemaLayout,
    release: *const c_void,
}

/// `struct ArrowArray`, likewise.
#[repr(C)]
struct ArrayLayout {
    length: i64,
    _null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const u8,
    children: *const *const ArrayLayout,
    _dictionary: *const ArrayLayout,
    release: *const c_void,
}

fn wrong(what: impl Into<String>) -> ArrowError {
    ArrowError::CDataInterface(what.into())
}

fn refused(argument: &str, why: &ArrowError) -> PyErr {
    PyValueError::new_err(format!("{argument}: {why}"))
}

/// The children of a struct: as many as expected, if that is known.
///
/// # Safety
///
/// `children` is null or points to `stated` pointers, each of them null or to a `T`.
unsafe fn children<'a, T>(
    stated: i64,
    children: *const *const T,
    expected: Option<usize>,
) -> Result<Vec<&'a T>, ArrowError> {
    let number = usize::try_from(stated).ok();
    let number = number.filter(|&it| expected.is_none_or(|expected| it == expected));
    let number = number.ok_or_else(|| wrong(format!("{stated} children do not fit the type")))?;
    let child = |position| {
        // SAFETY: the caller's promise, and `children` isn't null (checked here).
        let child = (!children.is_null())
            .then(|| unsafe { children.add(position).read_unaligned().as_ref() });
        let missing = || wrong(format!("the child at position {position} is null"));
        child.flatten().ok_or_else(missing)
    };
    (0..number).map(child).collect()
}

impl SchemaLayout {
    /// Refuses what `Field::try_from` would panic or recurse without end on.
    fn check(&self, levels: usize, types: &mut usize) -> Result<(), ArrowError> {
        *types = types.saturating_sub(1);
        if levels == 0 || *types == 0 {
            return Err(wrong("the type is nested too deeply"));
        }
        let text = |text: *const c_char| {
            // SAFETY: a text that isn't null ends with a null byte and lives as long as its schema
            // (the producer's word).
            let text = (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_str());
            let text = text.transpose();
            text.map_err(|_| wrong("the format or name of a type is not UTF-8"))
        };
        text(self.name)?;
        let format = text(self.format)?.ok_or_else(|| wrong("a type has no format"))?;
        let expected = match format.split(':').next() {
            Some("+l" | "+L" | "+vl" | "+vL" | "+m" | "+w") => Some(1),
            Some("+r") => Some(2),
            _ => None,
        };
        // SAFETY: there are as many children as stated (the producer's word).
        for child in unsafe { children(self.n_children, self.children, expected) }? {
            child.check(levels - 1, types)?;
        }
        // SAFETY: a dictionary that isn't null is a schema (the producer's word).
        let dictionary = unsafe { self.dictionary.as_ref() };
        dictionary.map_or(Ok(()), |it| it.check(levels - 1, types))
    }
}

impl ArrayLayout {
    /// Compares what an array states with its type, and with the items that its parent needs.
    fn check(&self, of: &DataType, needed: usize) -> Result<(), ArrowError> {
        if self.release.is_null() {
            return Err(wrong("the array has been taken already"));
        }
        let number = |stated| usize::try_from(stated).unwrap_or(usize::MAX);
        let (length, offset) = (number(self.length), number(self.offset));
        let end = length.saturating_add(offset);
        if end >= MOST_ITEMS || length < needed {
            let (length, offset) = (self.length, self.offset);
            return Err(wrong(format!(
                "an array of {of} has {length} items from {offset} on, and needs {needed}"
            )));
        }
        // How many buffers the array has, the types of its children and the items they need.
        let (buffers, types, in_children) = match of {
            DataType::List(item) | DataType::LargeList(item) => (2, slice::from_ref(item), 0),
            DataType::FixedSizeList(item, width) => {
                let items = end.saturating_mul(number(i64::from(*width)));
                (1, slice::from_ref(item), items)
            }
            DataType::Struct(fields) => (1, &fields[..], end),
            DataType::Float64 | DataType::Float32 => (2, &[][..], 0),
            _ => return Err(wrong(format!("arrays of {of} are not read"))),
        };
        if self.n_buffers != buffers || self.buffers.is_null() {
            return Err(wrong(format!(
                "an array of {of} does not have {buffers} buffers"
            )));
        }
        // SAFETY: there are as many children as stated (the producer's word).
        let children = unsafe { children(self.n_children, self.children, Some(types.len())) }?;
        let mut children = types.iter().zip(children);
        children.try_for_each(|(field, child)| child.check(field.data_type(), in_children))
    }
}

/// The struct in a capsule of its name.
fn pointer<T>(argument: &str, capsule: &Bound<'_, PyCapsule>, name: &CStr) -> PyResult<NonNull<T>> {
    let pointer = capsule.pointer_checked(Some(name)).map_err(|_| {
        let name = name.to_string_lossy();
        PyTypeError::new_err(format!("{argument}: expected a capsule named {name}"))
    })?;
    Ok(pointer.cast())
}

/// The type in the capsule of `__arrow_c_schema__`.
pub(crate) fn arrow_field(argument: &str, capsule: &Bound<'_, PyCapsule>) -> PyResult<Field> {
    let schema = pointer::<FFI_ArrowSchema>(argument, capsule, c"arrow_schema")?;
    // SAFETY: a capsule of this name (checked by `pointer`) holds such a struct, and nobody else
    // uses it while the caller is attached.
    field_of(unsafe { schema.as_ref() }).map_err(|why| refused(argument, &why))
}

fn field_of(schema: &FFI_ArrowSchema) -> Result<Field, ArrowError> {
    // SAFETY: the interface fixes the layout of both structs.
    let layout = unsafe { &*std::ptr::from_ref(schema).cast::<SchemaLayout>() };
    if layout.release.is_null() {
        return Err(wrong("the schema has been taken already"));
    }
    layout.check(MOST_LEVELS, &mut MOST_TYPES.clone())?;
    Field::try_from(schema)
}

/// The array in the second capsule of `__arrow_c_array__`, which is moved out of it. Its offsets
/// are not checked.
pub(crate) fn arrow_array(
    argument: &str,
    capsule: &Bound<'_, PyCapsule>,
    of: &DataType,
) -> PyResult<ArrayRef> {
    let array = pointer::<FFI_ArrowArray>(argument, capsule, c"arrow_array")?;
    // SAFETY: as in `arrow_field`.
    let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
    array_of(array, of).map_err(|why| refused(argument, &why))
}

fn array_of(array: FFI_ArrowArray, of: &DataType) -> Result<ArrayRef, ArrowError> {
    // SAFETY: the interface fixes the layout of both structs.
    let layout = unsafe { &*std::ptr::from_ref(&array).cast::<ArrayLayout>() };
    layout.check(of, 0)?;
    // SAFETY: the structs agree with the type (checked above), and the buffers are as long as they
    // say (the producer's word). No offset is read.
    unsafe { from_ffi_and_data_type(array, of.clone()) }.map(make_array)
}

/// The stream of a producer, which an argument exported.
pub(crate) struct ArrowStream {
    argument: &'static str,
    stream: FFI_ArrowArrayStream,
}

impl ArrowStream {
    /// The stream in the capsule of `__arrow_c_stream__`, which is moved out of it.
    pub(crate) fn new(argument: &'static str, capsule: &Bound<'_, PyCapsule>) -> PyResult<Self> {
        let stream = pointer::<FFI_ArrowArrayStream>(argument, capsule, c"arrow_array_stream")?;
        // SAFETY: as in `arrow_field`.
        let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
        if stream.release().is_none() {
            return Err(refused(
                argument,
                &wrong("input stream is already released"),
            ));
        }
        Ok(Self { argument, stream })
    }

    /// The type of all arrays.
    pub(crate) fn field(&mut self) -> PyResult<Field> {
        let schema = self.get("schema", self.stream.get_schema(), FFI_ArrowSchema::empty());
        let field = schema.and_then(|schema| field_of(&schema));
        field.map_err(|why| refused(self.argument, &why))
    }

    /// The next array, or `None` at the end. Its offsets are not checked.
    pub(crate) fn next(&mut self, of: &DataType) -> PyResult<Option<ArrayRef>> {
        let array = self.get(
            "next array",
            self.stream.get_next(),
            FFI_ArrowArray::empty(),
        );
        let array = array.map(|array| (!array.is_released()).then(|| array_of(array, of)));
        let array = array.and_then(Option::transpose);
        array.map_err(|why| refused(self.argument, &why))
    }

    /// What a callback of the stream writes.
    fn get<T>(
        &mut self,
        what: &str,
        callback: Option<unsafe extern "C" fn(*mut FFI_ArrowArrayStream, *mut T) -> c_int>,
        mut out: T,
    ) -> Result<T, ArrowError> {
        let lacks = || wrong(format!("input stream does not provide its {what}"));
        let callback = callback.ok_or_else(lacks)?;
        // SAFETY: a callback is called with its stream, which isn't released (checked by `new`),
        // and room for what it writes.
        let code = unsafe { callback(&raw mut self.stream, &raw mut out) };
        if code == 0 {
            return Ok(out);
        }
        let mut message = format!("Cannot get {what} from input stream. Error code: {code}.");
        if let Some(callback) = self.stream.get_last_error() {
            // SAFETY: as above; a text that isn't null ends with a null byte, and lives until the
            // next call.
            let said = unsafe {
                let text = callback(&raw mut self.stream);
                (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy())
            };
            message.extend(said.map(|said| format!(" Producer error: {said}")));
        }
        Err(wrong(message))
    }
}

/// Coordinates of Arrow that alternate between x and y.
struct Interleaved(ScalarBuffer<f64>);

impl AsRef<[Point]> for Interleaved {
    fn as_ref(&self) -> &[Point] {
        let (start, length) = (self.0.as_ptr().cast(), self.0.len() / 2);
        // SAFETY: a `Point` is two `f64`s (see `Plain`), and the buffer holds at least twice as
        // many, which its producer keeps as they are until it is dropped.
        unsafe { slice::from_raw_parts(start, length) }
    }
}

/// Numbers that alternate between x and y, as points in the same memory.
pub(crate) fn interleaved(numbers: ScalarBuffer<f64>) -> Shared<Point> {
    Arc::new(Interleaved(numbers))
}

/// What an exported stream of one array still has to give.
struct Producer {
    field: Field,
    array: Option<ArrayRef>,
}

/// A stream of one array.
pub(crate) fn arrow_stream_of(field: Field, array: ArrayRef) -> FFI_ArrowArrayStream {
    let array = Some(array);
    let producer = Box::into_raw(Box::new(Producer { field, array }));
    // SAFETY: the callbacks expect a `Producer` as the private data; `release` frees it, once.
    unsafe {
        FFI_ArrowArrayStream::new_unchecked(
            Some(get_schema),
            Some(get_next),
            Some(get_last_error),
            Some(release),
            producer.cast(),
        )
    }
}

/// The producer of a stream.
///
/// # Safety
///
/// The stream is one of [`arrow_stream_of`] and not released, and nobody else uses it.
unsafe fn producer<'a>(stream: *mut FFI_ArrowArrayStream) -> &'a mut Producer {
    // SAFETY: `arrow_stream_of` made the private data from a boxed `Producer`; the rest is the caller's
    // promise.
    unsafe { &mut *(*stream).private_data().cast::<Producer>() }
}

unsafe extern "C" fn get_schema(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowSchema,
) -> c_int {
    const EINVAL: c_int = 22;
    // SAFETY: the consumer calls this with the stream that it got, and room for a schema.
    unsafe {
        match FFI_ArrowSchema::try_from(&producer(stream).field) {
            Ok(schema) => out.write(schema),
            Err(_) => return EINVAL,
        }
    }
    0
}

unsafe extern "C" fn get_next(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowArray,
) -> c_int {
    // SAFETY: the consumer calls this with the stream that it got, and room for an array. A
    // released array means the end.
    unsafe {
        let array = producer(stream).array.take();
        out.write(array.map_or_else(FFI_ArrowArray::empty, |array| {
            FFI_ArrowArray::new(&array.to_data())
        }));
    }
    0
}

unsafe extern "C" fn get_last_error(_: *mut FFI_ArrowArrayStream) -> *const c_char {
    std::ptr::null()
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: the consumer releases a stream once, with the stream that it got; then nothing
    // refers to the producer any more.
    unsafe {
        drop(Box::from_raw((*stream).private_data().cast::<Producer>()));
        (*stream).set_release(None);
    }
}
