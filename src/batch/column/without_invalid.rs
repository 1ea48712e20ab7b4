//! A column without the vertices of its invalid rows.

use std::fmt;

use super::Column;
use super::builder::ColumnBuilder;

impl Column {
    /// The same rows of a column that was not examined, without those that have one of these vertices,
    /// given by its place in the memory, in order, and what is wrong with it.
    #[must_use]
    pub fn without_vertices(self, vertices: impl Iterator<Item = (usize, String)>) -> Self {
        let (mut row, mut faults) = (0, Vec::<(usize, String)>::new());
        for (vertex, what) in vertices {
            while self.base.layout.span(row).end <= vertex {
                row += 1;
            }
            if faults.last().is_some_and(|(last, _)| *last == row) {
                continue;
            }
            let (span, starts) = self.base.layout.span_and_offsets(row);
            let ring = starts.partition_point(|&start| start <= vertex).max(1) - 1;
            let at = vertex - starts.get(ring).unwrap_or(&span.start);
            let ring = match starts.len() {
                0..=2 => String::new(),
                _ => format!("ring {ring}: "),
            };
            faults.push((row, format!("{ring}vertex {at} {what}")));
        }
        self.without(&faults)
    }

    /// The same rows, not examined, without the vertices of those that are invalid, and why they are.
    #[must_use]
    pub fn without(&self, faults: &[(usize, impl fmt::Display)]) -> Self {
        if faults.is_empty() {
            return self.unexamined();
        }
        let (mut others, mut faults) = (ColumnBuilder::default(), faults.iter().peekable());
        for row in 0..self.len() {
            match faults.next_if(|(bad, _)| *bad == row) {
                Some((_, why)) => others.push_invalid(why.to_string()),
                None => others.push_row(self, row),
            }
        }
        others.build().with_crs(self.crs.clone())
    }
}
