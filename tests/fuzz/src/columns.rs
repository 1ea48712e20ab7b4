//! Many shapes at once: joins, nearest neighbors and rays, against all pairs one by one.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use arbitrary::Result;
use carom::batch::queries::nearest::Nearest;
use carom::batch::{CancelToken, Column, IndexPairs, Join, MovingColumn, RayCastBatch, Validation};
use carom::geom::{Circle, Motion, Point, Vec2};
use carom::shape::{Predicate, Shape, comes_within, distance, swept_circle};

use crate::Answers;
use crate::rows::answers;
use crate::scene::{Given, Scene, operand};

/// See the module.
pub fn columns(data: &[u8]) -> Answers {
    decoded(data).ok()
}

fn decoded(data: &[u8]) -> Result<Vec<u64>> {
    let mut scene = Scene::new(data)?;
    let [rows_a, rows_b] = [scene.below(12)? + 1, scene.below(12)? + 1].map(usize::from);
    let (of_a, of_b) = (scene.rows(rows_a)?, scene.rows(rows_b)?);
    let mut columns = [scene.column(&of_a)?, scene.column(&of_b)?];
    for column in &mut columns {
        let mut examined = Column::clone(column);
        examined
            .examine(Validation::Raise, 1)
            .expect("valid shapes");
        *column = Arc::new(examined);
    }
    let moves = scene.bytes.arbitrary::<bool>()?;
    let mut velocities = |count: usize| -> Result<Vec<Vec2>> {
        (0..count)
            .map(|_| {
                if moves {
                    scene.vector()
                } else {
                    Ok(Vec2::ZERO)
                }
            })
            .collect()
    };
    let (moves_a, moves_b) = (velocities(rows_a)?, velocities(rows_b)?);
    let margin = if scene.bytes.arbitrary()? {
        scene.length()?.abs()
    } else {
        0.0
    };
    let [a, b] = &columns;
    let side = |column: &Arc<Column>, velocities: &[Vec2]| MovingColumn {
        column: Arc::clone(column),
        velocity: moves.then(|| operand("velocity", velocities)),
        turns: None,
    };
    let in_order = scene.bytes.arbitrary()?;
    let join = |others, exact| Join {
        groups: None,
        a: side(a, &moves_a),
        b: others,
        margin: operand("margin", &vec![margin; rows_a]),
        exact,
        predicate: Predicate::Intersects,
        in_order,
    };
    let is_pair = |one: (&Given, Vec2), other: (&Given, Vec2)| {
        let [a, b] = [one.0, other.0].map(|it| Shape::new(it.rings()).expect("valid"));
        let end = |velocity: Vec2| Point::new(velocity.x, velocity.y);
        let motion = Motion::between(end(other.1), end(one.1));
        comes_within(&a, &b, motion, margin)
    };
    // All pairs of a row of `a` and one of the others, of `a` itself only later ones.
    let all = |others: &[Given], moves: &[Vec2], is_self: bool| -> IndexPairs {
        let numbers = (0..rows_a).flat_map(|i| (0..others.len()).map(move |j| (i, j)));
        let pairs = numbers.filter(|&(i, j)| {
            let later = !is_self || j > i;
            later && is_pair((&of_a[i], moves_a[i]), (&others[j], moves[j]))
        });
        pairs.map(|(i, j)| [i as u32, j as u32]).collect()
    };
    let found = pairs(&join(Some(side(b, &moves_b)), true));
    assert_eq!(
        found,
        all(&of_b, &moves_b, false),
        "join {of_a:?} {of_b:?} {moves_a:?} {moves_b:?} {margin:e}"
    );
    let within = pairs(&join(None, true));
    assert_eq!(
        within,
        all(&of_a, &moves_a, true),
        "self-join {of_a:?} {moves_a:?} {margin:e}"
    );
    let boxes = pairs(&join(Some(side(b, &moves_b)), false));
    assert!(
        found.iter().all(|pair| boxes.contains(pair)),
        "boxes {of_a:?} {of_b:?}"
    );
    let mut bits = numbers(&found);
    bits.extend(numbers(&within));
    bits.extend(nearest(
        [a, b],
        [&of_a, &of_b],
        usize::from(scene.below(3)?) + 1,
    ));
    bits.extend(rays(b, &of_b, &mut scene)?);
    Ok(bits)
}

fn numbers(pairs: &IndexPairs) -> Vec<u64> {
    pairs.iter().flatten().map(|&it| u64::from(it)).collect()
}

fn pairs(join: &Join) -> IndexPairs {
    let done = AtomicUsize::new(0);
    join.pairs(usize::MAX, 1, &CancelToken::default(), &done)
        .expect("nothing stops it")
}

/// Neighbors are as far as the nearest of all pairs.
fn nearest([a, b]: [&Arc<Column>; 2], [of_a, of_b]: [&[Given]; 2], k: usize) -> Vec<u64> {
    let query = Nearest {
        a: Arc::clone(a),
        b: Arc::clone(b),
        k: vec![k; a.len()],
        with_ties: false,
        max_distance: f64::INFINITY,
    };
    let found = query
        .pairs(1, &CancelToken::default())
        .expect("nothing stops it");
    for (row, given) in of_a.iter().enumerate() {
        let shape = Shape::new(given.rings()).expect("valid");
        let gap =
            |other: &Given| distance(&shape, &Shape::new(other.rings()).expect("valid")).distance();
        let mut gaps: Vec<f64> = of_b.iter().map(gap).collect();
        gaps.sort_by(f64::total_cmp);
        let own: Vec<f64> = found
            .iter()
            .filter(|it| it.0 as usize == row)
            .map(|it| it.2)
            .collect();
        assert_eq!(
            own.len(),
            k.min(of_b.len()),
            "neighbors of {row} {of_a:?} {of_b:?}"
        );
        for (own, gap) in own.iter().zip(&gaps) {
            let is_near = own == gap || (own - gap).abs() <= 1e-8 * gap;
            assert!(
                is_near,
                "neighbor of {row}: {own:e} and {gap:e} {of_a:?} {of_b:?}"
            );
        }
    }
    found
        .iter()
        .flat_map(|it| [u64::from(it.0), u64::from(it.1), it.2.to_bits()])
        .collect()
}

/// A ray among all shapes meets one as early as a moving point.
fn rays(column: &Arc<Column>, given: &[Given], scene: &mut Scene<'_>) -> Result<Vec<u64>> {
    let mut rays = Vec::new();
    for _ in 0..3 {
        let (origin, direction) = (scene.point_near()?, scene.vector()?);
        if direction != Vec2::ZERO {
            rays.push((origin, direction));
        }
    }
    let origins: Vec<_> = rays.iter().map(|it| it.0).collect();
    let directions: Vec<_> = rays.iter().map(|it| it.1).collect();
    let bits = answers(RayCastBatch {
        origins: operand("origin", &origins),
        directions: operand("direction", &directions),
        lengths: operand("length", &vec![1.0; rays.len()]),
        count: rays.len(),
        shapes: Arc::clone(column),
    });
    for (row, &(center, direction)) in rays.iter().enumerate() {
        let time = |it: &Given| {
            let shape = Shape::new(it.rings()).expect("valid");
            swept_circle(
                Circle {
                    center,
                    radius: 0.0,
                },
                direction,
                &shape,
                0.0,
            )
            .time()
        };
        let first = given.iter().map(time).fold(f64::INFINITY, f64::min);
        assert_eq!(
            bits[row] == 1,
            first.is_finite(),
            "ray {center:?} {direction:?} {given:?}"
        );
    }
    Ok(bits)
}
