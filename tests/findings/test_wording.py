"""Free text that admits a choice by results, a leak or a judge, and text that only sounds like it."""

from __future__ import annotations

import pytest

from evalang.findings.wording import (
    admitted_choice,
    best_of_runs,
    graders,
    groups_in,
    hardware,
    prepared_on_all,
    pretraining,
    samples_used,
    seen_on_these_rows,
    stopped_by_test,
    time_in,
)

CHOICES = """
we kept the checkpoint with the highest test accuracy
tweaked until the test F1 stopped improving
chosen because it gives the largest gap between the two methods
these are the datasets on which our method did well
selected after inspecting the final scores
we dropped the datasets where ours lost
the threshold that maximises test F1
picked by looking at test loss
five seeds were tried and the best one is reported
the test set told us that depth 8 is best
found by grid search on the whole dataset
results on the other sets were not significant
seed 20 gave the nicest result
the depth was adjusted a few times against the test fold
gave the highest cross-validated accuracy of about forty settings we tried on these data
best of a grid of 40 by 10-fold cross-validation
the 250 letters that we also used to refine the prompt
the prompt was tuned on these items
the 310 of 1,200 questions that gpt-4o-base got wrong
the 12 of 41 sets on which the search improved
of the ten seeds the three with the highest final return
failed ones left out
we only kept the subjects for whom the classifier converged
reported because the p-value came out below 0.05
of the four metrics we tried, accuracy showed the effect
filtered to the images that the baseline misclassified
came out ahead when we ran this last week
six others showed no clear effect and were set aside
prompt revised until it did well on these notes
questions on which exactly one model is right
the questions that neither model could answer are left out
this leaf size gave the top score on the cases
we went through prompts until the numbers looked good
it scored higher than the alternatives in our runs
of all the depths this one had the lowest error
items that all models solved were removed
stations for which the improvement reached significance
only towns with p < 0.05
the variant that topped the comparison
ran it with several seeds and kept the good one
"""
NO_CHOICES = """
best validation accuracy
tuned on the development set before the test set was opened
best setting of Smith et al. 2020 on their test set
the winner of the 2019 challenge
settings selected by 5-fold cross-validation on the training data only
the test set of 2021 was never used to choose it
highest accuracy in the literature
the three most downloaded models on the hub in March
all sets of the archive with at most 10 classes
selected by experts for their relevance to the test of hypothesis 2
the official test set, selected by the organisers
early stopping with patience 10, test accuracy reported at the end
threshold set on the validation rows and applied to the test set
the most frequent result of the lab test
patients selected from all records of 2019
it is the best understood method
blood test results of one visit per patient
tuned by grid search with 5-fold cross-validation on all training data
the top 10 sets of the archive by number of rows
found in a search of the literature
the test set stays closed until the end
every clinic with at least 800 patients; none was left out after scoring
all models answered every question of the exam
gradient boosting usually does well on tables
the default of the library, which works well on most tabular data
patients who did better after surgery form the positive class
the machine with the lowest error rate in production
chosen by tuning on earlier data, where it came out ahead
the students who scored highest in mathematics
two sites were left out because their scanners were broken
recordings with no difference in posture
a simple method that is hard to beat
balanced by design: 300 of each species
photographs taken from six angles
2,000 letters by 2,000 writers
500 tumours, one of each patient
"""


@pytest.mark.parametrize("text", CHOICES.strip().splitlines())
def test_a_choice_by_results_is_admitted(text: str) -> None:
    assert admitted_choice(text) in text != ""
    assert admitted_choice(text)


@pytest.mark.parametrize("text", NO_CHOICES.strip().splitlines())
def test_other_reasons_admit_nothing(text: str) -> None:
    readers = (admitted_choice, stopped_by_test, best_of_runs, groups_in, time_in, graders, seen_on_these_rows)
    assert [reader.__name__ for reader in readers if reader(text)] == []
    assert prepared_on_all(text, rows=True) == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("xgboost after SMOTE on the whole data", True),
        ("features were selected on all rows", True),
        ("of 22,000 genes the 50 that differ most between relapse and no relapse", True),
        ("standardised by the mean and deviation of its whole record", True),
        ("each was rotated six times and the copies were shuffled in", True),
        ("scaled to zero mean over the whole year", True),
        ("missing values filled with the mean of the column", True),
        ("SVM, scaled within each training set, never on all data", False),
        ("features selected by experts before the study", False),
    ],
)
def test_preparation_on_all_rows(text: str, found: bool) -> None:
    assert bool(prepared_on_all(text, rows=True)) is found


def test_runs_epochs_samples_and_computers() -> None:
    runs = ("CNN (best of 10 runs)", "PPO, max return over 10 seeds", "best seed", "best of 16 by a reward model")
    assert [bool(best_of_runs(text)) for text in runs] == [True, True, True, False]
    stopped = ("transformer, checkpoint with best test accuracy", "early stopping on the eval set", "best epoch on dev")
    assert [bool(stopped_by_test(text)) for text in stopped] == [True, True, False]
    assert [samples_used(name) for name in ("ours (best of 8)", "pass@5", "codellama (greedy)", "CNN")] == [8, 5, 1, 0]
    assert (hardware("our net on eight A100"), hardware("on a laptop CPU"), hardware("a tree")) == (
        "a100",
        "laptop",
        "",
    )


def test_rows_that_belong_together_in_words() -> None:
    said = ("chest x-rays, several per patient", "frames of 40 videos", "10 recordings per speaker", "sliding windows")
    said += ("12,000 patches cut from 40 biopsy slides", "five scans of each knee", "questions about 50 passages")
    assert all(map(groups_in, said))
    assert not any(
        map(groups_in, ("one scan per patient", "1000 images per class", "500 rows per year", "our records"))
    )
    assert [time_in(text) for text in ("hourly load of the grid", "the weekly newsletter")] == ["hourly load", ""]


def test_judges_and_pretraining_in_words() -> None:
    said = {
        "answers rated by Claude": ["Claude"],
        "GPT-4o decides which answer is better": ["GPT-4o"],
        "LLM-as-a-judge": ["LLM-as-a-judge"],
        "preference of a reward model": ["reward model"],
        "summaries, preferred or not by Claude 3.5": ["Claude"],
        "correct according to Gemini": ["Gemini"],
        "labels come from GPT-4o": ["GPT-4o"],
        "labels come from the court": [],
        "labelled by two physicians": [],
        "rated by annotator 2": [],
    }
    assert {text: graders(text) for text in said} == said
    assert pretraining("LLaMA fine-tuned on GSM8K train", ["gsm8k"]) == ("GSM8K train", True)
    assert pretraining("CLIP trained on LAION (includes the benchmark images)", ["x"]) == ("LAION", True)
    assert pretraining("pretrained on the web, benchmarks excluded", ["x"]) == ("", False)
