"""A run in a process of its own that can be killed, as a run on a machine can."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from evalang.errors import EvalangError

from .engine import FIVEFOLD, carry_out, catalogue, options, own, table

DONE, STOPPED, REFUSED, BROKEN = 0, 130, 1, 3


def start(work: Callable[[], int], **environment: str) -> int:
    """Run a function in a forked process; its number. The function's value is the exit code."""
    pid = os.fork()
    if pid:
        return pid
    code = BROKEN
    try:
        os.environ.update(environment)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        code = work()
    except EvalangError as error:
        code = error.exit_code
    except KeyboardInterrupt:
        code = STOPPED
    except BaseException as error:
        print(f"the child broke: {error!r}", file=sys.__stderr__)
    finally:
        os._exit(code)


def end(pid: int, seconds: float = 120) -> int:
    """The exit code of a child, negative for a signal; it is killed when it takes too long."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    raise AssertionError("the child did not end")


def small_run(folder: Path, jobs: int = 2, seconds: float = 0.0) -> int:
    """Two learners, five folds, a tree and something slow; the same result whatever happens in between."""
    learners = [catalogue("tree", "decision-tree"), own("slow", "Slow", seconds=seconds)]
    _, outcome = carry_out(learners, [table(), table(45, 3, name="more")], FIVEFOLD, options(folder, jobs))
    return STOPPED if outcome.interrupted else DONE
