"""Makes labelled clips: `python -m datasets.make_clips --out DIR --count N --seed S [--story NAME]`.

DIR gets NAME.mp4 with its calibration and truth in NAME.json and, in NAME.rig.json, what its rig is made of;
and manifest.json and contact sheets. Stopped and started again it goes on.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from datasets.command import common_parser, run
from datasets.library import CLIPS
from datasets.recipes import MIXED
from datasets.rig_maker import Order
from datasets.story import STORIES


def main(argv: Sequence[str] | None = None) -> int:
    """Read the command line, film the clips that are missing, return the exit code."""
    parser = common_parser(CLIPS, (__doc__ or "").split("\n")[0], "clips")
    parser.add_argument(
        "--story", choices=[MIXED, *STORIES], default=MIXED, help="what happens after a throw"
    )
    args = parser.parse_args(argv)
    return run(args, Order(args.seed, args.story, args.count, 1, args.renderer), CLIPS)


if __name__ == "__main__":
    sys.exit(main())
