//! Obstacles at poses, kept for later trajectories where that pays.

use std::collections::HashMap;

use super::placed_footprint::PlacedFootprint;
use super::trajectories::Trajectories;
use crate::batch::Column;
use crate::shape::Shape;

/// Obstacles at poses. To prepare a large one takes longer than a query about it, so it is kept for later trajectories;
/// a small one is placed anew each time.
#[derive(Debug, Default)]
pub struct PlacedObstacles {
    last: PlacedFootprint,
    /// By row and step, each a column of one row.
    kept: HashMap<(usize, usize), Column>,
    /// The vertices of all that are kept.
    vertices: usize,
}

/// Vertices of an obstacle up to which it is placed anew each time.
const FEW: usize = 16;

/// Vertices that are kept, some 100 bytes each; with more, all are dropped.
const MOST: usize = 1 << 18;

impl PlacedObstacles {
    /// The shape of an examined body at a pose; `None` if it is not there.
    pub(super) fn shape(&mut self, bodies: &Trajectories, at: (usize, usize)) -> Option<Shape<'_>> {
        let (row, step) = at;
        let count = bodies.footprint(row)?.vertices();
        if count <= FEW {
            let is_there = bodies.put(&mut self.last, row, step);
            return is_there.then(|| Shape::trusted(self.last.rings()).ok())?;
        }
        if !bodies.is_present(row, step) {
            return None;
        }
        if !self.kept.contains_key(&at) {
            if self.vertices + count > MOST {
                (self.kept, self.vertices) = (HashMap::new(), 0);
            }
            self.vertices += count;
            self.kept.insert(at, bodies.placed(row, step));
        }
        self.kept[&at].view().polygon(0)
    }
}
