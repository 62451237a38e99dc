"""Facts about tables, on small frames in which each fact is planted, with a frame of noise that has none of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalang.data.access import Access
from evalang.data.hashes import row_hashes
from evalang.data.profile import profile, profiles
from evalang.data.profile_facts import Profile
from evalang.plans.model import Source

from ..support.data_loading import load_csv, load_source
from .test_load import PATIENTS, ROLES


def _profile(frame: pd.DataFrame, **said: object) -> Profile:
    access = Access(root=Path(), values={"f": frame})
    return profile(load_source(Path(), "python", "f", access=access, **{"target": "y", **said}))


def _noise(rows: int = 200, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({f"x{j}": rng.standard_normal(rows) for j in range(3)})
    frame["c"] = rng.choice(["u", "v", "w"], rows)
    frame["y"] = rng.choice(["a", "b"], rows)
    return frame


def test_plain_facts() -> None:
    frame = _noise()
    found = _profile(frame)
    assert (found.rows, found.features) == (200, 4)
    assert dict(found.classes) == frame["y"].value_counts().to_dict()
    assert found.largest_class_share == pytest.approx(frame["y"].value_counts().max() / 200)
    assert (found.duplicate_rows, found.missing_cells, found.identifier_columns, found.answer_columns) == (0, 0, (), ())
    assert (found.groups, found.test_rows) == (None, None)


def test_repeated_rows_are_counted_as_a_slow_loop_counts_them() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.integers(0, 3, (60, 3)), columns=["a", "b", "y"]).astype({"y": str})
    frame.loc[5, "a"] = None
    rows = [tuple(None if v != v else v for v in r) for r in frame.itertuples(index=False)]
    twins = sum(rows.count(r) > 1 for r in rows)
    found = _profile(frame)
    assert found.duplicate_rows == twins > 0
    assert found.duplicate_share == twins / 60


def test_copies_of_few_possible_rows_and_of_rows_that_differ_in_one_number() -> None:
    rng = np.random.default_rng(4)
    coarse = pd.DataFrame(rng.integers(1, 5, (400, 3)), columns=list("abc")).assign(y=rng.choice(["u", "v"], 400))
    assert _profile(coarse).copies_unavoidable
    apart = _profile(coarse.assign(income=rng.choice(90_000, 400, replace=False)))
    assert (apart.copies_unavoidable, apart.duplicate_rows) == (False, 0)


def test_missing_cells() -> None:
    frame = _noise()
    frame.loc[:3, "x1"] = None
    frame.loc[2:5, "c"] = None
    found = _profile(frame)
    assert found.missing_cells == 8


def test_numbers_that_may_stand_for_missing_values() -> None:
    rng = np.random.default_rng(5)
    plain = _noise().assign(
        pressure=rng.normal(70, 12, 200).round(),
        days=rng.integers(0, 40, 200),
        paid=np.where(rng.random(200) < 0.9, 0, rng.lognormal(8, 1, 200).round(2)),
        celsius=np.where(np.arange(200) % 20, rng.normal(6, 4, 200).round(), -1),
        dose=np.where(np.arange(200) % 2, 0.0, 1.0),
    )
    assert _profile(plain).sentinels == ()
    coded = plain.copy()
    coded.loc[:4, "pressure"] = 0
    coded.loc[:29, "days"] = -1
    coded.loc[:2, "celsius"] = -999
    found = {one.column: (one.value, one.cells, one.elsewhere) for one in _profile(coded).sentinels}
    assert found == {"pressure": (0, 5, True), "days": (-1, 30, True), "celsius": (-999, 3, False)}
    numbers = coded.assign(y=np.where(np.arange(200) < 7, 9999, rng.normal(50, 9, 200)))
    assert [one.cells for one in _profile(numbers, task="regression").sentinels if one.column == "y"] == [7]


def test_identifiers() -> None:
    frame = _noise()
    frame["number"] = np.arange(200)
    frame["name"] = [f"p{i}" for i in range(200)]
    frame["measured"] = np.random.default_rng(2).standard_normal(200)
    frame["nearly"] = [0, *range(199)]
    assert _profile(frame).identifier_columns == ("number", "name")
    assert _profile(frame.head(9)).identifier_columns == ()
    whole = np.random.default_rng(3).choice(90_000, 200, replace=False)
    money = _noise().assign(income=whole, patient_id=whole, paid=whole)
    assert _profile(money).identifier_columns == ("patient_id",)


def test_a_column_that_tells_the_answer() -> None:
    frame = _noise()
    frame["leak"] = frame["y"].map({"a": 7, "b": 3})
    frame["other"] = frame["y"].map({"a": "p", "b": "q"}).where(frame.index != 3)
    found = _profile(frame)
    assert [a.column for a in found.answer_columns] == ["leak", "other"]
    assert found.answer_columns[0].share == 1.0
    frame.loc[:3, "leak"] = 10 - frame.loc[:3, "leak"]  # 4 of 200 are wrong now: 98%
    assert [a.column for a in _profile(frame).answer_columns] == ["other"]
    frame = _noise(1000)
    frame["y"] = ["rare"] * 3 + ["common"] * 997
    assert _profile(frame).answer_columns == ()


def test_a_category_that_nearly_tells_the_answer() -> None:
    frame = _noise(400)
    frame["hospital"] = frame["y"].map({"a": "north", "b": "south"}).where(frame.index % 16 > 0, "north")
    assert [found.column for found in _profile(frame).telling_columns] == ["hospital"]
    assert _profile(_noise()).telling_columns == ()


def test_the_answer_of_a_regression() -> None:
    frame = _noise()
    frame["y"] = np.random.default_rng(5).standard_normal(200)
    assert _profile(frame).answer_columns == ()
    frame["fahrenheit"] = frame["y"] * 1.8 + 32
    found = _profile(frame)
    assert [a.column for a in found.answer_columns] == ["fahrenheit"]
    assert found.target_range == (frame["y"].min(), frame["y"].max())
    assert found.classes == ()


def test_facts_about_rows(tmp_path: Path) -> None:
    found = profile(load_csv(tmp_path, PATIENTS, **ROLES))
    assert found.groups == 3
    assert found.folds == (("1", 2), ("2", 1), ("10", 1))


def test_rows_are_hashed_alike_together_and_cell_by_cell() -> None:
    """Numbers that come as objects are looked at one column after the other."""
    numbers = pd.DataFrame(
        {
            "whole": [1, -2, 2**53],
            "small": np.array([0.1, 2, np.nan], dtype=np.float32),
            "large": np.array([0, 2**63, 7], dtype=np.uint64),
            "any": [np.inf, -0.0, np.nan],
        }
    )
    others = pd.DataFrame({"words": ["a", "", "1"], "truth": [True, False, True]})
    expected = row_hashes(numbers.astype(object)) + row_hashes(others)
    found = row_hashes(pd.concat([others, numbers], axis=1))
    assert found.tolist() == expected.tolist()
    assert len(set(found)) == 3


def test_numbers_among_words_are_named_with_their_cells() -> None:
    frame = _noise()
    prices = [f"{i / 10:.1f}" for i in range(150)] + ["on request"] * 40 + ["1,5"] * 10
    frame["price"] = prices
    frame["code"] = [f"{i % 7}" for i in range(120)] + ["x"] * 80
    (found,) = _profile(frame).numbers_as_text
    assert (found.column, found.numbers, found.cells, found.words) == ("price", 160, 200, (("on request", 40),))


def test_a_column_that_is_said_to_hold_names_is_none_of_numbers(tmp_path: Path) -> None:
    lines = [f"{1000 + i},a" for i in range(30)] + [f"{['N', 'S'][i % 2]}{i},b" for i in range(20)]
    text = "\n".join(["post,y", *lines])
    assert [c.column for c in profile(load_csv(tmp_path, text, target="y")).numbers_as_text] == ["post"]
    named = profile(load_csv(tmp_path, text, target="y", options={"categorical": "post"}))
    assert named.numbers_as_text == ()


@pytest.mark.parametrize("name", ["patient", "user_id", "customerId", "Subject No", "patient_age", "width", "paid"])
@pytest.mark.parametrize("values", [3, 40, 150])
def test_a_group_has_the_name_of_one_and_values_that_repeat(name: str, values: int) -> None:
    frame = _noise().assign(**{name: np.arange(200) % values})
    is_group = values == 40 and name not in ("patient_age", "width", "paid")
    assert _profile(frame).group_like == (((name, values),) if is_group else ())
    assert _profile(frame, groups=name).group_like == ()


def _units(share: float, *, rows: int = 600, units: int = 60, text: bool = True) -> pd.DataFrame:
    """Rows of units under a name that says nothing: each column has this intraclass correlation."""
    rng = np.random.default_rng(7)
    unit = rng.permutation(np.arange(rows) % units)
    frame = pd.DataFrame(
        {
            f"x{j}": np.sqrt(share) * rng.standard_normal(units)[unit] + np.sqrt(1 - share) * rng.standard_normal(rows)
            for j in range(6)
        }
    )
    frame["ref"] = [f"r{n}" for n in unit] if text else unit
    return frame.assign(y=rng.choice(["a", "b"], rows))


@pytest.mark.parametrize("text", [True, False])
def test_an_entity_is_known_by_rows_that_are_alike(text: bool) -> None:
    ((column, values, alike, compared),) = _profile(_units(0.8, text=text)).entity_like
    assert (column, values, alike, compared) == ("ref", 60, 6, 7)
    assert _profile(_units(0.8, text=text), drop=("ref",)).entity_like[0][:2] == ("ref", 60)
    assert _profile(_units(0.8, text=text), groups="ref").entity_like == ()
    assert _profile(_units(0.1, text=text)).entity_like == ()


def test_a_measurement_is_no_entity() -> None:
    """Rows of one age are alike in every column, and so are rows of the next age."""
    rng = np.random.default_rng(3)
    age = rng.integers(18, 90, 1000)
    frame = pd.DataFrame({"age": age, "pay": 10 * age + rng.normal(0, 20, 1000), "decade": (age // 10).astype(str)})
    assert _profile(frame.assign(left=90 - age, y=np.where(age > 50, "a", "b"))).entity_like == ()


def test_dropped_columns_still_tell_groups_and_dates() -> None:
    frame = _noise().assign(hospital=np.arange(200) % 6, day=pd.date_range("2024-01-01", periods=200).astype(str))
    found = _profile(frame.assign(birth_date=frame["day"]), drop=("hospital", "day"))
    assert (found.group_like, found.date_columns) == ((("hospital", 6),), ("day",))
    assert _profile(_noise().assign(drug=np.arange(200) % 6)).group_like == ()  # arms of an experiment


def test_copies_under_other_numbers_and_texts() -> None:
    frame = pd.concat([_noise(), _noise().iloc[:30]], ignore_index=True).assign(id=np.arange(230))
    assert _profile(frame).duplicate_rows == 60
    words = [f"a long text about the thing with number {n % 180}" for n in range(200)]
    assert _profile(_noise().assign(text=words)).text_twins == ("text", 40)
    assert _profile(_noise().assign(text=[f"note {n % 180}!" for n in range(200)])).text_twins == ("", 0)


def test_rows_that_two_tables_share() -> None:
    whole = _noise(500).assign(id=np.arange(500))
    part = whole.iloc[100:].assign(id=np.arange(400) + 9000)
    access = Access(root=Path(), values={"w": whole, "p": part, "o": _noise(300, seed=9)})
    tables = {name: load_source(Path(), "python", name, access=access, target="y") for name in access.values}
    found = profiles(tables)
    assert (found["w"].shared, found["p"].shared, found["o"].shared) == ((("p", 400),), (("w", 400),), ())


def test_rows_of_few_values_are_shared_by_chance() -> None:
    rng = np.random.default_rng(0)
    made = [pd.DataFrame(rng.integers(0, 2, (300, 6)), columns=list("abcdey")).astype({"y": str}) for _ in range(2)]
    access = Access(root=Path(), values=dict(zip("vw", made, strict=True)))
    tables = {name: load_source(Path(), "python", name, access=access, target="y") for name in "vw"}
    assert [found.shared for found in profiles(tables).values()] == [(), ()]


def test_a_series_tells_the_rows_of_every_stamp_apart() -> None:
    frame = _noise().assign(day=np.arange(200) // 4, shop=np.tile(["n", "s", "w", "e"], 50), till=np.arange(200) % 8)
    frame["half"] = frame["shop"].isin(["n", "s"])  # two shops of a day have the same
    assert _profile(frame, time="day").series_like == (("shop", 4), ("till", 8))
    assert _profile(frame, time="day", series="shop").series_like == ()
    assert _profile(frame, time="day", series="shop").series == 4
    assert _profile(frame).series_like == ()
    late = frame[(frame["shop"] != "e") | (frame["day"] > 30)]
    assert _profile(late, time="day").series_like[0] == ("shop", 4)
    alone = frame.assign(day=np.r_[0, np.arange(199)])  # one stamp that two rows share is no series
    assert _profile(alone, time="day").series_like == ()


def test_rows_per_day_for_a_horizon() -> None:
    frame = _noise().assign(
        day=pd.date_range("2024-01-01", periods=50).astype(str).repeat(4), shop=np.tile(["n", "s", "w", "e"], 50)
    )
    assert _profile(frame, time="day").rows_per_day == pytest.approx(4.0)
    assert _profile(frame, time="day", series="shop").rows_per_day == pytest.approx(1.0)
    assert _profile(frame.assign(day=np.arange(200)), time="day").rows_per_day is None


def test_periods_in_the_order_of_the_rows_are_times() -> None:
    frame = _noise()
    rows = len(frame)
    frame["year"] = np.sort(np.arange(rows) % 8) + 2015
    frame["model_year"] = np.arange(rows) % 8 + 2015  # of the car, in no order
    frame["month"] = pd.Series(np.arange(rows) % 12 + 1).map("2021-{:02d}".format)
    assert set(_profile(frame).date_columns) == {"year", "month"}


def test_one_threshold_tells_the_answer() -> None:
    frame = _noise()
    classes = sorted(frame["y"].unique())
    frame["days"] = np.where(frame["y"] == classes[0], 1.0, 3.0) + np.random.default_rng(1).random(len(frame))
    assert [a.column for a in _profile(frame).answer_columns] == ["days"]


def test_dates_as_text_and_as_dates() -> None:
    frame = _noise()
    frame["day"] = pd.date_range("2024-01-01", periods=200)
    frame["written"] = frame["day"].dt.strftime("%d.%m.%Y")
    frame["iso"] = frame["day"].dt.strftime("%Y-%m-%d %H:%M")
    assert set(_profile(frame).date_columns) == {"day", "written", "iso"}
    assert _profile(frame, time="day").date_columns == ()
    assert _profile(_noise()).date_columns == ()


def test_the_official_test_part_and_its_rows_that_are_trained_on(tmp_path: Path) -> None:
    rows = [f"{i},{i * i},{'ab'[i % 2]}" for i in range(60)]
    (tmp_path / "test.csv").write_text("\n".join(["p,q,y", *rows[:7], "0,0,b", "900,1,c"]), encoding="utf-8")
    table = load_csv(tmp_path, "\n".join(["p,q,y", *rows]), target="y", tested_on=Source("csv", "test.csv"))
    found = profile(table)
    assert (found.test_rows, found.test_twins) == (9, 7)
    assert found.test_classes == (("a", 4), ("b", 4), ("c", 1))


def test_test_rows_that_are_earlier_than_all_training_rows(tmp_path: Path) -> None:
    days = pd.date_range("2024-01-01", periods=200).astype(str)
    frame = _noise().assign(day=days)
    values = {"late": frame.iloc[80:], "early": frame.iloc[:80], "odd": frame.iloc[1::2], "even": frame.iloc[::2]}
    access = Access(root=Path(), values=values)

    def found(train: str, test: str) -> tuple[tuple[str, int], ...]:
        tested = Source(kind="python", locator=test)
        said = {"target": "y", "drop": ("day",), "tested_on": tested}
        return profile(load_source(Path(), "python", train, access=access, **said)).early_test_dates

    assert (found("late", "early"), found("odd", "even")) == ((("day", 80),), (("day", 1),))


def test_columns_that_are_scaled_already() -> None:
    assert _profile(_noise()).columns_scaled
    assert not _profile(_noise().assign(pay=np.arange(200) * 7.5)).columns_scaled


def test_the_same_rows_are_known_in_another_order_and_for_another_target() -> None:
    frame = _noise()
    same = _profile(frame.sample(frac=1.0, random_state=1), target="c")
    other = _profile(frame.iloc[1:])
    assert same.rows_hash == _profile(frame).rows_hash != ""
    assert other.rows_hash != same.rows_hash
    assert same.content_hash != _profile(frame).content_hash


def test_a_target_in_other_units_or_as_a_sum() -> None:
    rng = np.random.default_rng(8)
    frame = pd.DataFrame({"x": rng.normal(10, 2, 300), "kwh": rng.normal(200, 20, 300).round(2)})
    frame["casual"], frame["registered"] = rng.poisson(40, 300), rng.poisson(160, 300)
    said = {"task": "regression"}
    euro = _profile(frame.assign(euro=(0.31 * frame.kwh).round(2)), target="kwh", **said)
    assert [one.column for one in euro.answer_columns] == ["euro"]
    logs = _profile(frame.assign(logs=np.log(frame.kwh).round(5)), target="kwh", **said)
    assert [one.column for one in logs.answer_columns] == ["logs"]
    total = _profile(frame.assign(y=frame.casual + frame.registered), **said)
    assert (total.sums_to_target, total.answer_columns) == (("casual", "registered"), ())
    noisy = frame.assign(y=frame.kwh + frame.casual + rng.normal(0, 1, 300))
    assert (_profile(noisy, **said).sums_to_target, _profile(noisy, **said).answer_columns) == ((), ())


def test_numbers_and_words_that_are_dates() -> None:
    days = pd.date_range("2019-01-03", periods=200)
    seconds = (days - pd.Timestamp("1970-01-01")) // pd.Timedelta("1s")
    for column in (
        days.strftime("%Y%m%d").astype(int), days.strftime("%d %B %Y"), days.strftime("%b %Y"), days.strftime("%G-W%V"),
        seconds, 1000 * seconds, (days.year * 100 + days.month).astype(int),
    ):  # fmt: skip
        assert _profile(_noise().assign(ref=column)).date_columns == ("ref",), column[:3]
    rng = np.random.default_rng(0)
    assert _profile(_noise().assign(zip=rng.integers(10_000_000, 99_999_999, 200))).date_columns == ()


def test_copies_that_only_their_ids_join() -> None:
    rng = np.random.default_rng(2)
    image = rng.permutation(np.arange(400) % 80)
    frame = pd.DataFrame(rng.normal(size=(80, 4))[image] + 0.3 * rng.normal(size=(400, 4)), columns=list("pqrs"))
    frame = frame.assign(name=[f"img_{n:03}_copy{i}.png" for i, n in enumerate(image)], y=rng.choice(["a", "b"], 400))
    assert _profile(frame, drop=("name",)).id_parts[::2] == ("name", 80)
    assert _profile(frame.assign(name=[f"img_{i:03}" for i in range(400)]), drop=("name",)).id_parts[2] == 0
    words = [f"A text about thing {n % 180}, written at length" for n in range(200)]
    shouted = [word.upper() if n >= 180 else word for n, word in enumerate(words)]
    assert _profile(_noise().assign(text=shouted)).text_twins == ("text", 40)


def test_several_codes_for_missing_values() -> None:
    rng = np.random.default_rng(6)
    ages = rng.integers(18, 80, 400).astype(float)
    ages[:5], ages[5:9] = 888, 999
    found = _profile(_noise(400).assign(age=ages, scan=np.where(np.arange(400) < 4, 3.4e38, rng.normal(5, 1, 400))))
    assert [(one.column, one.value, one.high < 100) for one in found.sentinels] == [
        ("age", 999, True),
        ("scan", 3.4e38, True),
    ]


def test_means_of_the_target_over_all_rows() -> None:
    rng = np.random.default_rng(9)
    frame = pd.DataFrame({"x": rng.normal(size=600), "user": rng.integers(0, 40, 600), "y": rng.integers(1, 6, 600)})
    frame["user_mean"] = frame.groupby("user")["y"].transform("mean").round(3)
    frame["paid"] = np.where(rng.random(600) < 0.8, 0, rng.lognormal(8, 1, 600).round())
    found = _profile(frame, task="regression", drop=("user",))
    assert (found.target_means, found.sums_to_target) == (("user_mean",), ())


def test_columns_computed_from_later_targets() -> None:
    rng = np.random.default_rng(10)
    y = pd.Series(50 + 10 * np.sin(np.arange(400) / 24) + rng.normal(0, 3, 400)).round(2)
    frame = pd.DataFrame({"clock": pd.date_range("2023-01-01", periods=400).astype(str), "y": y})
    known = {"before": y.shift(1), "week": y.shift(1).rolling(7).mean().round(3), "noise": rng.normal(size=400)}
    late = {"next": y.shift(-1), "smooth": y.rolling(5, center=True).mean().round(3), "change": y.diff().round(2)}
    found = _profile(frame.assign(**known, **late).iloc[8:-3], task="regression", time="clock")
    assert found.windows_of_target == ("next", "smooth", "change")


def test_rows_made_of_other_rows() -> None:
    rng = np.random.default_rng(11)
    rows, y = rng.normal(size=(400, 6)), np.repeat(["few", "many"], (60, 340))
    pairs = rows[rng.permutation(60)[: 200 % 60]], rows[rng.permutation(60)[:20]]
    between = pairs[1] + rng.random((20, 1)) * (pairs[0] - pairs[1])

    def facts(X: np.ndarray, classes: np.ndarray) -> tuple[str, int]:
        found = _profile(pd.DataFrame(X, columns=list("abcdef")).assign(y=classes))
        return found.generated[0], found.near_copies[0]

    assert facts(rows, y) == ("", 0)
    assert facts(np.vstack([rows, between]), np.append(y, ["few"] * 20))[0] == "few"
    assert facts(np.vstack([rows, rows[:50].round(2)]), np.append(y, y[:50])) == ("", 100)
    other = np.where(y[:50] == "few", "many", "few")
    assert facts(np.vstack([rows, rows[:50].round(2)]), np.append(y, other)) == ("", 0)


def test_people_that_have_several_of_the_groups_each() -> None:
    frame = _noise(400).assign(patient=[f"p{i // 20}" for i in range(400)], stay=[f"s{i // 5}" for i in range(400)])
    assert _profile(frame, groups="stay").group_like == (("patient", 20),)
    assert _profile(frame, groups="patient").group_like == ()
    crossed = frame.assign(stay=[f"s{i % 80}" for i in range(400)])
    assert _profile(crossed, groups="stay").group_like == ()
    hospitals = frame.rename(columns={"patient": "hospital", "stay": "patient"})
    assert _profile(hospitals, groups="patient").group_like == ()


def test_a_dropped_source_of_rows_that_tells_the_classes() -> None:
    frame = _noise(300)
    frame = frame.assign(hospital=np.where(frame.y == "a", "north", "south"), diagnosis=frame.y + "!")
    frame.loc[:9, "hospital"] = "north"
    found = _profile(frame, drop=("hospital", "diagnosis"))
    assert [one.column for one in found.telling_columns] == ["hospital"]
    assert found.answer_columns == ()
    assert _profile(_noise(300).assign(hospital=["north", "south"] * 150), drop=("hospital",)).telling_columns == ()
