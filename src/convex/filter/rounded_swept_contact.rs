//! Float filter for two convex rings with radii, one moving: how they touch at the start of the sweep.

use super::sat::sat_of_cores;
use super::swept_collision::FilteredSweep;
use super::swept_contact::FilteredImpact;
use crate::convex::lane_corners::Corners;
use crate::convex::support_table::SupportTable;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// How two rings of a table, grown by radii of this sum, touch at the start of their sweep. How they touch later is
/// left to the exact form.
#[inline(always)]
pub(crate) fn rounded_impact<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    sweep: &FilteredSweep<L>,
    radius: L,
) -> FilteredImpact<L> {
    let zero = radius.all(0.0);
    let none = Vectors::both(zero.all(f64::NAN));
    let impact = FilteredImpact {
        is_certain: !sweep.will_intersect,
        normal: Vectors::both(zero),
        contact: [none; 2],
    };
    if !sweep.intersects.any() {
        return impact;
    }
    let (cores, axis, sat) = sat_of_cores(table, Some(radius));
    let contact = super::contact(table, &axis, cores.intersects);
    // The contact of cores that are apart is left to the exact form, too.
    let is_certain = sat.is_certain & contact.is_certain & cores.intersects;
    FilteredImpact {
        is_certain: sweep.intersects.either(is_certain, impact.is_certain),
        normal: Vectors::choose(sweep.intersects, sat.measure.normal, impact.normal),
        contact: contact.ends_where(sweep.intersects, impact.contact),
    }
}
