//! What is known of the rows of a column: a number for a convex one, the rest in a table.

use std::ops::Range;
use std::sync::OnceLock;

use rayon::prelude::*;

use crate::error::InvalidPolygon;
use crate::geom::{Bounds, Point};
use crate::shape::{Polygon, PolygonKind, Rings};
use crate::simd::tile::LANES;

/// What each row turned out to be.
#[derive(Debug)]
pub(super) struct RowKinds {
    /// [`MISSING`], a position in [`CONVEX`], or from there on in `others`.
    codes: Vec<u32>,
    others: Vec<PolygonKind>,
    /// The box round each row that is convex as it is, else an empty one: at once where rows are
    /// long, since it is at hand then, and when it is asked for where they are short, since it takes
    /// half as much memory as a quadrilateral.
    boxes: OnceLock<Vec<Bounds>>,
    /// How many vertices each convex row has, closing vertices not counted, if all have as many.
    size: Option<usize>,
    /// Whether rows were taken on trust.
    pub(super) trusted: bool,
}

/// The kinds of rows that are told by their code: a ring that is convex as it is.
static CONVEX: [PolygonKind; 2] = [
    PolygonKind::Convex { clockwise: false },
    PolygonKind::Convex { clockwise: true },
];

/// The code of rows that are missing, or were trusted and can't be polygons.
const MISSING: u32 = u32::MAX;

/// The first code of rows that are in the table.
const OTHERS: u32 = 2;

/// Rows that a thread examines at a time, so that the price of sharing them out vanishes.
const SHARE: usize = 256;

/// Vertices that rows must have on average for their boxes to be kept from the start.
const BOXED: usize = 12;

/// The rows of one share that are in the table and the vertex counts of its convex rows, or its
/// first bad row.
type Share = Result<(Vec<PolygonKind>, Counts), (usize, InvalidPolygon)>;

/// The least and the greatest vertex count of convex rows.
#[derive(Clone, Copy)]
struct Counts {
    least: usize,
    greatest: usize,
}

impl Counts {
    /// Of no rows.
    const NONE: Self = Self {
        least: usize::MAX,
        greatest: 0,
    };

    fn union(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
        }
    }

    fn add(&mut self, count: usize) {
        *self = self.union(Self {
            least: count,
            greatest: count,
        });
    }
}

impl RowKinds {
    /// Examines rows, which have so many vertices on average. A refused one is named, or with
    /// `trust` counts as missing.
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
        let (mut others, mut counts) = (Vec::new(), Counts::NONE);
        for (codes, share) in codes.chunks_mut(SHARE).zip(shares) {
            let (share, its_counts) = share?;
            counts = counts.union(its_counts);
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
            size: (counts.least == counts.greatest).then_some(counts.least),
            trusted: trust,
        })
    }

    /// How much memory this is.
    pub(super) fn nbytes(&self) -> usize {
        let others = self.others.iter().map(PolygonKind::nbytes).sum::<usize>();
        self.codes.capacity() * size_of::<u32>()
            + self.others.capacity() * size_of::<PolygonKind>()
            + self.boxes.get().map_or(0, Vec::capacity) * size_of::<Bounds>()
            + others
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.codes.len()
    }

    /// How many vertices each convex row has, closing vertices not counted, if all have as many.
    pub(super) fn size(&self) -> Option<usize> {
        self.size
    }

    /// Whether a row runs clockwise, if it is a ring that is convex as it is.
    #[inline]
    pub(super) fn convex(&self, row: usize) -> Option<bool> {
        self.codes().winding(row)
    }

    /// The box round a row that is convex as it is, if it was kept.
    #[inline]
    pub(super) fn bounds(&self, row: usize) -> Option<Bounds> {
        let bounds = *self.boxes.get()?.get(row)?;
        (!bounds.is_empty()).then_some(bounds)
    }

    /// The boxes round the rows that are convex as they are, for others empty ones, if they are kept.
    pub(super) fn kept_boxes(&self) -> Option<&[Bounds]> {
        self.boxes.get().map(Vec::as_slice)
    }

    /// The same, kept from now on; the rows have these vertices.
    pub(super) fn boxes<'a>(&self, vertices: impl Fn(usize) -> &'a [Point]) -> &[Bounds] {
        self.boxes.get_or_init(|| {
            let around = |row| match self.convex(row) {
                None => Bounds::EMPTY,
                Some(_) => vertices(row).iter().copied().map(Bounds::from).collect(),
            };
            (0..self.rows()).map(around).collect()
        })
    }

    /// What the rows are.
    pub(super) fn codes(&self) -> KindCodes<'_> {
        KindCodes(&self.codes)
    }

    /// The polygon of a row that has these rings.
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

/// What some rows are.
#[derive(Clone, Copy)]
pub(super) struct KindCodes<'a>(&'a [u32]);

impl KindCodes<'_> {
    /// Some of them.
    pub(super) fn part(self, rows: Range<usize>) -> Self {
        Self(&self.0[rows])
    }

    /// Whether a row runs clockwise, if it is a ring that is convex as it is.
    #[inline(always)]
    pub(super) fn winding(self, row: usize) -> Option<bool> {
        match self.0[row] {
            code @ 0..OTHERS => Some(code == 1),
            _ => None,
        }
    }

    /// What eight rows from this one on are.
    #[inline(always)]
    pub(super) fn eight(self, first: usize) -> Option<EightKindCodes> {
        self.0
            .get(first..)?
            .first_chunk()
            .copied()
            .map(EightKindCodes)
    }
}

/// What eight rows are.
#[derive(Clone, Copy)]
pub(super) struct EightKindCodes([u32; LANES]);

impl EightKindCodes {
    /// A bit for each ring that is convex as it is.
    #[inline(always)]
    pub(super) fn convex(self) -> u64 {
        self.bits(|code| code < OTHERS)
    }

    /// A bit for each that runs clockwise, if it is convex as it is.
    #[inline(always)]
    pub(super) fn clockwise(self) -> u64 {
        self.bits(|code| code == 1)
    }

    #[inline(always)]
    fn bits(self, is_set: impl Fn(u32) -> bool) -> u64 {
        let mut bits = 0;
        for (lane, &code) in self.0.iter().enumerate() {
            bits |= u64::from(is_set(code)) << lane;
        }
        bits
    }
}

fn examine_share<'a>(
    codes: &mut [u32],
    boxes: &mut [Bounds],
    trust: bool,
    rings: impl Fn(usize) -> Option<Rings<'a>>,
) -> Share {
    let (mut others, mut counts) = (Vec::new(), Counts::NONE);
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
            counts.add(rings.map_or(0, |rings| rings.vertices()));
            continue;
        }
        let polygon = examine(rings, trust).map_err(|why| (row, why))?;
        keep(row, polygon.as_ref().and_then(Polygon::convex_bounds));
        *code = match polygon.map(|polygon| polygon.examined()) {
            None => MISSING,
            Some(PolygonKind::Convex { clockwise }) => {
                counts.add(rings.map_or(0, |rings| rings.vertices()));
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

/// Makes codes into the table of a share into codes into that of all.
fn shift(codes: &mut [u32], by: usize) {
    for code in codes {
        if *code >= OTHERS && *code != MISSING {
            *code = code_of((*code - OTHERS) as usize + by);
        }
    }
}
