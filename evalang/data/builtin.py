"""The data sets known by name."""

from __future__ import annotations

import pandas as pd

from ..catalogue.sources import BUNDLED, BundledEntry, find_bundled
from ..errors import DataError
from ..language.nearest import nearest
from ..plans.model import Source
from .load import checked_options
from .raw import Raw
from .shown import shown
from .synthetic import generate


def read_builtin(source: Source) -> Raw:
    """A bundled data set: from scikit-learn's own files, or generated."""
    checked_options(source, {})
    entry = find_bundled(source.locator)
    if entry is None:
        near = nearest(source.locator, (e.name for e in BUNDLED))
        known = ", ".join(e.name for e in BUNDLED)
        raise DataError(
            f"no data set {shown(source.locator)} is bundled",
            hint=f"did you mean {near}?" if near else f"there are {known}",
        )
    if entry.generator:
        raw = generate(entry.generator, entry.parameters)
        frame = raw.frame
        nominal = raw.nominal
    else:
        frame = _carried(entry)
        nominal = frozenset()
    return Raw(frame=frame, source=f"builtin {entry.name}", nominal=nominal, target=entry.target, task=entry.task)


def _carried(entry: BundledEntry) -> pd.DataFrame:
    from sklearn import datasets

    loaders = {
        "iris": datasets.load_iris,
        "wine": datasets.load_wine,
        "breast-cancer": datasets.load_breast_cancer,
        "digits": datasets.load_digits,
        "diabetes": datasets.load_diabetes,
        "linnerud": datasets.load_linnerud,
    }
    bunch = loaders[entry.name]()
    frame = pd.DataFrame(bunch.data, columns=[str(n) for n in bunch.feature_names])
    if entry.name == "linnerud":
        frame[entry.target] = bunch.target[:, list(bunch.target_names).index(entry.target)]
    elif entry.task == "classification":
        frame[entry.target] = bunch.target_names[bunch.target]
    else:
        frame[entry.target] = bunch.target
    return frame
