//! Arrow arrays in: the structs of its C data interface, checked before anything is read by them.
//!
//! A struct states how many buffers and children it has and how many items they hold. All of this
//! is compared with the type and with each other on import; offsets are checked by whoever reads
//! them, one after the other, and nothing beyond them is read. Two statements can't be checked and
//! are taken on the producer's word, as the interface has it: a pointer that isn't null points to
//! what it should, and a buffer of offsets, numbers or null bits is as long as its array says.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_buffer::{BooleanBuffer, Buffer};
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

type Result<T> = std::result::Result<T, ArrowError>;

/// How deeply types may be nested. Polygons take 4 levels, and a table of them 5.
const MOST_LEVELS: usize = 32;

/// How many types may be nested in one. It ends the walk over a type that holds itself.
const MOST_TYPES: usize = 1 << 16;

/// The most items of 8 bytes that memory can hold.
const MOST_ITEMS: usize = isize::MAX.unsigned_abs() / 8;

/// `struct ArrowSchema`.
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
    _private_data: *const c_void,
}

/// `struct ArrowArray`.
#[repr(C)]
struct ArrayLayout {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const u8,
    children: *const *const ArrayLayout,
    _dictionary: *const ArrayLayout,
    release: *const c_void,
    _private_data: *const c_void,
}

fn wrong(what: impl Into<String>) -> ArrowError {
    ArrowError::CDataInterface(what.into())
}

fn count(what: &str, stated: i64) -> Result<usize> {
    usize::try_from(stated).map_err(|_| wrong(format!("{what} is {stated}")))
}

/// The struct in a capsule of its name.
fn pointer<T>(argument: &str, capsule: &Bound<'_, PyCapsule>, name: &CStr) -> PyResult<NonNull<T>> {
    let pointer = capsule.pointer_checked(Some(name)).map_err(|_| {
        PyTypeError::new_err(format!(
            "{argument}: expected a capsule named {}",
            name.to_string_lossy()
        ))
    })?;
    Ok(pointer.cast())
}

/// The type in the capsule of `__arrow_c_schema__`.
pub(crate) fn field(argument: &str, capsule: &Bound<'_, PyCapsule>) -> PyResult<Result<Field>> {
    let schema = pointer::<FFI_ArrowSchema>(argument, capsule, c"arrow_schema")?;
    // SAFETY: a capsule of this name (checked by `pointer`) holds such a struct, and nobody else
    // uses it while the caller is attached.
    Ok(field_of(unsafe { schema.as_ref() }))
}

fn field_of(schema: &FFI_ArrowSchema) -> Result<Field> {
    let layout = std::ptr::from_ref(schema).cast::<SchemaLayout>();
    // SAFETY: the interface fixes the layout of both structs.
    let layout: &SchemaLayout = unsafe { &*layout };
    if layout.release.is_null() {
        return Err(wrong("the schema has been taken already"));
    }
    layout.check(MOST_LEVELS, &mut MOST_TYPES.clone())?;
    Field::try_from(schema)
}

impl SchemaLayout {
    /// Refuses what `Field::try_from` would panic or recurse without end on.
    fn check(&self, levels: usize, types: &mut usize) -> Result<()> {
        *types = types.saturating_sub(1);
        if levels == 0 || *types == 0 {
            return Err(wrong("the type is nested too deeply"));
        }
        let format = self.format()?;
        let stated = count("the number of a type's children", self.n_children)?;
        let expected = match format {
            "+l" | "+L" | "+vl" | "+vL" | "+m" => 1,
            "+r" => 2,
            _ if format.starts_with("+w:") => 1,
            _ if format.starts_with('+') => stated,
            _ => 0,
        };
        if format.starts_with('+') && stated != expected {
            return Err(wrong(format!(
                "a type \"{format}\" has {stated} children, not {expected}"
            )));
        }
        for child in 0..expected {
            // SAFETY: the producer's word is that there are as many children as stated.
            let child = unsafe { child_of(self.children, child) }?;
            child.check(levels - 1, types)?;
        }
        // SAFETY: a dictionary that isn't null is a struct of the producer.
        match unsafe { self.dictionary.as_ref() } {
            Some(dictionary) => dictionary.check(levels - 1, types),
            None => Ok(()),
        }
    }

    /// The format. The name is only checked.
    fn format(&self) -> Result<&str> {
        let text = |text: *const c_char| {
            // SAFETY: a text that isn't null ends with a null byte, and lives as long as its
            // schema.
            let text = (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_str());
            text.transpose()
                .map_err(|_| wrong("the format or name of a type is not UTF-8"))
        };
        text(self.name)?;
        text(self.format)?.ok_or_else(|| wrong("a type has no format"))
    }
}

/// A child of a struct.
///
/// # Safety
///
/// `children` is null or points to more than `child` pointers, each of them null or to a `T`.
unsafe fn child_of<'a, T>(children: *const *const T, child: usize) -> Result<&'a T> {
    let missing = || wrong(format!("the child at position {child} is null"));
    if children.is_null() {
        return Err(missing());
    }
    // SAFETY: the caller's promise.
    unsafe { children.add(child).read_unaligned().as_ref() }.ok_or_else(missing)
}

/// An array of lists, coordinates or floats. What it states agrees with its type.
pub(crate) struct ImportedArray {
    pub(crate) length: usize,
    /// Where the array starts among the items of its children or buffers.
    offset: usize,
    nulls: Option<BooleanBuffer>,
    /// Offsets of lists, or numbers.
    items: Buffer,
    /// The bytes of one of them.
    size: usize,
    pub(crate) children: Vec<ImportedArray>,
}

/// The array in the second capsule of `__arrow_c_array__`, which is moved out of it.
pub(crate) fn array(
    argument: &str,
    capsule: &Bound<'_, PyCapsule>,
    of: &DataType,
) -> PyResult<Result<ImportedArray>> {
    let array = pointer::<FFI_ArrowArray>(argument, capsule, c"arrow_array")?;
    // SAFETY: as in `field`.
    let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
    Ok(ImportedArray::new(array, of))
}

impl ImportedArray {
    fn new(array: FFI_ArrowArray, of: &DataType) -> Result<Self> {
        let owner = Arc::new(array);
        // SAFETY: the interface fixes the layout of both structs.
        let layout = unsafe { &*Arc::as_ptr(&owner).cast::<ArrayLayout>() };
        layout.import(of, &owner)
    }

    /// The number of items in it and its children, as stated: about the work that reading takes.
    pub(crate) fn size(&self) -> usize {
        let children = self.children.iter().map(Self::size);
        children.fold(self.length, usize::saturating_add)
    }

    pub(crate) fn has_nulls(&self) -> bool {
        self.nulls.is_some()
    }

    pub(crate) fn is_null(&self, item: usize) -> bool {
        self.nulls.as_ref().is_some_and(|nulls| !nulls.value(item))
    }

    /// The first item in a range that is null.
    pub(crate) fn null_in(&self, mut range: Range<usize>) -> Option<usize> {
        let nulls = self.nulls.as_ref()?;
        range.find(|&item| !nulls.value(item))
    }

    /// Where the items of an array of structs or lists of fixed size lie in its child.
    pub(crate) fn shifted(&self, range: &Range<usize>) -> Range<usize> {
        self.offset + range.start..self.offset + range.end
    }

    /// The bytes of offsets or numbers, and how many each has.
    pub(crate) fn bytes(&self, range: &Range<usize>) -> (Buffer, usize) {
        if self.items.is_empty() {
            return (Buffer::default(), self.size);
        }
        let Range { start, end } = self.shifted(range);
        let length = (end - start) * self.size;
        let bytes = self.items.slice_with_length(start * self.size, length);
        (bytes, self.size)
    }
}

impl ArrayLayout {
    fn import(&self, of: &DataType, owner: &Arc<FFI_ArrowArray>) -> Result<ImportedArray> {
        if self.release.is_null() {
            return Err(wrong("the array has been taken already"));
        }
        let length = count("the length of an array", self.length)?;
        let offset = count("the offset of an array", self.offset)?;
        let end = length.saturating_add(offset);
        if end >= MOST_ITEMS {
            return Err(wrong(format!(
                "no memory holds {length} items from {offset} on"
            )));
        }
        // The bytes of an item, how many items there are, and how many in the children.
        let (size, items, in_children) = match of {
            DataType::List(_) => (4, end + 1, 0),
            DataType::LargeList(_) => (8, end + 1, 0),
            DataType::FixedSizeList(_, width) => {
                let width = count("the width of coordinates", i64::from(*width))?;
                (0, 0, end.saturating_mul(width))
            }
            DataType::Struct(_) => (0, 0, end),
            DataType::Float64 => (8, end, 0),
            DataType::Float32 => (4, end, 0),
            _ => return Err(wrong(format!("arrays of {of} are not read"))),
        };
        let buffers = if size == 0 { 1 } else { 2 };
        if self.n_buffers != buffers || self.buffers.is_null() {
            return Err(wrong(format!(
                "an array of {of} does not have {buffers} buffers"
            )));
        }
        let nulls = match self.null_count {
            0 => None,
            _ => self.buffer(0, end.div_ceil(8), owner),
        };
        let items = if size == 0 {
            Buffer::default()
        } else {
            match self.buffer(1, items * size, owner) {
                Some(buffer) => buffer,
                None if end == 0 => Buffer::default(),
                None => return Err(wrong("The external buffer at position 1 is null.")),
            }
        };
        Ok(ImportedArray {
            length,
            offset,
            nulls: nulls.map(|bits| BooleanBuffer::new(bits, offset, length)),
            items,
            size,
            children: self.import_children(of, in_children, owner)?,
        })
    }

    /// The children, each of which has at least some number of items.
    fn import_children(
        &self,
        of: &DataType,
        items: usize,
        owner: &Arc<FFI_ArrowArray>,
    ) -> Result<Vec<ImportedArray>> {
        let types: Vec<_> = match of {
            DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
                vec![item]
            }
            DataType::Struct(fields) => fields.iter().collect(),
            _ => Vec::new(),
        };
        if usize::try_from(self.n_children) != Ok(types.len()) {
            return Err(wrong(format!(
                "an array of {of} has {} children, not {}",
                self.n_children,
                types.len()
            )));
        }
        let child = |(position, field): (usize, &Arc<Field>)| {
            // SAFETY: the producer's word is that there are as many children as stated.
            let child = unsafe { child_of(self.children, position) }?;
            let child = child.import(field.data_type(), owner)?;
            if child.length < items {
                return Err(wrong(format!(
                    "an array of {} has {} items, its parent needs {items}",
                    field.data_type(),
                    child.length
                )));
            }
            Ok(child)
        };
        types.into_iter().enumerate().map(child).collect()
    }

    /// A buffer of so many bytes, which `owner` keeps; `None` if it is null.
    fn buffer(&self, index: usize, bytes: usize, owner: &Arc<FFI_ArrowArray>) -> Option<Buffer> {
        // SAFETY: `buffers` isn't null and points to more than `index` pointers (checked by
        // `import`).
        let buffer = unsafe { self.buffers.add(index).read_unaligned() };
        let buffer = NonNull::new(buffer.cast_mut())?;
        // SAFETY: the producer's word is that so many bytes lie there, and that they stay as they
        // are until the array is released, which `owner` does when it is dropped.
        Some(unsafe { Buffer::from_custom_allocation(buffer, bytes, Arc::clone(owner) as _) })
    }
}

/// The stream of a producer.
pub(crate) struct ImportedStream(FFI_ArrowArrayStream);

/// The stream in the capsule of `__arrow_c_stream__`, which is moved out of it.
pub(crate) fn stream(
    argument: &str,
    capsule: &Bound<'_, PyCapsule>,
) -> PyResult<Result<ImportedStream>> {
    let stream = pointer::<FFI_ArrowArrayStream>(argument, capsule, c"arrow_array_stream")?;
    // SAFETY: as in `field`.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
    Ok(if stream.release().is_none() {
        Err(wrong("input stream is already released"))
    } else {
        Ok(ImportedStream(stream))
    })
}

impl ImportedStream {
    /// The type of all arrays.
    pub(crate) fn field(&mut self) -> Result<Field> {
        let get = self.0.get_schema().ok_or_else(|| lacks("schema"))?;
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: a callback is called with its stream, which isn't released (checked by
        // `stream`), and room for what it writes.
        let code = unsafe { get(&raw mut self.0, &raw mut schema) };
        self.succeeded(code, "schema")?;
        field_of(&schema)
    }

    /// The next array, or `None` at the end.
    pub(crate) fn next(&mut self, of: &DataType) -> Result<Option<ImportedArray>> {
        let get = self.0.get_next().ok_or_else(|| lacks("next array"))?;
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as in `field`.
        let code = unsafe { get(&raw mut self.0, &raw mut array) };
        self.succeeded(code, "next array")?;
        let is_end = array.is_released();
        (!is_end).then(|| ImportedArray::new(array, of)).transpose()
    }

    fn succeeded(&mut self, code: c_int, what: &str) -> Result<()> {
        if code == 0 {
            return Ok(());
        }
        let mut message = format!("Cannot get {what} from input stream. Error code: {code}.");
        if let Some(get) = self.0.get_last_error() {
            // SAFETY: as in `field`; a text that isn't null ends with a null byte, and lives until
            // the next call.
            let said = unsafe {
                let text = get(&raw mut self.0);
                (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy())
            };
            message.extend(said.map(|said| format!(" Producer error: {said}")));
        }
        Err(wrong(message))
    }
}

fn lacks(what: &str) -> ArrowError {
    wrong(format!(
        "input stream does not provide a callback for its {what}"
    ))
}
