"""Rectangles as footprints."""

import math
from fractions import Fraction

import carom
import numpy as np
import pytest


def rounded(number):
    """The float nearest to a fraction, which is not 0 from below."""
    return float(number) + 0.0


def corners(length, width, reference):
    """The corners in fractions, each coordinate rounded once."""
    length, width = Fraction(length), Fraction(width)
    in_front = {"center": length / 2, "front": length, "rear": Fraction(0)}
    reference = in_front.get(reference) if isinstance(reference, str) else Fraction(reference)
    rear, front = rounded(-reference), rounded(length - reference)
    right, left = rounded(-width / 2), rounded(width / 2)
    return [[rear, right], [front, right], [front, left], [rear, left]]


@pytest.mark.parametrize("reference", ["center", "front", "rear", 0.0, 1.1, -0.3, 17, 1e9])
def test_corners_are_rounded_once_and_counterclockwise_from_the_rear_right(reference):
    rng = np.random.default_rng(0)
    sizes = rng.uniform(0.1, 20, (50, 2))
    boxes = carom.boxes(*sizes.T, reference=reference)
    assert boxes.shape == (50, 4, 2)
    for (length, width), box in zip(sizes, boxes, strict=True):
        assert box.tolist() == corners(length, width, reference)
        assert box.tolist() == carom.boxes(length, width, reference=reference).tolist()
    assert (carom.Shapes(boxes).area > 0).all()
    assert not np.signbit(boxes[boxes == 0]).any()


def test_numbers_give_one_box_about_its_center():
    assert carom.boxes(4, 2).tolist() == [[-2, -1], [2, -1], [2, 1], [-2, 1]]
    assert (carom.boxes(4, 2) == carom.boxes(4, 2, reference="center")).all()
    assert (carom.boxes(4, 2) == carom.boxes(4, 2, reference=2)).all()
    assert (carom.boxes(4, 2, reference="rear") == carom.boxes(4, 2, reference=-0.0)).all()
    assert carom.boxes(4, 2, reference="front").tolist() == [[-4, -1], [0, -1], [0, 1], [-4, 1]]


def test_lengths_widths_and_references_broadcast():
    length, width, reference = [4.0, 5.0, 6.0], 2.0, [[0.0], [1.0]]
    boxes = carom.boxes(length, width, reference=reference)
    assert boxes.shape == (2, 3, 4, 2)
    for row, column in np.ndindex(2, 3):
        assert boxes[row, column].tolist() == corners(length[column], 2.0, reference[row][0])
    assert carom.boxes([], 2).shape == (0, 4, 2)
    with pytest.raises(ValueError, match=r"length \(3,\), width \(2,\)"):
        carom.boxes(length, [1, 2])
    with pytest.raises(ValueError, match=r"width \(\), reference \(2,\)"):
        carom.boxes(length, 1, reference=[1, 2])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"length": 0.0}, "length is 0.0; it must be finite and more than 0"),
        ({"length": [4, -1]}, r"length\[1\] is -1.0; it must be finite and more than 0"),
        ({"width": [[4, math.nan]]}, r"width\[0, 1\] is nan; it must be finite"),
        ({"width": math.inf}, "width is inf; it must be finite"),
        ({"reference": [0, math.inf]}, r"reference\[1\] is inf; it must be finite"),
        ({"reference": "middle"}, "'front', 'rear' or numbers, got 'middle'"),
        ({"length": 2**53 + 1}, "length has 9007199254740993"),
        # Where a box has no area after rounding, it is refused.
        ({"reference": 1e20}, "reference: all vertices lie on one line"),
        ({"reference": [0, 1e20]}, r"reference\[1\]: all vertices lie on one line"),
        ({"length": 5e-324}, "length: all vertices lie on one line"),
        ({"width": 5e-324}, "width: all vertices lie on one line"),
        ({"length": 1e308, "reference": -1e308}, r"reference: vertex 1 is \(inf, -0.5\)"),
    ],
)
def test_boxes_refuse_and_say_what(arguments, message):
    arguments = {"length": 1.0, "width": 1.0, **arguments}
    if message.startswith(("length: all", "width: all")):
        name = message.partition(":")[0]
        assert carom.boxes(**{**arguments, name: 1e-323}).any()
    with pytest.raises(carom.InputValueError, match=message):
        carom.boxes(**arguments)


@pytest.mark.parametrize("name", ["length", "width", "reference"])
def test_what_is_no_number_is_refused(name):
    for what in (None, b"1", {}, [True], [None]):
        if name == "reference" and what is None:
            continue
        with pytest.raises(TypeError, match=f"^{name}"):
            carom.boxes(**{"length": 1.0, "width": 1.0, name: what})


def test_the_pose_of_a_box_is_its_reference():
    pose = (30.0, -7.0, 0.5)
    way = np.array([math.cos(0.5), math.sin(0.5)])
    for reference, rear in (("rear", 0.0), ("front", -4.0), ("center", -2.0), (1.5, -1.5)):
        placed = carom.place(carom.boxes(4, 2, reference=reference), pose)
        middle = placed[[0, 3]].mean(axis=0)
        # Four roundings of numbers near 30.
        np.testing.assert_allclose(middle, pose[:2] + rear * way, rtol=0, atol=2e-14)
