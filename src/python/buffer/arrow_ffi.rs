//! The structs of Arrow's C data interface, checked before arrow-rs imports them.
//!
//! [`arrow_field`], [`arrow_array`] and [`ArrowStream`] compare the structs with the type and with
//! each other. Two statements are taken on the producer's word, as the interface has it: a pointer
//! that isn't null points to what it should, and a buffer is as long as its array says. Readers
//! check offsets one by one and read nothing beyond a wrong one. The file is long because all that is unsafe about
//! Arrow is in it.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::NonNull;
use std::slice;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, GenericBinaryArray, NullArray, OffsetSizeTrait, make_array};
use arrow_buffer::alloc::Allocation;
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::batch::{Shared, memory};
use crate::geom::Point;

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

fn no_buffer(position: usize) -> ArrowError {
    wrong(format!(
        "The external buffer at position {position} is null."
    ))
}

/// A stated number; the largest in place of one that is none.
fn number(stated: i64) -> usize {
    usize::try_from(stated).unwrap_or(usize::MAX)
}

fn refused(argument: &str, why: &ArrowError) -> PyErr {
    match why {
        ArrowError::MemoryError(why) => PyMemoryError::new_err(format!("{argument}: {why}")),
        _ => PyValueError::new_err(format!("{argument}: {why}")),
    }
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
            // Their offsets are checked as they are read.
            DataType::Binary | DataType::LargeBinary => return Ok(()),
            DataType::BinaryView => return self.check_view_buffers(),
            DataType::Null => (0, &[][..], 0),
            _ => return Err(wrong(format!("arrays of {of} are not read"))),
        };
        if self.n_buffers != buffers || (self.buffers.is_null() && buffers > 0) {
            return Err(wrong(format!(
                "an array of {of} does not have {buffers} buffers"
            )));
        }
        // SAFETY: there are as many children as stated (the producer's word).
        let children = unsafe { children(self.n_children, self.children, Some(types.len())) }?;
        let mut children = types.iter().zip(children);
        children.try_for_each(|(field, child)| child.check(field.data_type(), in_children))
    }

    /// A buffer, which may be null.
    fn buffer(&self, position: usize) -> *const u8 {
        // SAFETY: there are as many buffers as stated (the producer's word), and more than `position`
        // (checked by the callers).
        unsafe { self.buffers.add(position).read_unaligned() }
    }

    /// Where the binary values of an array lie: offsets that rise from 0 or more, aligned or not.
    /// What follows a wrong one is not read.
    fn binary_offsets<O: OffsetSizeTrait>(&self, of: &DataType) -> Result<Vec<O>, ArrowError> {
        if self.n_buffers != 3 || self.buffers.is_null() {
            return Err(wrong(format!("an array of {of} does not have 3 buffers")));
        }
        let (start, length) = (number(self.offset), number(self.length));
        let offsets = self.buffer(1).cast::<O>();
        if offsets.is_null() {
            return Err(no_buffer(1));
        }
        let (mut least, mut found) = (0, Vec::new());
        for position in 0..=start + length {
            // SAFETY: there is one offset more than values (the producer's word).
            let offset = unsafe { offsets.add(position).read_unaligned() };
            match offset.to_usize() {
                Some(it) if least <= it && it < MOST_ITEMS => least = it,
                _ => {
                    return Err(wrong(format!(
                        "offset {position} is {offset:?}, after {least}"
                    )));
                }
            }
            if position >= start {
                // Not all at once: the stated length may be wrong, as a wrong offset tells.
                memory::reserve(&mut found, 1).map_err(|why| {
                    ArrowError::MemoryError(format!("{} bytes of memory can't be had", why.bytes))
                })?;
                found.push(offset);
            }
        }
        Ok(found)
    }

    /// Checks the stated lengths of the buffers of binary views.
    fn check_view_buffers(&self) -> Result<(), ArrowError> {
        let number = usize::try_from(self.n_buffers).ok();
        let number = number.filter(|number| (3..MOST_TYPES).contains(number));
        let Some(number) = number.filter(|_| !self.buffers.is_null()) else {
            let number = self.n_buffers;
            return Err(wrong(format!(
                "an array of binary views has {number} buffers"
            )));
        };
        let count = number - 3;
        let lengths = self.buffer(number - 1).cast::<i64>();
        if !lengths.is_aligned() || (lengths.is_null() && count > 0) {
            return Err(wrong("the lengths of the buffers are null or not aligned"));
        }
        (0..count).try_for_each(|position| {
            // SAFETY: there is one length for each buffer of data (the producer's word).
            let length = unsafe { *lengths.add(position) };
            let fits = usize::try_from(length).is_ok_and(|length| length < MOST_ITEMS);
            let what = || wrong(format!("a buffer of {length} bytes"));
            fits.then_some(()).ok_or_else(what)
        })
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
    match of {
        DataType::Binary => return binary::<i32>(array),
        DataType::LargeBinary => return binary::<i64>(array),
        DataType::Null => return Ok(Arc::new(NullArray::new(number(layout.length)))),
        _ => {}
    }
    // SAFETY: the structs agree with the type (checked above), and the buffers are as long as they
    // say (the producer's word). No offset is read.
    let data = unsafe { from_ffi_and_data_type(array, of.clone()) }?;
    if *of == DataType::BinaryView {
        // Each view says which bytes it has.
        data.validate_full()?;
    }
    Ok(make_array(data))
}

/// An array of binary values, which arrow-rs imports only if their offsets are aligned; messages that
/// come over a network or lie in a mapped file put them anywhere.
fn binary<O: OffsetSizeTrait>(array: FFI_ArrowArray) -> Result<ArrayRef, ArrowError> {
    // SAFETY: the interface fixes the layout of both structs.
    let layout = unsafe { &*std::ptr::from_ref(&array).cast::<ArrayLayout>() };
    let offsets = layout.binary_offsets::<O>(&GenericBinaryArray::<O>::DATA_TYPE)?;
    let [nulls, values] = [0, 2].map(|position| NonNull::new(layout.buffer(position).cast_mut()));
    let (start, length) = (number(layout.offset), number(layout.length));
    let owner: Arc<dyn Allocation> = Arc::new(array);
    // SAFETY: the buffers are as long as the array says (the producer's word), and live as long as
    // it, which owns them.
    let buffer = |at, bytes| unsafe { Buffer::from_custom_allocation(at, bytes, owner.clone()) };
    let bytes = offsets[length].as_usize();
    let values = match values {
        Some(values) => buffer(values, bytes),
        None if bytes == 0 => Buffer::default(),
        None => return Err(no_buffer(2)),
    };
    let nulls = nulls.map(|nulls| {
        let bits = buffer(nulls, (start + length).div_ceil(8));
        NullBuffer::new(BooleanBuffer::new(bits, start, length))
    });
    let offsets = OffsetBuffer::new(offsets.into());
    let array = GenericBinaryArray::try_new(offsets, values, nulls)?;
    Ok(Arc::new(array))
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
