"""Plants errors, each in a copy of the tree, and demands that the test named beside it fails.

``python tests/planted.py`` plants them all; texts choose those whose description contains one.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

from edited_tree import ROOT, EditedTree


class Planted(NamedTuple):
    """An error: a text that occurs once in a file, and what it becomes."""

    what: str
    file: str
    old: str
    new: str
    test: str
    """A test of the core, or one in Python with its file."""


ERRORS = (
    Planted(
        "flipped sign: left for right",
        "src/predicates/signs/orientation.rs",
        "sign(&Cross(direction.into(), displacement))",
        "sign(&Cross(displacement, direction.into()))",
        "questions::squares_that_share_a_corner_touch",
    ),
    Planted(
        "widened filter: half the roundings counted",
        "src/predicates/numbers/bounded.rs",
        "f64::from(self.roundings + 2) * UNIT_ROUNDOFF * self.magnitude",
        "f64::from(self.roundings / 2) * UNIT_ROUNDOFF * self.magnitude",
        "predicates::cross_has_the_sign_of_the_exact_value",
    ),
    Planted(
        "widened filter: the bound of the kernels a tenth",
        "src/predicates/bounds/error_bounds.rs",
        "const ERROR: f64 = 12.0 * UNIT_ROUNDOFF;",
        "const ERROR: f64 = 1.2 * UNIT_ROUNDOFF;",
        "predicates::one_bound_covers_a_box",
    ),
    Planted(
        "undecided taken for no",
        "src/predicates/numbers/verdict.rs",
        "no: (zero - error).above(value),",
        "no: !value.above(error),",
        "questions::squares_that_share_a_corner_touch",
    ),
    Planted(
        "a term dropped from an exact product",
        "src/predicates/numbers/error_free.rs",
        " + a_low * b_low;",
        ";",
        "predicates::cross_has_the_sign_of_the_exact_value",
    ),
    Planted(
        "an ulp lost: moved boxes rounded to nearest",
        "src/predicates/bounds/conservative_boxes.rs",
        "(self.max.x + high.x).next_up(),",
        "self.max.x + high.x,",
        "bounds::a_moved_box_holds_where_it_moved",
    ),
    Planted(
        "a range without its error",
        "src/predicates/bounds/conservative_boxes.rs",
        "let error = ROUNDINGS * size + UNDERFLOW;",
        "let error = 0.0 * size;",
        "bounds::a_swept_box_holds_all_places",
    ),
    Planted(
        "offset misread: the last ring of a row left out",
        "src/batch/column/layout.rs",
        "&offsets.rings[rings.start..=rings.end]",
        "&offsets.rings[rings.start..rings.end]",
        "batch::closing_vertices_stay_in_memory_and_out_of_sight",
    ),
    Planted(
        "turned the wrong way",
        "src/predicates/turning/relative_pose.rs",
        "vector.rotated([self.cos, self.sin])",
        "vector.rotated([self.cos, -self.sin])",
        "turning::places_are_within_their_bound",
    ),
    Planted(
        "dropped axis: boxes that move up",
        "src/predicates/bounds/box_distance_bounds.rs",
        "let high = high_a + velocity.map(|by| by.larger(zero));",
        "let high = Vectors { x: high_a.x + velocity.x.larger(zero), ..high_a };",
        "tests/test_swept_collision.py::test_batch_rows_are_the_scalar_results_to_the_bit",
    ),
    Planted(
        "< for <=: what shares a side of a box is outside",
        "src/geom/bounds.rs",
        "(self.min.x <= other.max.x)\n            & (other.min.x <= self.max.x)",
        "(self.min.x < other.max.x)\n            & (other.min.x < self.max.x)",
        "tests/test_locate.py::test_points_are_where_the_oracle_finds_them",
    ),
    Planted(
        "lanes swapped: rows 2 and 3 of a tile",
        "src/simd/load.rs",
        "two_of_two(simd, [rows[2], rows[3]], first)",
        "two_of_two(simd, [rows[3], rows[2]], first)",
        "tests/test_instructions.py::test_one_row_has_the_bits_of_many",
    ),
    Planted(
        "flipped sign: falling edges counted on the wrong side of a point",
        "src/shape/boundary/point_in_polygon.rs",
        "(false, true) => side() == Sign::Negative,",
        "(false, true) => side() == Sign::Positive,",
        "tests/test_locate.py::test_points_are_where_the_oracle_finds_them",
    ),
    Planted(
        "an ulp lost: the upper bound of a sum of radii",
        "src/predicates/signs/length_comparison.rs",
        "[below, sum.next_up().next_up()]",
        "[below, below]",
        "tests/test_radius.py::test_boxes_grow_by_sums_that_floats_round_down",
    ),
    Planted(
        "a sum of radii rounded",
        "src/geom/radius_sum.rs",
        ".position(|&term| term == 0.0 || is_exact_sum(term, radius));",
        ".position(|_| true);",
        "tests/test_radius.py::test_radii_and_margin_are_added_unrounded",
    ),
    Planted(
        "the later contact for the earlier",
        "src/predicates/signs/crossing_time.rs",
        "sign(&TimeDifference(*self, *other)).ordering()",
        "sign(&TimeDifference(*other, *self)).ordering()",
        "tests/test_swept_collision.py::test_every_field_agrees_with_the_oracle",
    ),
    Planted(
        "off by one: a row is a pair with itself",
        "src/batch/join/mod.rs",
        "(other > neighbours[lane])",
        "(other >= neighbours[lane])",
        "tests/test_joins.py::test_neighbours_that_share_an_edge_pair_once",
    ),
    Planted(
        "offsets that decrease taken for good",
        "src/python/arrow/lists.rs",
        "Some(offset) if least <= offset && offset <= limit => least = offset,",
        "Some(offset) if offset <= limit => least = offset,",
        "tests/test_arrow.py::test_wrong_numbers_are_refused_or_taken_as_arrow_has_it",
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("texts", nargs="*", metavar="TEXT", help="part of a description")
    texts = parser.parse_args().texts or [""]
    chosen = [error for error in ERRORS if any(text in error.what for text in texts)]
    if not chosen:
        parser.error("\n".join(["no such description; there are:", *(it.what for it in ERRORS)]))
    sources = [(error, (ROOT / error.file).read_text()) for error in chosen]
    for error, text in sources:
        if text.count(error.old) != 1:
            raise SystemExit(f"{error.file} no longer has this once: {error.old}")
    tree = EditedTree(ROOT / "target" / "planted")
    of_core = {error.test for error in chosen if not error.test.startswith("tests/")}
    in_python = {error.test for error in chosen} - of_core
    if of_core and not (tree.build() and tree.core(*of_core)):
        raise SystemExit("a test of the core fails without an error")
    if in_python and not (tree.extend() and tree.pytest(*in_python)):
        raise SystemExit("a test in Python fails without an error")
    missed = 0
    for error, text in sources:
        tree.write(error.file, text.replace(error.old, error.new))
        is_of_core = error.test in of_core
        if not (tree.build() if is_of_core else tree.extend()):
            raise SystemExit(f"does not build: {error.what}")
        is_missed = tree.core(error.test) if is_of_core else tree.pytest(error.test)
        missed += is_missed
        print(f"{'MISSED' if is_missed else 'caught'} by {error.test}: {error.what}", flush=True)
        tree.restore(error.file)
    raise SystemExit(1 if missed else 0)


if __name__ == "__main__":
    main()
