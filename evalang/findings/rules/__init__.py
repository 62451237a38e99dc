"""All rules, in the order of their codes."""

from __future__ import annotations

from ..rule import Rule
from . import (
    claims,
    dataset_facts,
    datasets,
    families,
    metrics,
    partition_facts,
    partitions,
    script,
    tests,
    tests_facts,
    tuning,
    tuning_facts,
)

RULES: tuple[Rule, ...] = (
    script.syntax,
    script.unknown_name,
    script.defined_twice,
    script.unused,
    script.unknown_parameter,
    script.bad_value,
    script.clauses_disagree,
    script.needless_allow,
    datasets.choice_unexplained,
    datasets.well_worn_data,
    datasets.too_few_datasets,
    dataset_facts.too_few_rows,
    dataset_facts.rows_repeated,
    datasets.groups_split,
    datasets.time_shuffled,
    dataset_facts.answer_in_features,
    datasets.no_baseline,
    dataset_facts.rare_class_accuracy,
    datasets.one_dataset,
    dataset_facts.class_missing,
    tuning.tuned_on_test,
    tuning.unequal_tuning,
    tuning_facts.tuning_set_size,
    tuning.hand_set,
    tuning.prepared_before_split,
    tuning.no_retrain,
    tuning_facts.edge_of_grid,
    tuning.best_of_test,
    partitions.one_partition,
    partitions.folds_as_trials,
    partitions.not_five_by_two,
    partitions.pooled_p_values,
    partition_facts.more_partitions_needed,
    partition_facts.partition_decides,
    partition_facts.half_trained,
    partition_facts.rare_class_unstratified,
    partition_facts.wild_replications,
    partitions.no_seed,
    partitions.run_once,
    partitions.one_five_by_two,
    tests.resampled_t,
    tests.proportions,
    tests.kfold_t,
    tests.training_variance_ignored,
    tests.pairwise_only,
    tests_facts.skewed_differences,
    tests_facts.few_disagreements,
    tests.cannot_reject,
    tests.side_unexplained,
    tests.lenient_alpha,
    tests.wrong_question,
    tests_facts.underpowered,
    tests.rows_in_groups,
    tests.units_differ,
    families.uncorrected,
    families.family_too_small,
    families.stepwise_is_free,
    families.adjustments_are_tests,
    families.fdr_is_not_fwer,
    families.all_pairs,
    families.correlated_metrics,
    families.families_apart,
    metrics.uncalibrated,
    metrics.calibrated_on_training,
    metrics.isotonic_small,
    metrics.one_metric,
    metrics.no_scores,
    metrics.metric_mismatch,
    metrics.unscaled,
    metrics.relative_scores,
    metrics.isotonic_ties,
    claims.beyond_the_sample,
    claims.no_difference,
    claims.no_evidence,
    claims.classifier_or_algorithm,
    claims.not_supported,
    claims.too_small_to_matter,
    claims.algorithm_from_one_training,
    script.rule_crashed,
)

# Codes that are no longer given out; they are never used again for anything else.
RETIRED: dict[str, str] = {}


def find_rule(word: str) -> Rule | None:
    """The rule of a code or of a name.

    >>> find_rule("ev501").name, find_rule("uncorrected").code
    ('uncorrected', 'EV501')
    """
    wanted = word.strip()
    return next((rule for rule in RULES if wanted.upper() == rule.code or wanted == rule.name), None)
