"""The suites of OpenML that are known by name: which tasks they are is part of their definition and stays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class OpenMLSuite:
    """A published list of tasks; each is a data set, its target and its division into folds."""

    name: str
    study: int  # its number at OpenML
    task: Literal["classification", "regression"]
    tasks: tuple[int, ...]
    origin: str


OPENML_SUITES = (
    OpenMLSuite(
        name="OpenML-CC18",
        study=99,
        task="classification",
        tasks=(
            3, 6, 11, 12, 14, 15, 16, 18, 22, 23, 28, 29, 31, 32, 37, 43, 45, 49, 53, 219, 2074, 2079, 3021, 3022, 3481,
            3549, 3560, 3573, 3902, 3903, 3904, 3913, 3917, 3918, 7592, 9910, 9946, 9952, 9957, 9960, 9964, 9971, 9976,
            9977, 9978, 9981, 9985, 10093, 10101, 14952, 14954, 14965, 14969, 14970, 125920, 125922, 146195, 146800,
            146817, 146819, 146820, 146821, 146822, 146824, 146825, 167119, 167120, 167121, 167124, 167125, 167140,
            167141,
        ),
        origin="Bischl et al. 2021",
    ),
    OpenMLSuite(
        name="OpenML-CTR23",
        study=353,
        task="regression",
        tasks=(
            361234, 361235, 361236, 361237, 361241, 361242, 361243, 361244, 361247, 361249, 361250, 361251, 361252,
            361253, 361254, 361255, 361256, 361257, 361258, 361259, 361260, 361261, 361264, 361266, 361267, 361268,
            361269, 361272, 361616, 361617, 361618, 361619, 361621, 361622, 361623,
        ),
        origin="Fischer et al. 2023",
    ),
)  # fmt: skip


def find_openml_suite(name: str) -> OpenMLSuite | None:
    """The suite of that name, with or without `OpenML-`, in any case of letters; or of that number.

    >>> len(find_openml_suite("cc18").tasks), len(find_openml_suite("353").tasks)
    (72, 35)
    """
    short = name.strip().lower().removeprefix("openml-")
    for one in OPENML_SUITES:
        if short in (one.name.lower().removeprefix("openml-"), str(one.study)):
            return one
    return None
