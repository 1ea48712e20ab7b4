//! The nearest rows of another column.

use std::cell::{OnceCell, RefCell};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::mem;
use std::sync::Arc;

use crate::batch::column::View;
use crate::batch::{CancelToken, Column, Stop};
use crate::batch::{memory, thread_pool};
use crate::broad::row_number;
use crate::geom::Bounds;
use crate::predicates::numbers::ten_digits::{
    compare_ten_digits, square_of_ten_digits_above, ten_digits_above, ten_digits_below,
};
use crate::shape::{self, Distance, Shape};
use crate::simd::load::LANES;

/// The question which rows of `b` are nearest to each row of `a`: so many of each, and on request all that are as near
/// as the last of these.
#[derive(Debug)]
pub struct Nearest {
    /// An examined column.
    pub a: Arc<Column>,
    /// An examined column.
    pub b: Arc<Column>,
    /// How many neighbors each row of `a` has at most; 1 or more.
    pub k: Vec<usize>,
    /// Whether rows as near as the farthest of these are neighbors too; else, of equals, the lowest are.
    pub with_ties: bool,
    /// Their greatest distance; may be infinite.
    pub max_distance: f64,
}

/// A row of `a`, a neighbor in `b`, and their distance.
pub type NeighborPair = (u32, u32, f64);

/// Rows that a thread takes at a time: enough that the cost of taking them vanishes, few enough to
/// balance the load.
const SHARE: usize = 128;

/// The search for the neighbors of one row.
struct NeighborSearch<'r> {
    polygon: Shape<'r>,
    bounds: Bounds,
    others: View<'r>,
    has_radii: bool,
}

/// A row of `b` near a row of `a`. Near ones come first; of equals, the lowest row.
struct Neighbor<'s> {
    search: &'s NeighborSearch<'s>,
    row: usize,
    length: f64,
    /// Computed where the length, which is rounded, does not tell.
    distance: OnceCell<Distance>,
}

impl<'s> Neighbor<'s> {
    /// `None` if the row is missing, or is certainly farther away than the worst of all neighbors
    /// wanted.
    fn new(search: &'s NeighborSearch<'s>, row: usize, worst: Option<&Self>) -> Option<Self> {
        let polygon = search.others.polygon(row)?;
        let is_farther = |worst: &Self| {
            let length = ten_digits_above(worst.length);
            length.is_finite() && shape::certainly_farther(&search.polygon, &polygon, length)
        };
        if worst.is_some_and(is_farther) {
            return None;
        }
        let distance = OnceCell::new();
        let length = shape::certain_distance(&search.polygon, &polygon).unwrap_or_else(|| {
            let exact = distance.get_or_init(|| shape::distance(&search.polygon, &polygon));
            exact.distance()
        });
        Some(Self {
            search,
            row,
            length,
            distance,
        })
    }

    /// Whether no shape in a box is nearer than this one, if that is easily seen.
    fn is_as_near_as(&self, other: &Bounds) -> bool {
        let (search, length) = (self.search, self.length);
        let may_tie = || {
            let below = search.bounds.squared_distance_below(other);
            below >= ten_digits_below(length * length)
        };
        length == 0.0
            || !search.has_radii
                && may_tie()
                && (self.distance()).compare(&Distance::of_boxes(&search.bounds, other))
                    != Ordering::Greater
    }

    fn distance(&self) -> &Distance {
        self.distance.get_or_init(|| {
            let polygon = self.search.others.polygon(self.row).expect("not missing");
            shape::distance(&self.search.polygon, &polygon)
        })
    }

    fn compare_distance(&self, other: &Self) -> Ordering {
        compare_ten_digits(self.length, other.length)
            .unwrap_or_else(|| self.distance().compare(other.distance()))
    }
}

impl Ord for Neighbor<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.compare_distance(other).then(self.row.cmp(&other.row))
    }
}

impl PartialOrd for Neighbor<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for Neighbor<'_> {}

impl PartialEq for Neighbor<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

/// The nearest rows so far.
struct NearestRows<'s> {
    /// How many are wanted.
    k: usize,
    nearest: BinaryHeap<Neighbor<'s>>,
    /// Others as near as the farthest of them, if those are wanted.
    ties: Option<Vec<Neighbor<'s>>>,
}

impl<'s> NearestRows<'s> {
    /// The farthest neighbor, if there are as many as wanted.
    fn worst(&self) -> Option<&Neighbor<'s>> {
        self.nearest.peek().filter(|_| self.nearest.len() == self.k)
    }

    fn offer(&mut self, neighbor: Neighbor<'s>) {
        if self.nearest.len() < self.k {
            return self.nearest.push(neighbor);
        }
        let mut worst = self.nearest.peek_mut().expect("k is 1 or more");
        let order = neighbor.compare_distance(&worst);
        match (order, &mut self.ties) {
            (Ordering::Greater, _) => return,
            (Ordering::Equal, Some(ties)) => return ties.push(neighbor),
            (Ordering::Equal, None) if worst.row < neighbor.row => return,
            _ => {}
        }
        let replaced = mem::replace(&mut *worst, neighbor);
        drop(worst);
        if let (Some(ties), Some(worst)) = (&mut self.ties, self.nearest.peek()) {
            if replaced.compare_distance(worst) == Ordering::Equal {
                ties.push(replaced);
            } else {
                ties.clear();
            }
        }
    }

    /// All of them, nearest first, of equals the lowest row.
    fn sorted(self) -> Vec<Neighbor<'s>> {
        let mut all = self.nearest.into_vec();
        all.extend(self.ties.into_iter().flatten());
        all.sort_unstable();
        all
    }
}

impl Nearest {
    /// Whether nothing needs to be built first but boxes and trees of up to eight rows.
    pub fn is_prepared(&self) -> bool {
        let is_prepared = |it: &Arc<Column>| it.is_indexed() || it.len() <= LANES;
        is_prepared(&self.a) && is_prepared(&self.b)
    }

    /// The neighbors of all rows, in order, found in the rayon pool that this runs in, or in the calling thread if `threads`
    /// is 1.
    ///
    /// # Errors
    ///
    /// If cancelled, or if there is no memory for them.
    pub fn pairs(&self, threads: usize, control: &CancelToken) -> Result<Vec<NeighborPair>, Stop> {
        for column in [&self.a, &self.b] {
            column.check_index()?;
        }
        // Rows in the order of the tree: neighbours find the nodes that they need in the cache.
        let rows: Vec<usize> = self.a.index().rows().collect();
        let share = |rows: &[usize]| {
            // Each share allocates a little.
            if rows.len() == SHARE {
                memory::headroom(0)?;
            }
            let mut found = Vec::new();
            for &row in rows {
                control.proceed()?;
                self.add_neighbors(row, control, &mut found)?;
            }
            Ok(found)
        };
        let pieces: Result<Vec<Vec<_>>, Stop> =
            thread_pool::map(rows.chunks(SHARE).collect(), threads, share);
        let pieces = pieces?;
        let count: usize = pieces.iter().map(Vec::len).sum();
        // To sort them takes half as much again.
        memory::check(count.saturating_mul(2 * size_of::<NeighborPair>()))?;
        let mut pairs = pieces.concat();
        // Stable, so that the neighbors of a row stay in order.
        pairs.sort_by_key(|&(row, ..)| row);
        Ok(pairs)
    }

    /// Adds the neighbors of a row, nearest first.
    fn add_neighbors(
        &self,
        row: usize,
        control: &CancelToken,
        found: &mut Vec<NeighborPair>,
    ) -> Result<(), Stop> {
        let Some(polygon) = self.a.view().polygon(row) else {
            return Ok(());
        };
        let index = self.b.index();
        let bounds = self.a.index().boxes[row];
        let search = NeighborSearch {
            polygon,
            bounds,
            others: self.b.view(),
            has_radii: self.a.has_radii() || self.b.has_radii(),
        };
        let neighbors = RefCell::new(NearestRows {
            k: self.k[row],
            nearest: BinaryHeap::new(),
            ties: self.with_ties.then(Vec::new),
        });
        let farthest = square_of_ten_digits_above(self.max_distance);
        let bound =
            |other: &Bounds| (!other.is_empty()).then(|| bounds.squared_distance_below(other));
        // Of rows at the same distance the lowest counts, unless all do.
        let is_late = |other: &Bounds, lowest: usize| {
            if control.proceed().is_err() {
                return true;
            }
            let neighbors = neighbors.borrow();
            let worst = neighbors.worst().filter(|_| !self.with_ties);
            worst.is_some_and(|worst| worst.row < lowest && worst.is_as_near_as(other))
        };
        index.lowest_first(bound, farthest, is_late, |other| {
            let mut neighbors = neighbors.borrow_mut();
            if let Some(neighbor) = Neighbor::new(&search, other, neighbors.worst())
                && self.is_near_enough(&neighbor)
            {
                neighbors.offer(neighbor);
            }
            neighbors.worst().map_or(farthest, |worst| {
                square_of_ten_digits_above(worst.length).min(farthest)
            })
        });
        // A search that was cancelled left out the rest.
        control.proceed()?;
        let neighbors = neighbors.into_inner().sorted();
        memory::reserve(found, neighbors.len())?;
        for neighbor in neighbors {
            found.push((row_number(row), row_number(neighbor.row), neighbor.length));
        }
        Ok(())
    }

    fn is_near_enough(&self, neighbor: &Neighbor<'_>) -> bool {
        let order = match compare_ten_digits(neighbor.length, self.max_distance) {
            Some(order) => order,
            None if self.max_distance == f64::INFINITY => Ordering::Less,
            None => neighbor.distance().compare_with(self.max_distance),
        };
        order != Ordering::Greater
    }
}
