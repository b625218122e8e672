"""What a training keeps: its state, to go on when it was cut off, and the trained network."""

from __future__ import annotations

from pathlib import Path
from pickle import UnpicklingError
from typing import Any

from models.arguments import must_be_file
from models.train_extra import needed

torch: Any = needed("torch")
NOT_A_NETWORK = (  # all that PyTorch raises for a file that is none, or another's
    *(UnpicklingError, EOFError, RuntimeError, AttributeError, LookupError, TypeError, ValueError),
)


def take_up(parts: dict[str, Any], kept: Path | None, what: Any) -> int:
    """Load what an interrupted training of just `what` left in `kept`; return the first step to do."""
    if kept is None or not kept.exists():
        return 0
    state = torch.load(kept, weights_only=False)
    if state["what"] != what:
        return 0
    for name, part in parts.items():
        part.load_state_dict(state[name])
    print(f"goes on at step {state['step']}", flush=True)
    return int(state["step"])


def keep(parts: dict[str, Any], kept: Path, step: int, what: Any) -> None:
    """Write the state of a training's parts after `step` steps; an old file stays till this is whole."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    state = {name: part.state_dict() for name, part in parts.items()}
    unfinished = kept.with_suffix(".part")
    torch.save({**state, "step": step, "what": what}, unfinished)
    unfinished.replace(kept)


def save(model: Any, path: Path) -> None:
    """Write a trained network's parameters."""
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), path)


def loaded(model: Any, path: Path) -> Any:
    """Return `model` with the parameters of a file that `save` wrote, ready to read."""
    must_be_file(path, "--trained or --from")
    try:
        model.load_state_dict(torch.load(path, weights_only=True))
    except NOT_A_NETWORK as error:
        why = " ".join(str(error).split())[:120]
        raise SystemExit(f"{path}: is not this network ({why}); accepted is what training left") from error
    return model.eval()
