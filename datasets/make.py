"""Makes labelled pictures of throws: `python -m datasets.make --out DIR --count N --seed S [--recipe NAME]`.

DIR/rigs/<rig>/ gets pictures NNN.jpg with their truth NNN.json, the empty tray, table.json and, in rig.json,
what the rig is made of; DIR gets manifest.json and contact sheets. Stopped and started again it goes on.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from datasets.command import common_parser, positive, run
from datasets.library import RIGS
from datasets.recipes import MIXED, RECIPES
from datasets.rig_maker import Order


def main(argv: Sequence[str] | None = None) -> int:
    """Read the command line, make what is missing, return the exit code."""
    parser = common_parser(RIGS, (__doc__ or "").split("\n")[0], "pictures of throws")
    parser.add_argument("--recipe", choices=[MIXED, *RECIPES], default=MIXED, help="how the dice get to lie")
    parser.add_argument("--throws-per-rig", type=positive, default=4, metavar="K", help="throws a table, 4")
    args = parser.parse_args(argv)
    return run(args, Order(args.seed, args.recipe, args.count, args.throws_per_rig, args.renderer), RIGS)


if __name__ == "__main__":
    sys.exit(main())
