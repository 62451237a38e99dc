from __future__ import annotations

import os
from pathlib import Path

import pytest

from evalang.language.decode import read_script
from evalang.plans.build import MOST_NESTED, Built, build


def built(folder: Path, main: str, **files: str) -> Built:
    for name, text in files.items():
        (folder / f"{name}.eval").write_text(text)
    (folder / "main.eval").write_text(main)
    return build(read_script(folder / "main.eval"))


def messages(found: Built) -> list[tuple[str, str]]:
    return [(f.code, f.message) for f in found.findings]


def test_definitions_come_from_beside_the_script(tmp_path: Path) -> None:
    found = built(tmp_path, 'include "defs.eval"\ncompare x vs knn on iris using 10cv', defs="learner x is svm")
    assert found.findings == ()
    assert found.plan.learner("x").included  # type: ignore[union-attr]
    assert not found.plan.learner("knn").included  # type: ignore[union-attr]
    assert len(found.sources) == 2


def test_a_path_is_relative_to_the_including_file(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "deep.eval").write_text("learner x is svm")
    (tmp_path / "sub" / "mid.eval").write_text('include "deep.eval"')
    found = built(tmp_path, 'include "sub/mid.eval"\ncompare x vs knn on iris using 10cv')
    assert found.findings == ()


def test_a_file_that_includes_itself(tmp_path: Path) -> None:
    found = built(tmp_path, 'include "main.eval"')
    assert messages(found) == [("EV001", '"main.eval" includes itself')]
    assert not found.readable


def test_a_circle_of_files(tmp_path: Path) -> None:
    found = built(tmp_path, 'include "a.eval"', a='include "b.eval"', b='include "a.eval"')
    assert messages(found) == [("EV001", '"a.eval" includes itself')]
    assert found.findings[0].span.path.endswith("b.eval")


def test_a_circle_through_a_link(tmp_path: Path) -> None:
    os.symlink(tmp_path / "main.eval", tmp_path / "other.eval")
    assert messages(built(tmp_path, 'include "other.eval"')) == [("EV001", '"other.eval" includes itself')]


@pytest.mark.parametrize(
    "path", ["../secret.eval", "sub/../../secret.eval", "/etc/passwd", "/dev/zero", "link.eval", "a\0b"]
)
def test_no_way_out_of_the_folder(tmp_path: Path, path: str) -> None:
    folder = tmp_path / "project"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "secret.eval").write_text("learner leaked is knn")
    os.symlink(tmp_path / "secret.eval", folder / "link.eval")
    (folder / "main.eval").write_text("x", encoding="utf-8")
    from evalang.language.text import SourceText

    found = build(SourceText(str(folder / "main.eval"), f'include "{path}"'))
    assert len(found.findings) == 1
    assert found.findings[0].code == "EV001"
    assert found.plan.learners == ()
    assert list(found.sources) == [str(folder / "main.eval")]


def test_a_missing_file_offers_the_nearest(tmp_path: Path) -> None:
    found = built(tmp_path, 'include "comon.eval"', common="learner x is knn")
    assert found.findings[0].code == "EV001"
    assert "there is no file" in found.findings[0].message
    assert "common.eval" in found.findings[0].help
    assert found.sources[found.findings[0].span.path].cut(found.findings[0].span) == '"comon.eval"'


def test_a_folder_a_pipe_and_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "folder.eval").mkdir()
    os.mkfifo(tmp_path / "pipe.eval")
    (tmp_path / "bytes.eval").write_bytes(b"\xff\xfe\x00")
    found = built(tmp_path, 'include "folder.eval"\ninclude "pipe.eval"\ninclude "bytes.eval"')
    assert [f.code for f in found.findings] == ["EV001"] * 3


def test_a_file_included_twice_is_read_once(tmp_path: Path) -> None:
    found = built(
        tmp_path, 'include "d.eval"\ninclude "e.eval"\ninclude "d.eval"', d="learner x is knn", e='include "d.eval"'
    )
    assert found.findings == ()
    assert [x.name for x in found.plan.learners] == ["x"]


def test_a_mistake_in_an_included_file_is_placed_there(tmp_path: Path) -> None:
    found = built(tmp_path, 'include "d.eval"', d="learner ok is knn\nlearner bad is knn(zz = 1)")
    assert found.findings[0].span.path.endswith("d.eval")
    assert found.sources[found.findings[0].span.path].position(found.findings[0].span.start) == (2, 20)


def test_a_long_chain_ends_with_a_sentence(tmp_path: Path) -> None:
    for i in range(400):
        (tmp_path / f"f{i}.eval").write_text(f'include "f{i + 1}.eval"\n')
    found = built(tmp_path, 'include "f0.eval"')
    assert messages(found) == [("EV001", f"more than {MOST_NESTED} files include one another in a chain")]
