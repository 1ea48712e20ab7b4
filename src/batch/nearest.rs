//! The nearest rows of another column.

use std::cell::{OnceCell, RefCell};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

use crate::batch::column::View;
use crate::batch::{CancelToken, Column, Stop};
use crate::batch::{memory, thread_pool};
use crate::broad::row_number;
use crate::geom::Bounds;
use crate::predicates::ten_digits::{
    compare_ten_digits, square_of_ten_digits_above, ten_digits_above, ten_digits_below,
};
use crate::shape::{self, Distance, Shape};
use crate::simd::load::LANES;

/// The question which rows of `b` are nearest to each row of `a`.
#[derive(Debug)]
pub struct Nearest {
    /// An examined column.
    pub a: Arc<Column>,
    /// An examined column.
    pub b: Arc<Column>,
    /// How many neighbors a row has at most; 1 or more.
    pub k: usize,
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
}

impl Ord for Neighbor<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        compare_ten_digits(self.length, other.length)
            .unwrap_or_else(|| self.distance().compare(other.distance()))
            .then(self.row.cmp(&other.row))
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
        let nearest: RefCell<BinaryHeap<Neighbor<'_>>> = RefCell::default();
        let farthest = square_of_ten_digits_above(self.max_distance);
        let bound =
            |other: &Bounds| (!other.is_empty()).then(|| bounds.squared_distance_below(other));
        // Of rows at the same distance the lowest counts.
        let is_late = |other: &Bounds, lowest: usize| {
            if control.proceed().is_err() {
                return true;
            }
            let nearest = nearest.borrow();
            let worst = nearest.peek().filter(|_| nearest.len() == self.k);
            worst.is_some_and(|worst| worst.row < lowest && worst.is_as_near_as(other))
        };
        index.lowest_first(bound, farthest, is_late, |other| {
            let mut nearest = nearest.borrow_mut();
            let worst = nearest.peek().filter(|_| nearest.len() == self.k);
            if let Some(neighbor) = Neighbor::new(&search, other, worst)
                && self.is_near_enough(&neighbor)
            {
                if nearest.len() < self.k {
                    nearest.push(neighbor);
                } else if let Some(mut worst) = nearest.peek_mut()
                    && neighbor < *worst
                {
                    *worst = neighbor;
                }
            }
            let worst = nearest.peek().filter(|_| nearest.len() == self.k);
            worst.map_or(farthest, |worst| {
                square_of_ten_digits_above(worst.length).min(farthest)
            })
        });
        // A search that was cancelled left out the rest.
        control.proceed()?;
        let nearest = nearest.into_inner();
        memory::reserve(found, nearest.len())?;
        for neighbor in nearest.into_sorted_vec() {
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
