//! What is accepted as a polygon, and which kind it is.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::boundary::{self, Boundary, BoundaryRing};
use super::convex_hull::convex_hull;
use super::rings::Rings;
use super::validate;
use crate::convex::{self, Convexity, Cyclic, Ring, ascends};
use crate::error::{InvalidPolygon, InvalidRing};
use crate::geom::{Bounds, Displacement, Edge, Point};
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
        boundary: OnceCell<Box<Boundary>>,
    },
    General(Analysis<'a>),
}

#[derive(Clone, Debug)]
enum Analysis<'a> {
    Here(Arc<General>),
    InColumn(&'a General),
}

impl Deref for Analysis<'_> {
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
    boundary: Boundary,
    /// The convex ring that it is but for rounding, if it is one.
    hull: OnceLock<Result<Ring<'static>, InvalidPolygon>>,
}

/// What a column keeps of a polygon, so that it need not be examined again.
#[derive(Clone, Debug)]
pub enum PolygonKind {
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

/// Vertices above which a column keeps a ring that runs clockwise turned round: the search by
/// halves takes less time than turning it for every question.
const LONG: usize = 16;

/// Whether a column keeps more of a convex ring than which way it runs.
pub(crate) fn is_kept(vertices: usize, clockwise: bool) -> bool {
    clockwise && vertices > LONG
}

impl PolygonKind {
    /// How much memory it holds apart from itself.
    pub fn nbytes(&self) -> usize {
        match self {
            Self::Convex { .. } => 0,
            Self::Corners { corners, .. } => size_of_val(&**corners),
            Self::General(general) => {
                let hull = general.hull.get().and_then(|hull| hull.as_ref().ok());
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

    /// A polygon that was examined before: what [`Self::examined`] gave, with the same rings, and
    /// the box round it, if that was kept.
    #[inline]
    pub fn known(rings: Rings<'a>, examined: &'a PolygonKind, bounds: Option<Bounds>) -> Self {
        match examined {
            &PolygonKind::Convex { clockwise } => {
                let ring = Ring::known(rings.ring(0), Convexity { clockwise, bounds });
                Self::convex(rings, ring, clockwise)
            }
            &PolygonKind::Corners {
                ref corners,
                clockwise,
            } => {
                let leftward = Convexity {
                    clockwise: false,
                    bounds,
                };
                Self::convex(rings, Ring::known(corners, leftward), clockwise)
            }
            PolygonKind::General(general) => Self {
                rings,
                shape: Shape::General(Analysis::InColumn(general)),
            },
        }
    }

    /// What [`Self::known`] needs.
    pub fn examined(&self) -> PolygonKind {
        match &self.shape {
            Shape::General(Analysis::Here(general)) => PolygonKind::General(Arc::clone(general)),
            Shape::General(Analysis::InColumn(general)) => {
                PolygonKind::General(Arc::new((*general).clone()))
            }
            &Shape::Convex {
                ref ring,
                clockwise,
                ..
            } if ring.len() == self.rings.vertices() && !is_kept(ring.len(), clockwise) => {
                PolygonKind::Convex { clockwise }
            }
            &Shape::Convex {
                ref ring,
                clockwise,
                ..
            } => PolygonKind::Corners {
                corners: ring.as_ref().into(),
                clockwise,
            },
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

    /// Which way the rings run, if they are one that is exactly convex and nothing else is kept of
    /// it; nothing is known otherwise.
    #[inline]
    pub(crate) fn known_by_winding(rings: Rings<'_>) -> Option<Convexity> {
        let is_enough = |them: &Convexity| !is_kept(rings.vertices(), them.clockwise);
        Self::certainly_convex(rings).filter(is_enough)
    }

    #[inline]
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
            shape: Shape::Convex {
                ring,
                clockwise,
                boundary,
            },
        }
    }

    #[inline(never)]
    fn examine(rings: Rings<'a>, check: bool) -> Result<Self, InvalidPolygon> {
        let found = rings.iter().enumerate().map(|(ring, vertices)| {
            Corners::find(vertices).map_err(|why| InvalidPolygon::Ring { ring, why })
        });
        let found: SmallVec<[Corners<'_>; 1]> = found.collect::<Result<_, _>>()?;
        if let [corners] = &found[..]
            && corners.wind_once()
        {
            let ring = Ring::owned(corners.running_left(false).map(|(_, point)| point));
            return Ok(Self::convex(rings, ring, corners.clockwise));
        }
        let boundary = boundary(rings, &found);
        if check {
            validate::check(&boundary)?;
        }
        let hull = OnceLock::new();
        Ok(Self {
            rings,
            shape: Shape::General(Analysis::Here(Arc::new(General { boundary, hull }))),
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
                let hull = general.hull.get_or_init(|| rounded_hull(&general.boundary));
                hull.as_ref().map_err(|why| *why)
            }
        }
    }

    /// The box round it.
    pub fn bounds(&self) -> Bounds {
        match &self.shape {
            Shape::Convex { ring, .. } => ring.bounds(),
            Shape::General(general) => general.boundary.bounds(),
        }
    }

    /// The box round it, if it is convex as it is.
    pub(crate) fn convex_bounds(&self) -> Option<Bounds> {
        self.exactly_convex().map(Ring::bounds)
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
    pub(crate) fn boundary(&self) -> &Boundary {
        match &self.shape {
            Shape::Convex { ring, boundary, .. } => {
                boundary.get_or_init(|| Box::new(Boundary::of_ring(ring)))
            }
            Shape::General(general) => &general.boundary,
        }
    }
}

/// The boundary through the corners of all rings.
fn boundary(rings: Rings<'_>, found: &[Corners<'_>]) -> Boundary {
    let mut corners = Vec::with_capacity(found.iter().map(|ring| ring.turns.len()).sum());
    let mut spans = SmallVec::new();
    let mut first = 0;
    for (number, ring) in found.iter().enumerate() {
        let (start, hole) = (corners.len(), number > 0);
        let fits = "fewer than 2^32 vertices";
        let found = ring
            .running_left(hole)
            .map(|(position, point)| boundary::Corner {
                point,
                position: u32::try_from(first + position).expect(fits),
                ring: u32::try_from(number).expect(fits),
            });
        corners.extend(found);
        spans.push(BoundaryRing {
            corners: start..corners.len(),
            first,
            reversed: ring.clockwise != hole,
        });
        first += rings.ring(number).len();
    }
    Boundary::new(corners, spans)
}

/// The hull, if no vertex lies inside it by more than rounding.
fn rounded_hull(boundary: &Boundary) -> Result<Ring<'static>, InvalidPolygon> {
    let corners = boundary.corners();
    if boundary.rings().len() > 1 {
        return Err(InvalidPolygon::HasHole);
    }
    let points: Vec<Point> = corners.iter().map(|corner| corner.point).collect();
    let hull = convex_hull(&points);
    let reflex = |k: usize| turn(points.edge(points.previous(k)), points.edge(k)) == Sign::Negative;
    // Reflex vertices first: where there are deep ones, they tell more, and the first ends it.
    let reflex_first = (0..points.len())
        .filter(|&k| reflex(k))
        .chain(0..points.len());
    let spans = spans(&points, &hull);
    for k in reflex_first {
        let is_near = |edge: &usize| near_edge(points[k], hull.edge(*edge));
        if !is_near(&spans[k]) && !(0..hull.len()).any(|edge| is_near(&edge)) {
            return Err(InvalidPolygon::NotConvex {
                vertex: corners[k].position as usize,
                value: points[k],
            });
        }
    }
    Ok(Ring::owned(hull.into_iter()))
}

/// The edge of the hull that leads past each vertex, as long as both go round alike.
fn spans(points: &[Point], hull: &[Point]) -> Vec<usize> {
    let start = points
        .iter()
        .position(|&point| point == hull[0])
        .unwrap_or(0);
    let (mut spans, mut edge) = (vec![0; points.len()], 0);
    for k in (start..points.len()).chain(0..start) {
        if points[k] == hull[hull.next(edge)] {
            edge = hull.next(edge);
        }
        spans[k] = edge;
    }
    spans
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

/// Some vertices of a ring, in its order.
struct VertexSubset<'a> {
    /// Where they stand in the ring; `None` if they are all of it.
    positions: Option<Vec<usize>>,
    points: Cow<'a, [Point]>,
}

impl<'a> VertexSubset<'a> {
    fn all(ring: &'a [Point]) -> Self {
        Self {
            positions: None,
            points: Cow::Borrowed(ring),
        }
    }

    /// Those of them that are wanted, which most often are all.
    fn only(self, is_wanted: impl Fn(&[Point], usize) -> bool) -> Self {
        let wanted = |&k: &usize| is_wanted(&self.points, k);
        let count = self.points.len();
        if (0..count).all(|k| wanted(&k)) {
            return self;
        }
        let kept: Vec<usize> = (0..count).filter(wanted).collect();
        Self {
            positions: Some(kept.iter().map(|&k| self.position(k)).collect()),
            points: kept.iter().map(|&k| self.points[k]).collect(),
        }
    }

    fn position(&self, index: usize) -> usize {
        self.positions.as_ref().map_or(index, |them| them[index])
    }
}

/// The true corners of a ring: vertices where it turns.
struct Corners<'a> {
    chosen: VertexSubset<'a>,
    turns: Vec<Sign>,
    clockwise: bool,
}

impl<'a> Corners<'a> {
    fn find(vertices: &'a [Point]) -> Result<Self, InvalidRing> {
        if vertices.len() < 3 {
            return Err(InvalidRing::TooFewVertices {
                count: vertices.len(),
            });
        }
        // Also of trusted input: walks round a ring end only where numbers can be compared.
        finite(vertices)?;
        let distinct =
            VertexSubset::all(vertices).only(|ring, k| ring[k] != ring[ring.previous(k)]);
        if distinct.points.len() < 3 {
            return Err(InvalidRing::ZeroArea);
        }
        let mut turns = turns(&distinct.points);
        if turns.iter().all(|&turn| turn == Sign::Zero) {
            return Err(InvalidRing::ZeroArea);
        }
        no_spike(&distinct, &turns)?;
        let corners = distinct.only(|_, k| turns[k] != Sign::Zero);
        turns.retain(|&turn| turn != Sign::Zero);
        if corners.points.len() < 3 {
            return Err(InvalidRing::ZeroArea);
        }
        Ok(Self {
            clockwise: turns[leftmost(&corners.points)] == Sign::Negative,
            chosen: corners,
            turns,
        })
    }

    /// Whether all turns go the same way, once round.
    fn wind_once(&self) -> bool {
        let ring = &*self.chosen.points;
        let changes = |k: &usize| ascends(ring.edge(ring.previous(*k))) != ascends(ring.edge(*k));
        self.turns.iter().all(|&turn| turn == self.turns[0])
            && (0..ring.len()).filter(changes).count() == 2
    }

    /// The corners with what the ring bounds on the left: counterclockwise for a shell.
    fn running_left(&self, hole: bool) -> impl ExactSizeIterator<Item = (usize, Point)> {
        let (count, reversed) = (self.turns.len(), self.clockwise != hole);
        (0..count).map(move |index| {
            let index = if reversed { count - 1 - index } else { index };
            (self.chosen.position(index), self.chosen.points[index])
        })
    }
}

/// The lowest of the leftmost of finite points: a corner of the hull, where a ring turns the way it
/// runs.
fn leftmost(points: &[Point]) -> usize {
    let before = |a: Point, b: Point| a.x < b.x || a.x == b.x && a.y < b.y;
    (1..points.len()).fold(0, |best, index| {
        if before(points[index], points[best]) {
            index
        } else {
            best
        }
    })
}

fn no_spike(ring: &VertexSubset<'_>, turns: &[Sign]) -> Result<(), InvalidRing> {
    let points = &*ring.points;
    for index in (0..turns.len()).filter(|&index| turns[index] == Sign::Zero) {
        let (incoming, outgoing) = (points.edge(points.previous(index)), points.edge(index));
        if dot(incoming, outgoing.displacement()) == Sign::Negative {
            return Err(InvalidRing::Spike {
                vertex: ring.position(index),
                value: points[index],
            });
        }
    }
    Ok(())
}

fn turns(points: &[Point]) -> Vec<Sign> {
    let mut incoming = points.edge(points.previous(0));
    let turn_at = |index| {
        let outgoing = points.edge(index);
        turn(std::mem::replace(&mut incoming, outgoing), outgoing)
    };
    (0..points.len()).map(turn_at).collect()
}

fn near_edge(vertex: Point, edge: Edge) -> bool {
    let allowed = Length::Given(ROUNDING * unit_in_last_place(vertex));
    let inside = Length::Across(edge, Displacement::between(edge.start, vertex));
    compare_lengths(inside, allowed) != Ordering::Greater
}

/// The distance between neighbouring floats at a point's largest coordinate.
fn unit_in_last_place(point: Point) -> f64 {
    let largest = point.x.abs().max(point.y.abs());
    if largest == 0.0 {
        return f64::from_bits(1);
    }
    let (_, exponent) = libm::frexp(largest);
    libm::ldexp(1.0, (exponent - 53).max(-1074))
}
