//! What is asked of every row, and of which operands.

use std::fmt;

use crate::batch::circle_tiles::{CircleQuery, CircleTiles};
use crate::batch::invalid_row::InvalidRow;
use crate::batch::output::OutputTable;
use crate::batch::polygon_queries::PolygonQuery;
use crate::batch::polygon_tiles::PolygonTiles;
use crate::batch::result::QueryResult;
use crate::batch::rows::{PolygonCursor, Shapes, Shared, Source};
use crate::batch::run::{OnInvalid, Stop};
use crate::batch::thread_pool::CancelToken;
use crate::batch::tile_driver::{self, TileQuery};
use crate::batch::tile_io::Open;
use crate::geom::{Circle, Point, Vec2};
use crate::shape::Concave;

/// A query with an answer for every row.
pub trait Query: Sync + 'static {
    /// What the answer to a row is.
    type Answer: QueryResult;
    /// What is kept from one row to the next.
    type Cursor<'a>;

    /// How many rows there are.
    fn rows(&self) -> usize;

    /// How many vertices the longest row has: the measure of its cost.
    fn longest(&self) -> usize;

    /// A fresh start, made once per chunk.
    fn cursor(&self) -> Self::Cursor<'_>;

    /// Answers a row; `None` when an operand is missing.
    ///
    /// # Errors
    ///
    /// If an operand of the row is bad.
    fn answer(
        &self,
        row: usize,
        cursor: &mut Self::Cursor<'_>,
    ) -> Result<Option<Self::Answer>, InvalidRow>;

    /// Fills a chunk, row by row. A kernel that takes several rows at once overrides this and
    /// hands the rows that it can't decide to [`Self::answer`].
    ///
    /// # Errors
    ///
    /// If told to stop, or at a bad row that is not to be masked.
    fn fill(
        &self,
        table: &mut OutputTable<'_>,
        on_invalid: OnInvalid,
        control: &CancelToken,
    ) -> Result<(), Stop> {
        fill_one_by_one(self, table, 0..table.rows, on_invalid, control)
    }
}

/// Fills some rows of a chunk, in ascending order, each by itself.
pub(super) fn fill_one_by_one<Q: Query + ?Sized>(
    query: &Q,
    table: &mut OutputTable<'_>,
    rows: impl IntoIterator<Item = usize>,
    on_invalid: OnInvalid,
    control: &CancelToken,
) -> Result<(), Stop> {
    let mut rows = rows.into_iter();
    let mut cursor = query.cursor();
    let mut block = Vec::new();
    loop {
        block.clear();
        for row in rows.by_ref().take(BLOCK) {
            control.proceed()?;
            let answer = query.answer(table.first + row, &mut cursor);
            block.push((row, on_invalid.admit(answer, table.first + row)?));
        }
        if block.is_empty() {
            return Ok(());
        }
        control.write(|| write(table, &block))?;
    }
}

/// Rows answered before their columns are written, so that each column is written in one go and
/// the answers stay in the first-level cache (some 10 kB).
const BLOCK: usize = 64;

/// What became of a row: an answer or none, and whether its operands were good.
pub(super) type Outcome<R> = (Option<R>, bool);

fn write<R: QueryResult>(table: &mut OutputTable<'_>, block: &[(usize, Outcome<R>)]) {
    for (field, column) in &mut table.columns {
        let blank = R::FIELDS[*field].kind.blank();
        for (row, (answer, _)) in block {
            column.set(*row, answer.as_ref().map_or(blank, |it| it.value(*field)));
        }
    }
    if let Some(valid) = &mut table.valid {
        for &(row, (_, is_good)) in block {
            valid[row] = u8::from(is_good);
        }
    }
}

/// Rows of which the tiles are written in one go.
const TILED: usize = 512;

/// Fills a chunk by tiles, and the rows that these leave open each by itself.
fn fill_by_tiles<Q: Query, const RINGS: usize>(
    query: &Q,
    batch: &impl TileQuery<RINGS>,
    table: &mut OutputTable<'_>,
    on_invalid: OnInvalid,
    control: &CancelToken,
) -> Result<(), Stop> {
    let mut open = Open::new();
    for start in (0..table.rows).step_by(TILED) {
        let rows = start..table.rows.min(start + TILED);
        control.write(|| tile_driver::fill(batch, table, rows, &mut open))?;
        fill_one_by_one(query, table, open.drain(..), on_invalid, control)?;
    }
    Ok(())
}

/// Two polygons per row, and the displacement of the first relative to the second.
pub struct PolygonBatch<N> {
    /// The first shape.
    pub a: Source<Shapes>,
    /// The second shape.
    pub b: Source<Shapes>,
    /// Displacements, where the query has any.
    pub velocity: Option<Source<Shared<Vec2>>>,
    /// How many rows the answer has.
    pub len: usize,
    /// Whether the operands are validated.
    pub check: bool,
    /// What is asked.
    pub query: N,
}

/// A circle and a polygon per row, and the displacement of the circle.
pub struct CircleBatch<N> {
    /// Centers of the circles.
    pub center: Source<Shared<Point>>,
    /// Their radii.
    pub radius: Source<Shared<f64>>,
    /// Displacements, where the query has any.
    pub velocity: Option<Source<Shared<Vec2>>>,
    /// The polygons.
    pub polygon: Source<Shapes>,
    /// How many rows the answer has.
    pub len: usize,
    /// Whether the operands are validated.
    pub check: bool,
    /// What is asked.
    pub query: N,
}

impl<N> fmt::Debug for PolygonBatch<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PolygonBatch({:?}, {:?})", self.a, self.b)
    }
}

impl<N> fmt::Debug for CircleBatch<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CircleBatch({:?}, {:?})", self.center, self.polygon)
    }
}

/// Hands on a number that must be good: `None` when it isn't and nobody wants to know.
fn good<T: Copy>(
    value: T,
    is_good: bool,
    check: bool,
    fault: impl FnOnce() -> InvalidRow,
) -> Result<Option<T>, InvalidRow> {
    match (is_good, check) {
        (true, _) => Ok(Some(value)),
        (false, true) => Err(fault()),
        (false, false) => Ok(None),
    }
}

fn velocity_at(
    velocity: Option<&Source<Shared<Vec2>>>,
    row: usize,
    check: bool,
) -> Result<Option<Vec2>, InvalidRow> {
    let Some(source) = velocity else {
        return Ok(Some(Vec2::ZERO));
    };
    let value = source.at(row);
    good(value, value.is_finite(), check, || {
        InvalidRow::Velocity(source.place(row), value)
    })
}

impl<N: PolygonQuery> Query for PolygonBatch<N> {
    type Answer = N::Answer;
    type Cursor<'a> = (PolygonCursor<'a>, PolygonCursor<'a>);

    fn rows(&self) -> usize {
        self.len
    }

    fn longest(&self) -> usize {
        self.a.longest() + self.b.longest()
    }

    fn cursor(&self) -> Self::Cursor<'_> {
        let cursor = |source| PolygonCursor::new(source, self.check);
        (cursor(&self.a), cursor(&self.b))
    }

    fn answer(
        &self,
        row: usize,
        (a, b): &mut Self::Cursor<'_>,
    ) -> Result<Option<N::Answer>, InvalidRow> {
        let (a, b) = (a.at(row)?, b.at(row)?);
        let velocity = velocity_at(self.velocity.as_ref(), row, self.check)?;
        let (Some(a), Some(b), Some(velocity)) = (a, b, velocity) else {
            return Ok(None);
        };
        match self.query.one(a, b, velocity) {
            Ok(answer) => Ok(Some(answer)),
            Err(_) if !self.check => Ok(None),
            Err(Concave { operand, why }) => {
                let source = [&self.a, &self.b][operand];
                Err(InvalidRow::Polygon(source.place(row), why))
            }
        }
    }

    fn fill(
        &self,
        table: &mut OutputTable<'_>,
        on_invalid: OnInvalid,
        control: &CancelToken,
    ) -> Result<(), Stop> {
        let velocity = self.velocity.as_ref();
        let pairs = PolygonTiles::new(&self.query, &self.a, &self.b, velocity, table);
        fill_by_tiles(self, &pairs, table, on_invalid, control)
    }
}

impl<N> CircleBatch<N> {
    fn circle(&self, row: usize) -> Result<Option<Circle>, InvalidRow> {
        let (center, radius) = (self.center.at(row), self.radius.at(row));
        let center = good(center, center.is_finite(), self.check, || {
            InvalidRow::Center(self.center.place(row), center)
        })?;
        let radius = good(radius, is_radius(radius), self.check, || {
            InvalidRow::Radius(self.radius.place(row), radius)
        })?;
        Ok(center
            .zip(radius)
            .map(|(center, radius)| Circle { center, radius }))
    }
}

/// Whether a circle can have this radius.
pub fn is_radius(radius: f64) -> bool {
    radius.is_finite() && radius >= 0.0
}

impl<N: CircleQuery> Query for CircleBatch<N> {
    type Answer = N::Answer;
    type Cursor<'a> = PolygonCursor<'a>;

    fn rows(&self) -> usize {
        self.len
    }

    fn longest(&self) -> usize {
        self.polygon.longest()
    }

    fn cursor(&self) -> Self::Cursor<'_> {
        PolygonCursor::new(&self.polygon, self.check)
    }

    fn answer(
        &self,
        row: usize,
        polygon: &mut Self::Cursor<'_>,
    ) -> Result<Option<N::Answer>, InvalidRow> {
        let circle = self.circle(row)?;
        let velocity = velocity_at(self.velocity.as_ref(), row, self.check)?;
        let polygon = polygon.at(row)?;
        let (Some(circle), Some(velocity), Some(polygon)) = (circle, velocity, polygon) else {
            return Ok(None);
        };
        Ok(Some(self.query.one(circle, velocity, polygon)))
    }

    fn fill(
        &self,
        table: &mut OutputTable<'_>,
        on_invalid: OnInvalid,
        control: &CancelToken,
    ) -> Result<(), Stop> {
        let circles = CircleTiles::new(
            &self.query,
            &self.center,
            &self.radius,
            self.velocity.as_ref(),
            &self.polygon,
            table,
        );
        fill_by_tiles(self, &circles, table, on_invalid, control)
    }
}
