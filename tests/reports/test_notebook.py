"""A real notebook, executed."""

from __future__ import annotations

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

DATA = """\
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
my_bayes = GaussianNB()
D = make_classification(200, 5, random_state=1)
"""


def executed(*cells: str) -> nbformat.NotebookNode:
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    NotebookClient(book, timeout=120, kernel_name="python3").execute()
    return book


def test_a_cell_is_a_script_that_knows_the_notebooks_names_and_shows_its_result() -> None:
    book = executed(
        "%load_ext evalang",
        DATA,
        "%%evalang result\ncompare my-bayes vs decision-tree on D using 5x2cv, seed 1",
        "print(result.table.verdicts.iloc[0].test)",
        "%%evalang --lint\ncompare my-bayes vs decision-tree on D using 10cv by kfold-t",
    )
    shown = next(o for o in book.cells[2].outputs if o.output_type == "execute_result")
    assert "<code>my-bayes</code> and <code>decision-tree</code>" in shown.data["text/html"]
    assert "<svg" in shown.data["text/html"]
    assert "<button" not in shown.data["text/html"]
    assert ".evalang table{" in shown.data["text/html"]
    assert "`my-bayes` and `decision-tree`" in shown.data["text/plain"]
    bars = [o for o in book.cells[2].outputs if o.output_type == "display_data"]
    assert len(bars) == 1  # moved along in its place
    assert '<progress max="20" value="20">20/20 fits' in bars[0].data["text/html"]
    assert "20 fits done" not in "".join(o.get("text", "") for o in book.cells[2].outputs)
    assert book.cells[3].outputs[0].text.strip() == "corrected-t"
    assert "EV403" in book.cells[4].outputs[0].data["text/html"]
    assert "EV403" in book.cells[4].outputs[0].data["text/plain"]


def test_a_refused_cell_stops_the_notebook_with_its_findings_and_no_traceback() -> None:
    with pytest.raises(CellExecutionError) as caught:
        executed("%load_ext evalang", "%%evalang\ncompare decision-tree vs naive-bayes on nowhere using 10cv")
    text = str(caught.value)
    assert "EV002" in text
    assert "pipeline.py" not in text
