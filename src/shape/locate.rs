//! The positions of many points relative to one polygon.
//!
//! A ring is divided into consecutive parts, eight parts into eight each, down to blocks of eight
//! edges. A part that lies wholly right of a point meets the ray from it to the right an odd number
//! of times exactly if one end of the part is above the ray and the other isn't. Only parts whose
//! boxes hold the point are searched further.

use fearless_simd::prelude::*;
use smallvec::SmallVec;

use super::boundary::Boundary;
use super::checked_shape::Shape;
use super::edge_block::{certain_crossings, ones};
use super::point_in_polygon::{Location, Probe};
use crate::convex::Cyclic;
use crate::geom::{Bounds, Point};
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::load::{self, LANES};

/// The position of a point relative to a polygon.
pub fn locate(point: Point, polygon: &Shape<'_>) -> Location {
    super::point_in_polygon::locate(point, polygon.boundary())
}

/// A polygon, prepared for many points.
#[derive(Debug)]
pub struct Locator<'p> {
    boundary: &'p Boundary,
    groups: Vec<Group>,
    whole: Part,
}

/// Up to eight parts of a ring, or whole rings.
#[derive(Debug)]
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

impl<'p> Locator<'p> {
    /// Prepares a polygon.
    pub fn new(polygon: &'p Shape<'_>) -> Self {
        let boundary = polygon.boundary();
        let mut locator = Self {
            boundary,
            groups: Vec::new(),
            whole: Part::Block(0),
        };
        let mut rings = Vec::with_capacity(boundary.rings.len());
        let mut blocks = boundary.blocks.iter().enumerate().peekable();
        for ring in &boundary.rings {
            let mut parts = Vec::new();
            while let Some((index, block)) =
                blocks.next_if(|(_, block)| block.range().start < ring.corners.end)
            {
                let ordinate = |corner: usize| boundary.vertex(corner).y;
                // Edges have indices in 32 bits, and there are fewer blocks.
                let index = u32::try_from(index).unwrap_or(u32::MAX);
                parts.push(Loose {
                    bounds: block.bounds,
                    first: ordinate(block.range().start),
                    last: ordinate(boundary.next(block.range().end - 1)),
                    part: Part::Block(index),
                });
            }
            // Points share blocks.
            if parts.is_empty() {
                continue;
            }
            // The ends of a ring are one point, and so are those of several together.
            rings.push(Loose {
                first: 0.0,
                last: 0.0,
                ..locator.gather(parts)
            });
        }
        locator.whole = locator.gather(rings).part;
        locator
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

    /// The position of each point.
    pub fn locate(&self, points: &[Point], mut tell: impl FnMut(Location)) {
        let mut open = SmallVec::new();
        with_instructions!(simd => for &point in points {
            tell(self.position(simd, point, &mut open));
        });
    }

    #[inline(always)]
    fn position<S: Simd>(
        &self,
        simd: S,
        point: Point,
        open: &mut SmallVec<[Part; 32]>,
    ) -> Location {
        let bounds = self.boundary.bounds();
        if !bounds.meets(&point.into()) {
            return Location::Outside;
        }
        let mut inside = false;
        open.clear();
        open.push(self.whole);
        while let Some(part) = open.pop() {
            match part {
                Part::Group(group) => {
                    let group = &self.groups[group as usize];
                    let (is_odd, near) = group.crossings(simd, point);
                    inside ^= is_odd;
                    open.extend(ones(near).map(|lane| group.parts[lane]));
                }
                Part::Block(block) => {
                    let block = &self.boundary.blocks[block as usize];
                    let (is_odd, undecided) = certain_crossings(simd, block, point, &bounds);
                    inside ^= is_odd;
                    if undecided != 0 {
                        let edges = ones(undecided).map(|edge| block.range().start + edge);
                        match Probe::moved(point, None).crosses(self.boundary, edges) {
                            Some(is_odd) => inside ^= is_odd,
                            None => return Location::Boundary,
                        }
                    }
                }
            }
        }
        if inside && self.boundary.kind.is_polygonal() {
            Location::Inside
        } else {
            Location::Outside
        }
    }
}
