//! Arrow arrays out: a stream of one array, as a struct of its C stream interface.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef};
use arrow_schema::Field;

/// What an exported stream of one array still has to give.
struct Producer {
    field: Field,
    array: Option<ArrayRef>,
}

/// A stream of one array.
pub(crate) fn stream_of(field: Field, array: ArrayRef) -> FFI_ArrowArrayStream {
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
/// The stream is one of [`stream_of`] and not released, and nobody else uses it.
unsafe fn producer<'a>(stream: *mut FFI_ArrowArrayStream) -> &'a mut Producer {
    // SAFETY: `stream_of` made the private data from a boxed `Producer`; the rest is the caller's
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
