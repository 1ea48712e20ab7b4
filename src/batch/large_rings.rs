//! Questions about convex rings too long for tiles: row by row, but without making polygons.

use crate::batch::output::OutputTable;
use crate::batch::polygon_queries::PolygonQuery;
use crate::batch::result::QueryResult;
use crate::batch::rows::{ItemRows, RingRows};
use crate::batch::tile_io::Open;
use crate::convex::{self, Convexity, Ring};
use crate::geom::{Bounds, Point, Vec2};
use crate::simd::lanes::Vectors;

/// Walks through those rows of an operand that are convex rings beyond doubt; one that is used
/// again at once is not looked at again.
struct Cursor<'s, 'a> {
    ring_rows: &'s RingRows<'a>,
    place: usize,
    found: Option<(&'a [Point], Convexity)>,
    ring: Option<Ring<'a>>,
}

impl<'s, 'a> Cursor<'s, 'a> {
    fn new(ring_rows: &'s RingRows<'a>) -> Self {
        Self {
            ring_rows,
            place: usize::MAX,
            found: None,
            ring: None,
        }
    }

    /// Goes to a row. The box round its ring, if that is known to be convex and long.
    #[inline]
    fn seek(&mut self, row: usize) -> Option<Bounds> {
        let place = self.ring_rows.place(row);
        if place != self.place {
            self.place = place;
            self.ring = None;
            self.found = self.ring_rows.ring(row).and_then(|(ring, winding)| {
                let convexity = match winding {
                    Some(clockwise) => Convexity {
                        clockwise,
                        bounds: self.ring_rows.known_bounds(row),
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
pub(super) struct LargeRingPairs<'s, 'a> {
    pub(super) a: &'s RingRows<'a>,
    pub(super) b: &'s RingRows<'a>,
    pub(super) velocity: Option<&'s ItemRows<'a, Vec2>>,
    /// The fields that are wanted.
    pub(super) fields: &'s [usize],
}

impl LargeRingPairs<'_, '_> {
    /// Answers those of the open rows that it can.
    pub(super) fn settle<K: PolygonQuery>(
        &self,
        query: &K,
        table: &mut OutputTable<'_>,
        open: &mut Open,
    ) {
        let mut cursors = [Cursor::new(self.a), Cursor::new(self.b)];
        let is_told_apart = K::is_told_apart(self.fields);
        open.retain(|&row| {
            let [a, b] = &mut cursors;
            let Some(velocity) = self.velocity(row) else {
                return true;
            };
            let boxes = a.seek(row).zip(b.seek(row));
            if is_told_apart
                && let Some((a, b)) = boxes
                && convex::filter::apart([corners(a), corners(b)], Some(velocity.into()))
            {
                table.answer(row, |field| K::of_apart(field).expect("as was found above"));
                return false;
            }
            let (Some(a), Some(b)) = (a.ring(), b.ring()) else {
                return true;
            };
            let answer = query.convex(a, b, velocity, self.fields);
            if let Some(answer) = &answer {
                table.answer(row, |field| answer.value(field));
            }
            answer.is_none()
        });
    }

    /// The displacement in a row, if it is finite.
    #[inline]
    fn velocity(&self, row: usize) -> Option<Vec2> {
        let velocity = self
            .velocity
            .map_or(Vec2::ZERO, |velocity| velocity.at(row));
        velocity.is_finite().then_some(velocity)
    }
}

fn corners(bounds: Bounds) -> [Vectors<f64>; 2] {
    [bounds.min.into(), bounds.max.into()]
}
