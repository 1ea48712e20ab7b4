//! A column of polygons with any number of vertices each: coordinates and offsets.

use std::ops::Range;

use crate::error::InvalidPolygon;
use crate::geom::Point;
use crate::polygon::Polygon;

/// Polygons in one flat buffer: ring `r` is `coords[ring_offsets[r]..ring_offsets[r + 1]]`,
/// polygon `p` has the rings `polygon_offsets[p]..polygon_offsets[p + 1]`, shell first. A polygon
/// without rings is missing. Closing vertices are not stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Ragged {
    coords: Vec<Point>,
    ring_offsets: Vec<usize>,
    polygon_offsets: Vec<usize>,
    longest: usize,
    state: State,
}

/// What is known of the rows.
#[derive(Clone, Debug, PartialEq)]
enum State {
    Unchecked,
    /// Every row is good or missing; for each, whether it is convex.
    Checked(Vec<bool>),
}

/// What one row holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Row<'a> {
    /// No polygon.
    Missing,
    /// One ring.
    Ring(&'a [Point]),
}

impl Default for Ragged {
    fn default() -> Self {
        Self::new()
    }
}

impl Ragged {
    /// A column without rows.
    pub fn new() -> Self {
        Self {
            coords: Vec::new(),
            ring_offsets: vec![0],
            polygon_offsets: vec![0],
            longest: 0,
            state: State::Unchecked,
        }
    }

    /// Appends a polygon without holes; one without vertices is missing.
    pub fn push(&mut self, ring: &[Point]) {
        let open = match ring {
            [first, middle @ .., last] if first == last && !middle.is_empty() => {
                &ring[..=middle.len()]
            }
            _ => ring,
        };
        self.push_open(open);
    }

    fn push_open(&mut self, open: &[Point]) {
        self.coords.extend_from_slice(open);
        if !open.is_empty() {
            self.ring_offsets.push(self.coords.len());
        }
        self.polygon_offsets.push(self.ring_offsets.len() - 1);
        self.longest = self.longest.max(open.len());
        self.state = State::Unchecked;
    }

    /// Checks every row, once; a refused row is named.
    ///
    /// # Errors
    ///
    /// If a row is not a polygon; its number comes first.
    pub fn check(&mut self) -> Result<(), (usize, InvalidPolygon)> {
        if matches!(self.state, State::Checked(_)) {
            return Ok(());
        }
        let convex = (0..self.len())
            .map(|row| match self.row(row) {
                Row::Missing => Ok(false),
                Row::Ring(ring) => Polygon::new(ring)
                    .map(|polygon| polygon.is_convex())
                    .map_err(|why| (row, why)),
            })
            .collect::<Result<_, _>>()?;
        self.state = State::Checked(convex);
        Ok(())
    }

    /// Whether [`Self::check`] has found every row good.
    pub fn is_checked(&self) -> bool {
        matches!(self.state, State::Checked(_))
    }

    /// How many rows there are, missing ones included.
    pub fn len(&self) -> usize {
        self.polygon_offsets.len() - 1
    }

    /// How many vertices the longest row has.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn row(&self, row: usize) -> Row<'_> {
        let first = self.polygon_offsets[row];
        if first == self.polygon_offsets[row + 1] {
            return Row::Missing;
        }
        Row::Ring(&self.coords[self.ring(first)])
    }

    /// Where the vertices of a row stand among [`Self::coords`], all rings included.
    pub fn span(&self, row: usize) -> Range<usize> {
        let [first, last] = [self.polygon_offsets[row], self.polygon_offsets[row + 1]];
        self.ring_offsets[first]..self.ring_offsets[last]
    }

    fn ring(&self, ring: usize) -> Range<usize> {
        self.ring_offsets[ring]..self.ring_offsets[ring + 1]
    }

    /// All vertices, ring after ring.
    pub fn coords(&self) -> &[Point] {
        &self.coords
    }

    /// Where each ring starts among the vertices, and where the last ends.
    pub fn ring_offsets(&self) -> &[usize] {
        &self.ring_offsets
    }

    /// Where each polygon starts among the rings, and where the last ends.
    pub fn polygon_offsets(&self) -> &[usize] {
        &self.polygon_offsets
    }

    /// For each row of a checked column whether it is convex; missing rows are not.
    pub fn convex(&self) -> &[bool] {
        match &self.state {
            State::Checked(convex) => convex,
            State::Unchecked => &[],
        }
    }

    /// Least and greatest x and y of a row as `[x_min, y_min, x_max, y_max]`, NaN when missing.
    pub fn bounds(&self, row: usize) -> [f64; 4] {
        let vertices = &self.coords[self.span(row)];
        vertices.iter().fold([f64::NAN; 4], |[l, b, r, t], p| {
            [l.min(p.x), b.min(p.y), r.max(p.x), t.max(p.y)]
        })
    }

    /// The rows at these positions, in this order.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[must_use]
    pub fn take(&self, rows: impl Iterator<Item = usize>) -> Self {
        let mut taken = Self::new();
        let mut convex = Vec::new();
        for row in rows {
            match self.row(row) {
                Row::Missing => taken.push_open(&[]),
                Row::Ring(ring) => taken.push_open(ring),
            }
            convex.extend(self.convex().get(row));
        }
        if self.is_checked() {
            taken.state = State::Checked(convex);
        }
        taken
    }
}
