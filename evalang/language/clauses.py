"""The table of clauses: a row says which statements take a clause, its node, how it begins, whether it is repeatable.

The grammar has one rule per clause. From this table it gets what each statement takes and which comma ends a list;
completion, colours, the formatter and recovery read their words here. A new clause is a rule, a node and a row.
"""

from __future__ import annotations

from dataclasses import dataclass

from . import nodes as n

STATEMENT_WORDS = (
    "dataset", "suite", "learner", "results", "predictions", "compare", "estimate", "claim", "simulate", "report",
    "set", "include",
)  # fmt: skip
# Never names, beside the statement words.
RESERVED = frozenset([*STATEMENT_WORDS, "vs", "on", "using", "by", "because", "from", "is", "over", "at", "measuring"])

# Rules of the grammar that take clauses.
_DATASETS = "dataset described_dataset suite_from"
_EXPERIMENTS = "compare estimate"
_EVERY = (
    "dataset described_dataset suite suite_from learner described_learner results predictions compare estimate claim "
    "simulate report set include"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of the language.

    `begins` is what tells it after a comma: a word, or a word with the one that has to follow it. There 0 stands for a
    number, " for text, NAME for a name, and | parts several forms. `label` is what messages call it, where that is
    not how it begins. Two clauses of one `question` exclude each other. `full` is an example for an author who wrote
    half of the clause.
    """

    rule: str
    node: type[n.Node]
    statements: str
    begins: str
    label: str = ""
    repeatable: bool = False
    question: str = ""
    full: str = ""

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.label or self.begins


CLAUSES: tuple[Clause, ...] = (
    Clause("because", n.Because, _EVERY, "because"),
    Clause("allow", n.Allow, _EVERY, "allow", repeatable=True),
    # datasets and suites
    Clause("target", n.TargetClause, _DATASETS, "target"),
    Clause("positive", n.Positive, f"{_DATASETS} predictions", "positive"),
    Clause("missing", n.Missing, "dataset suite_from results predictions", "missing"),
    Clause("drop", n.Drop, "dataset suite_from", "drop"),
    Clause("drop_missing_targets", n.DropMissingTargets, "dataset suite_from", "drop", "drop missing targets"),
    Clause("drop_repeated_rows", n.DropRepeatedRows, "dataset", "drop", "drop repeated rows"),
    Clause("where", n.Where, "dataset", 'where "', "where", full='where "age" > 18'),
    Clause(
        "join_classes", n.JoinClasses, "dataset", "join classes", repeatable=True, full='join classes "a", "b" as "ab"'
    ),
    Clause("groups", n.Groups, f"{_DATASETS} results predictions", "groups"),
    Clause("weights", n.Weights, "dataset described_dataset", "weights"),
    Clause("time", n.Time, "dataset described_dataset", "time"),
    Clause("series_in", n.SeriesIn, "dataset described_dataset", "series in", full='series in "shop"'),
    Clause("folds", n.Folds, "dataset described_dataset", "folds"),
    Clause("tested_on", n.TestedOn, "dataset", "tested", "tested on"),
    Clause("tuned_on_source", n.TunedOnSource, "dataset", "tuned on", full="tuned on 20%"),
    Clause("query", n.Query, "dataset", "query"),
    Clause("prepared_by", n.PreparedBy, "dataset", "prepared", "prepared by"),
    Clause("as_task", n.AsTask, _DATASETS, "as"),
    Clause("rows", n.Rows, "described_dataset", "0 rows | 0 row", "rows"),
    Clause("classes", n.Classes, "described_dataset", "0 classes | 0 class", "classes"),
    Clause("rarest", n.Rarest, "described_dataset", "rarest 0", "rarest", full="rarest 2%"),
    Clause("sampled_from", n.SampledFrom, "suite suite_from", "sampled", "sampled from"),
    # learners
    Clause("tune", n.Tune, "learner", "tune"),
    Clause("try", n.Try, "learner", "try"),
    Clause("calibrate", n.Calibrate, "learner", "calibrate"),
    Clause("train_times", n.TrainTimes, "learner", "train"),
    Clause("threshold", n.Threshold, "learner", "threshold 0", "threshold", full="threshold 0.3"),
    Clause("without_preparation", n.WithoutPreparation, "learner", "without", "without preparation"),
    Clause("randomised", n.Randomised, "described_learner", "", "randomised"),  # a name after any other comma
    Clause("gives_scores", n.GivesScores, "described_learner", "gives scores"),
    Clause("tuned_with", n.TunedWith, "described_learner", "tuned with"),
    Clause("tuned_by_hand", n.TunedByHand, "described_learner", "tuned by", "tuned by hand"),
    Clause("tuned_for", n.TunedFor, "described_learner", "tuned for"),
    Clause("pretrained_on", n.PretrainedOn, "described_learner", "pretrained on"),
    Clause("stopped_early", n.StoppedEarly, "described_learner", "stopped early", "stopped early on"),
    Clause(
        "trained_times", n.TrainedTimes, "described_learner results", "trained 0", "trained", full="trained 20 times"
    ),
    # results and predictions
    Clause("datasets_in", n.DatasetsIn, "results", "datasets in"),
    Clause("learners_in", n.LearnersIn, "results predictions", "learners in"),
    Clause("folds_in", n.FoldsIn, "results", "folds", "folds in"),
    Clause("seeds_in", n.SeedsIn, "results", "seeds in", full='seeds in "run"'),
    Clause("repeats_in", n.RepeatsIn, "results", "repeats in", full='repeats in "Run"'),
    Clause("items_in", n.ItemsIn, "results", "items in", full='items in "question"'),
    Clause("made_using", n.MadeUsing, "results", "made using", full="made using 5cv"),
    Clause("tuned_on", n.TunedOn, "results", "tuned on", full="tuned on 20%"),
    Clause(
        "copied_from", n.CopiedFrom, "results", "copied from", repeatable=True, full='copied from "Chen 2016, table 3"'
    ),
    Clause("truth", n.TruthClause, "predictions", "truth"),
    Clause("as_formula", n.AsFormula, "results", "as"),
    # experiments
    Clause("using", n.Using, _EXPERIMENTS, "using"),
    Clause("gap", n.Gap, f"{_EXPERIMENTS} results", "gap 0", "gap", full="gap 7 rows"),
    Clause("by", n.By, _EXPERIMENTS, "by"),
    Clause("measuring", n.Measuring, f"{_EXPERIMENTS} results claim", "measuring"),
    Clause("primary", n.Primary, _EXPERIMENTS, "primary NAME", "primary", full="primary roc-area"),
    Clause("tune_on", n.TuneOn, _EXPERIMENTS, "tune"),
    Clause("tune_using", n.TuneUsing, _EXPERIMENTS, "tune", question="tune_on"),
    Clause("calibrate_on", n.CalibrateOn, _EXPERIMENTS, "calibrate", "calibrate on"),
    Clause("threshold_on", n.ThresholdOn, _EXPERIMENTS, "threshold on", full="threshold 0.3"),
    Clause("stop_early", n.StopEarly, _EXPERIMENTS, "stop early", "stop early on", full="stop early on 10%"),
    Clause("without_retraining", n.WithoutRetraining, _EXPERIMENTS, "without", "without retraining"),
    Clause("at", n.At, f"{_EXPERIMENTS} simulate", "at"),
    Clause("seed", n.Seed, _EXPERIMENTS, "seed"),
    Clause("seed_between", n.SeedBetween, "simulate", "seed"),
    Clause("as_name", n.AsName, _EXPERIMENTS, "as"),
    Clause("failures", n.Failures, _EXPERIMENTS, "failures"),
    Clause(
        "correct",
        n.Correct,
        "compare",
        "bonferroni | sidak | holm | hochberg | hommel | bh | yekutieli | uncorrected",
        "a correction",
    ),
    Clause("control", n.Control, "compare", "control"),
    Clause("all_pairs", n.AllPairs, "compare", "all pairs"),
    Clause("rope", n.Rope, "compare", "rope"),
    Clause("expecting", n.Expecting, "compare", "expecting"),
    Clause("complete_cases", n.CompleteCases, "compare", "complete", "complete cases"),
    Clause("until_settled", n.UntilSettled, "compare", "until settled", full="until settled within 5 looks"),
    # claims, simulations, reports
    Clause("within", n.Within, "claim", "within"),
    Clause("overall", n.Overall, "claim", "overall"),
    Clause("according_to", n.AccordingTo, "claim", "according", "according to"),
    Clause("with", n.With, "simulate", "with"),
    Clause("as_format", n.AsFormat, "report", "as"),
)

BY_NODE: dict[type, Clause] = {clause.node: clause for clause in CLAUSES}
_BEGINS = [form.partition(" ") for clause in CLAUSES if clause.begins for form in clause.begins.split(" | ")]
# Words that begin a clause after a comma whatever follows; `on` does so without being a clause.
CLAUSE_WORDS = frozenset([*(first for first, _, second in _BEGINS if not second), "on"])
# Words that do so only together with what follows, and may be names else.
CLAUSE_PAIRS: dict[str, tuple[str, ...]] = {}
for _first, _, _second in _BEGINS:
    if _second and _first != "0":
        CLAUSE_PAIRS[_first] = (*CLAUSE_PAIRS.get(_first, ()), _second)
IN_FULL = {clause.begins.split()[0]: clause.full for clause in reversed(CLAUSES) if clause.full}


def clause_lists() -> str:
    """Return the rules of the grammar that say what each statement takes."""
    lines = []
    for statement in _EVERY.split():
        rules = [clause.rule for clause in CLAUSES if statement in clause.statements.split()]
        lines.append(f"_{statement}_clause: {' | '.join(rules)}")
    return "\n".join(lines)


BLANKS = " \\t\\f\\r\\n\\u00a0\\u3000"
SKIP = rf"[{BLANKS}]*+(?:#[^\r\n]*+[{BLANKS}]*+)*+"  # white space and comments
END = r"(?!\w|[.-]\w)"  # of a word


def clause_comma() -> str:
    """Return the pattern of a comma that ends a list: what follows it begins a clause.

    `weights = 3` and `weights in {1, 2}` are members of a list.
    """
    words = "|".join(sorted(CLAUSE_WORDS))
    parameter = rf"=|in{END}{SKIP}(?:[{{0-9-]|log{SKIP}\()"
    name = rf'"|[0-9]+x[0-9]+cv-\w|(?!(?:{"|".join(sorted(CLAUSE_WORDS | RESERVED))}){END})[^\W\d_]'
    second = {"0": "-?[0-9]", "NAME": name}
    forms = [rf"(?:{words}){END}(?!{SKIP}(?:{parameter}))"]
    for first, seconds in CLAUSE_PAIRS.items():
        following = "|".join(second.get(one) or one + (END if one.isalpha() else "") for one in seconds)
        forms.append(rf"{first}{END}{SKIP}(?:{following})")
    counted = "|".join(second for first, _, second in _BEGINS if first == "0")
    forms.append(rf"[0-9]+{SKIP}(?:{counted}){END}")
    return rf",(?={SKIP}(?:{'|'.join(forms)}))"
