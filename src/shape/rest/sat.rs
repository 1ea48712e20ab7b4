//! Overlap and minimum translation of convex shapes of any kind, with or without a radius.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::circle_polygon::{MOST_SCANNED, as_given, with_rounded_radius};
use crate::convex;
use crate::convex::filter::{FilteredSat, Measure, certainly_sat_of_point};
use crate::geom::{Circle, Motion, Point, RadiusSum, Vec2, WideFloat, WideVector};
use crate::invalid_shape::InvalidShape;
use crate::predicates::{Length, TO_TEN_DIGITS, compare_lengths, length_difference};
use crate::shape::checked_shape::{Shape, radius_sum};
use crate::shape::pair::nearest_cores::NearestCores;

/// Overlap of two convex shapes.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant)] // The large variant is the common one.
pub enum Sat {
    /// Of polygons without a radius: the numbers are computed when asked for.
    Sharp(convex::SharpSat),
    /// Of shapes with a radius or without an interior.
    Rounded(RoundedSat),
}

/// Overlap of two convex shapes with a radius or without an interior.
#[derive(Clone, Copy, Debug)]
pub struct RoundedSat {
    intersects: bool,
    /// The size of the overlap, or of the gap.
    size: WideFloat,
    normal: WideVector,
    contact: RoundedEnds,
}

/// The ends of the contact of two rounded shapes.
#[derive(Clone, Copy, Debug)]
struct RoundedEnds {
    /// On the edge that was clipped; NaN when apart.
    core: [Point; 2],
    /// Whether the edge is one of the second shape.
    is_of_b: bool,
    /// From the edge to the boundary of its shape, towards the other shape.
    rounding: Vec2,
}

/// A valid shape that is not convex, given to a query for convex ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Concave {
    /// The index of the operand.
    pub operand: usize,
    /// Where it is not convex.
    pub why: InvalidShape,
}

/// Overlap and minimum translation of two convex shapes, the first grown by a margin; a ring that is
/// convex but for rounding is replaced by its hull.
///
/// # Errors
///
/// If a shape is not convex.
#[inline]
pub fn sat(a: &Shape<'_>, b: &Shape<'_>, margin: f64) -> Result<Sat, Concave> {
    displaced_sat(a, b, None, margin)
}

/// Overlap and minimum translation of two convex shapes, as [`sat`] gives them; of shapes that are apart normal and
/// separation are unspecified.
///
/// # Errors
///
/// If a shape is not convex.
#[inline]
pub fn sat_or_apart(a: &Shape<'_>, b: &Shape<'_>, margin: f64) -> Result<Sat, Concave> {
    // To tell that large rings are apart takes less time than to find a separating edge.
    if radius_sum(a, b, margin).is_zero()
        && let (Ok(a), Ok(b)) = (a.hull(), b.hull())
        && convex::gjk_is_faster(a.len(), b.len())
        && !convex::intersects(a, b)
    {
        return Ok(Sat::apart());
    }
    sat(a, b, margin)
}

/// Overlap and minimum translation of two convex shapes, the first grown by a margin and displaced by an offset.
#[inline]
pub(crate) fn displaced_sat(
    a: &Shape<'_>,
    b: &Shape<'_>,
    offset: Option<Motion>,
    margin: f64,
) -> Result<Sat, Concave> {
    let radius = radius_sum(a, b, margin);
    if radius.is_zero()
        && let (Ok(a), Ok(b)) = (a.hull(), b.hull())
    {
        return Ok(Sat::Sharp(convex::sat(a, b, offset)));
    }
    rounded_sat(a, b, offset, radius).map(Sat::Rounded)
}

/// Overlap of two shapes whose radii have this sum, the first displaced by an offset.
///
/// Where the shapes without their radii overlap, the depth is theirs plus the sum, along the same axis;
/// otherwise the nearest points give the axis.
fn rounded_sat(
    a: &Shape<'_>,
    b: &Shape<'_>,
    offset: Option<Motion>,
    radius: RadiusSum,
) -> Result<RoundedSat, Concave> {
    let ends = |core, is_of_b, normal: Vec2| {
        let rounding = if is_of_b { b.radius() } else { -a.radius() };
        RoundedEnds {
            core,
            is_of_b,
            rounding: normal.times(rounding),
        }
    };
    if offset.is_none()
        && let Some((found, (core, is_of_b))) = filtered_sat_of_point([a, b], radius)
    {
        let Measure { size, normal } = found.measure;
        return Ok(RoundedSat {
            intersects: found.intersects,
            size: size.into(),
            normal: normal.into(),
            contact: if found.intersects {
                ends([core; 2], is_of_b, normal)
            } else {
                ends([Point::NAN; 2], true, Vec2::ZERO)
            },
        });
    }
    let [core_a, core_b] = convex_cores(a, b)?;
    let Some(nearest) = NearestCores::new([a, b], [&core_a, &core_b], offset) else {
        let sharp = match (a.hull(), b.hull()) {
            (Ok(a), Ok(b)) => Some(convex::sat(a, b, offset)),
            _ => convex::sat_of_thin(&core_a, &core_b, offset),
        };
        let depth = sharp.map_or(WideFloat::ZERO, |sharp| sharp.size());
        return Ok(RoundedSat {
            intersects: true,
            size: depth + Length::Number(radius).value(TO_TEN_DIGITS),
            normal: sharp.map_or(WideVector::ALONG_X, |sharp| sharp.normal().into()),
            contact: match sharp {
                Some(sharp) => ends(
                    sharp.contact_where(WideVector::ZERO),
                    sharp.contact_is_of_b(),
                    sharp.normal(),
                ),
                None => ends([core_b[0]; 2], true, WideVector::ALONG_X.to_vec2()),
            },
        });
    };
    let normal = nearest.direction();
    let reach = Length::Number(radius);
    if compare_lengths(nearest.length(), reach) == Ordering::Greater {
        return Ok(RoundedSat {
            intersects: false,
            size: length_difference(nearest.length(), reach, TO_TEN_DIGITS),
            normal,
            contact: ends([Point::NAN; 2], true, Vec2::ZERO),
        });
    }
    let (core, is_of_b) = nearest.contact([&core_a, &core_b], offset, radius);
    Ok(RoundedSat {
        intersects: true,
        size: length_difference(reach, nearest.length(), TO_TEN_DIGITS),
        normal,
        contact: ends(core, is_of_b, normal.to_vec2()),
    })
}

/// Overlap of a point and a convex polygon whose radii have this sum, as far as floats can tell; and the core of their
/// contact, with whether that is one of `b`.
fn filtered_sat_of_point(
    [a, b]: [&Shape<'_>; 2],
    radius: RadiusSum,
) -> Option<(FilteredSat<f64>, (Point, bool))> {
    let (center, polygon, point_is_b) = match (a.as_point(), b.as_point()) {
        (Some(center), None) => (center, b, false),
        (None, Some(center)) => (center, a, true),
        _ => return None,
    };
    let ring = as_given(polygon).filter(|ring| ring.len() <= MOST_SCANNED)?;
    let (circle, is_sum) = with_rounded_radius(Circle { center, radius });
    let found = certainly_sat_of_point(ring, circle, is_sum)?;
    let (core, is_of_b, is_known) = found.core_of_contact(center.into(), point_is_b);
    let is_certain = is_known || !found.intersects;
    is_certain.then_some((found.sat(point_is_b), (core.into(), is_of_b)))
}

/// The corners of two convex shapes without their radii.
pub(crate) fn convex_cores<'s>(
    a: &'s Shape<'_>,
    b: &'s Shape<'_>,
) -> Result<[Cow<'s, [Point]>; 2], Concave> {
    let concave = |operand| move |why| Concave { operand, why };
    let core_a = a.convex_core().map_err(concave(0))?;
    Ok([core_a, b.convex_core().map_err(concave(1))?])
}

impl Sat {
    /// The answer for shapes that are apart, for when normal and separation are not wanted.
    pub(crate) fn apart() -> Self {
        Self::Sharp(convex::SharpSat::apart())
    }

    /// Whether the shapes have a point in common.
    pub fn intersects(&self) -> bool {
        match self {
            Self::Sharp(sharp) => sharp.intersects(),
            Self::Rounded(rounded) => rounded.intersects,
        }
    }

    /// The size of the overlap or of the gap.
    fn size(&self) -> f64 {
        let size = match self {
            Self::Sharp(sharp) => sharp.size(),
            Self::Rounded(rounded) => rounded.size,
        };
        size.to_f64()
    }

    /// The penetration depth: how far the first shape must move to touch without overlap; zero when
    /// apart.
    pub fn depth(&self) -> f64 {
        if self.intersects() { self.size() } else { 0.0 }
    }

    /// The shortest translation of the first shape that ends the overlap; zero when apart.
    pub fn mtv(&self) -> Vec2 {
        match self {
            _ if !self.intersects() => Vec2::ZERO,
            Self::Sharp(sharp) => sharp.translation(),
            Self::Rounded(rounded) => (rounded.normal * rounded.size).to_vec2(),
        }
    }

    /// The direction of [`Self::mtv`], also at depth zero; when apart, one that separates.
    pub fn normal(&self) -> Vec2 {
        match self {
            Self::Sharp(sharp) => sharp.normal(),
            Self::Rounded(rounded) => rounded.normal.to_vec2(),
        }
    }

    /// Minus the depth, or the gap along [`Self::normal`] when apart.
    pub fn separation(&self) -> f64 {
        if self.intersects() {
            0.0 - self.size()
        } else {
            self.size()
        }
    }

    /// The ends of the contact: the incident edge clipped to the reference edge, then moved by the radius of its shape
    /// towards the other one; NaN when apart.
    pub fn contact(&self) -> [Point; 2] {
        self.contact_where(WideVector::ZERO)
    }

    /// The ends of the contact when both shapes are displaced by the displacement of the second.
    pub(crate) fn contact_where(&self, second: WideVector) -> [Point; 2] {
        match self {
            Self::Sharp(sharp) => sharp.contact_where(second),
            Self::Rounded(RoundedSat { contact, .. }) => {
                let rounding = WideVector::from(contact.rounding);
                let by = if contact.is_of_b {
                    rounding + second
                } else {
                    rounding
                };
                contact.core.map(|point| convex::advanced(point, by))
            }
        }
    }
}
