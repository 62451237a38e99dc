"""`evalang` and `python -m evalang`."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Run the command line; whatever happens, the user gets a sentence and an exit code, never a traceback."""
    gc.set_threshold(50_000)  # what starts up is kept: looking through it for garbage costs a tenth of the start
    from .cli.main import run

    code = run(sys.argv[1:])
    gc.freeze()  # nor does the interpreter look through it once more, and again, before it ends
    sys.exit(code)


if __name__ == "__main__":
    # `python -m` looks for modules in the current folder first: a click.py beside a stranger's script would run.
    if sys.path and sys.path[0] in ("", os.getcwd()):
        del sys.path[0]
    main()
