"""A grid of designs by their parts, on which advice is tried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evalang.catalogue.metrics import METRICS
from evalang.catalogue.tests import TESTS

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
    estimate: bool = False
    claim: str = ""

    @property
    def text(self) -> str:
        """The script, with the definitions it needs."""
        verb = "estimate" if self.estimate else "compare"
        head = f"{verb} {'this classifier ' * self.this_classifier}{' vs '.join(self.learners)} on {self.data}"
        said = [f"{word} {value}" for word, value in (("using", self.using), ("by", self.by)) if value]
        said += [f"measuring {self.measuring}"] * bool(self.measuring)
        names = {*self.learners, *self.data.split(", ")}
        needed = [line for line in DATA.splitlines() if line.split()[1] in names]
        claims = [f"claim {self.claim} on {self.data}"] if self.claim else []
        return "\n".join([*needed, f"{head} {', '.join([*said, *self.others])}", *claims, ""])


SCHEMES = (
    "holdout 1/3", "10cv", "10x10cv", "5x2cv", "10x2cv", "55 partitions of 10cv", "10 partitions of 5x2cv",
    "30 resamples of 2/3", "8 trainings of 300", "leave-one-out", "bootstrap 50", "stratified 10cv",
    "unstratified 10x2cv",
)  # fmt: skip
NAMED = tuple(test.name for test in TESTS if test.learners != "one")
INTERVALS = tuple(test.name for test in TESTS if test.learners == "one")
SETS = ("one", "one, two", "numbers", "visits", "visits, one", "prices")
TABLES = ("table", "sizes", "answers", "grouped")
PAIR = "decision-tree better than naive-bayes"
CLAIMS = (
    PAIR, "decision-tree no worse than naive-bayes within 1%", "decision-tree same as naive-bayes within 2%",
    f"this classifier {PAIR}", "decision-tree better than random-forest",
)  # fmt: skip


def _designs() -> Iterator[Design]:
    for scheme in SCHEMES:
        yield from (Design(using=scheme, by=test) for test in ("", *NAMED))
        yield from (Design(using=scheme, data=data, learners=("decision-tree", _other(data))) for data in SETS)
        yield Design(using=scheme, learners=("decision-tree", "naive-bayes", "random-forest"))
        yield Design(using=scheme, learners=("tuned", "also"), others=())
        yield Design(using=scheme, learners=("tuned", "also"), others=("seed 1", "tune on 85%"))
        yield Design(using=scheme, learners=("raw", "decision-tree"))
        yield Design(using=scheme, learners=("reduced", "decision-tree"))
        yield Design(using=scheme, learners=("sure", "random-forest"), measuring="brier")
        yield Design(using=scheme, learners=("sure", "tuned"), measuring="brier", others=("seed 1", "tune on 85%"))
        for claim in CLAIMS:
            yield Design(using=scheme, claim=claim)
            yield Design(using=scheme, claim=claim, by="tost", others=("seed 1", "rope 1%"))
            yield Design(using=scheme, claim=claim, measuring="accuracy, mcc", others=("seed 1", "holm over metrics"))
        yield Design(using=scheme, claim=PAIR, others=("seed 1", 'expecting naive-bayes better because "r"'))
        yield from (_estimate(scheme, by, data) for by in ("", *INTERVALS) for data in ("one", "visits"))
    for metric in METRICS:
        yield Design(using="10x2cv", measuring=metric.name, learners=("decision-tree", "random-forest"))
        yield Design(using="10x2cv", measuring=metric.name, data="numbers", learners=("decision-tree", "ridge"))
        yield Design(using="holdout 1/3", measuring=metric.name, learners=("decision-tree", "random-forest"))
    for table in TABLES:
        yield from (Design(data=table, learners=("a", "b"), by=test) for test in ("", *NAMED))
        yield Design(data=table, learners=("a", "b"), claim="a better than b", others=())
    for test in ("", "friedman", "friedman, nemenyi", "wilcoxon", "paired-t"):
        yield Design(data="table", learners=("a", "b", "c"), by=test, others=())
    yield Design(data="official", using="given test", others=())
    yield Design(data="official", using="given test", others=(), claim=PAIR)
    yield Design(data="agreed", using="given folds", by="kfold-t", others=())
    yield Design(data="agreed", using="given folds", others=(), claim=PAIR)
    yield Design(data="prices", using="forward 8 splits", learners=("ridge", "decision-tree"), measuring="rmse")


def _other(data: str) -> str:
    return "linear-regression" if data in ("numbers", "prices") else "naive-bayes"


def _estimate(scheme: str, by: str, data: str) -> Design:
    return Design(using=scheme, by=by, data=data, learners=("decision-tree",), estimate=True)


DESIGNS = tuple(dict.fromkeys(_designs()))
