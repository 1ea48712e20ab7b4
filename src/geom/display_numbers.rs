//! Numbers and points as messages show them: as Python prints them.

use std::fmt;

use super::primitives::Point;

/// A number as Python prints it: `nan`, not `NaN`.
pub(crate) struct DisplayNumber(pub(crate) f64);

impl fmt::Display for DisplayNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_nan() {
            f.write_str("nan")
        } else {
            write!(f, "{:?}", self.0)
        }
    }
}

/// Numbers in parentheses.
pub(crate) struct DisplayNumbers<'a>(pub(crate) &'a [f64]);

impl fmt::Display for DisplayNumbers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, &number) in self.0.iter().enumerate() {
            f.write_str(if position == 0 { "(" } else { ", " })?;
            write!(f, "{}", DisplayNumber(number))?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        DisplayNumbers(&[self.x, self.y]).fmt(f)
    }
}
