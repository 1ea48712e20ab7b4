"""What the reasons have in common why geometries are not read, with or without Shapely."""

from __future__ import annotations

RAISED = "the coordinates have "
"""What the reason begins with if vertices have Z or M."""
CURVED = ", which may have arcs; "
"""What stands in the reason between a type of curves and what to do about them."""
