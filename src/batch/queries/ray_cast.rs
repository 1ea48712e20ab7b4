//! Rays among many shapes: the first shape that each meets.

use std::cmp::Ordering;
use std::sync::Arc;

use super::query_result::record;
use crate::batch::{
    Column, Field, FieldKind, FieldSet, InvalidRow, OperandRows, Query, QueryResult, Shared, Value,
};
use crate::geom::{Point, Ray, Vec2};
use crate::predicates::RaySlabs;
use crate::shape::{self, RayHit};

/// Rays, and the shapes that may stop them.
#[derive(Debug)]
pub struct RayCastBatch {
    /// Where the rays start.
    pub origins: OperandRows<Shared<Point>>,
    /// Their displacements in a unit of time.
    pub directions: OperandRows<Shared<Vec2>>,
    /// The times at which they end, 0 or more.
    pub lengths: OperandRows<Shared<f64>>,
    /// Number of rays.
    pub count: usize,
    /// The shapes: an examined column.
    pub shapes: Arc<Column>,
}

/// The hit of the first shape on a ray, and the row of the shape; `None` if there is none.
#[derive(Clone, Copy, Debug)]
pub struct RayCast(Option<(RayHit, usize)>);

record!(RayCast, true when HIT, |this| {
    HIT "hit": Bool = Value::Bool(this.0.is_some()),
    TIME "time": Float = Value::Float(this.0.map_or(f64::INFINITY, |(hit, _)| hit.time())),
    ROW "row": Index = this.0.map(|(_, row)| row).into(),
    NORMAL "normal": Vector = this.0.map_or(Vec2::ZERO, |(hit, _)| hit.normal()).into(),
    POINT "point": Vector = this.0.map_or(Point::NAN, |(hit, _)| hit.point()).into(),
});

impl Query for RayCastBatch {
    type Answer = RayCast;
    type Cursor<'a> = ();

    const SEARCHES: bool = true;

    fn rows(&self) -> usize {
        self.count
    }

    fn longest(&self) -> usize {
        self.shapes.longest()
    }

    fn cursor(&self, _: FieldSet) {}

    fn answer(&self, row: usize, (): &mut ()) -> Result<Option<RayCast>, InvalidRow> {
        let ray = Ray {
            origin: self.origins.at(row),
            direction: self.directions.at(row),
        };
        let length = self.lengths.at(row);
        let Point { x, y } = ray.origin;
        InvalidRow::check_finite(&[x, y], || self.origins.argument_row(row))?;
        self.directions.check_finite(row)?;
        if length.is_nan() || length < 0.0 {
            return Err(InvalidRow::Length(self.lengths.argument_row(row), length));
        }
        Ok(Some(RayCast(self.first(ray, length))))
    }
}

impl RayCastBatch {
    /// The first shape on a ray; of equals the lowest row.
    fn first(&self, ray: Ray, length: f64) -> Option<(RayHit, usize)> {
        let (slabs, shapes) = (RaySlabs::new(ray), self.shapes.view());
        let (mut first, mut limit): (Option<(RayHit, usize)>, f64) = (None, length);
        let bound = |bounds: &_| slabs.entry_below(bounds);
        self.shapes.index().branch_and_bound(bound, length, |row| {
            let comes_too_late = |(hit, first): (RayHit, usize)| hit.is_at_start() && first < row;
            if first.is_some_and(comes_too_late) {
                return limit;
            }
            let polygon = shapes.polygon(row);
            let hit = polygon.and_then(|it| shape::ray_cast(ray, &slabs, [length, limit], &it));
            if let Some(hit) = hit {
                let is_first = |(other, other_row): (RayHit, usize)| {
                    hit.compare(&other).then(row.cmp(&other_row)) == Ordering::Less
                };
                if first.is_none_or(is_first) {
                    first = Some((hit, row));
                    limit = hit.time_above();
                }
            }
            limit
        });
        first
    }
}
