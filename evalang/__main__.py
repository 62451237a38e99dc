"""`evalang` and `python -m evalang`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; whatever happens, the user gets a sentence and an exit code, never a traceback."""
    from .cli.main import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
