//! Any accepted polygon, and the questions asked of it. (Stub: signatures only.)
#![allow(missing_docs, clippy::todo, unused_variables)]
use crate::error::InvalidPolygon;
use crate::geom::{Circle, Point, Vec2};

#[derive(Clone, Debug)]
pub struct Polygon<'a> {
    vertices: &'a [Point],
}
impl<'a> Polygon<'a> {
    pub fn new(vertices: &'a [Point]) -> Result<Self, InvalidPolygon> {
        if vertices.len() < 3 {
            return Err(InvalidPolygon::TooFewVertices {
                count: vertices.len(),
            });
        }
        Ok(Self { vertices })
    }
    pub fn trusted(vertices: &'a [Point]) -> Result<Self, InvalidPolygon> {
        Self::new(vertices)
    }
    pub fn is_convex(&self) -> bool {
        true
    }
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    Vertex = 0,
    Edge = 1,
}
#[derive(Clone, Copy, Debug)]
pub struct Sat;
impl Sat {
    pub fn intersects(&self) -> bool {
        todo!()
    }
    pub fn depth(&self) -> f64 {
        todo!()
    }
    pub fn mtv(&self) -> Vec2 {
        todo!()
    }
    pub fn normal(&self) -> Vec2 {
        todo!()
    }
    pub fn separation(&self) -> f64 {
        todo!()
    }
    pub fn contact(&self) -> [Point; 2] {
        todo!()
    }
}
#[derive(Clone, Copy, Debug)]
pub struct SweptCollision;
impl SweptCollision {
    pub fn intersects(&self) -> bool {
        todo!()
    }
    pub fn will_intersect(&self) -> bool {
        todo!()
    }
    pub fn time(&self) -> f64 {
        todo!()
    }
    pub fn normal(&self) -> Vec2 {
        todo!()
    }
    pub fn contact(&self) -> [Point; 2] {
        todo!()
    }
}
#[derive(Clone, Copy, Debug)]
pub struct CirclePolygon;
impl CirclePolygon {
    pub fn intersects(&self) -> bool {
        todo!()
    }
    pub fn depth(&self) -> f64 {
        todo!()
    }
    pub fn mtv(&self) -> Vec2 {
        todo!()
    }
    pub fn normal(&self) -> Vec2 {
        todo!()
    }
    pub fn closest(&self) -> Point {
        todo!()
    }
    pub fn feature(&self) -> Feature {
        todo!()
    }
    pub fn index(&self) -> usize {
        todo!()
    }
    pub fn distance(&self) -> f64 {
        todo!()
    }
}
#[derive(Clone, Copy, Debug)]
pub struct SweptCircle;
impl SweptCircle {
    pub fn intersects(&self) -> bool {
        todo!()
    }
    pub fn will_intersect(&self) -> bool {
        todo!()
    }
    pub fn time(&self) -> f64 {
        todo!()
    }
    pub fn normal(&self) -> Vec2 {
        todo!()
    }
    pub fn contact(&self) -> [Point; 2] {
        todo!()
    }
}
#[derive(Clone, Copy, Debug)]
pub struct Distance;
impl Distance {
    pub fn distance(&self) -> f64 {
        todo!()
    }
    pub fn closest_a(&self) -> Point {
        todo!()
    }
    pub fn closest_b(&self) -> Point {
        todo!()
    }
}
pub fn intersects(a: &Polygon<'_>, b: &Polygon<'_>) -> bool {
    todo!()
}
pub fn sat(a: &Polygon<'_>, b: &Polygon<'_>) -> Sat {
    todo!()
}
pub fn swept_collision(a: &Polygon<'_>, b: &Polygon<'_>, velocity: Vec2) -> SweptCollision {
    todo!()
}
pub fn sweep_clearance(a: &Polygon<'_>, b: &Polygon<'_>, velocity: Vec2) -> Vec2 {
    todo!()
}
pub fn circle_polygon(circle: Circle, polygon: &Polygon<'_>) -> CirclePolygon {
    todo!()
}
pub fn swept_circle(circle: Circle, velocity: Vec2, polygon: &Polygon<'_>) -> SweptCircle {
    todo!()
}
pub fn distance(a: &Polygon<'_>, b: &Polygon<'_>) -> Distance {
    todo!()
}
