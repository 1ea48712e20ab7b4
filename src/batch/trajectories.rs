//! Footprints on their way through obstacles: which is touched first, and when.

use std::fmt;
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use crate::batch::fault::{Fault, Place};
use crate::batch::operand::{Shared, Source};
use crate::batch::question::Question;
use crate::batch::ragged::Ragged;
use crate::broad::{Crowd, Mover};
use crate::geom::{Bounds, Motion, Point, Vec2, place};
use crate::polygon::{self, Course, Polygon, Rings, SweptCollision};

/// Trajectories of one length: what touches each first.
pub struct Trajectories {
    /// One footprint for all, or one each.
    pub footprints: Arc<Ragged>,
    /// The poses, trajectory after trajectory.
    pub poses: Shared<[f64; 3]>,
    /// How many trajectories there are.
    pub count: usize,
    /// How many poses each has.
    pub steps: usize,
    /// What may be in the way.
    pub obstacles: Arc<Ragged>,
    /// How far each obstacle moves per step.
    pub velocity: Option<Source<Shared<Vec2>>>,
    /// The obstacles as a crowd, once for all steps if they rest, else for each.
    pub crowds: Crowds,
}

/// Crowds made when a step is first looked at.
#[derive(Debug, Default)]
pub struct Crowds(Vec<OnceLock<Crowd>>);

impl Crowds {
    /// None made yet, of so many.
    pub fn new(count: usize) -> Self {
        Self((0..count).map(|_| OnceLock::new()).collect())
    }
}

/// The first contact of a trajectory, if it has any.
#[derive(Clone, Copy, Debug)]
pub struct FirstContact(pub Option<StepContact>);

/// A contact within a step.
#[derive(Clone, Copy, Debug)]
pub struct StepContact {
    /// The pose at which the step starts.
    pub step: usize,
    /// The obstacle's row.
    pub obstacle: usize,
    /// When, in the step, and where as seen from the obstacle.
    pub collision: SweptCollision,
    /// The obstacle's velocity.
    drift: Vec2,
}

impl StepContact {
    /// The ends of the contact.
    pub fn contact(&self) -> [Point; 2] {
        self.collision.contact_where(self.drift, self.step as f64)
    }
}

impl fmt::Debug for Trajectories {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Trajectories({} of {})", self.count, self.steps)
    }
}

impl Question for Trajectories {
    type Answer = FirstContact;
    type Cursor<'a> = Placed;

    fn rows(&self) -> usize {
        self.count
    }

    fn longest(&self) -> usize {
        self.steps.saturating_mul(self.footprints.longest())
    }

    fn cursor(&self) -> Placed {
        Placed::default()
    }

    fn answer(&self, row: usize, placed: &mut Placed) -> Result<Option<FirstContact>, Fault> {
        let bad = |step: &usize| {
            !self
                .pose(row, *step)
                .iter()
                .all(|number| number.is_finite())
        };
        if let Some(step) = (0..self.steps).find(bad) {
            return Err(Fault::Pose(self.place(row, step), self.pose(row, step)));
        }
        let footprint = if self.footprints.len() == 1 { 0 } else { row };
        let Some(rings) = self.footprints.rings(footprint) else {
            return Ok(None);
        };
        for step in 0..self.steps {
            placed.put(rings, self.pose(row, step));
            let polygon = Polygon::new(placed.rings())
                .map_err(|why| Fault::Placed(self.place(row, step), why))?;
            let contact = self.first(&polygon, &placed.bounds(), row, step)?;
            if contact.is_some() {
                return Ok(Some(FirstContact(contact)));
            }
        }
        Ok(Some(FirstContact(None)))
    }
}

impl Trajectories {
    fn pose(&self, row: usize, step: usize) -> [f64; 3] {
        (*self.poses).as_ref()[row * self.steps + step]
    }

    fn place(&self, row: usize, step: usize) -> Place {
        let shape = [self.count, self.steps];
        Place::row("poses", &shape, row * self.steps + step)
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

    /// Which obstacle a polygon touches first on its way to the next pose; from the last one it
    /// goes nowhere, and time stands still.
    fn first(
        &self,
        polygon: &Polygon<'_>,
        bounds: &Bounds,
        row: usize,
        step: usize,
    ) -> Result<Option<StepContact>, Fault> {
        let motion = (step + 1 < self.steps)
            .then(|| Motion::between(self.position(row, step), self.position(row, step + 1)));
        let mut near: SmallVec<[usize; 16]> = SmallVec::new();
        let way = motion.unwrap_or(Motion::NONE);
        self.crowd(step)?
            .near(bounds, way, 0.0, |obstacle| near.push(obstacle));
        near.sort_unstable();
        let mut first: Option<StepContact> = None;
        let obstacles = self.obstacles.view();
        for obstacle in near {
            let Some(other) = obstacles.polygon(obstacle) else {
                continue;
            };
            let drift = self.drift(obstacle);
            let collision = polygon::swept_collision(polygon, &other, course(motion, drift, step));
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
        Ok(first)
    }

    /// The obstacles as they are when a step starts.
    fn crowd(&self, step: usize) -> Result<&Crowd, Fault> {
        let number = if self.velocity.is_some() { step } else { 0 };
        let slot = &self.crowds.0[number];
        if let Some(crowd) = slot.get() {
            return Ok(crowd);
        }
        let crowd = Crowd::new(self.movers(number)?);
        Ok(slot.get_or_init(|| crowd))
    }

    fn movers(&self, step: usize) -> Result<Vec<Option<Mover>>, Fault> {
        let obstacles = self.obstacles.view();
        let mover = |obstacle| {
            let velocity = self.drift(obstacle);
            if let Some(source) = self.velocity.as_ref()
                && !velocity.is_finite()
            {
                return Err(Fault::Velocity(source.place(obstacle), velocity));
            }
            Ok(obstacles.polygon(obstacle).map(|polygon| {
                let bounds = if step == 0 || velocity == Vec2::ZERO {
                    polygon.bounds()
                } else {
                    let drift = Motion::drifting(velocity, step as f64);
                    polygon.bounds().moved(drift)
                };
                Mover { bounds, velocity }
            }))
        };
        (0..self.obstacles.len()).map(mover).collect()
    }
}

/// How a footprint moves within a step as an obstacle sees it that has drifted since the start.
fn course(motion: Option<Motion>, drift: Vec2, step: usize) -> Course {
    let steps = step as f64;
    let drifts = drift != Vec2::ZERO;
    let velocity = match motion {
        None => Motion::NONE,
        Some(motion) if drifts => motion.with_drift(drift, -1.0),
        Some(motion) => motion,
    };
    Course {
        offset: (drifts && step > 0).then(|| Motion::drifting(drift, -steps)),
        velocity,
    }
}

/// A footprint at a pose.
#[derive(Debug, Default)]
pub struct Placed {
    vertices: Vec<Point>,
    offsets: Vec<usize>,
}

impl Placed {
    fn put(&mut self, footprint: Rings<'_>, [x, y, heading]: [f64; 3]) {
        self.vertices.clear();
        self.offsets.clear();
        self.offsets.push(0);
        for ring in footprint.iter() {
            self.vertices.extend_from_slice(ring);
            self.offsets.push(self.vertices.len());
        }
        place(&mut self.vertices, x, y, heading);
    }

    fn rings(&self) -> Rings<'_> {
        Rings::new(&self.vertices, &self.offsets)
    }

    fn bounds(&self) -> Bounds {
        self.vertices
            .iter()
            .map(|&vertex| Bounds::from(vertex))
            .collect()
    }
}
