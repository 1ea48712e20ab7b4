//! Normal and contact of two shapes at the moment when they touch while turning.

use super::shapes_at::{A, B, ShapesAt, between, wide};
use crate::convex::{Corner, Cyclic, MinkowskiDifference, Owner, advanced, bisector, moved_along};
use crate::geom::{Edge, Motion, Point, RadiusSum, Vec2, WideFloat, WideVector};
use crate::predicates::numbers::ball::{Ball, FloatBall};
use crate::predicates::numbers::polynomial::Number;
use crate::predicates::{BallRotation, BigBall, GapFeature, Sign};
use crate::shape::boundary::Boundary;
use crate::shape::straight::rounded_sweep::part_within;

/// Which vertex and which edge touch: those at these corners of the two shapes.
#[derive(Clone, Copy)]
pub(super) struct TouchingFeatures {
    pub(crate) corners: [usize; 2],
    /// Whether the vertex is one of the second shape.
    pub(crate) is_reversed: bool,
}

impl TouchingFeatures {
    /// The shapes of the edge and of the vertex.
    fn owners(&self) -> [usize; 2] {
        if self.is_reversed { [A, B] } else { [B, A] }
    }
}

/// Edges are parallel if the sine of the angle between them is no larger.
const PARALLEL: f64 = 1e-12;

/// The largest error of a result, relative to itself.
const ACCURACY: f64 = 1e-11;

/// What contacts may be off, relative to the local extent, beside the rounding of coordinates: 8 units in its last place.
const PLACES: f64 = 4.0 * f64::EPSILON;

/// A vertex slides along an edge if the sine of the angle between velocity and edge is no larger.
const SLIDING: f64 = 1e-20;

impl<N: Ball> ShapesAt<'_, N> {
    /// Where the core of `a` touches that of `b` with a vertex and an edge, on the boundary of `b`'s, and
    /// the normal there.
    fn touch(&self, features: TouchingFeatures, radius: RadiusSum) -> Option<([N; 2], [N; 2])> {
        let [owner, _] = features.owners();
        let along = self.direction(owner, features.corners[owner])?;
        Some(self.touch_along(along, features, radius))
    }

    /// [`Self::touch`], given the unit vector along the edge.
    fn touch_along(
        &self,
        [x, y]: [N; 2],
        features: TouchingFeatures,
        radius: RadiusSum,
    ) -> ([N; 2], [N; 2]) {
        let [owner, other] = features.owners();
        let zero = N::of(0.0);
        let normal = match owner {
            A => [zero.minus(&y), x],
            _ => [y, zero.minus(&x)],
        };
        let vertex = self.position(other, features.corners[other]);
        if other == A && !radius.is_zero() {
            let radius = radius.number::<N>();
            let [x, y] = [0, 1].map(|axis| vertex[axis].minus(&normal[axis].times(&radius)));
            return (normal, [x, y]);
        }
        (normal, vertex)
    }
}

impl ShapesAt<'_, BigBall> {
    /// The velocity of `a` relative to `b` where a corner of a shape is.
    fn velocity_at(&self, shape: usize, corner: usize) -> [BigBall; 2] {
        let at = self.position(shape, corner);
        self.relative_velocity([&at, &at])
    }

    fn wide_direction(&self, shape: usize, corner: usize) -> Option<WideVector> {
        self.direction(shape, corner).map(wide)
    }

    /// An edge at a corner of a shape, arriving or leaving, that is parallel to a direction.
    fn parallel_at(&self, shape: usize, corner: usize, direction: WideVector) -> Option<usize> {
        let is_parallel = |&edge: &usize| {
            (self.wide_direction(shape, edge))
                .is_some_and(|own| own.cross(direction).abs() <= WideFloat::from(PARALLEL))
        };
        edges_at(self.shapes[shape], corner).find(is_parallel)
    }

    /// The edges of both shapes, arriving and leaving, between which they face each other where a corner of
    /// one meets a corner of the other; of points none.
    fn edges_facing(&self, corners: [usize; 2]) -> [Option<[usize; 2]>; 2] {
        // Each shape comes from where the other one, as seen from it, moves to.
        let velocity = wide(self.velocity_at(A, corners[A]));
        let is_at_rest = velocity == WideVector::ZERO;
        let path = if is_at_rest {
            velocity
        } else {
            velocity.unit()
        };
        [(A, path), (B, -path)].map(|(shape, path)| {
            let (boundary, corner) = (self.shapes[shape], corners[shape]);
            let own = match &self.rotations[shape] {
                Some(BallRotation {
                    cos_sin: [cos, sin],
                    ..
                }) => path.rotated([cos.to_wide(), -sin.to_wide()]),
                None => path,
            };
            let direction = Motion::from(own.to_vec2()).displacement();
            let is_point = boundary.next(corner) == corner;
            (!is_point).then(|| boundary.edges_facing(corner, direction))
        })
    }
}

/// The normal and the contact if floats tell all their numbers, given the sum of all radii and that of the second shape.
pub(super) fn contact_by_floats(
    shapes: &ShapesAt<'_, FloatBall>,
    features: TouchingFeatures,
    (radius, radius_b): (RadiusSum, f64),
) -> Option<(Vec2, [Point; 2])> {
    let [owner, other] = features.owners();
    let corners = features.corners;
    let boundary = shapes.shapes[other];
    let edge = shapes.direction(owner, corners[owner])?;
    let is_parallel = |corner: usize| {
        shapes.direction(other, corner).is_some_and(|[x, y]| {
            let sine = x.times(&edge[1]).minus(&y.times(&edge[0]));
            !FloatBall::of(PARALLEL * PARALLEL).is_below(&sine.squared())
        })
    };
    let is_sided = shapes.shapes[owner].kind.is_polygonal() || !radius.is_zero();
    if !is_sided || edges_at(boundary, corners[other]).any(is_parallel) {
        return None;
    }
    let (normal, core) = shapes.touch_along(edge, features, radius);
    let radius_b = FloatBall::of(radius_b);
    let contact = [0, 1].map(|axis| core[axis].plus(&normal[axis].times(&radius_b)));
    let [x, y] = normal;
    let normal = Vec2::new(within_accuracy(x)?, within_accuracy(y)?);
    let extent = FloatBall::of(PLACES * shapes.extent());
    // At least half a unit in the last place of the coordinate is that of its rounding.
    let is_known = |at: FloatBall| {
        let most = at.middle().size().times(&FloatBall::of(0.5 * f64::EPSILON));
        !most.plus(&extent).is_below(&at.radius())
    };
    let [x, y] = contact;
    (is_known(x) && is_known(y)).then(|| (normal, [Point::new(x.to_f64(), y.to_f64()); 2]))
}

/// A number whose error is small enough for a result.
pub(super) fn within_accuracy(number: FloatBall) -> Option<f64> {
    let largest = number.size().times(&FloatBall::of(ACCURACY));
    let is_known = number.radius().is_below(&largest) || number.sign() == Some(Sign::Zero);
    is_known.then(|| number.to_f64())
}

/// The normal and the contact, given the sum of all radii and that of the second shape.
pub(crate) fn contact(
    shapes: &ShapesAt<'_, BigBall>,
    features: TouchingFeatures,
    feature: GapFeature,
    (radius, radius_b): (RadiusSum, f64),
) -> (Vec2, [Point; 2]) {
    let (normal, core) = match feature {
        GapFeature::Edge => of_edge(shapes, features, radius),
        GapFeature::Start | GapFeature::End => of_vertices(shapes, features, feature, radius),
    };
    // Without an interior, an edge has two sides: `a` comes from where the normal points to.
    let [owner, other] = features.owners();
    let is_sided = feature != GapFeature::Edge || shapes.shapes[owner].kind.is_polygonal();
    let is_leaving = || {
        let velocity = shapes.velocity_at(other, features.corners[other]);
        let (along, _) = shapes.touch(features, radius)?;
        let [x, y] = [0, 1].map(|axis| velocity[axis].times(&along[axis]));
        let size = velocity[0].size().plus(&velocity[1].size());
        // Where they slide along each other, rounding does not choose the side.
        Some(size.times(&BigBall::of(SLIDING)).is_below(&x.plus(&y)))
    };
    let normal = if !is_sided && radius.is_zero() && is_leaving() == Some(true) {
        -normal
    } else {
        normal
    };
    let contact = core.map(|core| moved_along(core, radius_b, || normal));
    (normal.to_vec2(), contact)
}

/// Where a vertex touches an edge, and the normal.
fn of_edge(
    shapes: &ShapesAt<'_, BigBall>,
    features: TouchingFeatures,
    radius: RadiusSum,
) -> (WideVector, [Point; 2]) {
    let [owner, other] = features.owners();
    let corners = features.corners;
    let (normal, core) = (shapes.touch(features, radius)).expect("the edge of two ends");
    let normal = wide(normal);
    match shapes.parallel_at(other, corners[other], normal.turned_right()) {
        None => (normal, [point(&core); 2]),
        Some(partner) => {
            let mut edges = [0; 2];
            (edges[owner], edges[other]) = (corners[owner], partner);
            (normal, common_part(shapes, edges))
        }
    }
}

fn of_vertices(
    shapes: &ShapesAt<'_, BigBall>,
    features: TouchingFeatures,
    feature: GapFeature,
    radius: RadiusSum,
) -> (WideVector, [Point; 2]) {
    let [mut corner_a, mut corner_b] = features.corners;
    if feature == GapFeature::End {
        if features.is_reversed {
            corner_a = shapes.shapes[A].next(corner_a);
        } else {
            corner_b = shapes.shapes[B].next(corner_b);
        }
    }
    let at = shapes.position(B, corner_b);
    let contact = [point(&at); 2];
    if !radius.is_zero() {
        let gap = between(&at, &shapes.position(A, corner_a));
        return (gap.unit(), contact);
    }
    let facing = shapes.edges_facing([corner_a, corner_b]);
    let ring_of = |shape: usize| {
        let [arriving, leaving] = facing[shape]?.map(|edge| shapes.wide_direction(shape, edge));
        let point = |it: WideVector| Point::from(it.to_vec2());
        Some([point(-arriving?), Point::ORIGIN, point(leaving?)])
    };
    let [of_a, of_b] = [ring_of(A), ring_of(B)];
    let only = |ring: &[Point]| bisector([ring.edge(0), ring.edge(1)]);
    let (Some(of_a), Some(of_b)) = (of_a, of_b) else {
        let normal = match (of_a, of_b) {
            (None, Some(of_b)) => only(&of_b),
            (Some(of_a), None) => -only(&of_a),
            _ => WideVector::ALONG_X,
        };
        return (normal, contact);
    };
    let difference = MinkowskiDifference::new(&of_a[..], &of_b[..], None);
    let sides = difference.sides(Corner { a: 1, b: 1 }, Motion::NONE);
    let directions = sides.map(|side| difference.direction(&side));
    let are_opposed = sides[0].owner != sides[1].owner && are_parallel(directions);
    if are_opposed {
        let own = |shape: usize, owner: Owner| {
            let is_arriving = sides[0].owner == owner;
            facing[shape].map_or(0, |edges| edges[usize::from(!is_arriving)])
        };
        let edges = [own(A, Owner::A), own(B, Owner::B)];
        return (bisector(directions), common_part(shapes, edges));
    }
    (bisector(directions), contact)
}

/// The edges that arrive at a corner and leave it, and those of other corners at the same point.
fn edges_at(boundary: &Boundary, corner: usize) -> impl Iterator<Item = usize> {
    let corners = boundary.corners_at(corner).into_iter();
    corners.flat_map(|corner| [boundary.previous(corner), corner])
}

/// The part of an edge of the second shape that lies beside a parallel one of the first.
fn common_part(shapes: &ShapesAt<'_, BigBall>, [of_a, of_b]: [usize; 2]) -> [Point; 2] {
    let ends = |shape: usize, edge: usize| {
        [edge, shapes.shapes[shape].next(edge)].map(|corner| shapes.position(shape, corner))
    };
    let [start, end] = ends(B, of_b);
    let along = between(&start, &end);
    let square = along.dot(along);
    let part = part_within(ends(A, of_a).map(|end| along.dot(between(&start, &end)) / square));
    let start_point = point(&start);
    part.map(|fraction| {
        if fraction == WideFloat::ONE {
            point(&end)
        } else {
            advanced(start_point, along * fraction)
        }
    })
}

fn are_parallel([first, second]: [Edge; 2]) -> bool {
    let [first, second] =
        [first, second].map(|Edge { start, end }| WideVector::between(start, end).unit());
    first.cross(second).abs() <= WideFloat::from(PARALLEL) && !first.dot(second).is_negative()
}

fn point([x, y]: &[BigBall; 2]) -> Point {
    Point::new(x.to_f64(), y.to_f64())
}
