//! The shortest translation that separates two shapes, and the shortest along a given direction.
//!
//! Interiors meet at the translations of an open set ([`MinkowskiUnion`]). The answer is the point nearest to
//! the origin outside of it. That is on an edge of the convolution, at the foot of the perpendicular from the
//! origin or where it leaves one of the differences that cover the edge; exact fits, where only a segment or a
//! single point is free, included.

pub mod convolution;
mod minkowski_edge_lines;
mod minkowski_union;
mod rounded_directional_depth;
pub(super) mod rounded_sweep_mtv;
pub mod translation_path;

use std::cmp::Ordering;

use super::boundary::Boundary;
use super::checked_shape::{Shape, radius_sum};
use super::parts::convex_parts::convex_parts;
use super::parts::convex_pieces::ConvexPieces;
use super::rest::distance::core_distance;
use super::rest::intersects::intersects;
use super::rest::sat::{Concave, Sat, convex_cores, sat};
use super::rest::within_distance::is_within;
use crate::geom::{Motion, Vec2, WideFloat, WideVector};
use crate::invalid_shape::InvalidShape;
use crate::predicates::bounds::error_bounds::DISTANCE_ERROR;
use crate::predicates::{FrameTime, Length, RoughPoint, compare_lengths, length};
use convolution::visit_edges;
use minkowski_union::MinkowskiUnion;
use rounded_directional_depth::rounded_exit;
use translation_path::Path;

/// Overlap of two shapes, and the shortest translation of the first that ends it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penetration {
    /// Whether the shapes have a point in common.
    pub intersects: bool,
    /// The length of `mtv`; zero exactly if the interiors are disjoint.
    pub depth: f64,
    /// A shortest translation of the first shape after which the interiors are disjoint.
    pub mtv: Vec2,
    /// Its direction, or the given one; zero if the interiors are disjoint, unless the shapes are convex.
    pub normal: Vec2,
}

impl Penetration {
    /// The answer for shapes whose interiors are disjoint.
    pub(crate) fn none(intersects: bool) -> Self {
        Self {
            intersects,
            depth: 0.0,
            mtv: Vec2::ZERO,
            normal: Vec2::ZERO,
        }
    }

    fn new(translation: WideVector) -> Self {
        let depth = translation.length();
        Self {
            intersects: true,
            depth: depth.to_f64(),
            mtv: translation.to_vec2(),
            normal: (translation / depth).to_vec2(),
        }
    }

    /// The translation by a multiple of a direction.
    fn along(direction: Vec2, intersects: bool, times: WideFloat) -> Self {
        let length = length(Motion::from(direction));
        let direction = WideVector::from(direction);
        Self {
            intersects,
            depth: (times * length).to_f64(),
            mtv: (direction * times).to_vec2(),
            normal: (direction / length).to_vec2(),
        }
    }
}

impl From<Sat> for Penetration {
    fn from(sat: Sat) -> Self {
        Self {
            intersects: sat.intersects(),
            depth: sat.depth(),
            mtv: sat.mtv(),
            normal: sat.normal(),
        }
    }
}

/// The shortest translation of `a`, grown by a margin, after which its interior and that of `b` are disjoint;
/// with a direction, which is not zero, the shortest of those along it.
///
/// # Errors
///
/// If not both shapes are convex, and one is not a polygon or there is a radius or a margin.
pub fn penetration(
    a: &Shape<'_>,
    b: &Shape<'_>,
    direction: Option<Vec2>,
    margin: f64,
) -> Result<Penetration, Concave> {
    // Along a direction the hull of a ring that is convex but for rounding may end much later than the ring.
    let is_as_given =
        || direction.is_some() && radius_sum(a, b, margin).is_zero() && are_regions([a, b]);
    if a.is_convex() && b.is_convex() && !(has_hull([a, b]) && is_as_given()) {
        let overlap = as_given([a, b], sat(a, b, margin)?.into(), margin);
        return match direction {
            None => Ok(overlap),
            Some(direction) => convex_along([a, b], &overlap, direction, margin),
        };
    }
    accept([a, b], margin)?;
    let boundaries = [a, b].map(Shape::boundary);
    let meet = intersects(boundaries[0], boundaries[1]);
    let out = |union: &MinkowskiUnion<'_>| match direction {
        Some(direction) => {
            exit(union, direction, |_| true).map(|times| Penetration::along(direction, meet, times))
        }
        None => nearest(boundaries, union).map(Penetration::new),
    };
    let none = || match direction {
        Some(direction) => Penetration::along(direction, meet, WideFloat::ZERO),
        None => Penetration::none(meet),
    };
    let out = meet.then(|| in_union([a, b], out)).flatten();
    Ok(out.unwrap_or_else(none))
}

/// Whether the shapes, the first grown by a margin, have a point in common; the numbers are left out.
///
/// # Errors
///
/// If [`penetration`] refuses a shape.
pub fn overlap_alone(a: &Shape<'_>, b: &Shape<'_>, margin: f64) -> Result<Penetration, Concave> {
    if !(a.is_convex() && b.is_convex()) {
        accept([a, b], margin)?;
    }
    Ok(Penetration::none(is_within(a, b, margin)))
}

/// The answer for the hulls of convex shapes, corrected where the shapes as given are apart or only touch:
/// the hull of a ring that is convex but for rounding is larger than the ring, and may overlap where the ring
/// doesn't.
fn as_given(shapes: [&Shape<'_>; 2], hulls: Penetration, margin: f64) -> Penetration {
    let [a, b] = shapes;
    if !hulls.intersects || !has_hull(shapes) {
        return hulls;
    }
    let intersects = is_within(a, b, margin);
    if intersects && (hulls.depth == 0.0 || interiors_meet(shapes, margin)) {
        return hulls;
    }
    Penetration {
        normal: hulls.normal,
        ..Penetration::none(intersects)
    }
}

/// Whether the interiors of convex shapes that have a point in common, the first grown by a margin, are not
/// disjoint. Without an interior, points and segments count as [`sat`] has it.
fn interiors_meet([a, b]: [&Shape<'_>; 2], margin: f64) -> bool {
    let radius = radius_sum(a, b, margin);
    if !radius.is_zero() {
        let nearest = core_distance(a, b).nearest;
        return nearest.is_none_or(|nearest| {
            compare_lengths(nearest.length(), Length::Number(radius)) == Ordering::Less
        });
    }
    let holds_origin = |union: &MinkowskiUnion<'_>| exit(union, Vec2::new(1.0, 0.0), |_| true);
    !are_regions([a, b]) || in_union([a, b], holds_origin).is_some()
}

fn are_regions(shapes: [&Shape<'_>; 2]) -> bool {
    shapes.iter().all(|it| it.kind().is_polygonal())
}

/// Whether one of two convex shapes is a polygon that is larger as a hull.
fn has_hull(shapes: [&Shape<'_>; 2]) -> bool {
    let is_hull = |it: &&Shape<'_>| it.kind().is_polygonal() && !it.is_exactly_convex();
    shapes.iter().any(is_hull)
}

/// Refuses shapes of which one is not convex, if they are not polygons without a radius.
fn accept(shapes: [&Shape<'_>; 2], margin: f64) -> Result<(), Concave> {
    let first = |is_bad: &dyn Fn(&Shape<'_>) -> bool| shapes.iter().position(|it| is_bad(it));
    let is_bare = |it: &Shape<'_>| !it.kind().is_polygonal() && it.radius() == 0.0;
    if let Some(operand) = first(&|it| is_bare(it) && !it.is_convex()).or(first(&is_bare)) {
        let name = shapes[operand].kind().name();
        let why = InvalidShape::NoInterior { name };
        return Err(Concave { operand, why });
    }
    if !radius_sum(shapes[0], shapes[1], margin).is_zero() {
        let operand = first(&|it| !it.is_convex()).unwrap_or(0);
        let why = InvalidShape::RoundedConcave;
        return Err(Concave { operand, why });
    }
    Ok(())
}

fn convex_along(
    [a, b]: [&Shape<'_>; 2],
    overlap: &Penetration,
    direction: Vec2,
    margin: f64,
) -> Result<Penetration, Concave> {
    let [core_a, core_b] = convex_cores(a, b)?;
    let radius = radius_sum(a, b, margin);
    let times = if overlap.depth == 0.0 {
        None
    } else if radius.is_zero() {
        let pieces = [ConvexPieces::of_one(&core_a), ConvexPieces::of_one(&core_b)];
        exit(&MinkowskiUnion::new(pieces.each_ref()), direction, |_| true)
    } else {
        rounded_exit([&core_a, &core_b], radius, direction)
    };
    let times = times.unwrap_or(WideFloat::ZERO);
    Ok(Penetration::along(direction, overlap.intersects, times))
}

/// Calls a function with the union of the translations at which the interiors of two polygons meet.
fn in_union<T>(
    [a, b]: [&Shape<'_>; 2],
    ask: impl FnOnce(&MinkowskiUnion<'_>) -> Option<T>,
) -> Option<T> {
    let cut = |shape: &Shape<'_>| convex_parts(shape).map(ConvexPieces::of_polygons);
    // Unchecked polygons that are invalid may have no pieces.
    let (of_a, of_b) = (a.convex_pieces(cut)?, b.convex_pieces(cut)?);
    ask(&MinkowskiUnion::new([&of_a, &of_b]))
}

/// The multiple of a direction at which the ray from the origin first leaves the union, if the origin is
/// inside. The search ends at a translation that is not `near`.
fn exit(
    union: &MinkowskiUnion<'_>,
    direction: Vec2,
    near: impl Fn(&RoughPoint) -> bool,
) -> Option<WideFloat> {
    match union.first_outside(&Path::ray(direction), FrameTime::Start, near)? {
        FrameTime::At(crossing) => Some(crossing.time()),
        FrameTime::Start | FrameTime::End => None,
    }
}

/// Concentric rings around the origin into which the search is divided, from the inside out, each with twice
/// the radius of the one before. Most edges near the origin are covered, and few edges beyond the answer are
/// tested. With few edges and vertices, one ring takes less time, and so does a first limit from one axis.
const RINGS: i32 = 4;

/// Pairs of edges and vertices up to which one ring and one axis are used.
const FEW_EDGE_PAIRS: usize = 256;

/// The largest exponent of the power of two that scales distances: its reciprocal is a normal float.
const LARGEST_SCALE: i32 = 1000;

/// Relative difference up to which two translations count as equally short, half of what the public contract
/// allows: facing parallel edges tie, and need not be compared.
const EQUALLY_SHORT: f64 = 5e-13;

/// Factor for the lengths of the translations along the axes, so that a translation to an edge is preferred
/// to them. The foot of the perpendicular to an edge that is nearly parallel to an axis may be shorter by
/// less than that.
const BEHIND_EDGES: f64 = 1.0 + 4.0 * EQUALLY_SHORT;

/// The translation outside the union nearest to the origin, if the origin is in it.
fn nearest(boundaries: [&Boundary; 2], union: &MinkowskiUnion<'_>) -> Option<WideVector> {
    let [of_a, of_b] = boundaries.map(|boundary| boundary.corners.len());
    let are_few = of_a * of_b <= FEW_EDGE_PAIRS;
    let mut best = NearestTranslation::of_axes(union, if are_few { 1 } else { 4 })?;
    // Where the extent overflows, the true one is at most twice the largest float.
    let extent = union.extent().min(f64::MAX);
    // Distances are multiplied by a power of two that brings the extent near 1, so that their squares neither
    // overflow nor underflow.
    let (_, exponent) = libm::frexp(extent);
    let scale = libm::ldexp(1.0, -exponent.clamp(-LARGEST_SCALE, LARGEST_SCALE));
    let error = DISTANCE_ERROR * (extent * scale);
    let reach = |best: &NearestTranslation| {
        let length = (best.length * WideFloat::from(scale)).to_f64();
        length * (1.0 - EQUALLY_SHORT) + error
    };
    let mut above = 0.0;
    let inner = if are_few { 0 } else { RINGS - 1 };
    let mut below = reach(&best) / f64::from(1 << inner);
    loop {
        visit_edges(
            boundaries,
            scale,
            [above, below.min(reach(&best))],
            |path| {
                best.add_nearest_of(&path, union);
                below.min(reach(&best))
            },
        );
        if below >= reach(&best) {
            return Some(best.translation);
        }
        above = below - error;
        below *= 2.0;
    }
}

/// The translation outside a union nearest to the origin so far.
struct NearestTranslation {
    length: WideFloat,
    translation: WideVector,
}

impl NearestTranslation {
    /// The nearest of the translations along the first `count` axes; `None` if the origin is outside. Its
    /// length is multiplied by [`BEHIND_EDGES`], so that translations to edges are preferred: one of them is
    /// a nearest one.
    fn of_axes(union: &MinkowskiUnion<'_>, count: usize) -> Option<Self> {
        let [first, others @ ..] = union.axes();
        let along = |axis: Vec2, times: WideFloat| Self {
            length: times,
            translation: WideVector::from(axis) * times,
        };
        let mut best = along(first, exit(union, first, |_| true)?);
        for axis in others.into_iter().take(count - 1) {
            let near = |point: &RoughPoint| best.may_be_beaten_by(point);
            if let Some(times) = exit(union, axis, near).filter(|it| *it < best.length) {
                best = along(axis, times);
            }
        }
        best.length = best.length * WideFloat::from(BEHIND_EDGES);
        Some(best)
    }

    /// Whether a translation may be nearer.
    fn may_be_beaten_by(&self, RoughPoint { at, error, .. }: &RoughPoint) -> bool {
        let least = libm::hypot(at.x, at.y) - 2.0 * error;
        // A comparison with NaN is false, so that NaN excludes nothing.
        let is_longer = least > self.length.to_f64() * (1.0 - EQUALLY_SHORT);
        !is_longer
    }

    /// Adds the translations of an edge outside the union that are nearest to the foot of the perpendicular, on
    /// either side.
    fn add_nearest_of(&mut self, path: &Path, union: &MinkowskiUnion<'_>) {
        match (path.foot(), path.reversed()) {
            // Beyond the ends of the edge there is nothing to add.
            (FrameTime::End, Some(back)) => {
                self.add_first(&back, FrameTime::Start, union);
            }
            (foot, back) => {
                let is_free = self.add_first(path, foot, union) == Some(foot);
                let is_between = matches!(foot, FrameTime::At(_));
                if let Some(back) = back.filter(|_| is_between && !is_free) {
                    self.add_first(&back, back.foot(), union);
                }
            }
        }
    }

    /// Adds the first translation outside the union from a time of an edge on. Returns when that is.
    fn add_first(
        &mut self,
        path: &Path,
        from: FrameTime,
        union: &MinkowskiUnion<'_>,
    ) -> Option<FrameTime> {
        let near = |point: &RoughPoint| self.may_be_beaten_by(point);
        let time = union.first_outside(path, from, near)?;
        let translation = path.translation(&time);
        let length = translation.length();
        if length < self.length {
            *self = Self {
                length,
                translation,
            };
        }
        Some(time)
    }
}
