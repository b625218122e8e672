"""Times one settle step on a 640x360 grey frame: `python -m benchmarks.settle [--steps N]`.

The frames are noise over felt with one die in flight, so every step does the work of a moving one.
"""

from __future__ import annotations

import statistics
import time

import numpy as np

from table.command_line import OneLineParser
from vision.domain import Frame, Image
from vision.settle import Settler

WIDTH, HEIGHT = 640, 360


def moving_frames(count: int) -> list[Image]:
    """Return `count` grey uint8 (360, 640) pictures of a light square crossing a noisy floor."""
    random = np.random.default_rng(0)
    frames = []
    for step in range(count):
        picture = random.normal(90, 3, (HEIGHT, WIDTH))
        left = (step * 11) % (WIDTH - 40)
        picture[160:200, left : left + 40] = 230
        frames.append(picture.clip(0, 255).astype(np.uint8))
    return frames


def step_times_ms(steps: int) -> list[float]:
    """Return the time of each of `steps` steps in milliseconds."""
    pictures = moving_frames(60)
    settler = Settler()
    times = []
    for index in range(steps):
        frame = Frame(index, index / 30, pictures[index % len(pictures)])
        start_s = time.perf_counter()
        settler.step(frame)
        times.append((time.perf_counter() - start_s) * 1000)
    return times


def main() -> None:
    """Print the median and the 95th percentile."""
    parser = OneLineParser(prog="python -m benchmarks.settle", description=main.__doc__)
    parser.add_argument("--steps", type=int, default=2000)
    times = step_times_ms(parser.parse_args().steps)
    p95 = statistics.quantiles(times, n=20)[-1]
    print(f"settle step on {WIDTH}x{HEIGHT} grey: median {statistics.median(times):.3f} ms, p95 {p95:.3f} ms")


if __name__ == "__main__":
    main()
