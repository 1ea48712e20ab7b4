//! Joins: the pairs of rows of two columns, or of one, that come near each other. Rows at rest, moving
//! and turning are one join, which differs in the boxes and in the last question alone. The file is long because
//! candidates are found, collected and decided in different ways for few and for many of a row.

pub mod chunked_join;
pub(super) mod moving_column;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::memory::{self, OutOfMemory};
use super::queries::shape_queries::{IntersectsQuery, WithinDistanceQuery};
use super::thread_pool;
use super::{
    ArgumentRow, CancelToken, Column, InvalidRow, MovingColumn, OnInvalid, OperandRows,
    OutputColumn, OutputTable, Query, QueryBatch, QueryOperands, QueryResult, Rows, Shared, Stop,
    TileQuery,
};
use crate::broad::{MovingBoxes, NO_GROUP, RowMotions, relative};
use crate::geom::{Bounds, Circle, Point};
use crate::shape::{self, Predicate, RelativeMotion, ShapeKind};
use crate::simd::load::{LANES, MOST_IN_A_TILE};

/// A join of two columns, or of one with itself.
#[derive(Debug)]
pub struct Join {
    /// Rows of the first index of a pair.
    pub a: MovingColumn,
    /// Rows of the second index; `None`: later rows of `a`.
    pub b: Option<MovingColumn>,
    /// The largest distance of a pair, for each row of `a`.
    pub margin: OperandRows<Shared<f64>>,
    /// Whether the shapes must be within the margin, or only their bounding boxes.
    pub exact: bool,
    /// The predicate of a pair; one other than [`Predicate::Intersects`] only without margin, radii and motion.
    pub predicate: Predicate,
    /// The groups of the rows of `a` and of `b`, numbered from 0, if only rows of the same group are pairs; those
    /// with [`u32::MAX`] are in none.
    pub groups: Option<[Vec<u32>; 2]>,
    /// Whether the rows of `a` are searched for in their order, and never those of `b`.
    pub in_order: bool,
}

/// The most rows that a thread joins at a time: enough that the cost of taking them vanishes, few
/// enough to balance the load.
const SHARE: usize = 512;

/// Candidates that are decided together: enough that the cost of a query about many rows vanishes, few
/// enough that they stay in the first-level cache.
const CHUNK: usize = 1024;

/// Points near a row that are decided together, apart from the candidates of other rows: enough that
/// locating all of them at once pays.
const LOCATED: usize = 16;

/// Candidates of eight rows after which a search looks whether it is cancelled and whether memory is left.
const MANY: usize = 1 << 14;

/// Pairs of a row of `a` and a row of `b`.
pub type IndexPairs = Vec<[u32; 2]>;

/// The largest number of pairs allowed, and the number found so far.
#[derive(Debug)]
pub(crate) struct PairLimit {
    most: usize,
    found: AtomicUsize,
}

impl PairLimit {
    /// A limit of `most` pairs.
    pub(crate) fn new(most: usize) -> Self {
        let found = AtomicUsize::new(0);
        Self { most, found }
    }

    /// Counts more pairs.
    pub(crate) fn count(&self, more: usize) -> Result<(), Stop> {
        let found = self.found.fetch_add(more, Ordering::Relaxed) + more;
        let most = self.most;
        if found > most {
            return Err(Stop::TooManyPairs { most, found });
        }
        Ok(())
    }
}

impl Join {
    /// Whether a single pair may take seconds.
    pub fn is_slow(&self) -> bool {
        let (a, b) = (&self.a, self.b.as_ref().unwrap_or(&self.a));
        let vertices = a.column.longest() + b.column.longest();
        let mut turns = [&a.turns, &b.turns].into_iter().flatten();
        turns.any(|turns| turns.are_slow(vertices))
    }

    /// The column whose rows are searched for, and the one whose tree is searched. The first has
    /// fewer rows: the cost grows with their number, but with the logarithm of the others'.
    fn sides(&self) -> [&MovingColumn; 2] {
        let (a, b) = (&self.a, self.b.as_ref().unwrap_or(&self.a));
        if self.is_swapped() { [b, a] } else { [a, b] }
    }

    /// Whether the rows of `b` are searched for among those of `a`. The answer is the same, but for boxes
    /// that move or are grown, which are rounded differently.
    fn is_swapped(&self) -> bool {
        let margin = &self.margin;
        let is_same = margin.is_zero() && self.is_at_rest() || self.exact && margin.is_one();
        let fewer = |b: &MovingColumn| b.column.len() < self.a.column.len();
        !self.in_order && is_same && self.b.as_ref().is_some_and(fewer)
    }

    /// Whether nothing needs to be built first but boxes and trees of up to eight rows.
    pub fn is_prepared(&self) -> bool {
        let is_prepared = |side: &MovingColumn| side.has_boxes() || side.column.len() <= LANES;
        self.groups.is_none() && self.sides().into_iter().all(is_prepared)
    }

    /// Checks that the predicate takes all rows.
    ///
    /// # Errors
    ///
    /// [`InvalidRow::Shape`] for the first that it doesn't take; if cancelled.
    pub fn check_rows(&self, control: &CancelToken) -> Result<(), Stop> {
        let columns = [("a", Some(&self.a)), ("b", self.b.as_ref())];
        for (name, side) in columns {
            let Some(MovingColumn { column, .. }) = side.filter(|it| !it.column.are_plain()) else {
                continue;
            };
            for row in 0..column.len() {
                control.proceed()?;
                let is_doubtful = || column.kind(row) == Some(ShapeKind::MultiPath);
                if (column.radius(row) > 0.0 || is_doubtful())
                    && let Some(shape) = column.polygon(row)
                    && let Err(why) = shape::check_for(self.predicate, &shape)
                {
                    let at = ArgumentRow::row(name, &[column.len()], row);
                    return Err(Stop::Refused(row, InvalidRow::Shape(at, why)));
                }
            }
        }
        Ok(())
    }

    /// How many rows are searched for.
    pub fn searches(&self) -> usize {
        self.sides()[0].column.len()
    }

    /// All pairs, in order, found in the rayon pool that this runs in, or in the calling thread if `threads` is 1. `done`
    /// counts the [`Self::searches`] that are done. Velocities, turns and margins must be valid.
    ///
    /// # Errors
    ///
    /// If cancelled, if there are more than `most` pairs, or no memory for them.
    pub fn pairs(
        &self,
        most: usize,
        threads: usize,
        control: &CancelToken,
        done: &AtomicUsize,
    ) -> Result<IndexPairs, Stop> {
        let motions = self.motions()?;
        let boxes = self.moving_boxes(&motions);
        control.proceed()?;
        // Rows in the order of the tree: neighbours find the nodes that they need in the cache.
        let mut rows = boxes[0].rows();
        if let Some([groups, _]) = self.groups_of_sides() {
            rows.retain(|&row| groups[row as usize] != NO_GROUP);
            rows.sort_by_key(|&row| groups[row as usize]);
        }
        let limit = PairLimit::new(most);
        let share = |rows: &[u32]| {
            // Each share allocates a little.
            if rows.len() == SHARE {
                memory::headroom(0)?;
            }
            let pairs = self.join_rows(rows, boxes, &limit, threads, control);
            done.fetch_add(rows.len(), Ordering::Relaxed);
            pairs
        };
        let rows_of_share = match threads {
            1 => SHARE,
            _ => rows.len().div_ceil(4 * threads.max(1)).clamp(1, SHARE),
        };
        let shares = rows.chunks(rows_of_share).collect();
        let pieces: Result<Vec<_>, Stop> = thread_pool::map(shares, threads, share);
        let pieces = pieces?;
        drop((motions, rows));
        let [searching, searched] = self.sides();
        let pairs = by_first_row(&pieces, searching.column.len())?;
        drop(pieces);
        if !self.is_swapped() {
            return Ok(pairs);
        }
        // In place.
        let swapped = pairs.into_iter().map(|[row, other]| [other, row]).collect();
        by_first_row(&[swapped], searched.column.len())
    }

    /// How the rows of both sides move, if there is memory for that; of a column joined with itself only one.
    pub(super) fn motions(&self) -> Result<(RowMotions, Option<RowMotions>), OutOfMemory> {
        // Boxes and trees where none are kept, and of rows that move a few copies.
        let is_new = |side: &&MovingColumn| !side.has_boxes() || self.groups.is_some();
        let sides = self.sides().into_iter().filter(is_new);
        let rows: usize = sides.map(|side| side.column.len()).sum();
        memory::check(rows.saturating_mul(8 * size_of::<Bounds>()))?;
        let [searching, searched] = self.sides();
        let groups = self.groups_of_sides().map(|[_, searched]| searched);
        Ok(match self.b {
            Some(_) => (searching.motions(None), Some(searched.motions(groups))),
            None => (searching.motions(groups), None),
        })
    }

    /// The groups of the rows of [`Self::sides`], if rows have groups.
    fn groups_of_sides(&self) -> Option<[&[u32]; 2]> {
        let [a, b] = self.groups.as_ref()?;
        Some(if self.is_swapped() { [b, a] } else { [a, b] })
    }

    /// The boxes of both sides; of a column joined with itself, twice the same.
    pub(super) fn moving_boxes<'a>(
        &'a self,
        (of_searching, of_searched): &'a (RowMotions, Option<RowMotions>),
    ) -> [MovingBoxes<'a>; 2] {
        let [first, second] = self.sides().map(|side| side.column.index());
        let boxes = |index, motions| MovingBoxes { index, motions };
        let searched = of_searched.as_ref().unwrap_or(of_searching);
        [boxes(first, of_searching), boxes(second, searched)]
    }

    /// The pairs of these rows; those of one row follow each other, in order.
    pub(super) fn join_rows(
        &self,
        rows: &[u32],
        [first, second]: [MovingBoxes<'_>; 2],
        limit: &PairLimit,
        threads: usize,
        control: &CancelToken,
    ) -> Result<IndexPairs, Stop> {
        let (mut pairs, mut candidates) = (IndexPairs::new(), IndexPairs::new());
        let mut near: [Vec<u32>; LANES] = Default::default();
        let joins_another = self.b.is_some();
        let is_symmetric = self.predicate.is_symmetric();
        let is_by_boxes = self.predicate == Predicate::Intersects;
        let is_swapped = self.is_swapped();
        let is_pair = |row: u32, other: u32| {
            let mut boxes = [
                &first.index.boxes[row as usize],
                &second.index.boxes[other as usize],
            ];
            if is_swapped {
                boxes.reverse();
            }
            (joins_another | (other > row) | (!is_symmetric & (other != row)))
                && (is_by_boxes || !shape::boxes_refuse(self.predicate, boxes))
        };
        let groups = self.groups_of_sides().map(|[searching, _]| searching);
        let group = |row: u32| groups.map(|groups| groups[row as usize]);
        let alike = rows.chunk_by(|one, other| group(*one) == group(*other));
        for neighbours in alike.flat_map(|rows| rows.chunks(LANES)) {
            control.proceed()?;
            // Only a row without a shape may have another margin.
            let margin = |row| {
                Some(self.margin.at(row))
                    .filter(|&it| Circle::is_radius(it))
                    .unwrap_or(0.0)
            };
            let group = group(neighbours[0]);
            let (mut found, mut outcome) = (0, Ok(()));
            second.near((&first, neighbours), group, margin, |lane, other| {
                // Whether the rows are a pair can't be predicted, so there is no branch on it.
                let near = &mut near[lane];
                let count = near.len() + usize::from(is_pair(neighbours[lane], other));
                near.push(other);
                near.truncate(count);
                found += 1;
                if found % MANY == 0 {
                    outcome = (control.proceed()).and_then(|()| Ok(memory::headroom(0)?));
                    if outcome.is_err() {
                        return ControlFlow::Break(());
                    }
                }
                ControlFlow::Continue(())
            });
            outcome?;
            for (&row, near) in neighbours.iter().zip(&mut near) {
                near.sort_unstable();
                let are_located = self.are_located(row, near);
                if are_located {
                    self.decide(&mut candidates, limit, threads, control, &mut pairs)?;
                }
                memory::reserve(&mut candidates, near.len())?;
                candidates.extend(near.drain(..).map(|other| [row, other]));
                if are_located {
                    self.decide(&mut candidates, limit, threads, control, &mut pairs)?;
                }
            }
            if candidates.len() >= CHUNK {
                self.decide(&mut candidates, limit, threads, control, &mut pairs)?;
            }
        }
        self.decide(&mut candidates, limit, threads, control, &mut pairs)?;
        pairs.shrink_to_fit();
        Ok(pairs)
    }

    /// Whether the candidates of a row begin with a point, and are many: where they alone are decided, a
    /// query about one polygon locates them all at once.
    fn are_located(&self, row: u32, near: &[u32]) -> bool {
        let [searching, searched] = self.sides().map(|side| side.column.view());
        let is_in_tiles = |(ring, _): (&[Point], bool)| ring.len() <= MOST_IN_A_TILE;
        near.len() >= LOCATED
            && self.exact
            && searched.point(near[0] as usize).is_some()
            && !searching.convex(row as usize).is_some_and(is_in_tiles)
    }

    /// Moves the candidates that are pairs to these.
    fn decide(
        &self,
        candidates: &mut IndexPairs,
        limit: &PairLimit,
        threads: usize,
        control: &CancelToken,
        pairs: &mut IndexPairs,
    ) -> Result<(), Stop> {
        if !self.exact {
            limit.count(candidates.len())?;
            memory::reserve(pairs, candidates.len())?;
            pairs.append(candidates);
            return Ok(());
        }
        let before = pairs.len();
        let near = |chunk: &[[u32; 2]]| self.near(chunk, control);
        if threads == 1 || candidates.len() < 4 * CHUNK {
            for chunk in candidates.chunks(CHUNK) {
                let near = near(chunk)?;
                memory::reserve(pairs, near.len())?;
                pairs.extend(near);
            }
        } else {
            // A row near many others: it may be the only one.
            let decided = candidates.par_chunks(CHUNK).map(near);
            let decided = decided.collect::<Result<Vec<_>, Stop>>()?;
            memory::reserve(pairs, decided.iter().map(Vec::len).sum())?;
            pairs.extend(decided.iter().flatten());
        }
        candidates.clear();
        limit.count(pairs.len() - before)
    }

    /// Those of the candidates that are pairs.
    fn near(&self, candidates: &[[u32; 2]], control: &CancelToken) -> Result<IndexPairs, Stop> {
        let mut are_near = vec![0; candidates.len()];
        if self.predicate != Predicate::Intersects {
            self.answer_predicate(candidates, control, &mut are_near)?;
        } else if !self.is_at_rest() {
            self.answer_moving(candidates, control, &mut are_near)?;
        } else if !self.margin.is_zero() || self.has_radii() {
            self.answer(WithinDistanceQuery, candidates, control, &mut are_near)?;
        } else {
            self.answer(IntersectsQuery, candidates, control, &mut are_near)?;
        }
        let answered = candidates.iter().zip(are_near);
        let near = answered.filter_map(|(&pair, is_near)| (is_near != 0).then_some(pair));
        Ok(near.collect())
    }

    /// The margin of a pair of a row that is searched for and a row that is found.
    fn margin(&self, [row, other]: [u32; 2]) -> f64 {
        let row_of_a = if self.is_swapped() { other } else { row };
        self.margin.at(row_of_a as usize)
    }

    fn has_radii(&self) -> bool {
        self.sides().iter().any(|side| side.column.has_radii())
    }

    fn is_at_rest(&self) -> bool {
        let sides = [Some(&self.a), self.b.as_ref()];
        let mut sides = sides.into_iter().flatten();
        sides.all(|side| side.velocity.is_none() && side.turns.is_none())
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
            OperandRows::new(name, vec![pairs.len()], column.clone(), rows)
        };
        let [a, b] = self.sides().map(|side| &side.column);
        let of_a = match *pairs {
            // Candidates of one row follow each other.
            [[row, _], .., [last, _]] if row == last => {
                let row = row as usize;
                let column = Arc::new(a.slice(row..row + 1));
                OperandRows::new("a", vec![1], column, Rows::One)
            }
            _ => polygons("a", a, 0),
        };
        let margin = (!self.margin.is_zero()).then(|| {
            let margins: Vec<_> = pairs.iter().map(|pair| self.margin(*pair)).collect();
            let margins: Shared<f64> = Arc::new(margins);
            OperandRows::new("margin", vec![pairs.len()], margins, Rows::Same)
        });
        let batch = QueryBatch {
            query,
            operands: QueryOperands {
                polygons: [of_a, polygons("b", b, 1)],
                circle: None,
                velocity: None,
                margin,
                turns: [None, None],
                len: pairs.len(),
                check: false,
            },
        };
        let mut table = OutputTable {
            first: 0,
            rows: pairs.len(),
            columns: vec![(bool::TRUTH, OutputColumn::Bool(answers))],
            valid: None,
        };
        batch.fill(&mut table, OnInvalid::Mask, control)
    }

    /// Whether the predicate holds of each pair.
    fn answer_predicate(
        &self,
        pairs: &[[u32; 2]],
        control: &CancelToken,
        answers: &mut [u8],
    ) -> Result<(), Stop> {
        let columns = self.sides().map(|side| side.column.view());
        let is_swapped = self.is_swapped();
        // Pairs of one row follow each other.
        let mut last = None;
        for (&pair, answer) in pairs.iter().zip(answers) {
            control.proceed()?;
            let [row, other] = pair.map(|row| row as usize);
            if last.as_ref().is_none_or(|(last, _)| *last != row) {
                last = Some((row, columns[0].polygon(row)));
            }
            let shape = last.as_ref().and_then(|(_, shape)| shape.as_ref());
            let other = columns[1].polygon(other);
            if let Some((shape, other)) = shape.zip(other.as_ref()) {
                let mut both = [shape, other];
                if is_swapped {
                    both.reverse();
                }
                *answer = u8::from(shape::relates(both[0], both[1], self.predicate));
            }
        }
        Ok(())
    }

    /// Whether the polygons of each pair come within the margin while they move.
    fn answer_moving(
        &self,
        pairs: &[[u32; 2]],
        control: &CancelToken,
        answers: &mut [u8],
    ) -> Result<(), Stop> {
        let ([searching, others], mut last) = (self.sides(), None);
        for (&pair, answer) in pairs.iter().zip(answers) {
            control.proceed()?;
            let [row, other] = pair.map(|row| row as usize);
            if last.as_ref().is_none_or(|(last, _)| *last != row) {
                last = Some((row, searching.column.view().polygon(row)));
            }
            let polygon = last.as_ref().and_then(|(_, polygon)| polygon.as_ref());
            let other_polygon = others.column.view().polygon(other);
            if let Some((a, b)) = polygon.zip(other_polygon.as_ref()) {
                let velocity = relative(searching.velocity(row).into(), others.velocity(other));
                let motion = RelativeMotion::from(velocity);
                let motion = motion.turning([searching.turn(row), others.turn(other)]);
                *answer = u8::from(shape::comes_within(a, b, motion, self.margin(pair)));
            }
        }
        Ok(())
    }
}

/// The pairs in order, if those of one row follow each other in order already.
fn by_first_row(pieces: &[IndexPairs], rows: usize) -> Result<IndexPairs, Stop> {
    let count: usize = pieces.iter().map(Vec::len).sum();
    let bytes = count.saturating_mul(size_of::<[u32; 2]>());
    // Counting takes a pass over all rows, for 100,000 of them 260 µs. Few pairs are sorted in less time.
    if count < rows / 32 {
        memory::check(bytes)?;
        let mut pairs = pieces.concat();
        pairs.sort_unstable();
        return Ok(pairs);
    }
    memory::check(bytes.saturating_add(rows * size_of::<usize>()))?;
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
    Ok(pairs)
}
