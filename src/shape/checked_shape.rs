//! A checked shape, and how queries see it. The file is long because what a shape keeps (`Kind`) is
//! private to it: how it is checked and what queries ask are all methods.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::boundary::ring_corners::{RingCorners, path_corners, point_corner};
use super::boundary::{Boundary, BoundaryRing};
use super::examined_shape::{ExaminedShape, General};
use super::kind::ShapeKind;
use super::parts::convex_hull::{convex_hull, order};
use super::parts::convex_pieces::ConvexPieces;
use super::parts::nearly_convex_hull::nearly_convex_hull;
use super::rings::Rings;
use super::validity::validate;
use crate::convex::{self, Convexity, Ring};
use crate::geom::{Bounds, Point, RadiusSum};
use crate::invalid_shape::{InvalidRing, InvalidShape};
use crate::predicates::rounded_radius_sum;
use crate::simd::load::MOST_IN_A_TILE;

/// A shape that passed the checks. It borrows its vertices.
#[derive(Clone, Debug)]
pub struct Shape<'a> {
    rings: Rings<'a>,
    kind: Kind<'a>,
    /// The boundary of a convex polygon or a point, made when a query needs it.
    boundary: OnceCell<Box<Boundary>>,
    /// Where a column keeps the boundary, if it does.
    kept: Option<&'a OnceLock<Box<Boundary>>>,
}

#[derive(Clone, Debug)]
enum Kind<'a> {
    /// One ring, exactly convex.
    Convex {
        ring: Ring<'a>,
        clockwise: bool,
    },
    Point(Point),
    General(Cow<'a, Arc<General>>),
}

impl<'a> Shape<'a> {
    /// Checks rings of any winding; consecutive repeated vertices and collinear ones are allowed.
    ///
    /// # Errors
    ///
    /// [`InvalidShape`] with the position of the fault.
    #[inline]
    pub fn new(rings: impl Into<Rings<'a>>) -> Result<Self, InvalidShape> {
        Self::classify(rings.into(), true)
    }

    /// Takes rings that the caller knows to be valid: intersections of edges and the nesting of
    /// rings are not checked. Queries on an invalid polygon give meaningless results.
    ///
    /// # Errors
    ///
    /// [`InvalidShape`] for the other checks of [`Self::new`].
    #[inline]
    pub fn trusted(rings: impl Into<Rings<'a>>) -> Result<Self, InvalidShape> {
        Self::classify(rings.into(), false)
    }

    /// A polygon that was examined before: the result of [`Self::examined`] for the same rings,
    /// and the bounding box, if it was kept.
    #[inline(always)]
    pub fn known(rings: Rings<'a>, examined: &'a ExaminedShape, bounds: Option<Bounds>) -> Self {
        let convex = |vertices, is_reversed, clockwise| Kind::Convex {
            ring: Ring::known(
                vertices,
                Convexity {
                    clockwise: is_reversed,
                    bounds,
                },
            ),
            clockwise,
        };
        let kind = match *examined {
            ExaminedShape::Convex { clockwise } => convex(rings.ring(0), clockwise, clockwise),
            ExaminedShape::Corners(ref kept) => {
                let corners = kept.corners.as_deref().unwrap_or_else(|| rings.ring(0));
                return Self {
                    kept: Some(&kept.boundary),
                    ..Self::of_kind(rings, convex(corners, false, kept.clockwise))
                };
            }
            ExaminedShape::Point => Kind::Point(rings.ring(0)[0]),
            ExaminedShape::General(ref general) => Kind::General(Cow::Borrowed(general)),
        };
        Self::of_kind(rings, kind)
    }

    #[inline(always)]
    fn of_kind(rings: Rings<'a>, kind: Kind<'a>) -> Self {
        let boundary = OnceCell::new();
        Self {
            rings,
            kind,
            boundary,
            kept: None,
        }
    }

    /// The result of the examination, from which [`Self::known`] makes the shape again.
    pub fn examined(&self) -> ExaminedShape {
        match self.kind {
            Kind::General(ref general) => ExaminedShape::General(Arc::clone(general)),
            Kind::Point(_) => ExaminedShape::Point,
            Kind::Convex {
                ref ring,
                clockwise,
            } => {
                let vertices = self.rings.ring(0);
                if ring.len() == vertices.len() {
                    return ExaminedShape::of_corners(vertices, clockwise);
                }
                ExaminedShape::with_corners(Some(ring.as_ref().into()), clockwise)
            }
        }
    }

    #[inline]
    fn classify(rings: Rings<'a>, check: bool) -> Result<Self, InvalidShape> {
        if let Some(convexity) = Self::certainly_convex(rings) {
            let ring = Ring::known(rings.ring(0), convexity);
            let clockwise = convexity.clockwise;
            return Ok(Self::of_kind(rings, Kind::Convex { ring, clockwise }));
        }
        Self::examine(rings, check)
    }

    /// The examined shape and its box, where it is a point or the filter finds that it is convex.
    #[inline(always)]
    pub(crate) fn examined_quickly(rings: Rings<'_>) -> Option<(ExaminedShape, Option<Bounds>)> {
        if let Some(point) = rings.finite_point() {
            return Some((ExaminedShape::Point, Some(Bounds::from(point))));
        }
        let Convexity { clockwise, bounds } = Self::certainly_convex(rings)?;
        Some((ExaminedShape::of_corners(rings.ring(0), clockwise), bounds))
    }

    #[inline(always)]
    fn certainly_convex(rings: Rings<'_>) -> Option<Convexity> {
        (rings.is_one_ring() && rings.kind().is_polygonal())
            .then(|| convex::certainly_convex(rings.ring(0)))
            .flatten()
    }

    #[inline(never)]
    fn examine(rings: Rings<'a>, check: bool) -> Result<Self, InvalidShape> {
        let (mut corners, mut spans, mut first) = (Vec::new(), SmallVec::new(), 0);
        if rings.len() > 1 {
            corners.reserve(rings.vertices());
            spans.reserve(rings.len());
        }
        let kind = rings.kind();
        let mut ends = rings.parts().skip(1);
        if let Some(part) = rings.parts().position(|start| ends.next() == Some(start)) {
            let why = InvalidRing::Empty;
            return Err(InvalidShape::Part { part, ring: 0, why });
        }
        let (mut part, mut starts) = (0, rings.parts().skip(1).peekable());
        let mut first_of_part = 0;
        for (ring, vertices) in rings.iter().enumerate() {
            while starts.next_if(|&start| start <= ring).is_some() {
                (part, first_of_part) = (part + 1, ring);
            }
            let fault = |why| match kind {
                ShapeKind::Polygon | ShapeKind::Path | ShapeKind::Point => {
                    InvalidShape::Ring { ring, why }
                }
                _ => InvalidShape::Part {
                    part,
                    ring: ring - first_of_part,
                    why,
                },
            };
            let is_hole = ring > first_of_part;
            let (mut own, reversed) = if kind.is_polygonal() {
                let mut found = RingCorners::find(vertices, ring, first).map_err(fault)?;
                // The interior comes to lie on the left: shells counterclockwise, holes clockwise.
                let reversed = found.clockwise != is_hole;
                if reversed {
                    found.corners.reverse();
                }
                if rings.len() == 1 && found.is_convex() {
                    let ring = Ring::owned(found.corners.iter().map(|corner| corner.point));
                    let clockwise = found.clockwise;
                    return Ok(Self::of_kind(rings, Kind::Convex { ring, clockwise }));
                }
                (found.corners, reversed)
            } else if kind.is_of_points() {
                (point_corner(vertices, ring, first).map_err(fault)?, false)
            } else {
                (path_corners(vertices, ring, first).map_err(fault)?, false)
            };
            if rings.len() == 1
                && let [corner] = *own
            {
                return Ok(Self::of_kind(rings, Kind::Point(corner.point)));
            }
            let start = corners.len();
            if rings.len() == 1 {
                corners = own;
            } else {
                corners.append(&mut own);
            }
            spans.push(BoundaryRing {
                corners: start..corners.len(),
                first,
                reversed,
                part,
                is_hole,
            });
            first += vertices.len();
        }
        corners.shrink_to_fit();
        let boundary = Boundary::new(corners, spans, kind);
        if check && kind.is_polygonal() {
            validate::check(&boundary, rings)?;
        }
        let general = General {
            boundary,
            hull: OnceLock::new(),
            pieces: OnceLock::new(),
        };
        let kind = Kind::General(Cow::Owned(Arc::new(general)));
        Ok(Self::of_kind(rings, kind))
    }

    /// The rings in the caller's order.
    pub(crate) fn rings(&self) -> Rings<'a> {
        self.rings
    }

    /// The radius.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.rings.radius()
    }

    /// What the shape consists of.
    pub fn kind(&self) -> ShapeKind {
        self.rings.kind()
    }

    #[inline]
    pub(crate) fn as_point(&self) -> Option<Point> {
        match self.kind {
            Kind::Point(point) => Some(point),
            _ => None,
        }
    }

    /// Whether the shape is convex, but for rounding.
    pub fn is_convex(&self) -> bool {
        self.convex_core().is_ok()
    }

    /// The corners of a convex shape without its radius: of a polygon's ring or hull, the two ends of a
    /// segment, or a point. Several points or paths count as their union.
    ///
    /// # Errors
    ///
    /// Where it is not convex.
    pub(crate) fn convex_core(&self) -> Result<Cow<'_, [Point]>, InvalidShape> {
        if let Some(point) = self.as_point() {
            return Ok(vec![point].into());
        }
        if self.kind().is_polygonal() {
            return self.hull().map(|ring| Cow::Borrowed(&**ring));
        }
        let boundary = self.boundary();
        let points: Vec<Point> = boundary.corners.iter().map(|corner| corner.point).collect();
        let hull = convex_hull(&points);
        if hull.len() > 2 || has_gap(boundary) {
            let name = self.kind().name();
            return Err(InvalidShape::Kind { name });
        }
        Ok(hull.into())
    }

    /// A polygon as a convex ring, its hull where it is convex but for rounding.
    ///
    /// # Errors
    ///
    /// Where it is not convex.
    #[inline]
    pub(crate) fn hull(&self) -> Result<&Ring<'a>, InvalidShape> {
        let name = match &self.kind {
            Kind::Convex { ring, .. } => return Ok(ring),
            Kind::General(general)
                if general.boundary.parts() == 1 && self.kind().is_polygonal() =>
            {
                let hull = || Box::new(nearly_convex_hull(&general.boundary));
                return (**general.hull.get_or_init(hull))
                    .as_ref()
                    .map_err(|why| *why);
            }
            Kind::Point(_) => "point",
            Kind::General(_) => self.kind().name(),
        };
        Err(InvalidShape::Kind { name })
    }

    /// The bounding box, without the radius.
    pub fn bounds(&self) -> Bounds {
        match &self.kind {
            Kind::Convex { ring, .. } => ring.bounds(),
            Kind::Point(point) => (*point).into(),
            Kind::General(general) => general.boundary.bounds(),
        }
    }

    /// The number of vertices, without repeated and collinear ones.
    pub(crate) fn vertices(&self) -> usize {
        match &self.kind {
            Kind::Convex { ring, .. } => ring.len(),
            Kind::Point(_) => 1,
            Kind::General(general) => general.boundary.corners.len(),
        }
    }

    /// The bounding box, the radius included, if it is known.
    pub fn known_bounds(&self) -> Option<Bounds> {
        let bounds = match &self.kind {
            Kind::Convex { ring, .. } => ring.known_bounds()?,
            _ => self.bounds(),
        };
        Some(bounds.grown(self.radius()))
    }

    /// Whether the polygon is convex without rounding.
    pub fn is_exactly_convex(&self) -> bool {
        self.exactly_convex().is_some()
    }

    #[inline]
    pub(crate) fn exactly_convex(&self) -> Option<&Ring<'a>> {
        match &self.kind {
            Kind::Convex { ring, .. } => Some(ring),
            Kind::Point(_) | Kind::General(_) => None,
        }
    }

    /// Convex pieces that tile the polygon: the polygon itself, if it is exactly convex, else those that
    /// `cut` returns, which are kept.
    pub(super) fn convex_pieces(
        &self,
        cut: impl FnOnce(&Self) -> Option<ConvexPieces>,
    ) -> Option<Cow<'_, ConvexPieces>> {
        match &self.kind {
            Kind::Convex { ring, .. } => {
                let whole = vec![ring.to_vec()];
                Some(Cow::Owned(ConvexPieces::of_polygons(whole)))
            }
            Kind::Point(point) => Some(Cow::Owned(ConvexPieces::of_one(&[*point]))),
            Kind::General(general) => {
                let pieces = general.pieces.get_or_init(|| cut(self).map(Box::new));
                pieces.as_ref().map(|pieces| Cow::Borrowed(&**pieces))
            }
        }
    }

    /// The ring of an exactly convex polygon whose edges are best scanned one after the other: it has few, or the
    /// boundary in which to search for some of them would be made for this shape alone.
    #[inline]
    pub(super) fn scanned_ring(&self) -> Option<&Ring<'a>> {
        (self.exactly_convex()).filter(|_| self.kept.is_none() || self.is_short())
    }

    /// Whether a polygon has so few vertices that a scan of its edges takes less time than a search in its boundary.
    #[inline]
    pub(crate) fn is_short(&self) -> bool {
        self.rings.vertices() <= MOST_IN_A_TILE
    }

    /// The vertices of a convex shape as a tile of a batch takes them: of an exactly convex ring, a segment or a
    /// point.
    pub(super) fn small_convex(&self) -> Option<Cow<'_, [Point]>> {
        let is_segment = || self.kind() == ShapeKind::Path && self.rings.vertices() == 2;
        let vertices = match &self.kind {
            Kind::Convex { ring, .. } => Cow::Borrowed(&**ring),
            Kind::Point(point) => Cow::Owned(vec![*point]),
            Kind::General(_) if is_segment() => Cow::Borrowed(self.rings.ring(0)),
            Kind::General(_) => return None,
        };
        (vertices.len() <= MOST_IN_A_TILE).then_some(vertices)
    }

    /// Whether the ring of an exactly convex polygon is clockwise.
    pub(crate) fn is_clockwise(&self) -> bool {
        matches!(
            self.kind,
            Kind::Convex {
                clockwise: true,
                ..
            }
        )
    }

    /// The boundary, without repeated and collinear vertices.
    pub(crate) fn boundary(&self) -> &Boundary {
        match &self.kind {
            Kind::Convex { ring, clockwise } => {
                let make = || Box::new(self.boundary_of(ring, *clockwise));
                match self.kept {
                    Some(kept) => kept.get_or_init(make),
                    None => self.boundary.get_or_init(make),
                }
            }
            Kind::Point(point) => {
                (self.boundary).get_or_init(|| Box::new(Boundary::of_point(*point)))
            }
            Kind::General(general) => &general.boundary,
        }
    }

    /// The boundary of an exactly convex polygon.
    fn boundary_of(&self, ring: &Ring<'_>, clockwise: bool) -> Boundary {
        let vertices = self.rings.ring(0);
        if ring.len() == vertices.len() {
            return Boundary::of_ring(ring, clockwise);
        }
        match RingCorners::find(vertices, 0, 0) {
            Ok(mut found) if found.corners.len() == ring.len() => {
                if clockwise {
                    found.corners.reverse();
                }
                Boundary::of_one(found.corners, clockwise)
            }
            // Another thread changed the memory.
            _ => Boundary::of_ring(ring, clockwise),
        }
    }
}

/// Whether points or paths on one line leave out a part of the line between them.
fn has_gap(boundary: &Boundary) -> bool {
    let mut spans: Vec<[Point; 2]> = (boundary.rings.iter())
        .filter_map(|ring| {
            let points = || boundary.corners[ring.corners.clone()].iter();
            let points = || points().map(|corner| corner.point);
            let along = |one: &Point, other: &Point| order(*one, *other);
            Some([points().min_by(along)?, points().max_by(along)?])
        })
        .collect();
    spans.sort_unstable_by(|one, other| order(one[0], other[0]));
    let mut end = spans.first().map_or(Point::ORIGIN, |span| span[1]);
    spans.iter().any(|&[from, to]| {
        let is_beyond = order(from, end).is_gt();
        if order(to, end).is_gt() {
            end = to;
        }
        is_beyond
    })
}

/// The radii of two shapes and a margin.
#[inline]
pub(super) fn radius_sum(a: &Shape<'_>, b: &Shape<'_>, margin: f64) -> RadiusSum {
    RadiusSum::new([a.radius(), b.radius(), margin])
}

/// The sum of radii and margin, rounded as the filters of tiles use it; `None` where it is not of usual size.
pub(super) fn filter_radius(a: &Shape<'_>, b: &Shape<'_>, margin: f64) -> Option<f64> {
    let radius = rounded_radius_sum([a.radius(), b.radius(), margin]);
    (radius >= 0.0).then_some(radius)
}

/// The rings of two exactly convex polygons.
pub(super) fn convex_rings<'p, 'a>(
    a: &'p Shape<'a>,
    b: &'p Shape<'a>,
) -> Option<(&'p Ring<'a>, &'p Ring<'a>)> {
    a.exactly_convex().zip(b.exactly_convex())
}
