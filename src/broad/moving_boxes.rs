//! Moving boxes that may meet: the candidate pairs of a join.

use std::ops::ControlFlow;

use fearless_simd::prelude::*;

use super::box_index::{BoxIndex, row_number};
use super::box_tree::BoxTree;
use super::row_groups::RowGroups;
use crate::geom::{Bounds, Motion, Point, Vec2};
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::load::{self, LANES, Lane};

/// `motion - observer`, where `motion` has no drift.
pub(crate) fn relative(motion: Motion, observer: Vec2) -> Motion {
    let tip = |vector: Vec2| Point::new(vector.x, vector.y);
    match motion.vector() {
        _ if observer == Vec2::ZERO => motion,
        Some(vector) if vector == observer => Motion::NONE,
        Some(vector) => Motion::between(tip(observer), tip(vector)),
        None => motion.with_drift(observer, -1.0),
    }
}

/// How rows move, and a tree over the boxes that their motion sweeps.
#[derive(Debug)]
pub(crate) struct RowMotions {
    velocities: Option<Vec<Vec2>>,
    /// The boxes that rows sweep by turning, if some turn.
    turned: Option<Vec<Bounds>>,
    /// The swept boxes, if the rows move differently or turn.
    swept: Option<BoxTree>,
    /// The swept boxes by group, if rows meet only rows of the same group; then there is no other tree.
    groups: Option<RowGroups>,
    /// The velocity of all rows, or the median: relative to it the swept boxes are smaller.
    observer: Vec2,
}

impl RowMotions {
    /// The motions of rows. `boxes` are those at rest, `turned` those swept by turning, if some
    /// rows turn; `groups` has their groups, if they are searched for by group.
    pub(crate) fn new(
        boxes: &[Bounds],
        velocities: Option<Vec<Vec2>>,
        turned: Option<Vec<Bounds>>,
        groups: Option<&[u32]>,
    ) -> Self {
        let boxes = turned.as_deref().unwrap_or(boxes);
        let (mut observer, mut swept) = (Vec2::ZERO, None);
        if let Some(all) = &velocities {
            if all.windows(2).all(|two| two[0] == two[1]) {
                observer = all.first().copied().unwrap_or(Vec2::ZERO);
            } else {
                observer = median(all);
                let sweep = |(bounds, &velocity): (&Bounds, &Vec2)| {
                    if bounds.is_empty() {
                        *bounds
                    } else {
                        bounds.swept(relative(velocity.into(), observer))
                    }
                };
                swept = Some(boxes.iter().zip(all).map(sweep).collect::<Vec<_>>());
            }
        }
        let groups = groups.map(|of| RowGroups::new(swept.as_deref().unwrap_or(boxes), of));
        let swept = match swept {
            _ if groups.is_some() => None,
            Some(swept) => Some(BoxTree::new(swept.into_iter())),
            None => turned
                .is_some()
                .then(|| BoxTree::new(boxes.iter().copied())),
        };
        Self {
            velocities,
            turned,
            swept,
            groups,
            observer,
        }
    }
}

/// Rows with moving boxes, in a tree over the boxes swept by their motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingBoxes<'t> {
    pub(crate) index: BoxIndex<'t>,
    pub(crate) motions: &'t RowMotions,
}

impl MovingBoxes<'_> {
    /// The rows that have a box, neighbours in space close together.
    pub(crate) fn rows(&self) -> Vec<u32> {
        self.index.rows().map(row_number).collect()
    }

    /// The boxes of all rows, with what they sweep by turning.
    fn boxes(&self) -> &[Bounds] {
        let turned = self.motions.turned.as_deref();
        turned.unwrap_or(self.index.boxes)
    }

    fn velocity(&self, row: usize) -> Vec2 {
        self.motions
            .velocities
            .as_ref()
            .map_or(Vec2::ZERO, |all| all[row])
    }

    /// Visits each pair whose boxes may come within the margin: one of up to eight rows of `others`, given by
    /// its position in `rows`, and a row of this index.
    ///
    /// The eight rows should be neighbours in space: they are searched for together, and each box of the tree
    /// is compared with all eight at once. With a group, only rows of this index in this group are found.
    pub(crate) fn near(
        &self,
        (others, rows): (&Self, &[u32]),
        group: Option<u32>,
        margin: impl Fn(usize) -> f64,
        mut visit: impl FnMut(usize, u32) -> ControlFlow<()>,
    ) {
        let mut grown = [Bounds::EMPTY; LANES];
        for (bounds, &row) in grown.iter_mut().zip(rows) {
            let row = row as usize;
            *bounds = others.boxes()[row].grown(margin(row));
        }
        let motion = |lane: usize| Motion::from(others.velocity(rows[lane] as usize));
        let are_at_rest = self.motions.velocities.is_none() && others.motions.velocities.is_none();
        let mut swept = grown;
        if !are_at_rest {
            for (lane, bounds) in swept[..rows.len()].iter_mut().enumerate() {
                *bounds = bounds.swept(relative(motion(lane), self.motions.observer));
            }
        }
        let may_meet = |lane: usize, row: usize| {
            let motion = relative(motion(lane), self.velocity(row));
            let bounds = &self.boxes()[row];
            grown[lane].meeting_time_below(bounds, motion) < f64::INFINITY
        };
        let of_group = match group {
            Some(group) => match self.motions.groups.as_ref().and_then(|it| it.of(group)) {
                Some(found) => Some(found),
                None => return,
            },
            None => None,
        };
        let searched = match &self.motions.swept {
            Some(tree) => BoxIndex::new(self.index.boxes, tree, 0),
            None => self.index,
        };
        let tree = of_group.map_or(searched.tree, |(tree, _)| tree);
        let mut visit_lanes = |index: usize, mut lanes: u64| {
            let row = match of_group {
                Some((_, rows)) => Some(rows[index] as usize),
                None => searched.row(index),
            };
            let Some(row) = row else {
                return ControlFlow::Continue(());
            };
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                if are_at_rest || may_meet(lane, row) {
                    visit(lane, row_number(row))?;
                }
            }
            ControlFlow::Continue(())
        };
        let in_use = (1 << rows.len()) - 1;
        let _ = with_instructions!(simd => {
            let boxes = load::boxes(simd, &swept);
            tree.search_for(
                #[inline(always)]
                |bounds| {
                    let lanes = meeting(simd, &boxes, bounds) & in_use;
                    // Not by `bool::then`, which could stay a call.
                    if lanes == 0 { None } else { Some(lanes) }
                },
                &mut visit_lanes,
            )
        });
    }
}

/// A bit for each of eight boxes that has a point in common with another.
#[inline(always)]
fn meeting<S: Simd>(simd: S, [low, high]: &[Vectors<Lane<S>>; 2], other: &Bounds) -> u64 {
    // Not by `map` of an array, which could stay a call.
    let (min, max) = (load::splat(simd, other.min), load::splat(simd, other.max));
    let meets = max.x.at_least(low.x)
        & high.x.at_least(min.x)
        & max.y.at_least(low.y)
        & high.y.at_least(min.y);
    meets.to_bitmask()
}

/// The median of finite velocities in each component, which a few wild ones don't shift; zero if there are none.
fn median(velocities: &[Vec2]) -> Vec2 {
    let of = |component: fn(&Vec2) -> f64| {
        let finite = velocities.iter().filter(|it| it.is_finite());
        let mut all: Vec<f64> = finite.map(component).collect();
        let middle = all.len() / 2;
        match all.get(middle) {
            Some(_) => *all.select_nth_unstable_by(middle, f64::total_cmp).1,
            None => 0.0,
        }
    };
    Vec2::new(of(|it| it.x), of(|it| it.y))
}
