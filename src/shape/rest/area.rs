//! Area and centroid.

use fearless_simd::Simd;

use crate::convex::Cyclic;
use crate::geom::{Bounds, Edge, Point, WideFloat};
use crate::predicates::numbers::bounded::Bounded;
use crate::predicates::numbers::compensated_differences::Rounded;
use crate::predicates::{
    AreaSum, MOST_IN_A_PLAIN_SUM, Moment, TO_TWELVE_DIGITS, TwiceArea, compensated_moments,
    compensated_twice_area, length, numbers::exact, plain_twice_area, rounded_moments,
    rounded_moments_of_ring,
};
use crate::shape::checked_shape::Shape;
use crate::shape::kind::ShapeKind;
use crate::shape::rings::Rings;
use crate::simd::instructions::with_instructions;

/// The area, holes subtracted, within a relative error of 1e-12 however thin the polygon is; 0 of points
/// and paths.
pub fn area(shape: &Shape<'_>) -> f64 {
    with_instructions!(simd => plain_area(simd, shape.rings()))
        .unwrap_or_else(|| longer_area(shape))
}

/// The area, where a plain sum is accurate enough.
#[inline(always)]
pub(crate) fn plain_area<S: Simd>(simd: S, rings: Rings<'_>) -> Option<f64> {
    if !rings.kind().is_polygonal() {
        return Some(0.0);
    }
    let twice = if rings.is_one_ring() {
        plain_ring(simd, rings.ring(0))
    } else {
        area_of_rings(
            rings,
            #[inline(always)]
            |ring| plain_ring(simd, ring),
        )
    };
    twice.and_then(accurate)
}

/// Twice the area of a ring by a plain sum, if it is worth a try.
#[inline(always)]
fn plain_ring<S: Simd>(simd: S, ring: &[Point]) -> Option<Rounded<f64>> {
    // Not by a closure, which would not be compiled for the instruction set.
    if ring.len() <= MOST_IN_A_PLAIN_SUM {
        Some(plain_twice_area(simd, ring))
    } else {
        None
    }
}

/// The area, where [`plain_area`] is not accurate enough.
#[inline(never)]
pub(crate) fn longer_area(shape: &Shape<'_>) -> f64 {
    let bounds = shape.bounds();
    let sum = with_instructions!(simd => area_of_rings(
        shape.rings(),
        #[inline(always)]
        |ring| Some(compensated_twice_area(simd, ring, &bounds)),
    ));
    sum.and_then(accurate).unwrap_or_else(|| {
        let area = exact::value(&interior(shape), TO_TWELVE_DIGITS);
        (area / WideFloat::from(2.0)).to_f64()
    })
}

/// Twice the area of all shells less that of all holes, if that of each ring is known.
#[inline(always)]
fn area_of_rings(
    rings: Rings<'_>,
    of_ring: impl Fn(&[Point]) -> Option<Rounded<f64>>,
) -> Option<Rounded<f64>> {
    let mut sum = AreaSum::ZERO;
    // Of one polygon with many small holes, the other loop takes a quarter longer.
    if rings.kind() == ShapeKind::Polygon {
        for ring in 0..rings.len() {
            sum.add(of_ring(rings.ring(ring))?, ring > 0);
        }
    } else {
        let mut shells = rings.parts().peekable();
        for ring in 0..rings.len() {
            let is_shell = shells.next_if_eq(&ring).is_some();
            sum.add(of_ring(rings.ring(ring))?, !is_shell);
        }
    }
    Some(sum.rounded())
}

/// The area, if the bound on the relative error is small enough.
#[inline(always)]
fn accurate(twice: Rounded<f64>) -> Option<f64> {
    let size = twice.value.abs();
    (size * TO_TWELVE_DIGITS > twice.error).then_some(size / 2.0)
}

/// The centroid, within a unit in the last place of its coordinates plus 1e-12 of the longer side of
/// the bounding box: of paths weighted by length, of points their mean.
pub fn centroid(shape: &Shape<'_>) -> Point {
    if !shape.kind().is_polygonal() {
        return mean(shape.rings());
    }
    let Bounds { min, max } = shape.bounds();
    let size = (max.x - min.x).max(max.y - min.y);
    let attempt = |(origin, moments)| accurate_centroid(origin, moments, size);
    attempt(plain_moments(shape))
        .or_else(|| attempt(longer_moments(shape)))
        .unwrap_or_else(|| exact_centroid(shape))
}

/// The quotients of moments and area, if the bounds on their errors are small enough.
fn accurate_centroid(
    origin: Point,
    [twice, along_x, along_y]: [Rounded<f64>; 3],
    size: f64,
) -> Option<Point> {
    let thrice = 3.0 * twice.value;
    // The error of the quotient is promised, not that of the moment.
    let error = TO_TWELVE_DIGITS * size * thrice;
    let is_accurate = twice.value * TO_TWELVE_DIGITS > twice.error
        && along_x.error < error
        && along_y.error < error;
    is_accurate.then(|| {
        let [x, y] =
            [along_x, along_y].map(|it| WideFloat::from(it.value) / WideFloat::from(thrice));
        Point::new(sum(origin.x, x), sum(origin.y, y))
    })
}

/// The centroid where neither a plain nor a compensated sum is accurate enough.
#[cold]
fn exact_centroid(shape: &Shape<'_>) -> Point {
    let area = interior(shape);
    let origin = area.origin;
    let thrice = exact::value(&area, TO_TWELVE_DIGITS) * WideFloat::from(3.0);
    let mut along = Moment {
        area,
        along_y: false,
    };
    let x = sum(origin.x, exact::value(&along, 0.0) / thrice);
    along.along_y = true;
    Point::new(x, sum(origin.y, exact::value(&along, 0.0) / thrice))
}

/// An origin, and seen from there twice the area and six times the moments along x and y, by compensated sums.
#[inline(never)]
fn longer_moments(shape: &Shape<'_>) -> (Point, [Rounded<f64>; 3]) {
    let (boundary, bounds) = (shape.boundary(), shape.bounds());
    with_instructions!(simd => compensated_moments(
        simd,
        &bounds,
        boundary.tree().len(),
        #[inline(always)]
        |index| boundary.blocks[index].ends(simd),
    ))
}

/// [`longer_moments`] by plain sums.
fn plain_moments(shape: &Shape<'_>) -> (Point, [Rounded<f64>; 3]) {
    let origin = interior(shape).origin;
    let moments = if let Some(ring) = shape.exactly_convex() {
        rounded_moments_of_ring(ring, origin)
    } else {
        let boundary = shape.boundary();
        with_instructions!(simd => rounded_moments(
            simd,
            origin,
            boundary.tree().len(),
            #[inline(always)]
            |index| boundary.blocks[index].ends(simd),
        ))
    };
    let rounded = |it: Bounded| Rounded {
        value: it.value(),
        error: it.error(),
    };
    (origin, moments.map(rounded))
}

/// The mean of all segments of paths weighted by their lengths, or of all vertices of points and of
/// paths without length.
fn mean(shape: Rings<'_>) -> Point {
    let origin = shape.ring(0)[0];
    let from_origin = |point: Point| {
        let x = WideFloat::difference(point.x, origin.x);
        (x, WideFloat::difference(point.y, origin.y))
    };
    // The sum of both ends is twice the middle.
    let segment = |ends: &[Point]| {
        let [(x, y), (x_end, y_end)] = [from_origin(ends[0]), from_origin(ends[1])];
        let length = length(Edge::new(ends[0], ends[1]));
        let twice = length * WideFloat::from(2.0);
        [twice, (x + x_end) * length, (y + y_end) * length]
    };
    let segments = shape.iter().flat_map(|path| path.windows(2));
    let [weight, x, y] = total(&segments.map(segment).collect::<Vec<_>>());
    let [weight, x, y] = if weight.is_zero() {
        let vertex = |&point: &Point| {
            let (x, y) = from_origin(point);
            [WideFloat::ONE, x, y]
        };
        total(&shape.iter().flatten().map(vertex).collect::<Vec<_>>())
    } else {
        [weight, x, y]
    };
    Point::new(sum(origin.x, x / weight), sum(origin.y, y / weight))
}

/// The sum of all terms. Halves are added, so that the rounding error grows with the logarithm of
/// their number.
fn total(terms: &[[WideFloat; 3]]) -> [WideFloat; 3] {
    match *terms {
        [] => [WideFloat::ZERO; 3],
        [term] => term,
        _ => {
            let (first, second) = terms.split_at(terms.len() / 2);
            let (one, other) = (total(first), total(second));
            std::array::from_fn(|axis| one[axis] + other[axis])
        }
    }
}

/// The area on the left of all edges, as seen from a vertex of the shell.
fn interior<'p>(shape: &'p Shape<'_>) -> TwiceArea<impl Iterator<Item = Edge> + Clone + use<'p>> {
    let ring = shape.exactly_convex().map(|ring| &**ring);
    let boundary = ring.is_none().then(|| shape.boundary());
    let corners = boundary.map_or(0, |boundary| boundary.corners.len());
    let count = ring.map_or(corners, <[Point]>::len);
    let edge = move |index| match (ring, boundary) {
        (Some(ring), _) => ring.edge(index),
        (None, boundary) => boundary.expect("a general polygon").edge(index),
    };
    TwiceArea {
        origin: edge(0).start,
        edges: (0..count).map(edge),
    }
}

/// `from + by`, without overflow on the way.
fn sum(from: f64, by: WideFloat) -> f64 {
    let plain = from + by.to_f64();
    if plain.is_finite() {
        return plain;
    }
    let half = WideFloat::from(0.5);
    2.0 * (from * 0.5 + (by * half).to_f64())
}
