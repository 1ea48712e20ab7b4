//! Two boundaries: which features of them are nearest, and which meet first.

pub(super) mod arrival_search;
pub(super) mod nearest_cores;
pub(super) mod nearest_pairs_filter;
