//! Footprints that follow trajectories among obstacles: the first contact of each.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use crate::batch::column::{Column, Shared};
use crate::batch::invalid_row::{ArgumentRow, InvalidRow, is_radius};
use crate::batch::operands::Source;
use crate::batch::query::Query;
use crate::batch::query_result::{Field, FieldKind, FieldSet, QueryResult, Value, record};
use crate::broad::{BoxTree, relative};
use crate::geom::{Bounds, Motion, Point, Vec2, place};
use crate::shape::{self, RelativeMotion, Rings, Shape, ShapeKind, SweptCollision};

/// Trajectories with the same number of poses among common obstacles.
pub struct FirstContactBatch {
    /// One footprint for all trajectories, or one each.
    pub footprints: Arc<Column>,
    /// Poses `[x, y, heading]`, trajectory after trajectory.
    pub poses: Source<Shared<[f64; 3]>>,
    /// Number of trajectories.
    pub count: usize,
    /// Number of poses of each.
    pub steps: usize,
    /// The obstacles.
    pub obstacles: Arc<Column>,
    /// Displacement of each obstacle per step; finite, see [`crate::batch::join::finite`].
    pub velocity: Option<Source<Shared<Vec2>>>,
    /// Distance within which shapes count as touching, for each trajectory, if it is not 0.
    pub margin: Option<Source<Shared<f64>>>,
    /// Whether poses and placed footprints are validated.
    pub check: bool,
    /// Trees over the boxes of moving obstacles.
    pub index: ObstacleIndex,
}

/// Trees over the boxes that moving obstacles sweep in each block of steps, built when first needed.
#[derive(Debug, Default)]
pub struct ObstacleIndex(OnceLock<Vec<OnceLock<BoxTree>>>);

/// Steps per block for obstacles that move: a tree for each step would take longer to build than
/// the larger boxes of a block take to search.
const BLOCK: usize = 8;

/// Most boxes of all trees together, some 40 bytes each; with more, blocks get longer.
const BOXES: usize = 1 << 20;

/// The first contact of a trajectory; `None` if it has none.
#[derive(Clone, Copy, Debug)]
pub struct FirstContact(pub Option<StepContact>);

record!(FirstContact, true when STEP, |this| {
    STEP "step": Index = index(this.0.map(|contact| contact.step)),
    TIME "time": Float = Value::Float(this.0.map_or(f64::INFINITY, |contact| contact.collision.time())),
    OBSTACLE "obstacle": Index = index(this.0.map(|contact| contact.obstacle)),
    NORMAL "normal": Vector = this.0.map_or(Vec2::ZERO, |contact| contact.collision.normal()).into(),
    CONTACT "contact": Segment = Value::Segment(
        this.0.map_or([Point::NAN; 2], |contact| contact.contact())
    ),
});

fn index(position: Option<usize>) -> Value {
    Value::Index(position.map_or(-1, |position| i64::try_from(position).unwrap_or(-1)))
}

/// A contact within a step.
#[derive(Clone, Copy, Debug)]
pub struct StepContact {
    /// The pose at which the step starts.
    pub step: usize,
    /// The obstacle's row.
    pub obstacle: usize,
    /// Time within the step, and place relative to the obstacle.
    pub collision: SweptCollision,
    /// The obstacle's velocity.
    drift: Vec2,
}

impl StepContact {
    /// The ends of the contact, in world coordinates.
    pub fn contact(&self) -> [Point; 2] {
        self.collision.contact_where(self.drift, self.step as f64)
    }
}

impl fmt::Debug for FirstContactBatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FirstContactBatch({} of {})", self.count, self.steps)
    }
}

impl Query for FirstContactBatch {
    type Answer = FirstContact;
    type Cursor<'a> = PlacedFootprint;

    fn rows(&self) -> usize {
        self.count
    }

    fn longest(&self) -> usize {
        self.steps.saturating_mul(self.footprints.longest())
    }

    fn cursor(&self, _: FieldSet) -> PlacedFootprint {
        PlacedFootprint::default()
    }

    fn answer(
        &self,
        row: usize,
        placed: &mut PlacedFootprint,
    ) -> Result<Option<FirstContact>, InvalidRow> {
        let bad = |step: &usize| {
            !self
                .pose(row, *step)
                .iter()
                .all(|number| number.is_finite())
        };
        if let Some(step) = (0..self.steps).find(bad) {
            let why = InvalidRow::Pose(self.argument_row(row, step), self.pose(row, step));
            return if self.check { Err(why) } else { Ok(None) };
        }
        let margin = self.margin.as_ref().map_or(0.0, |it| it.at(row));
        if let Some(source) = self.margin.as_ref().filter(|_| !is_radius(margin)) {
            let why = InvalidRow::Radius(source.argument_row(row), margin);
            return if self.check { Err(why) } else { Ok(None) };
        }
        let footprint = if self.footprints.len() == 1 { 0 } else { row };
        let Some(rings) = self.footprints.rings(footprint) else {
            return Ok(None);
        };
        for step in 0..self.steps {
            placed.put(rings, self.pose(row, step));
            let polygon = if self.check {
                Shape::new(placed.rings())
                    .map_err(|why| InvalidRow::Placed(self.argument_row(row, step), why))?
            } else if let Ok(polygon) = Shape::trusted(placed.rings()) {
                polygon
            } else {
                return Ok(None);
            };
            let bounds = placed.bounds().grown(margin);
            let contact = self.first(&polygon, &bounds, [row, step], margin);
            if contact.is_some() {
                return Ok(Some(FirstContact(contact)));
            }
        }
        Ok(Some(FirstContact(None)))
    }
}

impl FirstContactBatch {
    fn pose(&self, row: usize, step: usize) -> [f64; 3] {
        self.poses.at(row * self.steps + step)
    }

    fn argument_row(&self, row: usize, step: usize) -> ArgumentRow {
        let shape = [self.count, self.steps];
        ArgumentRow::row("poses", &shape, row * self.steps + step)
    }

    fn position(&self, row: usize, step: usize) -> Point {
        let [x, y, _] = self.pose(row, step);
        Point::new(x, y)
    }

    fn drift(&self, obstacle: usize) -> Vec2 {
        self.velocity
            .as_ref()
            .map_or(Vec2::ZERO, |it| it.at(obstacle))
    }

    /// The obstacle that a footprint in this box, which includes the margin, touches first on its way to
    /// the next pose. At the last pose nothing moves, obstacles included.
    fn first(
        &self,
        polygon: &Shape<'_>,
        bounds: &Bounds,
        [row, step]: [usize; 2],
        margin: f64,
    ) -> Option<StepContact> {
        let motion = (step + 1 < self.steps)
            .then(|| Motion::between(self.position(row, step), self.position(row, step + 1)));
        let velocity = motion.unwrap_or(Motion::NONE);
        let swept = bounds.swept(velocity);
        let mut near: SmallVec<[usize; 16]> = SmallVec::new();
        let index = self.obstacles.index();
        let is_near = |other: &Bounds| swept.meets(other);
        let visit = |obstacle: usize| {
            let other = self.bounds(index.boxes[obstacle], obstacle, step);
            let motion = relative(velocity, self.drift(obstacle));
            if bounds.meeting_time_below(&other, motion) < f64::INFINITY {
                near.push(obstacle);
            }
            ControlFlow::Continue(())
        };
        let _ = match self.velocity {
            None => index.search(is_near, visit),
            Some(_) => self.swept_obstacles(step).search(is_near, visit),
        };
        near.sort_unstable();
        let mut first: Option<StepContact> = None;
        let obstacles = self.obstacles.view();
        for obstacle in near {
            let Some(other) = obstacles.polygon(obstacle) else {
                continue;
            };
            let drift = self.drift(obstacle);
            let collision =
                shape::swept_collision(polygon, &other, course(motion, drift, step), margin);
            let earlier = |first: &StepContact| collision.precedes(&first.collision);
            if collision.will_intersect() && first.as_ref().is_none_or(earlier) {
                first = Some(StepContact {
                    step,
                    obstacle,
                    collision,
                    drift,
                });
            }
        }
        first
    }

    /// Steps per block.
    fn block(&self) -> usize {
        let all = self.steps.saturating_mul(self.obstacles.len());
        all.div_ceil(BOXES).max(BLOCK)
    }

    /// The boxes that the obstacles sweep in the block of a step.
    fn swept_obstacles(&self, step: usize) -> &BoxTree {
        let block = self.block();
        let ObstacleIndex(blocks) = &self.index;
        let blocks = blocks.get_or_init(|| {
            let count = self.steps.div_ceil(block);
            (0..count).map(|_| OnceLock::new()).collect()
        });
        blocks[step / block].get_or_init(|| {
            let first = step / block * block;
            let boxes = self.obstacles.index().boxes.iter().enumerate();
            let boxes = boxes.map(|(obstacle, &bounds)| {
                let start = self.bounds(bounds, obstacle, first);
                start.union(&self.bounds(bounds, obstacle, first + block))
            });
            BoxTree::new(boxes)
        })
    }

    /// The box of an obstacle at the start of a step, given the one at the first pose; empty if it is
    /// missing.
    fn bounds(&self, bounds: Bounds, obstacle: usize, step: usize) -> Bounds {
        let drift = self.drift(obstacle);
        if step == 0 || drift == Vec2::ZERO || bounds.is_empty() {
            bounds
        } else {
            bounds.moved(Motion::drifting(drift, step as f64))
        }
    }
}

/// The motion of a footprint within a step relative to an obstacle that drifts from the start.
fn course(motion: Option<Motion>, drift: Vec2, step: usize) -> RelativeMotion {
    let steps = step as f64;
    let drifts = drift != Vec2::ZERO;
    let velocity = match motion {
        None => Motion::NONE,
        Some(motion) if drifts => motion.with_drift(drift, -1.0),
        Some(motion) => motion,
    };
    RelativeMotion {
        offset: (drifts && step > 0).then(|| Motion::drifting(drift, -steps)),
        velocity,
        turns: None,
    }
}

/// A footprint at a pose.
#[derive(Debug, Default)]
pub struct PlacedFootprint {
    vertices: Vec<Point>,
    offsets: Vec<usize>,
    polygons: Vec<usize>,
    kind: ShapeKind,
    radius: f64,
}

impl PlacedFootprint {
    fn put(&mut self, footprint: Rings<'_>, [x, y, heading]: [f64; 3]) {
        self.vertices.clear();
        self.offsets.clear();
        self.offsets.push(0);
        self.polygons.clear();
        self.polygons.extend(footprint.parts());
        (self.kind, self.radius) = (footprint.kind(), footprint.radius());
        for ring in footprint.iter() {
            self.vertices.extend_from_slice(ring);
            self.offsets.push(self.vertices.len());
        }
        place(&mut self.vertices, x, y, heading);
    }

    fn rings(&self) -> Rings<'_> {
        Rings::of_kind(&self.vertices, &self.offsets, self.kind, &self.polygons)
            .with_radius(self.radius)
    }

    fn bounds(&self) -> Bounds {
        self.vertices
            .iter()
            .map(|&vertex| Bounds::from(vertex))
            .collect::<Bounds>()
            .grown(self.radius)
    }
}
