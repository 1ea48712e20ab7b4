//! The machinery of batches: broadcasting, chunks, masks, the lowest error, cancelling.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use carom::batch::join::Join;
use carom::batch::queries::nearest::Nearest;
use carom::batch::queries::shape_queries::IntersectsQuery;
use carom::batch::{
    ArgumentRow, CancelToken, Column, ColumnBuilder, ExamineError, FieldKind, InvalidRow,
    MovingColumn, OnInvalid, OperandRows, OutputColumn, OutputTable, Query, QueryBatch,
    QueryOperands, RaggedOffsets, Rows, Shared, Stop, Validation, Value, run, thread_pool,
};
use carom::geom::{Bounds, Point};
use carom::shape::{self, Predicate, Shape, ShapeKind};

fn square(x: f64) -> [Point; 4] {
    [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(dx, dy)| Point::new(x + dx, dy))
}

fn dense(
    argument: &'static str,
    at: &[f64],
    answer: &[usize],
    shape: &[usize],
) -> OperandRows<Arc<Column>> {
    let points: Vec<Point> = at.iter().flat_map(|&x| square(x)).collect();
    let rows = Rows::broadcast(shape, answer);
    OperandRows::new(argument, shape.to_vec(), squares(points), rows)
}

fn squares(points: Vec<Point>) -> Arc<Column> {
    Arc::new(Column::dense(Arc::new(points), 4))
}

/// Squares of which a row of the answer takes the one with this index.
fn picked(argument: &'static str, at: &[f64], index: Vec<i64>) -> OperandRows<Arc<Column>> {
    let points: Vec<Point> = at.iter().flat_map(|&x| square(x)).collect();
    let index: Shared<i64> = Arc::new(index);
    let rows = Rows::Picked(index, at.len());
    OperandRows::new(argument, vec![at.len()], squares(points), rows)
}

fn meet(
    a: OperandRows<Arc<Column>>,
    b: OperandRows<Arc<Column>>,
    len: usize,
) -> QueryBatch<IntersectsQuery, 2> {
    QueryBatch {
        query: IntersectsQuery,
        operands: QueryOperands {
            polygons: [a, b],
            circle: None,
            velocity: None,
            margin: None,
            turns: [None, None],
            len,
            check: true,
        },
    }
}

fn answers(
    query: &QueryBatch<IntersectsQuery, 2>,
    on_invalid: OnInvalid,
    threads: usize,
    control: &CancelToken,
) -> Result<(Vec<u8>, Vec<u8>), Stop> {
    let (mut found, mut valid) = (vec![7; query.rows()], vec![7; query.rows()]);
    let table = OutputTable {
        first: 0,
        rows: query.rows(),
        columns: vec![(0, OutputColumn::Bool(&mut found))],
        valid: Some(&mut valid),
    };
    run(query, table, on_invalid, threads, control)?;
    Ok((found, valid))
}

#[test]
fn rows_broadcast_as_numpy_would() {
    let a = [0.0, 10.0];
    let b = [0.5, 10.5, 1.0];
    let query = meet(
        dense("a", &a, &[2, 3], &[2, 1]),
        dense("b", &b, &[2, 3], &[3]),
        6,
    );
    let (found, valid) = answers(&query, OnInvalid::Raise, 1, &CancelToken::default()).unwrap();
    assert_eq!(found, [1, 0, 1, 0, 1, 0]);
    assert_eq!(valid, [1; 6]);
}

#[test]
fn picked_rows_are_taken_in_order() {
    let query = meet(
        picked("a", &[0.0, 10.0], vec![0, 0, 1, 1]),
        picked("b", &[0.5, 10.5], vec![0, 1, 0, 1]),
        4,
    );
    let (found, _) = answers(&query, OnInvalid::Raise, 1, &CancelToken::default()).unwrap();
    assert_eq!(found, [1, 0, 0, 1]);
}

fn with_bad_rows(bad: &[usize]) -> QueryBatch<IntersectsQuery, 2> {
    let mut at = vec![0.0; 10_000];
    for &row in bad {
        at[row] = f64::NAN;
    }
    let rows = [at.len()];
    meet(
        dense("a", &at, &rows, &rows),
        dense("b", &[0.5], &rows, &[]),
        at.len(),
    )
}

#[test]
fn the_lowest_bad_row_is_told_whatever_the_threads() {
    let query = with_bad_rows(&[9_000, 1_234, 5_678]);
    for threads in [1, 2, 7] {
        let pool = thread_pool::pool(threads).unwrap();
        let stop = pool
            .install(|| answers(&query, OnInvalid::Raise, threads, &CancelToken::default()))
            .unwrap_err();
        let Stop::Refused(1_234, InvalidRow::Shape(place, why)) = stop else {
            panic!("{stop:?}");
        };
        assert_eq!(place, ArgumentRow::row("a", &[10_000], 1_234));
        assert_eq!(
            format!("{place}: {why}"),
            "a[1234]: vertex 0 is (nan, 0.0); coordinates must be finite"
        );
    }
}

#[test]
fn masked_rows_are_blank_and_told_apart() {
    let query = with_bad_rows(&[3, 9_999]);
    let (found, valid) = answers(&query, OnInvalid::Mask, 1, &CancelToken::default()).unwrap();
    let bad: Vec<usize> = (0..valid.len()).filter(|&row| valid[row] == 0).collect();
    assert_eq!(bad, [3, 9_999]);
    assert!((0..found.len()).all(|row| found[row] == valid[row]));
}

/// Memory that counts how often it is read.
struct Counted(Vec<Point>, AtomicUsize);

impl AsRef<[Point]> for Counted {
    fn as_ref(&self) -> &[Point] {
        self.1.fetch_add(1, Ordering::Relaxed);
        &self.0
    }
}

#[test]
fn a_single_polygon_is_examined_once_from_a_copy() {
    let [bow, notch] = [
        [(0.0, 0.0), (2.0, 2.0), (2.0, 0.0), (0.0, 2.0)],
        [(0.0, 0.0), (4.0, 0.0), (0.5, 0.5), (0.0, 4.0)],
    ]
    .map(|ring| ring.map(|(x, y)| Point::new(x, y)).to_vec());
    for (ring, is_valid) in [(bow, 0), (notch, 1)] {
        let memory = Arc::new(Counted(ring, AtomicUsize::new(0)));
        let single = Arc::new(Column::dense(Arc::clone(&memory) as Shared<Point>, 4));
        let single = OperandRows::new("a", vec![], single, Rows::One);
        let others = dense("b", &vec![0.25; 10_000], &[10_000], &[10_000]);
        let mut query = meet(single, others, 10_000);
        query.prepare();
        let reads = memory.1.swap(0, Ordering::Relaxed);
        assert!(reads > 0);
        let control = CancelToken::default();
        let (found, valid) = answers(&query, OnInvalid::Mask, 1, &control).unwrap();
        assert_eq!(
            (found, valid),
            (vec![is_valid; 10_000], vec![is_valid; 10_000])
        );
        let raised = answers(&query, OnInvalid::Raise, 1, &control);
        assert_eq!(raised.is_ok(), is_valid == 1);
        assert_eq!(memory.1.load(Ordering::Relaxed), 0);
    }
}

#[test]
fn a_cancelled_batch_stops() {
    let control = CancelToken::default();
    control.cancel();
    let stop = answers(&with_bad_rows(&[]), OnInvalid::Raise, 1, &control);
    assert_eq!(stop.unwrap_err(), Stop::Cancelled);
}

/// A token that cancels the first time that it is asked after so many times.
fn asked(every: usize, times: usize) -> (CancelToken, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let goes_on = move || counted.fetch_add(1, Ordering::Relaxed) < times;
    (CancelToken::watched(every, goes_on), count)
}

#[test]
fn watched_work_asks_after_so_many_steps_until_it_is_told_to_stop() {
    let rows: Vec<Point> = (0..40).flat_map(|x| square(2.0 * f64::from(x))).collect();
    let mut column = Column::dense(Arc::new(rows), 4);
    column.examine(Validation::Raise, 1).unwrap();
    let column = Arc::new(column);
    let query = Nearest {
        a: Arc::clone(&column),
        b: column,
        k: vec![3; 40],
        with_ties: false,
        max_distance: f64::INFINITY,
    };
    let whole = query.pairs(1, &CancelToken::default()).unwrap();
    assert_eq!(whole.len(), 3 * 40);
    let (control, steps) = asked(1, usize::MAX);
    assert_eq!(query.pairs(1, &control).as_ref(), Ok(&whole));
    let steps = steps.load(Ordering::Relaxed);
    let (control, times) = asked(8, usize::MAX);
    assert_eq!(query.pairs(1, &control).as_ref(), Ok(&whole));
    assert_eq!(times.load(Ordering::Relaxed), steps / 8);
    for stop in 0..steps {
        let (control, times) = asked(1, stop);
        assert_eq!(query.pairs(1, &control), Err(Stop::Cancelled));
        assert_eq!(times.load(Ordering::Relaxed), stop + 1);
    }
}

/// Squares of which each touches the two after it.
fn squares_in_a_row(count: u32) -> MovingColumn {
    let rows: Vec<Point> = (0..count)
        .flat_map(|x| square(0.5 * f64::from(x)))
        .collect();
    let mut column = Column::dense(Arc::new(rows), 4);
    column.examine(Validation::Raise, 1).unwrap();
    MovingColumn {
        column: Arc::new(column),
        velocity: None,
        turns: None,
    }
}

fn join_at_rest(a: MovingColumn, b: Option<MovingColumn>, groups: Option<[Vec<u32>; 2]>) -> Join {
    let margin: Shared<f64> = Arc::new(vec![0.0]);
    Join {
        a,
        b,
        margin: OperandRows::new("margin", vec![], margin, Rows::One),
        exact: true,
        predicate: Predicate::Intersects,
        groups,
        in_order: false,
    }
}

#[test]
fn a_join_by_groups_has_the_pairs_of_equal_groups() {
    // The rows of the column that is searched for come first and last: fewer of `a`, or fewer of `b`.
    for (own, others) in [(3, 40), (40, 3), (40, 40)] {
        let numbers = |count: u32, most: u32| -> Vec<u32> {
            // Every seventh row has no group, and only `b` has rows of the last one.
            let number = |row: u32| {
                if row % 7 == 6 {
                    u32::MAX
                } else {
                    row * row % most
                }
            };
            (0..count).map(number).collect()
        };
        let groups = [numbers(own, 3), numbers(others, 5)];
        let columns = || (squares_in_a_row(own), Some(squares_in_a_row(others)));
        let pairs = |groups| {
            let (a, b) = columns();
            let control = CancelToken::default();
            let join = join_at_rest(a, b, groups);
            join.pairs(usize::MAX, 1, &control, &AtomicUsize::new(0))
        };
        let mut expected = pairs(None).unwrap();
        expected.retain(|&[row, other]| {
            let group = groups[0][row as usize];
            group != u32::MAX && group == groups[1][other as usize]
        });
        assert!(!expected.is_empty());
        assert_eq!(pairs(Some(groups)), Ok(expected));
    }
    let every_other: Vec<u32> = (0..40).map(|row| row % 2).collect();
    let groups = Some([every_other.clone(), every_other]);
    let join = join_at_rest(squares_in_a_row(40), None, groups);
    let found = join.pairs(usize::MAX, 1, &CancelToken::default(), &AtomicUsize::new(0));
    let expected: Vec<_> = (0..38).map(|row| [row, row + 2]).collect();
    assert_eq!(found, Ok(expected));
}

#[test]
fn a_join_that_is_stopped_anywhere_has_no_pairs() {
    let join = join_at_rest(squares_in_a_row(40), None, None);
    let pairs = |control: &CancelToken| join.pairs(usize::MAX, 1, control, &AtomicUsize::new(0));
    let whole = pairs(&CancelToken::default()).unwrap();
    // Each square touches the two after it.
    assert_eq!(whole.len(), 39 + 38);
    let (control, steps) = asked(1, usize::MAX);
    assert_eq!(pairs(&control).as_ref(), Ok(&whole));
    let steps = steps.load(Ordering::Relaxed);
    assert!(steps > 5);
    for stop in 0..steps {
        assert_eq!(pairs(&asked(1, stop).0), Err(Stop::Cancelled));
    }
}

#[test]
fn a_watched_batch_asks_before_it_writes() {
    let (control, times) = asked(usize::MAX, 1);
    let stop = answers(&with_bad_rows(&[]), OnInvalid::Raise, 1, &control);
    assert_eq!(stop, Err(Stop::Cancelled));
    assert_eq!(times.load(Ordering::Relaxed), 2);
}

#[test]
fn chunks_are_whole_rows_of_every_column() {
    let (mut flags, mut ends, mut valid) = (vec![0; 10], vec![0.0; 40], vec![0; 10]);
    let table = OutputTable {
        first: 5,
        rows: 10,
        columns: vec![
            (0, OutputColumn::Bool(&mut flags)),
            (5, OutputColumn::floats(&mut ends, FieldKind::Segment)),
        ],
        valid: Some(&mut valid),
    };
    let mut chunks: Vec<_> = table.chunks(4).collect();
    let sizes: Vec<_> = chunks
        .iter()
        .map(|chunk| (chunk.first, chunk.rows))
        .collect();
    assert_eq!(sizes, [(5, 4), (9, 4), (13, 2)]);
    chunks[1].columns[1].1.set(
        0,
        Value::Segment([Point::new(1.0, 2.0), Point::new(3.0, 4.0)]),
    );
    assert_eq!(ends[16..20], [1.0, 2.0, 3.0, 4.0]);
}

fn convex(column: &Column) -> Vec<bool> {
    column.each(1, |polygon| polygon.is_some_and(|it| it.is_convex()))
}

#[test]
fn a_column_keeps_rings_open_and_rows_apart() {
    let mut column = ColumnBuilder::default();
    let [a, b, c, d] = square(0.0);
    column.push([&[a, b, c, d, a][..]]);
    column.push([]);
    column.push([&square(3.0)[..]]);
    let mut column = column.build();
    assert_eq!(column.offsets().polygons.as_deref().unwrap(), [0, 1, 1, 2]);
    assert_eq!(column.offsets().rings, [0, 4, 8]);
    column.examine(Validation::Raise, 1).unwrap();
    assert_eq!(convex(&column), [true, false, true]);
    assert_eq!(column.bounds(1), Bounds::EMPTY);
    assert_eq!(column.bounds(2).numbers(), [3.0, 0.0, 4.0, 1.0]);
    let taken = column.take([2, 1].into_iter());
    assert_eq!(taken.coords(), square(3.0));
    assert_eq!(convex(&taken), [true, false]);
}

/// A closed square with a closed hole, a missing row, an empty ring, and a closed square.
fn closed_parts() -> Column {
    let close = |x: f64, size: f64| {
        let ring = square(0.0).map(|p| Point::new(x + size * p.x, x + size * p.y));
        [ring.as_slice(), &ring[..1]].concat()
    };
    let coords = [close(0.0, 9.0), close(1.0, 1.0), close(20.0, 1.0)].concat();
    let offsets = RaggedOffsets {
        rings: vec![0, 5, 10, 10, 15],
        polygons: Some(vec![0, 2, 2, 3, 4]),
        shapes: None,
    };
    Column::of_shapes(Arc::new(coords), offsets)
}

#[test]
fn closing_vertices_stay_in_memory_and_out_of_sight() {
    let column = closed_parts();
    assert_eq!(column.memory().len(), 15);
    assert_eq!(
        (column.len(), column.missing(), column.vertices()),
        (4, 2, 12)
    );
    assert_eq!(column.offsets().rings, [0, 4, 8, 12]);
    assert_eq!(
        column.offsets().polygons.as_deref().unwrap(),
        [0, 2, 2, 2, 3]
    );
    assert_eq!(column.coords().len(), 12);
    let spans: Vec<_> = (0..4).flat_map(|row| column.ring_spans(row)).collect();
    assert_eq!(spans, [0..4, 5..9, 10..14]);
}

#[test]
fn chosen_rows_lie_in_the_same_memory() {
    let mut column = closed_parts();
    column.examine(Validation::Raise, 1).unwrap();
    for chosen in [
        column.slice(1..4),
        column.take([3, 0].into_iter()),
        column.slice(1..4).slice(2..3),
    ] {
        assert!(chosen.is_examined());
        assert_eq!(chosen.memory().as_ptr(), column.memory().as_ptr());
    }
    assert_eq!(
        column.take([3, 1].into_iter()),
        column.slice(2..4).take([1, 0].into_iter())
    );
}

#[test]
fn an_empty_ring_after_a_closing_vertex_does_not_add_it() {
    let ring = square(0.0);
    let closed = [&ring[..], &ring[..1]].concat();
    let offsets = RaggedOffsets {
        rings: vec![0, 5, 5],
        polygons: Some(vec![0, 2]),
        shapes: None,
    };
    let column = Column::of_shapes(Arc::new(closed), offsets);
    let taken = column.take([0].into_iter());
    assert_eq!(taken.coords(), ring);
    assert_eq!(taken.mapped(|_, vertex| vertex), taken);
}

#[test]
fn a_missing_row_of_several_polygons_has_none() {
    let offsets = RaggedOffsets {
        rings: vec![0, 4, 4, 4],
        polygons: Some(vec![0, 1, 2, 3]),
        shapes: Some(vec![0, 1, 3]),
    };
    let kinds = vec![ShapeKind::MultiPolygon; 2];
    let column = Column::of_shapes(Arc::new(square(0.0).to_vec()), offsets).of_kinds(kinds, vec![]);
    let compacted = column.offsets();
    assert_eq!(compacted.rings, [0, 4]);
    assert_eq!(compacted.polygons.as_deref().unwrap(), [0, 1]);
    assert_eq!(compacted.shapes.as_deref().unwrap(), [0, 1, 1]);
}

#[test]
fn rows_chosen_before_they_are_examined_are_examined_alone() {
    let mut column = ColumnBuilder::default();
    column.push([&square(0.0)[..2]]);
    column.push([&square(3.0)[..]]);
    column.push([&square(5.0)[..]]);
    let column = column.build();
    for mut chosen in [column.slice(1..3), column.take([2, 1].into_iter())] {
        chosen.examine(Validation::Raise, 1).unwrap();
        assert_eq!(convex(&chosen), [true, true]);
    }
    let refused = column.slice(0..1).examine(Validation::Raise, 1);
    assert!(matches!(refused, Err(ExamineError::Invalid(0, _))));
}

#[test]
fn rows_of_all_kinds_are_known_in_any_number_of_threads() {
    let dart = [(0.0, 0.0), (4.0, 0.0), (1.0, 1.0), (0.0, 4.0)].map(|(x, y)| Point::new(x, y));
    let mut column = ColumnBuilder::default();
    for row in 0..3000 {
        match row % 3 {
            0 => column.push([&dart[..]]),
            1 => column.push([&square(f64::from(row))[..]]),
            _ => column.push([]),
        }
    }
    for threads in [1, 4] {
        let mut column = column.clone().build();
        let pool = thread_pool::pool(threads).unwrap();
        pool.install(|| column.examine(Validation::Raise, threads))
            .unwrap();
        let area = |polygon: Option<Shape<'_>>| polygon.map_or(0.0, |it| shape::area(&it));
        let areas = pool.install(|| column.each(threads, area));
        let expected = [4.0, 1.0, 0.0];
        assert!((0..3000).all(|row| areas[row] == expected[row % 3]));
    }
}

#[test]
fn a_column_names_its_bad_row() {
    let mut column = ColumnBuilder::default();
    column.push([&square(0.0)[..]]);
    column.push([&square(0.0)[..2]]);
    let mut column = column.build();
    let refused = column.examine(Validation::Raise, 1);
    assert!(matches!(refused, Err(ExamineError::Invalid(1, _))));
}
