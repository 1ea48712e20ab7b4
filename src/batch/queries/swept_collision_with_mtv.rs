//! The result of a swept collision: the collision, and the translation that clears the sweep.

use super::query_result::record;
use crate::batch::{Field, FieldKind, FieldSet, QueryResult, Value};
use crate::convex::{Ring, sweep_mtv};
use crate::geom::{Motion, Vec2};
use crate::shape::{self, RelativeMotion, Shape, SweptCollision};

/// A swept collision and the translation that clears the sweep.
#[derive(Clone, Debug)]
pub struct SweptCollisionWithMtv {
    collision: SweptCollision,
    mtv: Mtv,
}

/// The clearing translation, which costs more than the sweep itself.
#[derive(Clone, Debug)]
enum Mtv {
    Known(Vec2),
    /// Computed when it is read, from copies of the rings and the velocity.
    Pending(Box<([Ring<'static>; 2], Vec2)>),
}

impl SweptCollisionWithMtv {
    /// Convex polygons that never meet.
    pub(crate) const NEVER: Self = Self {
        collision: SweptCollision::Never,
        mtv: Mtv::Known(Vec2::ZERO),
    };

    /// Polygons that never meet, of which at least one turns.
    pub(crate) const NEVER_TURNING: Self = Self {
        collision: SweptCollision::Never,
        mtv: Mtv::Known(Vec2::NAN),
    };

    /// All fields; `mtv` is computed when it is read.
    pub fn lazy(a: &Shape<'_>, b: &Shape<'_>, velocity: Vec2, margin: f64) -> Self {
        let collision = shape::swept_collision(a, b, velocity, margin);
        Self::new(collision, [a, b], velocity.into(), margin, |rings| {
            let copies = rings.map(|ring| Ring::owned(ring.iter().copied()));
            Mtv::Pending(Box::new((copies, velocity)))
        })
    }

    /// The wanted fields; others may hold anything.
    pub fn of_fields(
        [a, b]: [&Shape<'_>; 2],
        motion: RelativeMotion,
        margin: f64,
        fields: FieldSet,
    ) -> Self {
        let RelativeMotion {
            velocity, turns, ..
        } = motion;
        let collision = if fields.contains(Self::NORMAL) || fields.contains(Self::CONTACT) {
            shape::swept_collision(a, b, motion, margin)
        } else if turns.is_none() || !fields.is_subset(FieldSet::new(&[Self::WILL_INTERSECT])) {
            shape::meeting(a, b, motion, margin)
        } else if shape::comes_within(a, b, motion, margin) {
            SweptCollision::Overlap(None)
        } else {
            SweptCollision::Never
        };
        if turns.is_some() || !fields.contains(Self::MTV) {
            let mtv = Mtv::Known(Vec2::NAN);
            return Self { collision, mtv };
        }
        Self::new(collision, [a, b], velocity, margin, |[a, b]| {
            Mtv::Known(sweep_mtv(a, b, velocity))
        })
    }

    /// `sweep_mtv` computes the clearing translation of convex polygons that meet.
    #[allow(clippy::large_types_passed_by_value)] // It is moved into the result.
    fn new(
        collision: SweptCollision,
        [a, b]: [&Shape<'_>; 2],
        velocity: Motion,
        margin: f64,
        sweep_mtv: impl FnOnce([&Ring<'_>; 2]) -> Mtv,
    ) -> Self {
        let mtv = if !collision.will_intersect() {
            let are_convex = a.is_convex() && b.is_convex();
            Mtv::Known(if are_convex { Vec2::ZERO } else { Vec2::NAN })
        } else if let Some(mtv) = shape::rounded_sweep_mtv(a, b, velocity, margin) {
            Mtv::Known(mtv)
        } else if let (Ok(a), Ok(b)) = (a.hull(), b.hull()) {
            sweep_mtv([a, b])
        } else {
            Mtv::Known(Vec2::NAN)
        };
        Self { collision, mtv }
    }

    fn mtv(&self) -> Vec2 {
        match &self.mtv {
            Mtv::Known(mtv) => *mtv,
            Mtv::Pending(kept) => {
                let ([a, b], velocity) = &**kept;
                sweep_mtv(a, b, (*velocity).into())
            }
        }
    }
}

record!(SweptCollisionWithMtv, true when WILL_INTERSECT, |this| {
    INTERSECTS "intersects": Bool = Value::Bool(this.collision.intersects()),
    WILL_INTERSECT "will_intersect": Bool = Value::Bool(this.collision.will_intersect()),
    TIME "time": Float = Value::Float(this.collision.time()),
    NORMAL "normal": Vector = this.collision.normal().into(),
    CONTACT "contact": Segment = Value::Segment(this.collision.contact()),
    MTV "mtv": Vector = this.mtv().into(),
});
