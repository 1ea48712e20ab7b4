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
        let (own, theirs) = (self.view(), others.view());
        let mut column = ColumnBuilder::default();
        let mut replaced = rows.iter().enumerate().peekable();
        for row in 0..self.len() {
            control.proceed()?;
            match replaced.next_if(|(_, at)| **at == row) {
                None => column.push_shape(own.rings(row)),
                Some((other, _)) => match others.fault(other) {
                    None => column.push_shape(theirs.rings(other)),
                    Some(why) => column.push_invalid(why.to_owned()),
                },
            }
        }
        Ok(column.build().with_crs(self.crs.clone()))
    }
}
