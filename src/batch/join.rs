//! Joins: the pairs of rows of two columns, or of one, that come near each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::batch::column::{Column, Shared};
use crate::batch::invalid_row::{InvalidRow, is_radius};
use crate::batch::operands::Source;
use crate::batch::stop::{CancelToken, Stop};
use crate::broad::{MovingBoxes, RowMotions};
use crate::geom::{Edge, Point, Vec2};
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
#[derive(Debug)]
pub struct JoinCriterion {
    /// Largest distance, for each row of `a`.
    pub margin: Source<Shared<f64>>,
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

/// Rows that a thread joins at a time: enough that the cost of taking them vanishes, few enough to
/// balance the load.
const SHARE: usize = 512;

/// Pairs of a row of `a` and a row of `b`.
pub type IndexPairs = Vec<[u32; 2]>;

impl MovingColumn {
    fn velocity(&self, row: usize) -> Vec2 {
        self.velocity.as_ref().map_or(Vec2::ZERO, |it| it.at(row))
    }

    /// How the rows move.
    pub(super) fn motions(&self) -> RowMotions {
        let rows = 0..self.column.len();
        let velocities = self.velocity.as_ref();
        let velocities = velocities.map(|it| rows.map(|row| it.at(row)).collect());
        RowMotions::new(self.column.index().boxes, velocities)
    }

    pub(super) fn moving_boxes<'a>(&'a self, motions: &'a RowMotions) -> MovingBoxes<'a> {
        MovingBoxes {
            index: self.column.index(),
            motions,
        }
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

/// Checks that the margins of `rows` rows are finite and not negative.
///
/// # Errors
///
/// If one isn't: the first such.
pub fn usable(margin: &Source<Shared<f64>>, rows: usize) -> Result<(), InvalidRow> {
    match (0..rows).find(|&row| !is_radius(margin.at(row))) {
        None => Ok(()),
        Some(row) => Err(InvalidRow::Radius(margin.argument_row(row), margin.at(row))),
    }
}

impl Join {
    /// All pairs, in order, found in the rayon pool that this runs in. `done` counts the rows of `a`
    /// that are joined. Velocities and margins must be valid, see [`finite`] and [`usable`].
    ///
    /// # Errors
    ///
    /// If cancelled, or if there are more than `most` pairs.
    pub fn pairs(
        &self,
        most: usize,
        threads: usize,
        control: &CancelToken,
        done: &AtomicUsize,
    ) -> Result<IndexPairs, Stop> {
        let motions = (self.a.motions(), self.b.as_ref().map(MovingColumn::motions));
        let boxes = self.moving_boxes((&motions.0, motions.1.as_ref()));
        control.proceed()?;
        // Rows in the order of the tree: neighbours find the nodes that they need in the cache.
        let rows = boxes[0].rows();
        let found = AtomicUsize::new(0);
        let share = |rows: &[u32]| {
            let mut pairs = IndexPairs::new();
            let mut near = Vec::new();
            for &row in rows {
                self.join_row(row as usize, boxes, &mut near, control, &mut pairs)?;
                let found = found.load(Ordering::Relaxed) + pairs.len();
                if found > most {
                    return Err(Stop::TooManyPairs { most, found });
                }
            }
            pairs.shrink_to_fit();
            found.fetch_add(pairs.len(), Ordering::Relaxed);
            done.fetch_add(rows.len(), Ordering::Relaxed);
            Ok(pairs)
        };
        let pieces: Vec<IndexPairs> = if threads == 1 {
            rows.chunks(SHARE).map(share).collect::<Result<_, _>>()?
        } else {
            rows.par_chunks(SHARE)
                .map(share)
                .collect::<Result<_, _>>()?
        };
        control.proceed()?;
        drop((motions, rows));
        let found = pieces.iter().map(Vec::len).sum();
        if found > most {
            return Err(Stop::TooManyPairs { most, found });
        }
        let mut pairs = pieces.concat();
        drop(pieces);
        if threads == 1 {
            pairs.sort_unstable();
        } else {
            pairs.par_sort_unstable();
        }
        Ok(pairs)
    }

    /// The boxes of both columns; of a column joined with itself, twice the same.
    pub(super) fn moving_boxes<'a>(
        &'a self,
        (of_a, of_b): (&'a RowMotions, Option<&'a RowMotions>),
    ) -> [MovingBoxes<'a>; 2] {
        let first = self.a.moving_boxes(of_a);
        let second = self.b.as_ref().zip(of_b);
        [
            first,
            second.map_or(first, |(b, motions)| b.moving_boxes(motions)),
        ]
    }

    /// Adds the pairs of a row, in no order. `near` is scratch space.
    pub(super) fn join_row(
        &self,
        row: usize,
        [first, second]: [MovingBoxes<'_>; 2],
        near: &mut Vec<usize>,
        control: &CancelToken,
        pairs: &mut IndexPairs,
    ) -> Result<(), Stop> {
        control.proceed()?;
        near.clear();
        second.near(first.mover(row), self.nearness.margin.at(row), |other| {
            if self.b.is_some() || other > row {
                near.push(other);
            }
        });
        self.decide(row, near, control, pairs)
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
            self.a.column.view().polygon(row)
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
        let others = self.b.as_ref().unwrap_or(&self.a);
        let other_polygon = others.column.view().polygon(other);
        let Some((a, b)) = polygon.zip(other_polygon.as_ref()) else {
            return false;
        };
        let [own, theirs] = [self.a.velocity(row), others.velocity(other)];
        let tip = |vector: Vec2| Point::new(vector.x, vector.y);
        let path = (own != theirs).then(|| Edge::new(tip(theirs), tip(own)));
        shape::comes_within(a, b, path, self.nearness.margin.at(row))
    }
}
