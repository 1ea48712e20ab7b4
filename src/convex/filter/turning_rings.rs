//! Where two rings that turn while one moves are certainly apart, and whether they certainly overlap.

use crate::predicates::{ClearanceError, LaneRotation, inverse_length};
use crate::simd::lanes::{Lanes, Mask, Scratch, Vectors};

/// The motion of two rings.
#[derive(Clone, Copy, Debug)]
pub struct TurningMotion<L> {
    /// What the rings turn about, at the start.
    pub centers: [Vectors<L>; 2],
    /// The angles by which they turn over the frame.
    pub angles: [L; 2],
    /// From the center of the second to that of the first at the start.
    pub gap: Vectors<L>,
    /// The displacement of the first center relative to the second over the frame.
    pub velocity: Vectors<L>,
    /// The distance within which they count as touching.
    pub reach: L,
}

/// A vertex, and the edge that starts there.
#[derive(Clone, Copy, Debug)]
pub struct TurningVertex<L> {
    /// The position at the start, relative to the center of its ring.
    arm: Vectors<L>,
    /// The position at the time of the last evaluation, relative to the center of the other ring and in the
    /// frame that turns with it.
    place: Vectors<L>,
    /// The normal of the edge, of length 1, on its right; zero where the edge is as good as a point.
    normal: Vectors<L>,
    /// How far the ring reaches along the normal.
    most: L,
    /// How far beyond that the other ring lies at the time of the last evaluation.
    clearance: L,
}

/// Two rings that turn while the first one moves.
pub struct TurningRings<'v, L: Lanes> {
    vertices: [&'v mut [TurningVertex<L>]; 2],
    motion: TurningMotion<L>,
    /// An eighth of a bound of the second derivatives of places as seen from the other ring.
    bends: [L; 2],
    errors: ClearanceError<L>,
    seeks_overlap: bool,
    /// The lanes in which overlaps can be told.
    tells_overlaps: L::Mask,
    /// The lanes in which the rings certainly overlap at a time of the frame that was evaluated.
    overlap: L::Mask,
}

/// Time steps that are evaluated one after the other.
const STEPS: usize = 4;

/// The longest step, and the first one if shorter ones are allowed.
const LONGEST: f64 = 0.25;
const FIRST: f64 = 0.0625;

impl<L: Lanes> Scratch<L> for TurningVertex<L> {
    #[inline(always)]
    fn scratch(zero: L) -> Self {
        let none = Vectors::both(zero);
        Self {
            arm: none,
            place: none,
            normal: none,
            most: zero,
            clearance: zero,
        }
    }
}

#[inline(always)]
fn length<L: Lanes>(vector: Vectors<L>) -> L {
    vector.length_squared().sqrt()
}

/// Puts a ring about its center, and returns the distance of its farthest vertex and the length of its shortest edge.
#[inline(always)]
fn place_about<L: Lanes>(
    center: Vectors<L>,
    ring: &[Vectors<L>],
    into: &mut [TurningVertex<L>],
) -> [L; 2] {
    let mut farthest = center.x.all(0.0);
    let mut shortest = center.x.all(f64::INFINITY);
    for (vertex, into) in ring.iter().zip(into.iter_mut()) {
        into.arm = *vertex - center;
        farthest = farthest.larger(into.arm.length_squared());
    }
    let count = into.len();
    for index in 0..count {
        let next = if index + 1 == count { 0 } else { index + 1 };
        let edge = into[next].arm - into[index].arm;
        let own = length(edge);
        shortest = shortest.smaller(own);
        let share = inverse_length(own);
        let normal = Vectors::new(edge.y * share, share.all(0.0) - edge.x * share);
        let mut most = into[0].arm.dot(normal);
        for other in &into[1..] {
            most = most.larger(other.arm.dot(normal));
        }
        (into[index].normal, into[index].most) = (normal, most);
    }
    [farthest.sqrt(), shortest]
}

impl<'v, L: Lanes> TurningRings<'v, L> {
    /// The rings, given scratch for each vertex.
    #[inline(always)]
    pub fn new(
        rings: [&[Vectors<L>]; 2],
        motion: TurningMotion<L>,
        scratch: &'v mut [TurningVertex<L>],
    ) -> Self {
        let (of_a, of_b) = scratch.split_at_mut(rings[0].len());
        let [arm_a, edge_a] = place_about(motion.centers[0], rings[0], of_a);
        let [arm_b, edge_b] = place_about(motion.centers[1], rings[1], of_b);
        let TurningMotion {
            angles: [turn_a, turn_b],
            reach,
            ..
        } = motion;
        let (speed, apart) = (length(motion.velocity), length(motion.gap));
        // Not a number if any of them isn't.
        let size = speed + apart + arm_a + arm_b + reach;
        let spin = turn_a.abs() + turn_b.abs();
        let relative = turn_a - turn_b;
        // Eighths of the bounds: that of the center in a frame that turns, and that of an arm.
        let (eighth, path) = (reach.all(0.125), apart + speed);
        let center_a = (turn_b * turn_b * path + (turn_b + turn_b).abs() * speed) * eighth;
        let center_b = (turn_a * turn_a * path + (turn_a + turn_a).abs() * speed) * eighth;
        let spin_squared = relative * relative * eighth;
        let errors = ClearanceError::new(size, spin);
        // The edge of a point has no normal: its shortest length is 0.
        let tells_overlaps =
            errors.tells_overlaps(arm_a, edge_a) & errors.tells_overlaps(arm_b, edge_b);
        Self {
            vertices: [of_a, of_b],
            motion,
            bends: [
                center_a + spin_squared * arm_a,
                center_b + spin_squared * arm_b,
            ],
            errors,
            seeks_overlap: false,
            tells_overlaps,
            overlap: size.above(size),
        }
    }

    /// The rings, to find overlaps as well: for these, steps are evaluated in which the rings are not apart.
    #[inline(always)]
    #[must_use]
    pub fn seeking_overlap(self) -> Self {
        Self {
            seeks_overlap: true,
            ..self
        }
    }

    /// The time until which the rings are certainly apart from `start` on, found with time steps of at least
    /// `finest`. If it is the end of the frame or later, they are apart throughout.
    #[inline(always)]
    pub fn apart_until(&mut self, start: L, finest: f64) -> L {
        let size = start;
        let (one, shorter) = (size.all(1.0), size.all(1.0 / STEPS as f64));
        let (mut time, mut step) = (start, size.all(finest.max(FIRST)));
        let mut is_open = self.errors.is_known & !self.overlap;
        while is_open.any() {
            let count = self.steps_apart(time, step);
            time = time + count * step;
            let longer = (step * size.all(STEPS as f64)).smaller(size.all(LONGEST));
            step = (count.same(size.all(STEPS as f64))).choose(longer, step * shorter);
            is_open = is_open & one.above(time) & step.at_least(size.all(finest)) & !self.overlap;
        }
        time
    }

    /// Whether the rings certainly overlap at a time of the frame, as far as the search has told.
    #[inline(always)]
    pub fn overlap(&self) -> L::Mask {
        self.overlap
    }

    /// Number of consecutive time steps from `start` on, of four, in which the rings are certainly apart.
    ///
    /// Within a step a vertex stays near the chord between its places at the ends.
    #[inline(always)]
    pub fn steps_apart(&mut self, start: L, step: L) -> L {
        let [turn_a, turn_b] = self.motion.angles;
        let (mut of_a, mut of_b) = (
            LaneRotation::by(turn_a * start),
            LaneRotation::by(turn_b * start),
        );
        let (step_a, step_b) = (
            LaneRotation::by(turn_a * step),
            LaneRotation::by(turn_b * step),
        );
        let reaches = self.reaches(step);
        let (mut time, mut count) = (start, start.all(0.0));
        let mut are_apart = self.errors.is_known;
        let _ = self.look(time, [of_a, of_b], reaches);
        if self.vertices.iter().any(|it| it.len() == 1) {
            self.aim();
            let _ = self.look(time, [of_a, of_b], reaches);
        }
        for _ in 0..STEPS {
            (time, of_a, of_b) = (time + step, of_a.then(step_a), of_b.then(step_b));
            are_apart = are_apart & self.look(time, [of_a, of_b], reaches);
            let is_open = if self.seeks_overlap {
                are_apart | !self.overlap
            } else {
                are_apart
            };
            if !is_open.any() {
                break;
            }
            count = are_apart.choose(count + count.all(1.0), count);
        }
        count
    }

    /// The position of a vertex at the time of the last evaluation, relative to the center of the other ring
    /// and in the frame that turns with it.
    #[inline(always)]
    pub fn place(&self, ring: usize, vertex: usize) -> Vectors<L> {
        self.vertices[ring][vertex].place
    }

    /// Points the normal of a ring that is a point towards the other ring.
    #[inline(always)]
    fn aim(&mut self) {
        for side in 0..2 {
            let (mut sum, arm) = (
                Vectors::both(self.motion.reach.all(0.0)),
                self.vertices[side][0].arm,
            );
            for vertex in self.vertices[1 - side].iter() {
                sum = sum + (vertex.place - arm);
            }
            if self.vertices[side].len() == 1 {
                let normal = sum.times(inverse_length(length(sum)));
                let point = &mut self.vertices[side][0];
                (point.normal, point.most) = (normal, arm.dot(normal));
            }
        }
    }

    /// Clearances such that larger ones at both ends of a step prove that the rings are apart
    /// within it.
    #[inline(always)]
    fn reaches(&self, step: L) -> [L; 2] {
        let (reach, square) = (self.motion.reach, step * step);
        self.bends.map(
            #[inline(always)]
            |bend| self.errors.above(reach + bend * square),
        )
    }

    /// Evaluates the clearances from the edges of both rings at a time, and notes certain overlaps if they are sought. Returns the lanes in which one is
    /// larger than the reach, at this time and at the previous one.
    #[inline(always)]
    fn look(&mut self, time: L, [of_a, of_b]: [LaneRotation<L>; 2], reaches: [L; 2]) -> L::Mask {
        let gap = self.motion.gap + self.motion.velocity.times(time);
        let (back_a, back_b) = (of_a.reversed(), of_b.reversed());
        let relative = of_a.then(back_b);
        let [a, b] = &mut self.vertices;
        let (from_b, largest) = clearances(a, b, back_b.of(gap), relative, reaches[0]);
        let none = Vectors::both(time.all(0.0));
        let (from_a, other) =
            clearances(b, a, none - back_a.of(gap), relative.reversed(), reaches[1]);
        if self.seeks_overlap {
            // Convex rings overlap where each reaches beyond all edges of the other.
            let depth = none.x - largest.larger(other);
            let is_deep = depth.above(self.errors.above(self.motion.reach));
            let is_within = time.all(1.0).at_least(time);
            self.overlap = self.overlap | (is_deep & is_within & self.tells_overlaps);
        }
        from_b | from_a
    }
}

/// Evaluates the clearances of one ring from the edges of the other, given its pose. Returns the lanes in
/// which one is larger than the reach, at this time and at the previous one, and the largest clearance at this time.
#[inline(always)]
fn clearances<L: Lanes>(
    moving: &mut [TurningVertex<L>],
    resting: &mut [TurningVertex<L>],
    center: Vectors<L>,
    rotation: LaneRotation<L>,
    reach: L,
) -> (L::Mask, L) {
    for vertex in moving.iter_mut() {
        vertex.place = center + rotation.of(vertex.arm);
    }
    let mut are_apart = reach.above(reach);
    let mut largest = reach.all(f64::NEG_INFINITY);
    for edge in resting.iter_mut() {
        let mut least = moving[0].place.dot(edge.normal);
        for vertex in &moving[1..] {
            least = least.smaller(vertex.place.dot(edge.normal));
        }
        let clearance = least - edge.most;
        are_apart = are_apart | clearance.smaller(edge.clearance).above(reach);
        edge.clearance = clearance;
        largest = largest.larger(clearance);
    }
    (are_apart, largest)
}
