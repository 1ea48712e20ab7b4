//! Area of a region that pieces of edges bound, some of which end where two edges cross: a sum of quotients, in floats
//! with a bound on the error, and where that is too large with numbers of as many bits as it takes.

use super::area_moments::sum;
use crate::geom::{Edge, Point, WideFloat};
use crate::predicates::TO_TEN_DIGITS;
use crate::predicates::numbers::ball::{Ball, FloatBall};
use crate::predicates::numbers::big_ball::BigBall;
use crate::predicates::numbers::number_vector::Vector;
use crate::predicates::numbers::sign::Sign;

/// A point of an edge, between its ends.
#[derive(Clone, Copy, Debug)]
pub enum PointOnEdge {
    /// Where another edge crosses.
    Crossing(Edge),
    /// A point that lies on the edge exactly.
    Given(Point),
}

/// The pieces of an edge that bound a region, which lies on their left.
#[derive(Clone, Debug)]
pub struct EdgePieces<C> {
    /// The edge.
    pub edge: Edge,
    /// Whether a piece ends where the edge does.
    pub reach_end: bool,
    /// The points between both ends of the edge where a piece begins or ends, and whether it begins there.
    pub cuts: C,
}

/// Bits of the first quotients. They are doubled until the sum is accurate.
const FIRST_BITS: usize = 128;

/// Bits from which on the sum is taken as it is. For coordinates of floats a region has an area larger than the error of
/// such quotients: only a shape that is invalid, and was not checked, has none.
const MOST_BITS: usize = 1 << 16;

/// The area of a region other than the empty one, within a relative error of 1e-11. The origin is near it, so that little
/// cancels.
pub fn area_of_pieces<C>(origin: Point, pieces: &[EdgePieces<C>]) -> f64
where
    C: AsRef<[(PointOnEdge, bool)]>,
{
    let twice = twice_area::<FloatBall, C>(origin, pieces, 0);
    let twice = if is_accurate(&twice) {
        twice.to_f64().into()
    } else {
        exactly(origin, pieces)
    };
    (twice * WideFloat::from(0.5)).to_f64()
}

#[cold]
fn exactly<C: AsRef<[(PointOnEdge, bool)]>>(origin: Point, pieces: &[EdgePieces<C>]) -> WideFloat {
    let mut bits = FIRST_BITS;
    loop {
        let twice = twice_area::<BigBall, C>(origin, pieces, bits);
        if is_accurate(&twice) || bits >= MOST_BITS {
            return twice.to_wide();
        }
        bits *= 2;
    }
}

fn is_accurate<N: Ball>(area: &N) -> bool {
    let allowed = area.middle().times(&N::of(TO_TEN_DIGITS));
    area.radius().is_below(&allowed)
}

/// Twice the area. A piece of the edge from `s` along `d`, from the fraction `t` of it to the fraction `u`, spans with the
/// origin a triangle of twice the area `s × d (u - t)`. So each end of a piece has a term of its own, and their order along
/// the edge doesn't matter.
fn twice_area<N: Ball, C>(origin: Point, pieces: &[EdgePieces<C>], bits: usize) -> N
where
    C: AsRef<[(PointOnEdge, bool)]>,
{
    sum(pieces.iter().map(|pieces| {
        let edge = pieces.edge;
        let triangle: N = Vector::between(origin, edge.start).cross(&Vector::along(edge));
        let cuts = pieces.cuts.as_ref();
        if cuts.is_empty() {
            return triangle;
        }
        let reach = N::of(f64::from(u8::from(pieces.reach_end)));
        let share = cuts.iter().fold(reach, |share, &(point, begins)| {
            let fraction = fraction(edge, point, bits);
            if begins {
                share.minus(&fraction)
            } else {
                share.plus(&fraction)
            }
        });
        triangle.times(&share)
    }))
}

/// How far along an edge a point lies, as a fraction of its length.
fn fraction<N: Ball>(edge: Edge, point: PointOnEdge, bits: usize) -> N {
    let along = Vector::<N>::along(edge);
    let (part, whole) = match point {
        PointOnEdge::Crossing(other) => {
            let across = Vector::along(other);
            let to_other = Vector::between(edge.start, other.start);
            (to_other.cross(&across), along.cross(&across))
        }
        PointOnEdge::Given(point) => {
            let to_point = Vector::between(edge.start, point);
            (to_point.dot(&along), along.length_squared())
        }
    };
    // Only edges of shapes that were not checked have no length.
    if whole.sign() == Some(Sign::Zero) {
        return whole;
    }
    part.over(&whole, bits)
}
