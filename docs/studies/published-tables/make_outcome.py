"""The verdicts on the published tables as small files, so that they can be read without the tables.

python docs/studies/published-tables/make_outcome.py FOLDER     FOLDER holds results/ and weka-means.csv
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from evalang.conduct import Request, conduct
from evalang.reports.csv import tables
from evalang.source.decode import read_script

HERE = Path(__file__).parent
OUTCOME = HERE / "outcome"


def main(folder: Path) -> None:
    """One table of verdicts for each script, and what it was made with."""
    OUTCOME.mkdir(exist_ok=True)
    about: dict[str, object] = {}
    for script in ("demsar", "garcia-herrera", "weka"):
        judgement = conduct(read_script(HERE / f"{script}.eval"), Request(data_root=folder))
        text = tables(judgement)["verdicts.csv"].replace("\r\n", "\n")
        (OUTCOME / f"{script}.csv").write_text(text, encoding="utf-8")
        about[script] = {"finished": judgement.finished, "environment": dict(judgement.environment)}
    (OUTCOME / "about.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
