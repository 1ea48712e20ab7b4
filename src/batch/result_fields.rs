//! The fields of query results: their kinds, their values and sets of them.

use crate::geom::{Point, Vec2};

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
    /// Whether it is there for some operands only: results without it don't tell of it.
    pub is_optional: bool,
}

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Yes or no.
    Bool(bool),
    /// One number.
    Float(f64),
    /// A point or a vector.
    Vector(Vec2),
    /// Two points.
    Segment([Point; 2]),
    /// A position; -1 for none.
    Index(i64),
    /// Vertex (0) or edge (1); -1 for none.
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

/// A set of fields of one result, by their positions in the result's list.
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

impl Value {
    /// Whether this value of the field that says whether the shapes meet says that the shapes meet.
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
