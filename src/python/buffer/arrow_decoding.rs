//! Arrow arrays whose items are stored once and referred to: by the keys of a dictionary, for a run of rows, or by lists
//! that lie anywhere.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int64Array, LargeListArray, downcast_integer_array};
use arrow_buffer::{ArrowNativeType, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field};
use arrow_select::take::{TakeOptions, take};

use crate::batch::memory::{self, OutOfMemory};

/// The error for structures that contradict themselves.
pub(super) fn wrong(what: impl Into<String>) -> ArrowError {
    ArrowError::CDataInterface(what.into())
}

pub(super) fn no_memory(why: OutOfMemory) -> ArrowError {
    ArrowError::MemoryError(format!("{} bytes of memory can't be had", why.bytes))
}

/// An item for each of these places, null where the place is, if there is memory for them.
pub(crate) fn taken(items: &ArrayRef, places: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    // Lists and views were not checked yet.
    items.to_data().validate_full()?;
    // What is told of each item and of each place.
    let told = items.len().saturating_add(places.len().saturating_mul(4));
    check_memory(told.saturating_mul(size_of::<i64>()))?;
    let sizes: Vec<usize> = (0..items.len())
        .map(|item| size_of_item(items, item))
        .collect();
    let mut wanted = 0_usize;
    for (row, place) in integers(places)?.iter().enumerate() {
        let Some(place) = place else { continue };
        let size = usize::try_from(place)
            .ok()
            .and_then(|place| sizes.get(place));
        let size =
            size.ok_or_else(|| wrong(format!("row {row} is item {place} of {}", items.len())))?;
        wanted = wanted.saturating_add(*size);
    }
    let each = items.get_buffer_memory_size() / sizes.iter().sum::<usize>().max(1);
    check_memory(wanted.saturating_mul(each.max(1)))?;
    take(items, places, Some(TakeOptions { check_bounds: true }))
}

/// The bytes of all values of an array of binary values, or of nulls without a type.
pub(crate) fn bytes_of(values: &ArrayRef) -> usize {
    // Nulls without a type have no values, and may be more than can be counted.
    if *values.data_type() == DataType::Null {
        return 0;
    }
    let sizes = (0..values.len()).map(|value| size_of_item(values, value));
    sizes.fold(0, usize::saturating_add)
}

fn check_memory(bytes: usize) -> Result<(), ArrowError> {
    memory::check(bytes).map_err(no_memory)
}

/// How much an item adds to a copy, in units that are the same for all items.
fn size_of_item(items: &ArrayRef, item: usize) -> usize {
    if let Some(items) = items.as_binary_opt::<i32>() {
        items.value_length(item).as_usize()
    } else if let Some(items) = items.as_binary_opt::<i64>() {
        items.value_length(item).as_usize()
    } else if let Some(items) = items.as_binary_view_opt() {
        // A view begins with its length.
        let [a, b, c, d, ..] = items.views()[item].to_le_bytes();
        u32::from_le_bytes([a, b, c, d]).as_usize()
    } else if let Some(items) = items.as_list_opt::<i32>() {
        items.value_length(item).as_usize()
    } else if let Some(items) = items.as_list_opt::<i64>() {
        items.value_length(item).as_usize()
    } else {
        1
    }
}

/// For each of these rows the number of its run. The ends tell for each run the row after its last.
pub(super) fn runs_of(ends: &ArrayRef, rows: Range<usize>) -> Result<ArrayRef, ArrowError> {
    let (mut runs, mut last) = (Vec::new(), 0);
    for (run, end) in (0..).zip(integers(ends)?.iter()) {
        let end = end
            .and_then(|end| usize::try_from(end).ok())
            .filter(|&end| end > last);
        let end = end.ok_or_else(|| wrong(format!("the end of run {run} is not above {last}")))?;
        let own = last.max(rows.start)..end.min(rows.end);
        reserve(&mut runs, own.len())?;
        runs.extend(own.map(|_| run));
        last = end;
    }
    if last < rows.end {
        let rows = rows.end;
        return Err(wrong(format!("the runs of {rows} rows end at row {last}")));
    }
    Ok(Arc::new(Int64Array::from(runs)))
}

/// Views of lists as lists that follow each other, at any level; other items as they are.
pub(super) fn lists_of(items: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let views = if let Some(views) = items.as_list_view_opt::<i32>() {
        let ends = views.offsets().iter().zip(views.sizes().iter());
        let ends = ends.map(|(&start, &size)| (i64::from(start), i64::from(size)));
        (ends.collect::<Vec<_>>(), views.values(), views.nulls())
    } else if let Some(views) = items.as_list_view_opt::<i64>() {
        let ends = views.offsets().iter().zip(views.sizes().iter());
        (
            ends.map(|(&start, &size)| (start, size)).collect(),
            views.values(),
            views.nulls(),
        )
    } else {
        return Ok(Arc::clone(items));
    };
    let (spans, values, nulls) = views;
    let (mut places, mut lengths) = (Vec::new(), Vec::with_capacity(spans.len()));
    for (row, &(start, size)) in spans.iter().enumerate() {
        // The span of a null row may be anything.
        let size = if nulls.is_some_and(|nulls| nulls.is_null(row)) {
            0
        } else {
            size
        };
        let within = |end: &i64| {
            start >= 0 && size >= 0 && usize::try_from(*end).is_ok_and(|it| it <= values.len())
        };
        let Some(end) = start
            .checked_add(size)
            .filter(within)
            .or((size == 0).then_some(start))
        else {
            return Err(wrong(format!(
                "a list of {size} items from {start} on, of {}",
                values.len()
            )));
        };
        reserve(&mut places, size.as_usize())?;
        places.extend(start..end);
        lengths.push(size.as_usize());
    }
    let places: ArrayRef = Arc::new(Int64Array::from(places));
    let values = lists_of(&taken(values, &places)?)?;
    let DataType::LargeList(of) = type_of_lists(items.data_type()) else {
        unreachable!("views of lists become lists")
    };
    let offsets = OffsetBuffer::from_lengths(lengths);
    let lists = LargeListArray::try_new(of, offsets, values, nulls.cloned())?;
    Ok(Arc::new(lists))
}

/// The type as which [`lists_of`] gives items.
pub(crate) fn type_of_lists(of: &DataType) -> DataType {
    match of {
        DataType::ListView(item) | DataType::LargeListView(item) => {
            let inner = type_of_lists(item.data_type());
            DataType::LargeList(Arc::new(Field::new(item.name(), inner, true)))
        }
        of => of.clone(),
    }
}

/// Makes room for so many items more.
fn reserve(items: &mut Vec<i64>, more: usize) -> Result<(), ArrowError> {
    memory::reserve(items, more).map_err(no_memory)
}

/// Integers of any type.
pub(crate) fn integers(numbers: &ArrayRef) -> Result<Int64Array, ArrowError> {
    let too_large = || wrong("a key of a dictionary is too large");
    downcast_integer_array!(
        numbers => {
            let wide = numbers.iter().map(|it| it.map(|it| it.to_i64().ok_or_else(too_large)).transpose());
            wide.collect()
        },
        of => Err(wrong(format!("expected integers, got {of}")))
    )
}
