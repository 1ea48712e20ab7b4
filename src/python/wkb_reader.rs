//! Shapes in well-known binary as GEOS writes them in the plane; Shapely reads everything else.

use std::sync::Arc;

use crate::batch::memory::{self, OutOfMemory};
use crate::batch::{Column, RaggedOffsets};
use crate::geom::Point;
use crate::shape::ShapeKind;

/// The kinds in the order of their numbers, from 1. The parts of those from the fourth on are of the first three.
const KINDS: [ShapeKind; 6] = [
    ShapeKind::Point,
    ShapeKind::Path,
    ShapeKind::Polygon,
    ShapeKind::MultiPoint,
    ShapeKind::MultiPath,
    ShapeKind::MultiPolygon,
];

/// Why a value is not read here.
pub(crate) enum Unread {
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
    points: Vec<Point>,
    rings: Vec<usize>,
    polygons: Vec<usize>,
    rows: Vec<usize>,
    kinds: Vec<ShapeKind>,
}

impl WkbRows {
    /// Appends a shape, or a missing row.
    pub(crate) fn push(&mut self, value: Option<&[u8]>) -> Result<(), Unread> {
        let Some(value) = value else {
            return self.end_row(ShapeKind::Polygon);
        };
        let (number, mut rest) = head(value)?;
        let kind = KINDS[number];
        // Shapes that are empty as a whole. An empty point is one with NaN.
        if kind != ShapeKind::Point && rest == [0; 4] {
            return self.end_row(ShapeKind::Polygon);
        }
        if let Some(part) = number.checked_sub(3) {
            let parts;
            (parts, rest) = count(rest)?;
            for _ in 0..parts {
                rest = match head(rest)? {
                    (number, rest) if number == part => self.push_part(KINDS[part], rest)?,
                    _ => return Err(Unread::Form),
                };
                if kind == ShapeKind::MultiPolygon {
                    push(&mut self.polygons, self.rings.len())?;
                }
            }
        } else {
            rest = self.push_part(kind, rest)?;
        }
        if !rest.is_empty() {
            return Err(Unread::Form);
        }
        self.end_row(kind)
    }

    /// Appends the vertices of a point, a path or a polygon, and gives the bytes after it.
    fn push_part<'b>(&mut self, kind: ShapeKind, bytes: &'b [u8]) -> Result<&'b [u8], Unread> {
        match kind {
            ShapeKind::Point => self.push_ring(1, bytes, |point| !point[0].x.is_nan()),
            ShapeKind::Path => {
                let (size, rest) = count(bytes)?;
                self.push_ring(size, rest, |path| path.len() > 1)
            }
            _ => {
                let (rings, mut rest) = count(bytes)?;
                for _ in 0..rings {
                    let (size, vertices) = count(rest)?;
                    // A ring with a NaN at its ends is left to Shapely, too.
                    rest = self.push_ring(size, vertices, |ring| {
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
        size: usize,
        bytes: &'b [u8],
        check: impl FnOnce(&[Point]) -> bool,
    ) -> Result<&'b [u8], Unread> {
        let length = size.checked_mul(size_of::<Point>());
        let split = length.and_then(|length| bytes.split_at_checked(length));
        let (ring, rest) = split.ok_or(Unread::Form)?;
        memory::reserve(&mut self.points, size)?;
        let (numbers, _) = ring.as_chunks::<{ size_of::<f64>() }>();
        let vertices = numbers.chunks_exact(2).map(|vertex| {
            let [x, y] = [vertex[0], vertex[1]].map(f64::from_le_bytes);
            Point::new(x, y)
        });
        let start = self.points.len();
        self.points.extend(vertices);
        if !check(&self.points[start..]) {
            return Err(Unread::Form);
        }
        push(&mut self.rings, self.points.len())?;
        Ok(rest)
    }

    fn end_row(&mut self, kind: ShapeKind) -> Result<(), Unread> {
        if kind != ShapeKind::MultiPolygon {
            push(&mut self.polygons, self.rings.len())?;
        }
        push(&mut self.rows, self.polygons.len())?;
        push(&mut self.kinds, kind)
    }

    /// The rows as a column, not examined yet.
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

fn push<T>(items: &mut Vec<T>, item: T) -> Result<(), Unread> {
    memory::reserve(items, 1)?;
    items.push(item);
    Ok(())
}

/// The place of a shape's kind in [`KINDS`], and the bytes after its head, which is little-endian and tells a
/// shape in the plane.
fn head(bytes: &[u8]) -> Result<(usize, &[u8]), Unread> {
    match bytes.split_first_chunk() {
        Some(([1, number @ 1..=6, 0, 0, 0], rest)) => Ok((usize::from(number - 1), rest)),
        _ => Err(Unread::Form),
    }
}

/// How many items follow, and the bytes after this number. An empty part is left to Shapely.
fn count(bytes: &[u8]) -> Result<(usize, &[u8]), Unread> {
    let (number, rest) = bytes.split_first_chunk().ok_or(Unread::Form)?;
    match usize::try_from(u32::from_le_bytes(*number)) {
        Ok(number @ 1..) => Ok((number, rest)),
        _ => Err(Unread::Form),
    }
}
