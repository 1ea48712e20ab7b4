//! The kind and the radius of each row of a column, and why rows are missing.

use crate::shape::ShapeKind;

/// What the stored rows are besides their vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct KindsRadiiFaults {
    /// The kind of each row; `None`: polygons.
    pub(super) kinds: Option<Vec<ShapeKind>>,
    /// The radius of each row; `None`: 0.
    pub(super) radii: Option<Vec<f64>>,
    /// The rows that are missing because they were invalid, in order, and why.
    pub(super) faults: Vec<(usize, String)>,
}

impl KindsRadiiFaults {
    #[inline(always)]
    pub(super) fn kind(&self, row: usize) -> ShapeKind {
        (self.kinds.as_ref()).map_or(ShapeKind::Polygon, |kinds| kinds[row])
    }

    #[inline(always)]
    pub(super) fn radius(&self, row: usize) -> f64 {
        self.radii.as_ref().map_or(0.0, |radii| radii[row])
    }

    /// Why a row is missing, if it was invalid.
    pub(super) fn fault(&self, row: usize) -> Option<&str> {
        let at = self.faults.binary_search_by_key(&row, |(row, _)| *row);
        at.ok().map(|at| &*self.faults[at].1)
    }

    pub(super) fn of_rows(&self, rows: impl Iterator<Item = usize> + Clone) -> Self {
        let kinds = self.kinds.as_ref();
        let radii = self.radii.as_ref();
        let fault = |(row, stored)| Some((row, self.fault(stored)?.to_owned()));
        Self {
            kinds: kinds.map(|kinds| rows.clone().map(|row| kinds[row]).collect()),
            radii: radii.map(|radii| rows.clone().map(|row| radii[row]).collect()),
            faults: rows.enumerate().filter_map(fault).collect(),
        }
    }

    /// Whether all rows are polygons without a radius.
    #[inline(always)]
    pub(super) fn are_plain(&self) -> bool {
        self.kinds.is_none() && self.radii.is_none()
    }

    /// Bytes of memory held.
    pub(super) fn nbytes(&self) -> usize {
        let faults = self.faults.iter().map(|(_, why)| why.capacity());
        self.kinds.as_ref().map_or(0, Vec::capacity)
            + self.radii.as_ref().map_or(0, Vec::capacity) * size_of::<f64>()
            + self.faults.capacity() * size_of::<(usize, String)>()
            + faults.sum::<usize>()
    }
}
