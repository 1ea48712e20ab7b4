//! A join in chunks of bounded size, in the order of the rows.

use super::PairLimit;
use crate::batch::memory::{self, OutOfMemory};
use crate::batch::thread_pool;
use crate::batch::{CancelToken, IndexPairs, Join, MovingColumn, OperandRows, Stop, TurnRows};
use crate::broad::{RowMotions, row_number};

/// A join whose pairs are taken chunk by chunk.
#[derive(Debug)]
pub struct ChunkedJoin {
    join: Join,
    /// How the rows move: found with the first pairs.
    motions: Option<(RowMotions, Option<RowMotions>)>,
    /// The first row of `a` that is not joined yet.
    row: usize,
    /// Pairs of earlier rows that are still to be taken, in order.
    found: IndexPairs,
    /// Rows that a thread joins at a time, adapted to the pairs that rows have.
    share: usize,
}

/// Shares per thread: enough to balance the load.
const SHARES: usize = 4;

/// Rows that are joined together: a share may exceed the wanted number by the pairs of this many rows.
const GROUP: usize = 32;

/// Largest share: more rows would hardly be cheaper to take.
const MOST_ROWS: usize = 4096;

impl ChunkedJoin {
    /// A join of which nothing is taken.
    ///
    /// # Errors
    ///
    /// If there is no memory for copies of how the shapes move.
    pub fn new(join: Join) -> Result<Self, OutOfMemory> {
        // The caller's arrays may change between two chunks.
        let owned = |column: MovingColumn| {
            Ok(MovingColumn {
                velocity: column.velocity.map(OperandRows::owned).transpose()?,
                turns: column.turns.map(TurnRows::owned).transpose()?,
                column: column.column,
            })
        };
        let join = Join {
            a: owned(join.a)?,
            b: join.b.map(owned).transpose()?,
            margin: join.margin.owned()?,
            exact: join.exact,
            predicate: join.predicate,
            groups: join.groups,
            in_order: true,
        };
        Ok(Self {
            motions: None,
            join,
            row: 0,
            found: IndexPairs::new(),
            share: 64,
        })
    }

    /// The rows of `a` that are joined, and all of them.
    pub fn progress(&self) -> (usize, usize) {
        (self.row, self.join.a.column.len())
    }

    /// The pairs of as many further rows as have at least `least` pairs, or of all that are left;
    /// none at the end.
    ///
    /// # Errors
    ///
    /// If cancelled, or if there is no memory for them.
    pub fn take(
        &mut self,
        least: usize,
        threads: usize,
        control: &CancelToken,
    ) -> Result<IndexPairs, Stop> {
        let least = least.max(1);
        while self.found.len() < least && self.row < self.join.a.column.len() {
            self.join_more(least, threads, control)?;
        }
        let Some([last, _]) = self.found.get(least - 1) else {
            return Ok(std::mem::take(&mut self.found));
        };
        let end = self.found.partition_point(|[row, _]| row <= last);
        memory::check((self.found.len() - end).saturating_mul(size_of::<[u32; 2]>()))?;
        let rest = self.found.split_off(end);
        Ok(std::mem::replace(&mut self.found, rest))
    }

    /// Joins a few shares of rows. A share ends where it has `least` pairs; the shares after it are
    /// joined again.
    fn join_more(
        &mut self,
        least: usize,
        threads: usize,
        control: &CancelToken,
    ) -> Result<(), Stop> {
        let (join, total) = (&self.join, self.join.a.column.len());
        let motions = match self.motions.take() {
            Some(motions) => motions,
            None => join.motions()?,
        };
        let boxes = join.moving_boxes(self.motions.insert(motions));
        let limit = PairLimit::new(usize::MAX);
        let shares = if threads == 1 { 1 } else { SHARES * threads };
        let end = total.min(self.row.saturating_add(self.share.saturating_mul(shares)));
        let joined = |first: usize| {
            let mut pairs = IndexPairs::new();
            let end = end.min(first + self.share);
            for start in (first..end).step_by(GROUP) {
                let rows: Vec<u32> = (start..end.min(start + GROUP)).map(row_number).collect();
                let found = join.join_rows(&rows, boxes, &limit, 1, control)?;
                memory::reserve(&mut pairs, found.len())?;
                pairs.extend(found);
                if pairs.len() >= least {
                    return Ok((pairs, end.min(start + GROUP)));
                }
            }
            Ok((pairs, end))
        };
        let firsts = (self.row..end).step_by(self.share).collect();
        let pieces: Result<Vec<_>, Stop> = thread_pool::map(firsts, threads, joined);
        let (start, mut count) = (self.row, 0);
        for (pairs, end_of_share) in pieces? {
            let is_whole = end_of_share == end.min(self.row + self.share);
            count += pairs.len();
            // Without memory for the pairs their rows are still to be joined.
            memory::reserve(&mut self.found, pairs.len())?;
            self.found.extend(pairs);
            self.row = end_of_share;
            if !is_whole {
                break;
            }
        }
        // As many rows as would have all the pairs wanted, were they like these.
        let wanted = least.saturating_mul(self.row - start) / (shares * count.max(1));
        self.share = wanted.clamp(1, MOST_ROWS).min(2 * self.share);
        Ok(())
    }
}
