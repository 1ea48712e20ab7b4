//! Packing boxes into a tree from the top, after Lee and Lee, "OMT" (2003), by halves.

use smallvec::SmallVec;

use crate::geom::{Bounds, Point};

/// Children per node. With few, a search tests few boxes that do not pass.
pub(super) const FAN_OUT: usize = 8;

/// The boxes and the links of a tree of these leaves, neighbours in space close together: eight leaves in a row share a
/// node, eight nodes in a row one of the next level.
pub(super) fn packed(
    leaves: impl ExactSizeIterator<Item = Bounds>,
) -> (SmallVec<[Bounds; 1]>, Vec<u32>) {
    let leaves: Vec<Bounds> = leaves.collect();
    let index = |index: usize| u32::try_from(index).expect("fewer than 2^32 boxes");
    let middles = leaves
        .iter()
        .map(Bounds::middle)
        .zip(0..index(leaves.len()));
    let (mut order, empty): (Vec<_>, Vec<_>) =
        middles.partition(|&(_, index)| !leaves[index as usize].is_empty());
    // More than all leaves, so that the first step down finds the height of the tree.
    let capacity = FAN_OUT.pow(leaves.len().ilog(FAN_OUT) + 1);
    split(&mut order, capacity);
    order.extend(empty);
    let mut boxes: SmallVec<[Bounds; 1]> = SmallVec::with_capacity(leaves.len() * 8 / 7 + 16);
    boxes.extend(order.iter().map(|&(_, index)| leaves[index as usize]));
    let mut links: Vec<u32> = order.into_iter().map(|(_, index)| index).collect();
    let mut level = 0..boxes.len();
    while level.len() > 1 {
        for first in level.clone().step_by(FAN_OUT) {
            let children = first..(first + FAN_OUT).min(level.end);
            boxes.push(boxes[children].iter().copied().collect());
            links.push(index(first));
        }
        level = level.end..boxes.len();
    }
    links.push(index(boxes.len() - 1));
    (boxes, links)
}

/// Sorts points so that each run of `capacity` of them, from the first on, lies close together, and so within the run
/// each of an eighth, down to runs of eight. Points are halved by rank across the longer side of their bounds: how far
/// away a few lie changes nothing for the others.
fn split(points: &mut [(Point, u32)], capacity: usize) {
    if points.len() <= FAN_OUT {
        return;
    }
    let runs = points.len().div_ceil(capacity);
    if runs == 1 {
        return split(points, capacity / FAN_OUT);
    }
    let bounds: Bounds = points.iter().map(|&(point, _)| point.into()).collect();
    let scaled = bounds.scaled(0.5).size();
    let by_x = |a: &Point, b: &Point| a.x.total_cmp(&b.x);
    let by_y = |a: &Point, b: &Point| a.y.total_cmp(&b.y);
    let half = runs / 2 * capacity;
    if scaled.x > scaled.y {
        points.select_nth_unstable_by(half, |(a, _), (b, _)| by_x(a, b).then_with(|| by_y(a, b)));
    } else {
        points.select_nth_unstable_by(half, |(a, _), (b, _)| by_y(a, b).then_with(|| by_x(a, b)));
    }
    let (first, second) = points.split_at_mut(half);
    split(first, capacity);
    split(second, capacity);
}
