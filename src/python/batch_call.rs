//! How every batch function asks: operands in, one query for all rows, arrays out.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::{
    CancelToken, OnInvalid, Query, QueryBatch, QueryResult, RowQuery, Shared, Stop, run,
};
use crate::geom::Vec2;
use crate::python::buffer::Claims;
use crate::python::errors;
use crate::python::input::{ItemShape, Lossy};
use crate::python::interruptible;
use crate::python::keywords::Keywords;
use crate::python::operands::{Named, Operand, PairIndices, Reader, apart, broadcast, pairs};
use crate::python::output::{Arrays, OutputMemory, Outputs};
use crate::python::shapely;

/// A batch call: its name, for messages, and its keywords.
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

    /// Asks about two polygons per row.
    pub(crate) fn polygons<N: RowQuery<2>>(
        mut self,
        [a, b]: [&Bound<'py, PyAny>; 2],
        velocity: Option<&Bound<'py, PyAny>>,
        query: N,
    ) -> PyResult<Arrays> {
        shapely::refuse_different_crs([("a", a), ("b", b)])?;
        let lossy = self.lossy();
        let mut reader = Reader::new(&mut self.claims, lossy);
        let a = reader.polygons("a", a)?;
        let b = reader.polygons("b", b)?;
        let velocity = read_velocity(&mut reader, velocity)?;
        let extra = velocity.as_ref().map(Operand::named);
        let picks = self.picks()?;
        let shape = shape(picks.as_ref(), [&[a.named()], &[b.named()]], extra).map_err(|why| {
            if picks.is_none() {
                b.hint(a.hint(why, self.py), self.py)
            } else {
                why
            }
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

    /// Asks about a circle and a polygon per row.
    pub(crate) fn circles<N: RowQuery<1>>(
        mut self,
        [center, radius]: [&Bound<'py, PyAny>; 2],
        velocity: Option<&Bound<'py, PyAny>>,
        polygon: &Bound<'py, PyAny>,
        query: N,
    ) -> PyResult<Arrays> {
        let lossy = self.lossy();
        let mut reader = Reader::new(&mut self.claims, lossy);
        let center = reader.items("center", center, ItemShape::Vector(2))?;
        let radius = reader.items("radius", radius, ItemShape::Number)?;
        let velocity = read_velocity(&mut reader, velocity)?;
        let polygon = reader.polygons("polygon", polygon)?;
        let extra = velocity.as_ref().map(Operand::named);
        let picks = self.picks()?;
        let circles: &[Named<'_>] = &[center.named(), radius.named()];
        let shape = shape(picks.as_ref(), [circles, &[polygon.named()]], extra).map_err(|why| {
            if picks.is_none() {
                polygon.hint(why, self.py)
            } else {
                why
            }
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

    fn picks(&mut self) -> PyResult<Option<[PairIndices; 2]>> {
        let given = self.keywords.pairs.as_ref();
        given
            .map(|given| pairs(given, &mut self.claims))
            .transpose()
    }

    /// Answers a query whose rows have this shape.
    pub(crate) fn answer<Q>(mut self, query: Q, shape: &[usize]) -> PyResult<Arrays>
    where
        Q: Query + Send,
    {
        let keywords = &self.keywords;
        let outputs = Outputs::new::<Q::Answer>(self.py, shape, keywords, &mut self.claims)?;
        let (memories, filled) = outputs.split();
        let work = interruptible::work(query.rows(), query.longest());
        let job = Job {
            query,
            memories,
            on_invalid: keywords.on_invalid,
        };
        interruptible::run(self.py, job, work, keywords.threads, Job::run)?
            .map_err(|stop| errors::stopped(&stop))?;
        filled.finish()
    }
}

/// All that a batch needs to run, wherever it runs.
struct Job<Q> {
    query: Q,
    memories: OutputMemory,
    on_invalid: OnInvalid,
}

impl<Q: Query> Job<Q> {
    fn run(&mut self, threads: usize, control: &CancelToken) -> Result<(), Stop> {
        let table = self.memories.table();
        run(&self.query, table, self.on_invalid, threads, control)
    }
}

type Velocity = Operand<Shared<Vec2>>;

fn read_velocity(
    reader: &mut Reader<'_>,
    velocity: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<Velocity>> {
    velocity
        .map(|velocity| reader.items("velocity", velocity, ItemShape::Vector(2)))
        .transpose()
}

fn halves(picks: Option<&[PairIndices; 2]>) -> [Option<&PairIndices>; 2] {
    [picks.map(|[i, _]| i), picks.map(|[_, j]| j)]
}

/// The shape of the answer: one row per pair, or what the sides broadcast to; the extra operand
/// broadcasts with either.
fn shape(
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
    // With pairs the answer has one row each, whatever the velocity could make of it.
    match broadcast(&all)? {
        shape if shape == pairs => Ok(pairs),
        _ => Err(apart(&all)),
    }
}
