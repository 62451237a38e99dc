# ruff: noqa: E501  a script reads best in one line
from __future__ import annotations

import pytest

from evalang.plans.canonical import dumps, fingerprint, loads
from evalang.plans.description import describe
from evalang.plans.passwords import hide_passwords, mask_passwords
from tests.plans.planning import planned

SECRET = "hunter2"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (f"postgresql://me:{SECRET}@host/db", "postgresql://me:***@host/db"),
        (f"postgresql+psycopg://me:{SECRET}@host:5432/db", "postgresql+psycopg://me:***@host:5432/db"),
        (f"postgresql://me:{SECRET}/x@host/db", "postgresql://me:***@host/db"),
        (f"postgresql://me:{SECRET}@x@host/db", "postgresql://me:***@host/db"),
        (f"postgresql://me:{SECRET}?y@host/db", "postgresql://me:***@host/db"),
        (f"postgresql://:{SECRET}@host/db", "postgresql://:***@host/db"),
        (f"postgresql://host/db?user=me&password={SECRET}", "postgresql://host/db?user=me&password=***"),
        (f"postgresql://host/db?PASSFILE={SECRET}", "postgresql://host/db?PASSFILE=***"),
        (f"postgresql://host/db?sslpassword={SECRET}&a=b", "postgresql://host/db?sslpassword=***&a=b"),
        (f"me:{SECRET}@host/db", "me:***@host/db"),
        ("postgresql://me@host:5432/db?sslmode=require", "postgresql://me@host:5432/db?sslmode=require"),
        ("sqlite:///shop.db", "sqlite:///shop.db"),
        ("sqlite:////abs/olute/shop.db", "sqlite:////abs/olute/shop.db"),
        ("", ""),
    ],
)
def test_addresses_lose_their_password(address: str, shown: str) -> None:
    assert hide_passwords(address) == shown
    assert SECRET not in shown
    assert hide_passwords(shown) == shown


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://me:{SECRET}@host/db",
        f"postgresql://:{SECRET}@host/db",
        f"postgresql://me:{SECRET}/x@y@host/db",
        f"postgresql://host/db?user=me&password={SECRET}&a=b",
        f"postgresql://host/db?SSLPassword={SECRET}",
    ],
)
def test_a_script_can_be_shown_without_its_passwords(address: str) -> None:
    text = f'# a remark\ndataset d from sql "{address}", query "select a@b"\ncompare knn vs svm on d using 10cv\n'
    shown = mask_passwords(text)
    assert SECRET not in shown
    assert len(shown) == len(text)
    assert [a for a, b in zip(shown, text, strict=True) if a != b] == ["*"] * sum(
        a != b for a, b in zip(shown, text, strict=True)
    )
    assert shown.endswith(', query "select a@b"\ncompare knn vs svm on d using 10cv\n')
    assert mask_passwords(shown) == shown
    assert mask_passwords("set seed 1\n") == "set seed 1\n"
    sentence = 'set seed 1, because "agreed: me and you@host"'
    assert mask_passwords(sentence) == sentence


def test_a_password_is_never_written_and_never_shown() -> None:
    text = f"""dataset d from sql "postgresql://me:{SECRET}@host/db", query "select 1", target "y"
    compare knn vs svm on d using 10cv"""
    built = planned(text)
    assert built.findings == ()
    source = built.plan.datasets[0].source
    assert SECRET in source.address
    for shown in (dumps(built.plan), describe(built.plan), repr(built.plan), fingerprint(built.plan)):
        assert SECRET not in shown
    back = loads(dumps(built.plan))
    assert back == built.plan
    assert back.datasets[0].source.address == ""
    assert fingerprint(back) == fingerprint(built.plan)


def test_a_query_that_is_missing_is_told_without_the_address() -> None:
    built = planned(f'dataset d from sql "postgresql://me:{SECRET}@host/db", target "y"')
    (found,) = built.findings
    assert built.sources["test.eval"].cut(found.span) == "d"


def test_every_clause_of_a_dataset_is_kept() -> None:
    text = """dataset d from csv "d.csv"(separator = ";", decimal = ","), target "t", positive "A", "B" against the rest,
      missing "?", -9, drop "id", "n", drop missing targets, groups "g", weights "w", folds "f",
      tested on csv "e.csv", as classification, because "ours", allow EV101 because "why" """
    built = planned(text)
    assert built.findings == ()
    (d,) = built.plan.datasets
    assert d.source.options == (("separator", ";"), ("decimal", ","))
    assert (d.target, d.positive, d.against_rest) == ("t", ("A", "B"), True)
    assert (d.missing, d.drop, d.drop_missing_targets) == (("?", -9), ("id", "n"), True)
    assert (d.groups, d.weights, d.folds) == ("g", "w", "f")
    assert d.tested_on is not None
    assert (d.tested_on.kind, d.tested_on.locator) == ("csv", "e.csv")
    assert (d.task, d.because) == ("classification", "ours")
    assert [(a.code, a.reason) for a in d.allow] == [("EV101", "why")]


def test_generators_and_bundled_data_tell_their_rows() -> None:
    plan = planned(
        'dataset g from synthetic gaussians(n = 300)\ndataset i from builtin "iris"\ndataset w from openml 1596'
    ).plan
    assert [(d.name, d.rows, d.task) for d in plan.datasets] == [
        ("g", 300, "classification"),
        ("i", 150, "classification"),
        ("w", None, None),
    ]


def test_tables_are_kept_whole() -> None:
    text = """results r from csv "r.csv" as score ~ who | where / fold, measuring error, missing "NA"
    predictions p from csv "p.csv", truth "y", learners in "a", "b", positive "yes", groups "g", missing "-" """
    plan = planned(text).plan
    assert plan.results[0].formula == ("score", "who", "where", "fold")
    assert (plan.results[0].metric, plan.results[0].missing) == ("error", ("NA",))
    (p,) = plan.predictions
    assert (p.truth, p.learners_in, p.positive, p.groups, p.missing) == ("y", ("a", "b"), ("yes",), "g", ("-",))


def test_a_learner_keeps_its_chain_with_values_of_every_kind() -> None:
    text = 'learner x is scale | neural-net(hidden_layer_sizes = [64, 32], activation = "relu", early_stopping = true), calibrate platt, train 3 times because "b"'
    built = planned(text)
    assert built.findings == ()
    (x,) = built.plan.learners
    assert [(s.name, s.kind) for s in x.steps] == [("scale", "step"), ("neural-net", "learner")]
    assert dict(x.steps[1].parameters) == {"hidden_layer_sizes": (64, 32), "activation": "relu", "early_stopping": True}
    assert (x.calibrate, x.trainings, x.because) == ("platt", 3, "b")


def test_code_of_ones_own_is_planned_but_not_imported() -> None:
    built = planned('learner x is "no_such_package.models:Thing"(depth = 3)')
    assert built.findings == ()
    assert built.plan.learners[0].steps[0].kind == "code"
