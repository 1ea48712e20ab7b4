//! The first time at which a vertex touches an edge while both turn.
//!
//! Ranges of time are split, the earlier part first, until each has no root of the distance, or one that
//! interval Newton steps enclose. Floats leave ranges undecided; those are searched with more and more
//! bits. That ends, because [`Graze`] names the roots that are not simple. With more bits, steps towards the
//! extreme replace splitting near a graze: a miss by 2^-1000 needs a thousand parts, but few such steps.
//! The file is long because all steps of the search share its ranges and its number of bits.

use smallvec::{SmallVec, smallvec};

use super::turned_points::MOMENT_BITS;
use super::turning_distance::{Form, Jet, Span};
use super::turning_double_roots::{Graze, Waves};
use super::turning_vertex_and_edge::{GapFeature, TurningContact, TurningGap};
use crate::predicates::numbers::ball::{Ball, FloatBall};
use crate::predicates::numbers::big_ball::BigBall;
use crate::predicates::numbers::polynomial::Number;
use crate::predicates::numbers::sign::Sign;

/// Relative error to which times are enclosed.
const SHARP: f64 = 0.5 * TurningContact::TIME_ERROR;

/// Bits of floats.
const FLOAT_BITS: usize = 53;

/// Bits of precision from which on a possible graze of the kind [`Graze::Unknown`] counts as a
/// graze.
const ENOUGH_BITS: usize = 512;

/// After so many steps of a search, as after the first range that floats leave undecided, a closer bound of the third
/// derivative is worth its computation. The number is not tuned.
const MANY_STEPS: usize = 256;

/// The search in floats is left out where a length is smaller than this part of the largest one.
const LEAST: f64 = 1e-70;

/// What is known about a range of time.
enum Finding<B> {
    /// No contact.
    Clear,
    Contact(TurningContact),
    /// All contacts are in this part.
    Narrow(Span<B>),
    Split,
    /// More bits are necessary.
    Stuck(Span<B>),
}

impl TurningGap {
    /// The first contact within a range of time, at the start of which there is none. The ends of the edge
    /// count if the radius is zero.
    pub fn first_contact(
        &self,
        feature: GapFeature,
        [from, to]: [f64; 2],
    ) -> Option<TurningContact> {
        let middle = 0.5 * (from + to);
        let half = (middle - from).max(to - middle).next_up();
        let exactly = |middle, half| {
            let wide = Span {
                middle: BigBall::of(middle),
                half: BigBall::of(half),
            };
            self.exactly(feature, wide, 128)
        };
        let Some(form) = self.form_of_floats() else {
            return exactly(middle, half);
        };
        let span = Span {
            middle: FloatBall::of(middle),
            half: FloatBall::of(half),
        };
        self.first(&form, feature, span, &mut |span| {
            exactly(span.middle.to_f64(), span.half.to_f64())
        })
    }

    /// The time of a contact and its error, computed in floats. `None` for a graze.
    pub fn moment_by_floats(&self, contact: &TurningContact) -> Option<FloatBall> {
        if contact.is_graze {
            return None;
        }
        let form = self.form_of_floats()?;
        let span = Span {
            middle: FloatBall::of(contact.time),
            half: FloatBall::of(TurningContact::TIME_ERROR * contact.time),
        };
        let jet = form.distance(contact.feature, &form.sample(&span));
        let slope = jet.slope(&span.half);
        (slope.is_not_zero()).then(|| newton_step(&span, &jet, &slope, FLOAT_BITS))
    }

    /// The time of a contact with twice the precision of a float.
    pub fn moment(&self, contact: &TurningContact) -> BigBall {
        let form = Form::<BigBall>::new(self, MOMENT_BITS, 1.0);
        let mut time = BigBall::of(contact.time);
        for _ in 0..4 {
            let sample = form.sample(&Span::at(time.clone()));
            let jet = form.distance(contact.feature, &sample);
            let [value, slope] = if contact.is_graze {
                [jet.first, jet.second]
            } else {
                [jet.value, jet.first]
            };
            if !slope.is_not_zero() {
                break;
            }
            let step = value.over(&slope, MOMENT_BITS).middle();
            if !step.size().is_below(&time.times(&BigBall::of(2.0 * SHARP))) {
                break;
            }
            // The error is squared.
            let is_last = step
                .size()
                .is_below(&time.times(&BigBall::of(SHARP / 4096.0)));
            time = time.minus(&step).shortened(MOMENT_BITS).middle();
            if is_last {
                break;
            }
        }
        time
    }

    /// The gap in floats, with lengths multiplied by a power of two so that products of two and of three are floats;
    /// `None` where the lengths differ too much for that.
    fn form_of_floats(&self) -> Option<Form<FloatBall>> {
        let form = Form::new(self, FLOAT_BITS, 1.0);
        let sizes = form.sizes();
        let largest = sizes.into_iter().fold(0.0, f64::max);
        let is_lost = |&size: &f64| size != 0.0 && size < largest * LEAST;
        if sizes.iter().any(is_lost) {
            return None;
        }
        let (_, exponent) = libm::frexp(largest);
        if exponent.abs() < 100 {
            return Some(form);
        }
        let scale = libm::ldexp(1.0, (-exponent).clamp(-1022, 1022));
        Some(Form::new(self, FLOAT_BITS, scale))
    }

    /// What the search in floats looks for, with at least so many bits.
    fn exactly(
        &self,
        feature: GapFeature,
        span: Span<BigBall>,
        bits: usize,
    ) -> Option<TurningContact> {
        let waves = Waves::of(self, feature);
        if waves.is_constant() {
            return None;
        }
        let third = waves.third_derivative_above();
        let form = Form::<BigBall>::new(self, bits, 1.0).with_third(feature, third);
        self.first(&form, feature, span, &mut |span| {
            self.exactly(feature, span, 2 * bits)
        })
    }

    fn graze(&self, feature: GapFeature) -> Graze {
        Waves::of(self, feature).graze(self, feature)
    }

    fn first<B: Ball>(
        &self,
        form: &Form<B>,
        feature: GapFeature,
        span: Span<B>,
        stuck: &mut dyn FnMut(Span<B>) -> Option<TurningContact>,
    ) -> Option<TurningContact> {
        let mut open: SmallVec<[_; 2]> = smallvec![span];
        let mut closer = None;
        let (mut steps, mut is_stuck) = (0, false);
        while let Some(span) = open.pop() {
            steps += 1;
            if (is_stuck || steps == MANY_STEPS) && closer.is_none() && !form.has_third() {
                let third = Waves::of(self, feature).third_derivative_above();
                let scaled = third
                    .times(&BigBall::of(form.scale))
                    .times(&BigBall::of(form.scale));
                let above = B::of(scaled.to_f64().next_up());
                closer = Some(form.clone().with_third(feature, above));
            }
            let form = closer.as_ref().unwrap_or(form);
            match self.step(form, feature, &span) {
                Finding::Clear => {}
                Finding::Contact(contact) => return Some(contact),
                Finding::Narrow(part) => open.push(part),
                Finding::Split => {
                    let [earlier, later] = span.parts(4 * form.bits);
                    open.extend([later, earlier]);
                }
                Finding::Stuck(part) => {
                    is_stuck = true;
                    if let Some(contact) = stuck(part) {
                        return Some(contact);
                    }
                }
            }
        }
        None
    }

    fn step<B: Ball>(&self, form: &Form<B>, feature: GapFeature, span: &Span<B>) -> Finding<B> {
        let wide = span.times(2.0);
        let sample = form.sample(&wide);
        if feature == GapFeature::Edge && form.beside(&sample, &span.half).contains(&Some(false)) {
            return Finding::Clear;
        }
        let are_vertices = feature != GapFeature::Edge && self.radius.is_zero();
        if are_vertices && form.are_apart(feature, &sample, &span.half) {
            return Finding::Clear;
        }
        let jet = form.distance(feature, &sample);
        if jet.range(&span.half).is_not_zero() {
            return Finding::Clear;
        }
        let slope = jet.slope(&wide.half);
        if slope.is_not_zero() {
            return self.at_root(form, feature, span, &jet, &slope);
        }
        let curvature = jet.curvature(&wide.half);
        let curved = curvature.sign().filter(|sign| *sign != Sign::Zero);
        let mut graze = None;
        if let Some(sign) = curved {
            // On a range with this curvature no value is nearer to zero.
            let drop = jet.first.squared().times(&B::of(0.5));
            let extreme = jet.value.minus(&drop.over(&curvature, form.bits));
            if extreme.sign() == Some(sign) {
                return Finding::Clear;
            }
            if form.bits > FLOAT_BITS {
                let time = span.middle.minus(&jet.first.over(&curvature, form.bits));
                let near = around(&time, &extreme, &curvature, form.bits);
                if is_outside(&near.minus(&span.middle), &span.half) {
                    return Finding::Clear;
                }
                graze = Some((time, near));
            }
        }
        // Near the start, where there is no contact, small distances are not grazes: ranges that reach it
        // are never sharp.
        if form.bits >= ENOUGH_BITS
            && is_sharp(&span.ball())
            && form.is_negligible(feature, &jet.value)
            && self.graze(feature) == Graze::Unknown
        {
            return self.accept(form, feature, &span.ball(), true);
        }
        if is_divisible(span, &jet, form.bits) {
            return match graze {
                Some((_, near)) if is_much_smaller(&near, span) => {
                    Finding::Narrow(Span::of(&near, 2 * form.bits))
                }
                _ => Finding::Split,
            };
        }
        graze.map_or_else(
            || Finding::Stuck(span.clone()),
            |(time, _)| self.at_graze(form, feature, span, &time),
        )
    }

    /// Where the distance is monotonic over twice the range.
    fn at_root<B: Ball>(
        &self,
        form: &Form<B>,
        feature: GapFeature,
        span: &Span<B>,
        jet: &Jet<B>,
        slope: &B,
    ) -> Finding<B> {
        let root = newton_step(span, jet, slope, form.bits);
        if is_outside(&root.minus(&span.middle), &span.half) {
            return Finding::Clear;
        }
        let radius = root.radius();
        if is_much_smaller(&root, span) {
            return if is_sharp(&root) {
                self.accept(form, feature, &root, false)
            } else {
                Finding::Narrow(Span::of(&root, 2 * form.bits))
            };
        }
        if is_divisible(span, jet, form.bits) {
            return Finding::Split;
        }
        // The errors of the value are larger than the range: a longer one may prove that there is a root.
        let longer = Span {
            middle: root.middle(),
            half: radius.times(&B::of(8.0)).size(),
        };
        let jet = form.distance(feature, &form.sample(&longer));
        let slope = jet.slope(&longer.half);
        if slope.is_not_zero() {
            let root = newton_step(&longer, &jet, &slope, form.bits);
            let off = root.minus(&longer.middle).size();
            if off.is_below(&longer.half) && is_sharp(&root) {
                return self.accept(form, feature, &root, false);
            }
        }
        Finding::Stuck(span.clone())
    }

    /// Where the distance may have a minimum of zero.
    fn at_graze<B: Ball>(
        &self,
        form: &Form<B>,
        feature: GapFeature,
        span: &Span<B>,
        time: &B,
    ) -> Finding<B> {
        if !is_sharp(time) {
            return Finding::Stuck(span.clone());
        }
        let is_one = match self.graze(feature) {
            Graze::Exact => true,
            Graze::Passing => {
                let by = time.radius().plus(&span.half);
                let middle = time.middle();
                form.passes(
                    feature,
                    [&middle.minus(&by).middle(), &middle.plus(&by).middle()],
                )
            }
            Graze::Never if feature != GapFeature::Edge && self.radius.is_zero() => {
                return Finding::Clear;
            }
            Graze::Never | Graze::Unknown => false,
        };
        if is_one {
            self.accept(form, feature, time, true)
        } else {
            Finding::Stuck(span.clone())
        }
    }

    /// A root, if it is within the frame and the vertex is beside the edge then.
    fn accept<B: Ball>(
        &self,
        form: &Form<B>,
        feature: GapFeature,
        time: &B,
        is_graze: bool,
    ) -> Finding<B> {
        let span = Span::of(time, 4 * form.bits);
        let beside = match feature {
            GapFeature::Edge => form.beside(&form.sample(&span), &span.half),
            _ => [Some(true); 2],
        };
        if beside.contains(&Some(false)) || time.sign() == Some(Sign::Negative) {
            return Finding::Clear;
        }
        if time.sign() != Some(Sign::Positive) {
            return Finding::Stuck(span);
        }
        let mut rounded = time.to_f64();
        match time.minus(&B::of(1.0)).sign() {
            Some(Sign::Positive) => return Finding::Clear,
            Some(_) => {}
            None if Waves::of(self, feature).vanish_at_end() => rounded = 1.0,
            None => return Finding::Stuck(span),
        }
        for (is_beside, end) in beside.into_iter().zip([GapFeature::Start, GapFeature::End]) {
            if is_beside.is_none() {
                return self.at_end(form, end, &span);
            }
        }
        Finding::Contact(TurningContact {
            time: rounded.min(1.0),
            feature,
            is_graze,
        })
    }

    /// What is known where the vertex reaches the edge's line so near an end that it may reach the
    /// end itself.
    fn at_end<B: Ball>(&self, form: &Form<B>, end: GapFeature, span: &Span<B>) -> Finding<B> {
        let stuck = || Finding::Stuck(span.clone());
        if form.bits <= FLOAT_BITS {
            return stuck();
        }
        if self.radius.is_zero() && self.graze(end) == Graze::Never {
            return stuck();
        }
        let contact = self.first(form, end, span.times(4.0), &mut |_| None);
        contact.map_or_else(stuck, Finding::Contact)
    }
}

/// An interval Newton step for a function whose slope over a range is given. If the returned interval lies
/// inside the range, it contains a root; in any case it contains every root that the range has.
fn newton_step<B: Ball>(span: &Span<B>, jet: &Jet<B>, slope: &B, bits: usize) -> B {
    let step = jet.value.over(slope, bits);
    span.middle.minus(&step).shortened(2 * bits)
}

/// All roots of a function in a range, given the time of the extreme, its value and the curvature.
///
/// Where `f(m + x) = v + s x + c x^2 / 2` is zero, `(x + s / c)^2` is `-2 e / c` with the extreme value
/// `e = v - s^2 / (2 c)`. This holds for the curvature `c` that Taylor's theorem names for each root.
fn around<B: Ball>(time: &B, extreme: &B, curvature: &B, bits: usize) -> B {
    let square = extreme.times(&B::of(2.0)).over(curvature, bits).size();
    time.widened(&square.root(bits).size())
}

/// Whether a difference of times certainly exceeds half of a range.
fn is_outside<B: Ball>(off: &B, half: &B) -> bool {
    half.is_below(off) || off.is_below(&B::of(0.0).minus(half))
}

/// Whether a time is known to less than half of a range.
fn is_much_smaller<B: Ball>(time: &B, span: &Span<B>) -> bool {
    let twice = time.radius().times(&B::of(2.0));
    twice.is_below(&span.half)
}

/// Whether the relative error of a time is at most [`SHARP`].
fn is_sharp<B: Ball>(time: &B) -> bool {
    !(time.middle().size().times(&B::of(SHARP))).is_below(&time.radius())
}

/// Whether the parts of a range may be decided with so many bits: the function changes by more than the
/// errors of its value.
fn is_divisible<B: Ball>(span: &Span<B>, jet: &Jet<B>, bits: usize) -> bool {
    let mut least = span.middle.times(&B::of(512.0)).size();
    // In several steps, since `2^-bits` may be too small for a float.
    let mut remaining = i32::try_from(bits).unwrap_or(i32::MAX);
    while remaining > 0 {
        let part = remaining.min(512);
        least = least.times(&B::of(2f64.powi(-part))).size();
        remaining -= part;
    }
    if !least.is_below(&span.half) {
        return false;
    }
    // Not compared with the growth itself: in floats, bounds near zero are rounded up to the least normal
    // float, and a shorter range doesn't make them smaller.
    let half = span.half.times(&B::of(0.5)).size();
    let saved = jet.growth(&span.half).minus(&jet.growth(&half));
    jet.value.radius().is_below(&saved.times(&B::of(2.0)))
}
