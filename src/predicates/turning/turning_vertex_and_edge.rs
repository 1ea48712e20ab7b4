//! The gap between a vertex of one shape and an edge of another while both shapes turn.

use crate::geom::{Displacement, Edge, Motion, Point, RadiusSum, Turn, Vec2};

/// How many times farther than the lengths between vertex and edge a center is far away.
const FAR: f64 = 1024.0;

/// A vertex and an edge of two shapes, of which one moves and one or both turn.
#[derive(Clone, Copy, Debug)]
pub struct TurningGap {
    /// The edge at the start.
    pub edge: Edge,
    /// The vertex at the start.
    pub vertex: Point,
    /// How the edge turns; without a turn, the center is the edge's start.
    pub edge_turn: Turn,
    /// How the vertex turns; without a turn, the center is the vertex.
    pub vertex_turn: Turn,
    /// The displacement of the vertex's shape at the start, if any.
    pub offset: Option<Motion>,
    /// How the vertex's center moves, as seen from the edge's center.
    pub velocity: Motion,
    /// The distance at which vertex and edge touch.
    pub radius: RadiusSum,
}

/// What the vertex touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapFeature {
    /// The edge without its ends.
    Edge,
    /// Its start.
    Start,
    /// Its end.
    End,
}

/// The moment when the vertex first touches the edge.
#[derive(Clone, Copy, Debug)]
pub struct TurningContact {
    /// The time, to within [`Self::TIME_ERROR`] of itself.
    pub time: f64,
    /// What it touches then.
    pub feature: GapFeature,
    /// Whether the distance has a minimum then, so that its first derivative is zero.
    pub is_graze: bool,
}

impl TurningContact {
    /// 2^-37.
    pub const TIME_ERROR: f64 = f64::from_bits((1023 - 37) << 52);
}

impl TurningGap {
    /// The gap, given how both shapes turn; an angle of zero needs no center.
    pub fn new(
        (edge, edge_turn): (Edge, Turn),
        (vertex, vertex_turn): (Point, Turn),
        offset: Option<Motion>,
        velocity: Motion,
        radius: RadiusSum,
    ) -> Self {
        Self {
            edge,
            vertex,
            edge_turn: edge_turn.or_about(edge.start),
            vertex_turn: vertex_turn.or_about(vertex),
            offset,
            velocity,
            radius,
        }
    }

    /// The vector from the edge's center to the vertex's center at the start.
    pub(crate) fn between_centers(&self) -> Displacement {
        Displacement::new(self.edge_turn.center, self.vertex_turn.center, self.offset)
    }

    /// The vector from the edge's center to its start or end, or from its start to its end.
    pub(crate) fn of_edge(&self, feature: GapFeature) -> Displacement {
        let Edge { start, end } = self.edge;
        match feature {
            GapFeature::Edge => self.edge.displacement(),
            GapFeature::Start => Displacement::between(self.edge_turn.center, start),
            GapFeature::End => Displacement::between(self.edge_turn.center, end),
        }
    }

    /// The vector from the vertex's center to the vertex.
    pub(crate) fn of_vertex(&self) -> Displacement {
        Displacement::between(self.vertex_turn.center, self.vertex)
    }

    /// The vector from the edge's start to the vertex at the start.
    pub(super) fn between_points(&self) -> Displacement {
        Displacement::new(self.edge.start, self.vertex, self.offset)
    }

    /// Whether a center is far away, compared with the distance of vertex and edge, the length of the edge, and the motion.
    /// Sums of vectors that lead to such a center lose the digits of these.
    pub(super) fn has_far_center(&self) -> bool {
        let Edge { start, end } = self.edge;
        let size = |vector: Vec2| vector.x.abs().max(vector.y.abs());
        let motion = |motion: Motion| size(motion.size());
        let extent = [
            size(self.vertex - start),
            size(end - start),
            self.offset.map_or(0.0, motion),
            motion(self.velocity),
        ];
        let far = FAR * extent.into_iter().fold(0.0, f64::max);
        size(start - self.edge_turn.center) > far
            || size(self.vertex - self.vertex_turn.center) > far
    }
}
