"""What each command prints, and where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.shell_completion import BashComplete

from evalang.cli.main import COMMANDS, group

from ..support.calling import Call, forked, spawned

SCRIPT = """set seed 1
suite s is breast-cancer because "at hand"
learner stump is decision-tree(max_depth = 1) because "the simplest tree"
compare stump vs majority on s using 5x2cv as x
claim stump better than majority on s
"""


@pytest.fixture
def script(folder: Path) -> Path:
    path = folder / "x.eval"
    path.write_text(SCRIPT)
    return path


# ------------------------------------------------------------------ help


@pytest.mark.parametrize("name", [name for name, *_ in COMMANDS])
def test_help_teaches_with_examples(call: Call, name: str) -> None:
    found = call(name, "--help")
    assert found.code == 0
    assert f"evalang {name} " in found.out.split("Options:")[0].split("\n", 1)[1]
    assert all(line.split()[-1] != "TEXT" for line in found.out.splitlines() if line.strip().startswith("--"))
    assert call(name, "-h").out == found.out


def test_help_lists_every_command_and_the_exit_codes(call: Call) -> None:
    found = call("--help")
    for name, _, line in COMMANDS:
        assert f"{name} " in found.out
        assert line in " ".join(found.out.split())
    assert "130  interrupted" in found.out


def test_a_misspelt_command_offers_the_nearest(call: Call) -> None:
    assert "there is no command lnit; did you mean lint?" in call("lnit").err


def test_a_shell_completes(folder: Path) -> None:
    assert "_EVALANG_COMPLETE" in spawned(cwd=folder, _EVALANG_COMPLETE="bash_source").out
    asked = {"COMP_WORDS": "evalang lint --format s", "COMP_CWORD": "3"}
    assert "plain,sarif" in spawned(cwd=folder, _EVALANG_COMPLETE="bash_complete", **asked).out.splitlines()


@pytest.mark.parametrize(
    ("words", "offered"),
    [("li", {"lint"}), ("lint --f", {"--format"}), ("test 5x2", {"5x2cv-t", "5x2cv-f"}), ("explain kf", {"kfold-t"})],
)
def test_completion_offers_what_fits(words: str, offered: set[str]) -> None:
    *before, last = words.split()
    found = BashComplete(group, {}, "evalang", "_EVALANG_COMPLETE").get_completions(before, last)
    assert offered <= {item.value for item in found}


# ------------------------------------------------------------------ new


def test_new_writes_an_exemplary_script(call: Call, folder: Path) -> None:
    found = call("new", "study")
    assert found.out == "wrote study/study.eval; now: evalang run study/study.eval\n"
    linted = call("lint", "--warnings-as-errors", "--format", "json", "study/study.eval")
    assert linted.code == 0
    levels = [f["level"] for f in json.loads(linted.out)["files"][0]["findings"]]
    assert set(levels) <= {"note"}
    assert call("fmt", "--check", "study/study.eval").code == 0
    again = call("new", "study")
    assert again.code == 2
    assert "exists already" in again.err


@pytest.mark.slow
def test_the_new_script_runs_and_its_claim_is_answered(call: Call, folder: Path) -> None:
    call("new")
    found = call("run", "study.eval")
    assert found.code == 0
    assert "Claim supported: forest better than tree on digits" in found.out
    assert "(warning)" not in found.out
    assert (folder / "runs" / "study" / "result.json").exists()


# ------------------------------------------------------------------ lint, fmt, plan


def test_lint_json_is_alone_on_stdout_and_has_the_promised_shape(call: Call, script: Path) -> None:
    found = call("lint", "--format", "json", "x.eval", "nowhere.eval")
    data = json.loads(found.out)
    assert data["version"] == 1
    (file,) = data["files"]
    assert set(file) == {"path", "findings", "passed", "not_applicable", "not_judged", "allowed"}
    fields = "code name level stage message help line column end_line end_column fix"
    assert all(set(one) >= set(fields.split()) for one in file["findings"])
    assert "nowhere.eval" in found.err


@pytest.mark.parametrize("form", ["sarif", "github"])
def test_lint_in_other_formats(call: Call, folder: Path, form: str) -> None:
    (folder / "x.eval").write_text("compare knn vs svm on irs using 10cv\n")
    found = call("lint", "--format", form, "x.eval")
    assert found.code == 1
    assert "EV002" in found.out
    if form == "sarif":
        assert json.loads(found.out)["version"] == "2.1.0"


def test_lint_select_and_ignore(call: Call, folder: Path) -> None:
    (folder / "x.eval").write_text("compare knn vs svm on iris using 10cv\n")
    everything = call("lint", "x.eval").out
    assert "EV310" in everything
    assert "EV111" in everything
    only = call("lint", "--select", "EV310", "x.eval").out
    assert "EV310" in only
    assert "EV111" not in only
    less = call("lint", "--ignore", "EV310,EV6", "--ignore", "one-dataset", "x.eval").out
    assert "EV310" not in less
    assert "EV111" not in less
    assert "did you mean" in call("lint", "--select", "one-datset", "x.eval").err


def test_lint_fix_and_diff(call: Call, folder: Path) -> None:
    text = "compare knn vs svm on iris, wine using 5x2cv\n"
    (folder / "x.eval").write_text(text)
    shown = call("lint", "--diff", "x.eval")
    assert "+" in shown.out
    assert (folder / "x.eval").read_text() == text
    call("lint", "--fix", "x.eval")
    repaired = (folder / "x.eval").read_text()
    assert repaired != text
    assert "seed" in repaired
    assert spawned("lint", "--fix", "-", cwd=folder, stdin=text.encode()).code == 2
    assert "+" in spawned("lint", "--diff", "-", cwd=folder, stdin=text.encode()).out


def test_lint_reads_folders_documents_and_standard_input(call: Call, folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "a.eval").write_text("compare knn vs svm on irs using 10cv\n")
    (folder / "b.md").write_text("# Title\n\n```eval\ncompare knn vs svm on irs using 10cv\n```\n")
    found = call("lint", ".")
    assert "sub/a.eval:1:23" in found.out
    assert "b.md:4:23" in call("lint", "b.md").out
    piped = spawned("lint", "-", cwd=folder, stdin=b"compare knn vs svm on irs using 10cv\n")
    assert piped.code == 1
    assert "<stdin>:1:23" in piped.out
    assert call("lint", "sub", "--format", "github").out.startswith("::error")
    (folder / "nothing").mkdir()
    assert call("lint", "nothing").code == 2


def test_fmt(call: Call, folder: Path) -> None:
    ugly = "learner    x is knn # keep me\n"
    (folder / "x.eval").write_text(ugly)
    shown = call("fmt", "--diff", "x.eval")
    assert (shown.code, (folder / "x.eval").read_text()) == (1, ugly)
    assert "-learner    x is knn" in shown.out
    assert call("fmt", "--check", "x.eval").code == 1
    assert call("fmt", "x.eval").code == 0
    assert (folder / "x.eval").read_text() == "learner x is knn  # keep me\n"
    assert call("fmt", "--check", "x.eval").code == 0
    piped = spawned("fmt", "-", cwd=folder, stdin=ugly.encode())
    assert (piped.code, piped.out) == (0, "learner x is knn  # keep me\n")


def test_fmt_leaves_a_broken_file_alone(call: Call, folder: Path) -> None:
    (folder / "x.eval").write_text("learner    x is knn\ncompare on\n")
    found = call("fmt", "x.eval")
    assert found.code == 2
    assert "x.eval:2" in found.err
    assert (folder / "x.eval").read_text().startswith("learner    x")


def test_plan(call: Call, script: Path) -> None:
    found = call("plan", "x.eval")
    assert "which learner is better on data like this" in found.out
    assert "At most 20 fits" in found.out
    assert "lint: " in found.err
    import jsonschema

    from evalang.plans.description import plan_schema

    printed = call("plan", "--format", "json", "x.eval")
    jsonschema.Draft202012Validator(plan_schema()).validate(json.loads(printed.out))


def test_plan_names_the_kind_of_each_column(call: Call, folder: Path) -> None:
    rows = "".join(f"{i % 40}%,{'xyz'[i % 3]},{'ab'[i % 2]}\n" for i in range(60))
    (folder / "d.csv").write_text(f"discount,region,class\n{rows}")
    text = 'dataset d from csv "d.csv"\ncompare knn vs decision-tree on d using 5x2cv, seed 1\n'
    (folder / "x.eval").write_text(text)
    done = call("plan", "--data", "x.eval")
    assert "d: numbers 'discount'; categories 'region'" in done.out
    assert "the percentages in 'discount' are read as shares" in done.err


def test_nothing_is_loaded_or_run_by_lint_and_plan(call: Call, folder: Path) -> None:
    text = 'dataset d from csv "absent.csv", target "y", because "z"\ncompare knn vs svm on d using 10x10cv, seed 1\n'
    (folder / "x.eval").write_text(text)
    assert call("lint", "x.eval").code == 0
    assert call("plan", "x.eval").code == 0
    assert sorted(p.name for p in folder.iterdir()) == ["x.eval"]


# ------------------------------------------------------------------ run, report, render


def test_run_prints_verdicts_keeps_the_run_and_answers_the_claim(call: Call, script: Path) -> None:
    found = call("run", "x.eval")
    assert found.code == 0
    assert "stump" in found.out
    assert "supported" in found.out
    assert (script.parent / "runs" / "x" / "result.json").exists()
    again = call("run", "x.eval", "--format", "json")
    data = json.loads(again.out)
    assert {"comparisons", "claims", "findings", "failures"} <= set(data)
    shown = call("report", "runs/x")
    assert shown.code == 0
    assert "stump" in shown.out
    files = {"html": "report.html", "markdown": "report.md", "latex": "report.tex", "json": "run.json"}
    for form, name in files.items():
        assert call("report", "runs/x", "--to", form).code == 0
        assert (script.parent / "runs" / "x" / name).stat().st_size > 100
    assert call("report", "runs/x", "--to", "csv", "--out", "kept").code == 0
    names = "verdicts.csv scores.csv folds.csv times.csv predictions.csv about.json tables"
    assert {p.name for p in Path("kept").iterdir()} == set(names.split())
    about = json.loads(Path("kept/about.json").read_text())
    assert about["finished"]
    assert about["datasets"]
    assert call("report", "runs/x", "--to", "csv", "--out", "only.csv").code == 0
    assert Path("only.csv").read_bytes() == Path("kept/verdicts.csv").read_bytes()
    assert call("report", "runs/x", "--to", "html", "--subject", "nobody").code == 2
    for name in ("y.md", "y.qmd", "y.html", "y.tex", "y.json", "y.csv", "y.txt"):
        assert call("report", "runs/x", "--out", name).code == 0
        assert Path(name).stat().st_size > 100
    assert Path("y.qmd").read_bytes() == Path("y.md").read_bytes()
    assert call("report", "runs/x", "--to", "quarto").code == 0
    assert Path("runs/x/report.qmd").is_file()
    unknown = call("report", "runs/x", "--out", "somewhere")
    assert unknown.code == 2
    assert "--to latex" in unknown.err
    assert "evalang report runs/x" in call("report", "x.eval").err


def test_run_from_standard_input_and_of_several_scripts(folder: Path, call: Call) -> None:
    piped = forked("run", "-", "--format", "json", cwd=folder, stdin=SCRIPT.encode())
    assert piped.code == 0
    assert json.loads(piped.out)["claims"]
    (folder / "a.eval").write_text(SCRIPT)
    (folder / "b.eval").write_text(SCRIPT.replace("seed 1", "seed 2"))
    found = call("run", "a.eval", "b.eval", "--format", "json")
    assert len(json.loads(found.out)) == 2


def test_a_report_statement_writes_beside_the_script(call: Call, script: Path) -> None:
    script.write_text(SCRIPT + 'report x to "out/paper.html"\nreport to "tables/" as latex\nreport to "z.qmd"\n')
    found = call("run", "x.eval")
    assert found.code == 0
    assert "wrote out/paper.html" in found.err
    assert (script.parent / "out" / "paper.html").exists()
    assert list((script.parent / "tables").iterdir())
    assert (script.parent / "z.qmd").exists()


def test_a_scheme_that_evalang_chose_is_named_with_its_reason(call: Call, folder: Path) -> None:
    script = "compare decision-tree vs naive-bayes on iris seed 1\n"
    (folder / "x.eval").write_text(script)
    why = "its test has few false positives and more power than that of 5x2cv"
    assert f"(by default: {why})" in call("plan", "x.eval").out
    assert call("fmt", "x.eval").code == call("lint", "--fix", "x.eval").code == 0
    assert (folder / "x.eval").read_text() == script
    scheme = json.loads(call("plan", "--format", "json", "x.eval").out)["plan"]["comparisons"][0]["scheme"]
    assert (scheme["text"], scheme["origin"], scheme["reason"]) == ("10x2cv", "default", why)
    assert call("run", "--no-ledger", "x.eval").code == 0
    assert call("report", "runs/x", "--to", "markdown", "--out", "x.md").code == 0
    told = " ".join((folder / "x.md").read_text().split())
    assert f"The scheme was 10x2cv, stratified by class (chosen by evalang: {why})" in told


def test_render_says_where_there_is_nothing_to_fill(call: Call, folder: Path) -> None:
    (folder / "d.md").write_text("# Nothing\n\n```python\nx = 1\n```\n")
    done = call("render", "d.md")
    assert done.code == 0
    assert "d.md has no eval block" in done.err
    (folder / "paper.tex").write_text("\\begin{document}\\end{document}\n")
    refused = call("render", "paper.tex")
    assert refused.code == 2
    assert "render cannot fill paper.tex" in refused.err
    assert "--to latex" in refused.err


def test_render_fills_a_document_and_checks_it(call: Call, folder: Path) -> None:
    document = f"# Study\n\n```eval\n{SCRIPT}```\n\nThe end.\n"
    (folder / "d.md").write_text(document)
    assert call("render", "--check", "d.md").code == 1
    assert (folder / "d.md").read_text() == document
    assert call("render", "d.md").code == 0
    filled = (folder / "d.md").read_text()
    assert "<!-- evalang: begin -->" in filled
    assert filled.startswith("# Study\n\n```eval\n")
    assert filled.endswith("The end.\n")
    assert call("render", "--check", "d.md").code == 0
    (picture,) = (folder / "d-figures").iterdir()
    assert f"(d-figures/{picture.name})" in filled
    assert picture.read_text().startswith(("<?xml", "<svg"))
    picture.unlink()
    assert call("render", "--check", "d.md").code == 1


def test_a_refused_block_is_placed_in_its_document(call: Call, folder: Path) -> None:
    (folder / "d.md").write_text("# Study\n\n```eval\ncompare knn vs svm on irs using 10cv\n```\n")
    found = call("render", "d.md")
    assert found.code == 1
    assert "d.md:4:23" in found.err


# ------------------------------------------------------------------ explain


def test_explain_knows_everything_it_lists(call: Call) -> None:
    from evalang.cli.scripts import explained_words

    for word in explained_words():
        found = call("explain", word)
        assert found.code == 0, word
        assert len(found.out) > 40, word


def test_explain_reads_several_words_and_offers_the_nearest(call: Call) -> None:
    assert "each training part" in call("explain", "tune", "on").out
    assert "did you mean corrected-t?" in call("explain", "corected-t").err


# ------------------------------------------------------------------ colour


def test_colour_only_for_a_terminal_that_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    from evalang.language.text import wants_colour

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert wants_colour(Terminal())
    assert not wants_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colour(Terminal())
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not wants_colour(Terminal())


def test_nothing_but_text_goes_into_a_pipe(folder: Path) -> None:
    (folder / "x.eval").write_text("compare knn vs svm on irs using 10cv\n")
    assert "\x1b" not in spawned("lint", "x.eval", cwd=folder).out
