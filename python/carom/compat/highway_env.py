"""HighwayEnv's collision test with exact answers."""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import carom
from carom._input_error import InputTypeError, InputValueError

__all__ = ["are_polygons_intersecting"]


def are_polygons_intersecting(
    a: ArrayLike, b: ArrayLike, displacement_a: ArrayLike, displacement_b: ArrayLike
) -> tuple[bool, bool, NDArray[np.float64] | None]:
    """Say whether two moving convex polygons intersect now, or will within the step.

    Replaces ``highway_env.utils.are_polygons_intersecting``, with the same arguments and return
    values. Touching is intersecting, decided exactly.

    Parameters
    ----------
    a, b : array_like, shape (V, 2)
        Convex polygons. HighwayEnv closes its rings; the repeated vertex may also be left out.
    displacement_a, displacement_b : array_like, shape (2,)
        The displacements within the step, in the coordinates' unit. Their difference is not
        rounded where it decides `will_intersect`.

    Returns
    -------
    intersecting : bool
        Whether they have a point in common now.
    will_intersect : bool
        Whether they have one at some time of the step, start and end included.
    translation : ndarray of shape (2,), or None
        The shortest translation of `a` that avoids the contact of the whole step:
        ``a + displacement_a - displacement_b + translation`` touches `b` without overlap. None
        unless `will_intersect`; NaN for a polygon that isn't convex.

    Raises
    ------
    ValueError
        A polygon is invalid, or a displacement isn't two finite numbers that float64 represents, or
        their difference is not finite.
    TypeError
        An argument is not numbers.

    See Also
    --------
    carom.swept_collision : The same query, with time and points of the first contact.

    Examples
    --------
    >>> from carom.compat.highway_env import are_polygons_intersecting
    >>> car = [(-2.5, -1), (-2.5, 1), (2.5, 1), (2.5, -1), (-2.5, -1)]
    >>> ahead = [(6.5, -1), (6.5, 1), (11.5, 1), (11.5, -1), (6.5, -1)]
    >>> are_polygons_intersecting(car, ahead, (5, 0), (1, 0))
    (False, True, array([0., 0.]))
    >>> are_polygons_intersecting(car, ahead, (5.5, 0), (1, 0))
    (False, True, array([-0.5,  0. ]))
    >>> are_polygons_intersecting(car, ahead, (4.5, 0), (1, 0))
    (False, False, None)
    """
    motion_a = _displacement("displacement_a", displacement_a)
    motion_b = _displacement("displacement_b", displacement_b)
    with np.errstate(over="ignore"):
        velocity = motion_a - motion_b
    if not np.isfinite(velocity).all():
        raise InputValueError(
            f"displacement_a - displacement_b is {tuple(velocity.tolist())}; it must be finite"
        )
    sweep = carom.swept_collision(a, b, velocity)
    will_intersect = sweep.will_intersect
    if _is_rounded(velocity, motion_a, motion_b):
        # The sweep takes one velocity; the join takes both, and doesn't round their difference.
        pairs = carom.colliding_pairs(
            [a], [b], velocity_a=motion_a[None], velocity_b=motion_b[None]
        )
        will_intersect = pairs.size > 0
    return sweep.intersects, will_intersect, sweep.mtv if will_intersect else None


def _displacement(name: str, given: ArrayLike) -> NDArray[np.float64]:
    """Return two finite numbers that float64 holds without rounding; errors name the argument."""
    try:
        # As objects, numbers among others are not converted, and masks are kept.
        masked: Any = np.ma.array(given, dtype=object)
    except ValueError:
        raise InputValueError(
            "expected shape (2,), got items of different shapes", at=name
        ) from None
    if np.any(masked.mask):
        raise InputValueError(f"{masked} is masked", at=name)
    array: NDArray[Any] = masked.data
    for number in array.flat:
        if not isinstance(number, Number) or isinstance(number, bool | np.bool_):
            raise InputTypeError(f"expected two numbers, got a {type(number).__name__}", at=name)
    try:
        vector = array.astype(np.float64)
    except TypeError as error:
        raise InputTypeError(str(error), at=name) from None
    except (OverflowError, ValueError) as error:
        raise InputValueError(str(error), at=name) from None
    if vector.shape != (2,):
        raise InputValueError(f"expected shape (2,), got {vector.shape}", at=name)
    # As Python objects, integers and fractions are compared with floats without rounding.
    for number, rounded in zip(array, vector.tolist(), strict=True):
        if not np.isfinite(rounded):
            raise InputValueError(f"{rounded} is not finite", at=name)
        if number != rounded:
            raise InputValueError(f"{number} is not a float64", at=name)
    return vector


def _is_rounded(
    difference: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64]
) -> bool:
    """Say whether `difference` differs from the exact `a - b`."""
    # The rounding error is a multiple of the last place of the smaller of a and b, so recomputing
    # this one from the difference reveals it.
    with np.errstate(over="ignore"):
        return bool(np.any(difference + b != a) or np.any(a - difference != b))
