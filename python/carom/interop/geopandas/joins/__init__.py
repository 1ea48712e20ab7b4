"""The joins of two frames: which rows, by what motion, and the table of both with its fields."""
