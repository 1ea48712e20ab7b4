//! What is known of a column's rows once they are examined, and the one pass over them that finds it: their kinds (a
//! code for convex rings and points, tables for all others), their boxes, and the rows that are invalid.

use std::sync::OnceLock;

use fearless_simd::Simd;

use crate::batch::memory::Allocated;
use crate::batch::{ExamineError, Validation, thread_pool};
use crate::broad::BoxTree;
use crate::geom::Bounds;
use crate::invalid_shape::InvalidShape;
use crate::shape::{ExaminedShape, Rings, Shape, ShapeKind};
use crate::simd::instructions::with_instructions;
use crate::simd::load::LANES;

/// What is known of each row. A row counts as convex if it is a single ring of which every vertex is a corner, a
/// segment, or a point, whatever its radius.
#[derive(Debug)]
pub(super) struct ExaminedRows {
    /// A code for each row: [`MISSING`]; an index into [`COMMON`]; or an index into the table of the row's
    /// share, plus [`CONVEX_OTHERS`] for convex rows and [`OTHERS`] for others.
    codes: Vec<u8>,
    /// The table of each share of rows.
    others: Vec<Vec<ExaminedShape>>,
    /// Whether all rows are convex or missing.
    pub(super) are_convex: bool,
    /// The rows that are invalid, in order, and why, where they count as missing.
    pub(super) faults: Vec<(usize, InvalidShape)>,
    /// The bounding box of each row, its radius included, empty for missing ones. Stored at once where rows are long, since
    /// it costs nothing then; for short rows when first needed, since it takes half as much memory
    /// as a quadrilateral.
    boxes: OnceLock<Vec<Bounds>>,
    /// A tree over the boxes, made when first needed.
    tree: OnceLock<BoxTree>,
    /// The least and the greatest number of vertices of convex rows, closing vertices not counted.
    counts: [usize; 2],
    /// Whether rows were not validated.
    pub(super) trusted: bool,
}

/// The kinds with a code of their own: convex rings, by winding, and points.
static COMMON: [ExaminedShape; 3] = [
    ExaminedShape::Convex { clockwise: false },
    ExaminedShape::Convex { clockwise: true },
    ExaminedShape::Point,
];

/// The code of missing rows, and of invalid ones that count as such.
const MISSING: u8 = u8::MAX;

/// The code of points of one vertex. Lower codes are those of convex rings.
const POINT: u8 = 2;

/// The first code of rows whose kind is in a table.
const OTHERS: u8 = 3;

/// The first code of convex rows that are also in a table: segments, which are paths of two vertices that differ, and
/// rings of more vertices than a tile takes.
const CONVEX_OTHERS: u8 = 128;

/// Rows that a thread examines at a time: enough that the cost of taking them vanishes, few enough
/// that each has a code.
const SHARE: usize = 125;

const _: () = assert!(OTHERS as usize + SHARE <= CONVEX_OTHERS as usize);
const _: () = assert!(CONVEX_OTHERS as usize + SHARE <= MISSING as usize);

/// Bytes kept of rows after which a thread reports them: few, since all threads share the memory that is left free.
const COUNTED_TOGETHER: usize = 1 << 16;

/// Vertices that rows must have on average for their boxes to be stored at once.
const BOXED: usize = 12;

/// One share of rows.
#[derive(Default)]
struct Share {
    others: Vec<ExaminedShape>,
    faults: Vec<(usize, InvalidShape)>,
    /// Whether rows are not convex.
    has_others: bool,
    /// The least and the greatest number of vertices of its convex rows.
    counts: [usize; 2],
}

impl ExaminedRows {
    /// Examines rows with `vertices` vertices on average.
    pub(super) fn new<'a>(
        [rows, vertices]: [usize; 2],
        rings: impl Fn(usize) -> Option<Rings<'a>> + Sync,
        validation: Validation,
        threads: usize,
    ) -> Result<Self, ExamineError> {
        let allocated = Allocated::default();
        let mut codes = vec![0; rows];
        let boxed = if vertices >= BOXED { rows } else { 0 };
        let mut boxes = vec![Bounds::EMPTY; boxed];
        let mut boxes_of_shares = boxes.chunks_mut(SHARE);
        let shares = codes
            .chunks_mut(SHARE)
            .map(|codes| (codes, boxes_of_shares.next().unwrap_or_default()));
        let examine = |(share, (codes, boxes)): (usize, (&mut [u8], &mut [Bounds]))| {
            let first = share * SHARE;
            // Compiled for each instruction set: the filter takes fewer instructions.
            with_instructions!(_simd => examine_share(
                codes,
                boxes,
                validation,
                &allocated,
                #[inline(always)]
                |row| rings(first + row)
            ))
            .map_err(|why| match why {
                ExamineError::Invalid(row, why) => ExamineError::Invalid(first + row, why),
                ExamineError::OutOfMemory(_) => why,
            })
        };
        let shares: Vec<Result<Share, ExamineError>> =
            thread_pool::map(shares.enumerate().collect(), threads, examine);
        let (mut others, mut counts) = (Vec::with_capacity(shares.len()), [usize::MAX, 0]);
        let (mut has_others, mut faults) = (false, Vec::new());
        for (position, share) in shares.into_iter().enumerate() {
            let share = share?;
            let [least, greatest] = share.counts;
            counts = [counts[0].min(least), counts[1].max(greatest)];
            has_others |= share.has_others;
            let of_share = share.faults.into_iter();
            faults.extend(of_share.map(|(row, why)| (position * SHARE + row, why)));
            others.push(share.others);
        }
        Ok(Self {
            codes,
            are_convex: !has_others,
            others,
            faults,
            boxes: if boxed > 0 {
                boxes.into()
            } else {
                OnceLock::new()
            },
            tree: OnceLock::new(),
            counts,
            trusted: validation == Validation::Trust,
        })
    }

    /// Bytes of memory held.
    pub(super) fn nbytes(&self) -> usize {
        let others = self.others.iter().flatten();
        let others = others.map(|it| size_of_val(it) + it.nbytes());
        self.codes.capacity()
            + self.others.capacity() * size_of::<Vec<ExaminedShape>>()
            + self.boxes.get().map_or(0, Vec::capacity) * size_of::<Bounds>()
            + self.tree.get().map_or(0, BoxTree::nbytes)
            + others.sum::<usize>()
    }

    /// Vertices of each convex row, if all have the same.
    pub(super) fn size(&self) -> Option<usize> {
        let [least, greatest] = self.counts;
        (least == greatest).then_some(least)
    }

    pub(super) fn has_convex(&self) -> bool {
        let [_, greatest] = self.counts;
        greatest > 0
    }

    pub(super) fn rows(&self) -> usize {
        self.codes.len()
    }

    /// The boxes of all rows, empty for missing ones, computed and stored if they are not yet.
    pub(super) fn boxes(&self, bounds: impl Fn(usize) -> Bounds) -> &[Bounds] {
        self.boxes.get_or_init(|| {
            let around = |(row, &code): (usize, &u8)| match code {
                MISSING => Bounds::EMPTY,
                _ => bounds(row),
            };
            self.codes.iter().enumerate().map(around).collect()
        })
    }

    /// These boxes and a tree over them.
    pub(super) fn index(&self, bounds: impl Fn(usize) -> Bounds) -> (&[Bounds], &BoxTree) {
        let boxes = self.boxes(bounds);
        let tree = || BoxTree::new(boxes.iter().copied());
        (boxes, self.tree.get_or_init(tree))
    }

    /// Whether [`Self::index`] is kept already.
    pub(super) fn is_indexed(&self) -> bool {
        self.tree.get().is_some()
    }

    #[inline(always)]
    pub(super) fn is_missing(&self, row: usize) -> bool {
        self.codes[row] == MISSING
    }

    /// Whether a row is a point: so is a path whose vertices all coincide.
    pub(super) fn is_point(&self, row: usize) -> bool {
        matches!(self.examined(row), Some(ExaminedShape::Point))
    }

    /// Whether a row is a point of one vertex.
    #[inline(always)]
    pub(super) fn is_single_point(&self, row: usize) -> bool {
        self.codes[row] == POINT
    }

    /// What is known of a row; `None` if it is missing.
    #[inline(always)]
    fn examined(&self, row: usize) -> Option<&ExaminedShape> {
        Some(match self.codes[row] {
            MISSING => return None,
            code @ 0..OTHERS => &COMMON[usize::from(code)],
            code @ OTHERS..CONVEX_OTHERS => &self.others[row / SHARE][usize::from(code - OTHERS)],
            code => &self.others[row / SHARE][usize::from(code - CONVEX_OTHERS)],
        })
    }

    /// Reads what is kept of a row into the cache: see [`ExaminedShape::read_ahead`].
    #[inline]
    pub(super) fn read_ahead(&self, row: usize) -> f64 {
        self.examined(row).map_or(0.0, ExaminedShape::read_ahead)
    }

    /// Whether a row is clockwise, if it is convex.
    #[inline(always)]
    pub(super) fn winding(&self, row: usize) -> Option<bool> {
        match self.codes[row] {
            code @ 0..OTHERS => Some(code == 1),
            code if is_convex(code) => self.examined(row).map(ExaminedShape::is_clockwise),
            _ => None,
        }
    }

    /// A bit for each of the eight rows from `first` on that is convex, and one for each of these that is
    /// clockwise.
    #[inline(always)]
    pub(super) fn eight(&self, first: usize) -> Option<[u64; 2]> {
        let eight: &[u8; LANES] = self.codes.get(first..)?.first_chunk()?;
        let [mut convex, mut clockwise] = [0; 2];
        for (lane, &code) in eight.iter().enumerate() {
            convex |= u64::from(is_convex(code)) << lane;
            clockwise |= u64::from(code == 1) << lane;
        }
        Some([convex, clockwise])
    }

    /// The polygon of a row with these rings.
    #[inline(always)]
    pub(super) fn polygon<'a>(
        &'a self,
        row: usize,
        rings: impl FnOnce() -> Option<Rings<'a>>,
    ) -> Option<Shape<'a>> {
        let kind = self.examined(row)?;
        let rings = rings()?;
        let bounds = self.boxes.get().map(|boxes| boxes[row]);
        let bounds = bounds.filter(|bounds| !bounds.is_empty() && rings.radius() == 0.0);
        Some(Shape::known(rings, kind, bounds))
    }
}

#[inline(always)]
fn is_convex(code: u8) -> bool {
    code < OTHERS || (CONVEX_OTHERS..MISSING).contains(&code)
}

/// Examines the rows of a share: fills in their codes and, if there is room for them, their boxes.
#[inline(always)]
fn examine_share<'a>(
    codes: &mut [u8],
    boxes: &mut [Bounds],
    validation: Validation,
    allocated: &Allocated,
    rings: impl Fn(usize) -> Option<Rings<'a>>,
) -> Result<Share, ExamineError> {
    allocated.add(0)?;
    let (mut share, mut not_counted) = (Share::default(), 0);
    let (mut least, mut greatest) = (usize::MAX, 0);
    for (row, code) in codes.iter_mut().enumerate() {
        *code = MISSING;
        let Some(rings) = rings(row) else { continue };
        let (kind, bounds) = match Shape::examined_quickly(rings) {
            Some(examined) => examined,
            None => match examine(rings, validation == Validation::Trust) {
                Ok(examined) => examined,
                Err(why) if validation == Validation::Raise => {
                    return Err(ExamineError::Invalid(row, why));
                }
                Err(why) => {
                    if validation == Validation::Mask {
                        share.faults.push((row, why));
                    }
                    continue;
                }
            },
        };
        if let Some(stored) = boxes.get_mut(row) {
            let vertices = || rings.ring(0).iter().copied();
            let bounds = bounds.unwrap_or_else(|| vertices().map(Bounds::from).collect());
            *stored = bounds.grown(rings.radius());
        }
        let mut count = |count: usize| (least, greatest) = (least.min(count), greatest.max(count));
        *code = match kind {
            ExaminedShape::Convex { clockwise } => {
                count(rings.vertices());
                u8::from(clockwise)
            }
            ExaminedShape::Point if rings.vertices() == 1 => {
                count(1);
                POINT
            }
            kind => {
                let is_segment = matches!(kind, ExaminedShape::General(_))
                    && rings.kind() == ShapeKind::Path
                    && rings.vertices() == 2;
                let is_convex = is_segment || kind.is_convex_of(rings.vertices());
                if is_convex {
                    count(rings.vertices());
                }
                share.has_others |= !is_convex;
                not_counted += size_of::<ExaminedShape>() + kind.nbytes();
                if not_counted > COUNTED_TOGETHER {
                    allocated.add(std::mem::take(&mut not_counted))?;
                }
                share.others.push(kind);
                let last = share.others.len() - 1;
                let first = if is_convex { CONVEX_OTHERS } else { OTHERS };
                u8::try_from(last).expect("a share's rows have codes") + first
            }
        };
    }
    allocated.add(not_counted)?;
    share.others.shrink_to_fit();
    share.counts = [least, greatest];
    Ok(share)
}

/// The kind of a shape and its box, without the radius.
#[inline(never)]
fn examine(rings: Rings<'_>, trust: bool) -> Result<(ExaminedShape, Option<Bounds>), InvalidShape> {
    let polygon = if trust {
        Shape::trusted(rings)
    } else {
        Shape::new(rings)
    }?;
    Ok((polygon.examined(), Some(polygon.bounds())))
}
