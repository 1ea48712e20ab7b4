//! How an argument is named in messages, what shape it must have, and the errors about it.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyString};

use super::errors::{self, tuple};
use super::input_error::{self, Place};
use crate::batch::{ArgumentRow, OnInvalid};

/// The last axes of an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemShape {
    /// Vertices of a polygon or of one of its rings, `(V, 2)`.
    Ring,
    /// Points that are not a polygon; messages use this letter for their number.
    Points(&'static str),
    /// Two points each, `(N, 2, 2)`.
    Segments,
    /// A vector with this many components.
    Vector(usize),
    Number,
    /// Numbers whose shape is checked by the caller.
    Any,
}

impl ItemShape {
    pub(crate) fn axes(self) -> usize {
        match self {
            Self::Ring | Self::Points(_) | Self::Segments => 2,
            Self::Vector(_) => 1,
            Self::Number | Self::Any => 0,
        }
    }

    pub(crate) fn fits(self, shape: &[usize]) -> bool {
        match self {
            Self::Ring | Self::Points(_) => shape.len() >= 2 && shape.ends_with(&[2]),
            Self::Segments => matches!(shape, [_, 2, 2]),
            Self::Vector(length) => shape.ends_with(&[length]),
            Self::Number | Self::Any => true,
        }
    }

    fn expected(self, batch: bool) -> String {
        match self {
            Self::Ring if batch => "(..., V, 2)".to_owned(),
            Self::Ring => "(V, 2)".to_owned(),
            Self::Points(count) if batch => format!("(..., {count}, 2)"),
            Self::Points(count) => format!("({count}, 2)"),
            Self::Segments => "(N, 2, 2)".to_owned(),
            Self::Vector(length) if batch => format!("(..., {length})"),
            Self::Vector(length) => format!("({length},)"),
            Self::Number if batch => "a number or an array of numbers".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::Any => "an array of numbers".to_owned(),
        }
    }
}

/// Why an object is not an array of numbers of the expected shape.
pub(crate) enum NotNumbers {
    /// It has this type or dtype.
    Type(String),
    /// It has this type or dtype, and may be a shape in a format that this advice says how to read.
    Encoded(String, &'static str),
    Column,
    /// It is a Shapely geometry of this type, or holds one.
    Geometry(String),
    /// It has this shape and number of axes.
    Shape(String, usize),
    /// In an array of this shape the element at this flat position has this wrong type.
    Element(Vec<usize>, usize, String),
    /// In an array of this shape the element at this flat position has no exact float64.
    Loss(Vec<usize>, usize, String),
    Raised(PyErr),
}

impl From<PyErr> for NotNumbers {
    fn from(why: PyErr) -> Self {
        Self::Raised(why)
    }
}

/// How messages name an argument, and how it is read.
#[derive(Clone, Copy)]
pub(crate) struct Argument {
    pub name: &'static str,
    pub layout: ItemShape,
    /// Whether it may have leading dimensions.
    pub batch: bool,
    /// The row of a list that is being read.
    pub row: Option<usize>,
    /// The ring of a polygon that is being read.
    pub ring: Option<usize>,
    /// Whether a masked number, or one that no float64 holds, is refused or becomes NaN, which makes
    /// its row invalid.
    pub on_invalid: OnInvalid,
    /// Advice for several items where one is expected; empty if there is none.
    pub several: &'static str,
}

/// The advice of the functions that have a `_batch` twin.
pub(crate) const TWIN: &str = "for many at once call the function's `_batch` twin";

impl Argument {
    /// An argument that is a single item.
    pub(crate) const fn one(name: &'static str, layout: ItemShape) -> Self {
        Self {
            name,
            layout,
            batch: false,
            row: None,
            ring: None,
            on_invalid: OnInvalid::Raise,
            several: "",
        }
    }

    /// An argument of a function with a `_batch` twin.
    pub(crate) const fn twin(name: &'static str, layout: ItemShape) -> Self {
        Self::one(name, layout).advising(TWIN)
    }

    /// An argument with any leading dimensions.
    pub(crate) const fn many(name: &'static str, layout: ItemShape) -> Self {
        Self {
            batch: true,
            ..Self::one(name, layout)
        }
    }

    /// This argument with a rule for numbers that can't be read.
    pub(crate) const fn on_invalid(self, on_invalid: OnInvalid) -> Self {
        Self { on_invalid, ..self }
    }

    /// This argument with advice about several.
    pub(crate) const fn advising(self, several: &'static str) -> Self {
        Self { several, ..self }
    }

    /// Row `row` of this argument.
    pub(crate) const fn at(self, row: usize) -> Self {
        Self {
            row: Some(row),
            batch: false,
            ..self
        }
    }

    /// Refuses an array of the wrong shape.
    pub(crate) fn check_shape(&self, shape: &[usize]) -> Result<(), NotNumbers> {
        let fits = self.layout.fits(shape);
        if fits && (self.batch || shape.len() == self.layout.axes()) {
            return Ok(());
        }
        let axes = if fits { shape.len() } else { 0 };
        Err(NotNumbers::Shape(tuple(shape), axes))
    }

    /// The error for an object that is not such an array.
    pub(crate) fn refusal(&self, why: NotNumbers) -> PyErr {
        match why {
            NotNumbers::Raised(why) => why,
            NotNumbers::Type(found) => self.wrong_type(&found),
            NotNumbers::Encoded(found, reader) => match self.layout {
                ItemShape::Ring => self.wrong_type(&with_advice(&found, &[reader])),
                _ => self.wrong_type(&found),
            },
            NotNumbers::Column => self.column(),
            NotNumbers::Geometry(found) => self.geometry(&found),
            NotNumbers::Shape(found, axes) => self.wrong_shape(&found, axes),
            NotNumbers::Element(shape, flat, found) => {
                let (at, element) = self.element(&shape, flat);
                let what = format!("{element}has a {found}, expected a number");
                input_error::type_error(at, what)
            }
            NotNumbers::Loss(shape, flat, what) => {
                let (at, element) = self.element(&shape, flat);
                input_error::value_error(at, format!("{element}{what}"))
            }
        }
    }

    /// The error for several geometries where one polygon is expected.
    pub(crate) fn several_geometries(&self, count: usize) -> PyErr {
        let several = if self.row.is_none() { self.several } else { "" };
        let found = match count {
            1 => with_advice("a sequence of one geometry", &["take it out of that"]),
            _ => with_advice("several geometries", &[several]),
        };
        input_error::type_error(
            self.place(),
            format!("{}expected one shape, got {found}", self.of_ring()),
        )
    }

    /// The error for a missing shape where one is needed.
    pub(crate) fn missing(&self, found: &str) -> PyErr {
        let twin = match self.several {
            TWIN => ", or call the function's `_batch` twin, whose rows may be missing",
            _ => "",
        };
        let what = format!("the shape is missing ({found}); test for that first{twin}");
        match found {
            "None" => input_error::type_error(self.place(), what),
            _ => input_error::value_error(self.place(), what),
        }
    }

    fn wrong_type(&self, found: &str) -> PyErr {
        let array = match self.layout {
            ItemShape::Number | ItemShape::Any => "",
            _ => "an array of numbers of shape ",
        };
        input_error::type_error(
            self.place(),
            format!(
                "{}expected {array}{}, got {found}",
                self.of_ring(),
                self.expected()
            ),
        )
    }

    /// The error for a column of polygons where one polygon or numbers are expected.
    fn column(&self) -> PyErr {
        let is_one = !self.batch && matches!(self.layout, ItemShape::Ring | ItemShape::Points("V"));
        let row = if is_one { "take a row of it" } else { "" };
        self.wrong_type(&with_advice("a column", &[row, self.several]))
    }

    /// The error for a Shapely geometry, with advice where points are expected.
    fn geometry(&self, found: &str) -> PyErr {
        let frame = if found == "GeoDataFrame" {
            ".geometry"
        } else {
            ""
        };
        let coordinates = format!("shapely.get_coordinates({}{frame})", self.name);
        let advice = match self.layout {
            ItemShape::Points("N") if self.name == "xy" => {
                "Shapes(xy) makes rows of geometries".to_owned()
            }
            ItemShape::Vector(2) if !self.batch => format!("{coordinates}[0] has its coordinates"),
            ItemShape::Vector(2) => {
                format!(
                    "{coordinates} makes an array of shape (N, 2), without rows for empty points"
                )
            }
            ItemShape::Points(_) => format!("{coordinates} makes an array of shape (N, 2)"),
            _ => String::new(),
        };
        self.wrong_type(&with_advice(found, &[&advice]))
    }

    /// The error for another shape than expected, with advice if it has more axes than one item.
    fn wrong_shape(&self, found: &str, axes: usize) -> PyErr {
        let is_several = axes > self.layout.axes();
        let is_ring = self.layout == ItemShape::Ring;
        let is_pose = self.layout == ItemShape::Vector(3);
        let is_table = found.ends_with(", 4)") && found.matches(',').count() == 1;
        let rectangle = format!("shapely.box(*{}) makes a rectangle of bounds", self.place());
        let transposed = format!("numpy.transpose({})", self.name);
        let rectangles = format!("shapely.box(*{transposed}) makes rectangles of bounds");
        let advice = [
            (
                is_several && is_ring && self.ring.is_none() && axes == 3,
                "a polygon with holes is a list of rings, like list(array)",
            ),
            (
                is_pose && found == "(0,)",
                "if there are none, numpy.empty((0, T, 3))",
            ),
            (is_pose && found != "(0,)", "a pose is x, y, heading"),
            (
                self.row.is_some() && found == "(0,)",
                "a missing shape is None or []",
            ),
            (
                self.row.is_some() && is_ring && found == "the number nan",
                "a missing row is None; pandas marks it with NaN",
            ),
            (is_ring && found == "(4,)", &rectangle),
            (
                is_ring && found == "(2,)",
                "a point is a row of Shapes.from_points, or a Point of Shapely",
            ),
            (is_ring && is_table, &rectangles),
            (is_several && self.row.is_none(), self.several),
        ];
        let advice = advice.map(|(applies, it)| if applies { it } else { "" });
        let shape = match self.layout {
            ItemShape::Number | ItemShape::Any => "",
            _ => "shape ",
        };
        input_error::value_error(
            self.place(),
            format!(
                "{}expected {shape}{}, got {}",
                self.of_ring(),
                self.expected(),
                with_advice(found, &advice)
            ),
        )
    }

    fn expected(&self) -> String {
        let shape = self.layout.expected(self.batch);
        if self.layout == ItemShape::Ring && !self.batch && self.ring.is_none() {
            return format!("{shape}, or a list of such rings");
        }
        shape
    }

    /// The argument, with the row that is being read.
    pub(crate) fn place(&self) -> Place {
        self.place_of(&[], 0)
    }

    fn place_of(&self, leading: &[usize], row: usize) -> Place {
        Place::from(match self.row {
            Some(row) => ArgumentRow::row(self.name, &[row + 1], row),
            None => ArgumentRow::row(self.name, leading, row),
        })
    }

    /// The ring that is being read, for the beginning of a reason; empty if there is none.
    fn of_ring(&self) -> String {
        (self.ring).map_or_else(String::new, |ring| format!("ring {ring}: "))
    }

    /// The row of the element at a flat position of an array of this shape, and the element's name in it for the
    /// beginning of a reason.
    fn element(&self, shape: &[usize], flat: usize) -> (Place, String) {
        let (leading, own) = shape.split_at(shape.len().saturating_sub(self.layout.axes()));
        let size = own.iter().product::<usize>().max(1);
        let place = self.place_of(leading, flat / size);
        match self.layout {
            ItemShape::Ring | ItemShape::Points(_) | ItemShape::Segments => {
                let vertex = flat % size / 2;
                (place, format!("{}vertex {vertex} ", self.of_ring()))
            }
            ItemShape::Vector(_) => (place, format!("component {} ", flat % size)),
            ItemShape::Number | ItemShape::Any => (place.subject(), String::new()),
        }
    }
}

fn with_advice(found: &str, advice: &[&str]) -> String {
    let given = advice.iter().filter(|it| !it.is_empty());
    given.fold(found.to_owned(), |text, it| format!("{text}; {it}"))
}

/// The refusal of an object that is not a number.
pub(crate) fn wrong_type(object: &Bound<'_, PyAny>) -> PyResult<NotNumbers> {
    let (found, module) = (errors::type_name(object), object.get_type().module()?);
    let is_geometry = errors::text(&module).split('.').next() == Some("shapely");
    Ok(match reader(object)? {
        _ if is_geometry => NotNumbers::Geometry(found),
        Some(reader) => NotNumbers::Encoded(found, reader),
        None => NotNumbers::Type(found),
    })
}

pub(crate) const WKT: &str = "shapely.from_wkt reads WKT, and shapely.from_wkb hexadecimal WKB";
pub(crate) const WKB: &str = "shapely.from_wkb reads WKB";
const WKB_IN_BYTEARRAY: &str = "shapely.from_wkb(bytes(...)) reads WKB";
const GEOJSON: &str = "shapely.geometry.shape reads GeoJSON";

/// What makes a geometry of an object that may be one in another form.
pub(crate) fn reader(object: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
    Ok(if object.is_instance_of::<PyString>() {
        Some(WKT)
    } else if object.is_instance_of::<PyBytes>() {
        Some(WKB)
    } else if object.is_instance_of::<PyByteArray>() {
        Some(WKB_IN_BYTEARRAY)
    } else if object.is_instance_of::<PyDict>()
        || object
            .get_type()
            .hasattr(intern!(object.py(), "__geo_interface__"))?
    {
        Some(GEOJSON)
    } else {
        None
    })
}
