"""`evalang new`"""

from __future__ import annotations

import os

import click

from ..errors import ScriptError
from ..language.held import replace_file
from ..language.text import for_terminal

STARTER = """\
# A first comparison: is a forest better than one tree, when both are tuned with the same care?
#
#   evalang lint study.eval     what would make the result worthless
#   evalang plan study.eval     what will be done, and what it costs
#   evalang run study.eval      do it, and say what may be claimed

# Every random choice derives from this number: the same seed gives the same bytes.
set seed 20

# The data. These two come with scikit-learn; your own is named like this:
#   dataset credit from csv "credit.csv", target "class", because "the records the learner is built for"
suite carried is breast-cancer, digits
  because "the two classification sets that scikit-learn carries with rows enough for a tuning part"

# The learners. Preparation steps stand before a learner (scale | svm) and are fitted on training rows only.
learner tree is decision-tree, tune max_depth in {1, 4, 16, 64}
learner forest is random-forest, tune max_depth in {1, 4, 16, 64}

# The experiment: a fifth of each training part chooses max_depth, then the winner is trained again on all of it.
# Two datasets are two tests, so the level is shared between them.
compare forest vs tree on carried using 5x2cv, tune on 20%, holm over datasets, as forest-or-tree

# What you hope to write in the paper: checked against the design now, and against the result after the run.
claim forest better than tree on digits
"""


@click.command("new")
@click.argument("folder", default=".", type=click.Path(file_okay=False))
def command(folder: str) -> int:
    """Write study.eval, a commented starter script that runs, into FOLDER (this one by default).

    \b
    evalang new my-study
    evalang run my-study/study.eval
    """
    path = os.path.join(folder, "study.eval") if folder != "." else "study.eval"
    if os.path.lexists(path):
        raise ScriptError(f"{path} is already there", hint="name another folder: evalang new my-study")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise ScriptError(f"{folder} cannot be made: {error.strerror}", hint="name a folder that can be") from None
    replace_file(path, STARTER.encode("utf-8"))
    print(for_terminal(f"wrote {path}; now: evalang run {path}"))
    return 0
