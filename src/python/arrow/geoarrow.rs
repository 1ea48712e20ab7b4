//! GeoArrow's types: lists of coordinates, nested by the kind of the shapes, and WKB.

use arrow_schema::{DataType, Field, Fields};

use crate::shape::ShapeKind;

/// The key of an extension type's name in a field's metadata.
pub(super) const EXTENSION: &str = "ARROW:extension:name";

pub(super) const WKB: &str = "geoarrow.wkb";

const TEXT: &str = "expected coordinates or WKB, got text; shapely.from_wkt reads WKT, and \
                    shapely.from_wkb hexadecimal WKB";

const MIXED: &str = "; arrays of several kinds, and others that Shapely reads, come as WKB";

const UNNAMED: &str = "; without an extension name the type is ambiguous: name it \
                       geoarrow.multipoint or geoarrow.linestring";

const SIZED: &str = "; a coordinate pair must be a list of fixed size, in pyarrow \
                     pa.list_(pa.float64(), 2), or a struct of x and y";

/// How shapes are stored.
#[derive(Clone, Copy)]
pub(super) enum Encoding {
    /// Lists of coordinates of so many dimensions, nested as [`lists`] says.
    Lists(ShapeKind, usize),
    Wkb,
}

/// The name of the extension type of shapes of a kind.
pub(super) fn name(kind: ShapeKind) -> &'static str {
    match kind {
        ShapeKind::Point => "geoarrow.point",
        ShapeKind::MultiPoint => "geoarrow.multipoint",
        ShapeKind::Path => "geoarrow.linestring",
        ShapeKind::MultiPath => "geoarrow.multilinestring",
        ShapeKind::Polygon => "geoarrow.polygon",
        ShapeKind::MultiPolygon => "geoarrow.multipolygon",
    }
}

/// What the items of each list of such a shape are, the outermost first.
pub(super) fn lists(kind: ShapeKind) -> &'static [&'static str] {
    match kind {
        ShapeKind::Point => &[],
        ShapeKind::MultiPoint => &["part"],
        ShapeKind::Path => &["vertex"],
        ShapeKind::MultiPath => &["part", "vertex"],
        ShapeKind::Polygon => &["ring", "vertex"],
        ShapeKind::MultiPolygon => &["part", "ring", "vertex"],
    }
}

/// How the shapes of a type are stored, or what is wrong with the type.
pub(super) fn encoding(shapes: &Field) -> Result<Encoding, String> {
    let found = shapes.data_type();
    let is_wkb = matches!(
        found,
        // An array of nulls alone has no type: WKB of missing rows, too.
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::Null
    );
    let extension = shapes.metadata().get(EXTENSION).map_or("", String::as_str);
    let named = (ShapeKind::ALL.into_iter()).find(|&kind| extension == name(kind));
    match extension {
        WKB | "ogc.wkb" if !is_wkb => return Err(format!("expected binary data, got {found}")),
        "geoarrow.wkt" => return Err(TEXT.to_owned()),
        _ if extension.starts_with("geoarrow.") && extension != WKB && named.is_none() => {
            return Err(format!(
                "expected points, lines or polygons, got {extension}{MIXED}"
            ));
        }
        _ if is_wkb && named.is_none() => return Ok(Encoding::Wkb),
        _ => {}
    }
    let (depth, vertex) = vertex(found);
    let kind = match (named, depth) {
        (Some(kind), _) if lists(kind).len() == depth => kind,
        (Some(kind), _) => {
            let expected = lists(kind).len();
            return Err(format!(
                "expected coordinates in {expected} lists for {}, got {found}",
                name(kind)
            ));
        }
        // A name that GeoArrow gives the items of other lists.
        (None, 2) if item_name(found) == "linestrings" => ShapeKind::MultiPath,
        (None, 1) if item_name(found) == "points" => ShapeKind::MultiPoint,
        (None, 1) if item_name(found) == "vertices" => ShapeKind::Path,
        (None, 2) => ShapeKind::Polygon,
        (None, 3) => ShapeKind::MultiPolygon,
        // No other kind has coordinates in no list.
        (None, 0) if width(vertex).is_some() => ShapeKind::Point,
        (None, 1) if width(vertex).is_some() => {
            return Err(format!("expected shapes, got {found}{UNNAMED}"));
        }
        _ => return Err(other(found)),
    };
    let width = width(vertex).ok_or_else(|| other(found))?;
    Ok(Encoding::Lists(kind, width))
}

/// The name of the items of a list; empty for other types.
fn item_name(found: &DataType) -> &str {
    match found {
        DataType::List(item) | DataType::LargeList(item) => item.name(),
        _ => "",
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

/// What is wrong with a type that is not one of shapes.
fn other(found: &DataType) -> String {
    match found {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => TEXT.to_owned(),
        DataType::Struct(columns) => format!(
            "expected shapes, got a table or struct; take one of its columns: {}",
            names(columns)
        ),
        _ => {
            let advice = match vertex(found) {
                (1.., DataType::Float64 | DataType::Float32) => SIZED,
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
