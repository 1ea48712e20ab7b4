//! Parry's turn in `growth.py`: reads one request a line, answers each with one line.
//!
//! - `load A B`: files of float64 pairs, the vertices of two rings, become closed polylines, each
//!   with its tree. Answers `ready`.
//! - `intersects N`: asks N times whether they meet. Answers the seconds of processor time per
//!   time asked, and 1 or 0.
//! - `sweep N X Y`: asks N times when the first, moving by (X, Y), hits the second. Answers the
//!   seconds, and the time of contact, or `inf`.
//!
//! A polyline is a boundary without an inside: one that contains the other does not meet it.

use std::hint::black_box;
use std::io::{self, BufRead, Write};

use cpu_time::ProcessTime;
use parry2d_f64::math::{Pose, Vector};
use parry2d_f64::query::{ShapeCastOptions, cast_shapes, intersection_test};
use parry2d_f64::shape::Polyline;

type Fault = Box<dyn std::error::Error>;

fn main() -> Result<(), Fault> {
    let mut pair: Option<[Polyline; 2]> = None;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split('\t').collect();
        let answer = match (words.as_slice(), &pair) {
            (["load", a, b], _) => {
                pair = Some([polyline(a)?, polyline(b)?]);
                "ready".to_owned()
            }
            (["intersects", number], Some([a, b])) => timed(number.parse()?, || {
                let answer = intersection_test(&Pose::IDENTITY, a, &Pose::IDENTITY, b);
                Ok(f64::from(u8::from(answer?.intersecting)))
            })?,
            (["sweep", number, x, y], Some([a, b])) => {
                let velocity = Vector::new(x.parse()?, y.parse()?);
                timed(number.parse()?, || sweep(a, b, velocity))?
            }
            _ => return Err(format!("not a request: {line}").into()),
        };
        println!("{answer}");
        io::stdout().flush()?;
    }
    Ok(())
}

fn polyline(path: &str) -> Result<Polyline, Fault> {
    let bytes = std::fs::read(path)?;
    let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let vertices: Vec<Vector> = bytes
        .chunks_exact(16)
        .map(|pair| Vector::new(number(&pair[..8]), number(&pair[8..])))
        .collect();
    let count = u32::try_from(vertices.len())?;
    let edges = (0..count).map(|start| [start, (start + 1) % count]);
    Ok(Polyline::new(vertices, Some(edges.collect())))
}

fn sweep(a: &Polyline, b: &Polyline, velocity: Vector) -> Result<f64, Fault> {
    let options = ShapeCastOptions::with_max_time_of_impact(1.0);
    let still = Vector::ZERO;
    let hit = cast_shapes(
        &Pose::IDENTITY,
        velocity,
        a,
        &Pose::IDENTITY,
        still,
        b,
        options,
    )?;
    Ok(hit.map_or(f64::INFINITY, |hit| hit.time_of_impact))
}

fn timed(number: u32, ask: impl Fn() -> Result<f64, Fault>) -> Result<String, Fault> {
    let start = ProcessTime::now();
    let mut answer = 0.0;
    for _ in 0..number {
        answer = black_box(ask()?);
    }
    let seconds = start.elapsed().as_secs_f64() / f64::from(number);
    Ok(format!("{seconds:e}\t{answer}"))
}
