//! Two shapes at rest: intersects, sat, distance, penetration.

use std::sync::Arc;

use arbitrary::Result;
use carom::batch::queries::shape_queries::{
    DistanceQuery, IntersectsQuery, PenetrationQuery, SatQuery, WithinDistanceQuery,
};
use carom::batch::{Column, QueryBatch, QueryOperands};
use carom::geom::Vec2;
use carom::shape::{Shape, certainly_intersect, distance, is_within, sat};
use num_bigint::BigInt;

use crate::Answers;
use crate::exact::{Figure, Unit, dot};
use crate::rows::answers;
use crate::scene::{Given, Scene, operand, shapes};

/// Slack for the 1e-10 that the contract promises.
pub const ABOVE: f64 = 1.0 + 1e-9;
pub const BELOW: f64 = 1.0 - 1e-9;

/// See the module.
pub fn pairs(data: &[u8]) -> Answers {
    decoded(data).ok()
}

/// Two columns as operands.
pub fn operands([a, b]: [&Arc<Column>; 2]) -> QueryOperands<2> {
    QueryOperands {
        polygons: [shapes("a", a), shapes("b", b)],
        circle: None,
        velocity: None,
        margin: None,
        turns: [None, None],
        len: a.len(),
        check: true,
    }
}

fn decoded(data: &[u8]) -> Result<Vec<u64>> {
    let mut scene = Scene::new(data)?;
    let count = usize::from(scene.below(10)?) + 1;
    let (of_a, of_b) = (scene.rows(count)?, scene.rows(count)?);
    let (a, b) = (scene.column(&of_a)?, scene.column(&of_b)?);
    let margins: Vec<f64> = (0..count)
        .map(|_| scene.length().map(f64::abs))
        .collect::<Result<_>>()?;
    for row in 0..count {
        check(&of_a[row], &of_b[row], margins[row]);
    }
    let both = [&a, &b];
    let with_margin = || QueryOperands {
        margin: Some(operand("margin", &margins)),
        ..operands(both)
    };
    let mut bits = answers(QueryBatch {
        query: IntersectsQuery,
        operands: operands(both),
    });
    bits.extend(answers(QueryBatch {
        query: SatQuery,
        operands: operands(both),
    }));
    bits.extend(answers(QueryBatch {
        query: DistanceQuery,
        operands: operands(both),
    }));
    bits.extend(answers(QueryBatch {
        query: PenetrationQuery,
        operands: operands(both),
    }));
    bits.extend(answers(QueryBatch {
        query: WithinDistanceQuery,
        operands: with_margin(),
    }));
    bits.extend(answers(QueryBatch {
        query: SatQuery,
        operands: with_margin(),
    }));
    Ok(bits)
}

fn check(a: &Given, b: &Given, margin: f64) {
    let [of_a, of_b] = [a, b].map(|it| Shape::new(it.rings()).expect("valid"));
    let gap = distance(&of_a, &of_b).distance();
    let bounds = [gap * BELOW, gap * ABOVE].map(|it| if it.is_finite() { it } else { f64::MAX });
    // The hull is taken of rings that are convex but for rounding.
    let are_convex = of_a.is_exactly_convex() && of_b.is_exactly_convex();
    let overlap = sat(&of_a, &of_b, 0.0)
        .ok()
        .filter(|_| are_convex)
        .map(|it| (it.depth(), it.mtv()));
    let depth = overlap.map_or(0.0, |it| it.0);
    let mtv = overlap.map_or(Vec2::ZERO, |it| it.1);
    let further = Vec2::new(mtv.x * ABOVE, mtv.y * ABOVE);
    let extra = [
        margin,
        bounds[0],
        bounds[1],
        depth * BELOW,
        further.x,
        further.y,
    ];
    let unit = Unit::of(
        a.numbers()
            .chain(b.numbers())
            .chain(extra)
            .filter(|it| it.is_finite()),
    );
    let [figure_a, figure_b] = [a, b].map(|it| unit.figure(it.rings()));
    let radius = |extra: f64| unit.number(a.radius) + unit.number(b.radius) + unit.number(extra);
    let within = |extra| figure_a.is_within(&figure_b, &radius(extra));
    let meets = within(0.0);
    assert_eq!(
        is_within(&of_a, &of_b, 0.0),
        meets,
        "intersects {a:?} {b:?}"
    );
    assert_eq!(
        is_within(&of_b, &of_a, 0.0),
        meets,
        "intersects, swapped {a:?} {b:?}"
    );
    assert_eq!(
        is_within(&of_a, &of_b, margin),
        within(margin),
        "within {margin:e} {a:?} {b:?}"
    );
    let rings = [a, b].map(|it| it.rings().ring(0));
    if [a, b]
        .iter()
        .all(|it| it.rings().len() == 1 && it.kind.is_polygonal() && it.radius == 0.0)
        && let Some(certain) = certainly_intersect(rings)
    {
        assert_eq!(certain, meets, "filter {a:?} {b:?}");
    }
    assert_eq!(gap == 0.0, meets, "distance {gap:e} {a:?} {b:?}");
    if !meets && (f64::MIN_POSITIVE * 1e12..f64::MAX).contains(&gap) {
        assert!(
            within(bounds[1]),
            "distance {gap:e} is too small {a:?} {b:?}"
        );
        assert!(
            !within(bounds[0]),
            "distance {gap:e} is too large {a:?} {b:?}"
        );
    }
    if let Some((depth, mtv)) = overlap {
        assert!(depth == 0.0 || meets, "depth {depth:e} {a:?} {b:?}");
        let is_usual = mtv.is_finite() && (1e-290..1e290).contains(&depth);
        if is_usual && a.radius + b.radius == 0.0 {
            let moved = figure_a.moved(&[unit.number(further.x), unit.number(further.y)]);
            assert!(
                !moved.is_within(&figure_b, &BigInt::ZERO),
                "mtv {mtv:?} {a:?} {b:?}"
            );
            assert!(
                is_least(&figure_a, &figure_b, &unit.number(depth * BELOW)),
                "depth {depth:e} {a:?} {b:?}"
            );
        }
    }
}

/// Whether the overlap along every edge normal is at least a depth.
fn is_least(a: &Figure, b: &Figure, depth: &BigInt) -> bool {
    let extreme = |of: &Figure, normal: &[BigInt; 2], is_most: bool| {
        let along = of.edges.iter().map(|edge| dot(normal, &edge[0]));
        if is_most { along.max() } else { along.min() }.expect("an edge")
    };
    a.edges.iter().chain(&b.edges).all(|[start, end]| {
        let normal = [&end[1] - &start[1], &start[0] - &end[0]];
        let length = dot(&normal, &normal);
        [normal.clone(), normal.map(|it| -it)].iter().all(|normal| {
            let overlap = extreme(b, normal, true) - extreme(a, normal, false);
            &overlap * &overlap >= depth * depth * &length
        })
    })
}
