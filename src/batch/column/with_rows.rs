//! A column some of whose rows are those of another.

use super::Column;
use super::builder::ColumnBuilder;
use crate::batch::memory;
use crate::batch::{CancelToken, Stop};

impl Column {
    /// A column that was not examined, where some rows, in order, are replaced by those of another.
    ///
    /// # Errors
    ///
    /// If cancelled, or if there is no memory for the copy.
    pub fn with_rows(
        &self,
        rows: &[usize],
        others: &Self,
        control: &CancelToken,
    ) -> Result<Self, Stop> {
        // The copy, whose lists grow by doubling.
        memory::check(2 * (self.nbytes() + others.nbytes()))?;
        let (own, mut column) = (self.view(), ColumnBuilder::default());
        let mut replaced = rows.iter().enumerate().peekable();
        for row in 0..self.len() {
            control.proceed()?;
            match replaced.next_if(|(_, at)| **at == row) {
                None => column.push_shape(own.rings(row)),
                Some((other, _)) => column.push_row(others, other),
            }
        }
        Ok(column.build().with_crs(self.crs.clone()))
    }
}
