"""Records the traffic scene that the demo carries: python record_traffic.py > traffic.csv

Needs highway-env 1.12.1. Two roads cross and nothing tells their drivers, HighwayEnv's "intelligent
driver model", who goes first: they keep their distance in a lane, and see crossing traffic late.
"""

from __future__ import annotations

import csv
import os
import sys
from typing import TYPE_CHECKING, Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import numpy as np
from highway_env.road.lane import StraightLane
from highway_env.road.road import Road, RoadNetwork
from highway_env.vehicle.behavior import IDMVehicle

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 6
FRAMES = 180
FRAMES_PER_SECOND = 15  # HighwayEnv's own
REACH = 100.0  # metres from the crossing to a road's ends
LANE_WIDTH = 4.0
ROADS = {  # direction in degrees, and how many lanes
    "eastward": (0.0, 2),
    "westward": (180.0, 2),
    "northward": (75.0, 2),
    "southward": (255.0, 2),
}
FOOTPRINTS = {  # length and width in metres, and how common
    "motorcycle": (2.2, 0.8, 0.3),
    "car": (4.6, 1.8, 0.45),
    "van": (6.0, 2.1, 0.15),
    "bus": (12.0, 2.55, 0.10),
}
SPEEDS = (28.0, 40.0)  # metres per second
GAPS = (32.0, 80.0)  # metres, beside a vehicle's length, to the next one's entry
COLUMNS = ("frame", "id", "x", "y", "heading", "length", "width", "speed")


def main() -> None:
    """Writes one line per vehicle and frame."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(record(np.random.default_rng(SEED)))


def record(random: np.random.Generator) -> Iterator[tuple[Any, ...]]:
    """Yields the states of all vehicles, frame by frame."""
    road = Road(network=crossing(), np_random=random)
    queues = {index: arrivals(road, index, random) for index in road.network.lanes_dict()}
    waiting = {index: next(queue) for index, queue in queues.items()}
    count = 0
    for frame in range(FRAMES):
        for index, queue in queues.items():
            while waiting[index].enters <= frame / FRAMES_PER_SECOND:
                count += 1
                waiting[index].name = f"{waiting[index].kind} {count}"
                road.vehicles.append(waiting[index])
                waiting[index] = next(queue)
        road.vehicles = [vehicle for vehicle in road.vehicles if is_on_its_way(vehicle)]
        yield from (state(frame, vehicle) for vehicle in road.vehicles)
        road.act()
        road.step(1 / FRAMES_PER_SECOND)
        for vehicle in road.vehicles:
            # HighwayEnv moves crashed vehicles apart by a jump, which is no motion to sweep.
            vehicle.impact = None


def crossing() -> RoadNetwork:
    """Two roads of two directions each, keeping right."""
    network = RoadNetwork()
    for name, (degrees, lanes) in ROADS.items():
        along = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
        right = np.array([along[1], -along[0]])
        for lane in range(lanes):
            offset = (lane + 0.5) * LANE_WIDTH * right
            ends = offset - REACH * along, offset + REACH * along
            network.add_lane(f"{name} start", f"{name} end", StraightLane(*ends, width=LANE_WIDTH))
    return network


def arrivals(
    road: Road, index: tuple[str, str, int], random: np.random.Generator
) -> Iterator[IDMVehicle]:
    """Yields the vehicles of a lane as they enter it; those before time 0 are on it by then."""
    lane = road.network.get_lane(index)
    cruise = random.uniform(*SPEEDS)
    time = -lane.length / cruise
    kinds, shares = list(FOOTPRINTS), [share for *_, share in FOOTPRINTS.values()]
    while True:
        speed = cruise * random.uniform(0.9, 1.1)
        travelled = max(0.0, -time * cruise)
        vehicle = IDMVehicle(
            road,
            lane.position(travelled, random.normal(0.0, 0.2)),
            lane.heading_at(travelled),
            speed,
            target_lane_index=index,
            target_speed=speed,
        )
        kind = kinds[random.choice(len(kinds), p=shares)]
        vehicle.LENGTH, vehicle.WIDTH, _ = FOOTPRINTS[kind]
        vehicle.diagonal = np.hypot(vehicle.LENGTH, vehicle.WIDTH)
        vehicle.kind, vehicle.enters = kind, time
        yield vehicle
        time += (vehicle.LENGTH + random.uniform(*GAPS)) / cruise


def is_on_its_way(vehicle: IDMVehicle) -> bool:
    """Whether the vehicle hasn't reached the end of its lane."""
    travelled, _ = vehicle.lane.local_coordinates(vehicle.position)
    return bool(travelled < vehicle.lane.length)


def state(frame: int, vehicle: IDMVehicle) -> tuple[Any, ...]:
    """One line of the file: positions to a millimetre, headings to 0.01 milliradian."""
    x, y = (round(float(coordinate), 3) + 0.0 for coordinate in vehicle.position)
    heading = round(float(vehicle.heading), 5) + 0.0
    speed = round(float(vehicle.speed), 2) + 0.0
    return frame, vehicle.name, x, y, heading, vehicle.LENGTH, vehicle.WIDTH, speed


if __name__ == "__main__":
    main()
