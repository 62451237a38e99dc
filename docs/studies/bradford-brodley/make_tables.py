"""The paper's Tables 2 to 4, ours beside theirs, from the stored outcome; no run is needed.

    python docs/studies/bradford-brodley/make_tables.py

Reads outcome/averaged.csv, outcome/counts.csv and the printed tables paper-table2.csv to paper-table4.csv. Writes
outcome/table2.csv to table4.csv and outcome/shares.csv. A turned conclusion is of type I where the mean of all
partitions finds no difference, or where a partition finds one the other way round; of type II where it misses one.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).parent
LEVEL = 0.05
OTHERS = (("tddt-2", "tddt2", "TDDT-2"), ("bayes", "nb", "Naive-Bayes"))  # ours, in the heads of the tables, as printed
SCHEMES = (("10cv", "1x10", "1x10CV"), ("5x2cv", "5x2", "5x2CV"))
COLUMNS = tuple((other, scheme) for other in OTHERS for scheme in SCHEMES)
Row = dict[str, str]


def read(name: str) -> list[Row]:
    """The rows of a table beside this file."""
    with open(HERE / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(name: str, heads: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Into outcome/, with the same line ends everywhere."""
    with open(HERE / "outcome" / name, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(heads)
        writer.writerows(rows)


def signed(row: Row) -> str:
    """One tail of the mean t, with its sign: above 0 where tddt-1 is ahead, as Table 2 has it."""
    tail = float(row["p"]) / 2
    sign = "-" if float(row["mean_t"]) < 0 else ""
    return sign + (f"{tail:.0e}" if tail < 0.0001 else f"{tail:#.2g}")


def judged(averaged: Row, counts: Row) -> tuple[int, int, int, int]:
    """(rightly no difference, rightly a difference, type I, type II) of the partitions of one case."""
    other, none, first = (int(counts[k]) for k in ("other_better", "no_difference", "tddt_1_better"))
    if float(averaged["p"]) > LEVEL:
        return none, 0, other + first, 0
    ahead = float(averaged["mean_t"]) > 0
    return 0, first if ahead else other, other if ahead else first, none


def turned(rows: list[list[object]]) -> str:
    """The share of type I and type II in the four counts of each row."""
    each = [[int(str(cell)) for cell in row] for row in rows]
    return f"{sum(row[2] + row[3] for row in each) / sum(map(sum, each)):.1%}"


def main() -> None:
    """Three tables and the shares."""
    averaged = {(r["scheme"], r["dataset"], r["other"]): r for r in read("outcome/averaged.csv")}
    counts = {(r["scheme"], r["dataset"], r["other"]): r for r in read("outcome/counts.csv")}
    printed2 = {r["dataset"]: r for r in read("paper-table2.csv")}
    printed3 = {r["dataset"]: r for r in read("paper-table3.csv")}
    printed4 = {(r["comparison"], r["test"]): r for r in read("paper-table4.csv")}
    heads = ["dataset"]
    for (other, _, _), (scheme, _, _) in COLUMNS:
        heads += [f"{other}, {scheme}", "paper"]
    second, third = [], []
    for dataset in printed2:
        signs, triples = [dataset], [dataset]
        for (other, short, _), (scheme, brief, _) in COLUMNS:
            here, column = (scheme, dataset, other), f"{short}_{brief}"
            signs += [signed(averaged[here]), printed2[dataset][column]]
            found = (counts[here][k] for k in ("other_better", "no_difference", "tddt_1_better"))
            triples += ["/".join(found), "/".join(printed3[dataset][f"{column}_col{n}"] for n in (1, 2, 3))]
        second.append(signs)
        third.append(triples)
    write("table2.csv", heads, second)
    write("table3.csv", heads, third)
    fourth: list[list[object]] = []
    for (other, _, name), (scheme, _, test) in COLUMNS:
        ours = [judged(averaged[k], counts[k]) for k in averaged if (k[0], k[2]) == (scheme, other)]
        paper = printed4[name, test]
        row: list[object] = [f"{other}, {scheme}"]
        for place, word in enumerate(("correct_accept", "correct_reject", "type1", "type2")):
            row += [sum(one[place] for one in ours), int(paper[word])]
        fourth.append(row)
    kinds = ("no difference, rightly", "a difference, rightly", "type I", "type II")
    write("table4.csv", ["tddt-1 against", *(head for kind in kinds for head in (kind, "paper"))], fourth)
    shares = []
    for what, places in (("10cv", (0, 2)), ("5x2cv", (1, 3)), ("together", (0, 1, 2, 3))):
        rows = [fourth[place] for place in places]
        shares.append((what, turned([row[1::2] for row in rows]), turned([row[2::2] for row in rows])))
    write("shares.csv", ("what", "ours", "paper"), shares)


if __name__ == "__main__":
    main()
