//! A column of polygons with any number of vertices each: coordinates and offsets.

use std::ops::Range;

use rayon::prelude::*;

use crate::error::InvalidPolygon;
use crate::geom::Point;
use crate::polygon::{Examined, Polygon, Rings, open};

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
#[derive(Clone, Debug)]
enum State {
    Unchecked,
    /// What each row turned out to be; nothing for those that are missing, or were trusted and
    /// can't be polygons.
    Examined(Vec<Option<Examined>>),
}

/// What was found out about the rows follows from them.
impl PartialEq for State {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Rows that a thread examines at a time, so that the price of sharing them out vanishes.
const SHARE: usize = 256;

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

    /// A column of rings, all with as many vertices, one after the other.
    ///
    /// # Panics
    ///
    /// If that is no vertex.
    pub fn of_rows(vertices: Vec<Point>, per_row: usize) -> Self {
        let mut column = Self::new();
        let is_closed = |ring: &[Point]| open(ring).len() < ring.len();
        if vertices.chunks(per_row).any(is_closed) {
            for ring in vertices.chunks(per_row) {
                column.push([ring]);
            }
            return column;
        }
        let rows = vertices.len() / per_row;
        column.ring_offsets = (0..=rows).map(|row| row * per_row).collect();
        column.polygon_offsets = (0..=rows).collect();
        column.longest = per_row;
        column.coords = vertices;
        column
    }

    /// Appends a polygon, shell first; one without vertices is missing. Closing vertices are
    /// dropped.
    pub fn push<'p>(&mut self, rings: impl IntoIterator<Item = &'p [Point]>) {
        let (start, first) = (self.coords.len(), self.ring_offsets.len());
        for ring in rings {
            self.coords.extend_from_slice(open(ring));
            self.ring_offsets.push(self.coords.len());
        }
        if self.coords.len() == start {
            self.ring_offsets.truncate(first);
        }
        self.polygon_offsets.push(self.ring_offsets.len() - 1);
        self.longest = self.longest.max(self.coords.len() - start);
        self.state = State::Unchecked;
    }

    /// Examines every row, once. A refused row is named, or with `trust` counts as missing. The
    /// threads are those of the rayon pool that this runs in.
    ///
    /// # Errors
    ///
    /// If a row is not a polygon, the first such; its number comes first.
    pub fn examine(&mut self, trust: bool, threads: usize) -> Result<(), (usize, InvalidPolygon)> {
        if self.is_examined() {
            return Ok(());
        }
        let examine = |row| self.examine_row(row, trust).map_err(|why| (row, why));
        let examined = if threads == 1 {
            (0..self.len()).map(examine).collect::<Result<_, _>>()?
        } else {
            let rows = (0..self.len()).into_par_iter().with_min_len(SHARE);
            let examined: Vec<_> = rows.map(examine).collect();
            examined.into_iter().collect::<Result<_, _>>()?
        };
        self.state = State::Examined(examined);
        Ok(())
    }

    fn examine_row(&self, row: usize, trust: bool) -> Result<Option<Examined>, InvalidPolygon> {
        let Some(rings) = self.rings(row) else {
            return Ok(None);
        };
        let polygon = if trust {
            Polygon::trusted(rings).ok()
        } else {
            Some(Polygon::new(rings)?)
        };
        Ok(polygon.map(|polygon| polygon.examined()))
    }

    /// Whether [`Self::examine`] has been here.
    pub fn is_examined(&self) -> bool {
        matches!(self.state, State::Examined(_))
    }

    /// The polygon of a row of an examined column; `None` if it is missing.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub(super) fn polygon(&self, row: usize) -> Option<Polygon<'_>> {
        let State::Examined(examined) = &self.state else {
            return None;
        };
        let examined = examined[row].as_ref()?;
        Some(Polygon::known(self.rings(row)?, examined))
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

    /// The rings of a row; `None` if it is missing.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn rings(&self, row: usize) -> Option<Rings<'_>> {
        let [first, last] = [self.polygon_offsets[row], self.polygon_offsets[row + 1]];
        (first < last).then(|| Rings::new(&self.coords, &self.ring_offsets[first..=last]))
    }

    /// Where the vertices of each ring of a row stand among [`Self::coords`].
    pub fn ring_spans(&self, row: usize) -> impl Iterator<Item = Range<usize>> {
        let rings = self.polygon_offsets[row]..self.polygon_offsets[row + 1];
        rings.map(|ring| self.ring_offsets[ring]..self.ring_offsets[ring + 1])
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

    /// For each row of an examined column whether it is convex; missing rows are not.
    pub fn convex(&self) -> Vec<bool> {
        let is_convex = |row| self.polygon(row).is_some_and(|polygon| polygon.is_convex());
        (0..self.len()).map(is_convex).collect()
    }

    /// Least and greatest x and y of a row as `[x_min, y_min, x_max, y_max]`, NaN when missing.
    pub fn bounds(&self, row: usize) -> [f64; 4] {
        let vertices = self.rings(row).map_or(&[][..], |rings| rings.vertices());
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
        let mut known = Vec::new();
        for row in rows {
            taken.push(self.ring_spans(row).map(|ring| &self.coords[ring]));
            if let State::Examined(examined) = &self.state {
                known.push(examined[row].clone());
            }
        }
        if self.is_examined() {
            taken.state = State::Examined(known);
        }
        taken
    }
}
