//! What the answers of every query have in common: named fields, each computed only when wanted.

use crate::batch::first_contact::FirstContact;
use crate::convex::{self, Ring};
use crate::geom::{Point, Vec2};
use crate::shape::{
    self, CirclePolygon, Distance, PendingClearance, Polygon, Sat, SweepClearance, SweptCircle,
    SweptCollision,
};

/// The type of a field, which fixes the column that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// Yes or no.
    Bool,
    /// One number.
    Float,
    /// A point or a vector.
    Vector,
    /// Two points.
    Segment,
    /// The position of a vertex or an edge.
    Index,
    /// Vertex (0) or edge (1).
    Feature,
}

/// A field of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// What users call it.
    pub name: &'static str,
    /// What it holds.
    pub kind: FieldKind,
}

/// The content of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// See [`FieldKind::Bool`].
    Bool(bool),
    /// See [`FieldKind::Float`].
    Float(f64),
    /// See [`FieldKind::Vector`].
    Vector(Vec2),
    /// See [`FieldKind::Segment`].
    Segment([Point; 2]),
    /// See [`FieldKind::Index`]; -1 for none.
    Index(i64),
    /// See [`FieldKind::Feature`]; -1 for none.
    Feature(i8),
}

impl FieldKind {
    /// What stands in a row that has no answer: False, NaN, or -1.
    pub const fn blank(self) -> Value {
        match self {
            Self::Bool => Value::Bool(false),
            Self::Float => Value::Float(f64::NAN),
            Self::Vector => Value::Vector(Vec2::NAN),
            Self::Segment => Value::Segment([Point::NAN; 2]),
            Self::Index => Value::Index(-1),
            Self::Feature => Value::Feature(-1),
        }
    }

    /// Lengths of the axes that a field of this kind adds to the shape of its column.
    pub const fn axes(self) -> &'static [usize] {
        match self {
            Self::Vector => &[2],
            Self::Segment => &[2, 2],
            Self::Bool | Self::Float | Self::Index | Self::Feature => &[],
        }
    }

    /// How many numbers one row of the column holds.
    pub const fn width(self) -> usize {
        match self {
            Self::Vector => 2,
            Self::Segment => 4,
            Self::Bool | Self::Float | Self::Index | Self::Feature => 1,
        }
    }
}

/// An answer whose fields are computed when asked for.
pub trait QueryResult: Clone + Send + Sync + 'static {
    /// All fields, in the order in which results unpack.
    const FIELDS: &'static [Field];
    /// The field that says whether the shapes meet: a boolean, a distance that is then zero, or a
    /// position that is else -1.
    const TRUTH: usize;

    /// Computes the field at this position of [`Self::FIELDS`].
    fn value(&self, field: usize) -> Value;
}

impl Value {
    /// Whether this, as the [`QueryResult::TRUTH`] of an answer, says that the shapes meet.
    pub fn says_yes(self) -> bool {
        matches!(self, Self::Bool(true) | Self::Index(0..)) || self == Self::Float(0.0)
    }
}

/// A sweep together with the translation that clears it, which has a price of its own.
#[derive(Clone, Debug)]
pub struct SweepWithMtv {
    collision: SweptCollision,
    clearance: Mtv,
}

/// When the clearance of a sweep is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MtvTiming {
    /// Never: the field `mtv` stays zero.
    Never,
    /// At once.
    Now,
    /// When the field `mtv` is asked for.
    Later,
}

#[derive(Clone, Debug)]
enum Mtv {
    /// They never meet, or nobody wants to know.
    Needless,
    /// They are not both convex.
    Unknown,
    Known(SweepClearance),
    Pending(Box<PendingClearance>),
}

impl SweepWithMtv {
    /// Of convex polygons that never meet.
    pub(super) fn never() -> Self {
        Self {
            collision: SweptCollision::NEVER,
            clearance: Mtv::Needless,
        }
    }

    /// Sweeps one convex ring against another, as [`Self::new`] without contact or clearance.
    pub(super) fn meeting(a: &Ring<'_>, b: &Ring<'_>, velocity: Vec2) -> Self {
        let outcome = convex::swept_collision(a, b, None, velocity.into());
        Self {
            collision: SweptCollision(outcome),
            clearance: Mtv::Needless,
        }
    }

    /// Sweeps `a` against `b`; without `contact` the fields [`Self::NORMAL`] and
    /// [`Self::CONTACT`] stay open where the shapes overlap already.
    pub fn new(
        a: &Polygon<'_>,
        b: &Polygon<'_>,
        velocity: Vec2,
        contact: bool,
        clear: MtvTiming,
    ) -> Self {
        let collision = if contact {
            shape::swept_collision(a, b, velocity)
        } else {
            shape::meeting(a, b, velocity)
        };
        let clearance = if clear == MtvTiming::Never {
            Mtv::Needless
        } else if !(a.is_convex() && b.is_convex()) {
            Mtv::Unknown
        } else if !collision.will_intersect() {
            Mtv::Needless
        } else if clear == MtvTiming::Now {
            shape::sweep_clearance(a, b, velocity).map_or(Mtv::Unknown, Mtv::Known)
        } else {
            PendingClearance::new(a, b, velocity)
                .map_or(Mtv::Unknown, |kept| Mtv::Pending(Box::new(kept)))
        };
        Self {
            collision,
            clearance,
        }
    }
}

impl From<Vec2> for Value {
    fn from(vector: Vec2) -> Self {
        Self::Vector(vector)
    }
}

impl From<Point> for Value {
    fn from(point: Point) -> Self {
        Self::Vector(Vec2::new(point.x, point.y))
    }
}

impl QueryResult for bool {
    const FIELDS: &'static [Field] = &[Field {
        name: "intersects",
        kind: FieldKind::Bool,
    }];
    const TRUTH: usize = 0;

    #[inline]
    fn value(&self, _: usize) -> Value {
        Value::Bool(*self)
    }
}

/// Lists the fields of a record once, in their order: `POSITION "name": FieldKind = how it is computed`.
macro_rules! record {
    ($record:ident, true when $truth:ident, |$this:ident| { $($position:ident $name:literal: $kind:ident = $value:expr,)+ }) => {
        const _: () = {
            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            enum Position { $($position,)+ }

            impl $record {
                $(
                    #[doc = concat!("Position of the field `", $name, "`.")]
                    pub const $position: usize = Position::$position as usize;
                )+
            }

            impl QueryResult for $record {
                const FIELDS: &'static [Field] = &[
                    $(Field { name: $name, kind: FieldKind::$kind },)+
                ];
                const TRUTH: usize = Self::$truth;

                #[inline]
                fn value(&self, field: usize) -> Value {
                    let $this = self;
                    match field {
                        $(Self::$position => $value,)+
                        _ => unreachable!("no field {field}"),
                    }
                }
            }
        };
    };
}

record!(Sat, true when INTERSECTS, |this| {
    INTERSECTS "intersects": Bool = Value::Bool(this.intersects()),
    DEPTH "depth": Float = Value::Float(this.depth()),
    MTV "mtv": Vector = this.mtv().into(),
    NORMAL "normal": Vector = this.normal().into(),
    SEPARATION "separation": Float = Value::Float(this.separation()),
    CONTACT "contact": Segment = Value::Segment(this.contact()),
});

record!(SweepWithMtv, true when WILL_INTERSECT, |this| {
    INTERSECTS "intersects": Bool = Value::Bool(this.collision.intersects()),
    WILL_INTERSECT "will_intersect": Bool = Value::Bool(this.collision.will_intersect()),
    TIME "time": Float = Value::Float(this.collision.time()),
    NORMAL "normal": Vector = this.collision.normal().into(),
    CONTACT "contact": Segment = Value::Segment(this.collision.contact()),
    MTV "mtv": Vector = match &this.clearance {
        Mtv::Needless => Vec2::ZERO,
        Mtv::Unknown => Vec2::NAN,
        Mtv::Known(clearance) => clearance.mtv(),
        Mtv::Pending(kept) => kept.settle().mtv(),
    }.into(),
});

record!(CirclePolygon, true when INTERSECTS, |this| {
    INTERSECTS "intersects": Bool = Value::Bool(this.intersects()),
    DEPTH "depth": Float = Value::Float(this.depth()),
    MTV "mtv": Vector = this.mtv().into(),
    NORMAL "normal": Vector = this.normal().into(),
    CLOSEST "closest": Vector = this.closest().into(),
    FEATURE "feature": Feature = Value::Feature(this.feature() as i8),
    INDEX "index": Index = Value::Index(i64::try_from(this.index()).unwrap_or(-1)),
    DISTANCE "distance": Float = Value::Float(this.distance()),
});

record!(SweptCircle, true when WILL_INTERSECT, |this| {
    INTERSECTS "intersects": Bool = Value::Bool(this.intersects()),
    WILL_INTERSECT "will_intersect": Bool = Value::Bool(this.will_intersect()),
    TIME "time": Float = Value::Float(this.time()),
    NORMAL "normal": Vector = this.normal().into(),
    CONTACT "contact": Segment = Value::Segment(this.contact()),
});

record!(FirstContact, true when STEP, |this| {
    STEP "step": Index = index(this.0.map(|contact| contact.step)),
    TIME "time": Float = Value::Float(this.0.map_or(f64::INFINITY, |contact| contact.collision.time())),
    OBSTACLE "obstacle": Index = index(this.0.map(|contact| contact.obstacle)),
    NORMAL "normal": Vector = this.0.map_or(Vec2::ZERO, |contact| contact.collision.normal()).into(),
    CONTACT "contact": Segment = Value::Segment(
        this.0.map_or([Point::NAN; 2], |contact| contact.contact())
    ),
});

fn index(position: Option<usize>) -> Value {
    Value::Index(position.map_or(-1, |position| i64::try_from(position).unwrap_or(-1)))
}

record!(Distance, true when DISTANCE, |this| {
    DISTANCE "distance": Float = Value::Float(this.distance()),
    CLOSEST_A "closest_a": Vector = this.closest_a().into(),
    CLOSEST_B "closest_b": Vector = this.closest_b().into(),
});
