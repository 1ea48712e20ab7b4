//! Questions about convex rings too long for tiles: row by row, but without making polygons.

use crate::batch::column::Table;
use crate::batch::kernels::{Open, PairNoun};
use crate::batch::operand::{Items, Strands};
use crate::batch::record::Record;
use crate::convex::{self, Convexity, Ring};
use crate::geom::{Bounds, Point, Vec2};

/// Walks through those rows of an operand that are convex rings beyond doubt; one that is used
/// again at once is not looked at again.
struct Cursor<'s, 'a> {
    strands: &'s Strands<'a>,
    place: usize,
    found: Option<(&'a [Point], Convexity)>,
    ring: Option<Ring<'a>>,
}

impl<'s, 'a> Cursor<'s, 'a> {
    fn new(strands: &'s Strands<'a>) -> Self {
        Self {
            strands,
            place: usize::MAX,
            found: None,
            ring: None,
        }
    }

    /// Goes to a row. The box round its ring, if that is known to be convex and long.
    #[inline]
    fn seek(&mut self, row: usize) -> Option<Bounds> {
        let place = self.strands.place(row);
        if place != self.place {
            self.place = place;
            self.ring = None;
            self.found = self.strands.ring(row).and_then(|(ring, winding)| {
                let convexity = match winding {
                    Some(clockwise) => Convexity {
                        clockwise,
                        bounds: self.strands.known_bounds(row),
                    },
                    None => convex::certainly_convex(ring)?,
                };
                Some((ring, convexity))
            });
        }
        self.found.and_then(|(_, convexity)| convexity.bounds)
    }

    /// The ring of the row.
    #[inline]
    fn ring(&mut self) -> Option<&Ring<'a>> {
        let (ring, convexity) = self.found?;
        Some(
            self.ring
                .get_or_insert_with(|| Ring::known(ring, convexity)),
        )
    }
}

/// Two operands and a displacement.
pub(super) struct LongPairs<'s, 'a> {
    pub(super) a: &'s Strands<'a>,
    pub(super) b: &'s Strands<'a>,
    pub(super) velocity: Option<&'s Items<'a, Vec2>>,
    /// The fields that are wanted.
    pub(super) fields: &'s [usize],
}

impl LongPairs<'_, '_> {
    /// Answers those of the open rows that it can.
    pub(super) fn settle<K: PairNoun>(&self, noun: &K, table: &mut Table<'_>, open: &mut Open) {
        let mut cursors = [Cursor::new(self.a), Cursor::new(self.b)];
        open.retain(|&row| match self.answer(noun, &mut cursors, row) {
            Some(answer) => {
                table.answer(row, |field| answer.value(field));
                false
            }
            None => true,
        });
    }

    #[inline(always)]
    fn answer<K: PairNoun>(
        &self,
        noun: &K,
        [a, b]: &mut [Cursor<'_, '_>; 2],
        row: usize,
    ) -> Option<K::Answer> {
        let velocity = match self.velocity {
            None => Vec2::ZERO,
            Some(velocity) => velocity.at(row),
        };
        if !velocity.is_finite() {
            return None;
        }
        let of_boxes = |boxes| noun.of_boxes(boxes, velocity, self.fields);
        // Where boxes that are kept answer, the vertices need not be fetched from memory.
        let kept = self.a.known_bounds(row).zip(self.b.known_bounds(row));
        if let Some(answer) = kept.and_then(|(a, b)| of_boxes([a, b])) {
            return Some(answer);
        }
        let found = a.seek(row).zip(b.seek(row));
        if kept.is_none()
            && let Some(answer) = found.and_then(|(a, b)| of_boxes([a, b]))
        {
            return Some(answer);
        }
        noun.convex(a.ring()?, b.ring()?, velocity, self.fields)
    }
}
