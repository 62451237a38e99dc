"""A result as a document: what it comes to, each comparison, claims, findings, methods, checklist, script."""

from __future__ import annotations

from dataclasses import replace

from ..results.run_result import RunResult
from ..source.finding import Finding
from . import numbers
from .bibliography import bibtex, references, written
from .checklist import checklist
from .comparison import comparison_section, glance
from .document import Block, Code, Column, Details, Document, List, Paragraph, Section, Table, Tone, with_own_keys
from .figures import choose
from .methods import methods
from .simulated import simulation_words
from .simulated_rates import rates_table
from .tables import number, text
from .view import View, views

GLANCE = ("comparison", "where", "metric", "verdict", "difference", "adjusted p", "learners")


def document(result: RunResult, subject: str | None = None, background: bool = True) -> Document:
    """The report of a run, or of one comparison; `background` adds methods, checklist and script."""
    found = views(result, subject)
    blocks: list[Block] = [_summary(result, found)]
    blocks += [comparison_section(view, choose.chosen(view)) for view in found]
    curves = choose.learning(found)
    blocks += [Section(key="learning", title="Learning curves", blocks=curves)] if curves else []
    blocks += [b for b in (_simulations(result, subject), _findings(result), _failures(found)) if b is not None]
    if background:
        behind = (_methods(result, subject), _checks(result), _script(result))
        blocks += [section for section in behind if section.blocks]
    script = result.plan.script
    title = f"Report on {subject}" if subject else f"Report on {script}" if script else "Report"
    return Document(title=title, subtitle=_subtitle(result, found), blocks=with_own_keys(tuple(blocks)))


def _subtitle(result: RunResult, found: tuple[View, ...]) -> str:
    learners = {name for view in found for name in view.learners}
    datasets = {name for view in found for name in view.datasets}
    counts = {
        "comparison": sum(not v.comparison.estimate for v in found),
        "estimate": sum(v.comparison.estimate for v in found),
        "simulation": len({o.name for o in result.simulations}),
        "learner": len(learners),
        "dataset": len(datasets),
        "trial": result.trials + result.reused,
    }
    parts = [numbers.plural(count, word) for word, count in counts.items() if count]
    finished = f"; finished {result.finished}" if result.finished else ""
    return (", ".join(parts) or "nothing was asked") + finished


def _summary(result: RunResult, found: tuple[View, ...]) -> Section:
    blocks: list[Block] = []
    errors = [f for f in result.findings if f.level == "error"]
    if errors:
        said = f"{numbers.plural(len(errors), 'finding')} at error level: {errors[0].message}"
        blocks.append(Paragraph(text=said, tone="warning", label="Findings"))
    unmet = sum(bool(v.unmet) for view in found for v in view.verdicts)
    if unmet:
        said = f"{numbers.plural(unmet, 'verdict rests', 'verdicts rest')} on conditions that were not met; see there."
        blocks.append(Paragraph(text=said, tone="warning", label="Conditions not met"))
    blocks += claim_blocks(result)
    rows = tuple(row for view in found for row in glance(view))
    if rows:
        total = sum(len(view.verdicts) for view in found)
        rest = total - len(rows)
        notes = (f"The clearest; {numbers.plural(rest, 'more verdict')} below.",) if rest else ()
        heads = tuple(Column(title=t, align="right" if t in ("difference", "adjusted p") else "left") for t in GLANCE)
        blocks.append(Table(key="verdicts", title="Verdicts", columns=heads, rows=rows, notes=notes))
    if not blocks:
        below = " What was simulated stands below." if result.simulations else ""
        below = " What was estimated stands below." if any(view.estimates for view in found) else below
        blocks.append(Paragraph(text=f"Nothing was compared, so there is no verdict.{below}"))
    return Section(key="summary", title="What it comes to", blocks=tuple(blocks))


def claim_blocks(result: RunResult, names: set[str] | None = None) -> list[Block]:
    """What became of each claim (of those named), with its reason."""
    written = {c.name: c.text for c in result.plan.claims}
    blocks: list[Block] = []
    for claim in result.claims:
        if names is not None and claim.claim not in names:
            continue
        said = f"{written.get(claim.claim) or claim.claim} ({claim.claim}): {claim.reason.rstrip('.')}."
        tone: Tone = "lead" if claim.status == "supported" else "warning"
        blocks.append(Paragraph(text=said, tone=tone, label=f"Claim {claim.status}"))
    return blocks


def _simulations(result: RunResult, subject: str | None) -> Section | None:
    """All of them; in a report on one comparison only those that are about it, and no pictures of the others."""
    told = [s for s in result.plan.simulations if subject is None or subject in s.subjects]
    if not result.simulations or not told:
        return None
    blocks: list[Block] = []
    for asked in told:
        own = tuple(o for o in result.simulations if o.name == asked.name)
        if own:
            blocks.append(rates_table(asked.name, own))
            blocks.append(Paragraph(text=" ".join(simulation_words(asked, own)), label=asked.name))
    names = {s.name for s in told}
    pictures = choose.simulations(replace(result, simulations=tuple(o for o in result.simulations if o.name in names)))
    return Section(key="simulations-section", title="Simulations", blocks=(*blocks, *pictures))


def _findings(result: RunResult) -> Section | None:
    blocks: list[Block] = []
    open_ones = tuple(
        f"{f.code} {f.name} ({f.level}){f', {f.subject.name}' if f.subject.name else ''}: {_sentences(f)}"
        for f in result.findings
    )
    if open_ones:
        blocks.append(List(items=open_ones))
    if result.allowed:
        allowed = tuple(
            f"{f.code} {f.name}: {f.message.rstrip('.')}. Allowed because: {why}" for f, why in result.allowed
        )
        blocks += [Paragraph(text="Found, and allowed by the author:", tone="note"), List(items=allowed)]
    if result.warnings:
        warned = tuple(f"{message} ({numbers.plural(n, 'trial')})" for message, n in result.warnings[:20])
        blocks.append(Details(summary="Warnings of the learners themselves", blocks=(List(items=warned),)))
    return Section(key="findings", title="Findings", blocks=tuple(blocks)) if blocks else None


def _sentences(finding: Finding) -> str:
    """Message and help as two sentences, however they end."""
    help_ = f" To do: {finding.help.rstrip('.')}." if finding.help else ""
    return f"{finding.message.rstrip('.')}.{help_}"


def _failures(found: tuple[View, ...]) -> Section | None:
    failures = [f for view in found for f in view.failures]
    if not failures:
        return None
    heads = ("comparison", "learner", "dataset", "partition", "fold", "kind", "message")
    rows = tuple(
        (
            *(text(word) for word in (f.comparison, f.learner, f.dataset)),
            *(number(str(place + 1), place + 1) for place in (f.partition, f.fold)),
            *(text(word) for word in (f.kind, f.message)),
        )
        for f in failures[:500]
    )
    notes = (f"The first 500 of {numbers.count(len(failures))}.",) if len(failures) > 500 else ()
    columns = tuple(Column(title=t) for t in heads)
    table = Table(key="failures", title="Trials without a score", columns=columns, rows=rows, notes=notes)
    return Section(key="failures-section", title="Failures", blocks=(table,))


def _methods(result: RunResult, subject: str | None) -> Section:
    blocks: list[Block] = [Paragraph(text=p) for p in methods(result, subject)]
    cited = references(result, subject)
    if cited:
        blocks.append(Paragraph(text="References for what was used:", tone="note"))
        blocks.append(List(items=tuple(written(reference) for reference in cited)))
        blocks.append(Details(summary="The same as BibTeX", blocks=(Code(text=bibtex(cited), language="bibtex"),)))
    return Section(key="methods", title="Methods", blocks=tuple(blocks), background=True)


def _checks(result: RunResult) -> Section:
    table = checklist(result)
    if not table.rows:
        return Section(key="checks", title="Checklist", blocks=(), background=True)
    passed, silent = len(result.passed), len(result.not_applicable)
    said = (
        f"{numbers.plural(passed, 'rule')} passed, {numbers.plural(len(result.findings), 'finding')}, "
        f"{len(result.allowed)} allowed, {silent} not applicable."
    )
    return Section(key="checks", title="Checklist", blocks=(Paragraph(text=said), table), background=True)


def _script(result: RunResult) -> Section:
    blocks: list[Block] = [Code(text=script, language="eval") for _, script in result.sources]
    if result.environment:
        rows = tuple((text(name), text(value)) for name, value in result.environment)
        heads = (Column(title="what"), Column(title="version"))
        blocks.append(Table(key="environment", title="Environment", columns=heads, rows=rows))
    return Section(key="script", title="Script and environment", blocks=tuple(blocks), background=True)
