//! GeoArrow's type of polygons: lists of rings, which are lists of coordinates.

use arrow_schema::{DataType, Field, Fields};

/// The key of an extension type's name in a field's metadata.
pub(super) const EXTENSION: &str = "ARROW:extension:name";

const ENCODED: &str = "expected coordinates, got WKB or WKT; GeoPandas exports coordinates with \
                       to_arrow(geometry_encoding=\"geoarrow\")";

const MULTIPLE: &str = "expected polygons, got multipolygons; take them apart first, with \
                        explode() in GeoPandas";

const SIZED: &str = "; a coordinate pair must be a list of fixed size, in pyarrow \
                     pa.list_(pa.float64(), 2), or a struct of x and y";

/// How many dimensions the coordinates of polygons have, or what is wrong with their type.
pub(super) fn dimensions(polygons: &Field) -> Result<usize, String> {
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
    match (lists, width(vertex)) {
        (2, Some(width)) => Ok(width),
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

/// How many numbers a vertex of a type has; `None` if the type is not one of coordinates.
fn width(vertex: &DataType) -> Option<usize> {
    let is_float =
        |field: &Field| matches!(field.data_type(), DataType::Float64 | DataType::Float32);
    match vertex {
        DataType::FixedSizeList(item, width) if is_float(item) => {
            usize::try_from(*width).ok().filter(|&width| width >= 2)
        }
        DataType::Struct(fields) if fields.iter().all(|field| is_float(field)) => {
            (fields.find("x").is_some() && fields.find("y").is_some()).then_some(fields.len())
        }
        _ => None,
    }
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
        _ => {
            let advice = match vertex(found) {
                (2.., DataType::Float64 | DataType::Float32) => SIZED,
                _ => "",
            };
            format!(
                "expected a list of rings, each a list of float64 coordinates, got {found}{advice}"
            )
        }
    }
}

fn names(fields: &Fields) -> String {
    let names: Vec<_> = fields.iter().map(|field| field.name().as_str()).collect();
    names.join(", ")
}
