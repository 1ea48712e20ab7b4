//! The queries about two shapes at rest.

use fearless_simd::{mask64x8, prelude::*};

use super::locate::fill_located;
use crate::batch::tile::tile_operands::TileOperands;
use crate::batch::tile::tile_output::Answers;
use crate::batch::tile::tile_query::{CircleOfTile, Row, Tile};
use crate::batch::{FieldKind, FieldSet, OutputTable, TileQuery};
use crate::convex::filter::{self, FacingEdge, FilteredContact, FilteredSat};
use crate::convex::{EdgeSupport, SupportTable};
use crate::geom::{Circle, RadiusSum};
use crate::predicates::bounds::square_errors::Squares;
use crate::shape::{self, Concave, Distance, Penetration, Sat};
use crate::simd::lanes::{Lanes, Mask, Vectors};
use crate::simd::load::Lane;

/// [`shape::is_within`] with a margin of 0, for shapes without a radius in tiles.
#[derive(Clone, Copy, Debug)]
pub struct IntersectsQuery;

impl TileQuery<2> for IntersectsQuery {
    type Answer = bool;
    type Edge<S: Simd> = Vectors<Lane<S>>;

    fn one(row: &Row<'_, 2>) -> Result<bool, Concave> {
        WithinDistanceQuery::one(row)
    }

    // Of 24-gons a tile takes two thirds to nine tenths of the time, of 32-gons 1.1 to 1.4 times as long. Where there
    // is more to compute than a yes or no, tiles of 32-gons are up to five times as fast.
    fn most_pairs(_fields: FieldSet) -> usize {
        24 * 24
    }

    fn fill_otherwise(
        operands: &TileOperands<'_, 2>,
        table: &mut OutputTable<'_>,
    ) -> Option<Vec<usize>> {
        fill_points(operands, table)
    }

    #[inline(always)]
    fn eight<S: Simd>(
        tile: &Tile<'_, S, 2>,
        edges: &mut [Self::Edge<S>],
    ) -> (mask64x8<S>, impl Fn(usize) -> Answers<S>) {
        let answers = filter::intersects(tile.rings, tile.size(), edges);
        (
            (answers.yes | answers.no) & tile.is_sharp(),
            #[inline(always)]
            move |_| Answers::Bools(answers.yes),
        )
    }

    fn apart() -> Option<(bool, FieldSet)> {
        Some((false, FieldSet::ALL))
    }
}

/// Fills the rows of points and of one polygon that does not turn: see [`fill_located`].
fn fill_points(operands: &TileOperands<'_, 2>, table: &mut OutputTable<'_>) -> Option<Vec<usize>> {
    if operands.are_turning() {
        return Some((0..table.rows).collect());
    }
    let [a, b] = &operands.rings;
    let (polygon, points) = a
        .only()
        .map(|it| (it, b))
        .or_else(|| Some((b.only()?, a)))?;
    let circle = |row| {
        let (center, margin) = (points.point(row)?, operands.numbers(row).margin);
        let radius = RadiusSum::new([points.radius(row), polygon.radius(), margin]);
        Circle::is_radius(margin).then_some(Circle { center, radius })
    };
    fill_located(&polygon, table, circle)
}

/// The fields of an overlap that are the same for all polygons that are apart.
const SAME_IF_APART: FieldSet =
    FieldSet::new(&[Sat::INTERSECTS, Sat::DEPTH, Sat::MTV, Sat::CONTACT]);

/// [`shape::sat`].
#[derive(Clone, Copy, Debug)]
pub struct SatQuery;

impl TileQuery<2> for SatQuery {
    // Shapes that are not convex are refused.
    const CONVEX: FieldSet = FieldSet::ALL;
    const LONG: FieldSet = FieldSet::new(&[Sat::CONTACT]);
    type Answer = Sat;
    type Edge<S: Simd> = EdgeSupport<Lane<S>>;

    fn one(row: &Row<'_, 2>) -> Result<Sat, Concave> {
        let ([a, b], margin) = (row.polygons, row.numbers.margin);
        if row.fields.is_subset(SAME_IF_APART) {
            shape::sat_or_apart(a, b, margin)
        } else {
            shape::sat(a, b, margin)
        }
    }

    #[inline(always)]
    fn eight<S: Simd>(
        tile: &Tile<'_, S, 2>,
        edges: &mut [Self::Edge<S>],
    ) -> (mask64x8<S>, impl Fn(usize) -> Answers<S>) {
        let (sat, contact) = sat_of_eight(tile, edges, tile.fields.contains(Sat::CONTACT));
        let mut certain = sat.is_certain;
        if let Some(contact) = &contact {
            certain &= contact.is_certain;
        }
        (
            certain,
            #[inline(always)]
            move |field| match (field, &contact) {
                (Sat::INTERSECTS, _) => Answers::Bools(sat.intersects),
                (Sat::DEPTH, _) => Answers::Floats(sat.depth()),
                (Sat::MTV, _) => Answers::Vectors(sat.mtv()),
                (Sat::NORMAL, _) => Answers::Vectors(sat.measure.normal),
                (Sat::SEPARATION, _) => Answers::Floats(sat.separation()),
                (_, Some(contact)) => Answers::Segments(contact.ends),
                (_, None) => unreachable!("a contact that is not wanted"),
            },
        )
    }

    fn apart() -> Option<(Sat, FieldSet)> {
        Some((Sat::apart(), SAME_IF_APART))
    }
}

/// The overlap of two rings, and their contact if it is wanted.
#[inline(always)]
fn sat_of_eight<S: Simd>(
    tile: &Tile<'_, S, 2>,
    edges: &mut [EdgeSupport<Lane<S>>],
    with_contact: bool,
) -> (FilteredSat<Lane<S>>, Option<FilteredContact<Lane<S>>>) {
    if let Some((around, point_is_b)) = tile.circle() {
        return sat_of_point(&around, point_is_b, tile, with_contact);
    }
    let table = SupportTable::new(tile.rings, tile.size(), edges);
    let (cores, axis, sat) = filter::sat_of_cores(&table, tile.radius());
    if !with_contact {
        return (sat, None);
    }
    // Not by closures: compiled without the tile's instructions, lanes' operations in them are calls.
    let contact = if let [[_], [point]] = tile.rings {
        let of_b = (*point, sat.intersects | !sat.intersects);
        FilteredContact::of_point(of_b, &sat, tile.numbers.radii)
    } else {
        let mut contact = filter::contact(&table, &axis, cores.intersects);
        if tile.numbers.is_rounded {
            contact = contact.rounded(sat.measure.normal, tile.numbers.radii);
        }
        // The contact of rounded shapes whose cores are apart is left to the exact form.
        contact.is_certain &= !(sat.intersects ^ cores.intersects);
        contact
    };
    (sat, Some(contact))
}

/// The overlap of a ring and a point with a radius, and their contact, if it is wanted. Not inlined: the tile of shapes
/// without radii stays small.
#[inline(never)]
fn sat_of_point<S: Simd>(
    around: &CircleOfTile<'_, S>,
    point_is_b: bool,
    tile: &Tile<'_, S, 2>,
    with_contact: bool,
) -> (FilteredSat<Lane<S>>, Option<FilteredContact<Lane<S>>>) {
    let [center] = tile.rings[usize::from(point_is_b)] else {
        unreachable!("a ring of one vertex");
    };
    tile.numbers.margin.simd.vectorize(
        #[inline(always)]
        || {
            let found = filter::sat_of_point(around);
            let contact = if with_contact {
                Some(found.contact(*center, point_is_b, tile.numbers.radii))
            } else {
                None
            };
            (found.sat(point_is_b), contact)
        },
    )
}

/// [`shape::penetration`]. The kernel is that of [`SatQuery`], for convex shapes.
#[derive(Clone, Copy, Debug)]
pub struct PenetrationQuery;

impl TileQuery<2> for PenetrationQuery {
    // Shapes that are not convex may be refused.
    const CONVEX: FieldSet = FieldSet::ALL;
    // One kernel for all sizes.
    const LONG: FieldSet = FieldSet::ALL;
    const DIRECTED: bool = true;
    // The search grows with the square of the vertices, and each step costs microseconds.
    const COST: usize = 8;

    type Answer = Penetration;
    type Edge<S: Simd> = EdgeSupport<Lane<S>>;

    fn one(row: &Row<'_, 2>) -> Result<Penetration, Concave> {
        let ([a, b], margin) = (row.polygons, row.numbers.margin);
        if row
            .fields
            .is_subset(FieldSet::new(&[Penetration::INTERSECTS]))
        {
            shape::overlap_alone(a, b, margin)
        } else {
            shape::penetration(a, b, row.numbers.velocity, margin)
        }
    }

    #[inline(always)]
    fn eight<S: Simd>(
        tile: &Tile<'_, S, 2>,
        edges: &mut [Self::Edge<S>],
    ) -> (mask64x8<S>, impl Fn(usize) -> Answers<S>) {
        let (sat, _) = sat_of_eight(tile, edges, false);
        (
            sat.is_certain,
            #[inline(always)]
            move |field| match field {
                Penetration::INTERSECTS => Answers::Bools(sat.intersects),
                Penetration::DEPTH => Answers::Floats(sat.depth()),
                Penetration::MTV => Answers::Vectors(sat.mtv()),
                _ => Answers::Vectors(sat.measure.normal),
            },
        )
    }

    fn apart() -> Option<(Penetration, FieldSet)> {
        const SAME: FieldSet = FieldSet::new(&[
            Penetration::INTERSECTS,
            Penetration::DEPTH,
            Penetration::MTV,
        ]);
        Some((Penetration::none(false), SAME))
    }
}

/// [`shape::distance`]. The kernel finds rows that intersect, whose distance is 0; and the distance of
/// the others, but not their nearest points.
#[derive(Clone, Copy, Debug)]
pub struct DistanceQuery;

impl TileQuery<2> for DistanceQuery {
    // One kernel for all sizes: what it leaves to be answered one by one costs ten times as much.
    const LONG: FieldSet = FieldSet::ALL;
    type Answer = Distance;
    type Edge<S: Simd> = EdgeSupport<Lane<S>>;

    fn one(row: &Row<'_, 2>) -> Result<Distance, Concave> {
        let [a, b] = row.polygons;
        Ok(shape::distance(a, b))
    }

    fn most_pairs(fields: FieldSet) -> usize {
        let numbers = FieldSet::new(&[Distance::DISTANCE]);
        most_pairs_by_numbers(fields, numbers).min(MOST_PAIRS_OF_DISTANCES)
    }

    #[inline(always)]
    fn eight<S: Simd>(
        tile: &Tile<'_, S, 2>,
        edges: &mut [Self::Edge<S>],
    ) -> (mask64x8<S>, impl Fn(usize) -> Answers<S>) {
        let table = SupportTable::new(tile.rings, tile.size(), edges);
        let radius = tile.numbers.margin;
        let zero = radius.all(0.0);
        let meet = filter::overlaps(table.rings, table.size, table.least_overlap()).yes;
        let (mut distance, mut certain) = (zero, meet);
        let is_number_alone = tile.fields.is_subset(FieldSet::new(&[Distance::DISTANCE]));
        if !meet.all_true() && (is_number_alone || tile.numbers.is_rounded) {
            let nearest = FacingEdge::farthest(&table, None).nearest();
            let (mut apart, mut is_certain) = nearest.distance(table.size);
            if tile.numbers.is_rounded {
                let (beyond, is_known) = nearest.distance_beyond(radius);
                let is_sharp = radius.same(zero);
                apart = is_sharp.choose(apart, beyond.larger(zero));
                is_certain = is_sharp.either(is_certain, is_known);
            }
            if !is_number_alone {
                // Nearest points are left to the exact form.
                is_certain &= apart.same(zero);
            }
            distance = meet.choose(zero, apart);
            certain |= is_certain;
        }
        (
            certain,
            #[inline(always)]
            move |field| match field {
                Distance::DISTANCE => Answers::Floats(distance),
                _ => Answers::Same(FieldKind::Vector.blank()),
            },
        )
    }
}

/// Pairs of vertices above which GJK takes less time for distances than a tile: of 64-gons two thirds.
const MOST_PAIRS_OF_DISTANCES: usize = 48 * 48;

/// The most pairs of vertices in a tile: any number of them where only `numbers` are wanted. A tile leaves other
/// fields of rows that are apart to be answered one by one, which for larger rings takes GJK less time than the tile.
pub(super) fn most_pairs_by_numbers(fields: FieldSet, numbers: FieldSet) -> usize {
    if fields.is_subset(numbers) {
        usize::MAX
    } else {
        12 * 12
    }
}

/// [`shape::is_within`]: whether two shapes, with their radii, come within a margin of each other.
#[derive(Clone, Copy, Debug)]
pub struct WithinDistanceQuery;

impl TileQuery<2> for WithinDistanceQuery {
    // One kernel for all sizes.
    const LONG: FieldSet = FieldSet::ALL;
    type Answer = bool;
    type Edge<S: Simd> = EdgeSupport<Lane<S>>;

    fn one(row: &Row<'_, 2>) -> Result<bool, Concave> {
        let [a, b] = row.polygons;
        Ok(shape::is_within(a, b, row.numbers.margin))
    }

    fn most_pairs(_fields: FieldSet) -> usize {
        MOST_PAIRS_OF_DISTANCES
    }

    fn fill_otherwise(
        operands: &TileOperands<'_, 2>,
        table: &mut OutputTable<'_>,
    ) -> Option<Vec<usize>> {
        fill_points(operands, table)
    }

    #[inline(always)]
    fn eight<S: Simd>(
        tile: &Tile<'_, S, 2>,
        edges: &mut [Self::Edge<S>],
    ) -> (mask64x8<S>, impl Fn(usize) -> Answers<S>) {
        let (size, distance) = (tile.size(), tile.numbers.margin);
        let squares = Squares::new(size, distance).of_sum();
        let answers = filter::within_distance(tile.rings, size, &squares, distance, edges);
        (
            answers.yes | answers.no,
            #[inline(always)]
            move |_| Answers::Bools(answers.yes),
        )
    }

    fn apart() -> Option<(bool, FieldSet)> {
        Some((false, FieldSet::ALL))
    }
}
