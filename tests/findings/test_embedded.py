"""Scripts in Markdown and notebooks, with the document's own lines and offsets."""

from __future__ import annotations

import contextlib
import json

import pytest

from evalang.errors import ScriptError
from evalang.findings.embedded import extract
from evalang.findings.engine import lint
from evalang.language.text import SourceText
from evalang.plans.build import build

from .scripts import codes

STATEMENT = "compare decision-tree vs naive-bayes on breast-cancer using 5x2cv"
MARKDOWN = f"""\
# Methods

```eval
{STATEMENT}
```

Text, and `eval` inline.

~~~eval
estimate decision-tree on digits using 10cv, seed 1
~~~

```python
{STATEMENT}
```

- a list

  ```{{evalang}}
  {STATEMENT}, seed 1
  ```

> ```eval
> {STATEMENT}
> ```

```eval,bad
{STATEMENT}
```

````markdown
```eval
shown, not run
```
````
"""


def test_blocks_and_their_lines() -> None:
    found = list(extract(SourceText("paper.md", MARKDOWN)))
    assert [source.text.strip() for source in found] == [
        STATEMENT,
        "estimate decision-tree on digits using 10cv, seed 1",
        f"{STATEMENT}, seed 1",
        STATEMENT,
    ]
    lines = MARKDOWN.split("\n")
    for source in found:
        report = lint(build(source))
        assert report.findings
        for finding in report.findings:
            place = source.position(finding.span.start)
            shown = lines[place.line - 1]
            assert shown[place.column - 1 :].startswith(source.cut(finding.span))
            assert MARKDOWN[finding.span.start : finding.span.end] == source.cut(finding.span)


def test_a_fence_that_is_never_closed() -> None:
    (source,) = extract(SourceText("a.md", f"text\n\n```eval\n{STATEMENT}"))
    assert source.position(source.text.index("compare")).line == 4


@pytest.mark.parametrize("text", ["", "no block", "```\ncompare\n```", "```evaluate\nx\n```", "``` eval2\n```"])
def test_documents_without_a_script(text: str) -> None:
    assert list(extract(SourceText("a.md", text))) == []


def _notebook(*cells: dict[str, object]) -> SourceText:
    return SourceText("n.ipynb", json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4}))


def test_cells() -> None:
    notebook = _notebook(
        {"cell_type": "markdown", "source": ["text\n", "```eval\n", STATEMENT + "\n", "```"]},
        {"cell_type": "code", "source": "import evalang"},
        {"cell_type": "code", "source": ["%%evalang --fresh\n", STATEMENT]},
        {"cell_type": "raw", "source": STATEMENT},
    )
    one, two = extract(notebook)
    assert (one.path, two.path) == ("n.ipynb#cell-1", "n.ipynb#cell-3")
    assert one.position(one.text.index("compare")).line == 3
    assert two.position(two.text.index("compare")).line == 2
    assert codes(lint(build(two))) == ["EV310"]


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"cells": 3}', '{"cells": [1, {}, {"cell_type": "code"}]}', "[" * 10_000]
)
def test_files_that_are_no_notebook_never_raise_anything_else(text: str) -> None:
    with contextlib.suppress(ScriptError):
        assert list(extract(SourceText("n.ipynb", text))) == []
