from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from evalang.errors import ScriptError
from evalang.language.files import replace_file


def test_a_new_file_gets_the_usual_rights_and_a_replaced_one_keeps_its_own(tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    before = os.umask(0o027)
    try:
        replace_file(str(path), b"one")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o600)
    replace_file(str(path), b"two")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"two", 0o600)
    assert os.listdir(tmp_path) == ["x.eval"]


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.eval").write_bytes(b"one")
    (tmp_path / "link.eval").symlink_to("real.eval")
    replace_file(str(tmp_path / "link.eval"), b"two")
    assert (tmp_path / "link.eval").is_symlink()
    assert (tmp_path / "real.eval").read_bytes() == b"two"


@pytest.mark.parametrize(
    ("step", "error", "raised"),
    [
        ("fsync", OSError(28, "No space left on device"), ScriptError),
        ("replace", KeyboardInterrupt(), KeyboardInterrupt),
    ],
)
def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException, raised: type[BaseException]
) -> None:
    path = tmp_path / "x.eval"
    path.write_bytes(b"one")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(raised):
        replace_file(str(path), b"two")
    assert path.read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["x.eval"]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match="cannot be written"):
        replace_file(str(tmp_path / "absent" / "x"), b"")
    with pytest.raises(ScriptError, match="cannot be written"):
        replace_file(str(tmp_path), b"")
