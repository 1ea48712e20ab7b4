//! The steps of all batch functions: read the operands, run one query, return arrays.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::output::{Arrays, Outputs};
use crate::batch::{
    CancelToken, Column, OnInvalid, PairBatch, Query, QueryBatch, QueryOperands, QueryResult,
    Shared, Stop, TileQuery, run,
};
use crate::geom::Point;
use crate::invalid_shape::InvalidShape;
use crate::python::buffer::{Claims, Plain};
use crate::python::input::batch_operand::{Operand, vectors};
use crate::python::input::broadcasting::{Named, broadcast, no_broadcast};
use crate::python::input::expected_argument::{Argument, ItemShape};
use crate::python::input::keywords::{self, Keywords};
use crate::python::input::pairs_argument::PairIndices;
use crate::python::input::rings_taken_for_rows::warn_of_rings;
use crate::python::input::turn_arguments::{NAMES, TurnOperands};
use crate::python::input::velocity_arguments::VelocityOperands;
use crate::python::{crs, input::errors, interruptible, readers::shape_input};
use crate::shape::Shape;

/// The advice for operands of different lengths.
const UNEQUAL: &str =
    "colliding_pairs(a, b) finds the pairs of rows that meet, and pairs=(i, j) chooses rows";

const STEPS: &str = "a row has one velocity: first_contact takes motions of several steps, as poses \
                     and obstacle_poses";

/// Answers the rows of a batch on so many threads. Boxed, so that what runs it is compiled once for all queries.
type Job = Box<dyn FnMut(usize, &CancelToken) -> Result<(), Stop> + Send>;

fn run_job(job: &mut Job, threads: usize, control: &CancelToken) -> Result<(), Stop> {
    job(threads, control)
}

type CircleOperands = (Operand<Shared<Point>>, Operand<Shared<f64>>);

/// A batch call: its keywords and the array memory that it uses.
pub(crate) struct Batch<'py> {
    pub(crate) py: Python<'py>,
    pub(crate) keywords: Keywords<'py>,
    /// Positions of the wanted fields, in field order.
    pub(crate) fields: Vec<usize>,
    /// How many threads; all cores if `None`.
    pub(crate) threads: Option<usize>,
    pub(crate) check: bool,
    pub(crate) on_invalid: OnInvalid,
    pub(crate) claims: Claims,
    /// How the shapes move, if they do.
    velocity: Option<VelocityOperands>,
}

impl<'py> Batch<'py> {
    /// Reads the keywords of the batch function `name`, whose answers are `R`s.
    pub(crate) fn new<R: QueryResult>(
        py: Python<'py>,
        name: &str,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let keywords = Keywords::of(name, keywords)?;
        Ok(Self {
            py,
            fields: match keywords.get("fields") {
                Some(wanted) => keywords::wanted(&wanted, R::FIELDS)?,
                None => (0..R::FIELDS.len()).collect(),
            },
            threads: keywords.threads()?,
            check: keywords.boolean("check", true)?,
            on_invalid: keywords.on_invalid()?,
            keywords,
            claims: Claims::default(),
            velocity: None,
        })
    }

    /// Reads the velocities of a query about shapes that move.
    pub(crate) fn moving(mut self, velocity: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let velocity =
            VelocityOperands::read(velocity, &self.keywords, self.on_invalid, &mut self.claims)?;
        self.velocity = Some(velocity);
        Ok(self)
    }

    /// Runs a query on two polygons per row.
    pub(crate) fn polygons<Q: TileQuery<2>>(
        mut self,
        objects: [&Bound<'py, PyAny>; 2],
        query: Q,
    ) -> PyResult<Arrays> {
        let (operands, shape) = self.pairs(objects)?;
        self.answer(QueryBatch { query, operands }, &shape)
    }

    /// Runs a query without a kernel for tiles on two shapes per row, each of which `check` may refuse, and returns its
    /// only field.
    pub(crate) fn one_by_one<A: QueryResult>(
        mut self,
        objects: [&Bound<'py, PyAny>; 2],
        check: impl Fn(&Shape<'_>) -> Result<(), InvalidShape> + Send + Sync + 'static,
        query: impl Fn(&Shape<'_>, &Shape<'_>) -> A + Send + Sync + 'static,
    ) -> PyResult<Option<Py<PyAny>>> {
        let (operands, shape) = self.pairs(objects)?;
        let query = PairBatch {
            check,
            query,
            operands,
        };
        let arrays = self.answer(query, &shape)?;
        Ok(arrays.fields.into_iter().next().flatten())
    }

    /// The operands of a query on two polygons per row, and the shape of its rows.
    pub(crate) fn pairs(
        &mut self,
        objects: [&Bound<'py, PyAny>; 2],
    ) -> PyResult<(QueryOperands<2>, Vec<usize>)> {
        let [a, b] = objects;
        let a = shape_input::shapes("a", a, self.on_invalid, &mut self.claims)?;
        // A reader can be read once.
        let b = if objects[0].is(objects[1]) {
            a.clone().called("b")
        } else {
            shape_input::shapes("b", b, self.on_invalid, &mut self.claims)?
        };
        crs::refuse_different(self.py, ["a", "b"], [a.column(), b.column()])?;
        self.rows([a, b], objects, None)
    }

    /// Runs a query on a circle and a polygon per row.
    pub(crate) fn circles<Q: TileQuery<1>>(
        mut self,
        [center, radius]: [&Bound<'py, PyAny>; 2],
        polygon: &Bound<'py, PyAny>,
        query: Q,
    ) -> PyResult<Arrays> {
        let center = self.numbers("center", ItemShape::Vector(2), center)?;
        let radius = self.numbers("radius", ItemShape::Number, radius)?;
        let read = shape_input::shapes("polygon", polygon, self.on_invalid, &mut self.claims)?;
        let circle = Some((center, radius));
        let (operands, shape) = self.rows([read], [polygon], circle)?;
        self.answer(QueryBatch { query, operands }, &shape)
    }

    fn numbers<T: Plain<Element = f64>>(
        &mut self,
        name: &'static str,
        layout: ItemShape,
        object: &Bound<'py, PyAny>,
    ) -> PyResult<Operand<Shared<T>>> {
        let argument = Argument::many(name, layout).on_invalid(self.on_invalid);
        vectors(argument, object, &mut self.claims)
    }

    /// The numbers of a keyword, if it was given.
    fn keyword<T: Plain<Element = f64>>(
        &mut self,
        key: &'static str,
        layout: ItemShape,
    ) -> PyResult<Option<Operand<Shared<T>>>> {
        let given = self.keywords.get(key);
        given.map(|it| self.numbers(key, layout, &it)).transpose()
    }

    /// The operands of a query on rows, which broadcast or are picked by `pairs`: its first half picks
    /// circles, or else polygons of the first operand. And the shape of the rows.
    fn rows<const RINGS: usize>(
        &mut self,
        polygons: [Operand<Arc<Column>>; RINGS],
        objects: [&Bound<'py, PyAny>; RINGS],
        circle: Option<CircleOperands>,
    ) -> PyResult<(QueryOperands<RINGS>, Vec<usize>)> {
        let velocity = match self.velocity.take() {
            Some(velocity) => Some(velocity),
            None => self
                .keyword("direction", ItemShape::Vector(2))?
                .map(VelocityOperands::Relative),
        };
        let margin = self.keyword("margin", ItemShape::Number)?;
        let [turn_a, turn_b] = NAMES.map(|names| {
            TurnOperands::read(names, &self.keywords, self.on_invalid, &mut self.claims)
        });
        let turns = [turn_a?, turn_b?];
        let picks = match self.keywords.get("pairs") {
            Some(given) => Some(PairIndices::read(&given, &mut self.claims)?),
            None => None,
        };
        let first = match &circle {
            Some((center, radius)) => vec![center.named(), radius.named()],
            None => vec![polygons[0].named()],
        };
        let sides = [&first[..], &[polygons[RINGS - 1].named()]];
        let velocities = velocity.iter().flat_map(VelocityOperands::named);
        let turned = turns.iter().flatten().flat_map(TurnOperands::named);
        let margins = margin.iter().map(Operand::named);
        let extra: Vec<_> = velocities.clone().chain(margins).chain(turned).collect();
        let axes = polygons.iter().map(|it| it.named().1.len()).max();
        let has_steps = velocities.map(|it| it.1.len()).max() > axes.max(Some(1));
        let mut ringed = Vec::new();
        for (polygon, object) in polygons.iter().zip(objects) {
            if polygon.has_rings(object)? {
                ringed.push(polygon.named().0);
            }
        }
        let shape = answer_shape(picks.as_ref(), sides, &extra).map_err(|why| match picks {
            _ if has_steps => errors::advised(self.py, why, STEPS),
            None if ringed.is_empty() && are_unequal(sides) => {
                errors::advised(self.py, why, UNEQUAL)
            }
            None => ringed.iter().fold(why, |why, name| {
                let advice = format!(
                    "{name} looks like the rings of one polygon: a polygon with holes in a batch is a \
                     list in a list: [[shell, hole]]"
                );
                errors::advised(self.py, why, &advice)
            }),
            Some(_) => why,
        })?;
        if let Some(name) = ringed.first() {
            warn_of_rings(self.py, name)?;
        }
        let [i, j] = [0, 1].map(|half| picks.as_ref().map(|picks| &picks[half]));
        let mut halves = [i, j].into_iter().skip(2 - RINGS);
        let len = shape.iter().product();
        let operands = QueryOperands {
            polygons: polygons.map(|it| it.source(&shape, halves.next().flatten())),
            circle: circle
                .map(|(center, radius)| (center.source(&shape, i), radius.source(&shape, i))),
            velocity: velocity.map(|it| it.rows(&shape)).transpose()?,
            margin: margin.map(|margin| margin.source(&shape, None)),
            turns: turns.map(|side| side.map(|it| it.rows(&shape))),
            len,
            check: self.check,
        };
        Ok((operands, shape))
    }

    /// Runs a query whose rows have this shape.
    pub(crate) fn answer<Q>(mut self, mut query: Q, shape: &[usize]) -> PyResult<Arrays>
    where
        Q: Query + Send,
    {
        let (outputs, mut memory) = Outputs::new(
            self.py,
            Q::Answer::FIELDS,
            shape,
            self.keywords.get("out").as_ref(),
            &self.fields,
            self.on_invalid,
            &mut self.claims,
        )?;
        let longest = if query.is_slow() {
            usize::MAX
        } else {
            query.longest()
        };
        let rows = query.rows();
        let (py, on_invalid) = (self.py, self.on_invalid);
        let job: Job = Box::new(move |threads, control| {
            query.prepare();
            run(&query, memory.table(), on_invalid, threads, control)
        });
        if Q::SEARCHES {
            let work = interruptible::work(rows, longest);
            interruptible::run(py, job, work, self.threads, run_job)
        } else {
            interruptible::run_rows(py, job, [rows, longest], self.threads, run_job)
        }??;
        outputs.finish()
    }
}

/// Whether two operands have rows along one axis, of different lengths, neither of them 1.
fn are_unequal(sides: [&[Named<'_>]; 2]) -> bool {
    let [[(_, a)], [(_, b)]] = sides else {
        return false;
    };
    matches!((*a, *b), (&[n], &[m]) if n != m && n != 1 && m != 1)
}

/// The shape of the answer: one row per pair, or what the sides broadcast to; the extra operands
/// broadcast with either.
fn answer_shape(
    picks: Option<&[PairIndices; 2]>,
    sides: [&[Named<'_>]; 2],
    extra: &[Named<'_>],
) -> PyResult<Vec<usize>> {
    let Some(picks) = picks else {
        return broadcast(&[&sides.concat(), extra].concat());
    };
    for (half, side) in picks.iter().zip(sides) {
        half.check(side)?;
    }
    let pairs = vec![picks[0].len()];
    let all = [extra, &[("pairs", &pairs[..])]].concat();
    // The answer has one row per pair; the extra operands must not add any.
    match broadcast(&all)? {
        shape if shape == pairs => Ok(pairs),
        _ => Err(no_broadcast(&all)),
    }
}
