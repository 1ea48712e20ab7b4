//! Through which pair of features two convex polygons with a radius, one moving, first come into contact: found by a walk in
//! floats round their Minkowski difference, and certified by exact predicates about its neighbours alone.
//!
//! The contact is where the origin's path enters the difference `{b - a}` grown by the radius. On the side that faces the path,
//! the position across the path falls along the boundary, so that few looks find where it passes zero. A supporting line there
//! certifies it: of a convex polygon a vertex whose neighbours are behind a line has all others behind it.

use std::cmp::Ordering;

use super::circle_arrival::Approach;
use super::rounded_sweep::{MovingPair, RoundedContact, RoundedEvent};
use crate::convex::{Cyclic, Owner, farthest_vertex};
use crate::geom::{Circle, Displacement, Edge, Motion, Point, Vec2};
use crate::predicates::{Length, Sign, compare_lengths, cross, turn};
use crate::shape::boundary::boundary_feature::vertex_at;
use crate::shape::pair::arrival_search::FeaturePair;

/// Edges of both polygons up to which a walk takes less time than halving the angle first: 2^5.
const SHORT_WALK: u32 = 5;

/// It takes a look at all features: edges are parallel, or floats mislead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Undecided;

/// What the line along which the first polygon moves meets.
enum LineEntry {
    /// These features, which come into contact.
    Through(FeaturePair),
    /// Nothing. These corners of `a` and `b` are the nearest to the line; and whether their difference lies to its left.
    Misses([usize; 2], bool),
}

impl MovingPair<'_, [Point]> {
    /// The first contact within the frame of convex polygons that are apart at the start, if there is one, of which `b` has
    /// this radius.
    pub(super) fn contact_of_convex(
        &self,
        radius_b: f64,
    ) -> Result<Option<RoundedContact>, Undecided> {
        let arriving = self.arriving()?;
        Ok(arriving.map(|event| self.contact(&event, event.approach.time(), radius_b)))
    }

    /// The features that come into contact first within the frame, of polygons that are apart at the start.
    pub(crate) fn arriving(&self) -> Result<Option<RoundedEvent>, Undecided> {
        let entry = self.entry()?.map(|(_, event)| event);
        Ok(entry.filter(|event| event.approach.arrives()))
    }

    /// The features through which the polygons come into contact where `a` comes along its path from however far, and goes
    /// on, if they do.
    pub(crate) fn entry(&self) -> Result<Option<(FeaturePair, RoundedEvent)>, Undecided> {
        match self.walk().ok_or(Undecided)? {
            LineEntry::Through(pair) => {
                let event = self.event(pair);
                let is_certain = self.is_entry(pair, &event);
                is_certain.then_some(Some((pair, event))).ok_or(Undecided)
            }
            LineEntry::Misses(corners, is_left) => {
                let is_certain = self.is_beside(corners, is_left);
                is_certain.then_some(None).ok_or(Undecided)
            }
        }
    }

    /// The entry, but for rounding.
    fn walk(&self) -> Option<LineEntry> {
        let (a, b) = (self.a, self.b);
        let velocity = self.velocity.rounded();
        let offset = self.offset.map_or(Vec2::ZERO, Motion::rounded);
        let radius: f64 = self.radius.terms().sum();
        let speed = velocity.length();
        let across = |[i, j]: [usize; 2]| velocity.cross(b[j] - a[i] - offset);
        let corners = |normal: Vec2| {
            [
                farthest_vertex(a, normal.reversed()),
                farthest_vertex(b, normal),
            ]
        };

        let mut near = velocity.reversed();
        let mut at = corners(near);
        let is_left = across(at) > 0.0;
        // Counterclockwise round the difference the position falls, clockwise it rises.
        let sign = if is_left { 1.0 } else { -1.0 };
        let mut far = near.turned_left().times(sign);
        for _ in SHORT_WALK..(a.len() + b.len()).ilog2() {
            let middle = near + far;
            let middle = middle.times(speed / middle.length());
            let its = corners(middle);
            if sign * (across(its) + velocity.cross(middle) * (radius / speed)) > 0.0 {
                (near, at) = (middle, its);
            } else {
                far = middle;
            }
        }
        for _ in 0..a.len() + b.len() {
            let [i, j] = at;
            let position = sign * across(at);
            // The edge of either that follows on the difference, or that comes before.
            let (of_a, of_b) = if is_left {
                (i, j)
            } else {
                (a.previous(i), b.previous(j))
            };
            let vector_a = a[of_a] - a[a.next(of_a)];
            let vector_b = b[b.next(of_b)] - b[of_b];
            let is_of_a = (vector_a.cross(vector_b) > 0.0) == is_left;
            let edge = if is_of_a { vector_a } else { vector_b };
            let vertices = LineEntry::Through(FeaturePair {
                corners: at,
                edge_of: None,
            });
            if velocity.cross(edge) >= 0.0 {
                return Some(if position > radius * speed {
                    LineEntry::Misses(at, is_left)
                } else {
                    vertices
                });
            }
            let start = position - sign * radius * velocity.dot(edge) / edge.length();
            if start <= 0.0 {
                return Some(vertices);
            }
            let (own, owner) = if is_of_a {
                ([of_a, j], Owner::A)
            } else {
                ([i, of_b], Owner::B)
            };
            if start + velocity.cross(edge) <= 0.0 {
                return Some(LineEntry::Through(FeaturePair {
                    corners: own,
                    edge_of: Some(owner),
                }));
            }
            at = match (is_left, owner) {
                (true, Owner::A) => [a.next(i), j],
                (true, Owner::B) => [i, b.next(j)],
                (false, _) => own,
            };
        }
        None
    }

    /// Whether the path certainly enters the grown difference there, and no edges are parallel.
    fn is_entry(
        &self,
        FeaturePair { corners, edge_of }: FeaturePair,
        event: &RoundedEvent,
    ) -> bool {
        let [i, j] = corners;
        let approach = &event.approach;
        let faces = |edge: Edge, ring: &[Point], vertex, velocity: Motion| {
            let [arriving, leaving] = ring.edges_at(vertex);
            turn(edge, arriving) == Sign::Positive
                && turn(edge, leaving) == Sign::Negative
                && cross(edge, velocity.displacement()) == Sign::Positive
        };
        approach.is_on_path()
            && match edge_of {
                Some(Owner::A) => faces(self.a.edge(i), self.b, j, self.velocity.reversed()),
                Some(Owner::B) => faces(self.b.edge(j), self.a, i, self.velocity),
                None => {
                    approach.is_from_outside()
                        && self.passing(corners).is_from_outside()
                        && self.parallel_edges(event).is_none()
                }
            }
    }

    /// A vertex of `b` on its way to one of `a`.
    fn passing(&self, [i, j]: [usize; 2]) -> Approach {
        let circle = Circle {
            center: self.b[j],
            radius: self.radius,
        };
        let offset = self.offset.map(Motion::reversed);
        Approach::new(
            vertex_at(self.a, i),
            circle,
            offset,
            self.velocity.reversed(),
        )
    }

    /// Whether these corners are the nearest to the path, and farther from it than the radius.
    fn is_beside(&self, [i, j]: [usize; 2], is_left: bool) -> bool {
        let path = self.velocity;
        let side = if is_left {
            Sign::Positive
        } else {
            Sign::Negative
        };
        let gap = Displacement::new(self.b[j], self.a[i], self.offset);
        let ends_at = |ring: &[Point], vertex, inward: Sign| {
            let [arriving, leaving] = ring.edges_at(vertex);
            let turns = [arriving, leaving].map(|edge| cross(path, edge.displacement()));
            turns[0] != inward && turns[1] != -inward
        };
        cross(path, gap) == -side
            && ends_at(self.b, j, side)
            && ends_at(self.a, i, -side)
            && compare_lengths(Length::AcrossMotion(path, gap), Length::Number(self.radius))
                == Ordering::Greater
    }
}
