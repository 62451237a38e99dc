"""Writes the table of boosting packages from those that are installed: python -m tests.catalogue.make_boosters

Rows of a package that is not installed here stay as they are.
"""

from __future__ import annotations

import importlib
import inspect
import json
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import evalang.catalogue

from .make_estimators import is_literal

TABLE = Path(evalang.catalogue.__file__).with_name("boosters.json")
CLASSES = {
    "lightgbm": ("LGBMClassifier", "LGBMRegressor"),
    "xgboost": ("XGBClassifier", "XGBRegressor"),
    "catboost": ("CatBoostClassifier", "CatBoostRegressor"),
}
REFUSED = {
    **dict.fromkeys(("random_state", "random_seed"), "seed"),
    **dict.fromkeys(("n_jobs", "thread_count"), "jobs"),
    **dict.fromkeys(("verbose", "verbosity", "silent", "logging_level", "metric_period"), "noise"),
    **dict.fromkeys(
        ("train_dir", "snapshot_file", "save_snapshot", "snapshot_interval", "allow_writing_files"), "file"
    ),
    **dict.fromkeys(("input_borders", "output_borders", "name"), "file"),
    **dict.fromkeys(("early_stopping_rounds", "od_pval", "od_wait", "od_type", "use_best_model"), "watched"),
    **dict.fromkeys(("best_model_min_trees", "eval_metric"), "watched"),
    "missing": "missing",
}
# LightGBM takes these by **kwargs; its manual ("Parameters") gives the types and defaults.
MORE = {
    "lightgbm": {
        "max_bin": [255, ["int", 2, None, "left"]],
        "min_data_in_bin": [3, ["int", 1, None, "left"]],
        "extra_trees": [False, "bool"],
        "linear_tree": [False, "bool"],
        "path_smooth": [0.0, ["real", 0, None, "left"]],
        "colsample_bynode": [1.0, ["real", 0, 1, "right"]],
        "max_cat_threshold": [32, ["int", 1, None, "left"]],
        "max_cat_to_onehot": [4, ["int", 1, None, "left"]],
        "cat_l2": [10.0, ["real", 0, None, "left"]],
        "cat_smooth": [10.0, ["real", 0, None, "left"]],
        "is_unbalance": [False, "bool"],
        "scale_pos_weight": [1.0, ["real", 0, None, "neither"]],
        "drop_rate": [0.1, ["real", 0, 1, "both"]],
        "max_delta_step": [0.0, "real"],
        "alpha": [0.9, ["real", 0, None, "neither"]],
    }
}
POSITIVE, SHARE, PENALTY, COUNT = (
    ["real", 0, None, "neither"],
    ["real", 0, 1, "right"],
    ["real", 0, None, "left"],
    ["int", 1, None, "left"],
)
LIMITS: dict[str, list[Any]] = {
    **dict.fromkeys(("n_estimators", "iterations", "num_trees", "num_boost_round", "depth"), COUNT),
    **dict.fromkeys(("learning_rate", "eta"), POSITIVE),
    **dict.fromkeys(("subsample", "rsm", "colsample_bytree", "colsample_bylevel", "colsample_bynode"), SHARE),
    **dict.fromkeys(("reg_alpha", "reg_lambda", "l2_leaf_reg", "gamma", "min_child_weight", "min_split_gain"), PENALTY),
}
# CatBoost says no types; these are those of its manual ("Training parameters"). The others are refused.
WHOLE = (
    "iterations depth border_count fold_permutation_block leaf_estimation_iterations ctr_leaf_count_limit "
    "max_ctr_complexity one_hot_max_size sampling_frequency max_depth n_estimators num_boost_round num_trees max_bin "
    "min_data_in_leaf min_child_samples max_leaves num_leaves classes_count ctr_target_border_count"
)
NUMBERS = (
    "learning_rate l2_leaf_reg model_size_reg rsm random_strength bagging_temperature fold_len_multiplier subsample "
    "mvs_reg colsample_bylevel reg_lambda eta scale_pos_weight penalties_coefficient model_shrink_rate "
    "diffusion_temperature eval_fraction target_border"
)
TEXTS = (
    "loss_function feature_border_type nan_mode counter_calc_method leaf_estimation_method auto_class_weights "
    "random_score_type final_ctr_computation_mode boosting_type task_type devices bootstrap_type sampling_unit "
    "objective grow_policy score_function leaf_estimation_backtracking model_shrink_mode"
)
SWITCHES = (
    "has_time allow_const_label approx_on_full_history langevin posterior_sampling boost_from_average "
    "store_all_simple_ctr"
)
KINDS = {int: "int", float: "real", str: "str", bool: "bool", NoneType: "none"}


def main() -> None:
    """Write the table."""
    TABLE.write_text(text(), encoding="utf-8")
    print(f"{TABLE.name}: {TABLE.stat().st_size} bytes")


def text() -> str:
    """The table as JSON, one line per class."""
    known = json.loads(TABLE.read_text("utf-8")) if TABLE.exists() else {"versions": {}, "estimators": {}}
    versions, rows = dict(known["versions"]), dict(known["estimators"])
    for package in CLASSES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
        rows |= rows_of(package)
    body = ",\n".join(f"{json.dumps(name)}:{json.dumps(rows[name], separators=(',', ':'))}" for name in sorted(rows))
    return f'{{"versions":{json.dumps(versions, sort_keys=True)},"estimators":{{\n{body}\n}}}}\n'


def rows_of(package: str) -> dict[str, list[Any]]:
    """Public dotted name -> [module, kinds, gives, flags, parameters], as in the table of scikit-learn."""
    loaded = importlib.import_module(package)
    found = {}
    for kind, gives, short in zip(
        ("classifier", "regressor"), ("probabilities", "labels"), CLASSES[package], strict=True
    ):
        cls = getattr(loaded, short)
        weights = "w" if "sample_weight" in inspect.signature(cls.fit).parameters else ""
        specs = {name: specify(name, default, said) for name, (default, said) in parameters(cls).items()}
        found[f"{package}.{short}"] = [cls.__module__, [kind], gives, f"{weights}rn", specs | MORE.get(package, {})]
    return found


def parameters(cls: Any) -> dict[str, tuple[Any, Any]]:
    """Name -> default and type, of the constructors of the class and of those it inherits from."""
    found: dict[str, tuple[Any, Any]] = {}
    for one in reversed([c for c in cls.__mro__ if "__init__" in vars(c) and c.__module__.split(".")[0] in CLASSES]):
        hints = get_type_hints(one.__init__)
        for name, p in list(inspect.signature(one.__init__).parameters.items())[1:]:
            if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL) and name != "params":
                found[name] = (p.default, hints.get(name) or found.get(name, (None, None))[1])
    return found


def specify(name: str, default: Any, said: Any) -> list[Any]:
    """[default, allowed...] or [default, "refused", reason]."""
    shown = default if is_literal(default) else "…"
    if name in REFUSED:
        return [shown, "refused", REFUSED[name]]
    if said is not None:
        allowed = [KINDS[one] for one in get_args(said) or (said,) if one in KINDS]
    else:
        kinds = {"int": WHOLE, "real": NUMBERS, "str": TEXTS, "bool": SWITCHES}
        allowed = [kind for kind, names in kinds.items() if name in names.split()]
        allowed += ["none"] if allowed and default is None else []
    allowed = [LIMITS[name] if one in ("int", "real") and name in LIMITS else one for one in allowed]
    return [shown, *allowed] if set(map(str, allowed)) - {"none"} else [shown, "refused", "code"]


if __name__ == "__main__":
    main()
