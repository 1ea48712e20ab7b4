//! The rows of several columns as one.

use std::sync::Arc;

use super::Column;
use super::builder::ColumnBuilder;
use crate::batch::{CancelToken, ExamineError, Stop, Validation, memory};

impl Column {
    /// The rows of several examined columns, one column after the other, examined. They have no coordinate reference
    /// system.
    ///
    /// # Errors
    ///
    /// If cancelled, or if there is no memory for the copy.
    pub fn concat(
        columns: &[Arc<Self>],
        threads: usize,
        control: &CancelToken,
    ) -> Result<Self, Stop> {
        // The copy, whose lists grow by doubling, and what is known of the rows.
        memory::check(3 * columns.iter().map(|it| it.nbytes()).sum::<usize>())?;
        let mut rows = ColumnBuilder::default();
        for column in columns {
            for row in 0..column.len() {
                control.proceed()?;
                rows.push_row(column, row);
            }
        }
        let mut column = rows.build();
        column
            .examine(Validation::Trust, threads)
            .map_err(|why| match why {
                ExamineError::OutOfMemory(why) => why,
                ExamineError::Invalid(..) => unreachable!("trusted rows are not refused"),
            })?;
        let are_validated = columns.iter().all(|it| it.is_validated());
        if let Some(examined) = column.examined.as_mut().and_then(Arc::get_mut) {
            examined.trusted = !are_validated;
        }
        Ok(column)
    }
}
