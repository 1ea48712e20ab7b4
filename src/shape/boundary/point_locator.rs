//! Which edges of a boundary a ray to the right crosses.
//!
//! A ring is divided into consecutive parts, eight parts into eight each, down to blocks of eight
//! edges. A part that lies wholly right of a point meets the ray from it to the right an odd number
//! of times exactly if one end of the part is above the ray and the other isn't. Only parts whose
//! boxes hold the point are searched further. Rings that lie near each other share a group, in
//! whatever order they were given.

use std::ops::ControlFlow;

use fearless_simd::prelude::*;
use smallvec::SmallVec;

use super::edge_block::{EdgeBlock, certain_crossings, ones};
use crate::broad::BoxTree;
use crate::geom::{Bounds, Point};
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::load::{self, LANES};

/// A tree over the blocks of a boundary.
#[derive(Clone, Debug)]
pub(crate) struct PointLocator {
    /// The groups of parts of rings, then those of rings.
    groups: Vec<Group>,
    /// The number of groups of parts of rings.
    in_rings: usize,
    whole: Part,
}

/// Up to eight parts of a ring, or whole rings.
#[derive(Clone, Debug)]
struct Group {
    min: Vectors<[f64; LANES]>,
    max: Vectors<[f64; LANES]>,
    /// The ordinates of the first and of the last vertex of each part, which are equal for rings.
    first: [f64; LANES],
    last: [f64; LANES],
    parts: [Part; LANES],
}

/// Where a part is divided further.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// The index of a block of edges.
    Block(u32),
    /// The index of a group.
    Group(u32),
}

/// A part that is not in a group yet.
#[derive(Clone, Copy)]
struct Loose {
    bounds: Bounds,
    first: f64,
    last: f64,
    part: Part,
}

impl Group {
    fn new(parts: &[Loose]) -> Self {
        // The boxes of absent parts are empty, and their ends equal: no ray meets them.
        let absent = Loose {
            bounds: Bounds::EMPTY,
            first: 0.0,
            last: 0.0,
            part: Part::Block(0),
        };
        let at = |lane: usize| parts.get(lane).unwrap_or(&absent);
        let each = |number: fn(&Loose) -> f64| std::array::from_fn(|lane| number(at(lane)));
        Self {
            min: Vectors::new(
                each(|part| part.bounds.min.x),
                each(|part| part.bounds.min.y),
            ),
            max: Vectors::new(
                each(|part| part.bounds.max.x),
                each(|part| part.bounds.max.y),
            ),
            first: each(|part| part.first),
            last: each(|part| part.last),
            parts: std::array::from_fn(|lane| at(lane).part),
        }
    }

    /// The box of a part, empty if it is absent.
    fn bounds(&self, lane: usize) -> Bounds {
        let corner = |of: &Vectors<[f64; LANES]>| Point::new(of.x[lane], of.y[lane]);
        Bounds {
            min: corner(&self.min),
            max: corner(&self.max),
        }
    }

    /// Whether the ray to the right crosses the parts that are wholly right of the point an odd
    /// number of times, and a bit for each part whose box holds the point.
    #[inline(always)]
    fn crossings<S: Simd>(&self, simd: S, point: Point) -> (bool, u64) {
        let Vectors { x, y } = load::splat(simd, point);
        let all = |numbers: &[f64; LANES]| load::numbers(simd, *numbers);
        let is_right = all(&self.min.x).above(x);
        let is_passed = y.at_least(all(&self.first)) ^ y.at_least(all(&self.last));
        let is_odd = (is_right & is_passed).to_bitmask().count_ones() % 2 == 1;
        let near = !is_right
            & all(&self.max.x).at_least(x)
            & all(&self.max.y).at_least(y)
            & y.at_least(all(&self.min.y));
        (is_odd, near.to_bitmask())
    }
}

impl PointLocator {
    /// The tree over these blocks, given a tree of their boxes, and where the edges of each ring end. Blocks of polygons
    /// follow each other round the rings; of others, only what holds the point counts, not how often a ray crosses them.
    pub(crate) fn new(
        blocks: &[EdgeBlock],
        tree: &BoxTree,
        ends: impl Iterator<Item = usize>,
    ) -> Self {
        let mut locator = Self {
            groups: Vec::new(),
            in_rings: 0,
            whole: Part::Block(0),
        };
        // Each ring at the index of its first block.
        let mut rings = vec![None; blocks.len()];
        let mut numbered = (0..).zip(blocks).peekable();
        for end in ends {
            let mut parts = Vec::new();
            while let Some((index, block)) =
                numbered.next_if(|(_, block)| block.range().start < end)
            {
                let [first, last] = block.ends_of_all();
                parts.push(Loose {
                    bounds: block.bounds,
                    first: first.y,
                    last: last.y,
                    part: Part::Block(index),
                });
            }
            // Points share blocks.
            let Some(&Loose {
                part: Part::Block(first),
                ..
            }) = parts.first()
            else {
                continue;
            };
            // The ends of a ring are one point, and so are those of several together.
            rings[first as usize] = Some(Loose {
                first: 0.0,
                last: 0.0,
                ..locator.gather(parts)
            });
        }
        locator.in_rings = locator.groups.len();
        let in_place = tree.indices().filter_map(|block| rings[block]);
        let rings = in_place.collect();
        locator.whole = locator.gather(rings).part;
        locator
    }

    /// Bytes of heap memory that it owns.
    pub(crate) fn nbytes(&self) -> usize {
        self.groups.capacity() * size_of::<Group>()
    }

    /// Puts parts into groups, and these into others, until one is left.
    fn gather(&mut self, mut parts: Vec<Loose>) -> Loose {
        while parts.len() > 1 {
            let gathered = parts.chunks(LANES).map(|parts| {
                self.groups.push(Group::new(parts));
                let index = self.groups.len() - 1;
                Loose {
                    bounds: parts.iter().map(|part| part.bounds).collect(),
                    first: parts[0].first,
                    last: parts[parts.len() - 1].last,
                    part: Part::Group(u32::try_from(index).expect("fewer than 2^32 groups")),
                }
            });
            parts = gathered.collect();
        }
        parts[0]
    }

    /// Whether the ray from a point of the boundary's box crosses the blocks an odd number of times. `decide` tells it of
    /// those edges of a block, a bit for each, for which floats leave it open; `None`, the answer then, if one of them
    /// holds the point.
    #[inline(always)]
    pub(super) fn is_odd<S: Simd>(
        &self,
        simd: S,
        point: Point,
        (blocks, bounds): (&[EdgeBlock], &Bounds),
        decide: impl Fn(&EdgeBlock, u64) -> Option<bool>,
    ) -> Option<bool> {
        let mut is_odd = false;
        let mut open: SmallVec<[Part; 32]> = SmallVec::new();
        open.push(self.whole);
        while let Some(part) = open.pop() {
            match part {
                Part::Group(group) => {
                    let group = &self.groups[group as usize];
                    let (is_odd_right, near) = group.crossings(simd, point);
                    is_odd ^= is_odd_right;
                    open.extend(ones(near).map(|lane| group.parts[lane]));
                }
                Part::Block(block) => {
                    let block = std::slice::from_ref(&blocks[block as usize]);
                    is_odd ^= is_odd_in(simd, point, (block, bounds), &decide)?;
                }
            }
        }
        Some(is_odd)
    }

    /// Visits the first corner of each ring whose box passes the test, until the visitor breaks.
    pub(super) fn search_rings(
        &self,
        blocks: &[EdgeBlock],
        may_matter: impl Fn(&Bounds) -> bool,
        mut visit: impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut open: SmallVec<[Part; 32]> = SmallVec::new();
        open.push(self.whole);
        while let Some(part) = open.pop() {
            match part {
                Part::Group(group) if group as usize >= self.in_rings => {
                    let group = &self.groups[group as usize];
                    let near = (0..LANES).filter(|&lane| may_matter(&group.bounds(lane)));
                    open.extend(near.map(|lane| group.parts[lane]));
                }
                ring => visit(blocks[self.first_block(ring)].range().start)?,
            }
        }
        ControlFlow::Continue(())
    }

    /// The first block of a part of a ring.
    fn first_block(&self, mut part: Part) -> usize {
        loop {
            match part {
                Part::Group(group) => part = self.groups[group as usize].parts[0],
                Part::Block(block) => return block as usize,
            }
        }
    }
}

/// [`PointLocator::is_odd`] without a tree: with a look at every block.
#[inline(always)]
pub(super) fn is_odd_in<S: Simd>(
    simd: S,
    point: Point,
    (blocks, bounds): (&[EdgeBlock], &Bounds),
    decide: impl Fn(&EdgeBlock, u64) -> Option<bool>,
) -> Option<bool> {
    let mut is_odd = false;
    for block in blocks {
        let (is_odd_here, open) = certain_crossings(simd, block, point, bounds);
        is_odd ^= is_odd_here;
        if open != 0 {
            is_odd ^= decide(block, open)?;
        }
    }
    Some(is_odd)
}
