"""Builds the playground: `python docs/playground/build.py OUT NODE_MODULES` (pyodide, codemirror and esbuild from npm).

OUT is the folder `playground` of the site. Everything it needs is copied there; nothing is loaded from elsewhere.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import lark

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

from evalang.language import grammar  # noqa: E402

EDITORS = ROOT / "grammar" / "editors"
# The lint path: what reads, plans, judges and explains a script. The layers behind it compute and stay at home.
PARTS = ("__init__.py", "errors.py", "codec.py", "settings.py", "language", "catalogue", "plans", "data", "results",
         "ledger", "findings", "editor")  # fmt: skip
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")


def packed(target: Path) -> None:
    """Pack evalang's lint path, Lark, and the parser that Lark builds, so that the page need not build it."""
    chosen = [p for part in PARTS for p in _files(ROOT / "evalang" / part)]
    library = Path(lark.__file__).parent
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in chosen:
            archive.write(path, path.relative_to(ROOT).as_posix())
        for path in _files(library):
            if "__pyinstaller" not in path.parts:
                archive.write(path, path.relative_to(library.parent).as_posix())
        archive.write(ROOT / "grammar" / "evalang.lark", "evalang/grammar/evalang.lark")
        saved = target.with_name(grammar.saved_name())
        grammar.save_parser(grammar.build_parser(), saved)
        archive.write(saved, f"evalang/grammar/{saved.name}")


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    kept = (".py", ".json", ".lark")
    return sorted(p for p in path.rglob("*") if p.suffix in kept and "__pycache__" not in p.parts)


def examples() -> list[dict[str, str]]:
    """The designs from the papers; the first line of each is its title."""
    found = []
    for path in sorted((HERE / "examples").glob("*.eval")):
        title, _, text = path.read_text(encoding="utf-8").partition("\n")
        found.append({"title": title.removeprefix("# "), "text": text})
    return found


def build(out: Path, modules: Path) -> None:
    """The whole folder."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        subprocess.run([sys.executable, str(EDITORS / "make.py"), str(work / "editors")], check=True)
        (work / "colours.json").write_text((work / "editors" / "codemirror" / "colours.json").read_text())
        (work / "examples.json").write_text(json.dumps(examples()))
        _bundle(work, out, modules)
        packed(work / "source.zip")
        compiler = ["node", str(HERE / "compile.mjs"), str(modules), str(work / "source.zip"), str(out / "evalang.zip")]
        subprocess.run(compiler, check=True)
    for name in ("index.html", "playground.css"):
        shutil.copy(HERE / name, out / name)
    (out / "pyodide").mkdir(exist_ok=True)
    for name in PYODIDE:
        shutil.copy(modules / "pyodide" / name, out / "pyodide" / name)
    _offline(out)


def _bundle(work: Path, out: Path, modules: Path) -> None:
    """The page's program with CodeMirror in it; the worker stands alone, as Pyodide does."""
    command = [str(modules / ".bin" / "esbuild"), "--bundle", "--format=esm", "--minify", "--log-level=warning"]
    given = [
        f"--alias:evalang-codemirror={EDITORS / 'codemirror' / 'evalang.mjs'}",
        f"--alias:colours.json={work / 'colours.json'}",
        f"--alias:examples.json={work / 'examples.json'}",
    ]
    environment = {**os.environ, "NODE_PATH": str(modules)}
    page = [str(HERE / "playground.js"), f"--outfile={out / 'playground.js'}"]
    subprocess.run([*command, *given, *page], check=True, env=environment)
    worker = [str(HERE / "worker.js"), "--external:./pyodide/*", f"--outfile={out / 'worker.js'}"]
    subprocess.run([*command, *worker], check=True, env=environment)


def _offline(out: Path) -> None:
    """The files' own digest is the version under which a browser keeps them."""
    digest = hashlib.sha256()
    for path in sorted(p for p in out.rglob("*") if p.is_file() and p.name != "offline.js"):
        digest.update(path.relative_to(out).as_posix().encode() + path.read_bytes())
    text = (HERE / "offline.js").read_text(encoding="utf-8").replace("@VERSION@", digest.hexdigest()[:16])
    (out / "offline.js").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))
