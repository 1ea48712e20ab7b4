//! Results in two parts: what the filter knows at once, and the rest, computed when it is read.

use std::sync::OnceLock;

use super::{Field, QueryResult, SweptCollisionWithMtv, Value};
use crate::convex::filter::{self, FilteredSat, FilteredSweep};
use crate::geom::{Point, Vec2};
use crate::shape::{self, Sat, Shape};

/// The result for one pair.
// `repr(u64)`: otherwise rustc stores the tag inside a bool of the filtered result and copies the
// struct in unaligned pieces.
#[repr(u64)]
#[derive(Clone, Debug)]
pub enum LazyResult<R: Lazy> {
    /// The whole result.
    Whole(Box<R>),
    /// The result of the filter, for two quadrilaterals that are certainly convex.
    Lazy {
        /// The fields that the filter knows.
        filtered: R::Filtered,
        /// Copies of the operands: the caller's arrays may change.
        operands: ([[Point; 4]; 2], Vec2),
        /// The whole result, once a field was read that the filter doesn't know.
        whole: OnceLock<Box<R>>,
    },
}

/// A result of which a filter may know some fields at once.
pub trait Lazy: QueryResult {
    /// The result of the filter.
    type Filtered: Copy + Send + Sync;

    /// Runs the filter; `None` if it can't decide.
    fn filtered(rings: [&[Point]; 2], velocity: Vec2) -> Option<Self::Filtered>;

    /// A field, if the filter knows it.
    fn field(filtered: &Self::Filtered, field: usize) -> Option<Value>;

    /// The whole result for two convex polygons.
    fn whole(rings: [&Shape<'_>; 2], velocity: Vec2) -> Self;
}

impl<R: Lazy> LazyResult<R> {
    /// The result of the filter; `None` if it can't decide, or unless both are quadrilaterals.
    #[inline]
    pub fn by_filter([a, b]: [&[Point]; 2], velocity: Vec2) -> Option<Self> {
        // Copied first: the filter's answer must hold for the copies, even if another thread writes
        // to the arrays meanwhile.
        let rings: [[Point; 4]; 2] = [a.try_into().ok()?, b.try_into().ok()?];
        let filtered = R::filtered([&rings[0], &rings[1]], velocity)?;
        Some(Self::Lazy {
            filtered,
            operands: (rings, velocity),
            whole: OnceLock::new(),
        })
    }
}

impl<R: Lazy> From<R> for LazyResult<R> {
    fn from(whole: R) -> Self {
        Self::Whole(Box::new(whole))
    }
}

impl<R: Lazy> QueryResult for LazyResult<R> {
    const FIELDS: &'static [Field] = R::FIELDS;
    const TRUTH: usize = R::TRUTH;

    fn value(&self, field: usize) -> Value {
        let (filtered, (rings, velocity), whole) = match self {
            Self::Whole(whole) => return whole.value(field),
            Self::Lazy {
                filtered,
                operands,
                whole,
            } => (filtered, operands, whole),
        };
        R::field(filtered, field).unwrap_or_else(|| {
            let whole = whole.get_or_init(|| {
                let polygon = |ring| Shape::new(ring).expect("a convex ring");
                let [a, b] = rings.each_ref().map(polygon);
                Box::new(R::whole([&a, &b], *velocity))
            });
            whole.value(field)
        })
    }
}

impl Lazy for Sat {
    type Filtered = FilteredSat<f64>;

    #[inline]
    fn filtered(rings: [&[Point]; 2], _: Vec2) -> Option<Self::Filtered> {
        filter::certain_sat(rings)
    }

    fn field(filtered: &Self::Filtered, field: usize) -> Option<Value> {
        Some(match field {
            Self::INTERSECTS => Value::Bool(filtered.intersects),
            Self::DEPTH => Value::Float(filtered.depth()),
            Self::MTV => Value::Vector(filtered.mtv()),
            Self::NORMAL => Value::Vector(filtered.measure.normal),
            Self::SEPARATION => Value::Float(filtered.separation()),
            _ if !filtered.intersects => Self::FIELDS[field].kind.blank(),
            _ => return None,
        })
    }

    fn whole([a, b]: [&Shape<'_>; 2], _: Vec2) -> Self {
        shape::sat(a, b, 0.0).expect("convex polygons")
    }
}

impl Lazy for SweptCollisionWithMtv {
    type Filtered = FilteredSweep<f64>;

    #[inline]
    fn filtered(rings: [&[Point]; 2], velocity: Vec2) -> Option<Self::Filtered> {
        filter::certain_sweep(rings, velocity)
    }

    fn field(filtered: &Self::Filtered, field: usize) -> Option<Value> {
        match field {
            Self::INTERSECTS => Some(Value::Bool(filtered.intersects)),
            Self::WILL_INTERSECT => Some(Value::Bool(filtered.will_intersect)),
            Self::TIME => Some(Value::Float(filtered.time())),
            _ if !filtered.will_intersect => Some(Self::NEVER.value(field)),
            _ => None,
        }
    }

    fn whole([a, b]: [&Shape<'_>; 2], velocity: Vec2) -> Self {
        Self::lazy(a, b, velocity, 0.0)
    }
}
