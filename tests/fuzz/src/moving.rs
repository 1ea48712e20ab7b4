//! Two shapes of which one moves: swept collisions, contact intervals, closest approach.

use arbitrary::Result;
use carom::batch::queries::moving_queries::{
    ClosestApproachQuery, ContactIntervalsQuery, SweptCollisionQuery,
};
use carom::batch::{CancelToken, OnInvalid, QueryBatch, QueryOperands};
use carom::geom::Vec2;
use carom::shape::{
    Shape, TimeIntervals, closest_approach, comes_within, contact_intervals, swept_collision,
};

use crate::Answers;
use crate::exact::Unit;
use crate::pairs::{ABOVE, BELOW, operands};
use crate::rows::answers;
use crate::scene::{Given, Scene, operand};

/// See the module.
pub fn moving(data: &[u8]) -> Answers {
    decoded(data).ok()
}

fn decoded(data: &[u8]) -> Result<Vec<u64>> {
    let mut scene = Scene::new(data)?;
    let count = usize::from(scene.below(10)?) + 1;
    let (of_a, of_b) = (scene.rows(count)?, scene.rows(count)?);
    let (a, b) = (scene.column(&of_a)?, scene.column(&of_b)?);
    let has_margin = scene.below(4)? == 0;
    let mut velocities = Vec::new();
    let mut margins = Vec::new();
    for row in 0..count {
        velocities.push(scene.vector()?);
        margins.push(if has_margin {
            scene.length()?.abs()
        } else {
            0.0
        });
        check(&of_a[row], &of_b[row], velocities[row], margins[row]);
    }
    let both = [&a, &b];
    let moving = |has_margin: bool| QueryOperands {
        velocity: Some(operand("velocity", &velocities).into()),
        margin: has_margin.then(|| operand("margin", &margins)),
        ..operands(both)
    };
    macro_rules! bits {
        ($query:expr, $margin:expr) => {
            answers(QueryBatch {
                query: $query,
                operands: moving($margin),
            })
        };
    }
    let mut bits = bits!(SweptCollisionQuery, has_margin);
    let intervals = QueryBatch {
        query: ContactIntervalsQuery::default(),
        operands: moving(has_margin),
    };
    let shapes = of_a.iter().zip(&of_b).zip(velocities.iter().zip(&margins));
    bits.extend(all_intervals(
        intervals,
        shapes.map(|((a, b), (&velocity, &margin))| {
            let [a, b] = [a, b].map(|it| Shape::new(it.rings()).expect("valid"));
            contact_intervals(&a, &b, velocity, margin)
        }),
    ));
    bits.extend(bits!(ClosestApproachQuery, false));
    Ok(bits)
}

/// The bits of a batch's intervals, which are those of its rows one by one.
fn all_intervals(
    mut batch: QueryBatch<ContactIntervalsQuery, 2>,
    rows: impl Iterator<Item = TimeIntervals>,
) -> Vec<u64> {
    let answer = batch
        .intervals(OnInvalid::Mask, 1, &CancelToken::default())
        .expect("nothing stops it");
    let (mut intervals, mut offsets) = (Vec::new(), vec![0]);
    for row in rows {
        intervals.extend(row.as_flattened().iter().map(|it| it.to_bits()));
        offsets.push(offsets[offsets.len() - 1] + row.len() as i64);
    }
    let bits: Vec<u64> = answer.intervals.iter().map(|it| it.to_bits()).collect();
    assert_eq!(
        (&bits, &answer.offsets),
        (&intervals, &offsets),
        "intervals"
    );
    bits
}

fn check(a: &Given, b: &Given, velocity: Vec2, margin: f64) {
    let [of_a, of_b] = [a, b].map(|it| Shape::new(it.rings()).expect("valid"));
    let what = || format!("{a:?} {b:?} {velocity:?} {margin:e}");
    let numbers = a
        .numbers()
        .chain(b.numbers())
        .chain([velocity.x, velocity.y, margin]);
    let approach = closest_approach(&of_a, &of_b, velocity);
    let nearest = [approach.distance * BELOW, approach.distance * ABOVE];
    let unit = Unit::of(numbers.chain(nearest).filter(|it| it.is_finite()));
    let [figure_a, figure_b] = [a, b].map(|it| unit.figure(it.rings()));
    let radius = |extra: f64| unit.number(a.radius) + unit.number(b.radius) + unit.number(extra);
    let comes = |part: f64, extra: f64| {
        let by = unit.part(velocity, part);
        figure_a.comes_within(&figure_b, &by, &radius(extra))
    };
    let touches = figure_a.is_within(&figure_b, &radius(margin));
    let truth = comes(1.0, margin);
    let sweep = swept_collision(&of_a, &of_b, velocity, margin);
    assert_eq!(sweep.intersects(), touches, "intersects {}", what());
    assert_eq!(sweep.will_intersect(), truth, "will intersect {}", what());
    assert_eq!(
        comes_within(&of_a, &of_b, velocity, margin),
        truth,
        "comes within {}",
        what()
    );
    let back = Vec2::new(-velocity.x, -velocity.y);
    assert_eq!(
        swept_collision(&of_b, &of_a, back, margin).will_intersect(),
        truth,
        "swapped {}",
        what()
    );
    let time = sweep.time();
    assert_eq!(time == 0.0, touches, "time {time:e} {}", what());
    // Parts of the frame are rounded to 2^-60.
    if truth && time > 1e-8 {
        assert!(
            time * BELOW <= 0.0 || !comes(time * BELOW, margin),
            "time {time:e} is late {}",
            what()
        );
        assert!(
            comes((time * ABOVE).min(1.0), margin),
            "time {time:e} is early {}",
            what()
        );
    }
    let intervals = contact_intervals(&of_a, &of_b, velocity, margin);
    assert_eq!(!intervals.is_empty(), truth, "intervals {}", what());
    if let Some(&[enter, leave]) = intervals.first() {
        assert!(
            (enter - time).abs() <= 1e-9 * time && leave >= enter,
            "{enter:e} {time:e} {}",
            what()
        );
        assert!(
            intervals.windows(2).all(|it| it[0][1] < it[1][0]),
            "order {}",
            what()
        );
        assert!(
            intervals
                .iter()
                .all(|it| 0.0 <= it[0] && it[0] <= it[1] && it[1] <= 1.0),
            "range {}",
            what()
        );
    }
    let gap = approach.distance;
    assert_eq!(gap == 0.0, comes(1.0, 0.0), "approach {gap:e} {}", what());
    if (f64::MIN_POSITIVE * 1e12..f64::MAX / 2.0).contains(&gap) {
        assert!(
            comes(1.0, nearest[1]),
            "approach {gap:e} is too small {}",
            what()
        );
        assert!(
            !comes(1.0, nearest[0]),
            "approach {gap:e} is too large {}",
            what()
        );
    }
}
