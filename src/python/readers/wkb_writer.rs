//! Shapes as well-known binary: ISO's, little-endian, of two dimensions.

use super::wkb_reader::KINDS;
use crate::geom::Point;
use crate::shape::{Rings, ShapeKind};

/// The byte order, and the number of the kind.
const HEAD: usize = 1 + size_of::<u32>();

const COUNT: usize = size_of::<u32>();

/// How many bytes [`write`] appends.
pub(crate) fn length(shape: &Rings<'_>) -> usize {
    let vertices = size_of::<Point>() * shape.vertices();
    let rings = shape.len();
    // The count of each ring's vertices, and its closing vertex.
    let closing = shape.iter().map(|ring| closing(ring).len()).sum::<usize>();
    let closed = rings * COUNT + closing * size_of::<Point>();
    match shape.kind() {
        ShapeKind::Point => HEAD + vertices,
        ShapeKind::Path => HEAD + COUNT + vertices,
        ShapeKind::Polygon => HEAD + COUNT + closed + vertices,
        ShapeKind::MultiPoint => HEAD + COUNT + rings * HEAD + vertices,
        ShapeKind::MultiPath => HEAD + COUNT + rings * (HEAD + COUNT) + vertices,
        ShapeKind::MultiPolygon => {
            let parts = shape.parts().count() - 1;
            HEAD + COUNT + parts * (HEAD + COUNT) + closed + vertices
        }
    }
}

pub(crate) fn write(shape: &Rings<'_>, to: &mut Vec<u8>) {
    match shape.kind() {
        kind @ (ShapeKind::Point | ShapeKind::Path) => write_chain(kind, shape.ring(0), to),
        ShapeKind::Polygon => write_polygon(shape.iter(), shape.len(), to),
        kind @ (ShapeKind::MultiPoint | ShapeKind::MultiPath) => {
            write_head(kind, to);
            write_number(shape.len(), to);
            let part = if kind == ShapeKind::MultiPoint {
                ShapeKind::Point
            } else {
                ShapeKind::Path
            };
            shape.iter().for_each(|chain| write_chain(part, chain, to));
        }
        kind @ ShapeKind::MultiPolygon => {
            write_head(kind, to);
            write_number(shape.parts().count() - 1, to);
            let mut rings = shape.iter();
            for (start, end) in shape.parts().zip(shape.parts().skip(1)) {
                write_polygon(rings.by_ref().take(end - start), end - start, to);
            }
        }
    }
}

fn write_head(kind: ShapeKind, to: &mut Vec<u8>) {
    to.push(1);
    let place = KINDS.iter().position(|&it| it == kind);
    write_number(place.expect("every kind has a number") + 1, to);
}

/// Appends a number of items, of which memory holds no more than `u32` counts, or that of a kind.
fn write_number(items: usize, to: &mut Vec<u8>) {
    let items = u32::try_from(items).expect("fewer items than 64 GiB of vertices");
    to.extend(items.to_le_bytes());
}

/// Appends a point or a path.
fn write_chain(kind: ShapeKind, chain: &[Point], to: &mut Vec<u8>) {
    write_head(kind, to);
    if kind == ShapeKind::Path {
        write_number(chain.len(), to);
    }
    write_vertices(chain, to);
}

/// Appends a polygon of so many rings, each of which ends with its first vertex.
fn write_polygon<'a>(rings: impl Iterator<Item = &'a [Point]>, count: usize, to: &mut Vec<u8>) {
    write_head(ShapeKind::Polygon, to);
    write_number(count, to);
    for ring in rings {
        let closing = closing(ring);
        write_number(ring.len() + closing.len(), to);
        write_vertices(ring, to);
        write_vertices(closing, to);
    }
}

/// The closing vertex of a ring, which an empty one doesn't have.
fn closing(ring: &[Point]) -> &[Point] {
    &ring[..ring.len().min(1)]
}

fn write_vertices(vertices: &[Point], to: &mut Vec<u8>) {
    for vertex in vertices {
        to.extend_from_slice(&vertex.x.to_le_bytes());
        to.extend_from_slice(&vertex.y.to_le_bytes());
    }
}
