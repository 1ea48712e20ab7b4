//! The distance of a vertex from an edge while both turn, and bounds of it over a range of time. The file is long
//! because value, slope and curvature are bounded together, from the same samples.

use super::turned_points::bits_of_sines;
use super::turning_vertex_and_edge::{GapFeature, TurningGap};
use crate::predicates::numbers::ball::Ball;
use crate::predicates::numbers::number_vector::Vector;
use crate::predicates::numbers::sign::Sign;

/// A range of time: a middle and half the length, both exact.
#[derive(Clone, Debug)]
pub(super) struct Span<B> {
    pub(crate) middle: B,
    pub(crate) half: B,
}

impl<B: Ball> Span<B> {
    pub(crate) fn of(time: &B, bits: usize) -> Self {
        let time = time.clone().shortened(bits);
        Self {
            middle: time.middle(),
            half: time.radius(),
        }
    }

    /// One time.
    pub(crate) fn at(time: B) -> Self {
        Self {
            middle: time,
            half: B::of(0.0),
        }
    }

    /// The range with the same middle, longer by a factor.
    pub(crate) fn times(&self, factor: f64) -> Self {
        Self {
            middle: self.middle.clone(),
            half: self.half.times(&B::of(factor)).size(),
        }
    }

    pub(crate) fn ball(&self) -> B {
        self.middle.widened(&self.half)
    }

    /// Two parts, which overlap a little so that rounding leaves no gap between them. Not halves: ranges
    /// that Newton steps enclose have a root or an extreme in the middle, which only one part should contain.
    pub(crate) fn parts(&self, bits: usize) -> [Self; 2] {
        let eighth = self.half.times(&B::of(0.125)).middle();
        let by = |eighths: f64| eighth.times(&B::of(eighths));
        let part = |middle: B, eighths: f64| {
            let half = by(eighths).times(&B::of(1.0 + f64::EPSILON * 1024.0));
            Self::of(&middle.widened(&half.size()), bits)
        };
        [
            part(self.middle.minus(&by(4.5)), 3.5),
            part(self.middle.plus(&by(3.5)), 4.5),
        ]
    }
}

/// The value of a function in the middle of a range, its derivatives there, and a bound of the third
/// derivative over the range.
pub(super) struct Jet<B> {
    pub(crate) value: B,
    pub(crate) first: B,
    pub(crate) second: B,
    third: B,
}

impl<B: Ball> Jet<B> {
    /// An upper bound of how much the function differs over the range from its value in the middle.
    pub(super) fn growth(&self, half: &B) -> B {
        let inner = self.third.times(half).times(&B::of(1.0 / 3.0)).size();
        let inner = self.second.size().plus(&inner).times(half);
        let inner = inner.times(&B::of(0.5)).size().plus(&self.first.size());
        inner.times(half).size()
    }

    /// A ball that contains all values over the range.
    pub(crate) fn range(&self, half: &B) -> B {
        self.value.widened(&self.growth(half))
    }

    /// A ball that contains all values of the first derivative over the range.
    pub(crate) fn slope(&self, half: &B) -> B {
        let inner = self.third.times(half).times(&B::of(0.5)).size();
        let growth = self.second.size().plus(&inner).times(half);
        self.first.widened(&growth)
    }

    /// A ball that contains all values of the second derivative over the range.
    pub(super) fn curvature(&self, half: &B) -> B {
        self.second.widened(&self.third.times(half))
    }
}

/// How a point moves by turning about a center.
#[derive(Clone)]
struct PointArc<B> {
    /// The vector from the center to the point at the start.
    arm: Vector<B>,
    turn: B,
    bits: usize,
}

impl<B: Ball> PointArc<B> {
    /// How far the point has moved at a time, and how fast it moves.
    fn at(&self, time: &B) -> [Vector<B>; 2] {
        let half = self.turn.times(&time.times(&B::of(0.5))).cos_sin(self.bits);
        let [_, sine] = &half;
        let turned = self.arm.turned(&half).left();
        let moved = turned.times(sine).times(&B::of(2.0));
        [moved, turned.turned(&half).times(&self.turn)]
    }
}

/// The gap as numbers of one type: at time t it is
/// `R(-edge_turn t) (d0 + t d1 + by_vertex - by_edge) + R(relative t) vertex - start` in a frame that turns with the
/// edge.
///
/// `vertex` and `start` lead from the origins of the shapes, and `d0` from one of these to the other. The origins are the
/// centers, which don't move by turning, or, where a center is far away, vertex and start themselves. Then `by_vertex` and
/// `by_edge` are how far these have moved by turning.
#[derive(Clone)]
pub(crate) struct Form<B> {
    pub(crate) bits: usize,
    /// The power of two by which lengths are multiplied.
    pub(crate) scale: f64,
    d0: Vector<B>,
    d1: Vector<B>,
    /// The arcs of the vertex and of the edge's start, where these are the origins.
    arcs: Option<[PointArc<B>; 2]>,
    vertex: Vector<B>,
    start: Vector<B>,
    edge: Vector<B>,
    edge_turn: B,
    relative: B,
    edge_turns: bool,
    vertex_turns: bool,
    is_rounded: bool,
    radius: B,
    length_squared: B,
    /// The radius times the edge's length.
    shift: B,
    edge_size: B,
    /// A bound of the third derivative of the distance of a feature at all times that matter, if it is known.
    third: Option<(GapFeature, B)>,
}

/// The gap at a time and its derivatives.
pub(super) struct Sample<B> {
    gap: [Vector<B>; 3],
    /// A bound of the third derivative over the range.
    third: B,
    half: B,
}

fn size<B: Ball>(vector: &Vector<B>) -> B {
    let [x, y] = vector.clone().components();
    x.size().plus(&y.size()).size()
}

impl<B: Ball> Form<B> {
    /// All lengths times a power of two.
    pub(crate) fn new(gap: &TurningGap, bits: usize, scale: f64) -> Self {
        let factor = B::of(scale);
        let scaled = |vector: Vector<B>| vector.times(&factor);
        let edge = scaled(gap.of_edge(GapFeature::Edge).vector());
        let [of_edge, of_vertex] = [gap.edge_turn.angle, gap.vertex_turn.angle];
        let length_squared = edge.length_squared();
        let radius = gap.radius.number::<B>().times(&factor);
        let shift = if gap.radius.is_zero() {
            B::of(0.0)
        } else {
            radius.times(&length_squared.root(bits))
        };
        let (d0, vertex, start) = (
            scaled(gap.between_centers().vector()),
            scaled(gap.of_vertex().vector()),
            scaled(gap.of_edge(GapFeature::Start).vector()),
        );
        let arc = |arm: &Vector<B>, turn: f64| PointArc {
            arm: arm.clone(),
            turn: B::of(turn),
            bits: bits_of_sines(bits, turn),
        };
        let is_far = gap.has_far_center();
        let arcs = is_far.then(|| [arc(&vertex, of_vertex), arc(&start, of_edge)]);
        let zero = || Vector::from([B::of(0.0), B::of(0.0)]);
        let [d0, vertex, start] = if is_far {
            [scaled(gap.between_points().vector()), zero(), zero()]
        } else {
            [d0, vertex, start]
        };
        Self {
            bits,
            scale,
            d0,
            d1: scaled(gap.velocity.terms()),
            arcs,
            vertex,
            start,
            edge_turn: B::of(of_edge),
            relative: B::difference(of_vertex, of_edge),
            edge_turns: of_edge != 0.0,
            vertex_turns: !is_far && of_edge != of_vertex && gap.vertex != gap.vertex_turn.center,
            edge_size: size(&edge),
            edge,
            is_rounded: !gap.radius.is_zero(),
            radius,
            length_squared,
            shift,
            third: None,
        }
    }

    /// The largest component of each vector, rounded.
    pub(crate) fn sizes(&self) -> [f64; 5] {
        let vectors = [&self.d0, &self.d1, &self.vertex, &self.start, &self.edge];
        vectors.map(|vector| {
            let [x, y] = vector.clone().components().map(|it| it.to_f64().abs());
            x.max(y)
        })
    }

    pub(super) fn has_third(&self) -> bool {
        self.third.is_some()
    }

    /// The gap with a bound of the third derivative of the distance of a feature. Without one, a vertex that
    /// turns about nearly the center of a circle, whose distance hardly changes, is searched in more parts of the
    /// frame than can be counted.
    pub(super) fn with_third(self, feature: GapFeature, bound: B) -> Self {
        Self {
            third: Some((feature, bound)),
            ..self
        }
    }

    /// The gap over a range of time.
    pub(crate) fn sample(&self, span: &Span<B>) -> Sample<B> {
        let (time, half) = (&span.middle, span.half.clone());
        let zero = || B::of(0.0);
        let mut at = self.d0.plus(&self.d1.times(time));
        let mut first = self.d1.clone();
        let (mut second, mut third) = (Vector::from([zero(), zero()]), zero());
        // How far the arcs have led, how fast, and how the velocity relative to the frame bends by them, turned back by a
        // quarter: what the arc of the edge adds turns with the frame, and cancels.
        let arcs = self.arcs.as_ref().map(|arcs| {
            let [[moved, by_vertex], [moved_edge, by_edge]] = arcs.each_ref().map(|it| it.at(time));
            let bend = by_vertex.times(&self.relative);
            third = size(&bend).times(&arcs[0].turn.size()).size();
            [moved.minus(&moved_edge), by_vertex.minus(&by_edge), bend]
        });
        if let Some([moved, velocity, bend]) = &arcs {
            at = at.plus(moved);
            first = first.plus(velocity);
            second = bend.left();
        }
        if self.edge_turns {
            let angle = self.edge_turn.times(time).cos_sin(self.bits);
            let turn = self.edge_turn.size();
            let along = self.d1.turned_back(&angle);
            // A bound of what both bend it by, at all times.
            let mut growth = size(&along).times(&turn);
            if let Some([.., bend]) = &arcs {
                first = first.turned_back(&angle);
                second = second.turned_back(&angle);
                growth = growth.plus(&size(bend)).size();
            } else {
                first = along.clone();
            }
            at = at.turned_back(&angle);
            first = first.minus(&at.left().times(&self.edge_turn));
            let turned = first.plus(&along).left().times(&self.edge_turn);
            second = second.minus(&turned);
            let fastest = size(&first).plus(&growth.times(&half)).times(&turn);
            let by_frame = growth.times(&B::of(2.0)).plus(&fastest).times(&turn);
            third = third.plus(&by_frame).size();
        }
        if self.vertex_turns {
            let angle = self.relative.times(time).cos_sin(self.bits);
            let arm = self.vertex.turned(&angle);
            let turned = arm.left().times(&self.relative);
            at = at.plus(&arm);
            first = first.plus(&turned);
            second = second.plus(&turned.left().times(&self.relative));
            let relative = self.relative.size();
            let cube = relative.squared().times(&relative);
            third = third.plus(&size(&self.vertex).times(&cube)).size();
        } else {
            at = at.plus(&self.vertex);
        }
        Sample {
            gap: [at.minus(&self.start), first, second],
            third,
            half,
        }
    }

    /// The function that is zero where the vertex touches a feature, negative outside the edge's line and
    /// positive away from its ends.
    pub(crate) fn distance(&self, feature: GapFeature, sample: &Sample<B>) -> Jet<B> {
        let jet = self.jet(feature, sample);
        match &self.third {
            Some((of, third)) if *of == feature && third.is_below(&jet.third) => Jet {
                third: third.clone(),
                ..jet
            },
            _ => jet,
        }
    }

    fn jet(&self, feature: GapFeature, sample: &Sample<B>) -> Jet<B> {
        let [gap, first, second] = &sample.gap;
        if feature == GapFeature::Edge {
            let across = self.with_edge(sample, Vector::cross);
            let value = across.value.plus(&self.shift);
            return Jet { value, ..across };
        }
        let gap = self.gap_from(feature, gap);
        let two = B::of(2.0);
        // Bounds of the gap and of its first two derivatives over the range.
        let growth = |of: B, by: &B| of.plus(&by.times(&sample.half)).size();
        let g2 = growth(size(second), &sample.third);
        let g1 = growth(size(first), &g2);
        let g0 = growth(size(&gap), &g1);
        let third = g1
            .times(&g2)
            .times(&B::of(3.0))
            .plus(&g0.times(&sample.third));
        Jet {
            value: gap.length_squared().minus(&self.radius.squared()),
            first: gap.dot(first).times(&two),
            second: first.length_squared().plus(&gap.dot(second)).times(&two),
            third: third.times(&two).size(),
        }
    }

    /// A product of the edge with the gap.
    fn with_edge(&self, sample: &Sample<B>, product: fn(&Vector<B>, &Vector<B>) -> B) -> Jet<B> {
        let [value, first, second] = sample.gap.each_ref().map(|it| product(&self.edge, it));
        Jet {
            value,
            first,
            second,
            third: self.edge_size.times(&sample.third).size(),
        }
    }

    /// The gap from the start or the end of the edge, given that from the start.
    fn gap_from(&self, feature: GapFeature, gap: &Vector<B>) -> Vector<B> {
        match feature {
            GapFeature::End => gap.minus(&self.edge),
            _ => gap.clone(),
        }
    }

    /// Whether the gap of two vertices certainly has a component that is not zero over a range of time. This
    /// tells more than its length, whose square has a zero of twice the order.
    pub(crate) fn are_apart(&self, feature: GapFeature, sample: &Sample<B>, half: &B) -> bool {
        let [gap, first, second] = &sample.gap;
        let gap = self.gap_from(feature, gap);
        let [gap, first, second] = [gap, first.clone(), second.clone()].map(Vector::components);
        let components = gap.into_iter().zip(first).zip(second);
        components.into_iter().any(|((value, first), second)| {
            let third = sample.third.clone();
            let component = Jet {
                value,
                first,
                second,
                third,
            };
            component.range(half).is_not_zero()
        })
    }

    /// Whether the vertex, over a range of time, lies beside the edge: past neither the start nor the end.
    pub(crate) fn beside(&self, sample: &Sample<B>, half: &B) -> [Option<bool>; 2] {
        let past_start = self.with_edge(sample, Vector::dot).range(half);
        let before_end = self.length_squared.minus(&past_start);
        [past_start, before_end].map(|value| match value.sign() {
            Some(Sign::Positive) => Some(true),
            Some(Sign::Negative) => Some(false),
            _ => None,
        })
    }

    /// Whether the gap's component along the velocity has opposite signs at two times.
    pub(crate) fn passes(&self, feature: GapFeature, times: [&B; 2]) -> bool {
        let [first, second] = times.map(|time| {
            let [gap, ..] = self.sample(&Span::at(time.clone())).gap;
            let gap = self.gap_from(feature, &gap);
            let mut velocity = self.d1.clone();
            if self.edge_turns {
                velocity = velocity.turned_back(&self.edge_turn.times(time).cos_sin(self.bits));
            }
            velocity.dot(&gap).sign()
        });
        let signs = first.zip(second);
        signs.is_some_and(|(first, second)| first.times(second) == Sign::Negative)
    }

    /// Whether a distance is below 2^-200 of the lengths that take part.
    pub(super) fn is_negligible(&self, feature: GapFeature, distance: &B) -> bool {
        let lengths = [&self.d0, &self.vertex, &self.start, &self.edge].map(size);
        let extent = (lengths.iter()).fold(self.radius.clone(), |sum, length| sum.plus(length));
        let tiny = extent.times(&B::of(2f64.powi(-200)));
        // What the distance is multiplied by.
        let other = match feature {
            GapFeature::Edge => self.length_squared.root(self.bits),
            _ if self.is_rounded => extent,
            _ => tiny.clone(),
        };
        !tiny.times(&other).is_below(&distance.size())
    }
}
