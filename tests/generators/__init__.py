"""Generators of test data: random and degenerate polygons, shapes, motions and trajectories."""
