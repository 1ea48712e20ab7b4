"""What drawings of motion have in common: where shapes are at a time, their paths, films."""
