"""Draws tasks.svg, the picture of the page, from its script: python docs/studies/answers/make_figure.py"""

from __future__ import annotations

from pathlib import Path

from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.reports.figures import picture
from evalang.reports.figures.choose import figure

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Every task with its interval."""
    script = HERE / "answers.eval"
    result = run_script(SourceText(str(script), script.read_text(encoding="utf-8")), Request())
    (HERE / "tasks.svg").write_text(
        picture.svg_file(figure(result, "forest", comparison="each-task")), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
