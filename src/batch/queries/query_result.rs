//! Query results: named fields, each computed only when wanted.

use crate::batch::{Field, FieldKind, Value};
use crate::geom::Vec2;
use crate::shape::{
    CirclePolygon, ClosestApproach, Distance, Penetration, Sat, SweptCircle, TimeIntervals,
};

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

impl QueryResult for bool {
    const FIELDS: &'static [Field] = &[Field {
        name: "intersects",
        kind: FieldKind::Bool,
        is_optional: false,
    }];
    const TRUTH: usize = 0;

    #[inline]
    fn value(&self, _: usize) -> Value {
        Value::Bool(*self)
    }
}

/// Declares the fields of a result, in order: `POSITION "name": FieldKind = value`, the last with `if there` before the
/// value where they are optional. Everything else about fields derives from this.
macro_rules! record {
    ($record:ident, true when $truth:ident, |$this:ident| {
        $($position:ident $name:literal: $kind:ident $(if $there:ident)? = $value:expr,)+
    }) => {
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
                    $(Field {
                        name: $name,
                        kind: FieldKind::$kind,
                        is_optional: !concat!($(stringify!($there))?).is_empty(),
                    },)+
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

pub(crate) use record;

/// What [`shape::overlap_area`](crate::shape::overlap_area) computes.
#[derive(Clone, Copy, Debug)]
pub struct OverlapArea(pub f64);

record!(OverlapArea, true when AREA, |this| {
    AREA "overlap_area": Float = Value::Float(this.0),
});

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
