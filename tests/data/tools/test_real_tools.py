"""The tools themselves write logs and say what is in them; ours has to say the same.

They are heavy, so they live in an environment of their own: EVALANG_TOOLS names its Python, with inspect-ai and
mlflow-skinny (and sqlalchemy, alembic for its SQLite store).
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ...support.tool_logs import read

pytestmark = pytest.mark.slow

INSPECT = """
import json, sys
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match, value_to_float
from inspect_ai.solver import generate
folder, form = sys.argv[1:]
task = Task(
    name="capitals", solver=[generate()], scorer=match(), epochs=2,
    dataset=[Sample(id=f"q{i}", input=f"Question {i}?", target="yes", metadata={"passage": i // 2}) for i in range(6)],
)
said = {}
for name, answers in (("a", "yes no"), ("b", "yes yes no")):
    words = answers.split() * 12
    outputs = [ModelOutput.from_content("mockllm/model", word) for word in words]
    for output in outputs:
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it asks the net to count them
    model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    log = eval(task, model=model, log_dir=folder, log_format=form, display="none", max_connections=1)[0]
    path = str(log.location).removeprefix("file://")
    grade = value_to_float()
    whole = read_eval_log(path)
    said[path] = {
        "scores": [[s.id, s.epoch, grade(s.scores["match"].value)] for s in whole.samples],
        "accuracy": whole.results.scores[0].metrics["accuracy"].value,
    }
print(json.dumps(said))
"""

MLFLOW = """
import json, sys
import mlflow
mlflow.set_tracking_uri(f"sqlite:///{sys.argv[1]}/m.db")
mlflow.set_experiment("cv")
for model in ("tree", "knn"):
    for fold in range(3):
        with mlflow.start_run(run_name=f"{model}-{fold}"):
            mlflow.log_param("model", model)
            mlflow.set_tag("fold", fold)
            mlflow.log_metric("accuracy", 0.1, step=0)
            mlflow.log_metric("accuracy", 0.7 + fold / 100 + (model == "tree") / 50, step=1)
runs = mlflow.MlflowClient().search_runs([mlflow.get_experiment_by_name("cv").experiment_id])
print(json.dumps([[r.data.params["model"], r.data.tags["fold"], r.data.metrics["accuracy"]] for r in runs]))
"""


def told(program: str, *arguments: str) -> Any:
    """What the tool says, in the environment that has it."""
    python = os.environ.get("EVALANG_TOOLS")
    if python is None:
        pytest.skip("needs EVALANG_TOOLS: the Python of an environment with inspect-ai and mlflow-skinny")
    done = subprocess.run([python, "-c", program, *arguments], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


@pytest.mark.parametrize("form", ["eval", "json"])
def test_inspect_says_the_same(tmp_path: Path, form: str) -> None:
    said = told(INSPECT, str(tmp_path / "logs"), form)
    if form == "eval" and importlib.util.find_spec("zstandard") is None:
        pytest.skip("logs of this version are packed with zstd: pip install evalang[logs]")
    table = read(tmp_path, "inspect", "logs/", named="file")
    assert table.metric == "accuracy"
    assert len(said) == 2
    for path, expected in said.items():
        found = table.frame[table.frame["learner"] == Path(path).stem]
        ours = sorted(map(list, zip(found["item"], found["epoch"], found["score"], strict=True)))
        assert ours == sorted(expected["scores"])
        assert found["score"].mean() == pytest.approx(expected["accuracy"], abs=1e-12)


def test_mlflow_says_the_same(tmp_path: Path) -> None:
    said = told(MLFLOW, str(tmp_path))
    frame = read(tmp_path, "mlflow", "m.db", experiment="cv", named="params.model").frame
    ours = sorted(map(list, zip(frame["params.model"], frame["tags.fold"], frame["score"], strict=True)))
    assert ours == sorted(said)
    assert len(ours) == 6
