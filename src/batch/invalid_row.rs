//! Invalid rows: what is wrong, in which row of which argument, what to do about it, and how rows are examined.

use std::fmt;

use super::OutOfMemory;
use crate::geom::{Circle, DisplayNumber, DisplayNumbers, Turn, Vec2};
use crate::invalid_shape::{InvalidRing, InvalidShape};

/// What to do about a row whose operands are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnInvalid {
    /// Refuse the whole call, and report the first such row.
    Raise,
    /// Leave the row blank and answer the others.
    Mask,
}

/// How the rows of a column are examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validation {
    /// The first invalid row is an error.
    Raise,
    /// Invalid rows count as missing.
    Mask,
    /// Rows are taken to be valid. Those that can't be read count as missing.
    Trust,
}

/// Why rows can't be examined.
#[derive(Debug, PartialEq)]
pub enum ExamineError {
    /// The number of the first row that is invalid, and what is wrong with it.
    Invalid(usize, InvalidShape),
    /// There is no memory for what is kept of the rows.
    OutOfMemory(OutOfMemory),
}

impl OnInvalid {
    /// How rows are examined; not at all without `check`.
    pub fn validation(self, check: bool) -> Validation {
        match self {
            _ if !check => Validation::Trust,
            Self::Raise => Validation::Raise,
            Self::Mask => Validation::Mask,
        }
    }
}

impl From<OutOfMemory> for ExamineError {
    fn from(why: OutOfMemory) -> Self {
        Self::OutOfMemory(why)
    }
}

/// A row of an argument, in the caller's own indices: `a[2, 1]`, or `a` when it has no rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentRow {
    /// Name of the argument.
    pub argument: &'static str,
    /// One index per leading dimension.
    pub index: Vec<usize>,
}

impl ArgumentRow {
    /// The argument itself, when it has no rows.
    pub const fn whole(argument: &'static str) -> Self {
        Self {
            argument,
            index: Vec::new(),
        }
    }

    /// Row number `row`, in C order, of an argument with these leading dimensions.
    pub fn row(argument: &'static str, shape: &[usize], mut row: usize) -> Self {
        let mut index = vec![0; shape.len()];
        for (digit, &length) in index.iter_mut().zip(shape).rev() {
            *digit = row % length.max(1);
            row /= length.max(1);
        }
        Self { argument, index }
    }
}

impl fmt::Display for ArgumentRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.argument)?;
        for (position, index) in self.index.iter().enumerate() {
            write!(f, "{}{index}", if position == 0 { "[" } else { ", " })?;
        }
        f.write_str(if self.index.is_empty() { "" } else { "]" })
    }
}

/// An invalid operand.
#[derive(Clone, Debug, PartialEq)]
pub enum InvalidRow {
    /// A polygon that is invalid, or not convex where it must be.
    Shape(ArgumentRow, InvalidShape),
    /// A point, a velocity, a direction, a pose or a length with a number that is infinite or NaN.
    NotFinite(ArgumentRow, Vec<f64>),
    /// A direction that is zero.
    Direction(ArgumentRow, Vec2),
    /// A valid footprint that is not valid as placed at a pose, because coordinates are rounded there.
    Placed {
        /// The pose.
        at: ArgumentRow,
        /// What is wrong there.
        why: InvalidShape,
        /// Whether it is valid with the same heading at the origin.
        is_far: bool,
    },
    /// The pose where an arc starts whose center is not finite, the pose where it ends, and both in numbers.
    Arc(ArgumentRow, Box<(ArgumentRow, [[f64; 3]; 2])>),
    /// A turn that is too large or NaN.
    Turn(ArgumentRow, f64),
    /// A circle's radius, or a margin, that is negative, infinite or NaN.
    Radius(ArgumentRow, f64),
    /// The length of a ray that is negative or NaN.
    Length(ArgumentRow, f64),
    /// The length or the width of a rectangle that is not more than 0, infinite or NaN.
    Size(ArgumentRow, f64),
}

impl InvalidRow {
    /// Checks that the numbers of a row are finite.
    #[inline]
    pub(crate) fn check_finite(
        numbers: &[f64],
        at: impl FnOnce() -> ArgumentRow,
    ) -> Result<(), Self> {
        if numbers.iter().all(|number| number.is_finite()) {
            return Ok(());
        }
        Err(Self::NotFinite(at(), numbers.to_vec()))
    }

    /// Checks that a radius or a margin is finite and not negative.
    #[inline]
    pub(crate) fn check_radius(radius: f64, at: impl FnOnce() -> ArgumentRow) -> Result<(), Self> {
        if Circle::is_radius(radius) {
            return Ok(());
        }
        Err(Self::Radius(at(), radius))
    }

    /// The row that is invalid.
    pub fn at(&self) -> &ArgumentRow {
        match self {
            Self::Shape(at, _)
            | Self::NotFinite(at, _)
            | Self::Direction(at, _)
            | Self::Placed { at, .. }
            | Self::Arc(at, _)
            | Self::Turn(at, _)
            | Self::Radius(at, _)
            | Self::Length(at, _)
            | Self::Size(at, _) => at,
        }
    }

    /// Whether the row is the subject of the reason, which begins with its verb.
    pub fn is_sentence(&self) -> bool {
        match self {
            Self::Shape(_, InvalidShape::Ring { why, .. }) => {
                matches!(why, InvalidRing::PointNotFinite { .. })
            }
            Self::Shape(..) | Self::Placed { .. } => false,
            _ => true,
        }
    }

    /// What is wrong, without the row.
    pub fn reason(&self) -> String {
        match self {
            Self::Shape(
                _,
                InvalidShape::Ring {
                    why: InvalidRing::PointNotFinite { value },
                    ..
                },
            ) => format!("is {value}; coordinates must be finite"),
            Self::Shape(_, why) => why.to_string(),
            Self::NotFinite(_, numbers) => match numbers[..] {
                [number] => format!("is {}; it must be finite", DisplayNumber(number)),
                _ => format!("is {}; it must be finite", DisplayNumbers(numbers)),
            },
            Self::Direction(_, v) => {
                format!("is {}; it must not be zero", DisplayNumbers(&[v.x, v.y]))
            }
            Self::Placed { why, is_far, .. } => {
                let advice = if *is_far {
                    ": take an origin nearer to the poses"
                } else {
                    ""
                };
                format!(
                    "the footprint as placed there: {why}; coordinates are rounded there{advice}"
                )
            }
            Self::Arc(_, end) => {
                let (next, poses) = &**end;
                let [from, to] = poses.each_ref().map(|pose| DisplayNumbers(pose));
                format!(
                    "is {from}, and {next} is {to}; the center of the arc between them must be finite"
                )
            }
            Self::Radius(_, radius) => {
                let radius = DisplayNumber(*radius);
                format!("is {radius}; it must be finite and 0 or more")
            }
            Self::Turn(_, angle) => {
                let (angle, most) = (DisplayNumber(*angle), DisplayNumber(Turn::MOST));
                format!("is {angle}; it must be between -{most} and {most} radians")
            }
            Self::Length(_, length) => {
                format!("is {}; it must be 0 or more", DisplayNumber(*length))
            }
            Self::Size(_, size) => {
                let size = DisplayNumber(*size);
                format!("is {size}; it must be finite and more than 0")
            }
        }
    }
}

impl fmt::Display for InvalidRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let link = if self.is_sentence() { " " } else { ": " };
        write!(f, "{}{link}{}", self.at(), self.reason())
    }
}

impl std::error::Error for InvalidRow {}
