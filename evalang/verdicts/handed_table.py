"""A table of scores that Python hands over, datasets by learners, wide or long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import DataError

if TYPE_CHECKING:
    import pandas as pd

    from .arithmetic.guarded import Floats


def score_table(
    table: pd.DataFrame, dataset: str | None = None, learner: str | None = None, score: str | None = None
) -> tuple[Floats, tuple[str, ...], tuple[str, ...]]:
    """Scores [dataset, learner] with the names of learners and datasets; a hole is an error that names its cell.

    Wide: a column for each learner, the datasets in the index or in the column `dataset`. Long: a row for each score,
    with all three columns named.
    """
    import pandas as pd

    if not isinstance(table, pd.DataFrame):
        raise DataError(f"a {type(table).__name__} is no table of scores", hint="hand over a pandas DataFrame")
    for role, column in (("dataset", dataset), ("learner", learner), ("score", score)):
        if column is not None and column not in table.columns:
            raise DataError(f"the table has no column {column!r} for {role}=")
    if (learner is None) != (score is None) or (learner is not None and dataset is None):
        raise DataError("a long table has three columns", hint="name dataset=, learner= and score=")
    wide = table if dataset is None else table.set_index(dataset)
    if learner is not None and dataset is not None:
        named = table[[dataset, learner]]
        if named.duplicated().any():
            twice = named[named.duplicated()].iloc[0]
            raise DataError(
                f"{twice[learner]} has two scores on {twice[dataset]}", hint="one score per dataset and learner"
            )
        wide = table.pivot(index=dataset, columns=learner, values=score)
    learners, datasets = tuple(map(str, wide.columns)), tuple(map(str, wide.index))
    for j, name in enumerate(learners):
        held: pd.Series[Any] = wide.iloc[:, j]
        holes = pd.to_numeric(held, errors="coerce").isna().to_numpy()
        if holes.any():
            i = int(holes.argmax())
            what = "nothing" if pd.isna(held.iloc[i]) else repr(held.iloc[i])
            hint = "every learner needs a score on every dataset; a column that names the datasets is said: dataset="
            raise DataError(f"the score of {name} on {datasets[i]} is {what}, not a number", hint=hint)
    return wide.to_numpy(dtype="float64"), learners, datasets
