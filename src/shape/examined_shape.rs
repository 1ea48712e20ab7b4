//! What a column keeps of a shape, so that it need not be examined again.

use std::sync::{Arc, OnceLock};

use super::boundary::Boundary;
use super::parts::convex_pieces::ConvexPieces;
use crate::convex::Ring;
use crate::geom::Point;
use crate::invalid_shape::InvalidShape;
use crate::simd::load::MOST_IN_A_TILE;

/// A shape that is neither an exactly convex polygon nor a point; it borrows nothing, so that a column
/// can keep it.
#[derive(Clone, Debug)]
pub struct General {
    pub(super) boundary: Boundary,
    /// The hull, if the polygon is convex but for rounding.
    pub(super) hull: OnceLock<Box<Result<Ring<'static>, InvalidShape>>>,
    /// Convex pieces that tile it, if a query needs them and they can be found.
    pub(super) pieces: OnceLock<Option<Box<ConvexPieces>>>,
}

/// What a column keeps of a shape, so that it need not be examined again.
#[derive(Clone, Debug)]
pub enum ExaminedShape {
    /// A ring whose every vertex is a corner of a convex polygon.
    Convex {
        /// Whether the ring is clockwise.
        clockwise: bool,
    },
    /// A convex ring that has further vertices, or more vertices than a tile takes.
    Corners(Box<ConvexCorners>),
    /// A point.
    Point,
    /// Any other shape.
    General(Arc<General>),
}

/// What a column keeps of a convex ring besides its vertices: its corners, and their boundary.
#[derive(Clone, Debug)]
pub struct ConvexCorners {
    /// The corners, counterclockwise, unless these are the vertices as they were given.
    pub(super) corners: Option<Box<[Point]>>,
    pub(super) clockwise: bool,
    /// The boundary, made when a query first needs it.
    pub(super) boundary: OnceLock<Box<Boundary>>,
}

impl ExaminedShape {
    /// A convex ring, each vertex of which is a corner.
    #[inline(always)]
    pub(super) fn of_corners(ring: &[Point], clockwise: bool) -> Self {
        if ring.len() <= MOST_IN_A_TILE {
            return Self::Convex { clockwise };
        }
        Self::with_corners(
            clockwise.then(|| ring.iter().rev().copied().collect()),
            clockwise,
        )
    }

    /// A convex ring whose corners, counterclockwise, are these, or its vertices as they were given.
    #[inline(never)]
    pub(super) fn with_corners(corners: Option<Box<[Point]>>, clockwise: bool) -> Self {
        let boundary = OnceLock::new();
        Self::Corners(Box::new(ConvexCorners {
            corners,
            clockwise,
            boundary,
        }))
    }

    /// Whether it is a convex ring of so many vertices, each of which is a corner.
    pub(crate) fn is_convex_of(&self, vertices: usize) -> bool {
        match self {
            Self::Convex { .. } => true,
            Self::Corners(kept) => (kept.corners.as_ref()).is_none_or(|it| it.len() == vertices),
            Self::Point | Self::General(_) => false,
        }
    }

    /// Whether it is a clockwise convex ring.
    pub(crate) fn is_clockwise(&self) -> bool {
        match self {
            Self::Convex { clockwise } => *clockwise,
            Self::Corners(kept) => kept.clockwise,
            Self::Point | Self::General(_) => false,
        }
    }

    /// Bytes of heap memory that it owns.
    pub fn nbytes(&self) -> usize {
        match self {
            Self::Convex { .. } | Self::Point => 0,
            Self::Corners(kept) => {
                let corners = kept.corners.as_ref().map_or(0, |it| size_of_val(&**it));
                let boundary = kept.boundary.get();
                let boundary = boundary.map_or(0, |it| size_of::<Boundary>() + it.nbytes());
                size_of::<ConvexCorners>() + corners + boundary
            }
            Self::General(general) => {
                let hull = general.hull.get().and_then(|hull| (**hull).as_ref().ok());
                let hull = hull.map_or(0, |ring| size_of_val(&**ring));
                let pieces = general.pieces.get().and_then(Option::as_ref);
                let pieces = pieces.map_or(0, |it| size_of::<ConvexPieces>() + it.nbytes());
                size_of::<General>() + general.boundary.nbytes() + hull + pieces
            }
        }
    }

    /// Reads memory of its own into the cache: see [`Boundary::read_ahead`].
    #[inline]
    pub(crate) fn read_ahead(&self) -> f64 {
        match self {
            Self::General(general) => general.boundary.read_ahead(),
            _ => 0.0,
        }
    }
}
