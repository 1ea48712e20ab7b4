//! GeoArrow's types: lists of coordinates, nested by the kind of the shapes, boxes, unions, and WKB.

use arrow_schema::{DataType, Field};
use pyo3::PyErr;

use crate::python::input::input_error;
use crate::shape::ShapeKind;

/// The keys of an extension type's name and of its metadata, in a field's metadata.
pub(super) const EXTENSION: &str = "ARROW:extension:name";
pub(super) const EXTENSION_METADATA: &str = "ARROW:extension:metadata";

pub(super) const WKB: &str = "geoarrow.wkb";

const TEXT: &str = "expected coordinates or WKB, got text; shapely.from_wkt reads WKT, and \
                    shapely.from_wkb hexadecimal WKB";

const SIZED: &str = "; a coordinate pair must be a list of fixed size, in pyarrow \
                     pa.list_(pa.float64(), 2), or a struct of x and y";

/// What the shapes of a column are said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stated {
    Kind(ShapeKind),
    Boxes,
    /// Of any kind, in a union.
    Union,
    Wkb,
}

/// How shapes are stored.
#[derive(Clone, Debug)]
pub(super) enum Encoding {
    /// Lists nested as [`lists`] says, of vertices with these coordinates.
    Lists(ShapeKind, Vec<char>),
    /// The least and the greatest x and y.
    Boxes,
    /// A child for each kind and for each set of coordinates.
    Union,
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

/// What an extension name says, or the encoding of a column in GeoParquet; `None` for one of other data.
pub(super) fn stated_by(text: &str) -> Option<Stated> {
    match text.strip_prefix("geoarrow.").unwrap_or(text) {
        "wkb" | "ogc.wkb" | "WKB" => Some(Stated::Wkb),
        "box" => Some(Stated::Boxes),
        "geometry" => Some(Stated::Union),
        kind => {
            let is_named = |it: &ShapeKind| name(*it).strip_prefix("geoarrow.") == Some(kind);
            let kind = ShapeKind::ALL.into_iter().find(is_named);
            kind.map(Stated::Kind)
        }
    }
}

/// What a user says with `kind=`.
pub(crate) fn stated_by_user(text: &str) -> Option<Stated> {
    if text == "box" {
        return Some(Stated::Boxes);
    }
    let kind = ShapeKind::ALL.into_iter().find(|kind| kind.name() == text);
    kind.map(Stated::Kind)
}

fn described(stated: Stated) -> &'static str {
    match stated {
        Stated::Kind(kind) => kind.name(),
        Stated::Boxes => "box",
        Stated::Union => "geoarrow.geometry",
        Stated::Wkb => "WKB",
    }
}

/// Whether a field has the extension name of shapes, or of what shapes may be made of.
pub(super) fn is_named(field: &Field) -> bool {
    let name = field.metadata().get(EXTENSION).map_or("", String::as_str);
    name.starts_with("geoarrow.") || name == "ogc.wkb"
}

/// How the shapes of a field are stored. Besides its name and type, GeoParquet's metadata may state it, and the caller
/// with `kind`.
pub(super) fn encoding(
    argument: &str,
    field: &Field,
    of_file: Option<&str>,
    kind: Option<Stated>,
) -> Result<Encoding, PyErr> {
    let said = Said::of(argument, field, of_file, kind)?;
    match field.data_type() {
        // An array of nulls alone has no type: WKB of missing rows, too.
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::Null => {
            said.of_any_kind(Stated::Wkb, Encoding::Wkb)
        }
        DataType::Union(..) => said.of_any_kind(Stated::Union, Encoding::Union),
        found if is_box(found) => {
            said.fit(Stated::Boxes)?;
            said.refuse_other_kind(Stated::Boxes, "the type is that of a box")?;
            Ok(Encoding::Boxes)
        }
        found => {
            let (names, vertex) = nested(found);
            let Some(coordinates) = coordinates(vertex) else {
                return Err(said.unfit());
            };
            Ok(Encoding::Lists(said.kind_of_lists(&names)?, coordinates))
        }
    }
}

/// What is said about the shapes of a field.
struct Said<'a> {
    argument: &'a str,
    found: &'a DataType,
    /// By the name of the extension type, or by the metadata of the file.
    data: Option<Stated>,
    /// By the caller.
    kind: Option<Stated>,
}

impl<'a> Said<'a> {
    fn of(
        argument: &'a str,
        field: &'a Field,
        of_file: Option<&str>,
        kind: Option<Stated>,
    ) -> Result<Self, PyErr> {
        let (found, extension) = (field.data_type(), field.metadata().get(EXTENSION));
        let extension = extension.map_or("", String::as_str);
        let name = stated_by(extension).filter(|_| is_named(field));
        let file = of_file.and_then(stated_by);
        let said = Self {
            argument,
            found,
            data: name.or(file),
            kind,
        };
        if let DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View = found {
            return Err(said.type_error(TEXT));
        } else if extension.starts_with("geoarrow.") && name.is_none() {
            let what = format!("expected points, lines or polygons, got {extension}");
            return Err(said.type_error(&what));
        } else if file.is_some() && said.data != file {
            let of_file = of_file.unwrap_or_default();
            return Err(said.value_error(&format!(
                "the type is named {extension}, and the file's metadata state the encoding {of_file}"
            )));
        }
        Ok(said)
    }

    fn type_error(&self, what: &str) -> PyErr {
        input_error::type_error(self.argument, what)
    }

    fn value_error(&self, what: &str) -> PyErr {
        input_error::value_error(self.argument, what)
    }

    /// Refuses a name that is not that of the type.
    fn fit(&self, own: Stated) -> Result<(), PyErr> {
        match self.data {
            Some(stated) if stated != own => Err(self.unfit()),
            _ => Ok(()),
        }
    }

    /// The encoding of rows of any kind, which are compared with the asked one when they are read.
    fn of_any_kind(&self, own: Stated, encoding: Encoding) -> Result<Encoding, PyErr> {
        self.fit(own)?;
        if self.kind == Some(Stated::Boxes) {
            let of = described(own);
            return Err(self.value_error(&format!("kind is 'box', but the type is that of {of}")));
        }
        Ok(encoding)
    }

    /// The error for a type that is not one of shapes, or not that of its name.
    fn unfit(&self) -> PyErr {
        let expected = match self.data {
            None => "a list of rings, each a list of float64 coordinates",
            Some(Stated::Kind(kind)) => &format!("the type of {}", name(kind)),
            Some(Stated::Boxes) => "the type of geoarrow.box",
            Some(stated) => &format!("the type of {}", described(stated)),
        };
        self.type_error(&unfit(expected, self.found))
    }

    /// Refuses another kind than the data's, which is described.
    fn refuse_other_kind(&self, own: Stated, what: &str) -> Result<(), PyErr> {
        match self.kind {
            Some(kind) if kind != own => {
                let kind = described(kind);
                Err(self.value_error(&format!("kind is '{kind}', but {what}")))
            }
            _ => Ok(()),
        }
    }

    /// The kind of shapes in lists of these names.
    fn kind_of_lists(&self, names: &[&str]) -> Result<ShapeKind, PyErr> {
        let possible = possible(names.len());
        let told = told_by(names);
        let kind = match (self.data.or(self.kind), &told[..], &possible[..]) {
            // The names of lists are changed by many a writer, that of the type is not.
            (Some(Stated::Kind(kind)), ..) if self.data.is_some() => {
                let what = format!("the type is that of a {}", kind.name());
                self.refuse_other_kind(Stated::Kind(kind), &what)?;
                kind
            }
            (Some(_), ..) if self.data.is_some() => return Err(self.unfit()),
            (_, &[told], _) => {
                let what = format!("the lists are named as those of a {}", told.name());
                self.refuse_other_kind(Stated::Kind(told), &what)?;
                told
            }
            (Some(Stated::Kind(kind)), ..) | (None, _, &[kind]) => kind,
            (Some(kind), ..) => {
                let kind = described(kind);
                let what = format!("kind is '{kind}', but the type is one of coordinates in lists");
                return Err(self.value_error(&what));
            }
            (None, _, &[one, other]) => return Err(self.ambiguous([one, other])),
            (None, ..) => return Err(self.unfit()),
        };
        if lists(kind).len() == names.len() {
            return Ok(kind);
        }
        Err(self.value_error(&format!(
            "expected coordinates in {} lists for a {}, got {}",
            lists(kind).len(),
            kind.name(),
            self.found
        )))
    }

    /// The error for lists without a name, which may be of two kinds.
    fn ambiguous(&self, kinds: [ShapeKind; 2]) -> PyErr {
        let what = match kinds[0] {
            ShapeKind::Path => "one list of coordinates may be paths or several points a row",
            _ => "two nested lists of coordinates may be polygons or several paths a row",
        };
        let (names, extensions) = (kinds.map(ShapeKind::name), kinds.map(name));
        let arguments = (self.argument, what, names, extensions);
        input_error::from_python("carom.interop.arrow", "two_kinds", arguments)
    }
}

/// The kinds whose shapes are coordinates in so many lists, that of the higher dimension first.
fn possible(depth: usize) -> Vec<ShapeKind> {
    let kinds = ShapeKind::ALL.into_iter().rev();
    kinds.filter(|kind| lists(*kind).len() == depth).collect()
}

/// The kinds that the names of lists tell, which may stand in any order.
fn told_by(names: &[&str]) -> Vec<ShapeKind> {
    let has = |name: &str| names.contains(&name);
    let told = |kind: &ShapeKind| match kind {
        ShapeKind::Point => false,
        ShapeKind::MultiPoint => has("points"),
        ShapeKind::Path => has("vertices"),
        ShapeKind::MultiPath => has("linestrings"),
        ShapeKind::Polygon => has("rings"),
        ShapeKind::MultiPolygon => has("rings") || has("polygons"),
    };
    possible(names.len()).into_iter().filter(told).collect()
}

/// The names of the items of the lists that a type is nested in, the outermost first, and the type inside.
pub(super) fn nested(mut inner: &DataType) -> (Vec<&str>, &DataType) {
    let mut names = Vec::new();
    while let DataType::List(item) | DataType::LargeList(item) = inner {
        names.push(item.name().as_str());
        inner = item.data_type();
    }
    (names, inner)
}

/// The coordinates of a vertex of a type, in order; `None` if the type is not one of coordinates.
pub(super) fn coordinates(vertex: &DataType) -> Option<Vec<char>> {
    let is_float =
        |field: &Field| matches!(field.data_type(), DataType::Float64 | DataType::Float32);
    match vertex {
        DataType::FixedSizeList(item, width) if is_float(item) => {
            let width = usize::try_from(*width).ok()?;
            let named = item.name().as_str();
            let mut known = [named, "xy", "xyz", "xyzm"].into_iter();
            let names = known.find(|it| it.starts_with("xy") && it.len() == width)?;
            Some(names.chars().collect())
        }
        DataType::Struct(fields) if fields.iter().all(|field| is_float(field)) => {
            let names: Option<Vec<char>> = fields
                .iter()
                .map(|field| match field.name().as_str() {
                    "x" => Some('x'),
                    "y" => Some('y'),
                    "z" => Some('z'),
                    "m" => Some('m'),
                    _ => None,
                })
                .collect();
            names.filter(|names| ['x', 'y'].iter().all(|it| names.contains(it)))
        }
        _ => None,
    }
}

/// The names of the sides of boxes, without and with Z.
pub(super) const SIDES: [&str; 4] = ["xmin", "ymin", "xmax", "ymax"];

pub(super) fn is_box(found: &DataType) -> bool {
    let DataType::Struct(fields) = found else {
        return false;
    };
    let is_float =
        |field: &Field| matches!(field.data_type(), DataType::Float64 | DataType::Float32);
    let is_side = |field: &Field| {
        let name = field.name().as_str();
        is_float(field)
            && (SIDES.contains(&name) || ["zmin", "zmax", "mmin", "mmax"].contains(&name))
    };
    fields.iter().all(|field| is_side(field))
        && SIDES.iter().all(|side| fields.find(side).is_some())
}

/// What is wrong with a type that is not one of shapes, or not that of its name.
fn unfit(expected: &str, found: &DataType) -> String {
    let advice = match nested(found) {
        (names, DataType::Float64 | DataType::Float32) if !names.is_empty() => SIZED,
        _ => "",
    };
    format!("expected {expected}, got {found}{advice}")
}
