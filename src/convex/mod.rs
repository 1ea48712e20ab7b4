//! convex
