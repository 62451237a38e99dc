"""A help followed to the letter, way by way, as a reader would who takes the words and changes nothing else.

`ways` takes a script, what was found in it and the plan, and gives the scripts that its help leads to. A way that only
the author can go (another dataset, a sentence in the paper, a reason) is in AUTHOR, with what has to be decided; a help
that is in neither is a fault of the test or of the help.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evalang.catalogue.tests import TESTS
from evalang.findings.rule import appended, without
from evalang.language.text import Edit, Finding, Fix, SourceText, Span
from evalang.plans.build import Built, build
from evalang.plans.model import Comparison

PATH = "script.eval"


@dataclass(frozen=True)
class Reading:
    """A script, what was found in it, and the statement that is to change."""

    built: Built
    source: SourceText
    found: Finding
    turn: int = 0  # which of several comparisons that a claim rests on

    @property
    def comparison(self) -> Comparison | None:
        """The comparison it is about: named, or the one it stands in, or the last."""
        all_of = self.built.plan.comparisons
        named = [c for c in all_of if c.name == self.found.subject.comparison]
        inside = [c for c in all_of if c.span.start <= self.found.span.start < c.span.end]
        claims = [c for c in self.built.plan.claims if c.span == self.found.span or c.name == self.found.subject.name]
        evidence = [c for c in all_of if claims and c.name in claims[0].evidence]
        datasets = [c for c in all_of if self.found.subject.dataset in c.datasets]
        learners = [c for c in all_of if set(self.found.subject.learners) & set(c.learners)]
        everything = (*evidence, *named, *inside, *datasets, *learners, *reversed(all_of))
        return everything[min(self.turn, max(len(evidence) - 1, 0))] if everything else None

    def statement(self, kind: str, name: str = "") -> Span | None:
        """Where a statement of the kind stands: of that name, or the one the finding is about."""
        plan = self.built.plan
        c = self.comparison
        of = {"dataset": (plan.datasets, c.datasets if c else ()), "learner": (plan.learners, c.learners if c else ())}
        of |= {"results": (plan.results, c.datasets if c else ())}
        written, used = of[kind]
        at = [x.span for x in written if x.span.path and x.span.start <= self.found.span.start < x.span.end]
        about = (self.found.subject.dataset, *self.found.subject.learners, self.found.subject.statement)
        meant = [x.span for x in written if x.span.path and x.name in (name, *about)]
        others = [x.span for x in written if x.span.path and x.name in used]
        return next(iter((*meant, *at, *others)), None)

    def with_edits(self, *edits: Edit) -> str:
        """The script after the edits."""
        text = self.source.text
        for edit in sorted(edits, key=lambda one: (one.span.start, one.span.end), reverse=True):
            text = text[: edit.span.start] + edit.text + text[edit.span.end :]
        return text

    def add(self, clause: str, at: Span | None = None) -> str | None:
        """A clause more; one that the statement has already is written anew in its place."""
        at = at or (self.comparison.span if self.comparison else None)
        if at is None:
            return None
        word = clause.split()[0]
        had = self._clause({"holm": "correct", "bonferroni": "correct", "all": "pairs"}.get(word, word))
        if had is not None and self.comparison and at == self.comparison.span and word not in ("allow", "because"):
            return self.with_edits(Edit(had, clause))
        return self.with_edits(appended(self.source, at, clause))

    def put(self, *clauses: str) -> str | None:
        """Clauses of the comparison in place of those it has, or beside them."""
        c = self.comparison
        if c is None:
            return None
        edits, more = [], []
        for clause in clauses:
            had = self._clause({"holm": "correct"}.get(clause.split()[0], clause.split()[0]))
            (edits.append(Edit(had, clause)) if had else more.append(clause))
        if more:
            edits.append(appended(self.source, c.span, ", ".join(more)))
        return self.with_edits(*edits)

    def cut(self, word: str) -> str | None:
        """The script without a clause of the comparison."""
        had = self._clause(word)
        return self.with_edits(without(self.source, had)) if had else None

    def again(self, text: str | None) -> Reading | None:
        """The script after a first step, to be read for the second."""
        if text is None:
            return None
        source = SourceText(PATH, text)
        return Reading(build(source), source, self.found, self.turn)

    def swap(self, old: str, new: str, at: Span | None = None) -> str | None:
        """Other words in a statement, the first time they stand there."""
        at = at or (self.comparison.span if self.comparison else None)
        if at is None:
            return None
        text = self.source.cut(at)
        found = re.search(rf"(?<![\w-]){re.escape(old)}(?![\w-])", text)
        if found is None:
            return None
        return self.with_edits(Edit(Span(at.path, at.start + found.start(), at.start + found.end()), new))

    def _clause(self, word: str) -> Span | None:
        found = [span for name, span in self.comparison.spans if name == word] if self.comparison else []
        return found[0] if found else None


def fixed(text: str, fix: Fix) -> str:
    """The script after a repair."""
    for edit in sorted(fix.edits, key=lambda one: one.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


Way = Callable[[Reading, "re.Match[str]"], str | None]


def _seed(said: str) -> list[str]:
    return ["seed 1"] if said else []


def _leave_by_and(r: Reading, using: str, seed: str) -> str | None:
    less = r.again(r.cut("by"))
    return less.put(f"using {using}", *_seed(seed)) if less else None


def _this_classifier(r: Reading) -> str | None:
    c = r.comparison
    if c is None:
        return None
    word = r.source.cut(c.span).split()[0]
    return r.swap(word, f"{word} this classifier")


def _scaled(r: Reading, m: re.Match[str]) -> str | None:
    c, name = r.comparison, m[1]
    if c is None:
        return None
    said = r.source.cut(c.span).replace(name, "scaled", 1)
    return r.with_edits(Edit(c.span, f"learner scaled is scale | {name}\n{said}"))


def _new_set(r: Reading, m: re.Match[str]) -> str | None:
    """The grouped datasets in a statement of their own, the others where they were."""
    c = r.comparison
    if c is None or not c.dataset_spans:
        return None
    grouped = re.split(r", | and ", m[1])
    rest = [d for d in c.datasets if d not in grouped]
    on = Span(c.span.path, c.dataset_spans[0].start, c.dataset_spans[-1].end)
    own = SourceText(PATH, r.with_edits(Edit(on, ", ".join(grouped))))
    there = Reading(build(own), own, r.found).put(f"using {m[2]}", "holm over everything")
    first = SourceText(PATH, r.with_edits(Edit(on, ", ".join(rest))))
    here = Reading(build(first), first, r.found).put("holm over everything")
    if here is None or there is None:
        return None
    statements = [s for s in there.splitlines() if s.startswith(("compare", "estimate"))]
    return here.rstrip("\n") + "\n" + statements[0] + "\n"


def _on_learner(r: Reading, clause: str, name: str = "") -> str | None:
    at = r.statement("learner", name)
    return r.add(clause, at) if at else None


def _on_dataset(r: Reading, clause: str, name: str = "") -> str | None:
    at = r.statement("dataset", name)
    return r.add(clause, at) if at else None


def _both(r: Reading, first: str | None, then: Callable[[Reading], str | None]) -> str | None:
    read = r.again(first)
    return then(read) if read else None


def _folds_of_groups(r: Reading, m: re.Match[str]) -> str | None:
    bare = r.again((r.cut("by") or r.source.text).replace("this classifier ", ""))
    return bare.put(f"using {m[1]}", *_seed(m[2])) if bare else None


def _no_tost(r: Reading, using: str | None, seed: str | None) -> str | None:
    less = r.again(r.cut("by"))
    less = less.again(less.cut("rope") or less.source.text) if less else None
    if less is None or using is None:
        return less.source.text if less else None
    return less.put(f"using {using}", *_seed(seed or ""))


_NAME = r"[\w.-]+"
_TEST = "|".join(re.escape(test.name) for test in TESTS)
_SEED = r"((?:, seed 1)?)"
_SCHEME = (
    r"(?:grouped |stratified |unstratified )*(?:holdout [\w/%]+|\d+ partitions of \w+|\w*\d*cv|forward 8 splits|"
    r"\d+ resamples of [\w/]+|\d+ trainings of \d+|leave-one-out|bootstrap \d+)"
)
# What a help may say, and what a reader then does. The first that fits counts.
WAYS: tuple[tuple[str, Way], ...] = (
    (rf"leave out `by` and write using (10 halvings of 10x10cv){_SEED} for .*",
     lambda r, m: _leave_by_and(r, m[1], m[2])),
    (rf"(write|leave out) (10 halvings of 10x10cv){_SEED} for an answer at nearly all rows",
     lambda r, m: _leave_by_and(r, m[2], m[3]) if m[1] == "leave out" else r.put(f"using {m[2]}", *_seed(m[3]))),
    (r"write using (grouped 10cv)((?:, seed 1)?)(?: without .*)?: folds are its units", _folds_of_groups),
    (rf"leave out `by` and `rope`(?: and write using ({_SCHEME}){_SEED})?", lambda r, m: _no_tost(r, m[1], m[2])),
    (rf"leave out `expecting` and write using ({_SCHEME}){_SEED}.*",
     lambda r, m: _both(r, r.cut("expecting"), lambda q: q.put(f"using {m[1]}", *_seed(m[2])))),
    (rf"add (holm over datasets) and write using ({_SCHEME}) by ([\w-]+)",
     lambda r, m: r.put(m[1], f"using {m[2]}", f"by {m[3]}")),
    (r"write within (\d+) looks", lambda r, m: re.sub(r"within \d+ looks", f"within {m[1]} looks", r.source.text)),
    (r"leave out `until settled`.*", lambda r, m: r.cut("until")),
    (r"leave out `failures`", lambda r, m: r.cut("failures")),
    (r"leave out `threshold on`", lambda r, m: r.cut("threshold")),
    (r"leave out `threshold`", lambda r, m: r.swap(", threshold 0.3", "", r.found.span)),
    (r"write (bonferroni over learners)", lambda r, m: r.swap("holm over learners", m[1])),
    (r"write (by [\w-]+) and leave out `rope`", lambda r, m: _both(r, r.cut("rope"), lambda q: q.put(m[1]))),
    (rf"add rope 2 points and write using ({_SCHEME}).*", lambda r, m: r.put("rope 2 points", f"using {m[1]}")),
    (rf"leave out `by` and write using ({_SCHEME}){_SEED}.*", lambda r, m: _leave_by_and(r, m[1], m[2])),
    (r"leave out `by` and add (seed 1):.*", lambda r, m: _both(r, r.cut("by"), lambda q: q.put(m[1])) or r.put(m[1])),
    (rf"leave out according to ({_NAME})", lambda r, m: r.swap(f"according to {m[1]}", "", r.found.span)),
    (r"leave out `by` and write compare this classifier.*", lambda r, m: _both(r, r.cut("by"), _this_classifier)),
    (r"leave out `by`.*", lambda r, m: r.cut("by")),
    (r"leave out `(expecting)`.*", lambda r, m: r.cut("expecting")),
    (r"leave it out and test both sides", lambda r, m: r.cut("expecting")),
    (r"leave out `without retraining`.*", lambda r, m: r.cut("retraining")),
    (r"leave out unstratified", lambda r, m: r.swap("unstratified ", "") or r.swap("unstratified", "")),
    (r"leave out this classifier", lambda r, m: r.swap("this classifier ", "") or r.swap("this classifier", "")),
    (r"leave out the using clause.*", lambda r, m: r.cut("using")),
    (rf"write using ({_SCHEME}),? by ({_TEST}){_SEED}.*",
     lambda r, m: r.put(f"using {m[1]}", f"by {m[2]}", *_seed(m[3]))),
    (rf"write by ([\w-]+) with ({_SCHEME})", lambda r, m: r.put(f"by {m[1]}", f"using {m[2]}")),
    (rf"use ({_SCHEME}) by ([\w-]+).*", lambda r, m: r.put(f"using {m[1]}", f"by {m[2]}")),
    (rf"(?:add|write|train again and again:|use|use larger test parts, such as) using ({_SCHEME}){_SEED}\b.*",
     lambda r, m: r.put(f"using {m[1]}", *_seed(m[2]))),
    (rf"(?:use|compare with) ({_SCHEME}){_SEED}\b.*", lambda r, m: r.put(f"using {m[1]}", *_seed(m[2]))),
    (r"write by tost with a rope", lambda r, m: r.put("by tost", "rope 1%")),
    (r"write (nemenyi|bonferroni-dunn) for all pairs", lambda r, m: r.swap("bonferroni-dunn", m[1])),
    (rf"(?:write by|use) ((?:{_TEST}), (?:{_TEST}))$", lambda r, m: r.put(f"by {m[1]}")),
    (r"(?:write|use) holm in its place", lambda r, m: r.swap(_method(r), "holm")),
    (r"(?:add|write) holm over everything in (?:each of them|both)", lambda r, m: _everywhere(r)),
    (r"(?:add|write) (holm over [a-z, ]+)$", lambda r, m: r.put(m[1])),
    (r"write compare this classifier.*|compare this classifier if .*", lambda r, m: _this_classifier(r)),
    (r"write claim this classifier.*", lambda r, m: r.swap("claim", "claim this classifier", r.found.span)),
    (r"add positive \"…\" to the dataset statement", lambda r, m: _on_dataset(r, 'positive "a"')),
    (r"say positive \"…\" against the rest in the dataset statement",
     lambda r, m: _on_dataset(r, 'positive "a" against the rest')),
    (r"add because \"…\" to the (dataset)\b", lambda r, m: _on_dataset(r, 'because "r"')),
    (r"add because \"…\" (?:to the learner)?:.*", lambda r, m: _on_learner(r, 'because "r"')),
    (r"add because \"…\": where the value comes from.*", lambda r, m: _on_learner(r, 'because "r"')),
    (r"add because \"…\": why these two.*", lambda r, m: r.put('because "r"')),
    (rf"write suite chosen is ({_NAME}), … because \"…\" and compare on that", lambda r, m: _chosen(r, m[1])),
    (r"add calibrate platt to the learner and calibrate on (\d+%) to the comparison",
     lambda r, m: _both(r, _on_learner(r, "calibrate platt"), lambda q: q.put(f"calibrate on {m[1]}"))),
    (r"use calibrate platt\b.*", lambda r, m: r.swap("isotonic", "platt", r.statement("learner"))),
    (r"add train 5 times to (.+) and leave out `by`",
     lambda r, m: _both(r, r.cut("by"), lambda q: _trained(q, re.split(r", | and ", m[1])))),
    (r"add train 5 times to (.+)", lambda r, m: _trained(r, re.split(r", | and ", m[1]))),
    (r"add (rope [\w ]+?) and write compare this classifier.*", lambda r, m: _both(r, r.put(m[1]), _this_classifier)),
    (rf"write learner scaled is scale \| ({_NAME}), and compare that", _scaled),
    (rf"write scale \| ({_NAME})$", lambda r, m: r.swap(m[1], f"scale | {m[1]}", r.statement("learner"))),
    (rf"compare on ([\w, -]+?) in a statement of its own, using ({_SCHEME})", _new_set),
    (r"add (groups|time) (\"[^\"]+\") to the dataset and write using (.+)$",
     lambda r, m: _both(r, _on_dataset(r, f"{m[1]} {m[2]}"), lambda q: q.put(f"using {m[3]}"))),
    (r"add series in (\"[^\"]+\") to the dataset", lambda r, m: _on_dataset(r, f"series in {m[1]}")),
    (r"add groups (\"[^\"]+\") to the results", lambda r, m: r.add(f"groups {m[1]}", r.statement("results"))),
    (r"add groups (\"[^\"]+\") to the results and (seed 1) to the comparison",
     lambda r, m: _both(r, r.add(f"groups {m[1]}", r.statement("results")), lambda q: q.put(m[2]))),
    (r"(?:add )?drop ((?:\"[^\"]+\"(?:, )?)+)(?: unless known when predicting)?",
     lambda r, m: _on_dataset(r, f"drop {m[1]}")),
    (r"add drop repeated rows to the dataset", lambda r, m: _on_dataset(r, "drop repeated rows")),
    (r"add missing ((?:\"[^\"]+\"(?:, )?)+) if that means no value", lambda r, m: _on_dataset(r, f"missing {m[1]}")),
    (r"write \(categorical = (\"[^\"]+\")\) after the file if they are names",
     lambda r, m: _categorical(r, m[1])),
    (r"leave the allow out|mend what it finds; nothing can be run before that", lambda r, m: None),
    (r"add a known learner|add majority, to the comparison", lambda r, m: _joined(r, "majority")),
    (r"write measuring ([\w-]+) in the claim", lambda r, m: r.add(f"measuring {m[1]}", r.found.span)),
    (r"add balanced-accuracy.*", lambda r, m: _measuring_too(r, "balanced-accuracy")),
    (r"(?:add|write) roc-area", lambda r, m: _measuring_too(r, "roc-area")),
    (r"(?:add|write) f-score", lambda r, m: _measuring_too(r, "f-score")),
    (rf"measure ({_NAME}) too, and correct over metrics", lambda r, m: _measuring_too(r, m[1])),
    (rf"measure ({_NAME})\b.*", lambda r, m: r.put(f"measuring {m[1]}")),
    (r"write (top-k\(k = \d+\))", lambda r, m: r.put(f"measuring {m[1]}")),
    (rf"write control ({_NAME}) in place of all pairs",
     lambda r, m: _both(r, r.cut("pairs"), lambda q: q.put(f"control {m[1]}"))),
    (r"name a test of two learners(, whose interval bounds the difference)?", lambda r, m: None),
    (r"turn the claim round", lambda r, m: _turned(r)),
    (r"write expecting ([\w-]+) better because \"…\"", lambda r, m: r.put(f'expecting {m[1]} better because "r"')),
    (r"use 0\.05", lambda r, m: _level(r)),
    (r"write compare ([\w .-]+) on ([\w, -]+)$", lambda r, m: _compared(r, m[1], m[2])),
    (r"compare ([\w .-]+) on ([\w, -]+?)(, measuring [\w-]+)?$", lambda r, m: _more(r, m[1], m[2], m[3] or "")),
    (r"put the steps? in front of the learners: (.+) \| …", lambda r, m: _prepared(r, m[1])),
    (r"let both try about as many \(try (\d+) .*", lambda r, m: _tries(r, int(m[1]))),
    (r"keep one of them, .*", lambda r, m: _first_alone(r)),
    (r"add because \"…\" to the suite ([\w-]+)", lambda r, m: _reasoned(r, m[1])),
    (r"add calibrate platt to the learner", lambda r, m: _on_learner(r, "calibrate platt")),
    (r"write threshold on (\d+%).*", lambda r, m: r.add(f"threshold on {m[1]}")),
    (r"claim it on the datasets compared", lambda r, m: r.swap("new datasets", _compared_on(r), r.found.span)),
    (r"train each learner once: holdout 1/3 without train N times", lambda r, m: None),
    (r"report seed \d+|report both", lambda r, m: None),
    (r"(?:add|write) (set seed \d+) for the whole script", lambda r, m: f"{m[1]}\n{r.source.text}"),
    (r"(?:add|write) (seed \d+|tune on \d+%|tune using \d+cv|calibrate on (?:\d+%|tuning)|rope \d+ points|"
     r"rope [\w%.]+|control [\w-]+|all pairs|measuring [\w-]+|primary [\w-]+)(?: \(.*\)|[:,].*)?",
     lambda r, m: r.put(m[1])),
    (r"tune on (\d+%)", lambda r, m: r.put(f"tune on {m[1]}")),
    (rf"(?:write by|use) ({_TEST})(?:,? .*)?$", lambda r, m: r.put(f"by {m[1]}")),
)  # fmt: skip


def _first_alone(r: Reading) -> str | None:
    """The first comparison of those that the message names, without the others."""
    text = r.source.text
    for c in reversed(r.built.plan.comparisons):
        if re.search(rf"(?<![\w-]){re.escape(c.name)}(?![\w-])", r.found.message.partition(" differ")[0]):
            kept, text = (c.span, text), text[: c.span.start] + text[c.span.end :]
    return f"{text.rstrip()}\n{kept[1][kept[0].start : kept[0].end]}\n"


def _reasoned(r: Reading, name: str) -> str | None:
    suite = next((s for s in r.built.plan.suites if s.name == name), None)
    return r.with_edits(appended(r.source, suite.span, 'because "r"')) if suite else None


def _level(r: Reading) -> str | None:
    """The level where it is said: in the comparison, or once for all."""
    if re.search(r"(?m)^set alpha", r.source.cut(r.found.span)) or not any(w == "at" for w, _ in _spans(r)):
        return re.sub(r"(?m)^set alpha .*$", "set alpha 0.05", r.source.text)
    return r.put("at 0.05")


def _spans(r: Reading) -> tuple[tuple[str, Span], ...]:
    return r.comparison.spans if r.comparison else ()


def _trained(r: Reading, names: list[str]) -> str | None:
    """`train 5 times` for each of the learners; one without a statement of its own gets one."""
    text, plan = r.source.text, r.built.plan
    for learner in sorted(plan.learners, key=lambda one: one.span.start, reverse=True):
        if learner.name in names and learner.span.path:
            edit = appended(r.source, learner.span, "train 5 times")
            text = text[: edit.span.start] + edit.text + text[edit.span.end :]
        elif learner.name in names:
            own = f"again-{learner.name}"
            text = re.sub(rf"(?<![\w-]){re.escape(learner.name)}(?![\w-])", own, text)
            text = f"learner {own} is {learner.name}, train 5 times\n{text}"
    return text


def _method(r: Reading) -> str:
    correction = r.comparison.correction if r.comparison else None
    return correction.method if correction else ""


def _everywhere(r: Reading) -> str | None:
    text: str | None = r.source.text
    for c in reversed(r.built.plan.comparisons):
        if c.estimate:
            continue
        had = [span for word, span in c.spans if word == "correct"]
        source = SourceText(PATH, text or "")
        edit = Edit(had[0], "holm over everything") if had else appended(source, c.span, "holm over everything")
        text = source.text[: edit.span.start] + edit.text + source.text[edit.span.end :]
    return text


def _chosen(r: Reading, name: str) -> str | None:
    c = r.comparison
    if c is None:
        return None
    everything = ", ".join(c.datasets)
    on = Span(c.span.path, c.dataset_spans[0].start, c.dataset_spans[-1].end)
    return f'suite chosen is {everything} because "r"\n' + r.with_edits(Edit(on, "chosen"))


def _categorical(r: Reading, name: str) -> str | None:
    at = r.statement("dataset")
    if at is None:
        return None
    text = re.sub(r'(csv "[^"]+")', rf"\1(categorical = {name})", r.source.cut(at), count=1)
    return r.with_edits(Edit(at, text))


def _joined(r: Reading, name: str) -> str | None:
    c = r.comparison
    last = c.learner_spans[-1] if c and c.learner_spans else None
    if last is None:
        return None
    joined = r.again(r.with_edits(Edit(Span(last.path, last.end, last.end), f" vs {name}")))
    return joined.put(f"control {name}", "holm over learners") if joined else None


def _measuring_too(r: Reading, name: str) -> str | None:
    c = r.comparison
    if c is None:
        return None
    names = ", ".join([*(m.name for m in c.metrics), name])
    over = ["holm over metrics"] if not c.estimate and c.correction is None else []
    return r.put(f"measuring {names}", *over)


def _turned(r: Reading) -> str | None:
    claims = [c for c in r.built.plan.claims if c.span == r.found.span]
    if not claims:
        return None
    said = r.source.cut(claims[0].span)
    turned = re.sub(r"([\w.-]+) better than ([\w.-]+)", r"\2 better than \1", said)
    return r.with_edits(Edit(claims[0].span, turned))


def _compared(r: Reading, learners: str, data: str) -> str | None:
    """The estimates go, the comparison that was meant comes; how it is made the author says."""
    text = r.source.text
    for c in reversed(r.built.plan.comparisons):
        if c.estimate:
            text = text[: c.span.start] + text[c.span.end :]
    data = data.replace(" and ", ", ")
    tests = " all pairs, holm over everything" if learners.count(" vs ") > 1 or "," in data else ""
    return f"{text.rstrip()}\ncompare {learners} on {data} using 10x2cv, seed 1{tests}\n"


def _more(r: Reading, learners: str, data: str, measured: str) -> str | None:
    """One comparison more, in one family with the others."""
    whole = _everywhere(r) or ""
    data = data.replace(" and ", ", ")
    return f"{whole.rstrip()}\ncompare {learners} on {data} using 10x2cv, seed 1{measured}, holm over everything\n"


def _prepared(r: Reading, steps: str) -> str | None:
    """The steps in front of every learner of the comparison, and out of the dataset."""
    c = r.comparison
    if c is None:
        return None
    text = re.sub(r",? ?prepared by [^\n]+?(?= because|\n)", "", r.source.text)
    named = {x.name: x for x in r.built.plan.learners}
    for name in c.learners:
        one = named[name]
        if one.implicit:
            text = re.sub(rf"(?m)^(compare.*?)(?<![\w-]){re.escape(name)}(?![\w-])", rf"\1with-{name}", text)
            text = f"learner with-{name} is {steps} | {name}\n{text}"
        else:
            text = re.sub(rf"(learner {re.escape(name)} is )", rf"\1{steps} | ", text)
    return text


def _tries(r: Reading, few: int) -> str | None:
    c = r.comparison
    counted = [x for x in r.built.plan.learners if c and x.name in c.learners and (x.candidates or 0) > few]
    if not counted or not counted[-1].span.path:
        return None
    largest = max(counted, key=lambda one: one.candidates or 0)
    text = re.sub(r",? ?try \d+", "", r.source.cut(largest.span))
    return r.with_edits(Edit(largest.span, f"{text.rstrip()}, try {few}"))


def _compared_on(r: Reading) -> str:
    c = r.comparison
    return ", ".join(r.source.cut(span) for span in c.dataset_spans) if c else ""


# What only the author can do: no words of a script follow from these.
AUTHOR = (
    r"start from the rows as they were, and do it inside each training part",
    r"write simulate with .*",
    r"did you mean .*", r"see .*", r"name one test", r"declare it in .*", r"use another scheme", r"another scheme",
    r"the metric that the task is about", r"the one that the task is about",
    r"take .*", r"show .*", r"name more .*", r"say in the report .*", r"find the scores", r"the scores of .*",
    r"run both .*", r"compare what one source reports", r"have people .*", r"sample every item .*",
    r"leave the row out of the file", r"write missing .*", r"groups for what makes them one case", r"more rows",
    r"leave the class out, join it with another", r"use fewer .*", r"use \d+ folds or fewer", r"make them .*",
    r"give .*", r"allow EV\d+ because .*", r"set allow EV\d+ because .*", r"write allow EV\d+ because .*",
    r"say .*", r"try values .*", r"tune it.*", r"tune on other .*", r"stop it .*", r"change one .*",
    r"compare something else", r"report .*", r"look .*", r"leave the clause out", r"write (?:seeds|epochs) in .*",
    r"add the column .*", r"correct .*", r"read them .*", r"leave the claim out", r"go back .*", r"both",
    r"[\d,]+ (?:test rows|rows|items) would .*", r"of fewer describe .*",
    r"no number of them could: .*", r"keep wilcoxon .*", r"compare the scores .*", r"to a suite it is in",
    r"leave the statement out", r"use \w[\w-]* in a comparison", r"give one .*", r"compare on .*", r"ask what .*",
    r"write estimate for one learner", r"the language says .*", r"keep one of the two.*", r"write a .*",
    r"r2", r"mae or r2", r"leave out the test over datasets .*", r"a wider rope needs fewer",
    r"compare everybody .*", r"write the numbers .*",
)  # fmt: skip


def pieces(help: str) -> list[str]:
    """The ways of a help, each with its verb: "add x, or y" is "add x" and "add y"."""
    found = re.split(r", or (?![^(]*\))|; (?=keep|a wider)", help)
    verb = re.match(r"(add|write|use|leave out|measure|take|say|report)\b", found[0])
    if re.match(r"(set seed|tune using)", found[-1]):
        found[-1] = f"write {found[-1]}"
    told = [re.sub(r"^add (seed \d+) to its settings.*", r"write simulate with \1", found[0])]
    for one in found[1:]:
        said = re.match(
            r"(?:add|write|use|leave|say|take|measure|compare|train|name|turn|allow|set|make|join|report|tune|ask|find|show"
            r"|correct|using|drop|keep|change|give|the|another|more|groups|both|to|if|or|by|it|r2)\b",
            one,
        )
        if said and said[0] in ("using", "by"):
            told.append(f"write {one}")
        else:
            told.append(one if said or verb is None else f"{verb[1]} {one}")
    return told


def ways(reading: Reading) -> Iterator[tuple[str, str | None]]:
    """(what is said, the script it leads to) of every way; None where the author decides. LookupError: not known."""
    for piece in pieces(reading.found.help):
        for pattern, way in WAYS:
            if match := re.fullmatch(pattern, piece, re.DOTALL):
                yield piece, way(reading, match)
                break
        else:
            if not any(re.fullmatch(pattern, piece, re.DOTALL) for pattern in AUTHOR):
                raise LookupError(f"{reading.found.code}: {piece}")
            yield piece, None
