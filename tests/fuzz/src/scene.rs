//! Degenerate scenes from bytes: few different coordinates, neighbours of them by an ulp, extreme scales,
//! shared and repeated vertices, collinear ones, rings turned and reversed.

use std::sync::Arc;

use arbitrary::{Result, Unstructured};
use carom::batch::{Column, ColumnBuilder, OperandRows, Rows, Validation};
use carom::geom::{Point, Vec2};
use carom::shape::{Rings, Shape, ShapeKind, convex_hull};

const SCALES: [f64; 12] = [
    1.0, 1.0, 1.0, 1.0, 0.1, 1e-9, 1e6, 1e-160, 1e150, 5e-324, 1e-308, 1e306,
];

const ORIGINS: [f64; 8] = [0.0, 0.0, 0.0, -4.0, 1e6, 4_503_599_627_370_496.0, 0.3, 1e-3];

/// A shape that owns its vertices.
#[derive(Clone, Debug)]
pub struct Given {
    pub vertices: Vec<Point>,
    pub offsets: Vec<usize>,
    pub polygons: Vec<usize>,
    pub kind: ShapeKind,
    pub radius: f64,
}

impl Given {
    fn one(vertices: Vec<Point>, kind: ShapeKind) -> Self {
        let offsets = vec![0, vertices.len()];
        Self {
            vertices,
            offsets,
            polygons: Vec::new(),
            kind,
            radius: 0.0,
        }
    }

    /// The shape as the crate takes it.
    pub fn rings(&self) -> Rings<'_> {
        Rings::of_kind(&self.vertices, &self.offsets, self.kind, &self.polygons)
            .with_radius(self.radius)
    }

    /// All its numbers.
    pub fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        self.vertices
            .iter()
            .flat_map(|it| [it.x, it.y])
            .chain([self.radius])
    }
}

/// Decodes bytes.
pub struct Scene<'d> {
    pub bytes: Unstructured<'d>,
    scale: f64,
    origin: [f64; 2],
    used: [Vec<f64>; 2],
    last: Vec<Point>,
    /// Whether there are only convex polygons without a radius, which tiles answer.
    pub is_plain: bool,
    vertices: Option<usize>,
}

impl<'d> Scene<'d> {
    /// # Errors
    ///
    /// As `arbitrary` has it: its functions may fail.
    pub fn new(data: &'d [u8]) -> Result<Self> {
        let mut bytes = Unstructured::new(data);
        let scale = *bytes.choose(&SCALES)?;
        let origin = [*bytes.choose(&ORIGINS)?, *bytes.choose(&ORIGINS)?];
        // At extreme scales an offset would swallow all differences.
        let is_usual = (1e-10..1e10).contains(&scale);
        let origin = origin.map(|it| if is_usual { it } else { 0.0 });
        let is_plain = bytes.arbitrary::<bool>()?;
        let vertices = bytes.arbitrary::<u8>()? % 4;
        let vertices = (vertices > 0).then_some(usize::from(vertices) + 2);
        let (used, last) = ([Vec::new(), Vec::new()], Vec::new());
        Ok(Self {
            bytes,
            scale,
            origin,
            used,
            last,
            is_plain,
            vertices,
        })
    }

    pub fn below(&mut self, limit: u8) -> Result<u8> {
        Ok(self.bytes.arbitrary::<u8>()? % limit)
    }

    fn beside(value: f64, steps: i64) -> f64 {
        let stepped = (0..steps.abs()).fold(value, |it, _| {
            if steps > 0 {
                it.next_up()
            } else {
                it.next_down()
            }
        });
        if stepped.is_finite() { stepped } else { value }
    }

    /// A length on the lattice, or beside it.
    pub fn length(&mut self) -> Result<f64> {
        let value = f64::from(self.below(9)? as i8 - 4) * self.scale;
        let steps = match self.below(8)? {
            0 => 1,
            1 => -1,
            _ => 0,
        };
        Ok(Self::beside(value, steps))
    }

    fn coordinate(&mut self, axis: usize) -> Result<f64> {
        let way = self.below(16)?;
        let value = match (way, self.used[axis].len()) {
            (10.., 1..) => {
                let index = usize::from(self.below(255)?) % self.used[axis].len();
                let value = self.used[axis][index];
                Self::beside(value, [0, 0, 0, 1, -1, 2][usize::from(way) - 10])
            }
            _ => self.origin[axis] + f64::from(self.below(9)?) * self.scale,
        };
        self.used[axis].push(value);
        Ok(value)
    }

    pub fn point(&mut self) -> Result<Point> {
        Ok(Point::new(self.coordinate(0)?, self.coordinate(1)?))
    }

    /// A vertex used before, or any point.
    pub fn point_near(&mut self) -> Result<Point> {
        if self.below(3)? == 0 && !self.last.is_empty() {
            let index = usize::from(self.below(255)?) % self.last.len();
            return Ok(self.last[index]);
        }
        self.point()
    }

    pub fn vector(&mut self) -> Result<Vec2> {
        Ok(Vec2::new(self.length()?, self.length()?))
    }

    fn points(&mut self, most: u8) -> Result<Vec<Point>> {
        let count = self.below(most)? + 1;
        (0..count).map(|_| self.point_near()).collect()
    }

    fn hull(&mut self) -> Result<Vec<Point>> {
        let most = self.vertices.map_or(9, |it| it as u8 + 3);
        let mut hull = convex_hull(&self.points(most)?);
        if let Some(vertices) = self.vertices {
            hull.truncate(vertices);
        }
        Ok(hull)
    }

    /// A rectilinear polygon under a staircase, or one between two chains.
    fn staircase(&mut self) -> Result<Vec<Point>> {
        let mut xs: Vec<f64> = (0..self.below(4)? + 3)
            .map(|_| self.coordinate(0))
            .collect::<Result<_>>()?;
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        let is_stepped = self.bytes.arbitrary::<bool>()?;
        let low = self.coordinate(1)?;
        let mut ring = vec![Point::new(xs[xs.len() - 1], low), Point::new(xs[0], low)];
        for ends in xs.windows(2) {
            let high = self.coordinate(1)?;
            ring.push(Point::new(ends[0], high));
            if is_stepped {
                ring.push(Point::new(ends[1], high));
            }
        }
        Ok(ring)
    }

    fn ring(&mut self) -> Result<Vec<Point>> {
        let way = if self.is_plain {
            self.below(3)?
        } else {
            self.below(8)?
        };
        let mut ring = match way {
            0 | 4 => {
                let [p, q] = [self.point_near()?, self.point_near()?];
                vec![p, Point::new(q.x, p.y), q, Point::new(p.x, q.y)]
            }
            1 if !self.last.is_empty() => {
                let by = self.vector()?;
                let moved = |it: &Point| Point::new(it.x + by.x, it.y + by.y);
                self.last.iter().map(moved).collect()
            }
            5 | 6 => self.staircase()?,
            7 => self.points(9)?,
            _ => self.hull()?,
        };
        if ring.is_empty() || ring.iter().any(|it| !it.is_finite()) {
            ring = vec![self.point()?];
        }
        let first = usize::from(self.below(16)?) % ring.len();
        ring.rotate_left(first);
        if self.bytes.arbitrary::<bool>()? {
            ring.reverse();
        }
        match self.below(if self.is_plain { 16 } else { 6 })? {
            0 => {
                let (p, q) = (ring[0], ring[ring.len() - 1]);
                ring.push(Point::new(p.x / 2.0 + q.x / 2.0, p.y / 2.0 + q.y / 2.0));
            }
            1 => ring.insert(1, ring[0]),
            2 => ring.push(ring[0]),
            _ => {}
        }
        self.last.clone_from(&ring);
        Ok(ring)
    }

    fn any_given(&mut self) -> Result<Given> {
        let ring = self.ring()?;
        let way = if self.is_plain { 0 } else { self.below(12)? };
        let mut given = match way {
            7 => Given::one(vec![ring[0]], ShapeKind::Point),
            8 => Given::one(ring[..ring.len().min(2)].to_vec(), ShapeKind::Path),
            9 => Given::one(ring, ShapeKind::Path),
            10 => {
                let offsets = (0..=ring.len()).collect();
                Given {
                    offsets,
                    ..Given::one(ring, ShapeKind::MultiPoint)
                }
            }
            6 | 11 => {
                let several = if way == 6 {
                    ShapeKind::MultiPolygon
                } else {
                    ShapeKind::Polygon
                };
                let mut given = Given::one(ring, several);
                given.vertices.extend(self.ring()?);
                given.offsets.push(given.vertices.len());
                given.polygons = if way == 6 { vec![0, 1, 2] } else { Vec::new() };
                given
            }
            _ => Given::one(ring, ShapeKind::Polygon),
        };
        if !self.is_plain && self.below(3)? == 0 {
            given.radius = self.length()?.abs();
        }
        Ok(given)
    }

    /// A valid shape: where the bytes make none, the hull of their points, or a triangle.
    pub fn given(&mut self) -> Result<Given> {
        let given = self.any_given()?;
        if Shape::new(given.rings()).is_ok() {
            return Ok(given);
        }
        let hull = Given::one(convex_hull(&given.vertices), ShapeKind::Polygon);
        if Shape::new(hull.rings()).is_ok() {
            return Ok(hull);
        }
        let triangle = [(1.0, 0.0), (0.0, 2.0), (-1.0, 0.0)];
        let point = |(x, y): (f64, f64)| Point::new(x * self.scale, y * self.scale);
        Ok(Given::one(triangle.map(point).to_vec(), ShapeKind::Polygon))
    }

    /// Shapes for some rows.
    pub fn rows(&mut self, count: usize) -> Result<Vec<Given>> {
        (0..count).map(|_| self.given()).collect()
    }

    /// The shapes as a column, examined or not.
    pub fn column(&mut self, rows: &[Given]) -> Result<Arc<Column>> {
        let mut column = ColumnBuilder::default();
        rows.iter()
            .for_each(|it| column.push_shape(Some(it.rings())));
        let mut column = column.build();
        if self.bytes.arbitrary()? {
            column.examine(Validation::Raise, 1).expect("valid shapes");
        }
        Ok(Arc::new(column))
    }
}

/// An operand with a row of its own for every row of the answer.
pub fn operand<T: Clone + Send + Sync + 'static>(
    name: &'static str,
    rows: &[T],
) -> OperandRows<carom::batch::Shared<T>> {
    OperandRows::new(name, vec![rows.len()], Arc::new(rows.to_vec()), Rows::Same)
}

/// A column as such an operand.
pub fn shapes(name: &'static str, column: &Arc<Column>) -> OperandRows<Arc<Column>> {
    OperandRows::new(name, vec![column.len()], Arc::clone(column), Rows::Same)
}
