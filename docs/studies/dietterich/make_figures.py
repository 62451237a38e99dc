"""The pictures of the page, from its scripts.

python docs/studies/dietterich/make_figures.py
"""

from __future__ import annotations

from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from evalang.plans.build import build
from evalang.reports import document
from evalang.reports.figures import style
from evalang.reports.figures.simulated_curves import draw, rates
from evalang.reports.figures.svg import clean
from evalang.source.text import SourceText
from evalang.verdicts.simulation import simulate

HERE = Path(__file__).parent
SCRIPTS = ("figure5", "figure6", "training-sets", "power")


def main() -> None:
    """One picture for each simulate statement."""
    for name in SCRIPTS:
        script = HERE / f"{name}.eval"
        plan = build(SourceText(script.name, script.read_text(encoding="utf-8"))).plan
        (data,) = rates(simulate(plan, plan.simulations[0]))
        with style.look():
            figure = Figure(figsize=data.size(), layout="constrained")
            FigureCanvasAgg(figure)
            draw(data, figure.add_subplot())
            figure.savefig(HERE / f"{name}.svg", metadata={"Date": None})
        path = HERE / f"{name}.svg"
        told = document.Figure(key=name, kind="simulation", title=data.title, description=data.description, data=data)
        made = clean(path.read_text(encoding="utf-8"), told, inline=False)
        path.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
