//! Rectangles as footprints.

use crate::batch::{CancelToken, InvalidRow, OperandRows, Shared, Stop};
use crate::geom::Point;
use crate::invalid_shape::{InvalidRing, InvalidShape};

type Numbers = OperandRows<Shared<f64>>;

/// Where a rectangle lies along the x axis.
#[derive(Debug)]
pub enum BoxReference {
    /// The origin is its center.
    Center,
    /// The origin is the middle of its front edge.
    Front,
    /// The origin is the middle of its rear edge.
    Rear,
    /// The origin is so far in front of the rear edge.
    InFrontOfRear(Numbers),
}

/// Rectangles, front edges towards +x.
#[derive(Debug)]
pub struct Boxes {
    /// Their sizes along x.
    pub length: Numbers,
    /// Their sizes along y.
    pub width: Numbers,
    /// Where they lie along x.
    pub reference: BoxReference,
}

impl Boxes {
    /// Writes the corners of each rectangle, counterclockwise from the rear right one.
    ///
    /// # Errors
    ///
    /// If cancelled, if a size is not finite and more than 0, if a reference is not finite, or if a rectangle has no area
    /// as its coordinates are rounded; of several, the lowest row.
    pub fn corners(&self, corners: &mut [Point], control: &CancelToken) -> Result<(), Stop> {
        for (row, corners) in corners.as_chunks_mut().0.iter_mut().enumerate() {
            control.proceed()?;
            *corners = self.one(row).map_err(|why| Stop::Refused(row, why))?;
        }
        Ok(())
    }

    fn one(&self, row: usize) -> Result<[Point; 4], InvalidRow> {
        let [length, width] = [&self.length, &self.width].map(|sizes| {
            let size = sizes.at(row);
            if size.is_finite() && size > 0.0 {
                Ok(size)
            } else {
                Err(InvalidRow::Size(sizes.argument_row(row), size))
            }
        });
        let (length, width) = (length?, width?);
        // Differences from 0.0 are never -0.0.
        let (along, [rear, front]) = match &self.reference {
            BoxReference::Center => (&self.length, [-0.5 * length, 0.5 * length]),
            BoxReference::Front => (&self.length, [-length, 0.0]),
            BoxReference::Rear => (&self.length, [0.0, length]),
            BoxReference::InFrontOfRear(references) => {
                let reference = references.at(row);
                InvalidRow::check_finite(&[reference], || references.argument_row(row))?;
                (references, [0.0 - reference, length - reference])
            }
        };
        let (right, left) = (-0.5 * width, 0.5 * width);
        let flat = |sizes: &Numbers, why| {
            let why = InvalidShape::Ring { ring: 0, why };
            InvalidRow::Shape(sizes.argument_row(row), why)
        };
        if !front.is_finite() {
            let value = Point::new(front, right);
            return Err(flat(along, InvalidRing::NotFinite { vertex: 1, value }));
        }
        // A size may be lost where it is added to a large reference, or halved as the least float.
        if rear == front {
            return Err(flat(along, InvalidRing::ZeroArea));
        }
        if right == left {
            return Err(flat(&self.width, InvalidRing::ZeroArea));
        }
        Ok([
            Point::new(rear, right),
            Point::new(front, right),
            Point::new(front, left),
            Point::new(rear, left),
        ])
    }
}
