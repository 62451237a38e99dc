"""A result as a document: the answer, each comparison, findings, methods, checklist, script."""

from __future__ import annotations

from dataclasses import replace

from ..catalogue.references import citation
from ..findings.rules import RULES
from ..language.text import Finding
from ..plans.model import Simulation
from ..results import numbers
from ..results.numbers import name
from ..results.records import LookCount, SimulationOutcome
from ..results.run_result import KEPT, RunResult, collection_paused
from .bibliography import bibtex, references
from .comparison import comparison_section, lead_paragraph, unmet
from .details import details_section
from .document import (
    Block,
    Code,
    ColumnHead,
    Details,
    Document,
    Figure,
    List,
    Paragraph,
    ReportTable,
    Section,
    by_columns,
    key,
    number,
    reworded,
    with_own_keys,
    words_column,
    words_table,
)
from .figures import choose
from .headline import Headline, headline
from .methods import methods
from .sentences import STATUS_LABELS, capital
from .simulated import rates_table, simulation_sentence, simulation_words
from .view import View, views

LEAKS = (
    *("EV105", "EV106", "EV107", "EV108", "EV120", "EV122"),  # rows, groups, time, the answer on both sides
    *("EV201", "EV205", "EV208", "EV215", "EV220", "EV221", "EV224", "EV225"),  # what was done on the test rows
)
MOST_CONDITIONS = 3  # comparisons whose first condition is given in the answer; a section gives the others
FEW_FAILURES = 10  # ours: more are folded away
MOST_FAILURES = 500


def document(result: RunResult, subject: str | None = None, background: bool = True, pictures: bool = True) -> Document:
    """Return the report of a run, or of one comparison; `background` adds methods, checklist and script.

    Without `pictures` none is chosen: a terminal shows none.
    """
    with collection_paused():
        return _document(result, subject, background, pictures)


def _document(result: RunResult, subject: str | None, background: bool, pictures: bool) -> Document:
    found = views(result, subject)
    headlines = [headline(view) for view in found]
    lead_figures: list[Figure | None] = [None] * len(found)
    if pictures:
        lead_figures = [choose.lead_figure(v, t.picture, t.metric) for v, t in zip(found, headlines, strict=True)]
    asked = tuple(s for s in result.plan.simulations if subject is None or subject in s.subjects)
    sections = []
    for place, (view, figure) in enumerate(zip(found, lead_figures, strict=True)):
        further = choose.further_figures(view, figure) if pictures else ()
        section = comparison_section(view, further, conditions_shown=int(place < MOST_CONDITIONS))
        if figure is not None:
            section, lead_figures[place] = _linked(section, figure)
        shown = () if place == 0 or lead_figures[place] is None else (lead_figures[place],)
        sections.append(replace(section, blocks=(*shown, *section.blocks)))
    rates = _rates(result, asked)
    # Without another figure, the first of the rates is shown in the answer.
    figures_in_answer = int(bool(rates) and not lead_figures and pictures)
    first = lead_figures[0] if lead_figures else replace(rates[0], lead=True) if figures_in_answer else None
    blocks: list[Block] = [_answer(result, found, headlines, asked, first), *sections]
    curves = choose.learning_curves(found) if pictures else ()
    blocks += [Section(key="learning", title="Learning curves", blocks=curves)] if curves else []
    more = [_simulations(result, asked, rates[figures_in_answer:]), _findings(result), _failures(found)]
    if background:
        more += [_methods(result, subject), details_section(result, found), _ledger(result, subject)]
        more += [_checks(result), _script(result)]
    blocks += [section for section in more if section.blocks]
    whole = tuple(blocks)
    if found and all(view.comparison.units == "items" for view in found):
        whole = reworded(whole, found[0].said)
    return Document(title=_title(result, found), subtitle=_subtitle(result, found), blocks=with_own_keys(whole))


def _title(result: RunResult, found: tuple[View, ...]) -> str:
    """Return what was compared; of several comparisons the learners, which the subtitle counts."""
    if len(found) == 1:
        return found[0].title
    names = list(dict.fromkeys(name for view in found for name in view.learners))
    if found:
        return numbers.listing(names, most=4)
    simulated = list(dict.fromkeys(one.name for one in result.simulations))
    return f"Simulation {numbers.listing(simulated)}" if simulated else "Report"


def _linked(section: Section, figure: Figure) -> tuple[Section, Figure]:
    """Return a comparison and its picture, the picture and the first table with links to each other."""
    first = next((b for b in section.blocks if isinstance(b, ReportTable)), None)
    if first is None:
        return section, figure
    blocks = tuple(replace(b, see=figure.key) if b is first else b for b in section.blocks)
    return replace(section, blocks=blocks), replace(figure, see=first.key)


def _item_counts(view: View, result: RunResult) -> tuple[str, ...]:
    """Return the items in words: those of all datasets together where there are several."""
    units = dict.fromkeys(filter(None, (*(v.units for v in view.verdicts), *(e.units for e in view.estimates))))
    together = tuple(dict.fromkeys(v.units for v in view.verdicts if v.units and v.dataset is None))
    counted = sum(len(one.items) for one in result.items if one.comparison == view.name)
    if len(view.datasets) < 2 or together or not counted or not units:
        return together or tuple(units)
    return (numbers.plural(counted, "item") + f" in {numbers.plural(len(view.datasets), 'dataset')}",)


def _subtitle(result: RunResult, found: tuple[View, ...]) -> str:
    learners = {name for view in found for name in view.learners}
    # Of a table of items the items are what is counted: "198 items, 5 epochs each".
    items = {view.name: units for view in found if (units := _item_counts(view, result))}
    datasets = {name for view in found for name in view.datasets if view.name not in items}
    counts = {
        "comparison": sum(not v.comparison.estimate for v in found),
        "estimate": sum(v.comparison.estimate for v in found),
        "simulation": len({o.name for o in result.simulations}),
        "learner": len(learners),
        "dataset": len(datasets),
        "fit": result.trials + result.reused,
    }
    parts = [numbers.plural(count, word) for word, count in counts.items() if count]
    parts += list(dict.fromkeys(one for units in items.values() for one in units))
    said = found[0].said if found and len(items) == len(found) else str
    parts = list(map(said, parts))
    finished = f"; finished {result.finished}" if result.finished else ""
    return (", ".join(parts) or "no comparison") + finished


def _answer(
    result: RunResult,
    found: tuple[View, ...],
    headlines: list[Headline],
    asked: tuple[Simulation, ...],
    figure: Figure | None,
) -> Section:
    """Return one or two sentences for each comparison and simulation, the picture of the first, the claims."""
    errors = [f for f in result.findings if f.level == "error" and f.code != "EV705"]  # a claim says that itself
    warnings = _leaks(result)
    if errors:
        summary = f"{numbers.plural(len(errors), 'finding')} at error level: {errors[0].message}"
        warnings.insert(0, Paragraph(text=summary, tone="warning", label="Findings"))
    blocks: list[Block] = []
    # The limits of an answer and the picture that shows it stand under it, before the other comparisons.
    for place, (view, answer) in enumerate(zip(found, headlines, strict=True)):
        blocks += [lead_paragraph(answer, len(found) > 1), *(warnings if place == 0 else [])]
        blocks += _unmet(view) if place < MOST_CONDITIONS else []
        blocks += [figure] if figure is not None and place == 0 else []
    simulated: list[Block] = [
        Paragraph(text=simulation_sentence(one, own), tone="lead", label=one.name if len(asked) > 1 else "")
        for one in asked
        if (own := _outcomes(result, one))
    ]
    if not found:
        simulated = [*simulated[:1], *warnings, *([figure] if figure is not None else []), *simulated[1:]]
    blocks += simulated
    blocks += claim_blocks(result)
    if not blocks:
        blocks.append(Paragraph(text="There is no verdict, because nothing was compared."))
    return Section(key="answer", title="Answer", blocks=tuple(blocks))


def _outcomes(result: RunResult, asked: Simulation) -> tuple[SimulationOutcome, ...]:
    return tuple(o for o in result.simulations if o.name == asked.name)


def _unmet(view: View) -> list[Block]:
    """Return the first condition that did not hold, which its section leaves out, and the number of others."""
    found = unmet(view.verdicts)
    more = f" {numbers.plural(len(found) - 1, 'more warning')} in the whole report." if len(found) > 1 else ""
    where = key("comparison", view.name)
    return [replace(one, text=f"{one.text}{more}", see=where, see_words="Where this applies") for one in found[:1]]


def _leaks(result: RunResult) -> list[Block]:
    """Return the first finding of a possible leak from training rows to test rows: it stands under the answer."""
    found = [(f, "") for f in result.findings if f.code in LEAKS and f.level != "error"]
    found += [(f, f" (allowed: {why.rstrip('.')})") for f, why in result.allowed if f.code in LEAKS]
    rest = numbers.plural(len(found) - 1, "more finding")
    more = f" The whole report has {rest} of this kind." if len(found) > 1 else ""
    return [
        Paragraph(text=f"{f.message.rstrip('.')}{why}.{more}", tone="warning", label="Possible data leakage")
        for f, why in found[:1]
    ]


def claim_blocks(result: RunResult, names: set[str] | None = None) -> list[Block]:
    """Return the outcome of each claim (of those named), with its reason."""
    texts = {c.name: c.text for c in result.plan.claims}
    return [
        Paragraph(
            text=f"{name(texts.get(claim.claim) or claim.claim)}. {capital(claim.reason.rstrip('.'))}.",
            tone="plain" if claim.status == "supported" else "warning",
            label=f"Claim {STATUS_LABELS.get(claim.status, claim.status)}",
        )
        for claim in result.claims
        if names is None or claim.claim in names
    ]


def _rates(result: RunResult, asked: tuple[Simulation, ...]) -> tuple[Figure, ...]:
    """Return the pictures of the simulations that the report is about."""
    names = {s.name for s in asked}
    chosen = tuple(o for o in result.simulations if o.name in names)
    return choose.simulation_figures(replace(result, simulations=chosen))


def _simulations(result: RunResult, asked: tuple[Simulation, ...], pictures: tuple[Figure, ...]) -> Section:
    blocks: list[Block] = []
    for one in asked:
        if own := _outcomes(result, one):
            blocks.append(rates_table(one.name, own))
            blocks.append(Paragraph(text=" ".join(simulation_words(one, own)), label=one.name))
    return Section(key="simulations-section", title="Simulations", blocks=(*blocks, *pictures))


def _findings(result: RunResult) -> Section:
    blocks: list[Block] = []
    if result.findings:
        blocks.append(List(items=tuple(map(_finding, result.findings))))
    if result.allowed:
        allowed = tuple(f"{f.code} {f.name}: {_allowed(f, why)}" for f, why in result.allowed)
        blocks += [Paragraph(text="Findings that the author allowed:", tone="note"), List(items=allowed)]
    if result.warnings:
        warned = [f"{' '.join(words.split())} ({numbers.plural(n, 'fit')})" for words, n in result.warnings[:20]]
        blocks.append(Details(summary="Python warnings of the learners", blocks=(List(items=tuple(warned)),)))
    return Section(key="findings", title="Findings", blocks=tuple(blocks))


def _allowed(f: Finding, why: str) -> str:
    return f"{f.message.rstrip('.')}. Reason given: {why}"


def _finding(f: Finding) -> str:
    where = f", {name(f.subject.name)}" if f.subject.name else ""
    help_ = f" Help: {f.help.rstrip('.')}." if f.help else ""
    return f"{f.code} {f.name} ({f.level}){where}: {f.message.rstrip('.')}.{help_}"


def _failures(found: tuple[View, ...]) -> Section:
    failures = [f for view in found for f in view.failures]
    shown = failures[:MOST_FAILURES]
    columns = [
        *(words_column(name, (getattr(f, name) for f in shown)) for name in ("comparison", "learner", "dataset")),
        *(
            (ColumnHead(title=title), [number(str(getattr(f, name) + 1), getattr(f, name) + 1) for f in shown])
            for title, name in (("repeat", "partition"), ("fold", "fold"))
        ),
        *(words_column(name, (getattr(f, name) for f in shown)) for name in ("kind", "message")),
    ]
    few = len(failures) > len(shown)
    notes = [f"The first {MOST_FAILURES} of {numbers.count(len(failures))} fits are shown."] * few
    blocks: tuple[Block, ...] = (by_columns("failures", "Fits without a score", columns, notes),) if shown else ()
    if len(shown) > FEW_FAILURES:
        one, count = failures[0], numbers.plural(len(failures), "fit")
        why = f"{name(one.learner)} on {name(one.dataset)}, {one.kind}: {one.message.rstrip('.')}."
        whole = Details(summary=f"Show {numbers.count(len(shown))} fits without a score", blocks=blocks)
        blocks = (Paragraph(text=f"{count} gave no score. The first failure is {why}"), whole)
    return Section(key="failures-section", title="Failures", blocks=blocks)


def _methods(result: RunResult, subject: str | None) -> Section:
    blocks: list[Block] = [Paragraph(text=p) for p in methods(result, subject)]
    cited = references(result, subject)
    if cited:
        blocks.append(Paragraph(text="References for the methods used:", tone="note"))
        blocks.append(List(items=tuple(citation(reference) for reference in cited)))
        blocks.append(Details(summary="References as BibTeX", blocks=(Code(text=bibtex(cited), language="bibtex"),)))
    return Section(key="methods", title="Methods", blocks=tuple(blocks), background=True)


def _ledger(result: RunResult, subject: str | None) -> Section:
    """Return how often each comparison's rows were tested before, the frozen design, and whether a ledger exists."""
    blocks: list[Block] = []
    if result.ledger and result.ledger != KEPT:
        blocks.append(Paragraph(text=f"This run is not in a ledger: {result.ledger}.", tone="warning"))
    looks = [one for one in result.looks if subject in (None, one.comparison)] if result.ledger == KEPT else []
    estimates = {c.name for c in result.plan.comparisons if c.estimate}
    blocks += [Paragraph(text=look_sentence(one, one.comparison in estimates), label=one.comparison) for one in looks]
    if result.frozen and result.ledger == KEPT:
        code, at = result.frozen
        blocks.append(Paragraph(text=f"The design was frozen on {at[:10]} under the code {code}."))
    return Section(key="ledger", title="Earlier tests on this data", blocks=tuple(blocks), background=True)


def look_sentence(one: LookCount, estimate: bool = False) -> str:
    """Return the earlier uses of the test rows of one comparison; an `estimate` has no significance level."""
    if not one.before:
        return "No run in the ledger tested these rows under another design before this design was first run."
    who = dict.fromkeys(
        f"{name(c)} of {name(study) if study else 'a script without a file'} on {at[:10]}"
        for at, study, c in one.before
    )
    earlier = ", ".join(tuple(who)[:4]) + (f" and {len(who) - 4} more" if len(who) > 4 else "")
    within = f" of {one.declared} that were declared" if one.declared else ""
    uses = f"This is use {one.number}{within} of these test rows. Earlier uses: {earlier}."
    if estimate:
        return uses
    return f"{uses} The significance level is {'' if one.corrected else 'not '}corrected for the earlier uses."


_OUTCOMES = ("error", "warning", "note", "allowed", "passed", "not applicable")  # in the order of the checklist


def _checks(result: RunResult) -> Section:
    """Return one row per rule and finding."""
    named = {rule.code: rule.name for rule in RULES}
    rows: list[tuple[str, ...]] = [(f.code, f.name, f.level, f.message, f.subject.name) for f in result.findings]
    rows += [(f.code, f.name, "allowed", _allowed(f, why), f.subject.name) for f, why in result.allowed]
    rows += [(code, named.get(code, ""), "passed", "", "") for code in result.passed]
    rows += [(code, named.get(code, ""), "not applicable", why, "") for code, why in result.not_applicable]
    rows.sort(key=lambda row: (_OUTCOMES.index(row[2]), row[0]))
    if not rows:
        return Section(key="checks", title="Checklist", blocks=())
    found, allowed = {f.code for f in result.findings}, {f.code for f, _ in result.allowed}
    total = len({*found, *allowed, *result.passed, *(code for code, _ in result.not_applicable)})
    numbered = (
        (len(result.passed), "passed"),
        (len(found), "gave findings"),
        (len(allowed), "gave only allowed findings"),
        (len(result.not_applicable), "did not apply"),
    )
    listed = numbers.listing([f"{n} {what}" for n, what in numbered if n])
    counts = f"Of {numbers.plural(total, 'rule')}, {listed}."
    heads = ("rule", "name", "outcome", "what", "where")
    notes: tuple[str, ...] = ("A rule that is not applicable was not checked; the column `what` gives the reason.",)
    notes = notes[: len(result.not_applicable)]
    table = words_table("checklist", "Checklist", heads, rows, notes)
    return Section(key="checks", title="Checklist", blocks=(Paragraph(text=counts), table), background=True)


def _script(result: RunResult) -> Section:
    blocks: list[Block] = [Code(text=script, language="eval") for _, script in result.sources]
    if result.environment:
        blocks.append(words_table("environment", "Environment", ("what", "version"), result.environment))
    return Section(key="script", title="Script and environment", blocks=tuple(blocks), background=True)
