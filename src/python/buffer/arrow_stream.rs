//! Arrow's C streams: those of producers, read array by array, and exported ones of one array.

use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef};
use arrow_schema::{ArrowError, Field};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::arrow_decoding::wrong;
use super::arrow_ffi::{ExportedArray, field_of, pointer, refused};

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

    /// The type of all arrays, of a table that of its rows.
    pub(crate) fn field(&mut self) -> PyResult<Field> {
        let schema = self.get("schema", self.stream.get_schema(), FFI_ArrowSchema::empty());
        let field = schema.and_then(|schema| field_of(&schema));
        field.map_err(|why| refused(self.argument, &why))
    }

    /// The next array, or `None` at the end.
    pub(crate) fn next(&mut self) -> PyResult<Option<ExportedArray>> {
        let array = self.get(
            "next array",
            self.stream.get_next(),
            FFI_ArrowArray::empty(),
        );
        let array = array.map_err(|why| refused(self.argument, &why))?;
        Ok((!array.is_released()).then(|| ExportedArray::of(self.argument, array)))
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

/// What makes the array of an exported stream.
type Make = Box<dyn FnOnce() -> Result<ArrayRef, ArrowError> + Send>;

/// What an exported stream of one array still has to give.
struct Producer {
    field: Field,
    make: Option<Make>,
}

/// A stream of one array, which is made when it is asked for: some consumers take several streams for their type alone.
pub(crate) fn arrow_stream_of(field: Field, make: Make) -> FFI_ArrowArrayStream {
    let make = Some(make);
    let producer = Box::into_raw(Box::new(Producer { field, make }));
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

/// The errors that a callback may give.
const EIO: c_int = 5;
const EINVAL: c_int = 22;

unsafe extern "C" fn get_schema(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowSchema,
) -> c_int {
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
        let array = match producer(stream).make.take() {
            None => FFI_ArrowArray::empty(),
            Some(make) => match catch_unwind(AssertUnwindSafe(make)) {
                Ok(Ok(array)) => FFI_ArrowArray::new(&array.to_data()),
                _ => return EIO,
            },
        };
        out.write(array);
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
