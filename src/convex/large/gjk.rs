//! Large convex rings, by steps towards the origin (Gilbert, Johnson and Keerthi, 1988): each step
//! asks which corner of the Minkowski difference lies farthest in a direction, which a look at
//! eight vertices at a time finds in either ring.
//!
//! Floats choose the directions; exact predicates decide what was found. What the steps leave open
//! goes to a walk over all edges of the difference. By that walk alone two 256-gons took 4.3 µs
//! where they overlap and 1.6 µs where they don't. `gjk_sweep` searches
//! with the same steps for the edge that a path enters through.

use fearless_simd::Simd;

use super::extreme_vertices;
use super::point_in_sampled_ring::depth_among_samples;
use crate::convex::cyclic::Cyclic;
use crate::convex::one::minkowski_difference::{Corner, MinkowskiDifference};
use crate::convex::ring::Ring;
use crate::geom::{Bounds, Displacement, Edge, Motion, Point, Vec2};
use crate::predicates::bounds::error_bounds::{box_error, certainly_positive, cross_error};
use crate::predicates::{Sign, cross, dot};
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::Lanes;
use crate::simd::load::{LANES, MOST_IN_A_TILE};

/// Pairs of vertices above which GJK takes less time than comparing every edge.
const LARGE_PRODUCT: usize = 150;

/// Steps after which the walk over all edges takes over. Each about halves the range of directions,
/// and shapes that neither nearly touch nor are needles need five.
pub(super) const MAX_STEPS: usize = 24;

/// Whether GJK takes less time for one pair of rings with so many vertices than comparing every edge. For results that
/// have the same bits by either.
pub(crate) fn is_faster(a: usize, b: usize) -> bool {
    a * b > LARGE_PRODUCT
}

/// Whether GJK and EPA give the numbers for rings with so many vertices: where they are faster and no tile takes the
/// rings. Their roundings are not those of a tile, and the results are the same to the bit, alone and in a batch.
pub(crate) fn gives_numbers(a: usize, b: usize) -> bool {
    is_faster(a, b) && a.max(b) > MOST_IN_A_TILE
}

/// The bounding boxes of two rings, if they are known.
#[inline]
pub(crate) fn known_bounds(a: &Ring<'_>, b: &Ring<'_>) -> Option<[Bounds; 2]> {
    Some([a.known_bounds()?, b.known_bounds()?])
}

/// Whether two rings have a point in common.
#[inline]
pub(crate) fn intersects(
    difference: MinkowskiDifference<'_>,
    bounds: Option<[Bounds; 2]>,
) -> Option<bool> {
    if bounds.is_some_and(|[a, b]| !a.meets(&b)) {
        return Some(false);
    }
    with_instructions!(simd => intersects_now(simd, difference, bounds))
}

/// Whether two rings whose bounding boxes meet have a point in common.
#[inline(always)]
pub(super) fn intersects_now<S: Simd>(
    simd: S,
    difference: MinkowskiDifference<'_>,
    bounds: Option<[Bounds; 2]>,
) -> Option<bool> {
    let extent = SweptExtent::new(bounds, None);
    if let Some(bounds) = bounds
        && have_common_point(simd, difference, bounds, extent.error)
    {
        return Some(true);
    }
    let direction = initial_direction(difference, bounds);
    match enclose_origin(simd, difference, &extent, direction) {
        Ok(()) => Some(true),
        Err(answer) => answer,
    }
}

/// Whether a point certainly lies inside both rings, or on one and inside the other: the center of the intersection of
/// their bounding boxes, or a vertex of a ring of few in the box of the other. Without this test random pairs of
/// 32-gons, half of which overlap, take 1.6 times the instructions.
#[inline(always)]
fn have_common_point<S: Simd>(
    simd: S,
    difference: MinkowskiDifference<'_>,
    [of_a, of_b]: [Bounds; 2],
    error: f64,
) -> bool {
    let MinkowskiDifference { a, b, .. } = difference;
    for (ring, bounds, other, around) in [(a, of_a, b, of_b), (b, of_b, a, of_a)] {
        if ring.len() < LANES && around.contains(&bounds) {
            return certainly_positive(depth_among_samples(simd, other, ring[0]), error);
        }
    }
    let middle = |low: f64, other_low: f64, high: f64, other_high: f64| {
        0.5 * low.larger(other_low) + 0.5 * high.smaller(other_high)
    };
    let point = Point::new(
        middle(of_a.min.x, of_b.min.x, of_a.max.x, of_b.max.x),
        middle(of_a.min.y, of_b.min.y, of_a.max.y, of_b.max.y),
    );
    let in_a = depth_among_samples(simd, a, point);
    let in_b = depth_among_samples(simd, b, point);
    certainly_positive(in_a, error) & certainly_positive(in_b, error)
}

/// Initial search direction: from the center of one bounding box to that of the other.
#[inline(always)]
pub(super) fn initial_direction(
    difference: MinkowskiDifference<'_>,
    bounds: Option<[Bounds; 2]>,
) -> Vec2 {
    let direction = match bounds {
        Some([a, b]) => b.middle() - a.middle(),
        None => -difference.gap(Corner { a: 0, b: 0 }).rounded(),
    };
    if direction == Vec2::ZERO {
        Vec2::new(1.0, 0.0)
    } else {
        direction
    }
}

/// The extent of the difference, or with a velocity of its sweep, and the error of cross products.
#[derive(Clone, Copy)]
pub(super) struct SweptExtent {
    velocity: Option<Motion>,
    /// Bounds both components of every corner, swept or not.
    size: Vec2,
    /// The error of the cross product of two rounded corners. A swept corner is a rounded sum of a
    /// rounded difference and a vector: with the product and the sum, the product of two such has
    /// six roundings, fewer than `box_error` allows for.
    error: f64,
}

/// A corner of the difference or of its sweep: from `b` to `a`, exactly and rounded.
#[derive(Clone, Copy)]
struct SweptCorner {
    gap: Displacement,
    rounded: Vec2,
}

impl SweptExtent {
    /// The extent for rings with these bounding boxes, if they are known.
    #[inline(always)]
    pub(crate) fn new(bounds: Option<[Bounds; 2]>, velocity: Option<Motion>) -> Self {
        let path = velocity.map(Motion::vector);
        let size = match (bounds, path) {
            (Some([a, b]), None | Some(Some(_))) => {
                let speed = path.flatten().unwrap_or(Vec2::ZERO);
                a.union(&b).size() + speed.map(f64::abs)
            }
            _ => Vec2::both(f64::INFINITY),
        };
        Self {
            velocity,
            size,
            error: box_error(size, size),
        }
    }

    /// The corner of the sweep farthest along a direction, given that of the difference.
    #[inline(always)]
    fn swept(
        &self,
        difference: MinkowskiDifference<'_>,
        corner: Corner,
        direction: Vec2,
    ) -> SweptCorner {
        let gap = difference.gap(corner);
        let gap = match self.velocity {
            Some(velocity) if direction.dot(velocity.rounded()) > 0.0 => gap.after(velocity),
            _ => gap,
        };
        SweptCorner {
            gap,
            rounded: gap.rounded(),
        }
    }

    /// On which side of the first corner's direction, seen from the origin, the second lies.
    #[inline(always)]
    fn side(&self, first: &SweptCorner, second: &SweptCorner) -> Sign {
        Sign::of_rounded(first.rounded.cross(second.rounded), self.error)
            .unwrap_or_else(|| exact_side(first.gap, second.gap))
    }

    /// Whether a corner certainly does not lie short of the origin along a direction.
    #[inline(always)]
    fn is_beyond(&self, corner: &SweptCorner, direction: Vec2) -> bool {
        let across = Vec2::new(direction.y, -direction.x);
        let error = cross_error(across, self.size);
        self.error.is_finite() && certainly_positive(direction.dot(corner.rounded), error)
    }
}

/// On which side of the first direction the second lies. Not inlined: [`SweptExtent::side`] is inlined in many places
/// and seldom needs it.
#[cold]
#[inline(never)]
fn exact_side(first: Displacement, second: Displacement) -> Sign {
    cross(first, second)
}

/// Searches a triangle of corners of the difference, or with a velocity of its sweep, that contains the
/// origin. Fails with the answer otherwise: `false` where a direction separates, `None` where that is open.
/// A function of its own, since sweeps call it twice.
#[inline(never)]
pub(super) fn enclose_origin<S: Simd>(
    simd: S,
    difference: MinkowskiDifference<'_>,
    extent: &SweptExtent,
    direction: Vec2,
) -> Result<(), Option<bool>> {
    simd.vectorize(
        #[inline(always)]
        || {
            let near = support(simd, difference, extent, direction)?;
            let far = support(simd, difference, extent, -near.rounded)?;
            // The origin lies to the left of the segment from the first corner to the second.
            let [mut from, mut to] = match extent.side(&near, &far) {
                Sign::Positive => [near, far],
                Sign::Negative => [far, near],
                Sign::Zero => return Err(None),
            };
            for _ in 0..MAX_STEPS {
                let (start, end) = (from.rounded, to.rounded);
                let direction = Vec2::new(start.y - end.y, end.x - start.x);
                let apex = support(simd, difference, extent, direction)?;
                if apex.gap == from.gap || apex.gap == to.gap {
                    return Err(None);
                }
                // Of the origin's barycentric weights in the triangle that of the apex is positive: where
                // neither of the others is negative, the triangle contains the origin.
                if extent.side(&to, &apex) == Sign::Negative {
                    from = apex;
                } else if extent.side(&apex, &from) == Sign::Negative {
                    to = apex;
                } else {
                    return Ok(());
                }
            }
            Err(None)
        },
    )
}

/// The swept corner farthest along a direction. Fails with `false` if the direction separates the
/// difference from the origin, with `None` where that is open.
#[inline(always)]
fn support<S: Simd>(
    simd: S,
    difference: MinkowskiDifference<'_>,
    extent: &SweptExtent,
    direction: Vec2,
) -> Result<SweptCorner, Option<bool>> {
    let corner = farthest(simd, difference, direction);
    let swept = extent.swept(difference, corner, direction);
    if extent.is_beyond(&swept, direction) {
        return Ok(swept);
    }
    match separates(difference, extent.velocity, direction, corner) {
        Some(false) => Ok(swept),
        Some(true) => Err(Some(false)),
        None => Err(None),
    }
}

/// Whether the difference lies short of the origin along a direction, now and with a velocity at
/// the end too, given its farthest corner, rounding apart; `None` where that is open. Not inlined: it is
/// called in several places, and seldom more than once in a search.
#[inline(never)]
pub(crate) fn separates(
    difference: MinkowskiDifference<'_>,
    velocity: Option<Motion>,
    direction: Vec2,
    farthest: Corner,
) -> Option<bool> {
    if !direction.is_finite() {
        return None;
    }
    let line = Edge::from_origin(direction);
    let gap = difference.gap(farthest);
    let is_short = |gap| dot(line, gap) == Sign::Negative;
    if !(is_short(gap) && velocity.is_none_or(|velocity| is_short(gap.after(velocity)))) {
        return Some(false);
    }
    // Round a convex ring the position along a direction rises once and falls once.
    let is_farthest = |ring: &[Point], vertex: usize, line: Edge| {
        let rise = |index| dot(line, ring.edge(index).displacement());
        rise(ring.previous(vertex)) != Sign::Negative && rise(vertex) != Sign::Positive
    };
    let is_proven = is_farthest(difference.a, farthest.a, line)
        && is_farthest(difference.b, farthest.b, line.reversed());
    is_proven.then_some(true)
}

/// Corners at one of which, or on an edge beside one, the difference is nearest to the origin, if
/// rounding does not mislead the search.
pub(crate) fn nearest_corners(
    difference: MinkowskiDifference<'_>,
    bounds: Option<[Bounds; 2]>,
) -> [Corner; 2] {
    let direction = initial_direction(difference, bounds);
    with_instructions!(simd => {
        let gap = |corner| difference.gap(corner).rounded();
        let near = farthest(simd, difference, direction);
        let mut ends = [near, farthest(simd, difference, -gap(near))];
        for _ in 0..MAX_STEPS {
            let [from, to] = ends;
            let (start, end) = (gap(from), gap(to));
            let apex = farthest(simd, difference, -nearest_between(start, end));
            if apex == from || apex == to {
                break;
            }
            let middle = gap(apex);
            let [first, second] = [nearest_between(start, middle), nearest_between(middle, end)];
            ends = if first.dot(first) < second.dot(second) {
                [from, apex]
            } else {
                [apex, to]
            };
        }
        ends
    })
}

/// The point of a segment nearest to the origin, rounding apart.
#[inline(always)]
fn nearest_between(start: Vec2, end: Vec2) -> Vec2 {
    let step = end - start;
    let fraction = -start.dot(step) / step.dot(step);
    start + step.times(0.0.larger(1.0.smaller(fraction)))
}

/// The corner farthest along a direction, rounding apart.
#[inline(always)]
pub(crate) fn farthest<S: Simd>(
    simd: S,
    difference: MinkowskiDifference<'_>,
    direction: Vec2,
) -> Corner {
    Corner {
        a: extreme_vertices::farthest(simd, difference.a, direction),
        b: extreme_vertices::farthest(simd, difference.b, -direction),
    }
}
