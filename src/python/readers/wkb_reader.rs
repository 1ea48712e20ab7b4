//! Shapes in well-known binary: ISO's and that of PostGIS, in either byte order. Shapely reads the values that are
//! something else, and tells what is wrong with invalid ones.

use std::sync::Arc;

use pyo3::PyResult;

use crate::batch::memory::{self, OutOfMemory};
use crate::batch::{Column, RaggedOffsets};
use crate::geom::Point;
use crate::python::crs;
use crate::shape::ShapeKind;

/// The kinds in the order of their numbers, from 1, in WKB and in GeoArrow's unions. The parts of those from the fourth on
/// are of the first three.
pub(crate) const KINDS: [ShapeKind; 6] = [
    ShapeKind::Point,
    ShapeKind::Path,
    ShapeKind::Polygon,
    ShapeKind::MultiPoint,
    ShapeKind::MultiPath,
    ShapeKind::MultiPolygon,
];

/// Why a value is not read here.
enum Unread {
    /// It is another shape, or in another form.
    Form,
    /// There is no memory for it.
    Memory(OutOfMemory),
}

impl From<OutOfMemory> for Unread {
    fn from(why: OutOfMemory) -> Self {
        Self::Memory(why)
    }
}

/// The rows of a column: vertices, and where rings, polygons and rows end. All points or paths of a row count as
/// one polygon.
#[derive(Default)]
pub(crate) struct WkbRows {
    /// Whether Z and M are left out; else shapes that have them are left to Shapely.
    drop_z: bool,
    points: Vec<Point>,
    rings: Vec<usize>,
    polygons: Vec<usize>,
    rows: Vec<usize>,
    kinds: Vec<ShapeKind>,
    /// The rows that are left to Shapely, which are missing here.
    left: Vec<usize>,
    /// The SRID of the first row that has one, and that row.
    srid: Option<(u32, usize)>,
    /// The SRID of the first row that has another one, and that row.
    other_srid: Option<(u32, usize)>,
}

impl WkbRows {
    pub(crate) fn new(drop_z: bool) -> Self {
        Self {
            drop_z,
            ..Self::default()
        }
    }

    /// Makes room for so many rows more, each of one ring.
    pub(crate) fn reserve(&mut self, rows: usize) -> Result<(), OutOfMemory> {
        memory::reserve(&mut self.kinds, rows)?;
        for ends in [&mut self.rings, &mut self.polygons, &mut self.rows] {
            // And for the first start.
            memory::reserve(ends, rows + 1)?;
        }
        Ok(())
    }

    /// Appends a shape, or a missing row.
    pub(crate) fn push(&mut self, value: Option<&[u8]>) -> Result<(), OutOfMemory> {
        let Some(value) = value else {
            return self.end_row(ShapeKind::Polygon);
        };
        let [points, rings, polygons] = [self.points.len(), self.rings.len(), self.polygons.len()];
        match self.push_shape(value) {
            Ok((kind, srid)) => {
                if srid != 0 {
                    let (row, first) = (self.rows.len(), &mut self.srid);
                    if first.get_or_insert((srid, row)).0 != srid {
                        self.other_srid.get_or_insert((srid, row));
                    }
                }
                self.end_row(kind)
            }
            Err(Unread::Memory(why)) => Err(why),
            Err(Unread::Form) => {
                self.points.truncate(points);
                self.rings.truncate(rings);
                self.polygons.truncate(polygons);
                push(&mut self.left, self.rows.len())?;
                self.end_row(ShapeKind::Polygon)
            }
        }
    }

    /// Appends the rings of a shape, and gives its kind and its SRID. An empty shape, which has neither, counts as a
    /// polygon.
    fn push_shape(&mut self, value: &[u8]) -> Result<(ShapeKind, u32), Unread> {
        let (head, mut rest) = self.head(value)?;
        let kind = KINDS[head.number];
        if head.is_empty(rest) {
            return Ok((ShapeKind::Polygon, 0));
        }
        if let Some(part) = head.number.checked_sub(3) {
            let parts;
            (parts, rest) = head.count(rest)?;
            for _ in 0..parts {
                rest = match self.head(rest)? {
                    (head, rest) if head.number == part => self.push_part(head, rest)?,
                    _ => return Err(Unread::Form),
                };
                if kind == ShapeKind::MultiPolygon {
                    push(&mut self.polygons, self.rings.len())?;
                }
            }
        } else {
            rest = self.push_part(head, rest)?;
        }
        if rest.is_empty() {
            Ok((kind, head.srid))
        } else {
            Err(Unread::Form)
        }
    }

    /// Appends the vertices of a point, a path or a polygon, and gives the bytes after it.
    fn push_part<'b>(&mut self, head: Head, bytes: &'b [u8]) -> Result<&'b [u8], Unread> {
        match KINDS[head.number] {
            ShapeKind::Point => self.push_ring(head, 1, bytes, |point| !point[0].x.is_nan()),
            ShapeKind::Path => {
                let (size, rest) = head.count(bytes)?;
                self.push_ring(head, size, rest, |path| path.len() > 1)
            }
            _ => {
                let (rings, mut rest) = head.count(bytes)?;
                for _ in 0..rings {
                    let (size, vertices) = head.count(rest)?;
                    // A ring with a NaN at its ends is left to Shapely, too.
                    rest = self.push_ring(head, size, vertices, |ring| {
                        ring.len() > 3 && ring.first() == ring.last()
                    })?;
                }
                Ok(rest)
            }
        }
    }

    /// Appends vertices that pass the check, and gives the bytes after them.
    fn push_ring<'b>(
        &mut self,
        head: Head,
        size: usize,
        bytes: &'b [u8],
        check: impl FnOnce(&[Point]) -> bool,
    ) -> Result<&'b [u8], Unread> {
        let length = size.checked_mul(head.width * size_of::<f64>());
        let split = length.and_then(|length| bytes.split_at_checked(length));
        let (ring, rest) = split.ok_or(Unread::Form)?;
        memory::reserve(&mut self.points, size)?;
        let (numbers, _) = ring.as_chunks();
        let start = self.points.len();
        self.points.extend(
            numbers
                .chunks_exact(head.width)
                .map(|vertex| head.point(vertex)),
        );
        if !check(&self.points[start..]) {
            return Err(Unread::Form);
        }
        push(&mut self.rings, self.points.len())?;
        Ok(rest)
    }

    fn end_row(&mut self, kind: ShapeKind) -> Result<(), OutOfMemory> {
        if kind != ShapeKind::MultiPolygon {
            push(&mut self.polygons, self.rings.len())?;
        }
        push(&mut self.rows, self.polygons.len())?;
        push(&mut self.kinds, kind)
    }

    /// The kind of the shape that begins here, and how it is written; and the bytes after that.
    fn head<'b>(&self, bytes: &'b [u8]) -> Result<(Head, &'b [u8]), Unread> {
        let (&order, rest) = bytes.split_first().ok_or(Unread::Form)?;
        let (&code, mut rest) = rest.split_first_chunk().ok_or(Unread::Form)?;
        let is_big = order == 0;
        let code = number(code, is_big);
        let [has_z, has_m, has_srid] = [Z, M, SRID].map(|flag| code & flag != 0);
        let code = code & !(Z | M | SRID);
        let iso = code / 1000;
        let width = 2 + usize::from(has_z || iso & 1 == 1) + usize::from(has_m || iso & 2 == 2);
        let is_known = order <= 1 && iso <= 3 && (1..=6).contains(&(code % 1000));
        if !is_known || width > 2 && !self.drop_z {
            return Err(Unread::Form);
        }
        let mut srid = 0;
        if has_srid {
            let bytes;
            (bytes, rest) = rest.split_first_chunk().ok_or(Unread::Form)?;
            // Negative ones stand for none.
            srid = super::wkb_reader::number(*bytes, is_big);
            srid *= u32::from(i32::try_from(srid).is_ok());
        }
        let number = (code % 1000) as usize - 1;
        let head = Head {
            number,
            srid,
            is_big,
            width,
        };
        Ok((head, rest))
    }

    /// The SRID of all rows that have one, and the first of these. Two that differ are an error, where rows are those
    /// of an argument.
    pub(crate) fn srid(&self, name: &str) -> PyResult<Option<(u32, usize)>> {
        if let (Some((srid, first)), Some((other, row))) = (self.srid, self.other_srid) {
            return Err(crs::two_srids(name, [(row, other), (first, srid)]));
        }
        Ok(self.srid)
    }

    /// The rows that are left to Shapely, in order.
    pub(crate) fn left(&self) -> &[usize] {
        &self.left
    }

    /// The rows as a column, not examined yet. Those that are left to Shapely are missing.
    pub(crate) fn build(mut self) -> Column {
        self.points.shrink_to_fit();
        let starts = |mut ends: Vec<usize>| {
            ends.insert(0, 0);
            ends
        };
        let has_several = self.kinds.contains(&ShapeKind::MultiPolygon);
        let offsets = RaggedOffsets {
            rings: starts(self.rings),
            polygons: Some(starts(self.polygons)),
            shapes: has_several.then(|| starts(self.rows)),
        };
        Column::of_shapes(Arc::new(self.points), offsets).of_kinds(self.kinds, Vec::new())
    }
}

/// Flags of PostGIS in the code of a kind: each vertex has a Z or an M; the number of a reference system comes before
/// the shape. ISO adds 1000 to the code for Z, and 2000 for M.
const Z: u32 = 1 << 31;
const M: u32 = 1 << 30;
const SRID: u32 = 1 << 29;

/// The kind of a shape or a part, and how its numbers are written.
#[derive(Clone, Copy)]
struct Head {
    /// The place of the kind in [`KINDS`].
    number: usize,
    /// 0 where none is written.
    srid: u32,
    is_big: bool,
    /// Coordinates of a vertex.
    width: usize,
}

impl Head {
    /// How many items follow, and the bytes after this number. An empty part is left to Shapely.
    fn count(self, bytes: &[u8]) -> Result<(usize, &[u8]), Unread> {
        let (bytes, rest) = bytes.split_first_chunk().ok_or(Unread::Form)?;
        match usize::try_from(number(*bytes, self.is_big)) {
            Ok(number @ 1..) => Ok((number, rest)),
            _ => Err(Unread::Form),
        }
    }

    /// Whether these bytes, which follow, are those of an empty shape. An empty point has NaN as x and y.
    fn is_empty(self, bytes: &[u8]) -> bool {
        if KINDS[self.number] != ShapeKind::Point {
            return bytes == [0; 4];
        }
        let (numbers, rest) = bytes.as_chunks();
        numbers.len() == self.width && rest.is_empty() && {
            let Point { x, y } = self.point(numbers);
            x.is_nan() && y.is_nan()
        }
    }

    /// The x and y of a vertex with these coordinates.
    fn point(self, numbers: &[[u8; 8]]) -> Point {
        let [x, y] = [numbers[0], numbers[1]].map(|it| {
            if self.is_big {
                f64::from_be_bytes(it)
            } else {
                f64::from_le_bytes(it)
            }
        });
        Point::new(x, y)
    }
}

fn number(bytes: [u8; 4], is_big: bool) -> u32 {
    if is_big {
        u32::from_be_bytes(bytes)
    } else {
        u32::from_le_bytes(bytes)
    }
}

fn push<T>(items: &mut Vec<T>, item: T) -> Result<(), OutOfMemory> {
    memory::reserve(items, 1)?;
    items.push(item);
    Ok(())
}
