//! Two quadrilaterals, the most usual shapes: a vertex and the edge from it in each lane.

use fearless_simd::{f64x8, mask64x8, prelude::*};

use super::axis::{Axis, LeastOverlap};
use super::intersects::verdict;
use super::sat::{self, FilteredSat, clear_sat};
use super::support::{EdgeSupport, SupportTable, Verdict};
use super::swept_collision::{FilteredSweep, swept_collision};
use crate::geom::{Point, Vec2};
use crate::predicates::error_bounds::box_error;
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// A number per vertex: those of a, then those of b.
type Lane<S> = f64x8<S>;

/// What there is to know of the edges of two rings.
pub(super) struct QuadPair<'r, S: Simd> {
    rings: [&'r [Point; 4]; 2],
    /// The edges from each vertex and to it.
    edges: Vectors<Lane<S>>,
    before: Vectors<Lane<S>>,
    /// The same as in [`EdgeSupport`].
    starts: Vectors<Lane<S>>,
    directions: Vectors<Lane<S>>,
    overlaps: Lane<S>,
    size: Vectors<f64>,
    error: f64,
}

impl<'r, S: Simd> QuadPair<'r, S> {
    /// Looks at every edge and every vertex.
    #[inline(always)]
    fn new(simd: S, rings: [&'r [Point; 4]; 2]) -> Self {
        let [[p, q, r, s], [t, u, v, w]] = [*rings[0], *rings[1]];
        let here = abreast(simd, [p, q, r, s, t, u, v, w]);
        let edges = abreast(simd, [q, r, s, p, u, v, w, t]) - here;
        let before = here - abreast(simd, [s, p, q, r, w, t, u, v]);
        let origin = abreast(simd, [p; 8]);
        let starts = here - origin;
        // How deep a vertex of the other ring lies behind each edge.
        let [first, second, third, fourth] = [
            edges.cross(abreast(simd, [t, t, t, t, p, p, p, p]) - origin),
            edges.cross(abreast(simd, [u, u, u, u, q, q, q, q]) - origin),
            edges.cross(abreast(simd, [v, v, v, v, r, r, r, r]) - origin),
            edges.cross(abreast(simd, [w, w, w, w, s, s, s, s]) - origin),
        ];
        // The larger of pairs, and of pairs of these, so that fewer wait for one another.
        let deepest = first.larger(second).larger(third.larger(fourth));
        let zero = deepest.all(0.0);
        let is_of_a = mask64x8::from_bitmask(simd, 0x0f);
        let directions = edges.map(|component| is_of_a.choose(zero - component, component));
        let size = extreme(rings, f64::larger) - extreme(rings, f64::smaller);
        Self {
            rings,
            edges,
            before,
            starts,
            directions,
            overlaps: deepest - edges.cross(starts),
            size,
            error: box_error(size, size),
        }
    }

    /// Which of the rings run clockwise, if each certainly turns to one side at every vertex: four
    /// turns to one side, each by less than half a turn, go round once.
    #[inline(always)]
    fn are_clockwise(&self) -> Option<[bool; 2]> {
        let turns = self.before.cross(self.edges);
        let error = turns.all(self.error);
        let left = turns.above(error).to_bitmask();
        let right = (error.all(0.0) - error).above(turns).to_bitmask();
        match (left, right) {
            (0xff, _) => Some([false, false]),
            (0xf0, 0x0f) => Some([true, false]),
            (0x0f, 0xf0) => Some([false, true]),
            (_, 0xff) => Some([true, true]),
            _ => None,
        }
    }

    /// What [`LeastOverlap::of`] finds, in the same order: each lane with that four lanes on, the pairs
    /// of these, and the two that are left.
    #[inline(always)]
    fn shallowest(&self) -> LeastOverlap<f64> {
        let error = self.overlaps.all(self.error);
        let all = LeastOverlap::first(Axis::new(self.directions, self.overlaps, error));
        let rows = all.with(&all.moved([4, 5, 6, 7, 0, 1, 2, 3]));
        let pairs = rows.with(&rows.moved([1, 0, 3, 2, 5, 4, 7, 6]));
        pairs
            .with(&pairs.moved([2, 3, 0, 1, 6, 7, 4, 5]))
            .in_first()
    }

    /// The edges as those of any rings are kept.
    #[inline(always)]
    fn reaches(&self) -> [EdgeSupport<f64>; 8] {
        let arrays = |vectors: Vectors<Lane<S>>| [vectors.x.to_array(), vectors.y.to_array()];
        let (directions, starts) = (arrays(self.directions), arrays(self.starts));
        let overlaps = self.overlaps.to_array();
        let mut reaches = [EdgeSupport::room(0.0); 8];
        for (lane, reach) in reaches.iter_mut().enumerate() {
            let of_lane = |[x, y]: [[f64; 8]; 2]| Vectors {
                x: x[lane],
                y: y[lane],
            };
            *reach = EdgeSupport {
                overlap: overlaps[lane],
                direction: of_lane(directions),
                start: of_lane(starts),
            };
        }
        reaches
    }

    /// Looks at two rings, counterclockwise, as at any others.
    #[inline(always)]
    pub(super) fn looked_at<T>(
        simd: S,
        rings: [&'r [Point; 4]; 2],
        query: impl FnOnce(&SupportTable<'_, f64, [Point]>) -> T,
    ) -> T {
        let quads = Self::new(simd, rings);
        query(&quads.table(&quads.reaches()))
    }

    /// The table of both rings.
    #[inline(always)]
    fn table<'f>(&'f self, reaches: &'f [EdgeSupport<f64>]) -> SupportTable<'f, f64, [Point]> {
        SupportTable {
            rings: [self.rings[0], self.rings[1]],
            reaches,
            size: self.size,
            error: self.error,
        }
    }
}

/// The corner of the box round two rings that holds the larger, or the smaller, of all coordinates.
#[inline(always)]
fn extreme(rings: [&[Point; 4]; 2], pick: impl Fn(f64, f64) -> f64 + Copy) -> Vectors<f64> {
    let [[p, q, r, s], [t, u, v, w]] = [*rings[0], *rings[1]];
    let [p, q, r, s] = [p.into(), q.into(), r.into(), s.into()];
    let [t, u, v, w] = [t.into(), u.into(), v.into(), w.into()];
    let of_a = Vectors::with(p, q, pick).with(Vectors::with(r, s, pick), pick);
    let of_b = Vectors::with(t, u, pick).with(Vectors::with(v, w, pick), pick);
    of_a.with(of_b, pick)
}

/// A vertex per lane.
#[inline(always)]
fn abreast<S: Simd>(simd: S, [p, q, r, s, t, u, v, w]: [Point; 8]) -> Vectors<Lane<S>> {
    Vectors {
        x: Lane::simd_from(simd, [p.x, q.x, r.x, s.x, t.x, u.x, v.x, w.x]),
        y: Lane::simd_from(simd, [p.y, q.y, r.y, s.y, t.y, u.y, v.y, w.y]),
    }
}

impl<S: Simd> LeastOverlap<Lane<S>> {
    /// To each lane what another has.
    #[inline(always)]
    fn moved(&self, from: [usize; 8]) -> Self {
        let axis = &self.axis;
        let is_tied = self
            .is_tied
            .choose(axis.error.all(1.0), axis.error.all(0.0));
        Self {
            axis: Axis {
                direction: Vectors {
                    x: moved(axis.direction.x, from),
                    y: moved(axis.direction.y, from),
                },
                overlap: moved(axis.overlap, from),
                error: axis.error,
                square: moved(axis.square, from),
                length_squared: moved(axis.length_squared, from),
            },
            is_tied: moved(is_tied, from).above(axis.error.all(0.0)),
            overlap: moved(self.overlap, from),
            shortest: moved(self.shortest, from),
        }
    }

    /// What the first lane has.
    #[inline(always)]
    fn in_first(&self) -> LeastOverlap<f64> {
        let axis = &self.axis;
        LeastOverlap {
            axis: Axis {
                direction: Vectors {
                    x: first(axis.direction.x),
                    y: first(axis.direction.y),
                },
                overlap: first(axis.overlap),
                error: first(axis.error),
                square: first(axis.square),
                length_squared: first(axis.length_squared),
            },
            is_tied: self.is_tied.to_bitmask() & 1 == 1,
            overlap: first(self.overlap),
            shortest: first(self.shortest),
        }
    }
}

/// The number in the first lane.
#[inline(always)]
fn first<S: Simd>(lanes: Lane<S>) -> f64 {
    lanes.to_array()[0]
}

/// To each lane the number of another.
#[inline(always)]
fn moved<S: Simd>(lanes: Lane<S>, [a, b, c, d, e, f, g, h]: [usize; 8]) -> Lane<S> {
    let it = lanes.to_array();
    let moved = [it[a], it[b], it[c], it[d], it[e], it[f], it[g], it[h]];
    Lane::simd_from(lanes.simd, moved)
}

/// A ring as it runs counterclockwise.
#[inline(always)]
fn leftward(ring: &[Point; 4], is_clockwise: bool) -> [Point; 4] {
    let [p, q, r, s] = *ring;
    if is_clockwise { [s, r, q, p] } else { *ring }
}

/// Asks a query of two rings of either winding, of which nothing is known. None if they are not
/// two quadrilaterals that are convex beyond doubt.
#[inline(always)]
fn ask<T>([a, b]: [&[Point]; 2], query: impl QuadQuery<T>) -> Option<T> {
    let rings: [&[Point; 4]; 2] = [a.try_into().ok()?, b.try_into().ok()?];
    with_instructions!(simd => {
        let mut quads = QuadPair::new(simd, rings);
        let clockwise = quads.are_clockwise()?;
        let turned;
        if clockwise != [false; 2] {
            turned = [
                leftward(rings[0], clockwise[0]),
                leftward(rings[1], clockwise[1]),
            ];
            quads = QuadPair::new(simd, [&turned[0], &turned[1]]);
        }
        query.ask(&quads)
    })
}

/// A query about two quadrilaterals that floats may leave open.
trait QuadQuery<T> {
    fn ask<S: Simd>(self, quads: &QuadPair<'_, S>) -> Option<T>;
}

struct QuadIntersects;

impl QuadQuery<bool> for QuadIntersects {
    #[inline(always)]
    fn ask<S: Simd>(self, quads: &QuadPair<'_, S>) -> Option<bool> {
        let rings: [&[Point]; 2] = [quads.rings[0], quads.rings[1]];
        let Verdict { yes, no } = verdict(rings, quads.size, quads.overlaps.reduce_min());
        (yes | no).then_some(yes)
    }
}

struct QuadSat;

impl QuadQuery<FilteredSat<f64>> for QuadSat {
    #[inline(always)]
    fn ask<S: Simd>(self, quads: &QuadPair<'_, S>) -> Option<FilteredSat<f64>> {
        let least = quads.shallowest();
        // Most often the edges need not be looked at again.
        let sat = clear_sat(&quads.table(&[]), &least);
        if sat.is_certain {
            return Some(sat);
        }
        let (sat, _) = sat::sat(&quads.table(&quads.reaches()));
        Some(sat).filter(|sat| sat.is_certain)
    }
}

struct QuadSweep(Vec2);

impl QuadQuery<FilteredSweep<f64>> for QuadSweep {
    #[inline(always)]
    fn ask<S: Simd>(self, quads: &QuadPair<'_, S>) -> Option<FilteredSweep<f64>> {
        let velocity = Vectors::from(self.0);
        let speed = velocity.map(f64::abs);
        let sweep = swept_collision(&quads.table(&quads.reaches()), velocity, speed, true);
        Some(sweep).filter(|sweep| sweep.is_certain)
    }
}

/// Whether two quadrilaterals intersect, if floats can tell, and that they are convex.
#[inline]
pub(crate) fn certainly_intersect(rings: [&[Point]; 2]) -> Option<bool> {
    ask(rings, QuadIntersects)
}

/// The same for their overlap.
#[inline]
pub(crate) fn certain_sat(rings: [&[Point]; 2]) -> Option<FilteredSat<f64>> {
    ask(rings, QuadSat)
}

/// The same for the first one's motion by a velocity.
#[inline]
pub(crate) fn certain_sweep(rings: [&[Point]; 2], velocity: Vec2) -> Option<FilteredSweep<f64>> {
    ask(rings, QuadSweep(velocity))
}
