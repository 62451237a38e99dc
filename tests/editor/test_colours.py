"""One table of token cases for TextMate, Pygments and CodeMirror, all made from the grammar's words."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from pygments.token import Error

from evalang.editor.pygments_lexer import TOKENS, EvalangLexer
from evalang.language.grammar import words_of_language
from tests.language.scripts import GOOD
from tests.support.node import ROOT, modules, node

EDITORS = ROOT / "grammar" / "editors"
CASES = json.loads((EDITORS / "cases.json").read_text(encoding="utf-8"))


def make() -> Any:
    spec = importlib.util.spec_from_file_location("make_editors", EDITORS / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The editors' files without what npm would bundle."""
    out = tmp_path_factory.mktemp("editors")
    make().main(out, None)
    return out


def in_order(tokens: list[tuple[str, str]], wanted: list[list[str]]) -> bool:
    """Whether the wanted tokens stand among these in this order."""
    rest = iter(tokens)
    return all(tuple(one) in rest for one in wanted)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["line"])[:40])
def test_pygments(case: dict[str, Any]) -> None:
    kinds = {token: kind for kind, token in TOKENS.items()}
    found = [(text, kinds[token]) for token, text in EvalangLexer().get_tokens(case["line"]) if token in kinds]
    assert in_order(found, case["tokens"])


@pytest.mark.parametrize("path", GOOD, ids=lambda p: p.stem)
def test_pygments_loses_nothing_of_a_good_script(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tokens = list(EvalangLexer(stripnl=False).get_tokens(text))
    assert "".join(value for _, value in tokens) == text
    marks = [value for kind, value in tokens if kind is Error and value.isascii()]
    assert not marks


def test_every_word_of_the_grammar_has_a_colour_of_its_own() -> None:
    for word in words_of_language():
        if word[0].isalpha():
            found = [(text, token) for token, text in EvalangLexer().get_tokens(word) if text.strip()]
            assert found[0][0] == word
            assert found[0][1] is not TOKENS["name"], word


def test_codemirror(made: Path) -> None:
    modules()
    program = f"""
        import {{ readFileSync }} from "node:fs";
        import {{ compiled, next }} from {json.dumps((EDITORS / "codemirror" / "evalang.mjs").as_uri())};
        const colours = compiled(JSON.parse(readFileSync({json.dumps(str(made / "codemirror" / "colours.json"))})));
        const lines = JSON.parse(process.argv[1]);
        console.log(JSON.stringify(lines.map((line) => {{
          const found = [];
          for (let at = 0; at < line.length;) {{
            const token = next(colours, line, at);
            if (token) found.push([line.slice(at, at + token[1]), token[0]]);
            at += token ? token[1] : 1;
          }}
          return found;
        }})));"""
    found = json.loads(node(program, json.dumps([case["line"] for case in CASES])))
    for case, tokens in zip(CASES, found, strict=True):
        assert in_order([tuple(t) for t in tokens], case["tokens"]), case["line"]


def test_textmate(made: Path) -> None:
    tester = modules("vscode-tmgrammar-test") / ".bin" / "vscode-tmgrammar-test"
    grammar = str(made / "vscode" / "syntaxes" / "evalang.tmLanguage.json")
    config = str(made / "vscode" / "package.json")
    command = [str(tester), "-g", grammar, "--config", config]
    subprocess.run([*command, str(made / "cases.evalang")], check=True, capture_output=True)
    wrong = (made / "cases.evalang").read_text().replace("keyword.control.statement", "string.quoted", 1)
    (made / "wrong.evalang").write_text(wrong)
    assert subprocess.run([*command, str(made / "wrong.evalang")], capture_output=True).returncode != 0


def test_the_extension_is_packaged(tmp_path: Path) -> None:
    found = modules("esbuild", "vscode-languageclient")
    make().main(tmp_path, found)
    package = next(tmp_path.glob("*.vsix"))
    with zipfile.ZipFile(package) as archive:
        names = archive.namelist()
        manifest = json.loads(archive.read("extension/package.json"))
        for needed in ("extension.vsixmanifest", "[Content_Types].xml", "extension/LICENSE.txt", "extension/README.md"):
            assert needed in names
        parts = manifest["contributes"]
        paths = [manifest["main"], *(g["path"] for g in parts["grammars"]), *(s["path"] for s in parts["snippets"])]
        paths += [step["media"]["markdown"] for w in parts["walkthroughs"] for step in w["steps"]]
        for path in (*paths, parts["languages"][0]["configuration"]):
            assert f"extension/{path.removeprefix('./')}" in names
    again = tmp_path / "again"
    make().main(again, found)
    assert next(again.glob("*.vsix")).read_bytes() == package.read_bytes()


def test_a_log_of_inspect_is_no_script(tmp_path: Path) -> None:
    """Inspect AI's logs end in .eval too and are ZIP archives."""
    if shutil.which("node") is None:
        pytest.skip("needs node")
    with zipfile.ZipFile(tmp_path / "log.eval", "w") as archive:
        archive.writestr("header.json", "{}")
    (tmp_path / "study.eval").write_text("compare knn vs svm on iris using 10cv\n", encoding="utf-8")
    (tmp_path / "bom.eval").write_text("\ufeff# größe\n", encoding="utf-8")
    (tmp_path / "empty.eval").write_text("")
    program = f"""
        import {{ createRequire }} from "node:module"; import {{ readFileSync }} from "node:fs";
        const {{ isScript }} = createRequire(import.meta.url)({json.dumps(str(EDITORS / "vscode" / "content.js"))});
        console.log(JSON.stringify(process.argv.slice(1).map((name) => isScript(readFileSync(name)))));"""
    files = [str(tmp_path / name) for name in ("log.eval", "study.eval", "bom.eval", "empty.eval")]
    assert json.loads(node(program, *files)) == [False, True, True, True]


def test_vim_colours_the_words(made: Path, tmp_path: Path) -> None:
    if shutil.which("vim") is None:
        pytest.skip("needs vim")
    script = tmp_path / "a.evalang"
    script.write_text('compare tree vs nb on iris using 10cv, seed 20  # why\nreport to "x"\n')
    groups = tmp_path / "groups"
    words = "['compare','vs','tree','20','# why','\"x\"']"
    ask = "synIDattr(synID(search('\\V'.w, 'w'), searchpos('\\V'.w, 'wc')[1], 1), 'name')"
    program = f"call writefile(map({words}, {{_, w -> {ask}}}), '{groups}')"
    subprocess.run(
        ["vim", "-N", "-u", "NONE", "-i", "NONE", "-es", "--cmd", f"set rtp+={made / 'vim'}", "-c", "syntax on",
         "-c", f"edit {script}", "-c", "set syntax=evalang", "-c", program, "-c", "qa!"],
        check=False, capture_output=True, timeout=60,
    )  # fmt: skip
    found = groups.read_text().splitlines()
    assert found == ["evalangStatement", "evalangKeyword", "", "evalangNumber", "evalangComment", "evalangText"]
