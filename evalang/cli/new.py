"""`evalang new`"""

from __future__ import annotations

import os

import click

from ..errors import ScriptError
from ..source.escape import for_terminal
from ..source.replace_file import replace_file

STARTER = '''\
# A first comparison. Run it with: evalang run study.eval
# Read it before you run it:        evalang lint study.eval ; evalang plan study.eval

set seed 20

# The data: built in here. Your own comes like this:
#   dataset credit from csv "credit.csv", target "class", because "the records the learner is built for"
suite clinical is breast-cancer, tumours
  because "the two medical tables at hand, chosen before any result was seen"
dataset tumours from builtin "breast-cancer", positive "malignant"

# The learners: preparation steps come before the learner and are fitted on training rows only.
learner tree  is decision-tree, tune max_depth in {2, 4, 8}
learner bayes is naive-bayes

# The experiment: 20% of each training part chooses max_depth, the winner is trained again on all of it.
compare tree vs bayes on clinical
  using 5x2cv
  tune on 20%
  bonferroni over datasets
  as first-look

# What you hope to write in the paper; it is checked against the design, then against the result.
claim tree better than bayes on clinical
'''


@click.command("new")
@click.argument("folder", default=".")
def command(folder: str) -> int:
    """Write study.eval, a commented starter script that runs, into FOLDER (this one by default)."""
    path = os.path.join(folder, "study.eval")
    if os.path.exists(path):
        raise ScriptError(f"{path} is already there", hint="name another folder: evalang new my-study")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise ScriptError(f"{folder} cannot be made: {error.strerror}", hint="name a folder that can be written") from None
    replace_file(path, STARTER.encode("utf-8"))
    print(for_terminal(f"wrote {path}; now: evalang run {path}"))
    return 0
