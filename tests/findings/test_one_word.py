"""One word makes a good design bad: each of the newer rules beside the smallest change that it is there for.

The good script has no finding at warning or above; with the one change it has that of the rule, and no other. Words of
facts about data (`# table`, `# profile`) are what a reader would have found in the file.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from evalang.findings.rules import find_rule

from .cases import case_of
from .scripts import linted

TABLE = 'results t from csv "t.csv", datasets in "D", measuring accuracy\n# table {"name": "t"}\ncompare A vs B on t\n'
ITEMS = (
    'results t from csv "t.csv" as accuracy ~ model | item\n'
    '# table {"name": "t", "datasets": ["t"], "items": 200, "epochs": [1, 1]}\ncompare A vs B on t\n'
)
ROWS = 'dataset d described as 5000 rows, 2 classes, positive "a", because "r"\n'
FILE = (
    'dataset d from csv "d.csv", target "y" because "r"\n'
    '# profile {"name": "d", "rows": 500, "classes": [["a", 250], ["b", 250]]}\n'
    "compare decision-tree vs naive-bayes on d using 10x2cv, seed 1\n"
)
TWO = (
    'dataset young from csv "p.csv", target "y", where "age" < 30 because "r"\n'
    'dataset old from csv "p.csv", target "y", where "age" >= 30 because "r"\n'
    "compare decision-tree vs naive-bayes on young, old using 10x2cv, holm over datasets, seed 1\n"
)
NETS = (
    'learner one described as "net", randomised, stopped early on 10%, tuned for 2 hours\n'
    'learner two described as "net", randomised, stopped early on 10%, tuned for 2 hours\n'
    f"{ROWS}compare one vs two on d using 10x2cv, seed 1\n"
)
STEPS = (
    "learner a is scale | knn\nlearner b is scale | svm\n"
    f"{ROWS}compare a vs b on d using 10x2cv, measuring f-score, threshold on 20%, seed 1\n"
)
CHOSEN = (
    'learner a is select(k = 5) | decision-tree because "r"\n'
    f"{ROWS}compare a vs random-forest on d using 10x2cv, seed 1\n"
)
TIME = (
    'dataset p from csv "p.csv", target "y", time "t" as regression because "r"\n'
    "learner tree is decision-tree, tune max_depth in {2, 4}\n"
    "compare tree vs linear-regression on p using forward 8 splits, measuring rmse, tune on 20%, seed 1\n"
)
SHOPS = (
    'dataset d from csv "d.csv", target "y", time "day", series in "shop" because "r"\n'
    '# profile {"name": "d", "rows": 500, "classes": [["a", 250], ["b", 250]], "series_like": [["shop", 4]]}\n'
    "compare decision-tree vs naive-bayes on d using forward 8 splits, gap 7 rows, seed 1\n"
)
FOLDS = (
    'results t from csv "t.csv" as accuracy ~ learner | dataset / split, folds in "split"\n'
    '# table {"name": "t", "folds": 20}\ncompare A vs B on t\n'
)
OTHERS = ', "datasets": [' + ", ".join(f'"e{number}"' for number in range(20)) + "]"
TWICE = (
    'results t from csv "t.csv", datasets in "D", measuring accuracy\n# table {"name": "t"}\n'
    f'results u from csv "u.csv", datasets in "D", measuring brier\n# table {{"name": "u"{OTHERS}}}\n'
    "compare A vs B on t\ncompare A vs B on u\n"
)
CLAIM = (
    'dataset d from csv "d.csv", target "y" because "r"\n'
    "compare decision-tree vs naive-bayes on d using 10x2cv, measuring accuracy, mcc, primary mcc, holm over metrics, "
    "seed 1\nclaim decision-tree better than naive-bayes on d\n"
)


@dataclass(frozen=True)
class Change:
    """The words of a good script, what stands in their place, and the rule that then speaks."""

    code: str
    good: str
    words: str
    instead: str

    def __str__(self) -> str:
        return f"{self.code}: {self.instead.strip()[:40]}"


CHANGES = (
    Change("EV113", TABLE, '"t"}', '"t", "datasets": ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "mean"]}'),
    Change("EV114", TABLE.replace("on t\n", "on t, complete cases\n"), '"t"}', '"t", "left_out": ["d9"]}'),
    Change("EV115", TABLE, '"t"}', '"t", "spreads": 1}'),
    Change("EV116", TABLE.replace("\n#", ', copied from "Li"\n#'), '"Li"', '"Li" for B'),
    Change("EV117", ITEMS.replace("on t\n", "on t measuring bleu(better = higher)\n"), "bleu", "judge"),
    Change("EV118", ITEMS, "[1, 1]}", '[1, 1], "temperature": 0.7}'),
    Change("EV120", FILE, "250]]}", '250]], "group_like": [["patient", 80]]}'),
    Change("EV120", FILE, "250]]}", '250]], "date_columns": ["day"]}'),
    Change("EV120", SHOPS, ', series in "shop"', ""),
    Change("EV121", FILE, "250]]}", '250]], "numbers_as_text": [["price", 400, 500, [["n/a", 100]]]]}'),
    Change("EV122", TWO, ">= 30", ">= 20"),
    Change("EV215", TABLE.replace("\n#", ", tuned on 20%\n#"), "tuned on 20%", "tuned on test"),
    Change("EV217", ITEMS, "[1, 1]}", '[1, 1], "differing": ["prompt: none in b.eval"]}'),
    Change("EV220", NETS, "10%, tuned for 2 hours\nlearner two", "test, tuned for 2 hours\nlearner two"),
    Change("EV221", STEPS, "on 20%", "on test"),
    Change("EV222", NETS, "2 hours\nlearner two", "2 days\nlearner two"),
    Change("EV222", NETS, "for 2 hours\nlearner two", "by hand\nlearner two"),
    Change("EV223", CHOSEN, "decision-tree", "random-forest"),
    Change("EV224", TIME, "tune on 20%", "tune using 5cv"),
    Change(
        "EV225",
        NETS,
        "randomised, stopped early on 10%, tuned for 2 hours\nlearner two",
        'randomised, pretrained on "the web", stopped early on 10%, tuned for 2 hours\nlearner two',
    ),
    Change("EV226", STEPS, "svm", "knn"),
    Change("EV316", FOLDS.replace("split", "run"), '/ run, folds in "run"', '/ seed, folds in "seed"'),
    Change("EV317", FOLDS, "20}", "21}"),
    Change("EV420", ITEMS, "[1, 1]}", '[1, 1], "group_columns": [["task", 18]]}'),
    Change("EV421", TABLE, '"t"}', '"t", "equal": [["A", "B"]]}'),
    Change("EV512", TWICE, OTHERS, ""),
    Change("EV513", CLAIM, ", primary mcc", ""),
    Change("EV514", TABLE, '"t"}', '"t", "held": 10}'),
)


def found(text: str) -> set[str]:
    """Codes at warning or above, and notes of the rules tried here."""
    case = case_of("", "", False, text.split("\n"))
    report = linted(case.text, profiles=case.profiles, tables=case.tables)
    tried = {change.code for change in CHANGES}
    return {f.code for f in report.findings if f.level != "note" or f.code in tried}


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_one_word_makes_it_bad(change: Change) -> None:
    assert change.good.count(change.words) == 1
    assert found(change.good) == set()
    assert found(change.good.replace(change.words, change.instead)) == {change.code}


def test_every_newer_rule_is_here() -> None:
    families = ("EV113", "EV114", "EV115", "EV116", "EV117", "EV118", "EV120", "EV121", "EV122", "EV215", "EV217")
    families += ("EV22", "EV316", "EV317", "EV420", "EV421", "EV512", "EV513", "EV514")
    codes = {change.code for change in CHANGES}
    assert all(any(code.startswith(one) for code in codes) for one in families)
    assert {f"EV22{n}" for n in range(10) if find_rule(f"EV22{n}")} <= codes
