"""Cards are complete, refer to what exists, and are true of the functions that carry them out."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

from evalang.catalogue import tests as floors
from evalang.catalogue.corrections import CORRECTIONS
from evalang.catalogue.glossary import GLOSSARY
from evalang.catalogue.learners import LEARNERS, STEPS
from evalang.catalogue.metrics import METRICS, MetricEntry, check_option, find_metric, metric_words, needs_positive
from evalang.catalogue.references import REFERENCES, find_reference
from evalang.catalogue.schemes import SCHEMES, find_scheme
from evalang.catalogue.tests import TESTS, TestEntry, find_test
from evalang.scores.metrics import METRIC_FUNCTIONS, ROW_LOSSES
from evalang.verdicts.apply import compute, function_of
from evalang.verdicts.arithmetic.tails import Sided
from evalang.verdicts.tests import outcome_tests as mcnemar_module
from evalang.verdicts.tests import resampling_tests as bootstrap_module

MACRO = {"average": "macro"}
_BY_NAME = {c.name: c for c in TESTS}


def test_names_are_unique_and_found() -> None:
    words = list(GLOSSARY)
    for names in ([t.name for t in TESTS], [s.kind for s in SCHEMES], metric_words(), words):
        assert len(set(names)) == len(names)
    assert len({one.name for one in (*LEARNERS, *STEPS)}) == len(LEARNERS) + len(STEPS)
    assert all(find_test(c.name) is c for c in TESTS)
    assert all(find_scheme(c.kind) is c for c in SCHEMES)
    assert all(find_metric(word) is c for c in METRICS for word in (c.name, *c.aliases))
    assert find_test("chi-by-eye") is find_metric("nonsense") is find_reference("nobody2000") is None


@pytest.mark.parametrize("entry", TESTS, ids=lambda c: c.name)
def test_a_test_says_everything(entry: TestEntry) -> None:
    for field in ("title", "question", "null", "unit", "method", "type_one", "use_when", "avoid_when", "references"):
        assert getattr(entry, field), field
    assert entry.question.endswith("?")
    assert entry.null.endswith(".")
    assert entry.min_units >= 1
    assert entry.gives_p or not entry.one_sided
    assert set(entry.schemes) <= {scheme.kind for scheme in SCHEMES}
    assert entry.schemes or entry.scopes == ("over-datasets",)
    assert all(find_test(name) is not None for name in entry.post_hoc_of)
    assert all(1 <= question <= 9 for question in entry.questions)
    values = [entry.smallest_p(n, 3, 2) for n in (1, 2, 5, 10, 24, 25, 100)]
    assert all(0.0 <= v <= 1.0 for v in values)
    assert all(later <= earlier + 1e-15 for earlier, later in itertools.pairwise(values)), values
    assert entry.smallest_p(10, 3, 1) <= entry.smallest_p(10, 3, 2)


@pytest.mark.parametrize("n", [1, 5, 24, 40, 200])
@pytest.mark.parametrize(
    "name", ["mcnemar", "mcnemar-exact", "mcnemar-midp", "binomial", "proportions", "corrected-proportions"]
)
def test_floors_are_reached_by_the_most_extreme_rows(name: str, n: int) -> None:
    for sides, alternative in ((2, "two-sided"), (1, "greater")):
        right, wrong = np.ones(n, dtype=bool), np.zeros(n, dtype=bool)
        found = compute(name, first=right, second=wrong, alternative=alternative)
        assert found.pvalue == pytest.approx(_BY_NAME[name].smallest_p(n, 2, sides), rel=1e-9)


@pytest.mark.parametrize("n", [1, 2, 5, 6, 10])
@pytest.mark.parametrize("name", ["wilcoxon", "sign"])
def test_floors_are_reached_when_every_dataset_is_won(name: str, n: int) -> None:
    for sides, alternative in ((2, "two-sided"), (1, "greater")):
        best = function_of(name)(np.arange(1.0, n + 1), np.zeros(n), asked=Sided(alternative)).pvalue
        assert _BY_NAME[name].smallest_p(n, 2, sides) == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize(("n", "k"), [(2, 3), (5, 3), (4, 6), (10, 4)])
def test_floors_are_reached_when_all_datasets_agree_on_the_order(n: int, k: int) -> None:
    same = np.tile(np.arange(k, dtype=float), (n, 1))
    for name in ("friedman", "iman-davenport"):
        assert _BY_NAME[name].smallest_p(n, k, 2) == pytest.approx(function_of(name)(same).pvalue, rel=1e-9)
    for name, options in (("nemenyi", {}), ("bonferroni-dunn", {"control": 0})):
        best = min(each.pvalue for each in function_of(name)(same, **options).results)
        assert _BY_NAME[name].smallest_p(n, k, 2) == pytest.approx(best, rel=1e-9)


def test_other_floors_are_reached() -> None:
    table = np.repeat([[True, False, False]], 30, axis=0)
    reached = {
        ("cochran-q", 30, 3, 2): function_of("cochran-q")(table),
        ("permutation", 8, 2, 2): function_of("permutation")(np.arange(1.0, 9.0), np.zeros(8)),
        ("randomization", 99, 1, 1): function_of("randomization")(1.0, np.zeros(99)),
    }
    for (name, units, learners, sides), found in reached.items():
        assert found.pvalue == pytest.approx(_BY_NAME[name].smallest_p(units, learners, sides), rel=1e-9)
    assert floors.EXACT_BELOW == mcnemar_module.EXACT_BELOW
    assert floors.BOOTSTRAP_RESAMPLES == bootstrap_module.RESAMPLES


def test_every_metric_has_one_function_and_every_function_one_card() -> None:
    assert {entry.name for entry in METRICS} == set(METRIC_FUNCTIONS)
    assert len(set(METRIC_FUNCTIONS.values())) == len(METRIC_FUNCTIONS)
    assert {entry.name for entry in METRICS if entry.row_loss} == set(ROW_LOSSES)


@pytest.mark.parametrize("entry", METRICS, ids=lambda e: e.name)
def test_a_metric_says_everything(entry: MetricEntry) -> None:
    assert entry.title
    assert entry.method.endswith(".")
    assert entry.baseline
    assert entry.tasks
    assert all(check_option(entry, name, default) is None for name, default in entry.options)
    assert not entry.positive or "two-class" in entry.tasks


def test_an_average_over_classes_needs_no_positive_class() -> None:
    f_score = find_metric("f-score")
    assert f_score is not None
    answers = [needs_positive(f_score, options, classes) for options, classes in (({}, 2), ({}, 3), (MACRO, 2))]
    assert answers == [True, False, False]


def test_schemes_and_steps_say_everything() -> None:
    assert all(entry.form and entry.method.endswith(".") for entry in SCHEMES)
    assert all(step.title and step.method.endswith(".") for step in STEPS)


def test_references_are_whole_and_cover_every_card() -> None:
    keys = [reference.key for reference in REFERENCES]
    assert keys == sorted(set(keys))
    for reference in REFERENCES:
        assert re.fullmatch(rf"[a-z]+{reference.year}", reference.key)
        assert reference.authors
        assert reference.title
        assert reference.where
        assert not reference.doi or reference.doi.startswith("10.")
    cited = {key for entry in (*TESTS, *METRICS, *SCHEMES, *LEARNERS, *CORRECTIONS) for key in entry.references}
    assert cited <= set(keys)


def test_every_reference_is_cited_somewhere() -> None:
    """By its key, or by its first author and year on one line, in the program or on a page."""
    root = Path(__file__).parents[2]
    places = [*root.glob("evalang/**/*.py"), *root.glob("docs/**/*.md")]
    text = "\n".join(place.read_text(encoding="utf-8") for place in places if place.name != "references.md")
    words, small = set(re.findall(r"\w+", text)), text.lower()  # a search for every key would take seconds
    named = {r.key: rf"\b{r.key.rstrip('0123456789')}\b[^\n]{{0,40}}\b{r.year}\b" for r in REFERENCES}
    assert [key for key, pattern in named.items() if key not in words and not re.search(pattern, small)] == []
