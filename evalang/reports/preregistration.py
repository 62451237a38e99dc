"""A frozen design for others: a preregistration in Markdown; an in-toto statement and an RO-Crate for programs."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from ..catalogue.sources import find_reader
from ..ledger.chain import NAME
from ..ledger.designs import describe_value, design_of
from ..plans.default_tests import question_text
from ..plans.description import describe
from ..plans.model import Plan
from . import markdown
from .document import Block, Code, Document, List, Section, key

PREDICATE = "https://evalang.org/frozen-design/v1"  # a name, not an address: nothing is ever fetched from it


def preregistration(plan: Plan, facts: Mapping[str, Any], code: str, at: str) -> str:
    """Return a preregistration under the usual headings, from the design alone."""
    reasons = {name: s.because or s.sampled_from for s in plan.suites for name in s.members}
    reasons |= {d.name: d.because for d in plan.datasets if d.because}
    data = [
        f"{name}, sha256 {digest[:16]}…: {reasons.get(name) or 'no reason is given'}"
        for name, digest in facts["data"].items()
    ]
    design = [
        f"{c.name}: " + "; ".join(f"{clause} {describe_value(value)}" for clause, value in design_of(plan, c).items())
        for c in plan.comparisons
    ]
    lists = {
        "Hypotheses": [claim.text for claim in plan.claims] or ["No claim is made."],
        "Research questions": [f"{c.name}: {question_text(c)}" for c in plan.comparisons],
        "Data": data or ["Tables of results from elsewhere."],
        "Design and variables": design,
        "Analysis plan": [],
        "Deviations": ["A deviation is written into the script as allow EV802 with its reason, and listed by evalang "
                       "verify."],
        "Software": [f"{name} {version}" for name, version in facts["versions"].items()],
    }  # fmt: skip
    sections: list[Block] = []
    for title, items in lists.items():
        block = List(items=tuple(items)) if items else Code(text=describe(plan))
        sections.append(Section(key=key(title), title=title, blocks=(block,)))
    frozen = f"Frozen on {at} under the code {code}, as recorded in the ledger in the folder of the script."
    made = Document(title=f"Preregistration of {facts['study']}", subtitle=frozen, blocks=tuple(sections))
    return markdown.render(made)


def statement(facts: Mapping[str, Any], code: str, at: str) -> str:
    """Return an in-toto Statement v1: the data are the subjects, the frozen design the predicate."""
    subjects = [{"name": name, "digest": {"sha256": digest}} for name, digest in facts["data"].items()]
    content = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects or [{"name": facts["study"], "digest": {"sha256": facts["plan"]}}],
        "predicateType": PREDICATE,
        "predicate": {"code": code, "frozen": at, **facts},
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def crate(plan: Plan, facts: Mapping[str, Any], code: str, at: str) -> str:
    """Return an RO-Crate 1.1: the script, its ledger and its data with their hashes, but no licence."""
    script = os.path.basename(plan.script)
    sources = {d.name: d.source for d in plan.datasets if d.used}
    plain, uses = {"encodingFormat": "text/plain"}, "every use of the test sets and every frozen design"
    parts: list[dict[str, Any]] = [
        {"@id": script, "@type": ["File", "SoftwareSourceCode"], "name": facts["study"], **plain},
        {"@id": NAME, "@type": "File", "name": uses, **plain},
    ]
    for name, digest in facts["data"].items():
        source = sources.get(name)
        reader = find_reader(source.kind) if source is not None else None
        inside = reader is not None and bool(reader.endings)
        place = source.locator if source is not None and inside else f"#{name}"
        description = f"{source.kind} {source.locator}" if source is not None else name
        parts.append({"@id": place, "@type": "File" if inside else "Dataset", "name": name, "description": description,
                      "identifier": f"sha256:{digest}"})  # fmt: skip
    evalang = {"@id": "#evalang", "@type": "SoftwareApplication", "name": "evalang",
               "version": facts["versions"].get("evalang", "")}  # fmt: skip
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": facts["study"],
        "description": f"A design that was frozen before it was run: {'; '.join(facts['claims']) or 'no claim'}",
        "datePublished": at,
        "identifier": code,
        "hasPart": [{"@id": one["@id"]} for one in parts],
        "mentions": {"@id": "#evalang"},
    }
    about = {"@id": "ro-crate-metadata.json", "@type": "CreativeWork", "about": {"@id": "./"},
             "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"}}  # fmt: skip
    graph = {"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": [about, root, *parts, evalang]}
    return json.dumps(graph, indent=2, ensure_ascii=False) + "\n"
