//! How every batch function asks: operands in, one question for all rows, arrays out.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::circles::CircleNoun;
use crate::batch::kernels::PairNoun;
use crate::batch::{
    CircleRows, Control, OnInvalid, PolygonRows, Question, Record, Shared, Stop, run,
};
use crate::geom::Vec2;
use crate::python::buffer::Claims;
use crate::python::call;
use crate::python::errors;
use crate::python::input::{Layout, Lossy};
use crate::python::keywords::Keywords;
use crate::python::operands::{Named, Operand, Picks, Reader, apart, broadcast, pairs};
use crate::python::output::{Arrays, Memories, Outputs};
use crate::python::shapely;

/// A batch call: its name, for messages, and its keywords.
pub(crate) struct Batch<'py> {
    py: Python<'py>,
    pub(crate) keywords: Keywords<'py>,
    pub(crate) claims: Claims,
}

impl<'py> Batch<'py> {
    /// Reads the keywords of the batch function `name`, whose answers are `R`s.
    pub(crate) fn new<R: Record>(
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
    pub(crate) fn polygons<N: PairNoun>(
        mut self,
        [a, b]: [&Bound<'py, PyAny>; 2],
        velocity: Option<&Bound<'py, PyAny>>,
        noun: N,
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
        let question = PolygonRows {
            a: a.source(&shape, i),
            b: b.source(&shape, j),
            velocity: velocity.map(|velocity| velocity.source(&shape, None)),
            len: shape.iter().product(),
            check: self.keywords.check,
            noun,
        };
        self.answer(question, &shape)
    }

    /// Asks about a circle and a polygon per row.
    pub(crate) fn circles<N: CircleNoun>(
        mut self,
        [center, radius]: [&Bound<'py, PyAny>; 2],
        velocity: Option<&Bound<'py, PyAny>>,
        polygon: &Bound<'py, PyAny>,
        noun: N,
    ) -> PyResult<Arrays> {
        let lossy = self.lossy();
        let mut reader = Reader::new(&mut self.claims, lossy);
        let center = reader.items("center", center, Layout::Vector(2))?;
        let radius = reader.items("radius", radius, Layout::Number)?;
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
        let question = CircleRows {
            center: center.source(&shape, i),
            radius: radius.source(&shape, i),
            velocity: velocity.map(|velocity| velocity.source(&shape, None)),
            polygon: polygon.source(&shape, j),
            len: shape.iter().product(),
            check: self.keywords.check,
            noun,
        };
        self.answer(question, &shape)
    }

    fn picks(&mut self) -> PyResult<Option<[Picks; 2]>> {
        let given = self.keywords.pairs.as_ref();
        given
            .map(|given| pairs(given, &mut self.claims))
            .transpose()
    }

    /// Answers a question whose rows have this shape.
    pub(crate) fn answer<Q>(mut self, question: Q, shape: &[usize]) -> PyResult<Arrays>
    where
        Q: Question + Send,
    {
        let keywords = &self.keywords;
        let outputs = Outputs::new::<Q::Answer>(self.py, shape, keywords, &mut self.claims)?;
        let (memories, filled) = outputs.split();
        let work = call::work(question.rows(), question.longest());
        let job = Job {
            question,
            memories,
            on_invalid: keywords.on_invalid,
        };
        call::run(self.py, job, work, keywords.threads, Job::run)?
            .map_err(|stop| errors::stopped(&stop))?;
        filled.finish()
    }
}

/// All that a batch needs to run, wherever it runs.
struct Job<Q> {
    question: Q,
    memories: Memories,
    on_invalid: OnInvalid,
}

impl<Q: Question> Job<Q> {
    fn run(&mut self, threads: usize, control: &Control) -> Result<(), Stop> {
        let table = self.memories.table();
        run(&self.question, table, self.on_invalid, threads, control)
    }
}

type Velocity = Operand<Shared<Vec2>>;

fn read_velocity(
    reader: &mut Reader<'_>,
    velocity: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<Velocity>> {
    velocity
        .map(|velocity| reader.items("velocity", velocity, Layout::Vector(2)))
        .transpose()
}

fn halves(picks: Option<&[Picks; 2]>) -> [Option<&Picks>; 2] {
    [picks.map(|[i, _]| i), picks.map(|[_, j]| j)]
}

/// The shape of the answer: one row per pair, or what the sides broadcast to; the extra operand
/// broadcasts with either.
fn shape(
    picks: Option<&[Picks; 2]>,
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
