//! Which rows of a column of bodies are parts of one.

use std::collections::HashMap;

/// Rows that are parts of one body, such as a tractor and its trailers.
#[derive(Debug)]
pub struct Groups {
    /// What the caller calls the body of each row.
    pub labels: Vec<i64>,
    /// The rows of each body, in the order of first appearance.
    pub rows: Vec<Vec<usize>>,
}

impl Groups {
    /// The groups of rows with equal labels.
    pub fn new(labels: Vec<i64>) -> Self {
        let mut numbers = HashMap::new();
        let mut rows: Vec<Vec<usize>> = Vec::new();
        for (row, label) in labels.iter().enumerate() {
            let group = *numbers.entry(*label).or_insert_with(|| {
                rows.push(Vec::new());
                rows.len() - 1
            });
            rows[group].push(row);
        }
        Self { labels, rows }
    }
}
