//! Query results: named fields, each computed only when wanted.

use crate::geom::{Point, Vec2};
use crate::shape::{
    CirclePolygon, ClosestApproach, Distance, Penetration, Sat, SweptCircle, TimeIntervals,
};

/// The type of a field, which fixes the type of its column.
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
    /// A position: of a vertex, an edge or a row.
    Index,
    /// Vertex (0) or edge (1).
    Feature,
}

/// A field of a result.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its public name.
    pub name: &'static str,
    /// Its type.
    pub kind: FieldKind,
}

/// The value of a field.
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
    /// The value in a row without an answer: False, NaN or -1.
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

    /// Lengths of the axes that this kind adds to the shape of the rows.
    pub const fn axes(self) -> &'static [usize] {
        match self {
            Self::Vector => &[2],
            Self::Segment => &[2, 2],
            Self::Bool | Self::Float | Self::Index | Self::Feature => &[],
        }
    }

    /// Numbers per row.
    pub fn width(self) -> usize {
        self.axes().iter().product()
    }
}

/// A set of fields of one result, by their positions in [`QueryResult::FIELDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSet(u16);

impl FieldSet {
    /// All fields.
    pub const ALL: Self = Self(u16::MAX);

    /// The fields at these positions.
    #[inline]
    pub const fn new(positions: &[usize]) -> Self {
        let (mut bits, mut index) = (0, 0);
        while index < positions.len() {
            bits |= 1 << positions[index];
            index += 1;
        }
        Self(bits)
    }

    /// Whether the field at this position is one of them.
    #[inline(always)]
    pub const fn contains(self, field: usize) -> bool {
        self.0 >> field & 1 == 1
    }

    /// The fields of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The fields that are not in the other set.
    #[inline(always)]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether any of them is in the other set.
    #[inline(always)]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether all of them are in the other set.
    #[inline(always)]
    pub const fn is_subset(self, other: Self) -> bool {
        self.without(other).0 == 0
    }
}

/// A result whose fields are computed when read.
pub trait QueryResult: Clone + Send + Sync + 'static {
    /// All fields, in the order in which results unpack.
    const FIELDS: &'static [Field];
    /// Position of the field that says whether the shapes meet: a boolean, a distance (zero), or a
    /// position (not -1).
    const TRUTH: usize;

    /// Computes the field at this position of [`Self::FIELDS`].
    fn value(&self, field: usize) -> Value;
}

impl Value {
    /// Whether this value of the field [`QueryResult::TRUTH`] says that the shapes meet.
    pub fn says_yes(self) -> bool {
        matches!(self, Self::Bool(true) | Self::Index(0..)) || self == Self::Float(0.0)
    }
}

impl From<Option<usize>> for Value {
    fn from(position: Option<usize>) -> Self {
        let position = position.and_then(|it| i64::try_from(it).ok());
        Self::Index(position.unwrap_or(-1))
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

/// Declares the fields of a result, in order: `POSITION "name": FieldKind = value`. Everything else
/// about fields derives from this.
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

pub(super) use record;

record!(Sat, true when INTERSECTS, |this| {
    INTERSECTS "intersects": Bool = Value::Bool(this.intersects()),
    DEPTH "depth": Float = Value::Float(this.depth()),
    MTV "mtv": Vector = this.mtv().into(),
    NORMAL "normal": Vector = this.normal().into(),
    SEPARATION "separation": Float = Value::Float(this.separation()),
    CONTACT "contact": Segment = Value::Segment(this.contact()),
});

record!(Penetration, true when INTERSECTS, |this| {
    INTERSECTS "intersects": Bool = Value::Bool(this.intersects),
    DEPTH "depth": Float = Value::Float(this.depth),
    MTV "mtv": Vector = this.mtv.into(),
    NORMAL "normal": Vector = this.normal.into(),
});

record!(CirclePolygon, true when INTERSECTS, |this| {
    INTERSECTS "intersects": Bool = Value::Bool(this.intersects()),
    DEPTH "depth": Float = Value::Float(this.depth()),
    MTV "mtv": Vector = this.mtv().into(),
    NORMAL "normal": Vector = this.normal().into(),
    CLOSEST "closest": Vector = this.closest().into(),
    FEATURE "feature": Feature = Value::Feature(this.feature() as i8),
    INDEX "index": Index = Some(this.index()).into(),
    DISTANCE "distance": Float = Value::Float(this.distance()),
});

record!(SweptCircle, true when WILL_INTERSECT, |this| {
    INTERSECTS "intersects": Bool = Value::Bool(this.intersects()),
    WILL_INTERSECT "will_intersect": Bool = Value::Bool(this.will_intersect()),
    TIME "time": Float = Value::Float(this.time()),
    NORMAL "normal": Vector = this.normal().into(),
    CONTACT "contact": Segment = Value::Segment(this.contact()),
});

record!(Distance, true when DISTANCE, |this| {
    DISTANCE "distance": Float = Value::Float(this.distance()),
    CLOSEST_A "closest_a": Vector = this.closest_a().into(),
    CLOSEST_B "closest_b": Vector = this.closest_b().into(),
});

record!(ClosestApproach, true when DISTANCE, |this| {
    DISTANCE "distance": Float = Value::Float(this.distance),
    TIME "time": Float = Value::Float(this.time),
    CLOSEST_A "closest_a": Vector = this.closest_a.into(),
    CLOSEST_B "closest_b": Vector = this.closest_b.into(),
});

// Of several intervals only the first is a field.
record!(TimeIntervals, true when TOUCH, |this| {
    TOUCH "touch": Bool = Value::Bool(!this.is_empty()),
    FIRST "first": Vector = {
        let &[enter, leave] = this.first().unwrap_or(&[f64::NAN; 2]);
        Vec2::new(enter, leave).into()
    },
});
