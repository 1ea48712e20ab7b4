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
use crate::geom::{Motion, Point, Vec2};
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

/// The most rows that a thread joins at a time: enough that the cost of taking them vanishes, few
/// enough to balance the load.
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
        let is_same = exact || margin == 0.0 && self.is_at_rest();
        self.b.as_ref().is_some_and(|b| fewer(b) && is_same)
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
        let pairs = by_first_row(&pieces, searching.column.len());
        drop(pieces);
        if !self.is_swapped() {
            return Ok(pairs);
        }
        let swapped = pairs.into_iter().map(|[row, other]| [other, row]).collect();
        Ok(by_first_row(&[swapped], searched.column.len()))
    }

    /// The pairs of these rows; those of one row follow each other, in order.
    fn join_rows(
        &self,
        rows: &[u32],
        [first, second]: [&MovingBoxes<'_>; 2],
        threads: usize,
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
                self.decide(&mut candidates, threads, control, &mut pairs)?;
            }
        }
        self.decide(&mut candidates, threads, control, &mut pairs)?;
        pairs.shrink_to_fit();
        Ok(pairs)
    }

    /// Moves the candidates that are pairs to these.
    fn decide(
        &self,
        candidates: &mut IndexPairs,
        threads: usize,
        control: &CancelToken,
        pairs: &mut IndexPairs,
    ) -> Result<(), Stop> {
        if !self.nearness.exact {
            pairs.append(candidates);
            return Ok(());
        }
        let near = |chunk: &[[u32; 2]]| self.near(chunk, control);
        if threads == 1 || candidates.len() < 4 * CHUNK {
            for chunk in candidates.chunks(CHUNK) {
                pairs.extend(near(chunk)?);
            }
        } else {
            // A row near many others: it may be the only one.
            let decided = candidates.par_chunks(CHUNK).map(near);
            pairs.extend(decided.collect::<Result<Vec<_>, _>>()?.concat());
        }
        candidates.clear();
        Ok(())
    }

    /// Those of the candidates that are pairs.
    fn near(&self, candidates: &[[u32; 2]], control: &CancelToken) -> Result<IndexPairs, Stop> {
        let mut are_near = vec![0; candidates.len()];
        if !self.is_at_rest() {
            self.answer_moving(candidates, control, &mut are_near)?;
        } else if self.nearness.margin > 0.0 {
            self.answer(WithinDistanceQuery, candidates, control, &mut are_near)?;
        } else {
            self.answer(IntersectsQuery, candidates, control, &mut are_near)?;
        }
        let answered = candidates.iter().zip(are_near);
        let near = answered.filter_map(|(&pair, is_near)| (is_near != 0).then_some(pair));
        Ok(near.collect())
    }

    fn is_at_rest(&self) -> bool {
        let of_b = self.b.as_ref().and_then(|b| b.velocity.as_ref());
        self.a.velocity.is_none() && of_b.is_none()
    }

    /// Answers a query about the shapes of each pair and the margin.
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
        let [a, b] = self.sides().map(|side| &side.column);
        let margin: Shared<f64> = Arc::new([self.nearness.margin]);
        let batch = QueryBatch {
            query,
            polygons: [polygons("a", a, 0), polygons("b", b, 1)],
            circle: None,
            velocity: None,
            margin: Some(Source::new("margin", Vec::new(), margin, Rows::One))
                .filter(|margin| !margin.is_zero()),
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
        let ([searching, others], mut last) = (self.sides(), None);
        for (&[row, other], answer) in pairs.iter().zip(answers) {
            control.proceed()?;
            let [row, other] = [row as usize, other as usize];
            if last.as_ref().is_none_or(|(last, _)| *last != row) {
                last = Some((row, searching.column.view().polygon(row)));
            }
            let polygon = last.as_ref().and_then(|(_, polygon)| polygon.as_ref());
            let other_polygon = others.column.view().polygon(other);
            if let Some((a, b)) = polygon.zip(other_polygon.as_ref()) {
                let [own, theirs] = [searching.velocity(row), others.velocity(other)];
                let tip = |vector: Vec2| Point::new(vector.x, vector.y);
                let velocity = (own != theirs).then(|| Motion::between(tip(theirs), tip(own)));
                *answer = u8::from(shape::comes_within(a, b, velocity, self.nearness.margin));
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
