//! What a shape consists of.

/// What a shape consists of: one or several points, paths or polygons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShapeKind {
    /// A point.
    Point = 0,
    /// Several points.
    MultiPoint = 1,
    /// An open path.
    Path = 2,
    /// Several paths.
    MultiPath = 3,
    /// A polygon, with or without holes.
    #[default]
    Polygon = 4,
    /// Several polygons.
    MultiPolygon = 5,
}

impl ShapeKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 6] = [
        Self::Point,
        Self::MultiPoint,
        Self::Path,
        Self::MultiPath,
        Self::Polygon,
        Self::MultiPolygon,
    ];

    /// Whether it has an interior.
    #[inline]
    pub fn is_polygonal(self) -> bool {
        matches!(self, Self::Polygon | Self::MultiPolygon)
    }

    /// Whether it consists of points.
    #[inline]
    pub fn is_of_points(self) -> bool {
        matches!(self, Self::Point | Self::MultiPoint)
    }

    /// The name in Python.
    pub fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::MultiPoint => "multipoint",
            Self::Path => "path",
            Self::MultiPath => "multipath",
            Self::Polygon => "polygon",
            Self::MultiPolygon => "multipolygon",
        }
    }
}
