//! Raw bytes: floats of any bits, NaN and infinities too, cut into rings and rows anywhere. Nothing panics,
//! a checked ring is accepted if and only if it is simple, and unchecked rows are answered somehow.

use std::sync::Arc;

use arbitrary::{Result, Unstructured};
use carom::batch::queries::circle_queries::{CirclePolygonQuery, SweptCircleQuery};
use carom::batch::queries::moving_queries::{
    ClosestApproachQuery, ContactIntervalsQuery, SweptCollisionQuery,
};
use carom::batch::queries::shape_queries::{
    DistanceQuery, PenetrationQuery, SatQuery, WithinDistanceQuery,
};
use carom::batch::{
    CancelToken, Column, FieldSet, OnInvalid, OperandRows, OutputTable, Query, QueryBatch,
    QueryOperands, QueryResult, RaggedOffsets, Rows, Validation, run,
};
use carom::geom::{Point, Vec2};
use carom::shape::{self, Shape, ShapeKind};

use crate::Answers;
use crate::exact::Unit;
use crate::scene::shapes;

/// See the module.
pub fn raw(data: &[u8]) -> Answers {
    decoded(&mut Unstructured::new(data)).ok()
}

fn number(bytes: &mut Unstructured<'_>) -> Result<f64> {
    Ok(match bytes.arbitrary::<u8>()? % 8 {
        0 => f64::from_bits(bytes.arbitrary()?),
        1 => *bytes.choose(&[
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            5e-324,
            -0.0,
            1e-300,
        ])?,
        2 => f64::from(bytes.arbitrary::<i8>()?) * 1e300,
        _ => f64::from(bytes.arbitrary::<i8>()? % 5),
    })
}

/// Offsets that rise to a length, which is what columns are promised.
fn offsets(bytes: &mut Unstructured<'_>, length: usize) -> Result<Vec<usize>> {
    let count = bytes.arbitrary::<u8>()? % 8;
    let mut offsets = vec![0, length];
    for _ in 0..count {
        offsets.push(usize::from(bytes.arbitrary::<u8>()?) % (length + 1));
    }
    offsets.sort_unstable();
    Ok(offsets)
}

fn decoded(bytes: &mut Unstructured<'_>) -> Result<Vec<u64>> {
    let count = usize::from(bytes.arbitrary::<u8>()? % 24);
    let mut points = Vec::new();
    for _ in 0..count {
        points.push(Point::new(number(bytes)?, number(bytes)?));
    }
    let rings = offsets(bytes, count)?;
    for ends in rings.windows(2) {
        check(&points[ends[0]..ends[1]]);
    }
    let polygons = offsets(bytes, rings.len() - 1)?;
    let rows = offsets(bytes, polygons.len() - 1)?;
    let has_several = bytes.arbitrary()?;
    let length = if has_several {
        rows.len()
    } else {
        polygons.len()
    } - 1;
    let mut kinds = Vec::new();
    let mut radii = Vec::new();
    for _ in 0..length {
        let kind = ShapeKind::ALL[usize::from(bytes.arbitrary::<u8>()? % 6)];
        // Several polygons in one row need offsets of their own.
        kinds.push(if kind == ShapeKind::MultiPolygon && !has_several {
            ShapeKind::Polygon
        } else {
            kind
        });
        radii.push(if bytes.arbitrary()? {
            f64::from(bytes.arbitrary::<u8>()? % 3)
        } else {
            0.0
        });
    }
    let offsets = RaggedOffsets {
        rings,
        polygons: Some(polygons),
        shapes: has_several.then_some(rows),
    };
    let column = Column::of_shapes(Arc::new(points), offsets).of_kinds(kinds, radii);
    read(&column);
    let numbers = [number(bytes)?, number(bytes)?, number(bytes)?];
    answer(&column, numbers, bytes.arbitrary()?);
    Ok(Vec::new())
}

/// A ring by itself.
fn check(ring: &[Point]) {
    let checked = Shape::new(ring);
    let _ = shape::convex_hull(ring);
    if ring.iter().any(|it| !it.is_finite()) {
        assert!(checked.is_err(), "not finite {ring:?}");
        return;
    }
    let unit = Unit::of(ring.iter().flat_map(|it| [it.x, it.y]));
    let is_simple = !ring.is_empty() && unit.figure(ring.into()).is_simple_ring();
    assert_eq!(checked.is_ok(), is_simple, "{checked:?} {ring:?}");
    if let Ok(shape) = checked {
        let _ = (
            shape::area(&shape),
            shape::centroid(&shape),
            shape.is_convex(),
            shape::convex_parts(&shape),
        );
    }
}

/// Everything that is read of a column without a query.
fn read(column: &Column) {
    let _ = (
        column.coords().len(),
        column.offsets().rings.len(),
        column.nbytes(),
        column.longest(),
    );
    for row in 0..column.len() {
        let _ = (
            column.bounds(row),
            column.rings(row).map(|it| it.vertices()),
        );
    }
    let half = column.slice(column.len() / 2..column.len());
    let back = column.take((0..column.len()).rev());
    assert!(
        back.take((0..column.len()).rev()) == *column
            || column.memory().iter().any(|it| !it.is_finite())
    );
    let _ = (
        half.coords().len(),
        back.mapped(|_, it| Point::new(it.y, it.x)).len(),
    );
}

/// All queries about all rows and themselves reversed.
fn answer(column: &Column, [x, y, z]: [f64; 3], check: bool) {
    let mut examined = column.clone();
    let validation = if check {
        Validation::Mask
    } else {
        Validation::Trust
    };
    examined
        .examine(validation, 1)
        .expect("invalid rows count as missing");
    for column in [column, &examined] {
        let (a, b) = (
            Arc::new(column.clone()),
            Arc::new(column.take((0..column.len()).rev())),
        );
        macro_rules! pairs {
            ($($query:expr, $velocity:expr;)+) => {
                $(fill(QueryBatch {
                    query: $query,
                    operands: QueryOperands {
                        polygons: [shapes("a", &a), shapes("b", &b)],
                        circle: None,
                        velocity: ($velocity).then(|| one(Vec2::new(x, y)).into()),
                        margin: Some(one(z.abs())).filter(|_| y > 1.0),
                        turns: [None, None],
                        len: a.len(),
                        check,
                    },
                });)+
            };
        }
        pairs! {
            WithinDistanceQuery, false; SatQuery, false; DistanceQuery, false; PenetrationQuery, false;
            SweptCollisionQuery, true; ContactIntervalsQuery::default(), true; ClosestApproachQuery, true;
        }
        macro_rules! circles {
            ($($query:expr, $velocity:expr;)+) => {
                $(fill(QueryBatch {
                    query: $query,
                    operands: QueryOperands {
                        polygons: [shapes("polygon", &a)],
                        circle: Some((one(Point::new(x, y)), one(z))),
                        velocity: ($velocity).then(|| one(Vec2::new(y, z)).into()),
                        margin: None,
                        turns: [None, None],
                        len: a.len(),
                        check,
                    },
                });)+
            };
        }
        circles! { CirclePolygonQuery, false; SweptCircleQuery, true; }
    }
}

fn one<T: Copy + Send + Sync + 'static>(value: T) -> OperandRows<carom::batch::Shared<T>> {
    OperandRows::new("number", vec![], Arc::new(vec![value]), Rows::One)
}

/// All fields of all rows, which may hold anything.
fn fill<Q: Query>(mut query: Q) {
    query.prepare();
    let mut valid = vec![7; query.rows()];
    let table = OutputTable {
        first: 0,
        rows: query.rows(),
        columns: Vec::new(),
        valid: Some(&mut valid),
    };
    run(&query, table, OnInvalid::Mask, 1, &CancelToken::default()).expect("nothing stops it");
    let mut cursor = query.cursor(FieldSet::ALL);
    for row in 0..query.rows() {
        if let Ok(Some(answer)) = query.answer(row, &mut cursor) {
            let fields = 0..<Q::Answer as QueryResult>::FIELDS.len();
            fields.for_each(|field| _ = answer.value(field));
        }
    }
}
