//! Obstacles: at rest, drifting with a velocity, or at poses of their own.

use std::sync::{Arc, OnceLock};

use super::placed_footprint::invalid_as_placed;
use crate::batch::column::INDEXED;
use crate::batch::memory::{self, OutOfMemory};
use crate::batch::{
    CancelToken, Column, ExamineError, OperandRows, Poses, Shared, Stop, Validation,
};
use crate::broad::{BoxIndex, BoxTree};
use crate::convex::advanced;
use crate::geom::{Bounds, Motion, Placement, Point, Turn, Vec2, WideFloat, WideVector};
use crate::shape::{ClosestApproach, Shape, SweptCollision};

/// Obstacles that all trajectories have in common.
#[derive(Debug)]
pub struct Obstacles {
    /// The shapes at the first pose; of obstacles at poses, at the pose `(0, 0, 0)`.
    column: Arc<Column>,
    /// Number of poses of the trajectories.
    steps: usize,
    /// Which are valid; the others count as missing.
    valid: Vec<bool>,
    course: Course,
}

#[derive(Debug)]
enum Course {
    /// At rest, or drifting.
    Drift(Drift),
    /// Poses of their own, and the obstacles placed at each.
    Posed(Poses, Vec<PlacedObstacles>),
}

#[derive(Debug)]
struct Drift {
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

#[derive(Debug)]
struct PlacedObstacles {
    column: Column,
    /// The boxes that the obstacles sweep by turning.
    boxes: Vec<Bounds>,
    /// A tree over the boxes that they sweep by turning and moving.
    tree: BoxTree,
}

/// The obstacles at the poses of a step, not examined.
fn placed_at(column: &Column, poses: &Poses, step: usize) -> Column {
    let placements = (0..column.len()).map(|row| Placement::new(poses.pose(row, step)));
    let placements: Vec<_> = placements.collect();
    column.mapped(|row, vertex| placements[row].apply(vertex))
}

impl PlacedObstacles {
    fn new(column: Column, poses: &Poses, step: usize, valid: &[bool]) -> Self {
        let turned = |row: usize| {
            let rings = column.rings(row).filter(|_| valid[row])?;
            let vertices = rings.iter().flatten().copied();
            Some(poses.turn(row, step).bounds(vertices).grown(rings.radius()))
        };
        let boxes = (0..column.len()).map(|row| turned(row).unwrap_or(Bounds::EMPTY));
        let boxes: Vec<_> = boxes.collect();
        let swept = boxes.iter().enumerate().map(|(row, bounds)| {
            if bounds.is_empty() {
                *bounds
            } else {
                bounds.swept(poses.motion(row, step))
            }
        });
        Self {
            tree: BoxTree::new(swept),
            boxes,
            column,
        }
    }
}

impl Obstacles {
    /// The most vertices of an obstacle.
    pub(super) fn longest(&self) -> usize {
        self.column.longest()
    }

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
        let valid = (0..column.len()).map(|row| column.fault(row).is_none() && moves(row));
        Ok(Self {
            valid: valid.collect(),
            course: Course::Drift(Drift {
                velocity,
                blocks: OnceLock::new(),
            }),
            column,
            steps,
        })
    }

    /// Obstacles that follow trajectories of their own.
    ///
    /// # Errors
    ///
    /// If cancelled, or if there is no memory for them at each pose; with [`Validation::Raise`], at an
    /// invalid pose, or an obstacle that is not valid at a pose.
    pub fn posed(
        column: Arc<Column>,
        poses: Poses,
        validation: Validation,
        threads: usize,
        control: &CancelToken,
    ) -> Result<Self, Stop> {
        column.compact_selection()?;
        // The vertices, and of each row the tree's part and what is known of it.
        let placed = column.nbytes() + column.len() * (INDEXED + 64);
        memory::check(poses.steps.saturating_mul(placed))?;
        let mut valid = Vec::with_capacity(column.len());
        for row in 0..column.len() {
            let checked = poses.check(row);
            valid.push(column.fault(row).is_none() && checked.is_ok());
            if validation == Validation::Raise {
                checked.map_err(|why| Stop::Refused(row, why))?;
            }
        }
        let mut columns = Vec::with_capacity(poses.steps);
        for step in 0..poses.steps {
            control.proceed()?;
            let mut placed = placed_at(&column, &poses, step);
            placed
                .examine(validation, threads)
                .map_err(|why| match why {
                    ExamineError::OutOfMemory(why) => why.into(),
                    ExamineError::Invalid(row, why) => {
                        let at = poses.argument_row(row, step);
                        let rings = column.rings(row);
                        let pose = poses.pose(row, step);
                        Stop::Refused(row, invalid_as_placed(at, why, rings, pose))
                    }
                })?;
            for (row, is_valid) in valid.iter_mut().enumerate() {
                *is_valid &= placed.fault(row).is_none();
            }
            columns.push(placed);
        }
        let steps = columns.into_iter().enumerate();
        let steps = steps.map(|(step, column)| PlacedObstacles::new(column, &poses, step, &valid));
        let steps = steps.collect();
        Ok(Self {
            column,
            steps: poses.steps,
            valid,
            course: Course::Posed(poses, steps),
        })
    }

    /// Which obstacles are valid; the others count as missing.
    pub fn valid(&self) -> &[bool] {
        &self.valid
    }

    /// Makes an obstacle invalid.
    pub fn leave_out(&mut self, obstacle: usize) {
        self.valid[obstacle] = false;
    }

    /// An obstacle's displacement per step.
    fn drift(&self, obstacle: usize) -> Vec2 {
        match &self.course {
            Course::Drift(Drift {
                velocity: Some(velocity),
                ..
            }) if self.valid[obstacle] => velocity.at(obstacle),
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

    /// The motion and the turn of an obstacle within a step; none at the last pose.
    pub(super) fn motion(&self, obstacle: usize, step: usize) -> (Motion, Turn) {
        match &self.course {
            Course::Posed(poses, _) => (poses.motion(obstacle, step), poses.turn(obstacle, step)),
            Course::Drift(_) if step + 1 < self.steps => (self.drift(obstacle).into(), Turn::NONE),
            Course::Drift(_) => (Motion::NONE, Turn::NONE),
        }
    }

    /// An obstacle, without its offset; `None` if it is missing.
    pub(super) fn shape(&self, obstacle: usize, step: usize) -> Option<Shape<'_>> {
        let column = match &self.course {
            Course::Posed(_, steps) => &steps[step].column,
            Course::Drift(_) => &*self.column,
        };
        column
            .view()
            .polygon(obstacle)
            .filter(|_| self.valid[obstacle])
    }

    /// The box of an obstacle at the start of a step, with what it sweeps by turning; empty if it is
    /// missing.
    pub(super) fn bounds(&self, obstacle: usize, step: usize) -> Bounds {
        match &self.course {
            Course::Posed(_, steps) => steps[step].boxes[obstacle],
            Course::Drift(_) => self.drifted(self.column.index().boxes[obstacle], obstacle, step),
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

    /// Finds obstacles by the boxes that they sweep within a step.
    pub(super) fn index(&self, step: usize) -> BoxIndex<'_> {
        match &self.course {
            Course::Drift(Drift { velocity: None, .. }) => self.column.index(),
            Course::Drift(drift) => {
                let boxes = self.column.index().boxes;
                BoxIndex::new(boxes, self.swept_block(drift, step), 0)
            }
            Course::Posed(_, steps) => BoxIndex::new(&steps[step].boxes, &steps[step].tree, 0),
        }
    }

    /// The boxes that drifting obstacles sweep in the block of a step.
    fn swept_block<'a>(&self, drift: &'a Drift, step: usize) -> &'a BoxTree {
        let all = self.steps.saturating_mul(self.column.len());
        let block = all.div_ceil(BOXES).max(BLOCK);
        let blocks = drift.blocks.get_or_init(|| {
            let count = self.steps.div_ceil(block);
            (0..count).map(|_| OnceLock::new()).collect()
        });
        blocks[step / block].get_or_init(|| {
            let first = step / block * block;
            let boxes = self.column.index().boxes.iter().enumerate();
            let boxes = boxes.map(|(obstacle, &bounds)| {
                let start = self.drifted(bounds, obstacle, first);
                start.union(&self.drifted(bounds, obstacle, first + block))
            });
            BoxTree::new(boxes)
        })
    }

    /// The ends of a contact within a step, in world coordinates.
    pub(super) fn contact(
        &self,
        collision: &SweptCollision,
        obstacle: usize,
        step: usize,
    ) -> [Point; 2] {
        match &self.course {
            Course::Posed(poses, _) => {
                collision.contact_where(poses.motion(obstacle, step).rounded(), 0.0)
            }
            Course::Drift(_) => collision.contact_where(self.drift(obstacle), step as f64),
        }
    }

    /// The nearest points of an approach within a step, in world coordinates at that time.
    pub(super) fn closest(
        &self,
        approach: &ClosestApproach,
        obstacle: usize,
        step: usize,
    ) -> [Point; 2] {
        let points = [approach.closest_a, approach.closest_b];
        let (drift, steps) = match &self.course {
            Course::Posed(poses, _) => (poses.motion(obstacle, step).rounded(), 0.0),
            Course::Drift(_) => (self.drift(obstacle), step as f64),
        };
        if drift == Vec2::ZERO {
            return points;
        }
        let time = WideFloat::from(steps) + WideFloat::from(approach.time);
        let by = WideVector::from(drift) * time;
        points.map(|point| advanced(point, by))
    }
}
