"""Designs by their parts, and what a `help` says to do with them: followed to the letter, as a reader would."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

DATA = """\
dataset one described as 5000 rows, 2 classes, positive "a", because "r"
dataset two described as 5000 rows, 2 classes, positive "a", because "r"
dataset numbers described as 5000 rows, as regression, because "r"
dataset visits described as 5000 rows, 2 classes, positive "a", groups "patient", because "r"
dataset prices described as 5000 rows, time "day", as regression, because "r"
dataset agreed described as 5000 rows, 2 classes, positive "a", folds "fold", because "r"
dataset official from csv "train.csv", tested on csv "test.csv", target "y", positive "a", because "r"
results table from csv "t.csv", datasets in "d", learners in "a", "b", "c", measuring accuracy
results sizes from csv "s.csv", datasets in "d", learners in "a", "b", "c", measuring rmse
predictions answers from csv "p.csv", truth "y", learners in "a", "b"
predictions grouped from csv "p.csv", truth "y", learners in "a", "b", groups "g"
learner tuned is decision-tree, tune max_depth in {2, 4, 8}
learner also is random-forest, tune max_depth in {2, 4, 8}
learner raw is sklearn.svm.LinearSVC
learner reduced is pca | knn
learner sure is adaboosted-trees, calibrate platt
"""


@dataclass(frozen=True)
class Design:
    """A comparison by its clauses."""

    learners: tuple[str, ...] = ("decision-tree", "naive-bayes")
    data: str = "one"
    using: str = ""
    by: str = ""
    measuring: str = ""
    others: tuple[str, ...] = ("seed 1",)
    this_classifier: bool = False

    @property
    def text(self) -> str:
        """The script, with the definitions it needs."""
        head = f"compare {'this classifier ' * self.this_classifier}{' vs '.join(self.learners)} on {self.data}"
        said = [f"{word} {value}" for word, value in (("using", self.using), ("by", self.by)) if value]
        said += [f"measuring {self.measuring}"] * bool(self.measuring)
        names = {*self.learners, *self.data.split(", ")}
        needed = [line for line in DATA.splitlines() if line.split()[1] in names]
        return "\n".join([*needed, f"{head} {', '.join([*said, *self.others])}", ""])


_ADD = re.compile(
    r"^add ((?:seed|tune on|calibrate on|holm over|rope|control|measuring|all pairs) ?[^(;:]*?)"
    r"(?: \(|, or| for | and write|$|:)"
)
_USING = re.compile(r"write using ([\w ./%]+?)(?:,| \(|:| by |$)")
_BY = re.compile(r"(?:^write by|^use|, or by) ([\w-]+(?:, [\w-]+)?)(?:$|,| which| with|;| \()")


def followed(design: Design, help: str) -> Design | None:
    """The design after what the help says, its first way of several; None where the author has to decide."""
    help = help.replace("a rope: ", "")
    found = design
    if added := _ADD.match(help):
        clause = added[1]
        if clause.startswith("measuring"):
            found = replace(found, measuring=clause.partition(" ")[2])
        else:
            found = replace(found, others=(*found.others, clause))
    if measured := re.match(r"measure ([\w-]+)", help):
        found = replace(found, measuring=measured[1])
    if "leave out `by`" in help:
        found = replace(found, by="")
    if using := _USING.search(help):
        found = replace(found, using=using[1])
    elif (by := _BY.match(help)) and "leave out" not in help:
        found = replace(found, by=by[1])
    if "compare this classifier" in help and "using" not in help.partition("compare this classifier")[0]:
        found = replace(found, this_classifier=True)
    return None if found == design else found
