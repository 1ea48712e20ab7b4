//! Which bodies of a log come near each other, and when first.

use std::f64::consts::PI;
use std::sync::Arc;

use super::margins::Margins;
use super::obstacles::Obstacles;
use super::placed_footprint::PlacedFootprint;
use super::placed_obstacles::PlacedObstacles;
use super::step::{Step, StepApproach, StepContact};
use super::trajectories::Trajectories;
use super::trajectory_batch::clock_time;
use crate::batch::join::PairLimit;
use crate::batch::queries::query_result::record;
use crate::batch::{
    CancelToken, Field, FieldKind, OutOfMemory, QueryResult, Stop, Value, memory, thread_pool,
};
use crate::geom::{Bounds, Turn};
use crate::predicates::numbers::ten_digits::square_of_ten_digits_above;
use crate::shape::Shape;

/// A search for the bodies that come within a margin of each other or of obstacles.
#[derive(Debug)]
pub struct EncounterSearch {
    /// Examined and indexed bodies.
    pub bodies: Arc<Trajectories>,
    /// The obstacles, or the bodies themselves.
    pub obstacles: Obstacles,
    /// Whether the obstacles are the bodies. Each pair is then told once, and none of rows of one group.
    pub of_itself: bool,
    /// Distances within which shapes count as touching, if they are not 0.
    pub margins: Option<Margins>,
    /// Whether more is wanted of contacts than their time.
    pub with_normal: bool,
    /// Whether it is wanted how near each pair comes.
    pub with_distance: bool,
    /// The most pairs allowed.
    pub most: usize,
}

/// A body and an obstacle that come near each other.
#[derive(Clone, Copy, Debug)]
pub struct Encounter {
    /// Their first contact, or when they first come within the margin.
    pub contact: StepContact,
    /// How near they come, if that is wanted.
    pub least: Option<StepApproach>,
    /// The time of the contact on the clock of the poses; NaN without a clock.
    pub at: f64,
}

record!(Encounter, true when STEP, |this| {
    STEP "step": Index = Some(this.contact.step).into(),
    TIME "time": Float = Value::Float(this.contact.collision.time()),
    NORMAL "normal": Vector = this.contact.collision.normal().into(),
    CONTACT "contact": Segment = Value::Segment(this.contact.contact),
    AT "at": Float if there = Value::Float(this.at),
    DISTANCE "distance": Float if there = Value::Float(this.least.map_or(f64::NAN, |it| it.distance)),
    DISTANCE_STEP "distance_step": Index if there = this.least.map(|it| it.step).into(),
    DISTANCE_TIME "distance_time": Float if there = Value::Float(this.least.map_or(f64::NAN, |it| it.time)),
});

/// Bodies that a thread follows together, so that the boxes of a step stay in the cache. The number is not tuned.
const TOGETHER: usize = 64;

/// A body and obstacles at poses.
#[derive(Default)]
struct Placed {
    own: PlacedFootprint,
    others: PlacedObstacles,
}

impl EncounterSearch {
    /// Number of poses of all bodies.
    pub fn poses(&self) -> usize {
        self.bodies.len().saturating_mul(self.bodies.poses.steps)
    }

    /// The most vertices of a body and of an obstacle.
    pub fn longest(&self) -> usize {
        self.bodies.footprints.longest() + self.obstacles.longest()
    }

    /// Whether a single step may take seconds.
    pub fn is_slow(&self) -> bool {
        Turn::is_long(PI, self.longest())
    }

    /// All encounters, ordered by the body, then by the obstacle.
    ///
    /// # Errors
    ///
    /// If cancelled, if there are too many, or if there is no memory for them.
    pub fn run(&self, threads: usize, control: &CancelToken) -> Result<Vec<Encounter>, Stop> {
        let limit = PairLimit::new(self.most);
        let share = self.bodies.len().div_ceil(4 * threads.max(1));
        let share = share.clamp(1, TOGETHER);
        // Bodies that are near each other look up the same boxes, which then are in the cache.
        let rows = self.bodies.neighbours();
        let found = |rows: &[usize]| self.of_rows(rows, &limit, control);
        let shares = rows.chunks(share).collect();
        let pieces: Result<Vec<_>, Stop> = thread_pool::map(shares, threads, found);
        let (pieces, mut all) = (pieces?, Vec::new());
        memory::reserve(&mut all, pieces.iter().map(Vec::len).sum())?;
        all.extend(pieces.into_iter().flatten());
        all.sort_unstable_by_key(Encounter::rows);
        Ok(all)
    }

    /// The encounters of some bodies.
    fn of_rows(
        &self,
        rows: &[usize],
        limit: &PairLimit,
        control: &CancelToken,
    ) -> Result<Vec<Encounter>, Stop> {
        let mut placed = Placed::default();
        // The encounters of each body, in ascending order of the obstacles.
        let mut met: Vec<Vec<Encounter>> = vec![Vec::new(); rows.len()];
        for number in 0..self.bodies.poses.steps {
            for (&row, met) in rows.iter().zip(&mut met) {
                control.proceed()?;
                let before = met.len();
                self.meet(row, number, met, &mut placed)?;
                limit.count(met.len() - before)?;
            }
        }
        if self.with_distance {
            for encounter in met.iter_mut().flatten() {
                control.proceed()?;
                encounter.least = self.least(encounter, &mut placed);
            }
        }
        let mut all = Vec::new();
        memory::reserve(&mut all, met.iter().map(Vec::len).sum())?;
        all.extend(met.into_iter().flatten());
        Ok(all)
    }

    /// Adds the obstacles that a body meets within a step and has not met before.
    fn meet(
        &self,
        row: usize,
        number: usize,
        met: &mut Vec<Encounter>,
        placed: &mut Placed,
    ) -> Result<(), OutOfMemory> {
        let Some(step) = self.step(row, number, self.margins.as_ref(), self.with_normal) else {
            return Ok(());
        };
        let position =
            |met: &[Encounter], obstacle| met.binary_search_by_key(&obstacle, Encounter::obstacle);
        let near =
            step.near(|obstacle| self.may_meet(row, obstacle) && position(met, obstacle).is_err());
        let Placed { own, others } = placed;
        if near.is_empty() || !self.bodies.put(own, row, number) {
            return Ok(());
        }
        let Ok(shape) = Shape::trusted(own.rings()) else {
            return Ok(());
        };
        for obstacle in near {
            if let Some(contact) = step.contact(&shape, obstacle, others)
                && let Err(position) = position(met, obstacle)
            {
                let (time, least) = (contact.collision.time(), None);
                let times = self.obstacles.times_with(&self.bodies);
                let at = times.map_or(f64::NAN, |times| clock_time(times, number, time));
                memory::reserve(met, 1)?;
                met.insert(position, Encounter { contact, least, at });
            }
        }
        Ok(())
    }

    /// The step that starts at a pose; `None` if the body is not there.
    fn step<'a>(
        &'a self,
        row: usize,
        number: usize,
        margins: Option<&'a Margins>,
        with_normal: bool,
    ) -> Option<Step<'a>> {
        let bounds = self.bodies.swept(number).bounds(row);
        (!bounds.is_empty()).then(|| {
            Step::new(
                (&self.bodies, row),
                number,
                self.bodies.poses.motion(row, number),
                bounds,
                (&self.obstacles, margins),
                with_normal,
            )
        })
    }

    /// Whether an encounter of a body and an obstacle would be told.
    fn may_meet(&self, row: usize, obstacle: usize) -> bool {
        if !self.of_itself {
            return true;
        }
        let groups = self.bodies.groups.as_ref();
        let are_one = groups.is_some_and(|it| it.labels[row] == it.labels[obstacle]);
        row < obstacle && !are_one
    }

    /// How near a pair comes at all its poses and in between: 0 at its first contact, or else its least distance.
    fn least(&self, encounter: &Encounter, placed: &mut Placed) -> Option<StepApproach> {
        let (row, obstacle) = (encounter.contact.row, encounter.obstacle());
        let Placed { own, others } = placed;
        let mut least: Option<StepApproach> = None;
        for number in 0..self.bodies.poses.steps {
            let Some(step) = self.step(row, number, None, false) else {
                continue;
            };
            let bounds = self.obstacles.bounds(obstacle, number);
            if bounds.is_empty() || self.are_farther(&step, obstacle, &bounds, least) {
                continue;
            }
            self.bodies.put(own, row, number);
            let Ok(shape) = Shape::trusted(own.rings()) else {
                continue;
            };
            if let Some(contact) = step.contact(&shape, obstacle, others) {
                return Some(contact.into());
            }
            if let Some(approach) = step.approach(&shape, obstacle, others)
                && least.is_none_or(|least| approach.distance < least.distance)
            {
                least = Some(approach);
            }
        }
        least
    }

    /// Whether the boxes of a body and of an obstacle stay farther apart within a step than the least distance so far.
    fn are_farther(
        &self,
        step: &Step<'_>,
        obstacle: usize,
        bounds: &Bounds,
        least: Option<StepApproach>,
    ) -> bool {
        let motion = self.obstacles.motion(obstacle, step.number).motion;
        let swept = step.bounds.swept(step.motion.motion);
        let distance = swept.squared_distance_below(&bounds.swept(motion));
        least.is_some_and(|least| distance > square_of_ten_digits_above(least.distance))
    }
}

impl Encounter {
    /// The rows of the body and of the obstacle.
    pub fn rows(&self) -> [usize; 2] {
        [self.contact.row, self.obstacle()]
    }

    fn obstacle(&self) -> usize {
        self.contact.obstacle
    }
}
