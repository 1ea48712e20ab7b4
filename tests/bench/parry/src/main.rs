//! Parry's turn in `growth.py` and `kind_cliffs.py`: reads one request a line, answers each with one
//! line.
//!
//! - `load A B`: files of float64 pairs, the vertices of two rings, become closed polylines, each
//!   with its tree. Answers `ready`.
//! - `intersects N`: asks N times whether they meet. Answers the seconds of processor time per
//!   time asked, and 1 or 0.
//! - `sweep N X Y`: asks N times when the first, moving by (X, Y), hits the second. Answers the
//!   seconds, and the time of contact, or `inf`.
//! - `polygons V FILE`: convex polygons of V vertices each become the parts of a compound, with its
//!   tree over them. Answers `ready`.
//! - `rays N FILE`: asks N times which time and normal each ray, an origin and a direction, meets
//!   first, up to time 1. Answers the seconds, and the sum of the times of those that hit.
//! - `turning FILE TIMES`: pairs of convex quadrilaterals, each followed by the velocity, the center and the
//!   turn of the first: writes the time of contact of each to TIMES, infinity for none, NaN for a
//!   failure. Answers `ready`.
//!
//! A polyline is a boundary without an inside: one that contains the other does not meet it.

use std::hint::black_box;
use std::io::{self, BufRead, Write};

use cpu_time::ProcessTime;
use parry2d_f64::math::{Pose, Vector};
use parry2d_f64::query::{
    NonlinearRigidMotion, Ray, RayCast, ShapeCastOptions, ShapeCastStatus, cast_shapes,
    cast_shapes_nonlinear, intersection_test,
};
use parry2d_f64::shape::{Compound, ConvexPolygon, Polyline, SharedShape};

type Fault = Box<dyn std::error::Error>;

fn main() -> Result<(), Fault> {
    let mut pair: Option<[Polyline; 2]> = None;
    let mut polygons: Option<Compound> = None;
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
            (["polygons", vertices, file], _) => {
                polygons = Some(compound(vertices.parse()?, file)?);
                "ready".to_owned()
            }
            (["rays", number, file], _) => {
                let shapes = polygons.as_ref().ok_or("no polygons")?;
                let points = points(file)?;
                timed(number.parse()?, || Ok(first_times(shapes, &points)))?
            }
            (["turning", file, times], _) => {
                turning(file, times)?;
                "ready".to_owned()
            }
            _ => return Err(format!("not a request: {line}").into()),
        };
        println!("{answer}");
        io::stdout().flush()?;
    }
    Ok(())
}

fn points(path: &str) -> Result<Vec<Vector>, Fault> {
    let bytes = std::fs::read(path)?;
    let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let pairs = bytes.chunks_exact(16);
    Ok(pairs
        .map(|pair| Vector::new(number(&pair[..8]), number(&pair[8..])))
        .collect())
}

fn polyline(path: &str) -> Result<Polyline, Fault> {
    let vertices = points(path)?;
    let count = u32::try_from(vertices.len())?;
    let edges = (0..count).map(|start| [start, (start + 1) % count]);
    Ok(Polyline::new(vertices, Some(edges.collect())))
}

fn compound(vertices: usize, path: &str) -> Result<Compound, Fault> {
    let corners = points(path)?;
    let part = |ring: &[Vector]| {
        let polygon = ConvexPolygon::from_convex_polyline(ring.to_vec()).ok_or("not convex")?;
        Ok((Pose::IDENTITY, SharedShape::new(polygon)))
    };
    let parts: Result<Vec<_>, Fault> = corners.chunks_exact(vertices).map(part).collect();
    Ok(Compound::new(parts?))
}

fn first_times(shapes: &Compound, rays: &[Vector]) -> f64 {
    let first = |ray: &[Vector]| {
        shapes
            .cast_local_ray_and_get_normal(&Ray::new(ray[0], ray[1]), 1.0, true)
            .map_or(0.0, |hit| hit.time_of_impact)
    };
    rays.chunks_exact(2).map(first).sum()
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

/// Numbers of a pair: two quadrilaterals, the velocity, the center and the turn.
const NUMBERS: usize = 2 * 8 + 5;

fn turning(file: &str, times: &str) -> Result<(), Fault> {
    let bytes = std::fs::read(file)?;
    let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let numbers: Vec<f64> = bytes.chunks_exact(8).map(number).collect();
    let mut found = Vec::new();
    for pair in numbers.chunks_exact(NUMBERS) {
        found.extend(first_contact(pair)?.to_le_bytes());
    }
    Ok(std::fs::write(times, found)?)
}

fn first_contact(pair: &[f64]) -> Result<f64, Fault> {
    let points = |numbers: &[f64]| {
        numbers
            .chunks_exact(2)
            .map(|xy| Vector::new(xy[0], xy[1]))
            .collect()
    };
    let polygon =
        |numbers: &[f64]| ConvexPolygon::from_convex_polyline(points(numbers)).ok_or("not convex");
    let (a, b) = (polygon(&pair[..8])?, polygon(&pair[8..16])?);
    let &[x, y, center_x, center_y, turn] = &pair[16..] else {
        return Err("not a motion".into());
    };
    let center = Vector::new(center_x, center_y);
    let motion = NonlinearRigidMotion::new(Pose::IDENTITY, center, Vector::new(x, y), turn);
    let rest = NonlinearRigidMotion::constant_position(Pose::IDENTITY);
    let hit = cast_shapes_nonlinear(&motion, &a, &rest, &b, 0.0, 1.0, true)?;
    Ok(match hit {
        None => f64::INFINITY,
        Some(hit) if hit.status == ShapeCastStatus::Failed => f64::NAN,
        Some(hit) => hit.time_of_impact,
    })
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
