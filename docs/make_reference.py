"""Write the pages that come from the catalogue: python docs/make_reference.py

They are the cards of tests, metrics, schemes, corrections, learners, datasets, words and references, and the pages of
the rules. They are committed so that people can read them in the repository. A test fails if they are out of date.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent))

from evalang.catalogue.cards import card, card_of_test  # noqa: E402
from evalang.catalogue.corrections import CORRECTIONS  # noqa: E402
from evalang.catalogue.estimators import estimator_names, find_estimator  # noqa: E402
from evalang.catalogue.glossary import GLOSSARY  # noqa: E402
from evalang.catalogue.learners import (  # noqa: E402
    LEARNERS,
    STEPS,
)
from evalang.catalogue.metrics import (  # noqa: E402
    METRICS,
    MetricEntry,
    find_metric,
)
from evalang.catalogue.references import REFERENCES, citation  # noqa: E402
from evalang.catalogue.schemes import SCHEMES  # noqa: E402
from evalang.catalogue.sources import (  # noqa: E402
    BUNDLED,
    GENERATORS,
)
from evalang.catalogue.tests import TESTS  # noqa: E402
from evalang.findings.page import page  # noqa: E402
from evalang.findings.rules import RULES  # noqa: E402
from evalang.plans.default_tests import dataset_tests, over_datasets_tests  # noqa: E402
from evalang.plans.model import Test  # noqa: E402
from evalang.plans.opened_data import NOT_BUILT  # noqa: E402

MADE = "<!-- Made by docs/make_reference.py from the catalogue. Do not edit. -->\n\n"
FOLDERS = ("rules", "tests", "metrics")  # wholly generated: a page that is no longer made is deleted

_EVIDENCE = (
    ("outcomes", "Tests on right or wrong predictions of rows"),
    ("row-losses", "Tests on a loss for every row"),
    ("retrained-rows", "Tests on rows and several trainings"),
    ("grouped-rows", "Tests on rows in groups"),
    ("timed-rows", "Tests on rows in time"),
    ("row-scores", "Tests on a score for every row"),
    ("fold-scores", "Tests on one score for every fold"),
    ("halved-scores", "Tests on fold scores of all rows and of halves"),
    ("training-losses", "Tests on losses over disjoint training sets"),
    ("dataset-scores", "Tests on one score for every dataset"),
    ("dataset-folds", "Tests on one score for every fold of every dataset"),
    ("item-scores", "Intervals for one model on items"),
    ("procedure", "Tests of the whole procedure"),
    ("count", "Intervals for one trained classifier"),
)

_RULES_PREFACE = (
    "**Summary.** This page lists all rules of `evalang lint` by subject. `evalang explain CODE` shows the page of a",
    "rule. [Lint a design](../howto/lint.md) explains how to repair a finding or keep it on purpose.",
    "",
    "An error stops a run. A warning is shown and printed in the report. A note is advice. Each rule has a default",
    "level and a strict level, which is bold where the two differ. Strict levels apply with `--strict`, with",
    "`set strict` in the script, or with `strict = true` under `[tool.evalang]` in pyproject.toml. The rules about",
    "earlier tests (EV8) also use their strict level after `evalang freeze`. In some cases a rule reports a finding at",
    "another level than the table shows. The page of the rule names these cases.",
    "",
    "```{toctree}",
    ":hidden:",
    ":glob:",
    "",
    "EV*",
    "```",
)
_RULE_FAMILIES = {
    "EV0": "The script",
    "EV1": "Datasets",
    "EV2": "Tuning and leakage",
    "EV3": "Random splits",
    "EV4": "Tests",
    "EV5": "Many tests",
    "EV6": "Metrics and probabilities",
    "EV7": "Claims",
    "EV8": "Earlier tests on the data",
    "EV9": "evalang itself",
}


def pages() -> dict[str, str]:
    """Path below docs -> text, of every generated page."""
    found = {"rules/index.md": list_rules()} | {f"rules/{r.code}-{r.name}.md": page(r.code) or "" for r in RULES}
    found |= {f"tests/{t.name}.md": _page(card_of_test(t.name)) for t in TESTS}
    found |= {f"metrics/{m.name}.md": _page(card(m.name) or "") for m in METRICS}
    return found | {
        "tests/index.md": _page(_lines(_tests())),
        "metrics/index.md": _page(_lines(_metrics())),
        "schemes.md": _page(_lines(_schemes())),
        "corrections.md": _page(_lines(_corrections())),
        "learners.md": _page(_lines(_learners())),
        "datasets.md": _page(_lines(_datasets())),
        "glossary.md": _page(_lines(_glossary())),
        "language/not-built.md": _page(_lines(_not_built())),
        "references.md": _page(_lines(_references())),
    }


def list_rules() -> str:
    """Return the page with the table of all rules and their levels."""
    lines = [
        "# The rules",
        "",
        *_RULES_PREFACE,
        "",
        "| code | name | default | strict | stage | what |",
        f"|{'---|' * 6}",
    ]
    family = ""
    for rule in RULES:
        if rule.code[:3] != family:
            family = rule.code[:3]
            lines.append(f"| **{_RULE_FAMILIES[family]}** | | | | | |")
        link = f"[{rule.code}]({rule.code}-{rule.name}.md)"
        level, strict = rule.level, rule.strict if rule.strict == rule.level else f"**{rule.strict}**"
        lines.append(f"| {link} | {rule.name} | {level} | {strict} | {', '.join(rule.stages)} | {rule.summary} |")
    return "\n".join(lines) + "\n"


def write(docs: Path = DOCS) -> list[str]:
    """Write every page that is out of date, delete those that are no longer made, and return what was done."""
    wanted = pages()
    done = []
    for folder in FOLDERS:
        for old in sorted((docs / folder).glob("*.md")):
            name = f"{folder}/{old.name}"
            if name not in wanted:
                old.unlink()
                done.append(f"{name} deleted")
    for name, text in wanted.items():
        path = docs / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            done.append(f"{name} written")
    return done


def _page(text: str) -> str:
    title, _, rest = text.partition("\n")
    return f"{title}\n\n{MADE}{rest.strip()}\n"


def _lines(lines: Iterator[str]) -> str:
    return "\n".join(lines) + "\n"


def _table(*head: str) -> str:
    return f"\n| {' | '.join(head)} |\n|{'---|' * len(head)}"


def _tests() -> Iterator[str]:
    yield "# The tests"
    yield "**Summary.** Write a test after `by`. Without `by` evalang selects the test that fits the design, and"
    yield "`evalang plan` shows why."
    yield "\n## Default tests"
    yield "On each dataset:"
    yield _table("scheme", "accuracy, error", "roc-area", "a mean of row losses (brier)", "any other (f-score)")
    for scheme in SCHEMES:
        if scheme.kind == "results":
            continue
        cells = [
            _chosen(*dataset_tests(scheme, 2, (_metric(m),))) for m in ("accuracy", "roc-area", "brier", "f-score")
        ]
        yield f"| `{scheme.form}` | {' | '.join(cells)} |"
    yield "\nWith three or more learners on one test set, the report also shows cochran-q."
    yield "\nOver several datasets:"
    yield _table("learners", "a metric without a unit", "a metric with a unit (rmse)")
    for count, words in ((2, "two"), (3, "three or more")):
        cells = [_names(over_datasets_tests(count, (_metric(m),))) for m in ("accuracy", "rmse")]
        yield f"| {words} | {' | '.join(cells)} |"
    for evidence, title in _EVIDENCE:
        entries = [t for t in TESTS if t.evidence == evidence]
        if entries:
            yield f"\n## {title}"
            yield _table("test", "name", "question that it answers")
            yield from (f"| [{t.name}]({t.name}.md) | {t.title} | {t.question} |" for t in entries)


def _metric(name: str) -> MetricEntry:
    found = find_metric(name)
    assert found is not None
    return found


def _chosen(tests: tuple[Test, ...], reason: str) -> str:
    return _names(tests) if tests else "none"


def _names(tests: tuple[Test, ...]) -> str:
    return ", then ".join(f"[{t.name}]({t.name}.md)" for t in tests)


def _metrics() -> Iterator[str]:
    yield "# The metrics"
    yield "Write a metric after `measuring`. The default is `accuracy` for classification and `rmse` for regression."
    yield _table("metric", "name", "better", "needs", "for")
    for m in METRICS:
        better = "higher" if m.higher_is_better else "lower"
        yield f"| [{m.name}]({m.name}.md) | {m.title} | {better} | {m.needs} | {', '.join(m.tasks)} |"


def _schemes() -> Iterator[str]:
    yield "# The schemes"
    yield "**Summary.** A scheme says how the rows are split into training and test rows. Write it after `using`."
    yield "[Which design?](howto/which-design.md) helps you choose. The power of a default test is given relative to"
    yield "`corrected-t` on `10x10cv`, as measured in the [study of levels](studies/levels/page.md)."
    yield from (_section(s.kind, s.references) for s in SCHEMES)


def _corrections() -> Iterator[str]:
    yield "# The corrections"
    yield "A correction adjusts the p-values of a family of tests, so that more tests do not give more false positives."
    yield "See [how to write a correction](language/corrections.md)."
    yield from (_section(c.name, c.references) for c in CORRECTIONS)


def _learners() -> Iterator[str]:
    yield "# Learners and preparation steps"
    yield "**Summary.** A script can use these names without defining them. See [learner](language/learner.md)."
    yield "\n## Learners"
    yield _table("name", "what", "for classes", "for numbers", "default parameters of evalang")
    for x in LEARNERS:
        defaults = ", ".join(f"{name} = {value}" for name, value in x.defaults)
        yield f"| {x.name} | {x.title} | {x.classifier or ''} | {x.regressor or ''} | {defaults} |"
    yield from (_section(x.name, x.references, 3) for x in LEARNERS)
    yield "\n## Steps"
    yield _table("name", "what", "estimator")
    yield from (f"| {s.name} | {s.title} | {s.transformer} |" for s in STEPS)
    yield from (_section(s.name, (), 3) for s in STEPS)
    yield "\n## Every other estimator of scikit-learn"
    yield "Use the full dotted name, as in `learner mine is sklearn.linear_model.RidgeClassifier(alpha = 2)`."
    yield "`evalang explain sklearn.linear_model.RidgeClassifier` lists the parameters.\n"
    yield from (f"- {e.dotted} ({', '.join(e.kinds)})" for e in map(find_estimator, estimator_names()) if e)


def _datasets() -> Iterator[str]:
    yield "# Bundled datasets"
    yield "A script can use these names without a `dataset` statement. Nothing is downloaded. See"
    yield "[dataset](language/dataset.md)."
    yield _table("name", "what", "rows", "features", "task", "classes", "origin")
    for d in BUNDLED:
        yield f"| {d.name} | {d.title} | {d.rows:,} | {d.features} | {d.task} | {d.classes or ''} | {d.origin} |"
    yield "\n## Generators"
    yield "Write a generator after `from synthetic`, as in `from synthetic gaussians(n = 300, overlap = 0.2)`."
    yield _table("name", "what", "parameters and defaults")
    for g in GENERATORS:
        parameters = ", ".join(f"{p.name} = {p.default}" for p in g.parameters)
        yield f"| {g.name} | {g.title} | {parameters} |"


def _glossary() -> Iterator[str]:
    yield "# Glossary"
    yield "**Summary.** This page explains the words of evalang scripts, reports and pages."
    for word, meaning in GLOSSARY.items():
        yield f"\n## {word}\n\n{meaning}"


def _not_built() -> Iterator[str]:
    yield "# Not built yet"
    yield ""
    yield "`lint`, `fmt` and `plan` accept these features, but `run` and `lint --data` reject them:"
    yield ""
    yield from (f"- {what}" for what in NOT_BUILT.values())


def _references() -> Iterator[str]:
    yield "# References"
    yield "**Summary.** This page lists the publications that the pages of tests and rules cite. A report prints those"
    yield "that its results are based on, also as BibTeX.\n\n## List of references\n"
    for r in sorted(REFERENCES, key=lambda r: r.key):
        yield f"- `{r.key}` {citation(r)}"


def _section(name: str, references: tuple[str, ...], depth: int = 2) -> str:
    """Return a card as a section of a page, with the keys of its references."""
    title, _, rest = (card(name) or "").partition("\n## References\n")[0].partition("\n")
    keys = f"\n\n**References:** [{', '.join(references)}](references.md)" if references else ""
    return f"\n{'#' * depth} {title.removeprefix('# ')}\n\n{rest.strip()}{keys}"


if __name__ == "__main__":
    print("\n".join(write()) or "every page is up to date")
