//! What all batch functions have in common: read the operands, run one query, return arrays.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::{
    CancelToken, OnInvalid, Query, QueryBatch, QueryResult, RowQuery, Shared, Stop, run,
};
use crate::geom::Vec2;
use crate::python::argument::{Argument, ItemShape, Lossy};
use crate::python::buffer::Claims;
use crate::python::errors;
use crate::python::input;
use crate::python::interruptible;
use crate::python::keywords::Keywords;
use crate::python::operands::{Named, Operand, PairIndices, broadcast, no_broadcast, vectors};
use crate::python::output::{Arrays, OutputMemory, Outputs};

/// A batch call: its keywords and the array memory that it uses.
pub(crate) struct Batch<'py> {
    py: Python<'py>,
    pub(crate) keywords: Keywords<'py>,
    pub(crate) claims: Claims,
}

impl<'py> Batch<'py> {
    /// Reads the keywords of the batch function `name`, whose answers are `R`s.
    pub(crate) fn new<R: QueryResult>(
        py: Python<'py>,
        name: &str,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        Ok(Self {
            py,
            keywords: Keywords::read::<R>(name, keywords)?,
            claims: Claims::default(),
        })
    }

    fn lossy(&self) -> Lossy {
        match self.keywords.on_invalid {
            OnInvalid::Raise => Lossy::Refuse,
            OnInvalid::Mask => Lossy::MakeNan,
        }
    }

    /// Runs a query on two polygons per row.
    pub(crate) fn polygons<N: RowQuery<2>>(
        mut self,
        objects: [&Bound<'py, PyAny>; 2],
        velocity: Option<&Bound<'py, PyAny>>,
        query: N,
    ) -> PyResult<Arrays> {
        input::refuse_different_crs([("a", objects[0]), ("b", objects[1])])?;
        let lossy = self.lossy();
        let a = input::shapes("a", objects[0], lossy, &mut self.claims)?;
        let b = input::shapes("b", objects[1], lossy, &mut self.claims)?;
        let velocity = self.velocity(velocity)?;
        let picks = self.picks()?;
        let extra = velocity.as_ref().map(Operand::named);
        let shape = answer_shape(picks.as_ref(), [&[a.named()], &[b.named()]], extra);
        let shape = shape.map_err(|why| match picks {
            None => b.hint(a.hint(why, objects[0]), objects[1]),
            Some(_) => why,
        })?;
        let [i, j] = halves(picks.as_ref());
        let query = QueryBatch {
            polygons: [a.source(&shape, i), b.source(&shape, j)],
            circle: None,
            velocity: velocity.map(|velocity| velocity.source(&shape, None)),
            len: shape.iter().product(),
            check: self.keywords.check,
            query,
        };
        self.answer(query, &shape)
    }

    /// Runs a query on a circle and a polygon per row.
    pub(crate) fn circles<N: RowQuery<1>>(
        mut self,
        [center, radius]: [&Bound<'py, PyAny>; 2],
        velocity: Option<&Bound<'py, PyAny>>,
        polygon: &Bound<'py, PyAny>,
        query: N,
    ) -> PyResult<Arrays> {
        let lossy = self.lossy();
        let argument = Argument::many("center", ItemShape::Vector(2), lossy);
        let center = vectors(argument, center, &mut self.claims)?;
        let argument = Argument::many("radius", ItemShape::Number, lossy);
        let radius = vectors(argument, radius, &mut self.claims)?;
        let velocity = self.velocity(velocity)?;
        let object = polygon;
        let polygon = input::shapes("polygon", object, lossy, &mut self.claims)?;
        let picks = self.picks()?;
        let circles: &[Named<'_>] = &[center.named(), radius.named()];
        let extra = velocity.as_ref().map(Operand::named);
        let shape = answer_shape(picks.as_ref(), [circles, &[polygon.named()]], extra);
        let shape = shape.map_err(|why| match picks {
            None => polygon.hint(why, object),
            Some(_) => why,
        })?;
        let [i, j] = halves(picks.as_ref());
        let query = QueryBatch {
            polygons: [polygon.source(&shape, j)],
            circle: Some((center.source(&shape, i), radius.source(&shape, i))),
            velocity: velocity.map(|velocity| velocity.source(&shape, None)),
            len: shape.iter().product(),
            check: self.keywords.check,
            query,
        };
        self.answer(query, &shape)
    }

    fn velocity(
        &mut self,
        velocity: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Operand<Shared<Vec2>>>> {
        let argument = Argument::many("velocity", ItemShape::Vector(2), self.lossy());
        velocity
            .map(|velocity| vectors(argument, velocity, &mut self.claims))
            .transpose()
    }

    fn picks(&mut self) -> PyResult<Option<[PairIndices; 2]>> {
        let given = self.keywords.pairs.as_ref();
        given
            .map(|given| PairIndices::read(given, &mut self.claims))
            .transpose()
    }

    /// Runs a query whose rows have this shape.
    pub(crate) fn answer<Q>(mut self, query: Q, shape: &[usize]) -> PyResult<Arrays>
    where
        Q: Query + Send,
    {
        let keywords = &self.keywords;
        let mut outputs = Outputs::new::<Q::Answer>(self.py, shape, keywords, &mut self.claims)?;
        let work = interruptible::work(query.rows(), query.longest());
        let job = Job {
            query,
            memory: outputs.take_memory(),
            on_invalid: keywords.on_invalid,
        };
        interruptible::run(self.py, job, work, keywords.threads, Job::run)?
            .map_err(|stop| errors::stopped(&stop))?;
        outputs.finish()
    }
}

/// All that a batch uses while it runs detached from the interpreter.
struct Job<Q> {
    query: Q,
    memory: OutputMemory,
    on_invalid: OnInvalid,
}

impl<Q: Query> Job<Q> {
    fn run(&mut self, threads: usize, control: &CancelToken) -> Result<(), Stop> {
        let table = self.memory.table();
        run(&self.query, table, self.on_invalid, threads, control)
    }
}

fn halves(picks: Option<&[PairIndices; 2]>) -> [Option<&PairIndices>; 2] {
    [picks.map(|[i, _]| i), picks.map(|[_, j]| j)]
}

/// The shape of the answer: one row per pair, or what the sides broadcast to; the extra operand
/// broadcasts with either.
fn answer_shape(
    picks: Option<&[PairIndices; 2]>,
    sides: [&[Named<'_>]; 2],
    extra: Option<Named<'_>>,
) -> PyResult<Vec<usize>> {
    let Some(picks) = picks else {
        let all: Vec<_> = sides.concat().into_iter().chain(extra).collect();
        return broadcast(&all);
    };
    for (half, side) in picks.iter().zip(sides) {
        half.check(side)?;
    }
    let pairs = vec![picks[0].len()];
    let all: Vec<_> = extra.into_iter().chain([("pairs", &pairs[..])]).collect();
    // The answer has one row per pair; the extra operand must not add any.
    match broadcast(&all)? {
        shape if shape == pairs => Ok(pairs),
        _ => Err(no_broadcast(&all)),
    }
}
