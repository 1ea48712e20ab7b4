//! The kinds of a column's rows: a code for strictly convex rings, a table for all others.

use std::sync::OnceLock;

use rayon::prelude::*;

use crate::error::InvalidPolygon;
use crate::geom::{Bounds, Point};
use crate::shape::{General, Polygon, PolygonKind, Rings};
use crate::simd::tile::LANES;

/// The kind of each row. Strictly convex: a single ring of which every vertex is a corner.
#[derive(Debug)]
pub(super) struct RowKinds {
    /// [`MISSING`], an index into [`CONVEX`], or [`OTHERS`] plus an index into `others`.
    codes: Vec<u32>,
    others: Vec<PolygonKind>,
    /// The bounding box of each row, empty for missing ones. Stored at once where rows are long, since
    /// it costs nothing then; for short rows when first needed, since it takes half as much memory
    /// as a quadrilateral.
    boxes: OnceLock<Vec<Bounds>>,
    /// Vertices of each strictly convex row, closing vertices not counted, if all have the same.
    size: Option<usize>,
    /// Whether invalid rows counted as missing.
    pub(super) trusted: bool,
}

/// The kinds with a code of their own: strictly convex, by winding.
static CONVEX: [PolygonKind; 2] = [
    PolygonKind::Convex { clockwise: false },
    PolygonKind::Convex { clockwise: true },
];

/// The code of missing rows, and of invalid ones that were trusted.
const MISSING: u32 = u32::MAX;

/// The first code of rows in the table.
const OTHERS: u32 = 2;

/// Rows that a thread examines at a time: enough that the cost of taking them vanishes.
const SHARE: usize = 256;

/// Vertices that rows must have on average for their boxes to be stored at once.
const BOXED: usize = 12;

/// The table of one share of rows and the [`Counts`] of its convex rows, or its first invalid row.
type Share = Result<(Vec<PolygonKind>, Counts), (usize, InvalidPolygon)>;

/// The least and the greatest number of vertices of some convex rows.
type Counts = [usize; 2];

/// The counts of no rows.
const NO_COUNTS: Counts = [usize::MAX, 0];

fn union(one: Counts, other: Counts) -> Counts {
    [one[0].min(other[0]), one[1].max(other[1])]
}

impl RowKinds {
    /// Examines rows with `vertices` vertices on average. With `trust`, invalid ones count as missing;
    /// otherwise the first is the error.
    pub(super) fn new<'a>(
        [rows, vertices]: [usize; 2],
        rings: impl Fn(usize) -> Option<Rings<'a>> + Sync,
        trust: bool,
        threads: usize,
    ) -> Result<Self, (usize, InvalidPolygon)> {
        let mut codes = vec![0; rows];
        let boxed = if vertices >= BOXED { rows } else { 0 };
        let mut boxes = vec![Bounds::EMPTY; boxed];
        let mut parts: Vec<(&mut [u32], &mut [Bounds])> = Vec::new();
        let mut more_boxes = boxes.chunks_mut(SHARE);
        for codes in codes.chunks_mut(SHARE) {
            parts.push((codes, more_boxes.next().unwrap_or_default()));
        }
        let examine = |(share, (codes, boxes)): (usize, (&mut [u32], &mut [Bounds]))| {
            let first = share * SHARE;
            examine_share(codes, boxes, trust, |row| rings(first + row))
                .map_err(|(row, why)| (first + row, why))
        };
        let shares: Vec<Share> = if threads == 1 {
            parts.into_iter().enumerate().map(examine).collect()
        } else {
            parts.into_par_iter().enumerate().map(examine).collect()
        };
        let (mut others, mut counts) = (Vec::new(), NO_COUNTS);
        for (codes, share) in codes.chunks_mut(SHARE).zip(shares) {
            let (share, its_counts) = share?;
            counts = union(counts, its_counts);
            if !share.is_empty() {
                shift(codes, others.len());
                others.extend(share);
            }
        }
        others.shrink_to_fit();
        Ok(Self {
            codes,
            others,
            boxes: if boxed > 0 {
                boxes.into()
            } else {
                OnceLock::new()
            },
            size: (counts[0] == counts[1]).then_some(counts[0]),
            trusted: trust,
        })
    }

    /// Bytes of memory held.
    pub(super) fn nbytes(&self) -> usize {
        let others = self.others.iter().map(PolygonKind::nbytes).sum::<usize>();
        self.codes.capacity() * size_of::<u32>()
            + self.others.capacity() * size_of::<PolygonKind>()
            + self.boxes.get().map_or(0, Vec::capacity) * size_of::<Bounds>()
            + others
    }

    /// Vertices of each strictly convex row, closing vertices not counted, if all have the same.
    pub(super) fn size(&self) -> Option<usize> {
        self.size
    }

    /// The box of a row, if it is stored.
    #[inline]
    pub(super) fn bounds(&self, row: usize) -> Option<Bounds> {
        let bounds = *self.boxes.get()?.get(row)?;
        (!bounds.is_empty()).then_some(bounds)
    }

    /// The boxes of all rows, empty for missing ones, computed and stored if they are not yet.
    pub(super) fn boxes<'a>(&self, vertices: impl Fn(usize) -> &'a [Point]) -> &[Bounds] {
        self.boxes.get_or_init(|| {
            let around = |(row, &code): (usize, &u32)| match code {
                MISSING => Bounds::EMPTY,
                _ => vertices(row).iter().copied().map(Bounds::from).collect(),
            };
            self.codes.iter().enumerate().map(around).collect()
        })
    }

    /// Whether all rows are strictly convex or missing.
    pub(super) fn are_convex(&self) -> bool {
        self.others.is_empty()
    }

    /// Whether a row is clockwise, if it is strictly convex.
    #[inline(always)]
    pub(super) fn winding(&self, row: usize) -> Option<bool> {
        match self.codes[row] {
            code @ 0..OTHERS => Some(code == 1),
            _ => None,
        }
    }

    /// A bit for each of the eight rows from `first` on that is strictly convex, and one for each of
    /// these that is clockwise.
    #[inline(always)]
    pub(super) fn eight(&self, first: usize) -> Option<[u64; 2]> {
        let eight: &[u32; LANES] = self.codes.get(first..)?.first_chunk()?;
        let [mut convex, mut clockwise] = [0; 2];
        for (lane, &code) in eight.iter().enumerate() {
            convex |= u64::from(code < OTHERS) << lane;
            clockwise |= u64::from(code == 1) << lane;
        }
        Some([convex, clockwise])
    }

    /// The boundary of a row that is not convex.
    #[inline]
    pub(super) fn general(&self, row: usize) -> Option<&General> {
        match self.others.get(self.codes[row].wrapping_sub(OTHERS) as usize)? {
            PolygonKind::General(general) => Some(general),
            _ => None,
        }
    }

    /// The polygon of a row with these rings.
    #[inline]
    pub(super) fn polygon<'a>(
        &'a self,
        row: usize,
        rings: impl FnOnce() -> Option<Rings<'a>>,
    ) -> Option<Polygon<'a>> {
        let examined = match self.codes[row] {
            MISSING => return None,
            code @ 0..OTHERS => &CONVEX[code as usize],
            code => &self.others[(code - OTHERS) as usize],
        };
        Some(Polygon::known(rings()?, examined, self.bounds(row)))
    }
}

fn examine_share<'a>(
    codes: &mut [u32],
    boxes: &mut [Bounds],
    trust: bool,
    rings: impl Fn(usize) -> Option<Rings<'a>>,
) -> Share {
    let (mut others, mut counts) = (Vec::new(), NO_COUNTS);
    let mut keep = |row: usize, bounds: Option<Bounds>| {
        if let (Some(place), Some(bounds)) = (boxes.get_mut(row), bounds) {
            *place = bounds;
        }
    };
    for (row, code) in codes.iter_mut().enumerate() {
        let rings = rings(row);
        let certain = rings.and_then(Polygon::known_by_winding);
        if let Some(convexity) = certain {
            keep(row, convexity.bounds);
            *code = u32::from(convexity.clockwise);
            counts = union(counts, [rings.map_or(0, |rings| rings.vertices()); 2]);
            continue;
        }
        let polygon = examine(rings, trust).map_err(|why| (row, why))?;
        keep(row, polygon.as_ref().map(Polygon::bounds));
        *code = match polygon.map(|polygon| polygon.examined()) {
            None => MISSING,
            Some(PolygonKind::Convex { clockwise }) => {
                counts = union(counts, [rings.map_or(0, |rings| rings.vertices()); 2]);
                u32::from(clockwise)
            }
            Some(other) => {
                others.push(other);
                code_of(others.len() - 1)
            }
        };
    }
    Ok((others, counts))
}

fn examine(rings: Option<Rings<'_>>, trust: bool) -> Result<Option<Polygon<'_>>, InvalidPolygon> {
    let Some(rings) = rings else {
        return Ok(None);
    };
    Ok(if trust {
        Polygon::trusted(rings).ok()
    } else {
        Some(Polygon::new(rings)?)
    })
}

fn code_of(position: usize) -> u32 {
    let code = u32::try_from(position + OTHERS as usize).expect("a table of fewer than 2^32 rows");
    assert_ne!(code, MISSING);
    code
}

/// Shifts codes for the table of one share to those for the table of all.
fn shift(codes: &mut [u32], by: usize) {
    for code in codes {
        if *code >= OTHERS && *code != MISSING {
            *code = code_of((*code - OTHERS) as usize + by);
        }
    }
}
