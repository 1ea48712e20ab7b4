//! Answers in two parts: what floats tell at once, and what is found out if someone asks for it.

use std::sync::OnceLock;

use crate::batch::result::{Field, MtvTiming, QueryResult, SweepWithMtv, Value};
use crate::convex;
use crate::convex::filter::{FilteredSat, FilteredSweep};
use crate::geom::{Point, Vec2};
use crate::shape::{self, Polygon, Sat};

/// An answer to one pair.
// With a tag in one of its booleans, what lies around that would be moved in odd pieces, and reading
// it back wait for all of them.
#[repr(u64)]
#[derive(Clone, Debug)]
pub enum LazyResult<R: Lazy> {
    /// All of it.
    Whole(Box<R>),
    /// What was known at once.
    Lazy {
        /// That.
        known: R::RowKinds,
        /// What was asked about.
        operands: Operands,
        /// All of it, once someone wanted more.
        whole: OnceLock<Box<R>>,
    },
}

/// Copies of what was asked about: two quadrilaterals, convex beyond doubt, and a velocity.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    rings: [[Point; 4]; 2],
    velocity: Vec2,
}

/// An answer of which floats may tell a part at once.
pub trait Lazy: QueryResult {
    /// That part.
    type RowKinds: Copy + Send + Sync;

    /// Finds it out.
    fn known(rings: [&[Point]; 2], velocity: Vec2) -> Option<Self::RowKinds>;

    /// A field, if it is in that part.
    fn field(known: &Self::RowKinds, field: usize) -> Option<Value>;

    /// The whole answer.
    fn whole(rings: [&Polygon<'_>; 2], velocity: Vec2) -> Self;
}

impl<R: Lazy> LazyResult<R> {
    /// What is known at once of two quadrilaterals, with copies of them.
    #[inline]
    pub fn new(known: R::RowKinds, [a, b]: [&[Point]; 2], velocity: Vec2) -> Option<Self> {
        let rings = [*a.first_chunk()?, *b.first_chunk()?];
        Some(Self::Lazy {
            known,
            operands: Operands { rings, velocity },
            whole: OnceLock::new(),
        })
    }
}

impl Operands {
    fn whole<R: Lazy>(&self) -> R {
        let [a, b] = self
            .rings
            .each_ref()
            .map(|ring| Polygon::new(ring).expect("a convex ring"));
        R::whole([&a, &b], self.velocity)
    }
}

impl<R: Lazy> From<R> for LazyResult<R> {
    fn from(answer: R) -> Self {
        Self::Whole(Box::new(answer))
    }
}

impl<R: Lazy> QueryResult for LazyResult<R> {
    const FIELDS: &'static [Field] = R::FIELDS;
    const TRUTH: usize = R::TRUTH;

    fn value(&self, field: usize) -> Value {
        match self {
            Self::Whole(answer) => answer.value(field),
            Self::Lazy {
                known,
                operands,
                whole,
            } => R::field(known, field).unwrap_or_else(|| {
                let whole = whole.get_or_init(|| Box::new(operands.whole()));
                whole.value(field)
            }),
        }
    }
}

impl Lazy for Sat {
    type RowKinds = FilteredSat<f64>;

    #[inline]
    fn known(rings: [&[Point]; 2], _: Vec2) -> Option<Self::RowKinds> {
        convex::filter::certain_sat(rings)
    }

    fn field(known: &Self::RowKinds, field: usize) -> Option<Value> {
        Some(match field {
            Self::INTERSECTS => Value::Bool(known.intersects),
            Self::DEPTH => Value::Float(known.depth()),
            Self::MTV => Value::Vector(known.mtv().into()),
            Self::NORMAL => Value::Vector(known.measure.normal.into()),
            Self::SEPARATION => Value::Float(known.separation()),
            _ if !known.intersects => Self::FIELDS[field].kind.blank(),
            _ => return None,
        })
    }

    fn whole([a, b]: [&Polygon<'_>; 2], _: Vec2) -> Self {
        shape::sat(a, b).expect("convex polygons")
    }
}

impl Lazy for SweepWithMtv {
    type RowKinds = FilteredSweep<f64>;

    #[inline]
    fn known(rings: [&[Point]; 2], velocity: Vec2) -> Option<Self::RowKinds> {
        convex::filter::certain_sweep(rings, velocity)
    }

    fn field(known: &Self::RowKinds, field: usize) -> Option<Value> {
        match field {
            Self::INTERSECTS => Some(Value::Bool(known.intersects)),
            Self::WILL_INTERSECT => Some(Value::Bool(known.will_intersect)),
            Self::TIME => Some(Value::Float(known.time())),
            _ if !known.will_intersect => Some(Self::never().value(field)),
            _ => None,
        }
    }

    fn whole([a, b]: [&Polygon<'_>; 2], velocity: Vec2) -> Self {
        Self::new(a, b, velocity, true, MtvTiming::Later)
    }
}
