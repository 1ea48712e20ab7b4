//! A column of polygons with any number of vertices each: coordinates, where rings start in them,
//! which rings each row has, and what is known of each row. All of it may be shared.

mod compacted;
mod view;

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::batch::row_kinds::RowKinds;
use crate::batch::rows::Shared;
use crate::error::InvalidPolygon;
use crate::geom::{Bounds, Point};
use crate::shape::{Polygon, Rings};
use compacted::{Compacted, Part, Vertices};
pub(super) use view::{RowBoxes, View};

/// An immutable column. Rows that are chosen from it share its memory and what is known of them.
///
/// Rings lie in memory as they were given. Closing vertices are left out when a ring is looked at,
/// so that memory that has them can be used as it is.
#[derive(Clone)]
pub struct Column {
    base: Arc<Base>,
    chosen: RowSelection,
    known: Option<Arc<RowKinds>>,
    /// The rows' own vertices and offsets, once someone has asked for them.
    compacted: OnceLock<Compacted>,
}

/// Rows that a thread takes at a time, so that the price of sharing them out vanishes.
const SHARE: usize = 256;

/// What columns share: all rows of the column that was made first.
struct Base {
    coords: Shared<Point>,
    layout: Layout,
    longest: usize,
}

/// Which vertices each ring has, and which rings each row.
enum Layout {
    /// One ring per row, all with as many vertices: nothing needs to be stored.
    Even(usize),
    Offsets {
        rings: Vec<usize>,
        /// Where each row starts among the rings; with `None` it is one ring per row.
        rows: Option<Vec<usize>>,
    },
}

/// Rows of the base that make up a column.
#[derive(Clone)]
enum RowSelection {
    Run(Range<usize>),
    Listed(Arc<[usize]>),
}

impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Column({} rows)", self.len())
    }
}

impl Default for Column {
    /// A column without rows.
    fn default() -> Self {
        ColumnBuilder::default().build()
    }
}

/// Columns are equal if their rows are, in order; what was found out about them follows.
impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        let (own, others) = (self.view(), other.view());
        let same = |row| own.rings(row) == others.rings(row);
        self.len() == other.len() && (0..self.len()).all(same)
    }
}

/// Puts a column together, row by row.
#[derive(Clone, Debug, Default)]
pub struct ColumnBuilder {
    coords: Vec<Point>,
    ring_ends: Vec<usize>,
    row_ends: Vec<usize>,
}

impl ColumnBuilder {
    /// Appends a polygon, shell first; one without vertices is missing.
    pub fn push<'p>(&mut self, rings: impl IntoIterator<Item = &'p [Point]>) {
        for ring in rings {
            self.add_ring(ring.iter().copied());
        }
        self.end_row();
    }

    fn add_ring(&mut self, vertices: impl Iterator<Item = Point>) {
        self.coords.extend(vertices);
        self.ring_ends.push(self.coords.len());
    }

    fn end_row(&mut self) {
        self.row_ends.push(self.ring_ends.len());
    }

    /// The column.
    pub fn build(mut self) -> Column {
        self.coords.shrink_to_fit();
        let offsets = |ends: Vec<usize>| [vec![0], ends].concat();
        let (rings, rows) = (offsets(self.ring_ends), offsets(self.row_ends));
        Column::of_parts(Arc::new(self.coords), rings, Some(rows))
    }
}

impl Column {
    /// A column of `rows` rings, all with `per_row` vertices, one after the other.
    ///
    /// # Panics
    ///
    /// If there are more or fewer vertices.
    pub fn of_rows(coords: Shared<Point>, rows: usize, per_row: usize) -> Self {
        assert_eq!((*coords).as_ref().len(), rows * per_row);
        Self::whole(rows, coords, Layout::Even(per_row), per_row)
    }

    /// A column of coordinates, where each ring starts in them, and where each polygon starts
    /// among the rings, each with its end as a last item. By default each ring is a polygon. A
    /// polygon without vertices is missing.
    ///
    /// # Panics
    ///
    /// If offsets don't rise from 0 to the length of what they divide.
    pub fn of_parts(
        coords: Shared<Point>,
        ring_offsets: Vec<usize>,
        polygon_offsets: Option<Vec<usize>>,
    ) -> Self {
        assert!(divide(&ring_offsets, (*coords).as_ref().len()));
        let rings = ring_offsets.len() - 1;
        let is_trivial = |rows: &Vec<usize>| rows.iter().copied().eq(0..=rings);
        let polygon_offsets = polygon_offsets.filter(|rows| !is_trivial(rows));
        if let Some(rows) = &polygon_offsets {
            assert!(divide(rows, rings));
        } else if let Some(per_row) = stride(&ring_offsets) {
            return Self::of_rows(coords, rings, per_row);
        }
        let rows = polygon_offsets.as_ref().unwrap_or(&ring_offsets).len() - 1;
        let layout = Layout::Offsets {
            rings: ring_offsets,
            rows: polygon_offsets,
        };
        let longest = (0..rows).map(|row| layout.span(row).len()).max();
        Self::whole(rows, coords, layout, longest.unwrap_or(0))
    }

    fn whole(rows: usize, coords: Shared<Point>, layout: Layout, longest: usize) -> Self {
        let base = Arc::new(Base {
            coords,
            layout,
            longest,
        });
        Self {
            base,
            chosen: RowSelection::Run(0..rows),
            known: None,
            compacted: OnceLock::new(),
        }
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
        if !matches!(self.chosen, RowSelection::Run(Range { start: 0, .. })) {
            *self = self.detached();
        }
        let view = self.view();
        let average = view.coords.len() / self.len().max(1);
        let known = RowKinds::new([self.len(), average], |row| view.rings(row), trust, threads)?;
        self.known = Some(Arc::new(known));
        Ok(())
    }

    /// Whether [`Self::examine`] has been here.
    pub fn is_examined(&self) -> bool {
        self.known.is_some()
    }

    /// Whether every row is known to be valid or missing.
    pub fn is_validated(&self) -> bool {
        self.known.as_ref().is_some_and(|known| !known.trusted)
    }

    /// The same rows, of which nothing is known.
    #[must_use]
    pub fn unexamined(&self) -> Self {
        Self {
            known: None,
            ..self.clone()
        }
    }

    /// The same rows on their own.
    fn detached(&self) -> Self {
        let compacted = self.compacted();
        let coords: Shared<Point> = match &compacted.vertices {
            Vertices::There(range) => Arc::new(Part {
                whole: Arc::clone(&self.base.coords),
                range: range.clone(),
            }),
            Vertices::Copied(coords) => Arc::new(coords.clone()),
        };
        let rows = compacted.polygon_offsets.clone();
        Self::of_parts(coords, compacted.ring_offsets.clone(), Some(rows))
    }

    /// The rows, resolved for many looks at them.
    #[inline]
    pub(super) fn view(&self) -> View<'_> {
        View {
            coords: (*self.base.coords).as_ref(),
            layout: &self.base.layout,
            chosen: &self.chosen,
            known: self.known.as_deref(),
        }
    }

    /// How many rows there are, missing ones included.
    pub fn len(&self) -> usize {
        match &self.chosen {
            RowSelection::Run(rows) => rows.len(),
            RowSelection::Listed(rows) => rows.len(),
        }
    }

    /// At least how many vertices the longest row has; closing ones may be counted.
    pub fn longest(&self) -> usize {
        self.base.longest
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many rows are missing.
    pub fn missing(&self) -> usize {
        let view = self.view();
        let is_missing = |row: &usize| view.rings(*row).is_none();
        (0..self.len()).filter(is_missing).count()
    }

    /// How many vertices all rows have together.
    pub fn vertices(&self) -> usize {
        let view = self.view();
        let rings = (0..self.len()).filter_map(|row| view.rings(row));
        rings.map(|rings| rings.vertices()).sum()
    }

    /// The rings of a row; `None` if it is missing.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn rings(&self, row: usize) -> Option<Rings<'_>> {
        self.view().rings(row)
    }

    /// The memory that holds the vertices, those of other rows and closing ones included.
    pub fn memory(&self) -> &[Point] {
        (*self.base.coords).as_ref()
    }

    /// Where the vertices of each ring of a row stand in [`Self::memory`].
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn ring_spans(&self, row: usize) -> impl Iterator<Item = Range<usize>> {
        self.view().spans(row)
    }

    /// All vertices, ring after ring, without closing ones.
    pub fn coords(&self) -> &[Point] {
        match &self.compacted().vertices {
            Vertices::There(range) => &self.memory()[range.clone()],
            Vertices::Copied(coords) => coords,
        }
    }

    /// Where each ring starts among the vertices, and where the last ends.
    pub fn ring_offsets(&self) -> &[usize] {
        &self.compacted().ring_offsets
    }

    /// Where each polygon starts among the rings, and where the last ends.
    pub fn polygon_offsets(&self) -> &[usize] {
        &self.compacted().polygon_offsets
    }

    fn compacted(&self) -> &Compacted {
        self.compacted.get_or_init(|| Compacted::new(self))
    }

    /// How much memory is held, that which is shared with other columns included.
    pub fn nbytes(&self) -> usize {
        let offsets = match &self.base.layout {
            Layout::Even(_) => 0,
            Layout::Offsets { rings, rows } => rings.len() + rows.as_ref().map_or(0, Vec::len),
        };
        let chosen = match &self.chosen {
            RowSelection::Run(_) => 0,
            RowSelection::Listed(rows) => rows.len(),
        };
        size_of_val(self.memory())
            + (offsets + chosen) * size_of::<usize>()
            + self.known.as_ref().map_or(0, |known| known.nbytes())
            + self.compacted.get().map_or(0, Compacted::nbytes)
    }

    /// The same rows with other vertices, not examined yet: what `to` makes of the row's number
    /// and of each vertex.
    #[must_use]
    pub fn mapped(&self, to: impl Fn(usize, Point) -> Point) -> Self {
        let (view, mut mapped) = (self.view(), ColumnBuilder::default());
        mapped.coords.reserve(self.vertices());
        for row in 0..self.len() {
            for ring in view.rings(row).iter().flat_map(Rings::iter) {
                mapped.add_ring(ring.iter().map(|&vertex| to(row, vertex)));
            }
            mapped.end_row();
        }
        mapped.build()
    }

    /// Something about the polygon of each row, `None` where it is missing. The threads are those
    /// of the rayon pool that this runs in.
    pub fn each<T: Send>(
        &self,
        threads: usize,
        about: impl Fn(Option<Polygon<'_>>) -> T + Sync,
    ) -> Vec<T> {
        let view = self.view();
        let about = |row| about(view.polygon(row));
        if threads == 1 {
            return (0..self.len()).map(about).collect();
        }
        let rows = (0..self.len()).into_par_iter().with_min_len(SHARE);
        rows.map(about).collect()
    }

    /// The box round a row, [`Bounds::EMPTY`] when it is missing.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn bounds(&self, row: usize) -> Bounds {
        let shell = self.rings(row).map(|rings| rings.ring(0));
        let vertices = shell.into_iter().flatten();
        vertices.map(|&vertex| Bounds::from(vertex)).collect()
    }

    /// Consecutive rows; they share everything with this column.
    ///
    /// # Panics
    ///
    /// If there are no such rows.
    #[must_use]
    pub fn slice(&self, rows: Range<usize>) -> Self {
        assert!(rows.start <= rows.end && rows.end <= self.len());
        self.with(match &self.chosen {
            RowSelection::Run(own) => {
                RowSelection::Run(own.start + rows.start..own.start + rows.end)
            }
            RowSelection::Listed(own) => RowSelection::Listed(own[rows].into()),
        })
    }

    /// The rows at these positions, in this order; they share everything with this column.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[must_use]
    pub fn take(&self, rows: impl Iterator<Item = usize>) -> Self {
        let length = self.len();
        let of_base = |row| {
            assert!(row < length);
            self.chosen.of_base(row)
        };
        self.with(RowSelection::Listed(rows.map(of_base).collect()))
    }

    fn with(&self, chosen: RowSelection) -> Self {
        Self {
            base: Arc::clone(&self.base),
            chosen,
            known: self.known.clone(),
            compacted: OnceLock::new(),
        }
    }
}

/// Whether offsets rise from 0 to a length.
fn divide(offsets: &[usize], length: usize) -> bool {
    offsets.first() == Some(&0) && offsets.last() == Some(&length) && offsets.is_sorted()
}

/// The distance of offsets, if it is one and the same.
fn stride(offsets: &[usize]) -> Option<usize> {
    let [start, end, ..] = *offsets else {
        return None;
    };
    let even = offsets
        .windows(2)
        .all(|ends| ends[1] - ends[0] == end - start);
    even.then_some(end - start)
}

impl Layout {
    /// Where the vertices of all rings of a row lie.
    fn span(&self, row: usize) -> Range<usize> {
        match self {
            Self::Even(per_row) => row * per_row..(row + 1) * per_row,
            Self::Offsets { rings, rows: None } => rings[row]..rings[row + 1],
            Self::Offsets {
                rings,
                rows: Some(rows),
            } => rings[rows[row]]..rings[rows[row + 1]],
        }
    }

    /// Where its rings start and the last one ends; empty for one ring.
    fn offsets(&self, row: usize) -> &[usize] {
        match self {
            Self::Offsets {
                rings,
                rows: Some(rows),
            } => &rings[rows[row]..=rows[row + 1]],
            _ => &[],
        }
    }
}

impl RowSelection {
    /// The row of the base that is row `row` of the column.
    #[inline]
    fn of_base(&self, row: usize) -> usize {
        match self {
            Self::Run(rows) => rows.start + row,
            Self::Listed(rows) => rows[row],
        }
    }
}
