//! Joins: the pairs of rows of two columns, or of one, that come near each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::batch::column::{Column, Shared};
use crate::batch::invalid_row::InvalidRow;
use crate::batch::operands::Source;
use crate::batch::stop::{CancelToken, Stop};
use crate::broad::MovingBoxes;
use crate::geom::{Motion, Point, Vec2};
use crate::shape::{self, Polygon};

/// An examined column of polygons, and their displacements over the frame.
#[derive(Debug)]
pub struct MovingColumn {
    /// The polygons.
    pub column: Arc<Column>,
    /// Their displacements, if they move.
    pub velocity: Option<Source<Shared<Vec2>>>,
}

/// How near two polygons must come to make a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JoinCriterion {
    /// Largest distance.
    pub margin: f64,
    /// Whether the polygons must be within the margin, or only their bounding boxes.
    pub exact: bool,
}

/// A join of two columns, or of one with itself.
#[derive(Debug)]
pub struct Join {
    /// Rows of the first index of a pair.
    pub a: MovingColumn,
    /// Rows of the second index; `None`: later rows of `a`.
    pub b: Option<MovingColumn>,
    /// Which rows are a pair.
    pub nearness: JoinCriterion,
}

/// The most rows that a thread joins at a time: enough that the cost of taking them vanishes, few
/// enough to balance the load.
const SHARE: usize = 512;

/// Pairs of a row of `a` and a row of `b`.
pub type IndexPairs = Vec<[u32; 2]>;

impl MovingColumn {
    fn velocity(&self, row: usize) -> Vec2 {
        self.velocity.as_ref().map_or(Vec2::ZERO, |it| it.at(row))
    }

    fn moving_boxes(&self) -> MovingBoxes<'_> {
        let rows = 0..self.column.len();
        let velocities = self.velocity.as_ref();
        let velocities = velocities.map(|it| rows.map(|row| it.at(row)).collect());
        MovingBoxes::new(self.column.index(), velocities)
    }
}

/// Checks that the velocities of `rows` rows are finite.
///
/// # Errors
///
/// If one isn't: the first such.
pub fn finite(velocity: &Source<Shared<Vec2>>, rows: usize) -> Result<(), InvalidRow> {
    match (0..rows).find(|&row| !velocity.at(row).is_finite()) {
        None => Ok(()),
        Some(row) => Err(InvalidRow::Velocity(
            velocity.argument_row(row),
            velocity.at(row),
        )),
    }
}

impl Join {
    /// The column whose rows are searched for, and the one whose tree is searched. The first has
    /// fewer rows: the cost grows with their number, but with the logarithm of the others'.
    fn sides(&self) -> [&MovingColumn; 2] {
        let (a, b) = (&self.a, self.b.as_ref().unwrap_or(&self.a));
        if self.is_swapped() { [b, a] } else { [a, b] }
    }

    /// Whether the rows of `b` are searched for among those of `a`. The answer is the same, but for boxes
    /// that move or are grown, which are rounded differently.
    fn is_swapped(&self) -> bool {
        let fewer = |b: &MovingColumn| b.column.len() < self.a.column.len();
        let JoinCriterion { margin, exact } = self.nearness;
        let is_at_rest = |b: &MovingColumn| self.a.velocity.is_none() && b.velocity.is_none();
        let is_same = |b: &MovingColumn| exact || margin == 0.0 && is_at_rest(b);
        self.b.as_ref().is_some_and(|b| fewer(b) && is_same(b))
    }

    /// How many rows are searched for.
    pub fn searches(&self) -> usize {
        self.sides()[0].column.len()
    }

    /// All pairs, in order, found in the rayon pool that this runs in. `done` counts the
    /// [`Self::searches`] that are done. Velocities must be finite, see [`finite`].
    ///
    /// # Errors
    ///
    /// If cancelled.
    pub fn pairs(
        &self,
        threads: usize,
        control: &CancelToken,
        done: &AtomicUsize,
    ) -> Result<IndexPairs, Stop> {
        let [searching, searched] = self.sides();
        let first = searching.moving_boxes();
        let second = self.b.as_ref().map(|_| searched.moving_boxes());
        control.proceed()?;
        // Rows in the order of the tree: neighbours find the nodes that they need in the cache.
        let rows = first.rows();
        let share = |rows: &[u32]| {
            let boxes = [&first, second.as_ref().unwrap_or(&first)];
            let pairs = self.join_rows(rows, boxes, threads, control);
            done.fetch_add(rows.len(), Ordering::Relaxed);
            pairs
        };
        let rows_of_share = rows.len().div_ceil(4 * threads.max(1)).clamp(1, SHARE);
        let pieces: Vec<IndexPairs> = if threads == 1 {
            rows.chunks(SHARE).map(share).collect::<Result<_, _>>()?
        } else {
            rows.par_chunks(rows_of_share)
                .map(share)
                .collect::<Result<_, _>>()?
        };
        control.proceed()?;
        drop((first, second, rows));
        let mut pairs = pieces.concat();
        drop(pieces);
        if self.is_swapped() {
            for pair in &mut pairs {
                pair.reverse();
            }
        }
        if threads == 1 {
            pairs.sort_unstable();
        } else {
            pairs.par_sort_unstable();
        }
        Ok(pairs)
    }

    fn join_rows(
        &self,
        rows: &[u32],
        [first, second]: [&MovingBoxes<'_>; 2],
        threads: usize,
        control: &CancelToken,
    ) -> Result<IndexPairs, Stop> {
        let (mut pairs, mut near) = (IndexPairs::new(), Vec::new());
        for &row in rows {
            control.proceed()?;
            let row = row as usize;
            near.clear();
            second.near(first.mover(row), self.nearness.margin, |other| {
                if self.b.is_some() || other > row {
                    near.push(other);
                }
            });
            if threads == 1 || near.len() <= SHARE {
                self.decide(row, &near, control, &mut pairs)?;
                continue;
            }
            // A row near many others: it may be the only one.
            let decided = near.par_chunks(SHARE).map(|near| {
                let mut pairs = IndexPairs::new();
                self.decide(row, near, control, &mut pairs).map(|()| pairs)
            });
            pairs.extend(decided.collect::<Result<Vec<_>, _>>()?.concat());
        }
        pairs.shrink_to_fit();
        Ok(pairs)
    }

    /// Adds the pairs that this row makes with the near rows.
    fn decide(
        &self,
        row: usize,
        near: &[usize],
        control: &CancelToken,
        pairs: &mut IndexPairs,
    ) -> Result<(), Stop> {
        let number = |row| u32::try_from(row).expect("fewer than 2^32 rows");
        let polygon = if near.is_empty() {
            None
        } else {
            self.sides()[0].column.view().polygon(row)
        };
        for &other in near {
            control.proceed()?;
            if !self.nearness.exact || self.comes_near(row, polygon.as_ref(), other) {
                pairs.push([number(row), number(other)]);
            }
        }
        Ok(())
    }

    fn comes_near(&self, row: usize, polygon: Option<&Polygon<'_>>, other: usize) -> bool {
        let [searching, others] = self.sides();
        let other_polygon = others.column.view().polygon(other);
        let Some((a, b)) = polygon.zip(other_polygon.as_ref()) else {
            return false;
        };
        let [own, theirs] = [searching.velocity(row), others.velocity(other)];
        let tip = |vector: Vec2| Point::new(vector.x, vector.y);
        let velocity = (own != theirs).then(|| Motion::between(tip(theirs), tip(own)));
        shape::comes_within(a, b, velocity, self.nearness.margin)
    }
}
