"""Mutated scripts, run folders and data files, through lint, fmt, plan, report and the readers.

    python -m tests.security.fuzz --scripts 1000000 --folders 10000 --files 10000 --seed 1
    python -m tests.security.fuzz --places 1000000    every place of a result holds each of the odd values in turn

Nothing may end in an exception that is not ours, take more than SECONDS of this process, or grow the process. What is
found is printed with the seed of the single case, which `--only KIND:NUMBER` repeats; it then becomes a test.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import json
import os
import random
import re
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from evalang.errors import EvalangError

SECONDS = 10.0
HERE = Path(__file__).resolve().parent
_TOKEN = re.compile(rb"[A-Za-z][\w.-]*|\d+(?:\.\d+)?|\s+|.", re.DOTALL)
_ODD = (
    b"\x00", b"\xff", b"\x1b[2J", "\u202e".encode(), "\ufeff".encode(), b"\r", b"9" * 120, b"1e999", b"-0", b"nan",
    b'"', b"'", b"{", b"}", b"(", b"..", b"^", b"%", b",,", b"#", b"\\", b"as", b"vs", b"on", b"using", b"include",
    b"5x2cv", b"0cv", b"1/0", b"over everything", b"allow EV001", b"x" * 2000,
)  # fmt: skip
_VALUES: tuple[Any, ...] = (None, True, -1, 0, 1e308, "", "x", "\u202e", [], [1, "x"], {}, {"is": "Plan"}, "9" * 500)

GONE, SHORTER, LONGER = "gone", "one shorter", "one longer"
SPOILT: tuple[Any, ...] = (
    None, True, -1, 0, 7, 0.37, 1e308, 10**400, b"NaN", b"Infinity", b"1e400", b"9" * 5000, "", "x", "q" * 10_000,
    "\ud800", "\x1b[2J", [], [1, "x"], {}, {"infinite": 1}, {"table": "Verdict", "columns": {}},
    b"[" * 5000 + b"]" * 5000, GONE, SHORTER, LONGER,
)  # fmt: skip
STUDY = (
    "compare decision-tree vs naive-bayes on iris, wine using 5x2cv, seed 20, measuring accuracy, roc-area, "
    "holm over datasets\nestimate knn on iris using 10cv, seed 1\n"
    "claim decision-tree better than naive-bayes on wine\n"
)


def mutated(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """A few changes of tokens and bytes."""
    parts = _TOKEN.findall(data) if rng.random() < 0.8 else [bytes([b]) for b in data]
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at = rng.randrange(len(parts) + 1)
        end = min(len(parts), at + rng.choice((1, 1, 2, 5, 40)))
        match rng.randrange(7):
            case 0:
                del parts[at:end]
            case 1:
                parts[at:at] = parts[at:end]
            case 2:
                parts[at:end] = [rng.choice(_ODD)]
            case 3:
                parts.insert(at, rng.choice(_ODD))
            case 4:
                other = _TOKEN.findall(rng.choice(others))
                start = rng.randrange(len(other) + 1)
                parts[at:at] = other[start : start + rng.choice((1, 3, 20))]
            case 5:
                parts[at:end] = reversed(parts[at:end])
            case _:
                parts = parts[:at] if rng.random() < 0.3 else parts
    return b"".join(parts)


def scripts() -> Callable[[random.Random], None]:
    """Text through parse, plan, lint, the renderers and the formatter."""
    from evalang.findings.engine import lint
    from evalang.findings.render_text import text as shown
    from evalang.language import format as formatter
    from evalang.language.decode import decode
    from evalang.language.parser import parse
    from evalang.plans.build import Reading, build
    from evalang.plans.canonical import dumps
    from evalang.plans.description import describe

    reading = Reading(parse=lru_cache(maxsize=1)(parse))
    # A script that was read to be planned is not read again to be formatted.
    formatter.parse = reading.parse  # type: ignore[attr-defined, assignment]
    format_script = formatter.format_script

    seeds = [path.read_bytes() for path in sorted(HERE.parent.joinpath("scripts").rglob("*.eval"))]
    lines = [line for seed in seeds for line in seed.splitlines(keepends=True) if line.strip()]

    def one(rng: random.Random) -> None:
        # A line or two have as many ways to go wrong as a whole script, in a tenth of its time.
        whole = rng.random() < 0.02
        data = rng.choice(seeds) if whole else b"".join(rng.choices(lines, k=rng.choice((1, 1, 2))))
        data = mutated(data, lines, rng)
        with contextlib.suppress(EvalangError):
            source = decode(data, "fuzz.eval")
            built = build(source, reading=reading)
            shown([lint(built)])
            dumps(built.plan)
            describe(built.plan)
            again = format_script(source)
            if rng.random() < 0.25 and format_script(decode(again.encode(), "fuzz.eval")) != again:
                raise AssertionError("formatted twice is not formatted once")

    return one


def folders(place: Path) -> Callable[[random.Random], None]:
    """A run folder with its result spoilt, through `report`."""
    text = _finished(place)
    whole = json.loads(text)
    spots = list(_places(whole))
    theirs = place / "theirs"
    theirs.mkdir(exist_ok=True)

    def one(rng: random.Random) -> None:
        if rng.random() < 0.3:
            content = mutated(text.encode(), [text.encode()[:5000]], rng)
        else:
            document = json.loads(text)
            for _ in range(rng.choice((1, 1, 2, 4))):
                with contextlib.suppress(LookupError, TypeError):
                    _spoil(document, rng.choice(spots), spots, whole, rng)
            content = json.dumps(document).encode()
        (theirs / "result.json").write_bytes(content)
        form = rng.choice(("text", "text", "json", "markdown", "csv", "latex"))
        _call(["report", str(theirs), "--to", form])

    return one


def places(place: Path) -> list[Callable[[random.Random], None]]:
    """The same, one case for each place of the result and each odd value there."""
    text = _finished(place)
    theirs = place / "theirs"
    theirs.mkdir(exist_ok=True)

    def case(spot: tuple[Any, ...], value: Any) -> Callable[[random.Random], None]:
        def one(rng: random.Random) -> None:
            (theirs / "result.json").write_bytes(spoilt(text, spot, value))
            _call(["report", str(theirs), "--to", rng.choice(("text", "json", "markdown", "csv", "latex"))])

        return one

    return [case(spot, value) for spot in spots(json.loads(text)) for value in SPOILT]


def spots(whole: Any) -> list[tuple[Any, ...]]:
    """The places of a document; of a list the first and one in the middle, which stand for all."""

    def told(spot: tuple[Any, ...]) -> bool:
        return all(type(k) is str or k in (0, len(_at(whole, spot[:i])) // 2) for i, k in enumerate(spot))

    return [spot for spot in _places(whole) if told(spot)]


def spoilt(text: str, spot: tuple[Any, ...], value: Any) -> bytes:
    """The document with something else in one place; bytes stand there as they are."""
    document = json.loads(text)
    inside = _at(document, spot[:-1])
    was = inside[spot[-1]]
    mark = "what stands here instead"
    if value in (GONE, SHORTER, LONGER):
        kept = was if isinstance(was, list) else []
        inside[spot[-1]] = kept[:-1] if value == SHORTER else kept + kept[-1:] if value == LONGER else None
        if value == GONE:
            del inside[spot[-1]]
        return json.dumps(document).encode()
    inside[spot[-1]] = mark if isinstance(value, bytes) else value
    content = json.dumps(document).encode()
    return content.replace(json.dumps(mark).encode(), value) if isinstance(value, bytes) else content


def _finished(place: Path) -> str:
    from evalang.cli.main import run

    script = place / "study.eval"
    script.write_text(STUDY)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        run(["run", str(script)])
    return (place / "runs" / "study" / "result.json").read_text()


def _places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if place:
        yield place
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from _places(inner, (*place, key))


def _at(document: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        document = document[key]
    return document


def _spoil(document: Any, place: tuple[Any, ...], spots: list[tuple[Any, ...]], whole: Any, rng: random.Random) -> None:
    inside = _at(document, place[:-1])
    match rng.randrange(4):
        case 0:
            del inside[place[-1]]
        case 1:
            inside[place[-1]] = json.loads(json.dumps(_at(whole, rng.choice(spots))))
        case 2 if isinstance(inside[place[-1]], list):
            inside[place[-1]] *= rng.choice((0, 2, 3))
        case _:
            inside[place[-1]] = rng.choice(_VALUES)


def files(kind: str, place: Path) -> Callable[[random.Random], None]:
    """A data file of one kind, through its reader and the typing of its columns."""
    from evalang.data.access import Access
    from evalang.data.load import load
    from evalang.findings.embedded import extract
    from evalang.language.text import SourceText as Text
    from evalang.plans.canonical import loads
    from evalang.plans.model import Dataset, Source

    seeds = list(_samples(kind))
    path = place / f"d.{kind}"
    access = Access(root=place)

    def one(rng: random.Random) -> None:
        content = mutated(rng.choice(seeds), seeds, rng) if kind != "parquet" else _flipped(rng.choice(seeds), rng)
        path.write_bytes(content)
        with contextlib.suppress(EvalangError):
            if kind == "json":  # plans and notebooks are what is read as JSON besides results
                text = content.decode("utf-8", "replace")
                list(extract(Text("x.ipynb", text)))
                loads(text)
            else:
                load(Dataset(name="d", source=Source(kind, path.name), target="class"), access=access)  # type: ignore[arg-type]

    return one


def _samples(kind: str) -> Iterator[bytes]:
    rows = [(i, i / 7, "red" if i % 3 else "", "xy"[i % 2]) for i in range(40)]
    if kind == "csv":
        lines = "".join(f"{a},{b},{c},{d}\n" for a, b, c, d in rows)
        yield f"a,b,colour,class\n{lines}".encode()
        yield f'a,"b ""x""",colour,class\r\n{lines}'.encode()
    elif kind == "arff":
        lines = "".join(f"{a},{b},{c or '?'},{d}\n" for a, b, c, d in rows)
        head = "@attribute a numeric\n@attribute 'b c' real\n@attribute colour {red, blue}\n@attribute class {x, y}\n"
        yield f"@relation r\n{head}@data\n{lines}".encode()
        yield f"%\n@relation r\n{head}@data\n{{0 3, 3 y}}\n{{1 2.5, 3 x}}\n".encode()
    elif kind == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.table({n: [row[k] for row in rows] for k, n in enumerate(("a", "b", "colour", "class"))})
        for options in ({}, {"compression": "gzip"}, {"use_dictionary": False, "data_page_version": "2.0"}):
            buffer = io.BytesIO()
            pq.write_table(table, buffer, **options)  # type: ignore[arg-type]
            yield buffer.getvalue()
    else:
        from evalang.language.text import SourceText
        from evalang.plans.build import build
        from evalang.plans.canonical import dumps

        script = "compare decision-tree vs naive-bayes on iris using 5x2cv, seed 20\n"
        yield dumps(build(SourceText("x.eval", script)).plan).encode()
        cells = [
            {"cell_type": "code", "source": ["%%evalang\n", script]},
            {"cell_type": "markdown", "source": "```eval\nx"},
        ]
        yield json.dumps({"cells": cells, "metadata": {"kernelspec": {"language": "python"}}}).encode()


def _flipped(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 2, 4, 16))):
        at = rng.randrange(len(changed))
        if rng.random() < 0.5:
            at = len(changed) - 1 - rng.randrange(min(600, len(changed)))  # the footer says what is where
        changed[at] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, changed[at] ^ (1 << rng.randrange(8))))
    return bytes(changed)


def _call(arguments: list[str]) -> None:
    from evalang.cli.main import run

    words = io.StringIO()
    with contextlib.redirect_stdout(words), contextlib.redirect_stderr(words):
        code = run(arguments)
    if code not in (0, 1, 2):
        raise AssertionError(words.getvalue()[-300:])


def attack(name: str, one: Callable[[random.Random], None], numbers: range | list[int], seed: int) -> int:
    """Try every number; how many went wrong."""
    wrong = 0
    slowest = (0.0, 0)
    begun = time.perf_counter()
    gc.freeze()  # what is there now stays: looking through it again and again took a fifth of the time
    for number in numbers:
        if number % 10_000 == 0 and number > numbers[0]:
            print(f"{name}: up to {number:,}, {wrong} wrong, {time.perf_counter() - begun:.0f} s", flush=True)
        start = time.process_time()
        try:
            one(random.Random(f"{seed}:{name}:{number}"))
        except Exception:
            wrong += 1
            last = traceback.format_exc(limit=-3)
            print(f"{name}:{number} (seed {seed})\n{last}", flush=True)
        taken = time.process_time() - start
        slowest = max(slowest, (taken, number))
        if taken > SECONDS:
            wrong += 1
            print(f"{name}:{number} (seed {seed}) took {taken:.1f} s", flush=True)
    print(
        f"{name}: {len(numbers):,} tried, {wrong} wrong, slowest {slowest[0]:.2f} s (number {slowest[1]}), "
        f"{time.perf_counter() - begun:.0f} s, at most {_peak()} MB",
        flush=True,
    )
    return wrong


def _peak() -> int:
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main(given: list[str] | None = None) -> int:
    """The number of cases that went wrong, as exit code 0 or 1."""
    parser = argparse.ArgumentParser(description="Mutated scripts, run folders and data files.")
    for name in ("scripts", "folders", "files", "places"):
        parser.add_argument(f"--{name}", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number to begin with: where an earlier one ended")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="repeat one case, as in csv:17")
    asked = parser.parse_args(given)
    os.environ.pop("EVALANG_DEBUG", None)
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        kinds: dict[str, tuple[Callable[[], Callable[[random.Random], None]], int]] = {
            "scripts": (scripts, asked.scripts),
            "folders": (lambda: folders(place), asked.folders),
            **{k: (lambda k=k: files(k, place), asked.files) for k in ("csv", "arff", "parquet", "json")},  # type: ignore[misc]
        }
        every = places(place) if asked.places or asked.only.startswith("places:") else []
        if every:
            turn = iter(range(asked.first, len(every)))
            kinds["places"] = (lambda: lambda rng: every[next(turn)](rng), min(asked.places, len(every)))
        if asked.only.startswith("places:"):
            number = asked.only.partition(":")[2]
            return int(attack("places", every[int(number)], [int(number)], asked.seed) > 0)
        if asked.only:
            name, _, number = asked.only.partition(":")
            return int(attack(name, kinds[name][0](), [int(number)], asked.seed) > 0)
        wrong = [
            attack(name, make(), range(asked.first, count), asked.seed)
            for name, (make, count) in kinds.items()
            if count > asked.first
        ]
    return int(any(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
