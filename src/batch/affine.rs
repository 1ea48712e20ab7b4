//! Affine maps of points.

use crate::geom::{Edge, Point, Vec2};
use crate::predicates::{Sign, turn};

/// `point + offset`, rounded.
#[must_use]
pub fn moved(point: Point, offset: Vec2) -> Point {
    Point::new(point.x + offset.x, point.y + offset.y)
}

/// An invertible map of the plane: `x' = a x + b y + c`, `y' = d x + e y + f`.
#[derive(Clone, Copy, Debug)]
pub struct Affine {
    rows: [[f64; 3]; 2],
}

impl Affine {
    /// The map with rows `[a, b, c]` and `[d, e, f]`; `None` if it is singular.
    pub fn new(rows @ [[a, b, _], [d, e, _]]: [[f64; 3]; 2]) -> Option<Self> {
        let [first, second] = [Vec2::new(a, b), Vec2::new(d, e)];
        let turn = turn(Edge::from_origin(first), Edge::from_origin(second));
        (turn != Sign::Zero).then_some(Self { rows })
    }

    /// How much longer the images of all vectors are, if that is the same for all: if the columns are
    /// perpendicular and of one length.
    pub fn scale(&self) -> Option<f64> {
        let [[a, b, _], [d, e, _]] = self.rows;
        let is_similarity = (b == -d && e == a) || (b == d && e == -a);
        is_similarity.then(|| libm::hypot(a, d))
    }

    /// The image of a point, each product and sum rounded.
    #[must_use]
    pub fn image(&self, Point { x, y }: Point) -> Point {
        let [u, v] = self.rows.map(|[a, b, c]| a * x + b * y + c);
        Point::new(u, v)
    }
}
