//! Nanoseconds of the batch functions without Python: `cargo bench`
//!
//! Pairs of convex polygons, turned and shifted so that about half of them overlap, in sets that fit
//! the second-level cache. Operands are checked, and one thread answers.

use std::f64::consts::TAU;
use std::hint::black_box;
use std::sync::Arc;

use carom::batch::circle_queries::{CircleIntersectsQuery, CirclePolygonQuery, SweptCircleQuery};
use carom::batch::moving_queries::SweptCollisionQuery;
use carom::batch::shape_queries::{IntersectsQuery, SatQuery};
use carom::batch::{
    CancelToken, Column, Field, FieldKind, OnInvalid, OperandRows, OutputColumn, OutputTable,
    Query, QueryBatch, QueryOperands, QueryResult, Rows, Shared, TileQuery, Validation, run,
};
use carom::geom::{Point, Vec2};
use divan::Bencher;
use divan::counter::ItemsCount;

/// Vertices of either polygon of a pair.
const VERTICES: [usize; 4] = [4, 8, 32, 256];
/// Vertices of all pairs of a set, 16 bytes each.
const TOTAL: usize = 1 << 15;
/// Distance of the centers up to which about half of the pairs overlap.
const FAR: f64 = 3.5;
const VELOCITY: Vec2 = Vec2::new(0.5, 0.25);

fn main() {
    divan::main();
}

#[divan::bench(args = VERTICES)]
fn intersects(bencher: Bencher<'_, '_>, vertices: usize) {
    measure(bencher, vertices, &["intersects"], IntersectsQuery);
}

#[divan::bench(args = VERTICES)]
fn sat(bencher: Bencher<'_, '_>, vertices: usize) {
    let fields = ["intersects", "depth", "mtv"];
    measure(bencher, vertices, &fields, SatQuery);
}

#[divan::bench(args = VERTICES)]
fn contact(bencher: Bencher<'_, '_>, vertices: usize) {
    measure(bencher, vertices, &["mtv", "contact"], SatQuery);
}

#[divan::bench(args = VERTICES)]
fn swept_collision(bencher: Bencher<'_, '_>, vertices: usize) {
    let fields = ["will_intersect", "time"];
    measure(bencher, vertices, &fields, SweptCollisionQuery);
}

#[divan::bench(args = VERTICES)]
fn impact(bencher: Bencher<'_, '_>, vertices: usize) {
    let fields = ["normal", "contact", "mtv"];
    measure(bencher, vertices, &fields, SweptCollisionQuery);
}

#[divan::bench(args = [4, 8, 32])]
fn circle_reaches(bencher: Bencher<'_, '_>, vertices: usize) {
    measure_circles(bencher, vertices, &["intersects"], CircleIntersectsQuery);
}

#[divan::bench(args = [4, 8, 32])]
fn circle_polygon(bencher: Bencher<'_, '_>, vertices: usize) {
    let fields = ["intersects", "depth", "mtv"];
    measure_circles(bencher, vertices, &fields, CirclePolygonQuery);
}

#[divan::bench(args = [4, 8, 32])]
fn swept_circle(bencher: Bencher<'_, '_>, vertices: usize) {
    measure_circles(
        bencher,
        vertices,
        &["will_intersect", "time"],
        SweptCircleQuery,
    );
}

/// As [`measure`], of circles about the origin and a column.
fn measure_circles<N: TileQuery<1>>(
    bencher: Bencher<'_, '_>,
    vertices: usize,
    fields: &[&str],
    query: N,
) {
    let rows = TOTAL / vertices;
    let steps = [0.754_878, 0.569_841, 0.430_160];
    let mut column = Column::of_rows(Arc::new(points(rows, vertices, FAR, steps)), rows, vertices);
    column.examine(Validation::Raise, 1).expect("good rows");
    let column = Arc::new(column);
    let polygon = OperandRows::new("polygon", vec![rows], column, Rows::Same);
    let query = QueryBatch {
        query,
        operands: QueryOperands {
            polygons: [polygon],
            circle: Some((one("center", Point::ORIGIN), one("radius", 1.0))),
            velocity: Some(one("velocity", VELOCITY).into()),
            margin: None,
            turns: [None, None],
            len: rows,
            check: true,
        },
    };
    measure_question::<N::Answer, _>(bencher, &query, fields);
}

/// An operand that serves all rows.
fn one<T: Copy + Send + Sync + 'static>(argument: &'static str, item: T) -> OperandRows<Shared<T>> {
    OperandRows::new(argument, vec![], Arc::new(vec![item]), Rows::One)
}

/// Measures the answers to all rows of a set, in the fields of these names.
fn measure<N: TileQuery<2>>(bencher: Bencher<'_, '_>, vertices: usize, fields: &[&str], query: N) {
    let rows = TOTAL / (2 * vertices);
    let query = QueryBatch {
        query,
        operands: QueryOperands {
            polygons: [
                dense("a", rows, vertices, 0.0, [0.618_034, 0.0, 0.0]),
                dense("b", rows, vertices, FAR, [0.754_878, 0.569_841, 0.430_160]),
            ],
            circle: None,
            velocity: Some(one("velocity", VELOCITY).into()),
            margin: None,
            turns: [None, None],
            len: rows,
            check: true,
        },
    };
    measure_question::<N::Answer, _>(bencher, &query, fields);
}

fn measure_question<R: QueryResult, Q: Query>(
    bencher: Bencher<'_, '_>,
    query: &Q,
    fields: &[&str],
) {
    let rows = query.rows();
    let mut memory: Vec<_> = fields
        .iter()
        .map(|name| Memory::of::<R>(name, rows))
        .collect();
    bencher
        .counter(ItemsCount::new(rows))
        .bench_local(|| fill(black_box(query), &mut memory));
}

fn fill<Q: Query>(query: &Q, memory: &mut [Memory]) {
    let table = OutputTable {
        first: 0,
        rows: query.rows(),
        columns: memory.iter_mut().map(Memory::column).collect(),
        valid: None,
    };
    run(query, table, OnInvalid::Raise, 1, &CancelToken::default()).expect("good rows");
}

/// Where a field goes: bytes or floats, and how many floats a row has.
struct Memory {
    field: usize,
    flags: Vec<u8>,
    floats: Vec<f64>,
    kind: FieldKind,
}

impl Memory {
    fn of<R: QueryResult>(name: &str, rows: usize) -> Self {
        let named = |field: &Field| field.name == name;
        let field = R::FIELDS.iter().position(named).expect("a field's name");
        let kind = R::FIELDS[field].kind;
        Self {
            field,
            flags: vec![0; rows],
            floats: vec![0.0; rows * kind.width()],
            kind,
        }
    }

    fn column(&mut self) -> (usize, OutputColumn<'_>) {
        let column = match self.kind {
            FieldKind::Bool => OutputColumn::Bool(&mut self.flags),
            kind => OutputColumn::floats(&mut self.floats, kind),
        };
        (self.field, column)
    }
}

/// Regular polygons of radius 1, their centers anywhere up to `far`. Direction and place of each
/// are multiples of irrational numbers, for want of random ones.
fn dense(
    argument: &'static str,
    rows: usize,
    vertices: usize,
    far: f64,
    steps: [f64; 3],
) -> OperandRows<Arc<Column>> {
    let column = Column::dense(Arc::new(points(rows, vertices, far, steps)), vertices);
    OperandRows::new(argument, vec![rows], Arc::new(column), Rows::Same)
}

/// The vertices of these rings.
fn points(rows: usize, vertices: usize, far: f64, steps: [f64; 3]) -> Vec<Point> {
    let ring = |row: usize| {
        let [turn, aside, apart] = steps.map(|step| row as f64 * step);
        let (distance, direction) = (far * apart.fract(), TAU * aside.fract());
        let center = Point::new(distance * direction.cos(), distance * direction.sin());
        (0..vertices).map(move |vertex| {
            // Regular polygons would have many edges that are equally deep.
            let astray = ((row * vertices + vertex) as f64 * 0.618_034).fract() / 2.0;
            let angle = TAU * (turn + (vertex as f64 + astray) / vertices as f64);
            Point::new(center.x + angle.cos(), center.y + angle.sin())
        })
    };
    (0..rows).flat_map(ring).collect()
}
