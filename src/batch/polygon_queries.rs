//! Questions about eight rows side by side.
//!
//! The text of a query is that of [`crate::convex`], over lanes; here it is said which of its
//! parts make which field.

use fearless_simd::{mask64x8, prelude::*};

use crate::batch::result::{FieldKind, MtvTiming, QueryResult, SweepWithMtv, Value};
pub use crate::batch::tile_rows::Answers;
use crate::convex;
use crate::convex::filter::{
    FilteredClearance, FilteredContact, FilteredImpact, FilteredSat, FilteredSweep,
};
use crate::convex::{EdgeSupport, SupportTable};
use crate::geom::Vec2;
use crate::predicates::verdict::Verdict;
use crate::shape::{self, Concave, Distance, Polygon, Sat};
use crate::simd::lanes::{Lanes, Vectors};
pub use crate::simd::tile::Lane;

pub(super) type Ring<S> = [Vectors<Lane<S>>];

/// What is asked of two polygons: of one pair, and of eight pairs of convex rings side by side.
pub trait PolygonQuery: Send + Sync + 'static {
    /// The answer to one row.
    type Answer: QueryResult;
    /// The answers to eight rows.
    type Answers<S: Simd>;

    /// Whether there is a text of its own for each of the usual sizes. Long ones would double the
    /// time that the crate takes to compile.
    const UNROLLS: bool = true;

    /// What is kept of an edge while eight rows are answered.
    type Edge<S: Simd>: Copy;

    /// Answers one row.
    ///
    /// # Errors
    ///
    /// If a polygon is not convex, and must be.
    fn one(
        &self,
        a: &Polygon<'_>,
        b: &Polygon<'_>,
        velocity: Vec2,
    ) -> Result<Self::Answer, Concave>;

    /// A field of the answer to two convex rings that stay apart, if no more need be known of them.
    fn of_apart(field: usize) -> Option<Value>;

    /// Whether all these fields are known of rings that stay apart.
    #[inline]
    fn is_told_apart(fields: &[usize]) -> bool {
        fields.iter().all(|&field| Self::of_apart(field).is_some())
    }

    /// Answers these fields of a row of two long convex rings as [`Self::one`] would, if nothing else
    /// need be known of the polygons.
    #[inline]
    fn convex(
        &self,
        _a: &convex::Ring<'_>,
        _b: &convex::Ring<'_>,
        _: Vec2,
        _fields: &[usize],
    ) -> Option<Self::Answer> {
        None
    }

    /// Scratch for what is kept of an edge, in as many lanes.
    fn room<S: Simd>(like: Lane<S>) -> Self::Edge<S>;

    /// Answers eight rows of two rings, the boxes round which have this size.
    fn eight<S: Simd>(
        &self,
        rings: [&Ring<S>; 2],
        size: Vectors<Lane<S>>,
        velocity: Option<Vectors<Lane<S>>>,
        room: &mut [Self::Edge<S>],
    ) -> Self::Answers<S>;

    /// Where all that was asked is known beyond doubt.
    fn is_known<S: Simd>(answers: &Self::Answers<S>) -> mask64x8<S>;

    /// A field of the answers, for those rows.
    fn field<S: Simd>(answers: &Self::Answers<S>, field: usize) -> Answers<S>;
}

/// [`convex::filter::intersects`].
#[derive(Clone, Copy, Debug)]
pub struct IntersectsQuery;

impl PolygonQuery for IntersectsQuery {
    type Answer = bool;
    type Answers<S: Simd> = Verdict<Lane<S>>;
    type Edge<S: Simd> = Vectors<Lane<S>>;

    fn one(&self, a: &Polygon<'_>, b: &Polygon<'_>, _: Vec2) -> Result<Self::Answer, Concave> {
        Ok(shape::intersects(a, b))
    }

    fn of_apart(_: usize) -> Option<Value> {
        Some(Value::Bool(false))
    }

    #[inline(always)]
    fn room<S: Simd>(like: Lane<S>) -> Self::Edge<S> {
        Vectors { x: like, y: like }
    }

    #[inline]
    fn convex(
        &self,
        a: &convex::Ring<'_>,
        b: &convex::Ring<'_>,
        _: Vec2,
        _: &[usize],
    ) -> Option<Self::Answer> {
        Some(convex::intersects(a, b))
    }

    #[inline(always)]
    fn eight<S: Simd>(
        &self,
        rings: [&Ring<S>; 2],
        size: Vectors<Lane<S>>,
        _: Option<Vectors<Lane<S>>>,
        room: &mut [Self::Edge<S>],
    ) -> Self::Answers<S> {
        convex::filter::intersects(rings, size, room)
    }

    #[inline(always)]
    fn is_known<S: Simd>(answers: &Self::Answers<S>) -> mask64x8<S> {
        answers.yes | answers.no
    }

    #[inline(always)]
    fn field<S: Simd>(answers: &Self::Answers<S>, _: usize) -> Answers<S> {
        Answers::Bools(answers.yes)
    }
}

/// [`convex::filter::sat`], and where wanted the ends of the contact.
#[derive(Clone, Copy, Debug)]
pub struct SatQuery<const CONTACT: bool>;

impl<const CONTACT: bool> PolygonQuery for SatQuery<CONTACT> {
    type Answer = Sat;
    const UNROLLS: bool = !CONTACT;
    type Answers<S: Simd> = (FilteredSat<Lane<S>>, Option<FilteredContact<Lane<S>>>);
    type Edge<S: Simd> = EdgeSupport<Lane<S>>;

    fn one(&self, a: &Polygon<'_>, b: &Polygon<'_>, _: Vec2) -> Result<Self::Answer, Concave> {
        shape::sat(a, b)
    }

    fn of_apart(field: usize) -> Option<Value> {
        match field {
            Sat::INTERSECTS => Some(Value::Bool(false)),
            Sat::DEPTH => Some(Value::Float(0.0)),
            Sat::MTV => Some(Value::Vector(Vec2::ZERO)),
            Sat::CONTACT => Some(FieldKind::Segment.blank()),
            _ => None,
        }
    }

    #[inline(always)]
    fn room<S: Simd>(like: Lane<S>) -> Self::Edge<S> {
        EdgeSupport::scratch(like)
    }

    #[inline]
    fn convex(
        &self,
        a: &convex::Ring<'_>,
        b: &convex::Ring<'_>,
        _: Vec2,
        fields: &[usize],
    ) -> Option<Self::Answer> {
        // To tell that they are apart takes less time than an edge that separates them.
        let is_apart = Self::is_told_apart(fields) && !convex::intersects(a, b);
        Some(if is_apart {
            Sat::apart()
        } else {
            convex::sat(a, b, None)
        })
    }

    #[inline(always)]
    fn eight<S: Simd>(
        &self,
        rings: [&Ring<S>; 2],
        size: Vectors<Lane<S>>,
        _: Option<Vectors<Lane<S>>>,
        room: &mut [Self::Edge<S>],
    ) -> Self::Answers<S> {
        let table = SupportTable::new(rings, size, room);
        let (sat, axis) = convex::filter::sat(&table);
        let contact = CONTACT.then(
            #[inline(always)]
            || convex::filter::contact(&table, &axis, sat.intersects),
        );
        (sat, contact)
    }

    #[inline(always)]
    fn is_known<S: Simd>((sat, contact): &Self::Answers<S>) -> mask64x8<S> {
        match contact {
            Some(contact) => sat.is_certain & contact.is_certain,
            None => sat.is_certain,
        }
    }

    #[inline(always)]
    fn field<S: Simd>((sat, contact): &Self::Answers<S>, field: usize) -> Answers<S> {
        match (field, contact) {
            (Sat::INTERSECTS, _) => Answers::Bools(sat.intersects),
            (Sat::DEPTH, _) => Answers::Floats(sat.depth()),
            (Sat::MTV, _) => Answers::Vectors(sat.mtv()),
            (Sat::NORMAL, _) => Answers::Vectors(sat.measure.normal),
            (Sat::SEPARATION, _) => Answers::Floats(sat.separation()),
            (Sat::CONTACT, Some(contact)) => Answers::Segments(contact.ends),
            _ => unreachable!("no field {field}"),
        }
    }
}

/// [`convex::filter::swept_collision`], and where wanted how they touch and the way out.
#[derive(Clone, Copy, Debug)]
pub struct SweptCollisionQuery<const WHOLE: bool> {
    /// Whether anyone wants to know normal and contact of shapes that overlap at the start.
    pub contact: bool,
    /// When the clearance is computed.
    pub clear: MtvTiming,
}

/// What is known of eight sweeps.
#[derive(Clone, Copy, Debug)]
pub struct SweepAnswers<S: Simd> {
    sweep: FilteredSweep<Lane<S>>,
    impact: Option<FilteredImpact<Lane<S>>>,
    clearance: Option<FilteredClearance<Lane<S>>>,
}

impl<const WHOLE: bool> PolygonQuery for SweptCollisionQuery<WHOLE> {
    type Answer = SweepWithMtv;
    const UNROLLS: bool = !WHOLE;
    type Answers<S: Simd> = SweepAnswers<S>;
    type Edge<S: Simd> = EdgeSupport<Lane<S>>;

    fn one(
        &self,
        a: &Polygon<'_>,
        b: &Polygon<'_>,
        velocity: Vec2,
    ) -> Result<Self::Answer, Concave> {
        Ok(SweepWithMtv::new(a, b, velocity, self.contact, self.clear))
    }

    fn of_apart(field: usize) -> Option<Value> {
        Some(SweepWithMtv::never().value(field))
    }

    #[inline(always)]
    fn room<S: Simd>(like: Lane<S>) -> Self::Edge<S> {
        EdgeSupport::scratch(like)
    }

    #[inline]
    fn convex(
        &self,
        a: &convex::Ring<'_>,
        b: &convex::Ring<'_>,
        velocity: Vec2,
        _: &[usize],
    ) -> Option<Self::Answer> {
        let is_alone = !self.contact && self.clear == MtvTiming::Never;
        is_alone.then(|| SweepWithMtv::meeting(a, b, velocity))
    }

    #[inline(always)]
    fn eight<S: Simd>(
        &self,
        rings: [&Ring<S>; 2],
        size: Vectors<Lane<S>>,
        velocity: Option<Vectors<Lane<S>>>,
        room: &mut [Self::Edge<S>],
    ) -> Self::Answers<S> {
        let table = SupportTable::new(rings, size, room);
        let velocity = velocity.expect("a sweep has a velocity");
        let sweep =
            convex::filter::swept_collision(&table, velocity, velocity.map(Lanes::abs), true);
        let meeting = sweep.will_intersect;
        let impact = (WHOLE && self.contact).then(
            #[inline(always)]
            || convex::filter::impact(&table, &sweep, velocity),
        );
        let clearance = (WHOLE && self.clear == MtvTiming::Now).then(
            #[inline(always)]
            || convex::filter::sweep_clearance(&table, velocity, meeting),
        );
        SweepAnswers {
            sweep,
            impact,
            clearance,
        }
    }

    #[inline(always)]
    fn is_known<S: Simd>(answers: &Self::Answers<S>) -> mask64x8<S> {
        let mut is_known = answers.sweep.is_certain;
        if let Some(impact) = answers.impact {
            is_known &= impact.is_certain;
        }
        if let Some(clearance) = answers.clearance {
            is_known &= clearance.is_certain;
        }
        is_known
    }

    #[inline(always)]
    fn field<S: Simd>(answers: &Self::Answers<S>, field: usize) -> Answers<S> {
        let sweep = &answers.sweep;
        match (field, &answers.impact, &answers.clearance) {
            (SweepWithMtv::INTERSECTS, ..) => Answers::Bools(sweep.intersects),
            (SweepWithMtv::WILL_INTERSECT, ..) => Answers::Bools(sweep.will_intersect),
            (SweepWithMtv::TIME, ..) => Answers::Floats(sweep.time()),
            (SweepWithMtv::NORMAL, Some(impact), _) => Answers::Vectors(impact.normal),
            (SweepWithMtv::CONTACT, Some(impact), _) => Answers::Segments(impact.contact),
            (SweepWithMtv::MTV, _, Some(clearance)) => Answers::Vectors(clearance.mtv()),
            _ => unreachable!("no field {field}"),
        }
    }
}

/// [`convex::filter::intersects`], for rows that are no distance apart.
#[derive(Clone, Copy, Debug)]
pub struct DistanceQuery;

impl PolygonQuery for DistanceQuery {
    type Answer = Distance;
    type Answers<S: Simd> = (Verdict<Lane<S>>, Lane<S>);
    type Edge<S: Simd> = Vectors<Lane<S>>;

    fn one(&self, a: &Polygon<'_>, b: &Polygon<'_>, _: Vec2) -> Result<Self::Answer, Concave> {
        Ok(shape::distance(a, b))
    }

    fn of_apart(_: usize) -> Option<Value> {
        None
    }

    #[inline(always)]
    fn room<S: Simd>(like: Lane<S>) -> Self::Edge<S> {
        Vectors { x: like, y: like }
    }

    #[inline(always)]
    fn eight<S: Simd>(
        &self,
        rings: [&Ring<S>; 2],
        size: Vectors<Lane<S>>,
        _: Option<Vectors<Lane<S>>>,
        room: &mut [Self::Edge<S>],
    ) -> Self::Answers<S> {
        let zero = size.x.all(0.0);
        (convex::filter::intersects(rings, size, room), zero)
    }

    #[inline(always)]
    fn is_known<S: Simd>((answers, _): &Self::Answers<S>) -> mask64x8<S> {
        answers.yes
    }

    #[inline(always)]
    fn field<S: Simd>((_, zero): &Self::Answers<S>, field: usize) -> Answers<S> {
        let nan = zero.all(f64::NAN);
        match field {
            Distance::DISTANCE => Answers::Floats(*zero),
            _ => Answers::Vectors(Vectors { x: nan, y: nan }),
        }
    }
}
