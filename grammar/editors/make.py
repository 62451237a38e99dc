"""Makes what editors need from the grammar's own words: `python grammar/editors/make.py OUT [NODE_MODULES]`.

OUT gets the VS Code extension as a folder and, where NODE_MODULES holds esbuild and vscode-languageclient, as a .vsix;
a Vim syntax file; a Sublime Text syntax; the patterns for CodeMirror; and the token cases as a test of the TextMate
grammar. Nothing of it is kept in the repository, so that nothing can differ from the grammar.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

from evalang import __version__  # noqa: E402
from evalang.editor.colours import CLAUSES, COLOURS, CONSTANTS, OTHERS, javascript  # noqa: E402
from evalang.language.nodes import STATEMENT_WORDS  # noqa: E402

SCOPES = {
    "comment": "comment.line.number-sign",
    "text": "string.quoted.double",
    "statement": "keyword.control.statement",
    "parameter": "variable.parameter",
    "clause": "keyword.other.clause",
    "constant": "constant.language",
    "word": "keyword.other.word",
    "code": "constant.other.rule",
    "name": "variable.other.name",
    "scheme": "constant.numeric.scheme",
    "number": "constant.numeric.amount",
    "operator": "keyword.operator",
    "sign": "punctuation.separator",
}
CASES: list[dict[str, Any]] = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))


def textmate() -> dict[str, Any]:
    """The TextMate grammar."""
    patterns = [{"name": f"{SCOPES[kind]}.evalang", "match": pattern} for kind, pattern in COLOURS]
    return {"name": "evalang", "scopeName": "source.evalang", "patterns": patterns}


def markdown() -> dict[str, Any]:
    """Colours of `eval` blocks in Markdown."""
    begin = r"(^|\G)(\s*)(`{3,}|~{3,})\s*(?i:\{?(?:eval|evalang)\}?(?:,\w+)?\s*$)"
    block = {
        "begin": begin,
        "end": r"(^|\G)(\2|\s{0,3})(\3)\s*$",
        "patterns": [
            {"begin": r"(^|\G)", "while": r"(^|\G)(?!\s*([`~]{3,})\s*$)", "patterns": [{"include": "source.evalang"}]}
        ],
    }
    return {"scopeName": "markdown.evalang.codeblock", "injectionSelector": "L:text.html.markdown", "patterns": [block]}


def codemirror() -> list[list[str]]:
    """The patterns for CodeMirror, in order."""
    return [[kind, javascript(pattern)] for kind, pattern in COLOURS]


def sublime() -> str:
    """A syntax for Sublime Text, which reads the same expressions."""
    rules = "".join(
        f"    - match: {json.dumps(pattern)}\n      scope: {SCOPES[kind]}.evalang\n" for kind, pattern in COLOURS
    )
    return (
        "%YAML 1.2\n---\nname: evalang\nscope: source.evalang\nfile_extensions: [evalang, eval]\n"
        f"contexts:\n  main:\n{rules}"
    )


LIKE = {"Number": "Number", "Code": "Special", "Text": "String", "Comment": "Comment"}


def vim() -> str:
    """A syntax file for Vim; where a word may be a name, Vim takes it for the word."""
    groups = {
        "Statement": STATEMENT_WORDS,
        "Keyword": CLAUSES,
        "Constant": CONSTANTS,
        "Type": OTHERS,
    }
    lines = ["if exists('b:current_syntax') | finish | endif", "syn iskeyword @,48-57,_,-,.,192-255"]
    for group, words in groups.items():
        lines += [f"syn keyword evalang{group} {' '.join(words)}", f"hi def link evalang{group} {group}"]
    lines += [
        r"syn match evalangNumber /\v(<|-)@<=\d+(\.\d+)?([eE][+-]?\d+)?(\%|\/\d+)?/",
        r"syn match evalangNumber /\v<\d+(x\d+)?cv>/",
        r"syn match evalangCode /\v<EV\d{3}>/",
        r'syn region evalangText start=/"/ skip=/""/ end=/"/ oneline',
        "syn match evalangComment /#.*/ contains=@Spell",
        *(f"hi def link evalang{group} {like}" for group, like in LIKE.items()),
        "let b:current_syntax = 'evalang'",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def token_test() -> str:
    """The token cases as vscode-tmgrammar-test reads them: a line, and below it what stands there."""
    lines = ['# SYNTAX TEST "source.evalang" "the token cases"']
    for case in CASES:
        lines.append("  " + case["line"])
        at = 0
        for word, kind in case["tokens"]:
            at = case["line"].index(word, at)
            lines.append(f"#{' ' * (at + 1)}{'^' * len(word)} {SCOPES[kind]}.evalang")
            at += len(word)
    return "\n".join(lines) + "\n"


def extension(out: Path) -> Path:
    """The VS Code extension as a folder, its grammars made."""
    folder = out / "vscode"
    shutil.copytree(HERE / "vscode", folder, ignore=shutil.ignore_patterns("node_modules", "package-lock.json"))
    manifest = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    manifest["version"] = __version__
    write(folder / "package.json", json.dumps(manifest, indent=2) + "\n")
    write(folder / "syntaxes" / "evalang.tmLanguage.json", json.dumps(textmate(), indent=2) + "\n")
    write(folder / "syntaxes" / "markdown.tmLanguage.json", json.dumps(markdown(), indent=2) + "\n")
    shutil.copy(ROOT / "LICENSE", folder / "LICENSE.txt")
    return folder


def bundle(folder: Path, modules: Path) -> None:
    """The extension and the language client in one file."""
    subprocess.run(
        [str(modules / ".bin" / "esbuild"), str(folder / "extension.js"), "--bundle", "--platform=node", "--minify",
         "--external:vscode", f"--outfile={folder / 'dist' / 'extension.js'}", "--log-level=warning"],
        check=True, env={"NODE_PATH": str(modules), "PATH": "/usr/local/bin:/usr/bin:/bin"},
    )  # fmt: skip


def vsix(folder: Path, target: Path) -> None:
    """The package that `code --install-extension` takes; the same input gives the same bytes."""
    manifest = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    files = sorted(p for p in folder.rglob("*") if p.is_file() and (p.suffix != ".js" or p.parent.name == "dist"))
    endings = sorted({p.suffix for p in files} | {".vsixmanifest"})
    types = "".join(f'<Default Extension="{e}" ContentType="{CONTENT.get(e, "text/plain")}"/>' for e in endings)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        put(archive, "extension.vsixmanifest", _manifest(manifest))
        put(
            archive,
            "[Content_Types].xml",
            f'<?xml version="1.0" encoding="utf-8"?><Types xmlns="{TYPES}">{types}</Types>',
        )
        for path in files:
            put(archive, f"extension/{path.relative_to(folder).as_posix()}", path.read_bytes())


TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
CONTENT = {".json": "application/json", ".js": "application/javascript", ".md": "text/markdown",
           ".vsixmanifest": "text/xml", ".svg": "image/svg+xml"}  # fmt: skip


def put(archive: zipfile.ZipFile, name: str, data: str | bytes) -> None:
    """One file of the archive, with no date of its own."""
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    archive.writestr(info, data)


def _manifest(m: dict[str, Any]) -> str:
    details = "Microsoft.VisualStudio.Services.Content"
    assets = {
        "Microsoft.VisualStudio.Code.Manifest": "package.json",
        f"{details}.Details": "README.md",
        f"{details}.License": "LICENSE.txt",
    }
    listed = "".join(
        f'<Asset Type="{kind}" Path="extension/{path}" Addressable="true"/>' for kind, path in assets.items()
    )
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id="{m["name"]}" Version="{m["version"]}" Publisher="{m["publisher"]}"/>
<DisplayName>{escape(m["displayName"])}</DisplayName>
<Description xml:space="preserve">{escape(m["description"])}</Description>
<Categories>{",".join(m["categories"])}</Categories>
<Properties>
<Property Id="Microsoft.VisualStudio.Code.Engine" Value="{escape(m["engines"]["vscode"])}"/>
<Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
</Properties>
<License>extension/LICENSE.txt</License>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>{listed}</Assets>
</PackageManifest>
"""


def write(path: Path, text: str) -> None:
    """A file with its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def main(out: Path, modules: Path | None) -> None:
    """Everything, into a new folder."""
    out.mkdir(parents=True, exist_ok=True)
    write(out / "codemirror" / "colours.json", json.dumps(codemirror(), indent=1) + "\n")
    write(out / "vim" / "syntax" / "evalang.vim", vim())
    write(out / "sublime" / "evalang.sublime-syntax", sublime())
    write(out / "cases.evalang", token_test())
    folder = extension(out)
    if modules is not None:
        bundle(folder, modules)
        vsix(folder, out / f"evalang-{__version__}.vsix")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
