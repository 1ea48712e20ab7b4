//! Joins: the pairs of rows of two columns, or of one, that come near each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::batch::column::{Column, Shared};
use crate::batch::invalid_row::{InvalidRow, OnInvalid};
use crate::batch::operands::{Rows, Source};
use crate::batch::output::{OutputColumn, OutputTable};
use crate::batch::polygon_queries::{IntersectsQuery, WithinDistanceQuery};
use crate::batch::query::Query;
use crate::batch::query_batch::QueryBatch;
use crate::batch::query_result::QueryResult;
use crate::batch::stop::{CancelToken, Stop};
use crate::batch::tile_query::TileQuery;
use crate::broad::MovingBoxes;
use crate::geom::{Edge, Point, Vec2};
use crate::shape;
use crate::simd::tile::LANES;

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

/// Rows that a thread joins at a time: enough that the cost of taking them vanishes, few enough to
/// balance the load.
const SHARE: usize = 512;

/// Candidates that are decided together: enough that the cost of a query about many rows vanishes, few
/// enough that they stay in the first-level cache.
const CHUNK: usize = 1024;

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
    /// All pairs, in order, found in the rayon pool that this runs in. `done` counts the rows of `a`
    /// that are joined. Velocities must be finite, see [`finite`].
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
        let first = self.a.moving_boxes();
        let second = self.b.as_ref().map(MovingColumn::moving_boxes);
        control.proceed()?;
        // Rows in the order of the tree: neighbours find the nodes that they need in the cache.
        let rows = first.rows();
        let share = |rows: &[u32]| {
            let pairs = self.join_rows(rows, [&first, second.as_ref().unwrap_or(&first)], control);
            done.fetch_add(rows.len(), Ordering::Relaxed);
            pairs
        };
        let pieces: Vec<IndexPairs> = if threads == 1 {
            rows.chunks(SHARE).map(share).collect::<Result<_, _>>()?
        } else {
            rows.par_chunks(SHARE)
                .map(share)
                .collect::<Result<_, _>>()?
        };
        control.proceed()?;
        drop((first, second, rows));
        Ok(by_first_row(&pieces, self.a.column.len()))
    }

    /// The pairs of these rows; those of one row follow each other, in order.
    fn join_rows(
        &self,
        rows: &[u32],
        [first, second]: [&MovingBoxes<'_>; 2],
        control: &CancelToken,
    ) -> Result<IndexPairs, Stop> {
        let (mut pairs, mut candidates) = (IndexPairs::new(), IndexPairs::new());
        let mut near: [Vec<u32>; LANES] = Default::default();
        let joins_another = self.b.is_some();
        for neighbours in rows.chunks(LANES) {
            control.proceed()?;
            second.near((first, neighbours), self.nearness.margin, |lane, other| {
                // Whether a row comes later is as good as random: no branch on it.
                let near = &mut near[lane];
                let count = near.len() + usize::from(joins_another | (other > neighbours[lane]));
                near.push(other);
                near.truncate(count);
            });
            for (&row, near) in neighbours.iter().zip(&mut near) {
                near.sort_unstable();
                candidates.extend(near.drain(..).map(|other| [row, other]));
            }
            if candidates.len() >= CHUNK {
                self.decide(&mut candidates, control, &mut pairs)?;
            }
        }
        self.decide(&mut candidates, control, &mut pairs)?;
        pairs.shrink_to_fit();
        Ok(pairs)
    }

    /// Moves the candidates that are pairs to these.
    fn decide(
        &self,
        candidates: &mut IndexPairs,
        control: &CancelToken,
        pairs: &mut IndexPairs,
    ) -> Result<(), Stop> {
        if !self.nearness.exact {
            pairs.append(candidates);
            return Ok(());
        }
        let are_at_rest = self.a.velocity.is_none() && self.others().velocity.is_none();
        for chunk in candidates.chunks(CHUNK) {
            let mut are_near = vec![0; chunk.len()];
            if !are_at_rest {
                self.answer_moving(chunk, control, &mut are_near)?;
            } else if self.nearness.margin > 0.0 {
                self.answer(WithinDistanceQuery, chunk, control, &mut are_near)?;
            } else {
                self.answer(IntersectsQuery, chunk, control, &mut are_near)?;
            }
            let answered = chunk.iter().zip(are_near);
            pairs.extend(answered.filter_map(|(&pair, is_near)| (is_near != 0).then_some(pair)));
        }
        candidates.clear();
        Ok(())
    }

    /// The polygons of the second index of a pair.
    fn others(&self) -> &MovingColumn {
        self.b.as_ref().unwrap_or(&self.a)
    }

    /// Answers a query about the polygons of each pair, and the margin as a radius.
    fn answer<Q: TileQuery<2, Answer = bool>>(
        &self,
        query: Q,
        pairs: &[[u32; 2]],
        control: &CancelToken,
        answers: &mut [u8],
    ) -> Result<(), Stop> {
        let polygons = |name, column: &Arc<Column>, side: usize| {
            let rows: Vec<_> = pairs.iter().map(|pair| i64::from(pair[side])).collect();
            let rows = Rows::Picked(Arc::new(rows), column.len());
            Source::new(name, vec![pairs.len()], column.clone(), rows)
        };
        let (a, b) = (&self.a.column, &self.others().column);
        let center: Shared<Point> = Arc::new([Point::ORIGIN]);
        let radius: Shared<f64> = Arc::new([self.nearness.margin]);
        let batch = QueryBatch {
            query,
            polygons: [polygons("a", a, 0), polygons("b", b, 1)],
            circle: Some((
                Source::new("center", Vec::new(), center, Rows::One),
                Source::new("margin", Vec::new(), radius, Rows::One),
            )),
            velocity: None,
            len: pairs.len(),
            check: false,
        };
        let mut table = OutputTable {
            first: 0,
            rows: pairs.len(),
            columns: vec![(bool::TRUTH, OutputColumn::Bool(answers))],
            valid: None,
        };
        batch.fill(&mut table, OnInvalid::Mask, control)
    }

    /// Whether the polygons of each pair come within the margin while they move.
    fn answer_moving(
        &self,
        pairs: &[[u32; 2]],
        control: &CancelToken,
        answers: &mut [u8],
    ) -> Result<(), Stop> {
        let (others, mut last) = (self.others(), None);
        for (&[row, other], answer) in pairs.iter().zip(answers) {
            control.proceed()?;
            let [row, other] = [row as usize, other as usize];
            if last.as_ref().is_none_or(|(last, _)| *last != row) {
                last = Some((row, self.a.column.view().polygon(row)));
            }
            let polygon = last.as_ref().and_then(|(_, polygon)| polygon.as_ref());
            let other_polygon = others.column.view().polygon(other);
            if let Some((a, b)) = polygon.zip(other_polygon.as_ref()) {
                let [own, theirs] = [self.a.velocity(row), others.velocity(other)];
                let tip = |vector: Vec2| Point::new(vector.x, vector.y);
                let path = (own != theirs).then(|| Edge::new(tip(theirs), tip(own)));
                *answer = u8::from(shape::comes_within(a, b, path, self.nearness.margin));
            }
        }
        Ok(())
    }
}

/// The pairs in order, if those of one row follow each other in order already.
fn by_first_row(pieces: &[IndexPairs], rows: usize) -> IndexPairs {
    let mut next = vec![0; rows + 1];
    for &[row, _] in pieces.iter().flatten() {
        next[row as usize + 1] += 1;
    }
    for row in 0..rows {
        next[row + 1] += next[row];
    }
    let mut pairs = vec![[0; 2]; next[rows]];
    for pair in pieces.iter().flatten() {
        let place = &mut next[pair[0] as usize];
        pairs[*place] = *pair;
        *place += 1;
    }
    pairs
}
