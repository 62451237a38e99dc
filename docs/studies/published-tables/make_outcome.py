"""The verdicts on the published tables as small files, so that they can be read without the tables.

python docs/studies/published-tables/make_outcome.py FOLDER     FOLDER holds results/ and weka-means.csv
"""

from __future__ import annotations

import sys
from pathlib import Path

from evalang.language.files import read_script
from evalang.pipeline import Request, run_script
from evalang.reports.frames import about, tables

HERE = Path(__file__).parent
OUTCOME = HERE / "outcome"


def main(folder: Path) -> None:
    """One table of verdicts for each script, and what it was made with."""
    OUTCOME.mkdir(exist_ok=True)
    for script in ("demsar", "garcia-herrera", "weka"):
        judgement = run_script(read_script(HERE / f"{script}.eval"), Request(data_root=folder))
        text = tables(judgement)["verdicts.csv"].replace("\r\n", "\n")
        (OUTCOME / f"{script}.csv").write_text(text, encoding="utf-8")
        (OUTCOME / f"{script}.json").write_text(about(judgement), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
