//! Text that the docstrings of several functions share.

/// The keyword `margin` of a scalar function.
macro_rules! scalar_margin {
    () => {
        "margin : float, default 0
    A distance, finite and 0 or more: the shapes count as touching when they are no farther apart.
    The radii and the margin are added unrounded; the margin grows the first shape."
    };
}

/// The keyword `margin` of a batch function.
macro_rules! batch_margin {
    () => {
        "margin : float or array_like, default 0
    A distance, finite and 0 or more: the shapes count as touching when they are no farther apart.
    An array broadcasts with the rows, with `pairs` to (K,)."
    };
}

/// The velocities of a scalar function.
macro_rules! scalar_velocities {
    () => {
        "velocity : array_like, shape (2,), optional
    The displacement of a relative to b over the frame, in the unit of the coordinates.
velocity_a, velocity_b : array_like, shape (2,), optional
    In its place, the displacements of both; one that is not given is zero. Their difference is not
    rounded."
    };
}

/// The velocities of a batch function.
macro_rules! batch_velocities {
    () => {
        "velocity : array_like, shape (..., 2), optional
    The displacements of a relative to b. Leading dimensions broadcast, with `pairs` to (K,).
velocity_a, velocity_b : array_like, shape (..., 2), optional
    In its place, the displacements of both; those that are not given are zero. Their differences are
    not rounded."
    };
}

/// The turns of a scalar function.
macro_rules! scalar_turns {
    () => {
        "turn_a, center_a, turn_b, center_b : float and array_like of shape (2,), optional
    The angles in radians by which the shapes turn over the frame, counterclockwise and uniformly in
    time, at most 1e6; an angle of 7 is more than a full turn. And the points at time 0 about which
    they turn, required where the turn is not 0, else ignored. They move with the shapes: the
    velocities are theirs."
    };
}

/// The turns of a batch function.
macro_rules! batch_turns {
    () => {
        "turn_a, center_a, turn_b, center_b : array_like of shapes (...) and (..., 2), optional
    The angles in radians by which the shapes turn over the frame, counterclockwise, at most 1e6; and
    the points at time 0 about which they turn, required where the turn is not 0. They move with the
    shapes: the velocities are theirs. Arrays broadcast with the rows, with `pairs` to (K,)."
    };
}

/// The end of a batch function's docstring: the keywords, the type and the text of what is returned,
/// the scalar function, and what is raised for causes of its own.
macro_rules! batch_end {
    ($type:literal, $returned:literal, $scalar:literal $(; $cause:literal)*) => {
        batch_end!(
            "fields : tuple of str, optional
    The wanted fields; all, by default. The others are None and cost nothing.
out : batch result or dict of arrays, optional
    Arrays to write the fields to: an earlier result, or a dict by field. After an error they may
    have been written in part.
",
            "False, NaN and -1",
            $type,
            $returned,
            $scalar
            $(; $cause)*
        )
    };
    ($keywords:literal, $blank:literal, $type:literal, $returned:literal, $scalar:literal $(; $cause:literal)*) => {
        concat!(
            "pairs : tuple of two integer arrays, or one of shape (2, K), optional
    Pairs of rows: row ``i[k]`` of the first operand with row ``j[k]`` of the second. Nothing
    is copied. The result has K rows.
",
            $keywords,
            "threads : int, optional
    How many threads to use; all cores, by default. The results don't depend on it.
check : bool, default True
    False skips the validation of input that is known to be valid. An invalid row then gives a
    meaningless result, and is not masked.
on_invalid : {'raise', 'mask'}, default 'raise'
    What to do about invalid rows: raise an error, for the first that can't be read or else the first
    that is invalid, or compute the others and set ",
            $blank,
            "
    there, with False in ``valid``. Missing rows of columns and lists get the same values,
    and are valid whatever the other numbers of the row are. Any row of a list can be masked; an
    array of the wrong shape or type raises in either case.

Returns
-------
",
            $type,
            "\n    ",
            $returned,
            "\n\nRaises
------
ValueError
    If a row is invalid (the message names the row and the fault);
", $("    ", $cause, "
",)* "    if arguments don't broadcast or have different CRS; if a keyword has an invalid value.
TypeError
    If an argument does not consist of numbers, or a keyword is unknown or of the wrong type.
IndexError
    If an index of `pairs` is out of range.

See Also
--------
",
            $scalar
        )
    };
}

/// The shapes of a scalar function.
macro_rules! scalar_polygons {
    () => {
        "Parameters
----------
a, b : array_like of shape (V, 2) and (W, 2), or sequences of such rings, or Shapely geometries, or rows of `Shapes`
    The shapes: polygons as vertices in either winding, or as a shell and its holes, closing vertices
    repeated or not; points, paths and shapes of several parts or with a radius as geometries of
    Shapely or as a column of one row."
    };
}

/// The shape of a scalar function.
macro_rules! scalar_polygon {
    () => {
        "polygon : array_like of shape (V, 2), or sequence of such rings, or Shapely geometry, or row of `Shapes`
    A polygon: vertices in either winding, or a shell and its holes, closing vertices repeated or
    not. Points, paths and shapes of several parts or with a radius are taken too, as a geometry of
    Shapely or as a column of one row."
    };
}

/// The shapes of a batch function.
macro_rules! batch_polygons {
    () => {
        "Parameters
----------
a, b : array_like, shape (..., V, 2) and (..., W, 2), or `Shapes`, or list, or GeoSeries
    The shapes: polygons in arrays and lists, shapes of any kind and with radii in columns, and
    geometries of Shapely. Leading dimensions broadcast; a column or a list has one. In a list, a
    polygon with holes is a list of rings."
    };
}

/// The shape of a batch function.
macro_rules! batch_polygon {
    () => {
        "polygon : array_like, shape (..., V, 2), or `Shapes`, or list of shapes, or GeoSeries
    The shapes: polygons in arrays and lists, shapes of any kind and with radii in columns, and
    geometries of Shapely. A column or a list has one leading dimension. In a list, a polygon with
    holes is a list of rings. With `pairs`, the first indices choose circles and the second shapes."
    };
}

/// What the scalar functions raise, and for which causes of their own.
macro_rules! scalar_raises {
    ($($cause:literal)*) => {
        concat!(
            "Raises
------
ValueError
    If a shape is empty or not valid (the message says what is wrong and where): a ring of fewer than
    three vertices or without area, a ring that meets itself, a hole outside the shell or in
    another hole, rings that cross, an interior that is not connected; if a coordinate is NaN or
    infinite or no float64 holds it exactly;
", $("    ", $cause, "
",)* "    if an argument has the wrong shape.
TypeError
    If an argument does not consist of numbers, or a shape is None.
"
        )
    };
}

/// The arguments of a join, of which some are not the same everywhere, what it returns and what it raises.
macro_rules! join_arguments {
    // Of the joins that give all pairs at once.
    ($predicate:literal) => {
        join_arguments!(
            $predicate,
            "max_pairs : int, optional
    How many pairs there may be: with more, ValueError is raised before they fill the memory.",
    "from time to time during a long join",
    "
    if there are more pairs than `max_pairs`;",
    "ndarray of int64, shape (2, K)
    Rows of `a` and of `b`, sorted by the first, then by the second. Missing rows are in no
    pair. It is what `pairs=` of the batch functions takes."
        )
    };
    ($predicate:literal, $own:literal, $when:literal, $cause:literal, $returned:literal) => {
        concat!(
            "Parameters
----------
a, b : Shapes, or list of shapes, or GeoSeries, or array_like of shape (N, V, 2)
    The columns, of shapes of any kind. Without `b`, `a` is joined with itself: each pair once, the lower row first.
velocity_a, velocity_b : array_like, shape (2,), (1, 2) or (N, 2), optional
    How far the rows move within the frame, in the unit of the coordinates. Those of a column
    joined with itself are `velocity_a`.
turn_a, center_a, turn_b, center_b : array_like, shape (), (1,) or (N,), and (2,), (1, 2) or (N, 2), optional
    The angles in radians by which the rows turn within the frame, counterclockwise, at most 1e6; and
    the points about which they turn, required where the turn is not 0. They move with the rows: the
    velocities are theirs.
margin : array_like, shape (), (1,) or (N,), default 0
    The greatest distance of a pair, one for all or one for each row of `a`; of a column joined
    with itself a number.
",
            $predicate,
            $own,
            "
threads : int, optional
    How many threads to use; all cores, by default. The result doesn't depend on it.
progress : callable, optional
    Called ",
            $when,
            " with two numbers: how much is done, in rows of
    `a`, and all rows of `a`. An exception that it raises ends the join.

Returns
-------
",
            $returned,
            "

Raises
------
ValueError
    If a row is not a valid shape; if a velocity, a turn, a center or a margin is NaN or infinite, a
    turn beyond 1e6, or a margin negative; if there are more velocities, turns, centers or margins
    than rows or fewer;",
            $cause,
            " if `a` and `b` have different CRS; if `velocity_b`, `turn_b` or `center_b` is given without `b`.
TypeError
    If an argument does not consist of numbers, or a keyword is unknown or of the wrong type.
"
        )
    };
}

/// The arguments of a query about trajectories, what it returns and what it raises.
macro_rules! trajectory_arguments {
    ($margin:literal, $masked:literal, $returned:literal, $cause:literal) => {
        concat!(
            "Parameters
----------
footprints : array_like of shape (V, 2), or Shapes, or list of shapes, or Trajectories
    The footprint at the pose ``(0, 0, 0)``, or one for each trajectory. A column or a list of one serves
    all. In a list, a footprint with holes is a list of rings. Or trajectories, in the place of footprints
    and poses: the second argument then is `obstacles`.
poses : array_like, shape (K, T, 3)
    For each of K trajectories T poses ``x, y, heading``, as `place` takes them.
obstacles : Shapes, or list of shapes, or array_like of shape (M, W, 2), or Trajectories
    The obstacles at the time of the first pose, or as trajectories with as many poses. Missing rows are left
    out.
obstacle_velocity : array_like, shape (2,) or (M, 2), optional
    The displacement of the obstacles per step; 0 by default.
obstacle_poses : array_like, shape (M, T, 3), optional
    For each obstacle T poses ``x, y, heading``, instead of `obstacle_velocity`: an obstacle is then a footprint
    at the pose ``(0, 0, 0)``; a single one, also as an array of shape (V, 2), serves all M.
",
            $margin,
            "fields : tuple of str, optional
    The wanted fields; all, by default. The others are None.
out : batch result or dict of arrays, optional
    Arrays to write the fields to: an earlier result, or a dict by field.
threads : int, optional
    How many threads to use; all cores, by default. The results don't depend on it.
check : bool, default True
    False skips the validation of shapes and poses that are known to be valid. An invalid one then
    gives a meaningless result.
on_invalid : {'raise', 'mask'}, default 'raise'
    What to do about trajectories with ",
            $masked,
            ", with False in ``valid``. Masked obstacles count as missing, with False in
    ``valid_obstacles``, as those that are missing or nowhere have.

Returns
-------
",
            $returned,
            "

Raises
------
ValueError
    If a shape is not valid, or becomes invalid by rounding at a pose; if a pose or a velocity is NaN or
    infinite; ",
            $cause,
            "if there are neither one footprint nor as many
    as trajectories; if obstacles are given two motions, or Trajectories other poses; if footprints and
    obstacles have different CRS, numbers of poses or times; if an argument has the wrong shape; if a keyword
    has an invalid value.
TypeError
    If an argument does not consist of numbers, or a keyword is unknown or of the wrong type.
"
        )
    };
}

pub(crate) use {
    batch_end, batch_margin, batch_polygon, batch_polygons, batch_turns, batch_velocities,
    join_arguments, scalar_margin, scalar_polygon, scalar_polygons, scalar_raises, scalar_turns,
    scalar_velocities, trajectory_arguments,
};
