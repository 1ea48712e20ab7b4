//! A search for the time at which two shapes that turn are nearest.
//!
//! They are nearest where a vertex of one is nearest to an edge of the other. Seen from the shape with the
//! edge, which then rests, the vertex follows a path that is close to a polynomial within a short range of
//! time. Ranges in which no vertex comes nearer than the least distance so far are dropped, the others
//! halved, down to those with a single local minimum, which Newton's iteration finds. The file is long because all
//! steps of the search share the least distance so far.

use std::ops::ControlFlow;

use smallvec::{SmallVec, smallvec};

use super::bernstein::LeastAt;
use super::relative_vertex_motion::{Expansion, RelativeMotionAt};
use super::turning_feature_distance::{FeaturePath, FeaturesAt, ROUNDING, TurningFeatures};
use super::turning_scene::Scene;
use crate::convex::Cyclic;
use crate::geom::{Bounds, Vec2};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::edge_pairs::block_pairs;

/// Relative difference up to which distances count as equal.
const EQUAL: f64 = 1e-12;

/// Difference up to which times count as equal.
const SIMULTANEOUS: f64 = 1e-12;

/// The longest range, in radians, over which Taylor polynomials are used: over longer ones their
/// remainders are too large.
const LONGEST: f64 = 0.25;

/// Corners of both boundaries together up to which no trees are searched.
const FEW: usize = 32;

/// How many steps Newton's iteration may take, and how many pairs of features may be tried in turn.
const STEPS: usize = 16;
const PAIRS: usize = 4;

/// A search for the time of the least distance.
pub(super) struct ApproachSearch<'s> {
    scene: &'s Scene<'s>,
    period: f64,
    /// The sum of the radii, scaled.
    reach: f64,
    least: f64,
    /// The vector from `b` to `a` at the least distance so far.
    gap: Vec2,
    /// Features and time of the least distance so far.
    lowest: Option<FeaturesAt>,
    /// The earliest local minimum that equals the least distance so far.
    earliest: Option<FeaturesAt>,
}

/// A range of time, and a lower bound of the distance in it.
#[derive(Clone, Copy)]
struct BoundedRange {
    from: f64,
    to: f64,
    bound: f64,
}

impl<'s> ApproachSearch<'s> {
    pub(crate) fn new(scene: &'s Scene<'s>, period: f64, reach: f64) -> Self {
        Self {
            scene,
            period,
            reach,
            least: f64::INFINITY,
            gap: Vec2::ZERO,
            lowest: None,
            earliest: None,
        }
    }

    /// The earliest of the local minima that are the lowest.
    pub(crate) fn nearest(mut self) -> FeaturesAt {
        // A low start drops most ranges at once.
        for time in [0.0, 0.5 * self.period, self.period] {
            let start = self.nearest_at(time);
            self.settle(start.pair, time);
        }
        let mut open: SmallVec<[BoundedRange; 64]> = smallvec![self.range(0.0, self.period)];
        while let Some(range) = open.pop() {
            if self.excludes(range.bound, range.from) || self.visit(range) {
                continue;
            }
            let middle = 0.5 * (range.from + range.to);
            let halves = [self.range(range.from, middle), self.range(middle, range.to)];
            // The nearer half first; of two as near, the earlier one.
            let is_later_first = halves[1].bound < halves[0].bound - self.tolerance();
            let [first, second] = [usize::from(is_later_first), usize::from(!is_later_first)];
            open.extend([halves[second], halves[first]]);
        }
        (self.earliest.or(self.lowest)).expect("shapes have vertices")
    }

    /// By how much distances may differ that count as equal.
    fn tolerance(&self) -> f64 {
        EQUAL * (self.least - self.reach).max(0.0) + ROUNDING
    }

    /// Whether no local minimum can matter that is no lower than a bound, and no earlier than a time.
    fn excludes(&self, bound: f64, time: f64) -> bool {
        let tolerance = self.tolerance();
        let is_late = self.earliest.is_some_and(|found| found.time <= time);
        bound > self.least + tolerance || is_late && bound >= self.least - tolerance
    }

    /// A range with a bound: along a line through both shapes in the middle of it.
    fn range(&self, from: f64, to: f64) -> BoundedRange {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let between = self.scene.between(middle);
        let shapes = self.scene.shapes.each_ref();
        let [a, b] = shapes.map(|shape| (shape, shape.sector(middle, half)));
        let (velocity, bend) = self.scene.velocity_between(middle);
        let way = (velocity.length() + 0.5 * bend * half) * half;
        let bound = |line: Vec2| {
            let distance = line.length();
            if distance == 0.0 {
                return 0.0;
            }
            let along = line.times(1.0 / distance);
            let supports = a.0.support(-along, a.1.as_ref()) + b.0.support(along, b.1.as_ref());
            between.dot(along) - way - supports - 4.0 * ROUNDING
        };
        let mut least = bound(between + a.0.middle - b.0.middle);
        if a.0.turn == 0.0 || b.0.turn == 0.0 {
            least = least.max(bound(self.gap));
        }
        BoundedRange {
            from,
            to,
            bound: least,
        }
    }

    /// Looks at a range of time; `false` if it has to be halved first.
    fn visit(&mut self, BoundedRange { from, to, .. }: BoundedRange) -> bool {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let is_short = from >= middle || middle >= to;
        let [of_a, of_b] = [0, 1].map(|side: usize| self.scene.shapes[side].turn);
        let turn = of_a.abs().max(of_b.abs()).max((of_a - of_b).abs());
        if turn * half > LONGEST && !is_short {
            return false;
        }
        let views = self.scene.views(middle);
        let expansions = views.map(|view| Expansion::new(&view, middle, half));
        let (_, travel) = placed(&expansions[0], self.scene.shapes[0].bounds);
        let corners = self
            .scene
            .shapes
            .each_ref()
            .map(|shape| shape.corners.len());
        // Ranges in which the shapes move little, compared with their distance, tell no more by halves.
        let few = if is_short || travel <= 0.05 * self.least.max(ROUNDING) {
            usize::MAX
        } else {
            6 + usize::midpoint(corners[0], corners[1])
        };
        let Some(pairs) = self.near_pairs(&expansions, few) else {
            return false;
        };
        for pair in pairs {
            self.visit_pair(pair, &expansions[pair.mover]);
        }
        true
    }

    /// The vertices that come near enough to an edge of the other shape, and those edges; `None` if there
    /// are more than a few.
    fn near_pairs(
        &self,
        expansions: &[Expansion; 2],
        few: usize,
    ) -> Option<SmallVec<[TurningFeatures; 32]>> {
        let mut pairs = SmallVec::new();
        let start = expansions[0].middle - expansions[0].half;
        let limit = self.least + self.tolerance();
        let mut visit = |corners: [usize; 2]| {
            for mover in [0, 1] {
                let pair = TurningFeatures::new(mover, corners);
                if !self.excludes(pair.bound(self.scene, &expansions[mover]), start) {
                    pairs.push(pair);
                }
            }
            if pairs.len() > few {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(limit)
            }
        };
        let outcome = self.near_corners(&expansions[0], limit, &mut visit);
        outcome.is_continue().then_some(pairs)
    }

    /// Visits the pairs of edges that may be within a distance in a range of time. The visitor returns the
    /// new distance.
    fn near_corners(
        &self,
        expansion: &Expansion,
        limit: f64,
        mut visit: impl FnMut([usize; 2]) -> ControlFlow<(), f64>,
    ) -> ControlFlow<()> {
        let [a, b] = &self.scene.shapes;
        let (all_a, all_b) = (0..a.corners.len(), 0..b.corners.len());
        if all_a.len() + all_b.len() <= FEW {
            let mut all = all_a.flat_map(|i| all_b.clone().map(move |j| [i, j]));
            return all.try_for_each(|corners| visit(corners).map_continue(|_| ()));
        }
        let exponent = self.scene.exponent;
        let squared = |limit: f64| limit * limit * (1.0 + ROUNDING);
        let bound = |of_a: &Bounds, of_b: &Bounds| {
            if exponent.abs() > 900 {
                return 0.0;
            }
            let (placed, travel) = placed(expansion, a.local(*of_a, exponent));
            let swept = placed.grown(travel + 32.0 * ROUNDING);
            swept.squared_distance_below(&b.local(*of_b, exponent))
        };
        let boundaries = [a.boundary, b.boundary];
        block_pairs(
            boundaries,
            Boundary::tree,
            bound,
            squared(limit),
            |[of_a, of_b]| {
                let mut limit = limit;
                for i in of_a.range() {
                    if bound(&a.boundary.edge(i).into(), &of_b.bounds) > squared(limit) {
                        continue;
                    }
                    for j in of_b.range() {
                        limit = visit([i, j])?;
                    }
                }
                ControlFlow::Continue(squared(limit))
            },
        )
    }

    /// Looks at the local minima of a pair within a range of time.
    fn visit_pair(&mut self, pair: TurningFeatures, expansion: &Expansion) {
        let mut open: SmallVec<[[f64; 2]; 32]> = SmallVec::new();
        self.visit_expansion(pair, expansion, &mut open);
        while let Some([from, to]) = open.pop() {
            let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
            if from >= middle || middle >= to {
                self.settle(pair, middle);
                continue;
            }
            let view = self.view(pair, middle);
            self.visit_expansion(pair, &Expansion::new(&view, middle, half), &mut open);
        }
    }

    /// Looks at the local minima of a pair, or adds the halves of the range where it is too long.
    fn visit_expansion(
        &mut self,
        pair: TurningFeatures,
        expansion: &Expansion,
        open: &mut SmallVec<[[f64; 2]; 32]>,
    ) {
        let [from, to] = [-1.0, 1.0].map(|part| expansion.time(part));
        if self.excludes(pair.bound(self.scene, expansion), from) {
            return;
        }
        let paths = pair.paths(self.scene, expansion);
        let tolerance = 0.5 * self.tolerance();
        if paths.iter().flatten().any(|path| path.is_coarse(tolerance)) {
            let middle = expansion.middle;
            open.extend([[middle, to], [from, middle]]);
            return;
        }
        for path in paths.iter().flatten() {
            self.visit_path(pair, expansion, path);
        }
    }

    fn visit_path(&mut self, pair: TurningFeatures, expansion: &Expansion, path: &FeaturePath) {
        let mut open: SmallVec<[_; 4]> = smallvec![path.whole];
        while let Some(piece) = open.pop() {
            if self.excludes(path.bound(&piece), expansion.time(piece.range[0])) {
                continue;
            }
            let mut settle = |part: f64| self.settle(pair, expansion.time(piece.part(part)));
            match path.least(&piece) {
                Some(LeastAt::Inside(part)) if settle(part) => continue,
                Some(LeastAt::Ends(parts)) => {
                    for &part in parts {
                        settle(part);
                    }
                    continue;
                }
                _ => {}
            }
            if path.is_fine(&piece, self.tolerance()) {
                for part in [0.0, piece.lowest()] {
                    self.settle(pair, expansion.time(piece.part(part)));
                }
            } else {
                let [earlier, later] = piece.halves();
                open.extend([later, earlier]);
            }
        }
    }

    fn view(&self, pair: TurningFeatures, time: f64) -> RelativeMotionAt {
        let [of_a, of_b] = self.scene.views(time);
        if pair.mover == 0 { of_a } else { of_b }
    }

    /// Takes the local minimum of a pair near a time, if it is one of both shapes; whether the pair has one.
    fn settle(&mut self, pair: TurningFeatures, time: f64) -> bool {
        let (mut found, is_minimum) = self.descend(pair, time);
        if self.excludes(found.distance, found.time) {
            return is_minimum;
        }
        let mut is_settled = is_minimum;
        for _ in 0..PAIRS {
            let nearest = self.nearest_at(found.time);
            if nearest.distance >= found.distance - ROUNDING {
                break;
            }
            (found, is_settled) = self.descend(nearest.pair, nearest.time);
        }
        self.offer(found, is_settled);
        is_minimum
    }

    fn offer(&mut self, found: FeaturesAt, is_settled: bool) {
        if found.distance < self.least {
            self.least = found.distance;
            let [of_a, of_b] = found.points(self.scene);
            self.gap = of_a - of_b;
            self.lowest = Some(found);
        }
        let limit = self.least + self.tolerance();
        self.earliest = self.earliest.filter(|earliest| earliest.distance <= limit);
        let precedes = |earliest: &FeaturesAt| {
            let is_simultaneous = (found.time - earliest.time).abs() <= SIMULTANEOUS;
            let is_lower = found.distance < earliest.distance;
            found.time < earliest.time && !is_simultaneous || is_simultaneous && is_lower
        };
        if is_settled && found.distance <= limit && self.earliest.as_ref().is_none_or(precedes) {
            self.earliest = Some(found);
        }
    }

    fn nearest_at(&self, time: f64) -> FeaturesAt {
        let views = self.scene.views(time);
        let mut least: Option<FeaturesAt> = None;
        let mut add = |corners: [usize; 2]| {
            for mover in [0, 1] {
                let found =
                    TurningFeatures::new(mover, corners).at(self.scene, &views[mover], time);
                if least.is_none_or(|least| found.distance < least.distance) {
                    least = Some(found);
                }
            }
            least.map_or(f64::INFINITY, |least| least.distance)
        };
        // Any pair limits the search.
        let limit = add([0, 0]);
        let expansion = Expansion::new(&views[0], time, 0.0);
        let _ = self.near_corners(&expansion, limit, |corners| {
            ControlFlow::Continue(add(corners))
        });
        least.expect("shapes have vertices")
    }

    /// The local minimum of a pair to which Newton's iteration leads from a time, and whether it does.
    fn descend(&self, pair: TurningFeatures, time: f64) -> (FeaturesAt, bool) {
        let mut here = pair.at(self.scene, &self.view(pair, time), time);
        for _ in 0..STEPS {
            let time = here.time;
            let [slope, bend, noise] = pair.derivatives(self.scene, &self.view(pair, time));
            let is_at_end = time <= 0.0 && slope > 0.0 || time >= self.period && slope < 0.0;
            if slope.abs() <= noise || is_at_end {
                return (here, true);
            }
            if bend <= 0.0 {
                return (here, false);
            }
            let next = (time - slope / bend).clamp(0.0, self.period);
            let there = pair.at(self.scene, &self.view(pair, next), next);
            if there.distance > here.distance + ROUNDING {
                return (here, false);
            }
            here = there;
            if (next - time).abs() <= f64::EPSILON * next {
                return (here, true);
            }
        }
        (here, false)
    }
}

/// A box in which the points of a box are in the middle of a range of time, and how far they move from there. Both
/// boxes are scaled; the given one is relative to the origin of its shape.
fn placed(expansion: &Expansion, arms: Bounds) -> (Bounds, f64) {
    let farthest = |Bounds { min, max }: Bounds| {
        let corner = |x: f64, y: f64| Vec2::new(x, y).length();
        let corners = [min.x, max.x].map(|x| corner(x, min.y).max(corner(x, max.y)));
        corners[0].max(corners[1])
    };
    let placed = expansion.placed(arms);
    (
        placed,
        expansion.travels.of(farthest(arms), farthest(placed)),
    )
}
