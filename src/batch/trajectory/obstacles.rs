//! Obstacles: at rest, drifting with a velocity, or bodies with poses of their own.

use std::sync::{Arc, OnceLock};

use super::placed_obstacles::PlacedObstacles;
use super::poses::StepMotion;
use super::trajectories::Trajectories;
use crate::batch::column::INDEXED;
use crate::batch::memory::{self, OutOfMemory};
use crate::batch::{Column, OperandRows, Shared};
use crate::broad::{BoxIndex, BoxTree};
use crate::convex::advanced;
use crate::geom::{Bounds, Motion, Point, Turn, Vec2, WideFloat, WideVector};
use crate::shape::{ClosestApproach, Shape, SweptCollision};

/// Obstacles that all trajectories have in common.
#[derive(Debug)]
pub struct Obstacles {
    course: Course,
    /// Which take part; the others count as missing.
    taking_part: Vec<bool>,
}

#[derive(Debug)]
enum Course {
    /// At rest, or drifting.
    Drift(Drift),
    /// Bodies with poses of their own, which are indexed.
    Bodies(Arc<Trajectories>),
}

#[derive(Debug)]
struct Drift {
    /// The shapes at the first pose of the trajectories.
    column: Arc<Column>,
    /// Number of poses of the trajectories.
    steps: usize,
    /// Displacements per step, if the obstacles move.
    velocity: Option<OperandRows<Shared<Vec2>>>,
    /// Trees over the boxes that the obstacles sweep in each block of steps, built when first needed.
    blocks: OnceLock<Vec<OnceLock<BoxTree>>>,
}

/// Steps per block for obstacles that drift: a tree for each step would take longer to build than
/// the larger boxes of a block take to search.
const BLOCK: usize = 8;

/// Most boxes of all trees together, some 40 bytes each; with more, blocks get longer.
const BOXES: usize = 1 << 20;

impl Obstacles {
    /// Obstacles of trajectories with so many poses, with their displacements per step, if they move.
    ///
    /// # Errors
    ///
    /// If there is no memory for trees over their boxes.
    pub fn drifting(
        column: Arc<Column>,
        steps: usize,
        velocity: Option<OperandRows<Shared<Vec2>>>,
    ) -> Result<Self, OutOfMemory> {
        column.check_index()?;
        if velocity.is_some() {
            let all = steps.saturating_mul(column.len());
            memory::check(all.min(BOXES).max(column.len()) * INDEXED)?;
        }
        let moves = |row| velocity.as_ref().is_none_or(|it| it.at(row).is_finite());
        let takes_part = |row| column.rings(row).is_some() && moves(row);
        Ok(Self {
            taking_part: (0..column.len()).map(takes_part).collect(),
            course: Course::Drift(Drift {
                column,
                steps,
                velocity,
                blocks: OnceLock::new(),
            }),
        })
    }

    /// Indexed bodies as obstacles.
    pub fn moving(bodies: Arc<Trajectories>) -> Self {
        Self {
            taking_part: (0..bodies.len())
                .map(|row| bodies.takes_part(row))
                .collect(),
            course: Course::Bodies(bodies),
        }
    }

    /// Which obstacles are valid and somewhere at all; the others count as missing.
    pub fn taking_part(&self) -> &[bool] {
        &self.taking_part
    }

    /// Makes an obstacle missing.
    pub fn leave_out(&mut self, obstacle: usize) {
        self.taking_part[obstacle] = false;
    }

    /// The time at each pose, if these bodies or the obstacles have it.
    pub fn times_with<'a>(&'a self, bodies: &'a Trajectories) -> Option<&'a [f64]> {
        let others = match &self.course {
            Course::Drift(_) => None,
            Course::Bodies(others) => others.times.as_deref(),
        };
        bodies.times.as_deref().or(others)
    }

    /// Number of obstacles.
    pub(super) fn len(&self) -> usize {
        self.taking_part.len()
    }

    /// The most vertices of an obstacle.
    pub(super) fn longest(&self) -> usize {
        match &self.course {
            Course::Drift(drift) => drift.column.longest(),
            Course::Bodies(bodies) => bodies.footprints.longest(),
        }
    }

    /// An obstacle's displacement per step.
    fn drift(&self, obstacle: usize) -> Vec2 {
        match &self.course {
            Course::Drift(Drift {
                velocity: Some(velocity),
                ..
            }) if self.taking_part[obstacle] => velocity.at(obstacle),
            _ => Vec2::ZERO,
        }
    }

    /// The displacement of a footprint relative to a drifting obstacle at the start of a step: the opposite
    /// of the distance that the obstacle has moved since the pose of [`Self::shape`]. `None` if it has not
    /// moved.
    pub(super) fn offset(&self, obstacle: usize, step: usize) -> Option<Motion> {
        let drift = self.drift(obstacle);
        let has_drifted = drift != Vec2::ZERO && step > 0;
        has_drifted.then(|| Motion::drifting(drift, -(step as f64)))
    }

    /// Whether an obstacle that is somewhere at a pose is so at the next one.
    pub(super) fn continues(&self, obstacle: usize, step: usize) -> bool {
        match &self.course {
            Course::Drift(drift) => step + 1 < drift.steps,
            Course::Bodies(bodies) => bodies.poses.continues(obstacle, step),
        }
    }

    /// How an obstacle that continues moves within a step.
    pub(super) fn motion(&self, obstacle: usize, step: usize) -> StepMotion {
        match &self.course {
            Course::Drift(_) => StepMotion {
                motion: self.drift(obstacle).into(),
                turn: Turn::NONE,
            },
            Course::Bodies(bodies) => bodies.poses.motion(obstacle, step),
        }
    }

    /// An obstacle, without its offset; `None` if it is missing.
    pub(super) fn shape<'a>(
        &'a self,
        obstacle: usize,
        step: usize,
        placed: &'a mut PlacedObstacles,
    ) -> Option<Shape<'a>> {
        if !self.taking_part[obstacle] {
            return None;
        }
        match &self.course {
            Course::Drift(drift) => drift.column.view().polygon(obstacle),
            Course::Bodies(bodies) => placed.shape(bodies, (obstacle, step)),
        }
    }

    /// The box of an obstacle at the start of a step, with what it sweeps by turning; empty if it is
    /// missing.
    pub(super) fn bounds(&self, obstacle: usize, step: usize) -> Bounds {
        match &self.course {
            Course::Drift(drift) => {
                self.drifted(drift.column.index().boxes[obstacle], obstacle, step)
            }
            Course::Bodies(bodies) => bodies.swept(step).bounds(obstacle),
        }
    }

    /// The position at the start of a step of a box that is given at the first pose.
    fn drifted(&self, bounds: Bounds, obstacle: usize, step: usize) -> Bounds {
        let drift = self.drift(obstacle);
        if step == 0 || drift == Vec2::ZERO || bounds.is_empty() {
            bounds
        } else {
            bounds.moved(Motion::drifting(drift, step as f64))
        }
    }

    /// Visits the obstacles whose boxes, that they sweep within a step, pass the test.
    pub(super) fn search(
        &self,
        step: usize,
        may_matter: impl Fn(&Bounds) -> bool,
        visit: impl FnMut(usize),
    ) {
        match &self.course {
            Course::Drift(drift) => self.drifting_index(drift, step).search(may_matter, visit),
            Course::Bodies(bodies) => bodies.swept(step).search(may_matter, visit),
        }
    }

    /// Branch and bound over obstacles by the boxes that they sweep within a step: see [`BoxIndex::branch_and_bound`].
    pub(super) fn branch_and_bound(
        &self,
        step: usize,
        bound: impl Fn(&Bounds) -> Option<f64>,
        limit: f64,
        visit: impl FnMut(usize) -> f64,
    ) {
        match &self.course {
            Course::Drift(drift) => {
                let index = self.drifting_index(drift, step);
                index.branch_and_bound(bound, limit, visit);
            }
            Course::Bodies(bodies) => bodies.swept(step).branch_and_bound(bound, limit, visit),
        }
    }

    fn drifting_index<'a>(&self, drift: &'a Drift, step: usize) -> BoxIndex<'a> {
        let index = drift.column.index();
        if drift.velocity.is_none() {
            return index;
        }
        BoxIndex::new(index.boxes, self.swept_block(drift, step), 0)
    }

    /// The boxes that drifting obstacles sweep in the block of a step.
    fn swept_block<'a>(&self, drift: &'a Drift, step: usize) -> &'a BoxTree {
        let all = drift.steps.saturating_mul(self.len());
        let block = all.div_ceil(BOXES).max(BLOCK);
        let blocks = drift.blocks.get_or_init(|| {
            let count = drift.steps.div_ceil(block);
            (0..count).map(|_| OnceLock::new()).collect()
        });
        blocks[step / block].get_or_init(|| {
            let first = step / block * block;
            let boxes = drift.column.index().boxes.iter().enumerate();
            let boxes = boxes.map(|(obstacle, &bounds)| {
                let start = self.drifted(bounds, obstacle, first);
                start.union(&self.drifted(bounds, obstacle, first + block))
            });
            BoxTree::new(boxes)
        })
    }

    /// How far an obstacle has moved at a time within a step, as a displacement and how many times it.
    fn moved(&self, obstacle: usize, step: usize) -> (WideVector, f64) {
        match &self.course {
            Course::Drift(_) => (self.drift(obstacle).into(), step as f64),
            Course::Bodies(bodies) => {
                let motion = bodies.poses.motion(obstacle, step).motion;
                (motion.wide(), 0.0)
            }
        }
    }

    /// The ends of a contact within a step, in world coordinates.
    pub(super) fn contact(
        &self,
        collision: &SweptCollision,
        obstacle: usize,
        step: usize,
    ) -> [Point; 2] {
        let (drift, steps) = self.moved(obstacle, step);
        collision.contact_where(drift, steps)
    }

    /// The nearest points of an approach within a step, in world coordinates at that time.
    pub(super) fn closest(
        &self,
        approach: &ClosestApproach,
        obstacle: usize,
        step: usize,
    ) -> [Point; 2] {
        let points = [approach.closest_a, approach.closest_b];
        let (drift, steps) = self.moved(obstacle, step);
        if drift == WideVector::ZERO {
            return points;
        }
        let time = WideFloat::from(steps) + WideFloat::from(approach.time);
        let by = drift * time;
        points.map(|point| advanced(point, by))
    }
}
