"""`include`: what is read, from where, and what is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from evalang.language.files import read_script
from evalang.language.text import SourceText
from evalang.plans.build import MOST_NESTED, Built, build
from tests.support.plans import the


def built(folder: Path, main: str, **files: str) -> Built:
    for name, text in files.items():
        (folder / f"{name}.eval").write_text(text)
    (folder / "main.eval").write_text(main)
    return build(read_script(folder / "main.eval"))


def test_definitions_come_from_beside_the_script(tmp_path: Path) -> None:
    found = built(tmp_path, 'include "defs.eval"\ncompare x vs knn on iris using 10cv', defs="learner x is svm")
    assert found.findings == ()
    assert [the(found.plan.learner(name)).included for name in ("x", "knn")] == [True, False]
    assert len(found.sources) == 2


def test_a_path_is_relative_to_the_including_file_and_a_mistake_is_placed_there(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "deep.eval").write_text("learner x is svm\nlearner bad is knn(zz = 1)")
    (tmp_path / "sub" / "mid.eval").write_text('include "deep.eval"')
    found = built(tmp_path, 'include "sub/mid.eval"\ncompare x vs knn on iris using 10cv')
    (span,) = [finding.span for finding in found.findings]
    assert span.path.endswith("deep.eval")
    assert found.sources[span.path].position(span.start) == (2, 20)


def test_circles(tmp_path: Path) -> None:
    os.symlink(tmp_path / "main.eval", tmp_path / "link.eval")
    for name, files in (
        ("main", {}),
        ("link", {}),
        ("a", {"a": 'include "b.eval"', "b": 'include "a.eval"'}),
    ):
        found = built(tmp_path, f'include "{name}.eval"', **files)
        assert [(f.code, f.message) for f in found.findings] == [("EV001", f'"{name}.eval" includes itself')]
        assert not found.readable
    assert found.findings[0].span.path.endswith("b.eval")


@pytest.mark.parametrize(
    "path", ["../secret.eval", "sub/../../secret.eval", "/etc/passwd", "/dev/zero", "link.eval", "a\0b"]
)
def test_no_way_out_of_the_folder(tmp_path: Path, path: str) -> None:
    folder = tmp_path / "project"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "secret.eval").write_text("learner leaked is knn")
    os.symlink(tmp_path / "secret.eval", folder / "link.eval")
    found = build(SourceText(str(folder / "main.eval"), f'include "{path}"'))
    assert [f.code for f in found.findings] == ["EV001"]
    assert found.plan.learners == ()
    assert list(found.sources) == [str(folder / "main.eval")]


def test_a_missing_file_offers_the_nearest(tmp_path: Path) -> None:
    (found,) = (made := built(tmp_path, 'include "comon.eval"', common="learner x is knn")).findings
    assert found.code == "EV001"
    assert "there is no file" in found.message
    assert "common.eval" in found.help
    assert made.sources[found.span.path].cut(found.span) == '"comon.eval"'


def test_a_folder_a_pipe_and_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "folder.eval").mkdir()
    os.mkfifo(tmp_path / "pipe.eval")
    (tmp_path / "bytes.eval").write_bytes(b"\xff\xfe\x00")
    found = built(tmp_path, 'include "folder.eval"\ninclude "pipe.eval"\ninclude "bytes.eval"')
    assert [f.code for f in found.findings] == ["EV001"] * 3


def test_a_file_included_twice_is_read_once(tmp_path: Path) -> None:
    main = 'include "d.eval"\ninclude "e.eval"\ninclude "d.eval"'
    found = built(tmp_path, main, d="learner x is knn", e='include "d.eval"')
    assert found.findings == ()
    assert [x.name for x in found.plan.learners] == ["x"]


def test_a_long_chain_ends_with_a_sentence(tmp_path: Path) -> None:
    found = built(tmp_path, 'include "f0.eval"', **{f"f{i}": f'include "f{i + 1}.eval"\n' for i in range(400)})
    assert [f.message for f in found.findings] == [
        f"more than 1,000 files are included, or more than {MOST_NESTED} include one another"
    ]
