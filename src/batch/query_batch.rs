//! Batches of queries about one or two polygons per row.

use std::fmt;
use std::ops::Range;

use crate::batch::column::Shared;
use crate::batch::invalid_row::{InvalidRow, OnInvalid};
use crate::batch::output::OutputTable;
use crate::batch::query::{Query, fill_one_by_one};
use crate::batch::result::{FieldSet, QueryResult};
use crate::batch::rows::{PolygonCursor, Shapes, Source};
use crate::batch::stop::{CancelToken, Stop};
use crate::batch::tile_driver;
use crate::batch::tile_io::{Numbers, Open, TileOperands};
use crate::batch::tile_query::TileQuery;
use crate::geom::{Point, Vec2};
use crate::shape::{Concave, Polygon};

/// A query about `RINGS` polygons per row.
pub trait RowQuery<const RINGS: usize>: Send + Sync + 'static {
    /// The result for one row.
    type Answer: QueryResult;
    /// The kernels for eight rows.
    type Tiles: TileQuery<RINGS>;

    /// Computes the wanted fields for one row; others may hold anything.
    ///
    /// # Errors
    ///
    /// If a polygon is not convex, and must be.
    fn one(
        polygons: [&Polygon<'_>; RINGS],
        numbers: &Numbers<f64>,
        fields: FieldSet,
    ) -> Result<Self::Answer, Concave>;

    /// Fills rows of a chunk as far as the kernels can, and adds the others to the open ones, in
    /// order.
    fn fill(
        operands: &TileOperands<'_, RINGS>,
        table: &mut OutputTable<'_>,
        rows: Range<usize>,
        open: &mut Open,
    ) {
        tile_driver::fill::<Self::Tiles, RINGS>(operands, table, rows, open);
    }
}

/// Centers of circles.
pub type Centers = Source<Shared<Point>>;

/// Radii of circles.
pub type Radii = Source<Shared<f64>>;

/// One query for many rows.
pub struct QueryBatch<Q, const RINGS: usize> {
    /// The query.
    pub query: Q,
    /// The polygons.
    pub polygons: [Source<Shapes>; RINGS],
    /// Center and radius of the circle, if the query has one.
    pub circle: Option<(Centers, Radii)>,
    /// Displacement of the first shape relative to the second, if the query has one.
    pub velocity: Option<Source<Shared<Vec2>>>,
    /// Number of rows.
    pub len: usize,
    /// Whether the operands are validated.
    pub check: bool,
}

impl<Q, const RINGS: usize> fmt::Debug for QueryBatch<Q, RINGS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "QueryBatch({:?}, {:?})", self.circle, self.polygons)
    }
}

/// Whether a circle can have this radius.
pub fn is_radius(radius: f64) -> bool {
    radius.is_finite() && radius >= 0.0
}

impl<Q, const RINGS: usize> QueryBatch<Q, RINGS> {
    /// The numbers of a row, if they are valid.
    fn numbers(&self, row: usize) -> Result<Numbers<f64>, InvalidRow> {
        let (mut center, mut radius) = (Point::ORIGIN, 0.0);
        if let Some((centers, radii)) = &self.circle {
            (center, radius) = (centers.at(row), radii.at(row));
            if !center.is_finite() {
                return Err(InvalidRow::Center(centers.place(row), center));
            }
            if !is_radius(radius) {
                return Err(InvalidRow::Radius(radii.place(row), radius));
            }
        }
        let velocity = self
            .velocity
            .as_ref()
            .map(|source| (source, source.at(row)));
        match velocity {
            Some((source, velocity)) if !velocity.is_finite() => {
                Err(InvalidRow::Velocity(source.place(row), velocity))
            }
            _ => Ok(Numbers {
                center: center.into(),
                radius,
                velocity: velocity.map(|(_, velocity)| velocity),
            }),
        }
    }

    /// The operands for a chunk.
    fn operands(&self, chunk: &OutputTable<'_>) -> TileOperands<'_, RINGS> {
        let circle = self.circle.as_ref();
        TileOperands::new(
            &self.polygons,
            circle.map(|(center, radius)| (center, radius)),
            self.velocity.as_ref(),
            chunk,
        )
    }
}

/// Rows that tiles fill before those left open are answered one by one.
const TILED: usize = 512;

impl<Q: RowQuery<RINGS>, const RINGS: usize> Query for QueryBatch<Q, RINGS> {
    type Answer = Q::Answer;
    type Cursor<'a> = ([PolygonCursor<'a>; RINGS], FieldSet);

    fn rows(&self) -> usize {
        self.len
    }

    fn longest(&self) -> usize {
        self.polygons.iter().map(Source::longest).sum()
    }

    fn cursor(&self, fields: FieldSet) -> Self::Cursor<'_> {
        let polygons = self.polygons.each_ref();
        let cursors = polygons.map(|source| PolygonCursor::new(source, self.check));
        (cursors, fields)
    }

    fn answer(
        &self,
        row: usize,
        (cursors, fields): &mut Self::Cursor<'_>,
    ) -> Result<Option<Q::Answer>, InvalidRow> {
        let numbers = match self.numbers(row) {
            Err(why) if self.check => return Err(why),
            numbers => numbers.ok(),
        };
        for cursor in cursors.iter_mut() {
            cursor.seek(row)?;
        }
        let polygons = cursors.each_ref().map(PolygonCursor::polygon);
        let Some(numbers) = numbers.filter(|_| polygons.iter().all(Option::is_some)) else {
            return Ok(None);
        };
        let polygons = polygons.map(|polygon| polygon.expect("none is missing"));
        match Q::one(polygons, &numbers, *fields) {
            Ok(answer) => Ok(Some(answer)),
            Err(_) if !self.check => Ok(None),
            Err(Concave { operand, why }) => {
                let place = self.polygons[operand].place(row);
                Err(InvalidRow::Polygon(place, why))
            }
        }
    }

    fn fill(
        &self,
        table: &mut OutputTable<'_>,
        on_invalid: OnInvalid,
        control: &CancelToken,
    ) -> Result<(), Stop> {
        let (operands, mut open) = (self.operands(table), Open::new());
        for start in (0..table.rows).step_by(TILED) {
            let rows = start..table.rows.min(start + TILED);
            control.write(|| Q::fill(&operands, table, rows, &mut open))?;
            fill_one_by_one(self, table, open.drain(..), on_invalid, control)?;
        }
        Ok(())
    }
}
