//! Two quadrilaterals, the most usual shapes: a vertex and the edge from it in each lane.

use fearless_simd::{f64x8, prelude::*};

use super::field::{Field, Reach, Verdict, intersects};
use super::sat::{Sat, sat};
use super::sweep::{Sweep, swept_collision};
use crate::convex::ring::bounds;
use crate::geom::{Point, Vec2};
use crate::predicates::about::box_error;
use crate::predicates::instructions::with_instructions;
use crate::predicates::lanes::{Lanes, Vectors};

/// A number per vertex: those of a, then those of b.
type Lane<S> = f64x8<S>;

/// From which lane each lane takes the number of the vertex after it, of the one before it, and of
/// one of the other ring.
const NEXT: [usize; 8] = [1, 2, 3, 0, 5, 6, 7, 4];
const PREVIOUS: [usize; 8] = [3, 0, 1, 2, 7, 4, 5, 6];
const OTHER: [usize; 8] = [4, 5, 6, 7, 0, 1, 2, 3];

/// What there is to know of the edges of two rings.
pub(super) struct Quads<'r, S: Simd> {
    rings: [&'r [Point; 4]; 2],
    edges: Vectors<Lane<S>>,
    overlaps: Lane<S>,
    size: Vectors<f64>,
    error: f64,
}

impl<'r, S: Simd> Quads<'r, S> {
    /// Looks at every edge and every vertex.
    #[inline(always)]
    pub(super) fn new(simd: S, rings: [&'r [Point; 4]; 2]) -> Self {
        let [low, high] = bounds::<f64, [Point], 2>([rings[0], rings[1]]);
        let size = high - low;
        let (x, y) = vertices(simd, rings[0]).deinterleave(vertices(simd, rings[1]));
        let starts = Vectors { x, y };
        let edges = taken(starts, NEXT) - starts;
        let mut others = taken(starts, OTHER);
        let mut overlaps = edges.cross(others - starts);
        for _ in 1..4 {
            others = taken(others, NEXT);
            overlaps = overlaps.larger(edges.cross(others - starts));
        }
        Self {
            rings,
            edges,
            overlaps,
            size,
            error: box_error(size, size),
        }
    }

    /// Which of the rings run clockwise, if each certainly turns to one side at every vertex: four
    /// turns to one side, each by less than half a turn, go round once.
    #[inline(always)]
    fn are_clockwise(&self) -> Option<[bool; 2]> {
        let turns = taken(self.edges, PREVIOUS).cross(self.edges);
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

    /// The edges as those of any rings are kept: on the difference, those of a run backward.
    #[inline(always)]
    pub(super) fn reaches(&self) -> [Reach<f64>; 8] {
        let Vectors { x, y } = self.edges;
        let (x, y, overlaps) = (x.to_array(), y.to_array(), self.overlaps.to_array());
        let mut reaches = [Reach::room(0.0); 8];
        for (lane, reach) in reaches.iter_mut().enumerate() {
            let (x, y, overlap) = (x[lane], y[lane], overlaps[lane]);
            let direction = if lane < 4 {
                Vectors { x: 0.0 - x, y: 0.0 - y }
            } else {
                Vectors { x, y }
            };
            *reach = Reach { overlap, direction };
        }
        reaches
    }

    /// The field of both rings.
    #[inline(always)]
    pub(super) fn field<'f>(&'f self, reaches: &'f [Reach<f64>; 8]) -> Field<'f, f64, [Point]> {
        Field {
            rings: [self.rings[0], self.rings[1]],
            reaches,
            size: self.size,
            error: self.error,
        }
    }
}

#[inline(always)]
fn vertices<S: Simd>(simd: S, [p, q, r, s]: &[Point; 4]) -> Lane<S> {
    Lane::simd_from(simd, [p.x, p.y, q.x, q.y, r.x, r.y, s.x, s.y])
}

/// To each lane the vector of another.
#[inline(always)]
fn taken<S: Simd>(
    vectors: Vectors<Lane<S>>,
    [a, b, c, d, e, f, g, h]: [usize; 8],
) -> Vectors<Lane<S>> {
    vectors.map(
        #[inline(always)]
        |component| {
            let it = component.to_array();
            // Written out: `map` of an array may stay a call, which is compiled for no instructions.
            let taken = [it[a], it[b], it[c], it[d], it[e], it[f], it[g], it[h]];
            Lane::simd_from(component.simd, taken)
        },
    )
}

/// A ring as it runs counterclockwise.
#[inline(always)]
fn leftward(ring: &[Point; 4], is_clockwise: bool) -> [Point; 4] {
    let [p, q, r, s] = *ring;
    if is_clockwise { [s, r, q, p] } else { *ring }
}

/// Asks a question of two rings of either winding, of which nothing is known. None if they are not
/// two quadrilaterals that are convex beyond doubt.
#[inline(always)]
fn ask<T>(
    [a, b]: [&[Point]; 2],
    question: impl FnOnce(&Field<'_, f64, [Point]>) -> Option<T>,
) -> Option<T> {
    let rings: [&[Point; 4]; 2] = [a.try_into().ok()?, b.try_into().ok()?];
    with_instructions!(simd => {
        let mut quads = Quads::new(simd, rings);
        let clockwise = quads.are_clockwise()?;
        let turned;
        if clockwise != [false; 2] {
            turned = [
                leftward(rings[0], clockwise[0]),
                leftward(rings[1], clockwise[1]),
            ];
            quads = Quads::new(simd, [&turned[0], &turned[1]]);
        }
        question(&quads.field(&quads.reaches()))
    })
}

/// Whether two quadrilaterals intersect, if floats can tell, and that they are convex.
#[inline]
pub(crate) fn certainly_intersect(rings: [&[Point]; 2]) -> Option<bool> {
    ask(rings, #[inline(always)] |field| {
        let Verdict { yes, no } = intersects(field);
        (yes | no).then_some(yes)
    })
}

/// The same for their overlap.
#[inline]
pub(crate) fn certain_sat(rings: [&[Point]; 2]) -> Option<Sat<f64>> {
    ask(rings, #[inline(always)] |field| Some(sat(field)).filter(|sat| sat.is_certain))
}

/// The same for the first one's motion by a velocity.
#[inline]
pub(crate) fn certain_sweep(rings: [&[Point]; 2], velocity: Vec2) -> Option<Sweep<f64>> {
    ask(rings, #[inline(always)] |field| {
        let velocity = Vectors::from(velocity);
        let sweep = swept_collision(field, velocity, velocity.map(f64::abs), true);
        Some(sweep).filter(|sweep| sweep.is_certain)
    })
}
