//! What the answers of every noun have in common: named fields, each computed only when wanted.

use crate::batch::trajectories::FirstContact;
use crate::convex::{self, Ring};
use crate::geom::{Point, Vec2};
use crate::polygon::{
    self, CirclePolygon, Distance, PendingClearance, Polygon, Sat, SweepClearance, SweptCircle,
    SweptCollision,
};

/// The type of a field, which fixes the column that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
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
    pub kind: Kind,
}

/// The content of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// See [`Kind::Bool`].
    Bool(bool),
    /// See [`Kind::Float`].
    Float(f64),
    /// See [`Kind::Vector`].
    Vector(Vec2),
    /// See [`Kind::Segment`].
    Segment([Point; 2]),
    /// See [`Kind::Index`]; -1 for none.
    Index(i64),
    /// See [`Kind::Feature`]; -1 for none.
    Feature(i8),
}

impl Kind {
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
pub trait Record: Clone + Send + Sync + 'static {
    /// All fields, in the order in which results unpack.
    const FIELDS: &'static [Field];
    /// The field that says whether the shapes meet: a boolean, a distance that is then zero, or a
    /// position that is else -1.
    const TRUTH: usize;

    /// Computes the field at this position of [`Self::FIELDS`].
    fn value(&self, field: usize) -> Value;
}

impl Value {
    /// Whether this, as the [`Record::TRUTH`] of an answer, says that the shapes meet.
    pub fn says_yes(self) -> bool {
        matches!(self, Self::Bool(true) | Self::Index(0..)) || self == Self::Float(0.0)
    }
}

/// A sweep together with the translation that clears it, which has a price of its own.
#[derive(Clone, Debug)]
pub struct Sweep {
    collision: SweptCollision,
    clearance: Clearance,
}

/// When the clearance of a sweep is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clear {
    /// Never: the field `mtv` stays zero.
    Never,
    /// At once.
    Now,
    /// When the field `mtv` is asked for.
    Later,
}

#[derive(Clone, Debug)]
enum Clearance {
    /// They never meet, or nobody wants to know.
    Needless,
    /// They are not both convex.
    Unknown,
    Known(SweepClearance),
    Pending(Box<PendingClearance>),
}

impl Sweep {
    /// Of convex polygons that never meet.
    pub(super) fn never() -> Self {
        Self {
            collision: SweptCollision::NEVER,
            clearance: Clearance::Needless,
        }
    }

    /// Sweeps one convex ring against another, as [`Self::new`] without contact or clearance.
    pub(super) fn meeting(a: &Ring<'_>, b: &Ring<'_>, velocity: Vec2) -> Self {
        let outcome = convex::swept_collision(a, b, None, velocity.into());
        Self {
            collision: SweptCollision(outcome),
            clearance: Clearance::Needless,
        }
    }

    /// Sweeps `a` against `b`; without `contact` the fields [`Self::CONTACT`] stay open where the
    /// shapes overlap already.
    pub fn new(
        a: &Polygon<'_>,
        b: &Polygon<'_>,
        velocity: Vec2,
        contact: bool,
        clear: Clear,
    ) -> Self {
        let collision = if contact {
            polygon::swept_collision(a, b, velocity)
        } else {
            polygon::meeting(a, b, velocity)
        };
        let clearance = if clear == Clear::Never {
            Clearance::Needless
        } else if !(a.is_convex() && b.is_convex()) {
            Clearance::Unknown
        } else if !collision.will_intersect() {
            Clearance::Needless
        } else if clear == Clear::Now {
            polygon::sweep_clearance(a, b, velocity).map_or(Clearance::Unknown, Clearance::Known)
        } else {
            PendingClearance::new(a, b, velocity).map_or(Clearance::Unknown, |kept| {
                Clearance::Pending(Box::new(kept))
            })
        };
        Self {
            collision,
            clearance,
        }
    }

    /// Positions of the fields that tell where and how shapes touch.
    pub const CONTACT: [usize; 2] = [3, 4];

    /// Position of the field that [`Clear`] is about.
    pub const CLEARANCE: usize = 5;
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

/// Lists the fields of a record once: `name: Kind = how it is computed`.
macro_rules! record {
    ($record:ty, true when $truth:literal, |$this:ident| { $($position:literal $name:ident: $kind:ident = $value:expr,)+ }) => {
        impl Record for $record {
            const FIELDS: &'static [Field] = &[
                $(Field { name: stringify!($name), kind: Kind::$kind },)+
            ];
            const TRUTH: usize = $truth;

            #[inline]
            fn value(&self, field: usize) -> Value {
                let $this = self;
                match field {
                    $($position => $value,)+
                    _ => unreachable!("no field {field}"),
                }
            }
        }
    };
}

record!(bool, true when 0, |this| {
    0 intersects: Bool = Value::Bool(*this),
});

record!(Sat, true when 0, |this| {
    0 intersects: Bool = Value::Bool(this.intersects()),
    1 depth: Float = Value::Float(this.depth()),
    2 mtv: Vector = this.mtv().into(),
    3 normal: Vector = this.normal().into(),
    4 separation: Float = Value::Float(this.separation()),
    5 contact: Segment = Value::Segment(this.contact()),
});

record!(Sweep, true when 1, |this| {
    0 intersects: Bool = Value::Bool(this.collision.intersects()),
    1 will_intersect: Bool = Value::Bool(this.collision.will_intersect()),
    2 time: Float = Value::Float(this.collision.time()),
    3 normal: Vector = this.collision.normal().into(),
    4 contact: Segment = Value::Segment(this.collision.contact()),
    5 mtv: Vector = match &this.clearance {
        Clearance::Needless => Vec2::ZERO,
        Clearance::Unknown => Vec2::NAN,
        Clearance::Known(clearance) => clearance.mtv(),
        Clearance::Pending(kept) => kept.settle().mtv(),
    }.into(),
});

record!(CirclePolygon, true when 0, |this| {
    0 intersects: Bool = Value::Bool(this.intersects()),
    1 depth: Float = Value::Float(this.depth()),
    2 mtv: Vector = this.mtv().into(),
    3 normal: Vector = this.normal().into(),
    4 closest: Vector = this.closest().into(),
    5 feature: Feature = Value::Feature(this.feature() as i8),
    6 index: Index = Value::Index(i64::try_from(this.index()).unwrap_or(-1)),
    7 distance: Float = Value::Float(this.distance()),
});

record!(SweptCircle, true when 1, |this| {
    0 intersects: Bool = Value::Bool(this.intersects()),
    1 will_intersect: Bool = Value::Bool(this.will_intersect()),
    2 time: Float = Value::Float(this.time()),
    3 normal: Vector = this.normal().into(),
    4 contact: Segment = Value::Segment(this.contact()),
});

record!(FirstContact, true when 0, |this| {
    0 step: Index = index(this.0.map(|contact| contact.step)),
    1 time: Float = Value::Float(this.0.map_or(f64::INFINITY, |contact| contact.collision.time())),
    2 obstacle: Index = index(this.0.map(|contact| contact.obstacle)),
    3 normal: Vector = this.0.map_or(Vec2::ZERO, |contact| contact.collision.normal()).into(),
    4 contact: Segment = Value::Segment(
        this.0.map_or([Point::NAN; 2], |contact| contact.contact())
    ),
});

fn index(position: Option<usize>) -> Value {
    Value::Index(position.map_or(-1, |position| i64::try_from(position).unwrap_or(-1)))
}

record!(Distance, true when 0, |this| {
    0 distance: Float = Value::Float(this.distance()),
    1 closest_a: Vector = this.closest_a().into(),
    2 closest_b: Vector = this.closest_b().into(),
});
