//! A checked polygon, and which kind it is.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::boundary::{Boundary, BoundaryRing};
use super::convex_hull::rounded_hull;
use super::corners::RingCorners;
use super::rings::Rings;
use super::validate;
use crate::convex::{self, Convexity, Ring};
use crate::error::InvalidPolygon;
use crate::geom::{Bounds, Point};

/// A polygon that passed the checks. It borrows its vertices.
#[derive(Clone, Debug)]
pub struct Polygon<'a> {
    rings: Rings<'a>,
    kind: Kind<'a>,
}

#[derive(Clone, Debug)]
enum Kind<'a> {
    /// One ring, exactly convex.
    Convex {
        ring: Ring<'a>,
        clockwise: bool,
        /// Made when a query with a general polygon needs it.
        boundary: OnceCell<Box<Boundary>>,
    },
    General(Cow<'a, Arc<General>>),
}

/// A polygon that is not exactly convex; it borrows nothing, so that a column can keep it.
#[derive(Clone, Debug)]
pub struct General {
    boundary: Boundary,
    /// The hull, if the polygon is convex but for rounding.
    hull: OnceLock<Box<Result<Ring<'static>, InvalidPolygon>>>,
}

/// What a column keeps of a polygon, so that it need not be examined again.
#[derive(Clone, Debug)]
pub enum PolygonKind {
    /// A ring whose every vertex is a corner of a convex polygon.
    Convex {
        /// Whether the ring is clockwise.
        clockwise: bool,
    },
    /// The corners of a convex ring, where the ring itself is not enough.
    Corners {
        /// Counterclockwise.
        corners: Box<[Point]>,
        /// Whether the ring is clockwise.
        clockwise: bool,
    },
    /// Any other polygon.
    General(Arc<General>),
}

/// Clockwise rings of more vertices than this are kept reversed in a column: on large rings a query
/// takes logarithmic time, less than the reversal.
const LONG: usize = 16;

impl PolygonKind {
    /// The memory it owns, without itself.
    pub fn nbytes(&self) -> usize {
        match self {
            Self::Convex { .. } => 0,
            Self::Corners { corners, .. } => size_of_val(&**corners),
            Self::General(general) => {
                let hull = general.hull.get().and_then(|hull| (**hull).as_ref().ok());
                let hull = hull.map_or(0, |ring| size_of_val(&**ring));
                size_of::<General>() + general.boundary.nbytes() + hull
            }
        }
    }
}

impl<'a> Polygon<'a> {
    /// Checks rings of any winding; consecutive repeated vertices and collinear ones are allowed.
    ///
    /// # Errors
    ///
    /// [`InvalidPolygon`] with the position of the fault.
    #[inline]
    pub fn new(rings: impl Into<Rings<'a>>) -> Result<Self, InvalidPolygon> {
        Self::classify(rings.into(), true)
    }

    /// Takes rings that the caller knows to be valid: intersections of edges and the nesting of
    /// rings are not checked. Queries on an invalid polygon give meaningless results.
    ///
    /// # Errors
    ///
    /// As [`Self::new`] for the other checks.
    #[inline]
    pub fn trusted(rings: impl Into<Rings<'a>>) -> Result<Self, InvalidPolygon> {
        Self::classify(rings.into(), false)
    }

    /// A polygon that was examined before: the result of [`Self::examined`] for the same rings,
    /// and the bounding box, if it was kept.
    #[inline]
    pub fn known(rings: Rings<'a>, examined: &'a PolygonKind, bounds: Option<Bounds>) -> Self {
        let ring = |vertices, clockwise| Ring::known(vertices, Convexity { clockwise, bounds });
        match *examined {
            PolygonKind::Convex { clockwise } => {
                Self::convex(rings, ring(rings.ring(0), clockwise), clockwise)
            }
            PolygonKind::Corners {
                ref corners,
                clockwise,
            } => Self::convex(rings, ring(corners, false), clockwise),
            PolygonKind::General(ref general) => Self {
                rings,
                kind: Kind::General(Cow::Borrowed(general)),
            },
        }
    }

    /// What [`Self::known`] needs.
    pub fn examined(&self) -> PolygonKind {
        match self.kind {
            Kind::General(ref general) => PolygonKind::General(Arc::clone(general)),
            Kind::Convex {
                ref ring,
                clockwise,
                ..
            } => {
                let is_whole = ring.len() == self.rings.vertices();
                if is_whole && !(clockwise && ring.len() > LONG) {
                    return PolygonKind::Convex { clockwise };
                }
                PolygonKind::Corners {
                    corners: ring.as_ref().into(),
                    clockwise,
                }
            }
        }
    }

    #[inline]
    fn classify(rings: Rings<'a>, check: bool) -> Result<Self, InvalidPolygon> {
        if let Some(convexity) = Self::certainly_convex(rings) {
            let ring = Ring::known(rings.ring(0), convexity);
            return Ok(Self::convex(rings, ring, convexity.clockwise));
        }
        Self::examine(rings, check)
    }

    /// As [`Self::examined`], where the filter finds that the result is [`PolygonKind::Convex`].
    #[inline(always)]
    pub(crate) fn known_by_winding(rings: Rings<'_>) -> Option<Convexity> {
        Self::certainly_convex(rings).filter(|it| !(it.clockwise && rings.vertices() > LONG))
    }

    #[inline(always)]
    fn certainly_convex(rings: Rings<'_>) -> Option<Convexity> {
        (rings.len() == 1)
            .then(|| convex::certainly_convex(rings.ring(0)))
            .flatten()
    }

    #[inline]
    fn convex(rings: Rings<'a>, ring: Ring<'a>, clockwise: bool) -> Self {
        let boundary = OnceCell::new();
        Self {
            rings,
            kind: Kind::Convex {
                ring,
                clockwise,
                boundary,
            },
        }
    }

    #[inline(never)]
    fn examine(rings: Rings<'a>, check: bool) -> Result<Self, InvalidPolygon> {
        let (mut corners, mut spans, mut first) = (Vec::new(), SmallVec::new(), 0);
        for (ring, vertices) in rings.iter().enumerate() {
            let mut found = RingCorners::find(vertices, ring, first)
                .map_err(|why| InvalidPolygon::Ring { ring, why })?;
            // The interior comes to lie on the left: shells counterclockwise, holes clockwise.
            let reversed = found.clockwise != (ring > 0);
            if reversed {
                found.corners.reverse();
            }
            if rings.len() == 1 && found.is_convex() {
                let ring = Ring::owned(found.corners.iter().map(|corner| corner.point));
                return Ok(Self::convex(rings, ring, found.clockwise));
            }
            let start = corners.len();
            if ring == 0 {
                corners = found.corners;
            } else {
                corners.append(&mut found.corners);
            }
            spans.push(BoundaryRing {
                corners: start..corners.len(),
                first,
                reversed,
            });
            first += vertices.len();
        }
        corners.shrink_to_fit();
        let boundary = Boundary::new(corners, spans);
        if check {
            validate::check(&boundary)?;
        }
        let hull = OnceLock::new();
        Ok(Self {
            rings,
            kind: Kind::General(Cow::Owned(Arc::new(General { boundary, hull }))),
        })
    }

    /// The rings in the caller's order.
    pub(crate) fn rings(&self) -> Rings<'a> {
        self.rings
    }

    /// Whether the polygon is convex, but for rounding.
    pub fn is_convex(&self) -> bool {
        self.hull().is_ok()
    }

    /// The polygon as a convex ring, its hull where it is convex but for rounding.
    ///
    /// # Errors
    ///
    /// Where it is not convex.
    #[inline]
    pub(crate) fn hull(&self) -> Result<&Ring<'a>, InvalidPolygon> {
        match &self.kind {
            Kind::Convex { ring, .. } => Ok(ring),
            Kind::General(general) => {
                let hull = general
                    .hull
                    .get_or_init(|| Box::new(rounded_hull(&general.boundary)));
                (**hull).as_ref().map_err(|why| *why)
            }
        }
    }

    /// The bounding box.
    pub fn bounds(&self) -> Bounds {
        match &self.kind {
            Kind::Convex { ring, .. } => ring.bounds(),
            Kind::General(general) => general.boundary.bounds(),
        }
    }

    /// The number of vertices, without repeated and collinear ones.
    pub(crate) fn vertices(&self) -> usize {
        match &self.kind {
            Kind::Convex { ring, .. } => ring.len(),
            Kind::General(general) => general.boundary.corners.len(),
        }
    }

    /// The bounding box, if it is known.
    pub fn known_bounds(&self) -> Option<Bounds> {
        match &self.kind {
            Kind::Convex { ring, .. } => ring.known_bounds(),
            Kind::General(general) => Some(general.boundary.bounds()),
        }
    }

    /// Whether the polygon is convex without rounding.
    pub fn is_exactly_convex(&self) -> bool {
        self.exactly_convex().is_some()
    }

    /// The ring of an exactly convex polygon.
    #[inline]
    pub(crate) fn exactly_convex(&self) -> Option<&Ring<'a>> {
        match &self.kind {
            Kind::Convex { ring, .. } => Some(ring),
            Kind::General(_) => None,
        }
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
            Kind::Convex { ring, boundary, .. } => {
                boundary.get_or_init(|| Box::new(Boundary::of_ring(ring)))
            }
            Kind::General(general) => &general.boundary,
        }
    }
}
