//! Overlaps of rings that turn, as the filter tells them.

use carom::convex::{TurningMotion, TurningRings, TurningVertex};
use carom::geom::{Vec2, Vectors};
use carom::predicates::numbers::ball::Ball;
use carom::predicates::numbers::polynomial::Number;
use carom::predicates::{BigBall, LaneRotation, Sign};
use carom::simd::lanes::Scratch;

use crate::numbers::angles;
use crate::turning::turned;

/// Whether convex rings of exact vertices have an interior point in common: no edge has all of the other ring on its right
/// or on its line.
fn overlap_exactly(rings: [&[[BigBall; 2]]; 2]) -> bool {
    let [a, b] = rings;
    [(a, b), (b, a)].into_iter().all(|(one, other)| {
        (0..one.len()).all(|index| {
            let (start, end) = (&one[index], &one[(index + 1) % one.len()]);
            let from = |to: &[BigBall; 2]| [0, 1].map(|axis| to[axis].minus(&start[axis]));
            let edge = from(end);
            other.iter().any(|vertex| {
                let [x, y] = from(vertex);
                let cross = edge[0].times(&y).minus(&edge[1].times(&x));
                cross.sign() == Some(Sign::Positive)
            })
        })
    })
}

#[test]
fn an_overlap_told_by_rounded_normals_is_one() {
    let numbers: Vec<f64> = angles(10 * 2_000)
        .map(|angle| angle / 16_777_216.0)
        .collect();
    let (mut told, mut small, mut apart) = (0, 0, 0);
    for (scene, numbers) in numbers.chunks_exact(10).enumerate() {
        let point = |first: usize| Vec2::new(numbers[first], numbers[first + 1]);
        let [p, q, r] = [0, 2, 4].map(point);
        let a = if (q - p).cross(r - p) > 0.0 {
            [p, q, r]
        } else {
            [p, r, q]
        };
        // A triangle with its apex near an edge of the other at a time that is looked at.
        let (turn, time) = (
            numbers[6] * [2.0, 0.01][scene % 2],
            0.25 * (1.0 + (4.0 * numbers[7].abs()).floor()),
        );
        // The center lies beside the triangle, so that its arms are rounded.
        let center = Vec2::new(5.0 * numbers[9], 3.0 * numbers[6]);
        let rotation = LaneRotation::by(turn * time);
        let [start, end] = [a[0], a[1]].map(|vertex| center + rotation.of(vertex - center));
        let along = end - start;
        let out = Vec2::new(along.y, -along.x).times(1.0 / along.length());
        let exponent = 10 + i32::try_from(scene % 8).unwrap();
        let depth = numbers[8] * 10f64.powi(-exponent);
        let apex = start + along.times(0.5) - out.times(depth);
        let side = Vec2::new(-out.y, out.x);
        let b = [apex, apex + out - side, apex + out + side];
        let origin = Vectors { x: 0.0, y: 0.0 };
        let motion = TurningMotion {
            centers: [center, origin],
            angles: [turn, 0.0],
            gap: center,
            velocity: origin,
            reach: 0.0,
        };
        let mut scratch = [TurningVertex::scratch(0.0); 6];
        let mut rings = TurningRings::new([&a, &b], motion, &mut scratch).seeking_overlap();
        let _ = rings.apart_until(0.0, 0.25);
        let of_b = b.map(|it| [it.x, it.y].map(BigBall::of));
        let overlap = || {
            [0.0, 0.25, 0.5, 0.75, 1.0].into_iter().any(|time| {
                let angle = BigBall::of(turn).times(&BigBall::of(time));
                let exactly = |it: Vec2| [it.x, it.y].map(BigBall::of);
                let of_a = a.map(|vertex| {
                    let (vertex, center) = (exactly(vertex), exactly(center));
                    let arm = [0, 1].map(|axis| vertex[axis].minus(&center[axis]));
                    let place = turned(arm.each_ref(), &angle);
                    [0, 1].map(|axis| place[axis].plus(&center[axis]))
                });
                overlap_exactly([&of_a, &of_b])
            })
        };
        if rings.overlap() {
            assert!(overlap(), "{numbers:?}");
            told += 1;
        } else if overlap() {
            small += 1;
        } else {
            apart += 1;
        }
    }
    // Many of each: overlaps too small to be told are there, too.
    assert!(
        told > 300 && small > 100 && apart > 50,
        "{told} {small} {apart}"
    );
}

#[test]
fn overlaps_are_told_only_where_edges_are_not_much_shorter_than_arms() {
    let overlap = |far: f64| {
        let square = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let ring = square.map(|(x, y)| Vec2::new(x, y));
        let center = Vectors { x: far, y: 0.0 };
        let motion = TurningMotion {
            centers: [center, Vectors { x: 0.0, y: 0.0 }],
            angles: [0.0; 2],
            gap: center,
            velocity: Vectors { x: 0.0, y: 0.0 },
            reach: 0.0,
        };
        let mut scratch = [TurningVertex::scratch(0.0); 8];
        let mut rings = TurningRings::new([&ring, &ring], motion, &mut scratch).seeking_overlap();
        let _ = rings.apart_until(0.0, 0.25);
        rings.overlap()
    };
    assert!(overlap(0.0) && overlap(60.0));
    assert!(!overlap(70.0) && !overlap(1e9));
}
