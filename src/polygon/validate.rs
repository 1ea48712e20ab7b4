//! What is accepted as a polygon, and which kind it is.

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::hull::{convex_hull, order};
use super::outline::{self, Outline, OutlineRing};
use super::rings::Rings;
use super::validity;
use crate::convex::{Cyclic, Ring, ascends};
use crate::error::{InvalidPolygon, InvalidRing};
use crate::geom::{Displacement, Point};
use crate::predicates::{Length, Sign, compare_lengths, dot, turn};

/// How many units in the last place of its largest coordinate a vertex may lie inside the hull
/// and still count as misplaced by rounding alone: turning a ring by a rotation matrix rounds
/// each coordinate three times, and its neighbours' too.
const ROUNDING: f64 = 8.0;

/// A polygon that passed the checks. It borrows its vertices.
#[derive(Clone, Debug)]
pub struct Polygon<'a> {
    rings: Rings<'a>,
    shape: Shape<'a>,
}

#[derive(Clone, Debug)]
enum Shape<'a> {
    /// One ring, exactly convex.
    Convex {
        ring: Ring<'a>,
        clockwise: bool,
        /// What the general forms need of it, made when a pair needs it.
        outline: OnceCell<Box<Outline>>,
    },
    General(Kept<'a>),
}

#[derive(Clone, Debug)]
enum Kept<'a> {
    Here(Arc<General>),
    InColumn(&'a General),
}

impl Deref for Kept<'_> {
    type Target = General;

    fn deref(&self) -> &General {
        match self {
            Self::Here(general) => general,
            Self::InColumn(general) => general,
        }
    }
}

/// What there is to know of a polygon that is not exactly convex; it borrows nothing, so that a
/// column can keep it.
#[derive(Clone, Debug)]
pub struct General {
    outline: Outline,
    /// The convex ring that it is but for rounding, if it is one.
    hull: OnceLock<Result<Ring<'static>, InvalidPolygon>>,
}

/// What a column keeps of a polygon, so that it need not be examined again.
#[derive(Clone, Debug)]
pub enum Examined {
    /// A ring whose every vertex is a corner of a convex polygon.
    Convex {
        /// Which way it runs.
        clockwise: bool,
    },
    /// The corners of a convex ring that has repeated or collinear vertices too.
    Corners {
        /// Counterclockwise.
        corners: Box<[Point]>,
        /// Which way the ring runs.
        clockwise: bool,
    },
    /// Anything else.
    General(Arc<General>),
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

    /// Takes rings known to be good: how they and their edges lie to each other is not checked.
    /// Anything else than a good polygon gets meaningless answers.
    ///
    /// # Errors
    ///
    /// As [`Self::new`] for what the skipped checks don't concern.
    #[inline]
    pub fn trusted(rings: impl Into<Rings<'a>>) -> Result<Self, InvalidPolygon> {
        Self::classify(rings.into(), false)
    }

    /// A polygon that was examined before: what [`Self::examined`] gave, with the same rings.
    #[inline]
    pub fn known(rings: Rings<'a>, examined: &'a Examined) -> Self {
        match examined {
            &Examined::Convex { clockwise } => {
                let ring = Ring::known(rings.ring(0), clockwise);
                Self::convex(rings, ring, clockwise)
            }
            &Examined::Corners {
                ref corners,
                clockwise,
            } => Self::convex(rings, Ring::known(corners, false), clockwise),
            Examined::General(general) => Self {
                rings,
                shape: Shape::General(Kept::InColumn(general)),
            },
        }
    }

    /// What [`Self::known`] needs.
    pub fn examined(&self) -> Examined {
        match &self.shape {
            Shape::General(Kept::Here(general)) => Examined::General(Arc::clone(general)),
            Shape::General(Kept::InColumn(general)) => {
                Examined::General(Arc::new((*general).clone()))
            }
            &Shape::Convex {
                ref ring,
                clockwise,
                ..
            } if ring.len() == self.rings.vertices() => Examined::Convex { clockwise },
            &Shape::Convex {
                ref ring,
                clockwise,
                ..
            } => Examined::Corners {
                corners: ring.as_ref().into(),
                clockwise,
            },
        }
    }

    #[inline]
    fn classify(rings: Rings<'a>, check: bool) -> Result<Self, InvalidPolygon> {
        if rings.len() == 1
            && let Some((ring, clockwise)) = Ring::certain(rings.ring(0))
        {
            return Ok(Self::convex(rings, ring, clockwise));
        }
        Self::examine(rings, check)
    }

    #[inline]
    fn convex(rings: Rings<'a>, ring: Ring<'a>, clockwise: bool) -> Self {
        let outline = OnceCell::new();
        Self {
            rings,
            shape: Shape::Convex {
                ring,
                clockwise,
                outline,
            },
        }
    }

    #[cold]
    fn examine(rings: Rings<'a>, check: bool) -> Result<Self, InvalidPolygon> {
        let found = rings.iter().enumerate().map(|(ring, vertices)| {
            Corners::find(vertices).map_err(|why| InvalidPolygon::Ring { ring, why })
        });
        let found: Vec<Corners> = found.collect::<Result<_, _>>()?;
        if let [corners] = &found[..]
            && corners.wind_once()
        {
            let ring = Ring::owned(corners.running_left(false).map(|(_, point)| point));
            return Ok(Self::convex(rings, ring, corners.clockwise));
        }
        let outline = outline(rings, &found);
        if check {
            validity::check(&outline)?;
        }
        let hull = OnceLock::new();
        Ok(Self {
            rings,
            shape: Shape::General(Kept::Here(Arc::new(General { outline, hull }))),
        })
    }

    /// The rings in the caller's order.
    pub(crate) fn rings(&self) -> Rings<'a> {
        self.rings
    }

    /// Whether it is its own hull, rounding apart.
    pub fn is_convex(&self) -> bool {
        self.hull().is_ok()
    }

    /// The convex ring this is, rounding apart.
    ///
    /// # Errors
    ///
    /// Where it is not convex.
    #[inline]
    pub(crate) fn hull(&self) -> Result<&Ring<'a>, InvalidPolygon> {
        match &self.shape {
            Shape::Convex { ring, .. } => Ok(ring),
            Shape::General(general) => {
                let hull = general.hull.get_or_init(|| rounded_hull(&general.outline));
                hull.as_ref().map_err(|why| *why)
            }
        }
    }

    /// The ring, if it is exactly convex as given.
    #[inline]
    pub(crate) fn exactly_convex(&self) -> Option<&Ring<'a>> {
        match &self.shape {
            Shape::Convex { ring, .. } => Some(ring),
            Shape::General(_) => None,
        }
    }

    /// Whether an exactly convex ring runs clockwise as given.
    pub(crate) fn is_clockwise(&self) -> bool {
        matches!(
            self.shape,
            Shape::Convex {
                clockwise: true,
                ..
            }
        )
    }

    /// The boundary as given, without repeated and collinear vertices.
    pub(crate) fn outline(&self) -> &Outline {
        match &self.shape {
            Shape::Convex { ring, outline, .. } => {
                outline.get_or_init(|| Box::new(Outline::of_ring(ring)))
            }
            Shape::General(general) => &general.outline,
        }
    }
}

/// The outline through the corners of all rings.
fn outline(rings: Rings<'_>, found: &[Corners]) -> Outline {
    let mut corners = Vec::with_capacity(found.iter().map(|ring| ring.points.len()).sum());
    let mut spans = smallvec::SmallVec::new();
    let mut first = 0;
    for (number, ring) in found.iter().enumerate() {
        let (start, hole) = (corners.len(), number > 0);
        let fits = "fewer than 2^32 vertices";
        let found = ring
            .running_left(hole)
            .map(|(position, point)| outline::Corner {
                point,
                position: u32::try_from(first + position).expect(fits),
                ring: u32::try_from(number).expect(fits),
            });
        corners.extend(found);
        spans.push(OutlineRing {
            corners: start..corners.len(),
            first,
            reversed: ring.clockwise != hole,
        });
        first += rings.ring(number).len();
    }
    Outline::new(corners, spans)
}

/// The hull, if no vertex lies inside it by more than rounding.
fn rounded_hull(outline: &Outline) -> Result<Ring<'static>, InvalidPolygon> {
    let corners = outline.corners();
    if outline.rings().len() > 1 {
        return Err(InvalidPolygon::HasHole);
    }
    let points: Vec<Point> = corners.iter().map(|corner| corner.point).collect();
    let hull = convex_hull(&points);
    let reflex = |k: usize| turn(points.edge(points.previous(k)), points.edge(k)) == Sign::Negative;
    // Reflex vertices first: where there are deep ones, they tell more, and the first ends it.
    let reflex_first = (0..points.len())
        .filter(|&k| reflex(k))
        .chain(0..points.len());
    for k in reflex_first {
        if !near_boundary(points[k], &hull) {
            return Err(InvalidPolygon::NotConvex {
                vertex: corners[k].position as usize,
                value: points[k],
            });
        }
    }
    Ok(Ring::owned(hull.into_iter()))
}

fn finite(vertices: &[Point]) -> Result<(), InvalidRing> {
    match vertices.iter().position(|vertex| !vertex.is_finite()) {
        None => Ok(()),
        Some(vertex) => Err(InvalidRing::NotFinite {
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
    fn find(vertices: &[Point]) -> Result<Self, InvalidRing> {
        if vertices.len() < 3 {
            return Err(InvalidRing::TooFewVertices {
                count: vertices.len(),
            });
        }
        // Also of trusted input: walks round a ring end only where numbers can be compared.
        finite(vertices)?;
        let distinct: Vec<usize> = (0..vertices.len())
            .filter(|&index| vertices[index] != vertices[vertices.previous(index)])
            .collect();
        let points: Vec<Point> = distinct.iter().map(|&index| vertices[index]).collect();
        if points.len() < 3 {
            return Err(InvalidRing::ZeroArea);
        }
        let turns = turns(&points);
        if turns.iter().all(|&turn| turn == Sign::Zero) {
            return Err(InvalidRing::ZeroArea);
        }
        for (index, _) in turns
            .iter()
            .enumerate()
            .filter(|(_, turn)| **turn == Sign::Zero)
        {
            let (incoming, outgoing) = (points.edge(points.previous(index)), points.edge(index));
            if dot(incoming, outgoing.displacement()) == Sign::Negative {
                return Err(InvalidRing::Spike {
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
            return Err(InvalidRing::ZeroArea);
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

    /// The corners with what the ring bounds on the left: counterclockwise for a shell.
    fn running_left(&self, hole: bool) -> Box<dyn Iterator<Item = (usize, Point)> + '_> {
        let corners = self
            .positions
            .iter()
            .copied()
            .zip(self.points.iter().copied());
        if self.clockwise == hole {
            Box::new(corners)
        } else {
            Box::new(corners.rev())
        }
    }
}

fn turns(points: &[Point]) -> Vec<Sign> {
    (0..points.len())
        .map(|k| turn(points.edge(points.previous(k)), points.edge(k)))
        .collect()
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
