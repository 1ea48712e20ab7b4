//! What is accepted as a polygon, and which kind it is.

use std::cmp::Ordering;

use super::crossing::meet;
use crate::convex::{Cyclic, Ring, ascends};
use crate::error::InvalidPolygon;
use crate::geom::{Displacement, Edge, Point};
use crate::predicates::{Length, Sign, compare_lengths, dot, side, turn};

/// How many units in the last place of its largest coordinate a vertex may lie inside the hull
/// and still count as misplaced by rounding alone: turning a ring by a rotation matrix rounds
/// each coordinate three times, and its neighbours' too.
const ROUNDING: f64 = 8.0;

/// A polygon that passed the checks. It borrows its vertices.
#[derive(Clone, Debug)]
pub struct Polygon<'a> {
    /// As given, without a repeated closing vertex.
    vertices: &'a [Point],
    clockwise: bool,
    hull: Ring<'a>,
    /// The ring as given, counterclockwise, where rounding keeps it from being its own hull.
    outline: Option<Box<[Point]>>,
}

impl<'a> Polygon<'a> {
    /// Checks vertices of either winding; a repeated closing vertex, consecutive repeated ones
    /// and collinear ones are allowed.
    ///
    /// # Errors
    ///
    /// [`InvalidPolygon`] with the position of the fault: too few vertices, a coordinate that is
    /// not finite, no area, a ring that meets itself, or a vertex inside the hull by more than
    /// rounding.
    pub fn new(vertices: &'a [Point]) -> Result<Self, InvalidPolygon> {
        Self::classify(vertices, true)
    }

    /// Takes vertices known to be good: that the ring does not meet itself is not checked. Anything else than a good polygon gets meaningless answers.
    ///
    /// # Errors
    ///
    /// As [`Self::new`] for what the skipped checks don't concern.
    pub fn trusted(vertices: &'a [Point]) -> Result<Self, InvalidPolygon> {
        Self::classify(vertices, false)
    }

    /// Whether it is its own hull, rounding apart.
    #[allow(clippy::unused_self)]
    pub fn is_convex(&self) -> bool {
        true
    }

    #[inline]
    fn classify(vertices: &'a [Point], check: bool) -> Result<Self, InvalidPolygon> {
        let vertices = match vertices {
            [first, open @ .., last] if first == last && !open.is_empty() => {
                &vertices[..vertices.len() - 1]
            }
            _ => vertices,
        };
        if vertices.len() < 3 {
            return Err(InvalidPolygon::TooFewVertices {
                count: vertices.len(),
            });
        }
        match Ring::certain(vertices) {
            Some((hull, clockwise)) => Ok(Self {
                vertices,
                clockwise,
                hull,
                outline: None,
            }),
            None => Self::examine(vertices, check),
        }
    }

    #[cold]
    fn examine(vertices: &'a [Point], check: bool) -> Result<Self, InvalidPolygon> {
        // Also of trusted input: walks round a ring end only where numbers can be compared.
        finite(vertices)?;
        let corners = Corners::find(vertices)?;
        let convex = corners.wind_once();
        let (hull, outline) = if convex {
            (Ring::owned(corners.counterclockwise()), None)
        } else {
            let hull = corners.rounded_hull()?;
            if check {
                corners.simple()?;
            }
            let outline = corners.counterclockwise().collect();
            (Ring::owned(hull.into_iter()), Some(outline))
        };
        Ok(Self {
            vertices,
            clockwise: corners.clockwise,
            hull,
            outline,
        })
    }

    /// The vertices in the caller's order, without a repeated closing vertex.
    pub fn vertices(&self) -> &[Point] {
        self.vertices
    }

    /// The convex ring this is, rounding apart.
    #[inline]
    pub(crate) fn hull(&self) -> &Ring<'a> {
        &self.hull
    }

    /// The ring as given, counterclockwise, without repeated and collinear vertices.
    pub(crate) fn outline(&self) -> &[Point] {
        self.outline.as_deref().unwrap_or(&self.hull)
    }

    /// Whether the ring as given is exactly convex.
    #[inline]
    pub(crate) fn is_exactly_convex(&self) -> bool {
        self.outline.is_none()
    }

    /// An edge of the caller's ring as it runs counterclockwise.
    #[inline]
    pub(crate) fn counterclockwise(&self, edge: Edge) -> Edge {
        if self.clockwise {
            edge.reversed()
        } else {
            edge
        }
    }
}

fn finite(vertices: &[Point]) -> Result<(), InvalidPolygon> {
    match vertices.iter().position(|vertex| !vertex.is_finite()) {
        None => Ok(()),
        Some(vertex) => Err(InvalidPolygon::NotFinite {
            vertex,
            value: vertices[vertex],
        }),
    }
}

/// The true corners of a ring: vertices where it turns.
struct Corners {
    /// Positions in the caller's order.
    positions: Vec<usize>,
    points: Vec<Point>,
    turns: Vec<Sign>,
    clockwise: bool,
}

impl Corners {
    fn find(vertices: &[Point]) -> Result<Self, InvalidPolygon> {
        let distinct: Vec<usize> = (0..vertices.len())
            .filter(|&index| vertices[index] != vertices[vertices.previous(index)])
            .collect();
        let points: Vec<Point> = distinct.iter().map(|&index| vertices[index]).collect();
        if points.len() < 3 {
            return Err(InvalidPolygon::ZeroArea);
        }
        let turns = turns(&points);
        if turns.iter().all(|&turn| turn == Sign::Zero) {
            return Err(InvalidPolygon::ZeroArea);
        }
        for (index, _) in turns
            .iter()
            .enumerate()
            .filter(|(_, turn)| **turn == Sign::Zero)
        {
            let (incoming, outgoing) = (points.edge(points.previous(index)), points.edge(index));
            if dot(incoming, outgoing.displacement()) == Sign::Negative {
                return Err(InvalidPolygon::Spike {
                    vertex: distinct[index],
                    value: points[index],
                });
            }
        }
        let kept: Vec<usize> = (0..points.len())
            .filter(|&k| turns[k] != Sign::Zero)
            .collect();
        let turns: Vec<Sign> = kept.iter().map(|&k| turns[k]).collect();
        let positions = kept.iter().map(|&k| distinct[k]).collect();
        let points: Vec<Point> = kept.iter().map(|&k| points[k]).collect();
        if points.len() < 3 {
            return Err(InvalidPolygon::ZeroArea);
        }
        // The lowest of the leftmost vertices is a corner of the hull: the ring turns there the
        // way it runs.
        let leftmost = (0..points.len())
            .min_by(|&i, &j| order(points[i], points[j]))
            .expect("a ring has corners");
        Ok(Self {
            clockwise: turns[leftmost] == Sign::Negative,
            positions,
            points,
            turns,
        })
    }

    /// Whether all turns go the same way, once round.
    fn wind_once(&self) -> bool {
        let ring = &self.points;
        let changes = (0..ring.len())
            .filter(|&k| ascends(ring.edge(ring.previous(k))) != ascends(ring.edge(k)))
            .count();
        changes == 2 && self.turns.iter().all(|&turn| turn == self.turns[0])
    }

    fn counterclockwise(&self) -> Box<dyn Iterator<Item = Point> + '_> {
        if self.clockwise {
            Box::new(self.points.iter().rev().copied())
        } else {
            Box::new(self.points.iter().copied())
        }
    }

    /// The hull, if no vertex lies inside it by more than rounding.
    fn rounded_hull(&self) -> Result<Vec<Point>, InvalidPolygon> {
        let hull = hull(&self.points);
        let deep: Vec<usize> = (0..self.points.len())
            .filter(|&k| !near_boundary(self.points[k], &hull))
            .collect();
        let wrong = if self.clockwise {
            Sign::Positive
        } else {
            Sign::Negative
        };
        let reflex = deep.iter().find(|&&k| self.turns[k] == wrong);
        match reflex.or(deep.first()) {
            None if hull.len() < 3 => Err(InvalidPolygon::ZeroArea),
            None => Ok(hull),
            Some(&k) => Err(InvalidPolygon::NotConvex {
                vertex: self.positions[k],
                value: self.points[k],
            }),
        }
    }

    /// Whether no two edges that are not neighbours meet. Edges are taken from left to right, each
    /// against those that begin before it ends.
    fn simple(&self) -> Result<(), InvalidPolygon> {
        let ring = &self.points;
        let left = |k: usize| ring.edge(k).start.x.min(ring.edge(k).end.x);
        let right = |k: usize| ring.edge(k).start.x.max(ring.edge(k).end.x);
        let mut edges: Vec<usize> = (0..ring.len()).collect();
        edges.sort_by(|&i, &j| left(i).total_cmp(&left(j)));
        for (rank, &i) in edges.iter().enumerate() {
            let reach = edges[rank + 1..]
                .iter()
                .take_while(|&&j| left(j) <= right(i));
            for &j in reach {
                let neighbours = ring.next(i) == j || ring.next(j) == i;
                if !neighbours && meet(ring.edge(i), ring.edge(j)) {
                    let (first, second) = (i.min(j), i.max(j));
                    return Err(InvalidPolygon::SelfIntersection {
                        first: self.positions[first],
                        second: self.positions[second],
                        value: ring[second],
                    });
                }
            }
        }
        Ok(())
    }
}

fn turns(points: &[Point]) -> Vec<Sign> {
    (0..points.len())
        .map(|k| turn(points.edge(points.previous(k)), points.edge(k)))
        .collect()
}

/// From left to right, of equals from below; total, so that unchecked NaN cannot upset a sort,
/// and blind to the sign of zero.
fn order(a: Point, b: Point) -> Ordering {
    let plain = |value: f64| value + 0.0;
    plain(a.x)
        .total_cmp(&plain(b.x))
        .then(plain(a.y).total_cmp(&plain(b.y)))
}

/// The convex hull's corners, counterclockwise, by Andrew's monotone chain.
fn hull(points: &[Point]) -> Vec<Point> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|&a, &b| order(a, b));
    let mut hull = half_hull(sorted.iter().copied());
    hull.extend(half_hull(sorted.iter().rev().copied()));
    hull
}

/// The lower half of a hull from points sorted to the right, without its last corner.
fn half_hull(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut chain: Vec<Point> = Vec::new();
    for point in points {
        while let [.., before, last] = chain[..] {
            if side(Edge::new(before, last), point) == Sign::Positive {
                break;
            }
            chain.pop();
        }
        chain.push(point);
    }
    chain.pop();
    chain
}

fn near_boundary(vertex: Point, hull: &[Point]) -> bool {
    let allowed = Length::Given(ROUNDING * unit_in_last_place(vertex));
    (0..hull.len()).any(|k| {
        let edge = hull.edge(k);
        let inside = Length::Across(edge, Displacement::between(edge.start, vertex));
        compare_lengths(inside, allowed) != Ordering::Greater
    })
}

/// The distance between neighbouring floats at a point's largest coordinate.
fn unit_in_last_place(point: Point) -> f64 {
    let largest = point.x.abs().max(point.y.abs());
    let (_, exponent) = libm::frexp(largest);
    libm::ldexp(1.0, (exponent - 53).max(-1074))
}
