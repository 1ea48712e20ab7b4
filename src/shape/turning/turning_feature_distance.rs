//! A vertex of one shape and an edge of another, which turn: how far apart they are at a time, and
//! throughout a range of time.

use super::bernstein::{Bernstein, LeastAt, TERMS};
use super::relative_vertex_motion::{Expansion, RelativeMotionAt};
use super::turning_scene::{CenteredEdge, Scene};
use crate::geom::Vec2;
use crate::predicates::Rotation;

/// The rounding error of a place: lengths are at most 1.
pub(crate) const ROUNDING: f64 = 2.0 * f64::EPSILON;

/// Shorter parts of a range, which runs from -1 to 1, are not halved.
const SHORTEST: f64 = 1e-9;

/// A vertex of one shape and an edge of the other. In the frame of the edge's shape, the vertex
/// moves.
#[derive(Clone, Copy)]
pub(super) struct TurningFeatures {
    /// Which shape the vertex belongs to.
    pub(crate) mover: usize,
    pub(crate) vertex: usize,
    /// The corner at which the edge starts.
    pub(crate) edge: usize,
}

/// A pair at a time.
#[derive(Clone, Copy)]
pub(super) struct FeaturesAt {
    pub(crate) pair: TurningFeatures,
    pub(crate) time: f64,
    pub(crate) distance: f64,
    /// The point of the edge that is nearest to the vertex, relative to the origin of its shape.
    pub(crate) foot: Vec2,
}

impl TurningFeatures {
    /// The vertex of the mover and the edge of the other shape at these corners of `a` and `b`.
    pub(crate) fn new(mover: usize, corners: [usize; 2]) -> Self {
        Self {
            mover,
            vertex: corners[mover],
            edge: corners[1 - mover],
        }
    }

    pub(crate) fn vertex(self, scene: &Scene<'_>) -> Vec2 {
        scene.shapes[self.mover].corners[self.vertex]
    }

    fn edge(self, scene: &Scene<'_>) -> CenteredEdge {
        scene.shapes[1 - self.mover].edges[self.edge]
    }

    /// A lower bound of the distance, rounding apart: that of a parabola near the path.
    pub(crate) fn bound(self, scene: &Scene<'_>, expansion: &Expansion) -> f64 {
        let (vertex, edge) = (self.vertex(scene), self.edge(scene));
        let [place, step, bend] = expansion.parabola(vertex);
        let gap = place - edge.start;
        let off = expansion.bends.of(vertex.length(), place.length());
        if edge.extent == 0.0 {
            let distance = gap.length();
            let along = |it: Vec2| it.dot(gap) / distance;
            return least_of_parabola([distance, along(step), along(bend)]) - off;
        }
        let terms = [gap, step, bend];
        let across = terms.map(|it| edge.along.cross(it));
        let side = if across[0] < 0.0 { -1.0 } else { 1.0 };
        let across = least_of_parabola(across.map(|it| it * side));
        let [part, by, curve] = terms.map(|it| edge.along.dot(it));
        let beside = (-part).max(part - edge.extent) - by.abs() - curve.abs();
        Vec2::new(across.max(0.0), beside.max(0.0)).length() - off
    }

    pub(crate) fn at(self, scene: &Scene<'_>, view: &RelativeMotionAt, time: f64) -> FeaturesAt {
        let [place, ..] = view.at(self.vertex(scene));
        let foot = self.edge(scene).foot(place);
        FeaturesAt {
            pair: self,
            time,
            distance: (place - foot).length(),
            foot,
        }
    }

    /// The first and the second derivative of the distance, or those of half its square over the distance, and a
    /// bound of the error of the first.
    pub(super) fn derivatives(self, scene: &Scene<'_>, view: &RelativeMotionAt) -> [f64; 3] {
        let vertex = self.vertex(scene);
        let [place, velocity, acceleration] = view.at(vertex);
        let edge = self.edge(scene);
        let part = edge.part(place);
        let gap = place - edge.foot(place);
        let (distance, noise) = (gap.length(), 2.0 * ROUNDING * view.speed(vertex));
        if distance == 0.0 {
            return [0.0; 3];
        }
        if 0.0 < part && part < edge.extent {
            let side = if edge.along.cross(gap) < 0.0 {
                -1.0
            } else {
                1.0
            };
            let across = |it: Vec2| edge.along.cross(it) * side;
            return [across(velocity), across(acceleration), noise];
        }
        // The square has its minima at the same times. Newton's iteration for it does not suffer from the
        // distance's sharp bend where two vertices all but meet.
        let slope = gap.dot(velocity) / distance;
        let bend = velocity.dot(velocity) + gap.dot(acceleration);
        let turning = ROUNDING * velocity.length() / distance;
        [slope, bend / distance, noise + turning]
    }

    /// The distance throughout a range of time: of the vertex from the line of the edge, and from its start.
    /// Of two vertices one is seen from the second shape only.
    pub(crate) fn paths(
        self,
        scene: &Scene<'_>,
        expansion: &Expansion,
    ) -> [Option<FeaturePath>; 2] {
        let vertex = self.vertex(scene);
        let CenteredEdge {
            start,
            along,
            extent,
        } = self.edge(scene);
        let mut gap = expansion.of(vertex);
        let (arm, place) = (vertex.length(), gap[0].length());
        gap[0] = gap[0] - start;
        let [rest, way] = [&expansion.rests, &expansion.travels].map(|it| it.of(arm, place));
        let line = (extent > 0.0).then(|| FeaturePath {
            extent: Some(extent),
            rest,
            is_coarse: false,
            whole: PathPiece {
                distance: Bernstein::of_powers(gap.map(|it| along.cross(it))),
                along: Bernstein::of_powers(gap.map(|it| along.dot(it))),
                range: [-1.0, 1.0],
            },
        });
        let vertices = (self.mover == 0).then(|| {
            let (square, tail) = square(&gap);
            // A smaller one is lost in rounding, and so are ways of this size: halves tell no more.
            let distance = gap[0].length().max(0.25 * ROUNDING);
            let square = Bernstein::of_powers(square);
            FeaturePath {
                extent: None,
                rest: rest + tail / distance,
                // The distance is too small a part of its square's terms.
                is_coarse: way > 4.0 * distance,
                whole: PathPiece {
                    distance: square,
                    along: square,
                    range: [-1.0, 1.0],
                },
            }
        });
        [line, vertices]
    }
}

impl FeaturesAt {
    /// The nearest points of both shapes, relative to the origin of `b` at that time.
    pub(crate) fn points(&self, scene: &Scene<'_>) -> [Vec2; 2] {
        let time = self.time;
        let turned = |side: usize, it: Vec2| Rotation::new(scene.shapes[side].turn, time).of(it);
        let mut own = [self.foot; 2];
        own[self.pair.mover] = self.pair.vertex(scene);
        [scene.between(time) + turned(0, own[0]), turned(1, own[1])]
    }
}

/// The distance of a vertex from an edge's line or start, or its square, throughout a range of time.
pub(super) struct FeaturePath {
    /// The length of the edge.
    extent: Option<f64>,
    /// How far the distance may be off.
    rest: f64,
    is_coarse: bool,
    pub(crate) whole: PathPiece,
}

/// A part of a range of time.
#[derive(Clone, Copy)]
pub(super) struct PathPiece {
    /// The signed distance from the edge's line, positive on the left; or the squared distance from
    /// its start.
    distance: Bernstein,
    /// The position along the line, measured from the edge's start.
    along: Bernstein,
    pub(crate) range: [f64; 2],
}

impl FeaturePath {
    /// Whether the distance is off by more than a tolerance.
    pub(super) fn is_coarse(&self, tolerance: f64) -> bool {
        self.is_coarse || self.rest > tolerance
    }

    /// The bounds of the distance; infinite where the vertex is beside the edge at no time of a part.
    fn bounds(&self, piece: &PathPiece) -> [f64; 2] {
        let [low, high] = piece.distance.bounds();
        let Some(extent) = self.extent else {
            return [low, high].map(|square| square.max(0.0).sqrt());
        };
        let [first, last] = piece.along.bounds();
        let slack = self.rest + 2.0 * ROUNDING;
        if last < -slack || first > extent + slack {
            return [f64::INFINITY; 2];
        }
        [low.max(-high).max(0.0), high.max(-low)]
    }

    pub(crate) fn bound(&self, piece: &PathPiece) -> f64 {
        self.bounds(piece)[0] - self.rest - ROUNDING
    }

    /// Whether halves tell no more.
    pub(super) fn is_fine(&self, piece: &PathPiece, tolerance: f64) -> bool {
        let ([low, high], [from, to]) = (self.bounds(piece), piece.range);
        high - low <= tolerance || to - from <= SHORTEST
    }

    /// Where the distance is least in a part: between its ends, or at one of them. `None` if that is open.
    pub(crate) fn least(&self, piece: &PathPiece) -> Option<LeastAt> {
        let [low, high] = piece.distance.bounds();
        match self.extent {
            Some(_) if low < 0.0 && high > 0.0 => None,
            Some(_) if high <= 0.0 => piece.distance.negative().least(),
            _ => piece.distance.least(),
        }
    }
}

impl PathPiece {
    pub(crate) fn halves(&self) -> [Self; 2] {
        let [from, to] = self.range;
        let middle = 0.5 * (from + to);
        let [distances, along] = [self.distance.halves(), self.along.halves()];
        let half = |half: usize, range| Self {
            distance: distances[half],
            along: along[half],
            range,
        };
        [half(0, [from, middle]), half(1, [middle, to])]
    }

    /// About where the distance is least, as a part of it.
    pub(crate) fn lowest(&self) -> f64 {
        self.distance.lowest()
    }

    /// A position in this part, as a position in the whole range.
    pub(crate) fn part(&self, part: f64) -> f64 {
        let [from, to] = self.range;
        from + part * (to - from)
    }
}

/// The least value from -1 to 1.
fn least_of_parabola([constant, slope, bend]: [f64; 3]) -> f64 {
    let slope = slope.abs();
    if slope < 2.0 * bend {
        constant - 0.25 * slope * slope / bend
    } else {
        constant - slope + bend
    }
}

/// The square of a polynomial up to the highest power, and a bound of the others.
fn square(terms: &[Vec2; TERMS]) -> ([f64; TERMS], f64) {
    let (mut square, mut tail) = ([0.0; TERMS], 0.0);
    let lengths = terms.map(Vec2::length);
    for (first, one) in terms.iter().enumerate() {
        for (second, other) in terms.iter().enumerate() {
            if first + second < TERMS {
                square[first + second] += one.dot(*other);
            } else {
                tail += lengths[first] * lengths[second];
            }
        }
    }
    (square, tail)
}
