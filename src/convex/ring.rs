//! A ring that was checked to be convex. All queries of the narrow phase take this type.

use std::ops::Deref;

use smallvec::SmallVec;

use super::convexity_filter::Convexity;
use crate::geom::{Bounds, Point};

/// The vertices of a convex polygon, counterclockwise, each a true corner: none repeated, none
/// collinear with its neighbours.
#[derive(Clone, Debug)]
pub(crate) struct Ring<'a> {
    vertices: Vertices<'a>,
    bounds: Option<Bounds>,
}

#[derive(Clone, Debug)]
enum Vertices<'a> {
    Borrowed(&'a [Point]),
    Owned(SmallVec<[Point; 8]>),
}

impl<'a> Ring<'a> {
    /// The ring through vertices each of which is a true corner.
    #[inline]
    pub(crate) fn known(vertices: &'a [Point], convexity: Convexity) -> Self {
        let Convexity { clockwise, bounds } = convexity;
        if clockwise {
            Self {
                bounds,
                ..Self::owned(vertices.iter().rev().copied())
            }
        } else {
            Self {
                vertices: Vertices::Borrowed(vertices),
                bounds,
            }
        }
    }

    /// The ring through true corners, counterclockwise.
    pub(crate) fn owned(corners: impl Iterator<Item = Point>) -> Self {
        Self {
            vertices: Vertices::Owned(corners.collect()),
            bounds: None,
        }
    }

    #[inline]
    pub(crate) fn known_bounds(&self) -> Option<Bounds> {
        self.bounds
    }

    #[inline]
    pub(crate) fn bounds(&self) -> Bounds {
        self.bounds
            .unwrap_or_else(|| self.iter().map(|&vertex| Bounds::from(vertex)).collect())
    }
}

impl Deref for Ring<'_> {
    type Target = [Point];

    #[inline]
    fn deref(&self) -> &[Point] {
        match &self.vertices {
            Vertices::Borrowed(vertices) => vertices,
            Vertices::Owned(vertices) => vertices,
        }
    }
}
