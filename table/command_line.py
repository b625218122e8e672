"""What all commands share: how they complain of a command line, and what they exit with."""

from __future__ import annotations

import argparse
from typing import Final, NoReturn

from table.output import complain

EXIT_DONE: Final = 0
EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2


class OneLineParser(argparse.ArgumentParser):
    """Complains in one line, as every command does, instead of with the whole usage."""

    def error(self, message: str) -> NoReturn:
        """Print one line and exit with the code for wrong usage."""
        complain(f"{message} (`{self.prog} --help` tells more)")
        raise SystemExit(EXIT_USAGE)
