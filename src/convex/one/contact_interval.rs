//! When two convex rings touch, one moving: the part of the origin's path in the difference.

use std::cmp::Ordering;

use super::minkowski_difference::{MinkowskiDifference, OriginPath};
use crate::convex::filter;
use crate::convex::filter::one_pair::with_table;
use crate::convex::large::gjk;
use crate::convex::large::gjk_sweep;
use crate::convex::ring::Ring;
use crate::geom::{Motion, Point, Vec2};
use crate::predicates::{FrameInterval, FrameTime};

/// The times of the frame at which two rings have a point in common, the first moving by the velocity: a
/// closed interval, as their difference is convex.
pub(crate) fn contact_interval(a: &Ring<'_>, b: &Ring<'_>, velocity: Motion) -> Option<[f64; 2]> {
    let difference = &MinkowskiDifference::<[Point]>::new(a, b, None);
    if gjk::is_faster(a.len(), b.len()) {
        let path = gjk_sweep::swept_collision(*difference, velocity, gjk::known_bounds(a, b));
        if matches!(path, Some(OriginPath::Misses)) {
            return None;
        }
        if gjk::gives_numbers(a.len(), b.len())
            && let Some(interval) = by_gjk(difference, path, velocity)
        {
            return Some(interval.values());
        }
    }
    if let Some(vector) = velocity.vector() {
        let filtered = with_table([a, b], |table| filter::contact_interval(table, vector));
        if filtered.is_certain {
            let Vec2 { x, y } = filtered.times;
            return filtered.touch.then_some([x, y]);
        }
    }
    let edges = difference.edges();
    let lines = edges.map(|edge| difference.crossing(&edge, velocity));
    FrameInterval::left_of(lines).map(|it| it.values())
}

/// The times of contact of a path that GJK found, if it finds the edges through which the path enters and leaves the
/// difference, strictly between their ends.
fn by_gjk(
    difference: &MinkowskiDifference<'_>,
    path: Option<OriginPath>,
    velocity: Motion,
) -> Option<FrameInterval> {
    let time = |edge| difference.crossing(&edge, velocity).frame_time();
    let enter = match path? {
        OriginPath::Misses => return None,
        OriginPath::Inside => FrameTime::Start,
        OriginPath::Enters(edge, _) => time(edge?).ok()?,
    };
    let leave = match time(gjk_sweep::exit(*difference, velocity)?) {
        Ok(time) => time,
        Err(Ordering::Greater) => FrameTime::End,
        Err(_) => return None,
    };
    Some(FrameInterval { enter, leave })
}
