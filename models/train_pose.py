"""Train the pose reader on made throws: `python -m models.train_pose --made DIR...`.

Everything is drawn from the seed. A training that is cut off goes on where it was when started again.
"""

from __future__ import annotations

from pathlib import Path

from models.arguments import existing_folder, seed, steps
from models.keeping import save
from models.pose_network import OUT, Course, load, train
from models.pose_views import gather
from table.command_line import OneLineParser

STEPS, SEED = 6000, 1


def main() -> None:
    """Gather views, train, and write the trained network to `out/pose`."""
    parser = OneLineParser(prog="python -m models.train_pose", description=__doc__)
    parser.add_argument(
        "--made", type=existing_folder, nargs="+", required=True, metavar="DIR", help="rigs of made dice"
    )
    parser.add_argument("--steps", type=steps, default=STEPS)
    parser.add_argument("--seed", type=seed, default=SEED)
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR")
    parser.add_argument(
        "--from", dest="start", type=Path, metavar="FILE.pt", help="a trained network to go on from"
    )
    args = parser.parse_args()
    dice = gather(args.made, args.seed)
    if not len(dice):
        raise SystemExit(
            f"{', '.join(map(str, args.made))}: no rigs with dice; accepted is what datasets.make left"
        )
    leaning, raised = int((dice.tilt_deg > 1.5).sum()), int((dice.height > 0.15).sum())
    print(
        f"{len(dice)} views: {leaning} leaning, {raised} raised, {int((~dice.fits).sum())} misplaced",
        flush=True,
    )
    start = load(args.start) if args.start else None
    model = train(dice, Course(args.steps, args.seed), args.out / "unfinished.pt", start)
    save(model, args.out / "trained.pt")
    print(f"trained: {args.out / 'trained.pt'}")


if __name__ == "__main__":
    main()
