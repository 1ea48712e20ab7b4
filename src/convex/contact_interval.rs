//! When two convex rings touch, one moving: the part of the origin's path in the difference.

use std::cmp::Ordering;

use super::filter::one_pair;
use super::gjk;
use super::minkowski::{MinkowskiDifference, OriginPath};
use super::ring::Ring;
use crate::geom::{Motion, Point, Vec2};
use crate::predicates::{FrameInterval, FrameTime};

/// The times of the frame at which two rings have a point in common, the first moving by the velocity: a
/// closed interval, as their difference is convex.
pub(crate) fn contact_interval(a: &Ring<'_>, b: &Ring<'_>, velocity: Vec2) -> Option<[f64; 2]> {
    let difference = &MinkowskiDifference::<[Point]>::new(a, b, None);
    if gjk::is_faster(a.len(), b.len())
        && let Ok(interval) = by_gjk([a, b], difference, velocity.into())
    {
        return interval.map(|it| it.values());
    }
    if let Some(filtered) = one_pair::contact_interval(difference, velocity) {
        let Vec2 { x, y } = filtered.times;
        return filtered.touch.then_some([x, y]);
    }
    let edges = difference.edges();
    let lines = edges.map(|edge| difference.crossing(&edge, velocity.into()));
    FrameInterval::left_of(lines).map(|it| it.values())
}

/// The times of contact, by GJK. Fails unless it finds the edges through which the path enters and leaves the
/// difference, strictly between their ends.
fn by_gjk(
    [a, b]: [&Ring<'_>; 2],
    difference: &MinkowskiDifference<'_>,
    velocity: Motion,
) -> Result<Option<FrameInterval>, ()> {
    let time = |edge| difference.crossing(&edge, velocity).frame_time();
    let path = gjk::swept_collision(*difference, velocity, gjk::known_bounds(a, b));
    let enter = match path.ok_or(())? {
        OriginPath::Misses => return Ok(None),
        OriginPath::Inside => FrameTime::Start,
        OriginPath::Enters(edge, _) => time(edge.ok_or(())?).map_err(|_| ())?,
    };
    let leave = match time(gjk::exit(*difference, velocity).ok_or(())?) {
        Ok(time) => time,
        Err(Ordering::Greater) => FrameTime::End,
        Err(_) => return Err(()),
    };
    Ok(Some(FrameInterval { enter, leave }))
}
