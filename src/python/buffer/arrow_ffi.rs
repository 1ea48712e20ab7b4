//! The structs of Arrow's C data interface, checked before arrow-rs imports them.
//!
//! [`arrow_field`] and [`ExportedArray`] compare the structs with the type and with each other. Two statements are taken on the producer's word, as the interface has it: a pointer
//! that isn't null points to what it should, and a buffer is as long as its array says. Readers
//! check offsets one by one and read nothing beyond a wrong one. The file is long because all that is unsafe about
//! Arrow is in it.

use std::ffi::{CStr, c_char, c_void};
use std::ptr::NonNull;
use std::slice;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::{Array, ArrayRef, GenericBinaryArray, NullArray, OffsetSizeTrait, make_array};
use arrow_buffer::alloc::Allocation;
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, UnionMode};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::arrow_decoding::{lists_of, no_memory, runs_of, taken, wrong};
use crate::batch::{Shared, memory};
use crate::geom::Point;
use crate::python::input::input_error;

/// How deeply Arrow types may be nested. Polygons take 4 levels, and a table of them 5.
const MOST_LEVELS: usize = 32;

/// How many types may be nested in one. It ends the walk over a type that holds itself.
const MOST_TYPES: usize = 1 << 16;

/// The most items of 8 bytes whose bits are counted without overflow.
const MOST_ITEMS: usize = isize::MAX.unsigned_abs() / 64;

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
#[derive(Clone, Copy)]
struct ArrayLayout {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const u8,
    children: *const *const ArrayLayout,
    dictionary: *const ArrayLayout,
    release: Option<unsafe extern "C" fn(*mut FFI_ArrowArray)>,
    private_data: *mut c_void,
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

pub(super) fn refused(argument: &str, why: &ArrowError) -> PyErr {
    match why {
        ArrowError::MemoryError(why) => PyMemoryError::new_err(format!("{argument}: {why}")),
        _ => input_error::value_error(argument, format!("{why}")),
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
    /// Checks what an array of a type states of itself: how many items it has, at least those that its parent needs,
    /// and how many buffers. Gives the place after its last item.
    fn check_own(&self, of: &DataType, needed: usize, buffers: i64) -> Result<usize, ArrowError> {
        if self.release.is_none() {
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
        if self.n_buffers != buffers || (self.buffers.is_null() && buffers > 0) {
            return Err(wrong(format!(
                "an array of {of} does not have {buffers} buffers"
            )));
        }
        // These have no bitmap.
        let has_bitmap = !matches!(
            of,
            DataType::Null | DataType::Union(..) | DataType::RunEndEncoded(..)
        );
        let nulls = usize::try_from(self.null_count).unwrap_or(0);
        if has_bitmap && (nulls > length || nulls > 0 && self.buffer(0).is_null()) {
            return Err(wrong(format!(
                "an array of {of} has {nulls} nulls among {length} items, or no bitmap of them"
            )));
        }
        Ok(end)
    }

    /// Compares what an array states with its type, and with the items that its parent needs.
    fn check(&self, of: &DataType, needed: usize) -> Result<(), ArrowError> {
        let buffers = match of {
            // Some have a bitmap.
            DataType::Null => self.n_buffers,
            DataType::FixedSizeList(..) | DataType::Struct(_) => 1,
            DataType::Union(_, mode) => 1 + i64::from(*mode == UnionMode::Dense),
            DataType::List(_) | DataType::LargeList(_) => 2,
            _ if of.is_primitive() => 2,
            // Their offsets are checked as they are read.
            DataType::Binary
            | DataType::LargeBinary
            | DataType::ListView(_)
            | DataType::LargeListView(_) => 3,
            DataType::BinaryView => self.n_buffers,
            _ => return Err(wrong(format!("arrays of {of} are not read"))),
        };
        let end = self.check_own(of, needed, buffers)?;
        // The types of the children and the items that they need.
        let (types, in_children) = match of {
            DataType::BinaryView => return self.check_view_buffers(),
            DataType::Binary | DataType::LargeBinary => return Ok(()),
            DataType::List(item)
            | DataType::LargeList(item)
            | DataType::ListView(item)
            | DataType::LargeListView(item) => (vec![item], 0),
            DataType::FixedSizeList(item, width) => {
                let items = end.saturating_mul(number(i64::from(*width)));
                (vec![item], items)
            }
            DataType::Struct(fields) => (fields.iter().collect(), end),
            DataType::Union(fields, mode) => {
                let needed = if *mode == UnionMode::Dense { 0 } else { end };
                (fields.iter().map(|(_, field)| field).collect(), needed)
            }
            _ => (Vec::new(), 0),
        };
        let children = self.children(Some(types.len()))?;
        let mut children = types.iter().zip(children);
        children.try_for_each(|(field, child)| child.check(field.data_type(), in_children))
    }

    /// The children: as many as expected, if that is known.
    fn children(&self, expected: Option<usize>) -> Result<Vec<&Self>, ArrowError> {
        // SAFETY: there are as many children as stated (the producer's word).
        unsafe { children(self.n_children, self.children, expected) }
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
        self.check_own(of, 0, 3)?;
        let (start, length) = (number(self.offset), number(self.length));
        let offsets = self.buffer(1).cast::<O>();
        if offsets.is_null() {
            return Err(no_buffer(1));
        }
        let (mut least, mut found) = (0, Vec::new());
        for position in start..=start + length {
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
            // Not all at once: the stated length may be wrong, as a wrong offset tells.
            memory::reserve(&mut found, 1).map_err(no_memory)?;
            found.push(offset);
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
pub(super) fn pointer<T>(
    argument: &str,
    capsule: &Bound<'_, PyCapsule>,
    name: &CStr,
) -> PyResult<NonNull<T>> {
    let pointer = capsule.pointer_checked(Some(name)).map_err(|_| {
        let name = name.to_string_lossy();
        input_error::type_error(argument, format!("expected a capsule named {name}"))
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

pub(super) fn field_of(schema: &FFI_ArrowSchema) -> Result<Field, ArrowError> {
    // SAFETY: the interface fixes the layout of both structs.
    let layout = unsafe { &*std::ptr::from_ref(schema).cast::<SchemaLayout>() };
    if layout.release.is_null() {
        return Err(wrong("the schema has been taken already"));
    }
    layout.check(MOST_LEVELS, &mut MOST_TYPES.clone())?;
    Field::try_from(schema)
}

/// An array of a producer, of which parts are imported.
pub(crate) struct ExportedArray {
    argument: &'static str,
    array: Arc<FFI_ArrowArray>,
}

impl ExportedArray {
    pub(super) fn of(argument: &'static str, array: FFI_ArrowArray) -> Self {
        let array = Arc::new(array);
        Self { argument, array }
    }

    /// The array in the second capsule of `__arrow_c_array__`, which is moved out of it.
    pub(crate) fn new(argument: &'static str, capsule: &Bound<'_, PyCapsule>) -> PyResult<Self> {
        let array = pointer::<FFI_ArrowArray>(argument, capsule, c"arrow_array")?;
        // SAFETY: as in `arrow_field`.
        Ok(Self::of(argument, unsafe {
            FFI_ArrowArray::from_raw(array.as_ptr())
        }))
    }

    /// The items of this type, or, inside of nested structs, those of the field at this path; they are null where a
    /// struct around them is. Offsets of lists are not checked.
    pub(crate) fn import(&self, of: &DataType, path: &[usize]) -> PyResult<ArrayRef> {
        let whole = part(&self.array, layout(&self.array));
        import(whole, of, path).map_err(|why| refused(self.argument, &why))
    }
}

fn layout(array: &FFI_ArrowArray) -> &ArrayLayout {
    // SAFETY: the interface fixes the layout of both structs.
    unsafe { &*std::ptr::from_ref(array).cast() }
}

/// A part of an array, whose memory it keeps alive.
fn part(owner: &Arc<FFI_ArrowArray>, part: &ArrayLayout) -> FFI_ArrowArray {
    unsafe extern "C" fn release(part: *mut FFI_ArrowArray) {
        let part = part.cast::<ArrayLayout>();
        // SAFETY: a part is released once, by who has it, and its private data are a boxed reference to the owner.
        unsafe {
            drop(Box::from_raw(
                (*part).private_data.cast::<Arc<FFI_ArrowArray>>(),
            ));
            (*part).release = None;
        }
    }
    let layout = match part.release {
        Some(_) => ArrayLayout {
            release: Some(release),
            private_data: Box::into_raw(Box::new(Arc::clone(owner))).cast(),
            ..*part
        },
        // The part was taken out of its owner; nobody would release a reference to that.
        None => *part,
    };
    // SAFETY: the interface fixes the layout of both structs.
    unsafe { std::mem::transmute::<ArrayLayout, FFI_ArrowArray>(layout) }
}

/// The part of an array at the end of a path through nested structs.
fn import(array: FFI_ArrowArray, of: &DataType, path: &[usize]) -> Result<ArrayRef, ArrowError> {
    let (Some((&position, inner)), DataType::Struct(fields)) = (path.split_first(), of) else {
        return whole(array, of);
    };
    let array = Arc::new(array);
    let layout = layout(&array);
    layout.check_own(of, 0, 1)?;
    let child = layout.children(Some(fields.len()))?[position];
    let items = import(part(&array, child), fields[position].data_type(), inner)?;
    let (start, length) = (number(layout.offset), number(layout.length));
    if items.len() < start + length {
        return Err(wrong(format!(
            "a struct of {} items has {} in a field",
            start + length,
            items.len()
        )));
    }
    let items = items.slice(start, length);
    let Some(bits) = NonNull::new(layout.buffer(0).cast_mut()).filter(|_| layout.null_count != 0)
    else {
        return Ok(items);
    };
    // SAFETY: the buffer has a bit for each item (the producer's word), and lives as long as the array.
    let bits = unsafe {
        Buffer::from_custom_allocation(bits, (start + length).div_ceil(8), array.clone())
    };
    let nulls = NullBuffer::new(BooleanBuffer::new(bits, start, length));
    let nulls = NullBuffer::union(items.nulls(), Some(&nulls));
    match items.data_type() {
        DataType::Null => Ok(items),
        // They have no nulls of their own.
        DataType::Union(..) => Err(wrong("a struct around a union has nulls")),
        _ => items
            .to_data()
            .into_builder()
            .nulls(nulls)
            .build()
            .map(make_array),
    }
}

/// The items of a type; those of dictionaries, runs and list views are decoded.
fn whole(array: FFI_ArrowArray, of: &DataType) -> Result<ArrayRef, ArrowError> {
    match of {
        DataType::Dictionary(keys, values) => {
            let array = Arc::new(array);
            let layout = layout(&array);
            // SAFETY: a dictionary that isn't null is an array (the producer's word).
            let dictionary = unsafe { layout.dictionary.as_ref() };
            let dictionary = dictionary.ok_or_else(|| wrong("the dictionary is null"))?;
            let values = whole(part(&array, dictionary), values)?;
            let own = ArrayLayout {
                dictionary: std::ptr::null(),
                ..*layout
            };
            return taken(&values, &whole(part(&array, &own), keys)?);
        }
        DataType::RunEndEncoded(ends, values) => {
            let array = Arc::new(array);
            let layout = layout(&array);
            let end = layout.check_own(of, 0, 0)?;
            let children = layout.children(Some(2))?;
            let ends = whole(part(&array, children[0]), ends.data_type())?;
            let values = whole(part(&array, children[1]), values.data_type())?;
            return taken(&values, &runs_of(&ends, number(layout.offset)..end)?);
        }
        DataType::ListView(_) | DataType::LargeListView(_) => {
            layout(&array).check(of, 0)?;
            // SAFETY: as below.
            let data = unsafe { from_ffi_and_data_type(array, of.clone()) }?;
            return lists_of(&make_array(data));
        }
        _ => {}
    }
    let stated = layout(&array);
    let of = &stored(of);
    stated.check(of, 0)?;
    match of {
        DataType::Binary => return binary::<i32>(array),
        DataType::LargeBinary => return binary::<i64>(array),
        DataType::Null => return Ok(Arc::new(NullArray::new(number(stated.length)))),
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

/// The type as which items are imported: text as bytes, which may not be UTF-8.
fn stored(of: &DataType) -> DataType {
    match of {
        DataType::Utf8 => DataType::Binary,
        DataType::LargeUtf8 => DataType::LargeBinary,
        DataType::Utf8View => DataType::BinaryView,
        _ => of.clone(),
    }
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
    let nulls = nulls.filter(|_| layout.null_count != 0).map(|nulls| {
        let bits = buffer(nulls, (start + length).div_ceil(8));
        NullBuffer::new(BooleanBuffer::new(bits, start, length))
    });
    let offsets = OffsetBuffer::new(offsets.into());
    let array = GenericBinaryArray::try_new(offsets, values, nulls)?;
    Ok(Arc::new(array))
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
