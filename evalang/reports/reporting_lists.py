"""The reporting lists of NeurIPS, REFORMS and TRIPOD+AI, answered as far as a run can answer them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..results import numbers
from ..results.run_result import KEPT, RunResult
from .document import Document, Paragraph, Section, key, words_table
from .sentences import STATUS_LABELS

AUTHOR = "only the author can answer"
Answer = Callable[[RunResult], tuple[str, str]]  # what the run knows ("": nothing), and where the report says it


@dataclass(frozen=True, slots=True)
class ReportingList:
    """A checklist: (number, what it asks in our words) of each item, and what the run knows of some."""

    name: str
    source: str
    items: tuple[tuple[str, str], ...]
    answers: Mapping[str, Answer]


def _claims(run: RunResult) -> tuple[str, str]:
    texts = {c.name: c.text for c in run.plan.claims}
    outcomes = "; ".join(f"{texts.get(c.claim, c.claim)}: {STATUS_LABELS.get(c.status, c.status)}" for c in run.claims)
    return f"Claims of the script and their outcomes: {outcomes}." if outcomes else "", "Answer"


def _repeatable(run: RunResult) -> tuple[str, str]:
    versions = dict(run.environment)
    named = [f"{name} {versions[name]}" for name in ("evalang", "python", "scikit-learn", "numpy") if name in versions]
    text = "The script is the whole design; the same script on the same data gives the same fits"
    return f"{text} ({', '.join(named)}).", "Script and environment"


def _setting(run: RunResult) -> tuple[str, str]:
    schemes = dict.fromkeys(c.scheme.text for c in run.plan.comparisons if c.scheme is not None)
    grids = sum(bool(x.grids) for x in run.plan.learners if x.used)
    tuned = f"; {numbers.plural(grids, 'learner was', 'learners were')} tuned inside the training part" if grids else ""
    return f"Splits: {', '.join(schemes)}{tuned}. Seeds are in the script." if schemes else "", "Methods"


def _uncertainty(run: RunResult) -> tuple[str, str]:
    tests = dict.fromkeys(v.test.test for v in run.verdicts if v.test is not None)
    levels = dict.fromkeys(
        f"{100 * found.level:.4g}%" for v in run.verdicts if (found := v.interval) is not None
    ) or dict.fromkeys(f"{100 * e.interval.level:.4g}%" for e in run.estimates if e.interval is not None)
    spread = "± is the standard deviation of the scores behind a mean, not a standard error of the mean"
    if not tests and not levels:
        return "", "Answer"
    parts = [f"intervals of {', '.join(levels)}"] if levels else []
    parts += [f"tests: {', '.join(tests)}"] if tests else []
    varies = "The methods section says what varies between the scores."
    return f"{'; '.join(parts).capitalize()}; {spread}. {varies}", "Answer"


def _compute(run: RunResult) -> tuple[str, str]:
    system = dict(run.environment).get("system", "")
    when = f", from {run.started} to {run.finished}" if run.started and run.finished else ""
    trials = run.trials + run.reused
    if not trials:
        return "", "Script and environment"
    kept = f" ({run.reused} of them reused from an earlier run)" if run.reused else ""
    done = f"{numbers.plural(trials, 'fit')}{kept} on {system or 'an unknown system'}{when}"
    return f"This run alone, without earlier experiments: {done}.", "Script and environment"


def _data(run: RunResult) -> tuple[str, str]:
    tables = [f"{f.name}: {f.rows:,} rows{f', sha256 {f.digest[:12]}…' if f.digest else ''}" for f in run.facts]
    return f"{'; '.join(tables)}." if tables else "", "Methods"


def _population(run: RunResult) -> tuple[str, str]:
    drawn = [f"{s.name}: {s.sampled_from}" for s in run.plan.suites if s.sampled_from and s.used]
    return f"Sampled from: {'; '.join(drawn)}." if drawn else "", "Methods"


def _reasons(run: RunResult) -> tuple[str, str]:
    reasons = [f"{d.name}: {d.because}" for d in run.plan.datasets if d.used and d.because]
    reasons += [f"{s.name}: {s.because}" for s in run.plan.suites if s.used and s.because]
    return f"The script gives the reason for each choice: {'; '.join(reasons)}." if reasons else "", "Methods"


def _missing(run: RunResult) -> tuple[str, str]:
    shares = [f"{f.name}: {100 * f.missing:.3g}% of the cells are empty" for f in run.facts if f.missing is not None]
    return f"{'; '.join(shares)}; the methods section says how empty cells are filled in." if shares else "", "Methods"


def _measures(run: RunResult) -> tuple[str, str]:
    names = dict.fromkeys(m.label for c in run.plan.comparisons for m in c.metrics)
    return f"Measured: {', '.join(names)}." if names else "", "Methods"


def _performance(run: RunResult) -> tuple[str, str]:
    estimates = sum(v.interval is not None for v in run.verdicts) + sum(e.interval is not None for e in run.estimates)
    return (f"{numbers.plural(estimates, 'estimate')} with an interval; no subgroups." if estimates else ""), "Answer"


def _sizes(run: RunResult) -> tuple[str, str]:
    rows = dict.fromkeys(v.rows for v in run.verdicts if v.rows is not None)
    rows |= dict.fromkeys(e.rows for e in run.estimates if e.rows is not None)
    sizes = [f"trained on {train:.6g} and tested on {test:.6g} rows" for train, test in rows]
    return f"In each fold, on average: {'; '.join(sizes)}." if sizes else "", "Methods"


def _registered(run: RunResult) -> tuple[str, str]:
    where = "Earlier tests on this data"
    if run.frozen:
        frozen = f"The design was frozen on {run.frozen[1][:10]} under the code {run.frozen[0]}"
        return f"{frozen}; evalang verify lists changes.", where
    return ("The ledger has no frozen design of this script." if run.ledger == KEPT else ""), where


def _leakage(run: RunResult) -> tuple[str, str]:
    if not run.trials + run.reused or any(d.prepared_by for d in run.plan.datasets if d.used):
        return "", "Checklist"
    text = "Everything that is learned from data is fitted inside the training part of each fold"
    open_ones = dict.fromkeys(f.code for f in run.findings if f.level != "note")
    left = f"; open findings: {', '.join(open_ones)}" if open_ones else ""
    return f"{text}{left}.", "Checklist"


def _code(run: RunResult) -> tuple[str, str]:
    text = "The script is at the end of the report. The author adds where it is published."
    return (text if run.sources else ""), "Script and environment"


_NEURIPS = (
    ("1", "claims match what was found"), ("2", "limitations are discussed"), ("3", "assumptions and proofs"),
    ("4", "what is needed to reproduce the results"), ("5", "open access to data and code"),
    ("6", "details of training and testing: splits, parameters, how they were chosen"),
    ("7", "error bars and tests, and what they mean"), ("8", "compute: machine, memory, time"),
    ("9", "the code of ethics is kept"), ("10", "broader impacts"), ("11", "safeguards against misuse"),
    ("12", "licences and credit of what was used"), ("13", "documentation of what is new"),
    ("14", "crowdsourcing and human subjects"), ("15", "approval by a review board"),
)  # fmt: skip
_REFORMS = (
    ("1a", "the population that the claim is about"), ("1b", "why this population"), ("1c", "why machine learning"),
    ("2a", "the dataset, and how to identify it"), ("2b", "the code and its version"),
    ("2c", "the computing infrastructure"), ("2d", "instructions for reproducing the results"),
    ("2e", "a script that reproduces all results"), ("3a", "where the data come from, when, who labelled them"),
    ("3b", "what the dataset was sampled from"), ("3c", "why the dataset fits the task"),
    ("data quality", "missing values"), ("modelling", "how models were chosen and tuned"),
    ("leakage", "training and testing kept apart"), ("metrics and uncertainty", "metrics, intervals and tests"),
    ("generalizability", "evidence for validity elsewhere, and its limits"),
)  # fmt: skip
_TRIPOD = (
    ("1", "title"), ("2", "abstract"), ("3a", "healthcare context"), ("3b", "target population and users"),
    ("3c", "known health inequalities"), ("4", "objectives"), ("5a", "sources of the data, and why these"),
    ("5b", "dates of the data"), ("6a", "setting and centres"), ("6b", "eligibility"), ("6c", "treatments"),
    ("7", "preparation and quality checks"), ("8a", "outcome"), ("8b", "who assessed the outcome"),
    ("8c", "blinding of the outcome"), ("9a", "choice of predictors"), ("9b", "definition of predictors"),
    ("9c", "who assessed predictors"), ("10", "how the sample size of the study was chosen"), ("11", "missing data"),
    ("12a", "how the data were divided and used"), ("12b", "how predictors were handled"),
    ("12c", "models, their building, tuning and internal validation"), ("12d", "differences between clusters"),
    ("12e", "measures of performance and comparison"), ("12f", "model updating"),
    ("12g", "how predictions were calculated"), ("13", "class imbalance"), ("14", "fairness"),
    ("15", "output and thresholds"), ("16", "development against evaluation data"), ("17", "ethical approval"),
    ("18a", "funding"), ("18b", "conflicts of interest"), ("18c", "protocol"),
    ("18d", "registration in a public register, which a ledger is not"), ("18e", "data sharing"),
    ("18f", "code sharing"), ("19", "patients and public"), ("20a", "flow of participants"),
    ("20b", "characteristics"), ("20c", "comparison with the development data"),
    ("21", "participants and events in each analysis; here: rows"), ("22", "the full model"),
    ("23a", "performance with intervals, for subgroups too"), ("23b", "heterogeneity of performance"),
    ("24", "results of updating"), ("25", "interpretation"), ("26", "limitations"), ("27a", "poor input data"),
    ("27b", "what users need"), ("27c", "next steps"),
)  # fmt: skip
LISTS = (
    ReportingList(
        "NeurIPS paper checklist",
        "the checklist of 2024",
        _NEURIPS,
        {"1": _claims, "4": _repeatable, "6": _setting, "7": _uncertainty, "8": _compute},
    ),
    ReportingList(
        "REFORMS",
        "Kapoor et al. 2024, table 1, of which 1a to 3c were read; the other modules are listed without numbers",
        _REFORMS,
        {"1a": _population, "2a": _data, "2b": _repeatable, "2c": _compute, "2e": _code, "3b": _population,
         "3c": _reasons, "data quality": _missing, "modelling": _setting, "leakage": _leakage,
         "metrics and uncertainty": _uncertainty},
    ),
    ReportingList(
        "TRIPOD+AI",
        "Collins et al. 2024, table 2, for models that predict for patients",
        _TRIPOD,
        {"5a": _reasons, "11": _missing, "12a": _setting, "12c": _setting, "12e": _measures, "18c": _registered,
         "18f": _code, "21": _sizes, "23a": _performance},
    ),
)  # fmt: skip


def answered(found: ReportingList, number: str, run: RunResult) -> tuple[str, str]:
    """Return the answer and where the report gives it, or that only the author can answer."""
    answer, where = found.answers[number](run) if number in found.answers else ("", "")
    return (answer, where) if answer else (AUTHOR, "")


def reporting_lists(run: RunResult) -> Document:
    """Return the lists with what the run knows of each item."""
    blocks = tuple(_section(one, run) for one in LISTS)
    return Document(title=f"Checklists of {run.plan.script}", subtitle="", blocks=blocks)


def _section(found: ReportingList, run: RunResult) -> Section:
    answers = [answered(found, number, run) for number, _ in found.items]
    known = sum(answer != AUTHOR for answer, _ in answers)
    of = f"{known} of {len(answers)} items are answered from the run and its ledger. The other items {AUTHOR}."
    rows = [(*item, *answer) for item, answer in zip(found.items, answers, strict=True)]
    table = words_table(key(found.name), found.name, ("item", "what it asks", "answer", "where"), rows)
    blocks = (Paragraph(text=f"After {found.source}. {of}"), table)
    return Section(key=key(found.name, "list"), title=found.name, blocks=blocks)
