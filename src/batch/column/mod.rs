//! A column of polygons with any number of vertices each: coordinates, offsets of rings and rows,
//! and the kind of each row. All of it may be shared. The file is long because it has all that a column
//! offers; how rows lie in memory, are examined and are read is in the other files of its folder.

mod compacted;
mod layout;
mod row_kinds;
mod view;

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::broad::{BoxIndex, BoxTree};
use crate::error::InvalidPolygon;
use crate::geom::{Bounds, Point};
use crate::shape::{Polygon, Rings};
use compacted::Compacted;
pub use layout::Shared;
use layout::{Layout, RowSelection, divide, stride};
use row_kinds::RowKinds;
pub(super) use view::{EvenRings, RowBoxes, View};

/// An immutable column. Rows selected from it share its memory and their kinds.
///
/// Rings are stored as they were given. Closing vertices are skipped when a ring is read, so that
/// memory that has them can be used as it is.
#[derive(Clone)]
pub struct Column {
    base: Arc<Base>,
    selection: RowSelection,
    /// The kinds of all stored rows, once they were examined.
    kinds: Option<Arc<RowKinds>>,
    /// The rows' own vertices and offsets, computed when they are first read.
    compacted: OnceLock<Compacted>,
    /// The boxes of selected rows and a tree over them, made when first needed.
    index: OnceLock<Box<(Vec<Bounds>, BoxTree)>>,
}

/// Consecutive rows of less than this part of all stored rows have a tree of their own: a search in the
/// tree over all would visit many others.
const LEAST_PART: usize = 8;

/// Rows that a thread takes at a time: enough that the cost of taking them vanishes.
const SHARE: usize = 256;

/// The stored rows: all rows of the column from which others were selected.
struct Base {
    coords: Shared<Point>,
    layout: Layout,
    longest: usize,
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

/// Columns are equal if their rows are, in order.
impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        let (own, others) = (self.view(), other.view());
        let same = |row| own.rings(row) == others.rings(row);
        self.len() == other.len() && (0..self.len()).all(same)
    }
}

/// Builds a column row by row.
#[derive(Clone, Debug, Default)]
pub struct ColumnBuilder {
    coords: Vec<Point>,
    ring_ends: Vec<usize>,
    row_ends: Vec<usize>,
}

impl ColumnBuilder {
    /// Appends a polygon, shell first. A polygon without vertices is a missing row.
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
    /// A column of `rows` rings with `per_row` vertices each.
    ///
    /// # Panics
    ///
    /// If the number of vertices is not `rows * per_row`.
    pub fn of_rows(coords: Shared<Point>, rows: usize, per_row: usize) -> Self {
        assert_eq!((*coords).as_ref().len(), rows * per_row);
        Self::whole(rows, coords, Layout::Even(per_row), per_row)
    }

    /// A column of as many rings with `per_row` vertices each as there are vertices for.
    pub fn dense(coords: Shared<Point>, per_row: usize) -> Self {
        let rows = (*coords).as_ref().len() / per_row.max(1);
        Self::of_rows(coords, rows, per_row)
    }

    /// A column of rows of different sizes. Offsets say where each ring starts among the coordinates, and where
    /// each polygon starts among the rings; their last item is the end. By default each ring is a
    /// polygon. A polygon without vertices is a missing row.
    ///
    /// # Panics
    ///
    /// If offsets don't rise from 0 to the number of items that they divide.
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
            selection: RowSelection::Run(0..rows),
            kinds: None,
            compacted: OnceLock::new(),
            index: OnceLock::new(),
        }
    }

    /// Validates every row and finds its kind, once, in the rayon pool that this runs in. With
    /// `trust`, invalid rows count as missing.
    ///
    /// # Errors
    ///
    /// If a row is invalid: the number of the first such row, and what is wrong with it.
    pub fn examine(&mut self, trust: bool, threads: usize) -> Result<(), (usize, InvalidPolygon)> {
        if self.is_examined() {
            return Ok(());
        }
        if !matches!(self.selection, RowSelection::Run(Range { start: 0, .. })) {
            *self = self.detached();
        }
        let view = self.view();
        let average = view.coords.len() / self.len().max(1);
        let kinds = RowKinds::new(
            [self.len(), average],
            #[inline(always)]
            |row| view.rings(row),
            trust,
            threads,
        )?;
        self.kinds = Some(Arc::new(kinds));
        Ok(())
    }

    /// Whether the rows were examined.
    pub fn is_examined(&self) -> bool {
        self.kinds.is_some()
    }

    /// Whether every row is known to be valid or missing.
    pub fn is_validated(&self) -> bool {
        self.kinds.as_ref().is_some_and(|kinds| !kinds.trusted)
    }

    /// The same rows, not examined.
    #[must_use]
    pub fn unexamined(&self) -> Self {
        Self {
            kinds: None,
            ..self.with(self.selection.clone())
        }
    }

    /// The same rows as a column that stores no others.
    fn detached(&self) -> Self {
        let compacted = self.compacted();
        let rows = compacted.polygon_offsets.clone();
        let coords = Arc::clone(&compacted.coords);
        Self::of_parts(coords, compacted.ring_offsets.clone(), Some(rows))
    }

    /// The column, borrowed to read many rows.
    #[inline]
    pub(super) fn view(&self) -> View<'_> {
        View {
            coords: (*self.base.coords).as_ref(),
            layout: &self.base.layout,
            selection: &self.selection,
            kinds: self.kinds.as_deref(),
        }
    }

    /// Number of rows, missing ones included.
    pub fn len(&self) -> usize {
        self.selection.len()
    }

    /// An upper bound of the vertices of a row; closing vertices may be counted.
    pub fn longest(&self) -> usize {
        self.base.longest
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of missing rows.
    pub fn missing(&self) -> usize {
        let view = self.view();
        let is_missing = |row: &usize| view.rings(*row).is_none();
        (0..self.len()).filter(is_missing).count()
    }

    /// Number of vertices of all rows.
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

    /// The memory with the vertices, including closing ones and those of rows not selected.
    pub fn memory(&self) -> &[Point] {
        (*self.base.coords).as_ref()
    }

    /// The range of each ring of a row in [`Self::memory`], without closing vertices.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn ring_spans(&self, row: usize) -> impl Iterator<Item = Range<usize>> {
        self.view().spans(row)
    }

    /// All vertices, ring after ring, without closing ones.
    pub fn coords(&self) -> &[Point] {
        (*self.compacted().coords).as_ref()
    }

    /// Where each ring starts among [`Self::coords`], and where the last ends.
    pub fn ring_offsets(&self) -> &[usize] {
        &self.compacted().ring_offsets
    }

    /// Where each polygon starts among the rings, and where the last ends.
    pub fn polygon_offsets(&self) -> &[usize] {
        &self.compacted().polygon_offsets
    }

    /// The boxes of the rows of an examined column, and a tree that finds them. Consecutive rows share
    /// those of the column that they were taken from, unless they are a small part of it.
    pub(super) fn index(&self) -> BoxIndex<'_> {
        let view = self.view();
        let stored = self.kinds.as_ref().map_or(0, |kinds| kinds.rows());
        if let RowSelection::Run(rows) = &self.selection
            && rows.len() * LEAST_PART >= stored
        {
            let (boxes, tree) = view.stored_index().expect("an examined column");
            return BoxIndex::new(&boxes[rows.clone()], tree, rows.start);
        }
        let (boxes, tree) = &**self.index.get_or_init(|| {
            let boxes = view.boxes(false).expect("an examined column");
            let boxes: Vec<_> = (0..self.len()).map(|row| boxes.at(row)).collect();
            let tree = BoxTree::new(boxes.iter().copied());
            Box::new((boxes, tree))
        });
        BoxIndex::new(boxes, tree, 0)
    }

    fn compacted(&self) -> &Compacted {
        self.compacted
            .get_or_init(|| Compacted::new(self.view(), &self.base.coords))
    }

    /// Bytes of memory held, including those shared with other columns.
    pub fn nbytes(&self) -> usize {
        let selection = match &self.selection {
            RowSelection::Run(_) => 0,
            RowSelection::Listed(rows) => rows.len(),
        };
        size_of_val(self.memory())
            + (self.base.layout.len() + selection) * size_of::<usize>()
            + self.kinds.as_ref().map_or(0, |kinds| kinds.nbytes())
            + self.compacted.get().map_or(0, |it| it.nbytes)
            + self.index.get().map_or(0, |index| {
                let (boxes, tree) = &**index;
                boxes.capacity() * size_of::<Bounds>() + tree.nbytes()
            })
    }

    /// The rows with each vertex mapped by `to`, which takes the row number and the vertex. The new
    /// column is not examined.
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

    /// Applies a function to the polygon of each row (`None` where it is missing), in the rayon pool
    /// that this runs in.
    pub fn each<T: Send>(
        &self,
        threads: usize,
        map: impl Fn(Option<Polygon<'_>>) -> T + Sync,
    ) -> Vec<T> {
        let view = self.view();
        let map = |row| map(view.polygon(row));
        if threads == 1 {
            return (0..self.len()).map(map).collect();
        }
        let rows = (0..self.len()).into_par_iter().with_min_len(SHARE);
        rows.map(map).collect()
    }

    /// The bounding box of a row, [`Bounds::EMPTY`] if it is missing.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn bounds(&self, row: usize) -> Bounds {
        let shell = self.rings(row).map(|rings| rings.ring(0));
        let vertices = shell.into_iter().flatten();
        vertices.map(|&vertex| Bounds::from(vertex)).collect()
    }

    /// Consecutive rows, which share all memory with this column.
    ///
    /// # Panics
    ///
    /// If there are no such rows.
    #[must_use]
    pub fn slice(&self, rows: Range<usize>) -> Self {
        assert!(rows.start <= rows.end && rows.end <= self.len());
        self.with(match &self.selection {
            RowSelection::Run(own) => {
                RowSelection::Run(own.start + rows.start..own.start + rows.end)
            }
            RowSelection::Listed(own) => RowSelection::Listed(own[rows].into()),
        })
    }

    /// The rows at these positions, in this order, which share all memory with this column.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[must_use]
    pub fn take(&self, rows: impl Iterator<Item = usize>) -> Self {
        let length = self.len();
        let stored = |row| {
            assert!(row < length);
            self.selection.stored(row)
        };
        self.with(RowSelection::Listed(rows.map(stored).collect()))
    }

    fn with(&self, selection: RowSelection) -> Self {
        Self {
            base: Arc::clone(&self.base),
            selection,
            kinds: self.kinds.clone(),
            compacted: OnceLock::new(),
            index: OnceLock::new(),
        }
    }
}
