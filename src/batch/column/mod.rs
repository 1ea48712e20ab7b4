//! A column of shapes with any number of vertices each: coordinates, offsets of rings and rows,
//! and the kind of each row. All of it may be shared. The file is long because it has all that makes
//! a column; how rows lie in memory, are examined and are read is in the other files of its folder.

mod builder;
mod compact_copy;
mod concat;
mod examined_rows;
mod kinds_radii_faults;
mod layout;
mod row_access;
mod view;
mod with_rows;
mod without_invalid;

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::memory::{self, OutOfMemory};
use super::{ExamineError, Validation};
use crate::broad::{BoxIndex, BoxTree};
use crate::geom::{Bounds, Point};
use crate::shape::ShapeKind;
pub use builder::ColumnBuilder;
use compact_copy::{Compacted, Extent};
use examined_rows::ExaminedRows;
use kinds_radii_faults::KindsRadiiFaults;
use layout::{Layout, RowSelection, divide, stride};
pub use layout::{RaggedOffsets, Shared};
pub(super) use view::{EvenRings, RowBoxes, View};

/// An immutable column. Rows selected from it share its memory and what is known of them.
///
/// Rings are stored as they were given. Closing vertices are skipped when a ring is read, so that
/// memory that has them can be used as it is.
#[derive(Clone)]
pub struct Column {
    base: Arc<Base>,
    selection: RowSelection,
    /// What is known of all stored rows, once they were examined.
    examined: Option<Arc<ExaminedRows>>,
    /// The rows' own vertices and offsets, computed when they are first read.
    compacted: OnceLock<Compacted>,
    /// The boxes of selected rows and a tree over them, made when first needed.
    index: OnceLock<Box<(Vec<Bounds>, BoxTree)>>,
    /// The coordinate reference system, as the data stated it.
    crs: Option<Arc<str>>,
}

/// Consecutive rows of less than this part of all stored rows have a tree of their own: a search in the
/// tree over all would visit many others.
const LEAST_PART: usize = 8;

/// Bytes for each row while an index is made: its box, and some 100 bytes of the tree's.
pub(super) const INDEXED: usize = 8 * size_of::<Bounds>();

/// The stored rows: all rows of the column from which others were selected.
struct Base {
    coords: Shared<Point>,
    layout: Arc<Layout>,
    attributes: KindsRadiiFaults,
    rows: usize,
    longest: usize,
}

impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Column({} rows)", self.len())
    }
}

/// Columns are equal if their rows are, in order, whatever their coordinate reference systems.
impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        let (own, others) = (self.view(), other.view());
        let same = |row| own.rings(row) == others.rings(row);
        self.len() == other.len() && (0..self.len()).all(same)
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

    /// A column of rows of different sizes, each of one or more polygons. A row without vertices is
    /// missing.
    ///
    /// # Panics
    ///
    /// If offsets don't rise from 0 to the number of items that they divide.
    pub fn of_shapes(coords: Shared<Point>, mut offsets: RaggedOffsets) -> Self {
        let mut items = (*coords).as_ref().len();
        for starts in offsets.levels() {
            assert!(divide(starts, items));
            items = starts.len() - 1;
        }
        let rings = offsets.rings.len() - 1;
        // Points, for example, then need no offsets at all, which large joins would wait for.
        let is_each = |starts: &mut Vec<usize>| starts.iter().copied().eq(0..starts.len());
        offsets.shapes.take_if(is_each);
        if offsets.shapes.is_some() {
            (offsets.polygons).get_or_insert_with(|| (0..=rings).collect());
        } else {
            let polygons = &mut offsets.polygons;
            polygons.take_if(|starts| starts.iter().copied().eq(0..=rings));
            if polygons.is_none()
                && let Some(per_row) = stride(&offsets.rings)
            {
                return Self::of_rows(coords, rings, per_row);
            }
        }
        let layout = Layout::Offsets(offsets);
        let longest = (0..items).map(|row| layout.span(row).len()).max();
        Self::whole(items, coords, layout, longest.unwrap_or(0))
    }

    /// The same rows of a column that was not examined, with these kinds and radii. An empty list stands
    /// for polygons, and for 0.
    ///
    /// # Panics
    ///
    /// If there are not as many kinds and radii as rows.
    #[must_use]
    pub fn of_kinds(self, kinds: Vec<ShapeKind>, radii: Vec<f64>) -> Self {
        let count = self.len();
        assert!(
            [kinds.len(), radii.len()]
                .iter()
                .all(|&it| it == 0 || it == count)
        );
        let faults = self.base.attributes.faults.clone();
        self.with_attributes(KindsRadiiFaults {
            kinds: Some(kinds).filter(|it| it.iter().any(|&kind| kind != ShapeKind::Polygon)),
            radii: Some(radii).filter(|it| it.iter().any(|&radius| radius != 0.0)),
            faults,
        })
    }

    /// The same rows of a column that was not examined, of which these, in order, can't be read, and why.
    #[must_use]
    pub fn with_faults(self, faults: Vec<(usize, String)>) -> Self {
        let attributes = self.base.attributes.clone();
        self.with_attributes(KindsRadiiFaults {
            faults,
            ..attributes
        })
    }

    /// The coordinate reference system: a JSON object, or text.
    pub fn crs(&self) -> Option<&Arc<str>> {
        self.crs.as_ref()
    }

    /// The same rows with another coordinate reference system, or without one.
    #[must_use]
    pub fn with_crs(self, crs: Option<Arc<str>>) -> Self {
        Self { crs, ..self }
    }

    /// The same rows of a column that was not examined, with other attributes.
    fn with_attributes(self, attributes: KindsRadiiFaults) -> Self {
        if attributes == self.base.attributes {
            return self;
        }
        let base = Base {
            coords: Arc::clone(&self.base.coords),
            layout: Arc::clone(&self.base.layout),
            attributes,
            ..*self.base
        };
        Self {
            base: Arc::new(base),
            ..self.with(self.selection.clone())
        }
    }

    /// The same rows with other radii, examined if the column is. A single radius is that of all rows.
    ///
    /// # Errors
    ///
    /// If there is no memory for what is known of the rows.
    ///
    /// # Panics
    ///
    /// If there are not as many radii as rows.
    pub fn with_radius(&self, radii: &[f64], threads: usize) -> Result<Self, OutOfMemory> {
        let own = self.only_own();
        let radii = match *radii {
            [one] => vec![one; self.len()],
            _ => radii.to_vec(),
        };
        assert_eq!(radii.len(), self.len());
        let kinds = own.base.attributes.kinds.clone();
        let mut column = own.of_kinds(kinds.unwrap_or_default(), radii);
        if let Some(before) = &self.examined {
            // Which rows are valid does not depend on the radius.
            let (known, view) = (self.view(), column.view());
            let rings = |row| known.polygon(row).and_then(|_| view.rings(row));
            let average = view.coords.len() / self.len().max(1);
            let examined =
                ExaminedRows::new([self.len(), average], rings, Validation::Trust, threads);
            let mut examined = examined.map_err(|why| match why {
                ExamineError::OutOfMemory(why) => why,
                ExamineError::Invalid(..) => unreachable!("trusted rows are not refused"),
            })?;
            examined.trusted = before.trusted;
            column.examined = Some(Arc::new(examined));
        }
        Ok(column)
    }

    fn whole(rows: usize, coords: Shared<Point>, layout: Layout, longest: usize) -> Self {
        let base = Arc::new(Base {
            coords,
            layout: Arc::new(layout),
            attributes: KindsRadiiFaults::default(),
            rows,
            longest,
        });
        Self {
            base,
            selection: RowSelection::Run(0..rows),
            examined: None,
            compacted: OnceLock::new(),
            index: OnceLock::new(),
            crs: None,
        }
    }

    /// Validates every row and finds its kind, once, in the rayon pool that this runs in. Invalid rows
    /// that are masked lose their vertices.
    ///
    /// # Errors
    ///
    /// If a row is invalid, or without memory for what is kept of them.
    pub fn examine(&mut self, validation: Validation, threads: usize) -> Result<(), ExamineError> {
        if self.is_examined() {
            return Ok(());
        }
        if !matches!(self.selection, RowSelection::Run(Range { start: 0, .. })) {
            *self = self.detached();
        }
        let view = self.view();
        let average = view.coords.len() / self.len().max(1);
        let examined = ExaminedRows::new(
            [self.len(), average],
            #[inline(always)]
            |row| view.rings(row),
            validation,
            threads,
        );
        let mut examined = examined?;
        let faults = std::mem::take(&mut examined.faults);
        if !faults.is_empty() {
            *self = self.without(&faults);
        }
        self.examined = Some(Arc::new(examined));
        Ok(())
    }

    /// Whether the rows were examined.
    pub fn is_examined(&self) -> bool {
        self.examined.is_some()
    }

    /// Whether every row is known to be valid or missing.
    pub fn is_validated(&self) -> bool {
        self.examined.as_ref().is_some_and(|it| !it.trusted)
    }

    /// The same rows, not examined.
    #[must_use]
    pub fn unexamined(&self) -> Self {
        Self {
            examined: None,
            ..self.with(self.selection.clone())
        }
    }

    /// The same rows, not examined, as a column that stores no others.
    fn only_own(&self) -> Self {
        if self.is_whole() {
            self.unexamined()
        } else {
            self.detached()
        }
    }

    /// Whether the column has all stored rows, in order.
    fn is_whole(&self) -> bool {
        self.selection == RowSelection::Run(0..self.base.rows)
    }

    /// The same rows as a column that stores no others.
    fn detached(&self) -> Self {
        let compacted = self.compacted();
        let coords = Arc::clone(&compacted.coords);
        let attributes =
            (self.base.attributes).of_rows((0..self.len()).map(|row| self.selection.stored(row)));
        Self::of_shapes(coords, compacted.offsets.clone())
            .with_attributes(attributes)
            .with_crs(self.crs.clone())
    }

    /// The column, borrowed to read many rows.
    #[inline]
    pub(super) fn view(&self) -> View<'_> {
        View {
            coords: (*self.base.coords).as_ref(),
            layout: &self.base.layout,
            attributes: &self.base.attributes,
            selection: &self.selection,
            examined: self.examined.as_deref(),
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

    /// The memory with the vertices, including closing ones and those of rows not selected.
    pub fn memory(&self) -> &[Point] {
        (*self.base.coords).as_ref()
    }

    /// All vertices, ring after ring, without closing ones.
    pub fn coords(&self) -> &[Point] {
        (*self.compacted().coords).as_ref()
    }

    /// Where each ring starts among [`Self::coords`], each polygon among the rings, and each row among
    /// the polygons if some have several. All points or paths of a row
    /// count as one polygon.
    pub fn offsets(&self) -> &RaggedOffsets {
        &self.compacted().offsets
    }

    /// The boxes of the rows of an examined column, and a tree that finds them. Consecutive rows share
    /// those of the column that they were taken from, unless they are a small part of it.
    pub(super) fn index(&self) -> BoxIndex<'_> {
        let (view, examined) = (self.view(), self.examined.as_ref());
        let examined = examined.expect("an examined column");
        if let Some(rows) = self.run_of_shared_index() {
            let (boxes, tree) = examined.index(|row| view.bounds(row));
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

    /// Whether [`Self::index`] is kept already.
    pub(super) fn is_indexed(&self) -> bool {
        if self.run_of_shared_index().is_some() {
            self.examined.as_ref().is_some_and(|it| it.is_indexed())
        } else {
            self.index.get().is_some()
        }
    }

    /// The rows of the column that this one was taken from, if it shares their boxes and tree.
    fn run_of_shared_index(&self) -> Option<&Range<usize>> {
        let all = self.examined.as_ref()?.rows();
        match &self.selection {
            RowSelection::Run(rows) if rows.len() * LEAST_PART >= all => Some(rows),
            _ => None,
        }
    }

    fn compacted(&self) -> &Compacted {
        self.compacted_to(|| Extent::of(self.view()))
    }

    fn compacted_to(&self, extent: impl FnOnce() -> Extent) -> &Compacted {
        self.compacted
            .get_or_init(|| Compacted::new(self.view(), &self.base.coords, extent()))
    }

    /// Computes what [`Self::coords`] and [`Self::offsets`] give, if there is memory for that.
    pub(crate) fn compact(&self) -> Result<(), OutOfMemory> {
        if self.compacted.get().is_none() {
            let extent = Extent::of(self.view());
            memory::check(extent.bytes())?;
            self.compacted_to(|| extent);
        }
        Ok(())
    }

    /// Computes what a copy of the rows needs if there are others in memory, if there is memory for that and for a
    /// copy of the offsets.
    pub(crate) fn compact_selection(&self) -> Result<(), OutOfMemory> {
        if self.is_whole() {
            return Ok(());
        }
        self.compact()?;
        let offsets = self.offsets().levels().map(Vec::len).sum::<usize>();
        memory::check(offsets * size_of::<usize>())
    }

    /// Checks that there is memory for what [`Self::index`] makes.
    pub(crate) fn check_index(&self) -> Result<(), OutOfMemory> {
        if self.is_indexed() {
            return Ok(());
        }
        let all = self.run_of_shared_index().and(self.examined.as_ref());
        let rows = all.map_or(self.len(), |examined| examined.rows());
        memory::check(rows.saturating_mul(INDEXED))
    }

    /// Bytes of memory held, including those shared with other columns.
    pub fn nbytes(&self) -> usize {
        let selection = match &self.selection {
            RowSelection::Run(_) => 0,
            RowSelection::Listed(rows) => rows.len(),
        };
        size_of_val(self.memory())
            + self.base.layout.nbytes()
            + selection * size_of::<usize>()
            + self.base.attributes.nbytes()
            + self.examined.as_ref().map_or(0, |it| it.nbytes())
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
        let own = self.only_own();
        let (view, mut coords) = (own.view(), Vec::with_capacity(own.memory().len()));
        for row in 0..own.len() {
            let span = view.layout.span(row);
            coords.extend(view.coords[span].iter().map(|&vertex| to(row, vertex)));
        }
        let base = Base {
            coords: Arc::new(coords),
            layout: Arc::clone(&own.base.layout),
            attributes: own.base.attributes.clone(),
            ..*own.base
        };
        Self {
            base: Arc::new(base),
            ..own
        }
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
            examined: self.examined.clone(),
            compacted: OnceLock::new(),
            index: OnceLock::new(),
            crs: self.crs.clone(),
        }
    }
}
