//! GeoArrow's type of polygons: lists of rings, which are lists of coordinates.

use arrow_schema::{DataType, Field, Fields};

/// The key of an extension type's name in a field's metadata.
pub(super) const EXTENSION: &str = "ARROW:extension:name";

const ENCODED: &str = "expected coordinates, got WKB or WKT; GeoPandas exports coordinates with \
                       to_arrow(geometry_encoding=\"geoarrow\")";

const MULTIPLE: &str = "expected polygons, got multipolygons; take them apart first, with \
                        explode() in GeoPandas";

/// How the coordinates of polygons lie in memory.
#[derive(Clone, Copy)]
pub(super) enum Coordinates {
    /// So many numbers a vertex, the first two of which are x and y.
    Interleaved(usize),
    /// Columns of numbers, and the positions of x and y among them.
    Separated {
        columns: [usize; 2],
        dimensions: usize,
    },
}

impl Coordinates {
    pub(super) fn dimensions(self) -> usize {
        match self {
            Self::Interleaved(dimensions) | Self::Separated { dimensions, .. } => dimensions,
        }
    }

    /// `None` if a type is not one of coordinates.
    fn of(vertex: &DataType) -> Option<Self> {
        let is_float =
            |field: &Field| matches!(field.data_type(), DataType::Float64 | DataType::Float32);
        match vertex {
            DataType::FixedSizeList(item, width) if is_float(item) => {
                let width = usize::try_from(*width).ok().filter(|&width| width >= 2);
                width.map(Self::Interleaved)
            }
            DataType::Struct(fields) if fields.iter().all(|field| is_float(field)) => {
                Some(Self::Separated {
                    columns: [fields.find("x")?.0, fields.find("y")?.0],
                    dimensions: fields.len(),
                })
            }
            _ => None,
        }
    }
}

/// How polygons of a type have their coordinates, or what is wrong with the type.
pub(super) fn coordinates(polygons: &Field) -> Result<Coordinates, String> {
    let extension = polygons
        .metadata()
        .get(EXTENSION)
        .map_or("", String::as_str);
    match extension {
        "geoarrow.polygon" => {}
        "geoarrow.wkb" | "ogc.wkb" | "geoarrow.wkt" => return Err(ENCODED.to_owned()),
        "geoarrow.multipolygon" => return Err(MULTIPLE.to_owned()),
        _ if extension.starts_with("geoarrow.") => {
            return Err(format!("expected geoarrow.polygon, got {extension}"));
        }
        _ => {}
    }
    let (lists, vertex) = vertex(polygons.data_type());
    match (lists, Coordinates::of(vertex)) {
        (2, Some(coordinates)) => Ok(coordinates),
        (3, Some(_)) => Err(MULTIPLE.to_owned()),
        _ => Err(other(polygons.data_type())),
    }
}

/// How many lists a type is nested in, and the type.
pub(super) fn vertex(mut inner: &DataType) -> (usize, &DataType) {
    let mut lists = 0;
    while let DataType::List(item) | DataType::LargeList(item) = inner {
        (lists, inner) = (lists + 1, item.data_type());
    }
    (lists, inner)
}

/// What is wrong with a type that is not one of polygons.
fn other(found: &DataType) -> String {
    match found {
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View => ENCODED.to_owned(),
        DataType::Struct(columns) => format!(
            "expected polygons, got a table or struct; take one of its columns: {}",
            names(columns)
        ),
        _ => format!("expected a list of rings, each a list of float64 coordinates, got {found}"),
    }
}

fn names(fields: &Fields) -> String {
    let names: Vec<_> = fields.iter().map(|field| field.name().as_str()).collect();
    names.join(", ")
}
