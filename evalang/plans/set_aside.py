"""What a statement sets aside of each training part, and whether the clauses that do so can stand together."""

from __future__ import annotations

from ..source.record import Record
from ..syntax import nodes
from .clauses import Said, calibration_of, stop_early_of, threshold_of, tuning_of
from .model import Calibration, Dataset, Given, Learner, Metric, Part, Thresholding, Tuning
from .values import Problems


class SetAside(Record):
    """The clauses that cut a part from each training part, or choose something on one."""

    tuning: Given[Tuning] | None = None
    calibration: Calibration | None = None
    threshold: Thresholding | None = None
    stopping: Part | None = None


def set_aside(
    said: Said, datasets: tuple[Dataset, ...], metrics: tuple[Metric, ...], primary: str | None, problems: Problems
) -> SetAside:
    """What is said, checked but for the learners."""
    found = SetAside(
        tuning=tuning_of(said, problems, datasets),
        calibration=calibration_of(said, problems),
        threshold=threshold_of(said, metrics, primary, problems),
        stopping=stop_early_of(said, problems),
    )
    _check_shares(said, found, problems)
    tuning, calibration = found.tuning.value if found.tuning else None, found.calibration
    if calibration and calibration.where == "tuning" and (tuning is None or tuning.where not in ("part", "given")):
        help = "add tune on 20%, or calibrate on a part of its own"
        problems.disagree(calibration.span, "there is no tuning part to calibrate on", help)
    without = said.get(nodes.WithoutRetraining)
    if without and tuning and tuning.where == "cv":
        help = "leave it out, or write tune on 20%"
        problems.disagree(without.span, "tuning by cross-validation leaves no trained learner to keep", help)
    return found


def _check_shares(said: Said, found: SetAside, problems: Problems) -> None:
    """Parts that together leave nothing to train on; the place is that of the last one."""
    tuning, threshold, stop = found.tuning.value if found.tuning else None, found.threshold, said.get(nodes.StopEarly)
    cut = [
        (one.span, one.part, words)
        for one, words in (
            (tuning, "tune on 20%"), (found.calibration, "calibrate on 20%"), (threshold, "threshold on 20%"),
        )
        if one is not None and one.part is not None
    ]  # fmt: skip
    cut += [(stop.span, found.stopping, "stop early on 10%")] if stop and found.stopping else []
    shares = [part.fraction for _, part, _ in cut if part.fraction]
    if len(shares) > 1 and sum(shares) >= 1:
        message = f"{sum(shares):.0%} of each training part are set aside, and nothing is left to train on"
        problems.bad(cut[-1][0], message, f"write {', '.join(words for *_, words in cut)}")


def check_threshold(found: SetAside, learners: tuple[Learner, ...], problems: Problems) -> None:
    """A threshold on the tuning part needs one, and scores on the scale of those it is used on."""
    threshold, tuning, calibration = found.threshold, found.tuning, found.calibration
    if threshold is None or threshold.where != "tuning":
        return
    if tuning is None or tuning.value.where == "test":
        help = "add tune on 20%, or choose it on a part of its own: threshold on 20%"
        problems.disagree(threshold.span, "there is no tuning part to choose the threshold on", help)
    elif calibration is not None and calibration.where == "part" and any(x.calibrate != "none" for x in learners):
        message = "on the tuning part the threshold is chosen before the scores are calibrated"
        problems.disagree(threshold.span, message, "choose it on a part of its own: threshold on 20%")
