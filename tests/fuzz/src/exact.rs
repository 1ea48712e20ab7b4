//! The oracle: shapes in exact integers, every question answered from the definition, edge by edge.

use carom::geom::{Point, Vec2};
use carom::shape::Rings;
use num_bigint::{BigInt, Sign};
use num_traits::{Zero, float::FloatCore};

/// Bits below the last one of any number given, so that fractions of a frame stay integers.
const FRACTION: i64 = 60;

/// What all numbers of a query are multiples of, a power of two.
#[derive(Clone, Copy, Debug)]
pub struct Unit(i64);

/// An exact point or vector.
pub type Place = [BigInt; 2];

impl Unit {
    /// The unit for these numbers.
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Self {
        let decoded = numbers.into_iter().filter(|&it| it != 0.0);
        let exponents = decoded.map(|it| i64::from(it.integer_decode().1));
        Self(exponents.min().unwrap_or(0) - FRACTION)
    }

    /// A number.
    pub fn number(self, value: f64) -> BigInt {
        if value == 0.0 {
            return BigInt::zero();
        }
        let (significand, exponent, sign) = value.integer_decode();
        (BigInt::from(significand) * sign) << (i64::from(exponent) - self.0)
    }

    /// A point.
    pub fn point(self, Point { x, y }: Point) -> Place {
        [self.number(x), self.number(y)]
    }

    /// A part of a vector, rounded down to a multiple of 2^-60.
    pub fn part(self, Vec2 { x, y }: Vec2, part: f64) -> Place {
        let part = BigInt::from((part * 2.0_f64.powi(60)).clamp(0.0, 2.0_f64.powi(60)) as i64);
        [x, y].map(|it| (self.number(it) * &part) >> FRACTION)
    }

    /// A shape without its radius.
    pub fn figure(self, rings: Rings<'_>) -> Figure {
        let has_interior = rings.kind().is_polygonal();
        let mut edges = Vec::new();
        for ring in rings.iter() {
            let points: Vec<Place> = ring.iter().map(|&it| self.point(it)).collect();
            let last = if has_interior {
                points.len()
            } else {
                (points.len() - 1).max(1)
            };
            let next = |index: usize| points[(index + 1) % points.len()].clone();
            edges.extend((0..last).map(|index| [points[index].clone(), next(index)]));
        }
        Figure {
            edges,
            has_interior,
        }
    }
}

/// A shape: its edges, points as edges without length.
#[derive(Clone, Debug)]
pub struct Figure {
    pub edges: Vec<[Place; 2]>,
    has_interior: bool,
}

fn minus(a: &Place, b: &Place) -> Place {
    [&a[0] - &b[0], &a[1] - &b[1]]
}

fn plus(a: &Place, b: &Place) -> Place {
    [&a[0] + &b[0], &a[1] + &b[1]]
}

fn cross(a: &Place, b: &Place) -> BigInt {
    &a[0] * &b[1] - &a[1] * &b[0]
}

pub fn dot(a: &Place, b: &Place) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1]
}

fn side(line: &[Place; 2], point: &Place) -> Sign {
    cross(&minus(&line[1], &line[0]), &minus(point, &line[0])).sign()
}

fn in_box([a, b]: &[Place; 2], point: &Place) -> bool {
    (0..2).all(|axis| {
        let (a, b, it) = (&a[axis], &b[axis], &point[axis]);
        a.min(b) <= it && it <= a.max(b)
    })
}

fn is_on(edge: &[Place; 2], point: &Place) -> bool {
    in_box(edge, point) && side(edge, point) == Sign::NoSign
}

/// Whether two segments have a point in common.
fn touch(a: &[Place; 2], b: &[Place; 2]) -> bool {
    let apart = |axis: usize| {
        let [a, b] = [a, b].map(|it| [&it[0][axis], &it[1][axis]]);
        a[0].max(a[1]) < b[0].min(b[1]) || b[0].max(b[1]) < a[0].min(a[1])
    };
    if apart(0) || apart(1) {
        return false;
    }
    let (a0, a1) = (side(b, &a[0]), side(b, &a[1]));
    let (b0, b1) = (side(a, &b[0]), side(a, &b[1]));
    let opposite = |one, other| one != Sign::NoSign && other != Sign::NoSign && one != other;
    opposite(a0, a1) && opposite(b0, b1)
        || a.iter().any(|it| is_on(b, it))
        || b.iter().any(|it| is_on(a, it))
}

fn point_within(point: &Place, [start, end]: &[Place; 2], radius: &BigInt) -> bool {
    let (edge, gap) = (minus(end, start), minus(point, start));
    let (along, length) = (dot(&gap, &edge), dot(&edge, &edge));
    let square = radius * radius;
    if along.sign() != Sign::Plus {
        dot(&gap, &gap) <= square
    } else if along >= length {
        let gap = minus(point, end);
        dot(&gap, &gap) <= square
    } else {
        let cross = cross(&edge, &gap);
        &cross * &cross <= square * length
    }
}

fn segments_within(a: &[Place; 2], b: &[Place; 2], radius: &BigInt) -> bool {
    touch(a, b)
        || !radius.is_zero()
            && (a.iter().any(|it| point_within(it, b, radius))
                || b.iter().any(|it| point_within(it, a, radius)))
}

impl Figure {
    /// The figure moved.
    pub fn moved(&self, by: &Place) -> Self {
        let edges = self
            .edges
            .iter()
            .map(|edge| edge.each_ref().map(|it| plus(it, by)));
        Self {
            edges: edges.collect(),
            ..*self
        }
    }

    /// A point or a segment.
    pub fn segment(ends: [Place; 2]) -> Self {
        Self {
            edges: vec![ends],
            has_interior: false,
        }
    }

    /// Whether a point lies on the boundary.
    pub fn has_on_boundary(&self, point: &Place) -> bool {
        self.edges.iter().any(|edge| is_on(edge, point))
    }

    /// Whether a point lies in the figure.
    pub fn contains(&self, point: &Place) -> bool {
        if self.has_on_boundary(point) {
            return true;
        }
        let crosses = |edge: &&[Place; 2]| {
            let [low, high] = if edge[0][1] <= edge[1][1] {
                [0, 1]
            } else {
                [1, 0]
            };
            let is_between = edge[low][1] <= point[1] && point[1] < edge[high][1];
            is_between && side(&[edge[low].clone(), edge[high].clone()], point) == Sign::Plus
        };
        self.has_interior && self.edges.iter().filter(crosses).count() % 2 == 1
    }

    /// Whether the distance of two figures is at most a radius.
    pub fn is_within(&self, other: &Self, radius: &BigInt) -> bool {
        let near = |a: &[Place; 2]| other.edges.iter().any(|b| segments_within(a, b, radius));
        self.edges.iter().any(near)
            || self.edges.iter().any(|edge| other.contains(&edge[0]))
            || other.edges.iter().any(|edge| self.contains(&edge[0]))
    }

    /// Whether it is while this figure moves. Of two that come near, a vertex comes near an edge first.
    pub fn comes_within(&self, other: &Self, by: &Place, radius: &BigInt) -> bool {
        let back = by.each_ref().map(|it| -it);
        let sweeps = |vertices: &Self, edges: &Self, by: &Place| {
            let ends = vertices.edges.iter().flatten();
            ends.map(|start| [start.clone(), plus(start, by)])
                .any(|path| {
                    edges
                        .edges
                        .iter()
                        .any(|edge| segments_within(&path, edge, radius))
                })
        };
        self.is_within(other, radius) || sweeps(self, other, by) || sweeps(other, self, &back)
    }

    /// Whether a ring is simple: its edges have only the vertex in common at which they follow each
    /// other. Repeated vertices are left out before.
    pub fn is_simple_ring(&self) -> bool {
        let edges: Vec<_> = self.edges.iter().filter(|[a, b]| a != b).collect();
        let count = edges.len();
        let fits = |i: usize, j: usize| {
            let (a, b) = (edges[i], edges[j]);
            if j == i + 1 || (i == 0 && j == count - 1) {
                let (before, after) = if j == i + 1 { (a, b) } else { (b, a) };
                !is_on(after, &before[0]) && !is_on(before, &after[1])
            } else {
                !touch(a, b)
            }
        };
        count >= 3 && (0..count).all(|i| (i + 1..count).all(|j| fits(i, j)))
    }
}
