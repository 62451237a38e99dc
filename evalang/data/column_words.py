"""What the names of columns and the words in their cells suggest: groups, dates, training rows, judges, settings."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Things of which one file often has several rows.
WHO = (
    "patient|subj(?:ect)?|person|people|participant|volunteer|user|customer|client|speaker|author|writer|artist|singer|"
    "signer|household|family|twin|animal|mouse|mice|rat|dog|cow|cattle|pig|sheep|horse|bird|fish|herd|flock|litter|"
    "cage|hive|colony|donor|respondent|voter|student|pupil|teacher|player|athlete|driver|rider|employee|worker|nurse|"
    "doctor|physician|surgeon|clinician|operator|annotator|rater|account|device|session|group|cluster|case|hospital|"
    "clinic|ward|site|cent(?:er|re)|laboratory|court|store|shop|branch|restaurant|hotel|school|classroom|farm|plot|"
    "parcel|orchard|village|company|firm|machine|engine|turbine|pump|bearing|sensor|station|buoy|vehicle|truck|vessel|"
    "aircraft|robot|camera|scanner|plate|wafer|bottle|barrel|document|doc|article|book|song|album|podcast|video|clip|"
    "recording|movie|film|scene|slide|scan|image|img|photo|picture|specimen|tissue|repo|repository|project|template|"
    "conversation|dialogue|thread|episode|trajectory"
)
# Names that mean such a thing only as an id, as in `lot_no`.
_AS_ID = (
    "lot|well|chip|die|block|field|tree|plant|record|rec|sample|chain|match|game|event|trip|ride|loan|policy|building|"
    "house|property|listing|tank|motor|ship|flight|tail|card|track|channel|host|vin|mrn|pid|imei|msisdn"
)
_WHAT = (
    r"drug|compound|molecule|(?:murcko|bemis)(?:[ _.-]\w+)?|scaffold|chemotype|clone|superfamily|protein|gene|sequence|"
    r"ligand|cell[ _.-]?line|strain|batch|product|item|prompt"
)
_ID = "(?:id|ids|no|nr|num|number|name|key|code|ref|hash|uuid|index|idx)"
GROUP = re.compile(
    rf"(?:{WHO}|vin|mrn|pid|imei|msisdn)(?:[ _.-]?{_ID})?|(?:{_AS_ID})[ _.-]?{_ID}|.*[ _.-]id", re.IGNORECASE
)
BEING = re.compile(
    r"(?:patient|subj(?:ect)?|person|participant|volunteer|user|customer|client|speaker|respondent|donor|student|pupil|"
    rf"household|family|animal|mouse|rat|dog|cow|pig|sheep|horse)(?:[ _.-]?{_ID})?",
    re.IGNORECASE,
)
GROUP_CAMEL = re.compile(r".*[a-z](?:Id|ID)")
THING = re.compile(rf"(?:{_WHAT})(?:[ _.-]?{_ID})?", re.IGNORECASE)

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[ T].*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}(?:[ T].*)?|\d{1,2}/\d{1,2}/\d\d(?: .*)?|"
    r"(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])|(?:19|20)\d\d[- ]?(?:Q[1-4]|W\d\d)|"
    rf"\d{{1,2}}\.?[ -]{_MONTH}[ ,.-]+\d{{2,4}}(?: .*)?|{_MONTH}[ .-]+(?:\d{{1,2}},? +)?(?:\d\d)?\d\d",
    re.IGNORECASE,
)
PERIOD = re.compile(r"(?:.*[ _.-])?(?:year|quarter|month|week|day|season)", re.IGNORECASE)
STAMP = re.compile(
    r"(?:.*[ _.-])?(?:time[ _.-]?stamp|tstamp|ts|datetime|unix[ _.-]?time|epoch(?:[ _.-]?(?:s|ms|seconds|millis))?|time"
    r")|[a-z]+_at",
    re.IGNORECASE,
)
BIRTH = re.compile(r"birth|\bdob\b|born", re.IGNORECASE)

PART = re.compile(r"(?:data)?[ _.-]?(?:split|set|subset|partition|part|fold|phase|usage|use|role)", re.IGNORECASE)
SHOWN = re.compile(
    r"seen|shown|(?:few[ -]?)?shots?|exemplars?|demonstrations?|(?:.*\b)?(?:examples?|shots?)\b.*\b(?:prompt|context)|"
    r"(?:.*\b)?(?:prompt|context)\b.*\b(?:examples?|shots?)"
)  # words for a row that a model was shown in its prompt
TRAINED_ON = re.compile(
    r"(?:is|in)[ _.-]?train(?:ing)?(?:[ _.-]?(?:set|data))?|(?:is[ _.-]?)?(?:contaminated|leaked)|"
    r"(?:seen|overlap|found)[ _.-]in[ _.-](?:pre)?train(?:ing)?",
    re.IGNORECASE,
)
TRAINING = frozenset(("train", "training", "trn", "tr"))
TUNING = frozenset(("dev", "development", "valid", "validation", "val", "tune", "tuning"))
TESTING = frozenset(("test", "testing", "tst", "te", "holdout", "held-out", "heldout", "eval"))

JUDGE = re.compile(
    r"(?:.*[ _.-])?(?:judge|grader|auto[ _.-]?rater|rater|evaluator|assessor|annotator|scorer)s?"
    r"(?:[ _.-](?:model|name|llm|id))?|(?:graded|judged|rated|scored|evaluated|annotated)[ _.-]by(?:[ _.-]\w+)?",
    re.IGNORECASE,
)
_SETTINGS = frozenset((
    "temperature", "shots", "shot", "fewshot", "prompt", "template", "system", "cot", "tools", "tool", "harness",
    "scaffolding", "framework", "tuned", "tuning", "hyperparameters", "augmentation", "augmented", "preprocessing",
    "epochs", "k", "n", "timeout", "retries", "turns", "language", "split",
))  # fmt: skip
_SETTING = re.compile(
    r"top[ _.-]?[pk]|max[ _.-]?(?:new[ _.-]?|input[ _.-]?|output[ _.-]?)?(?:tokens|length|steps|turns|context)|"
    r"context[ _.-]?(?:length|window)|time[ _.-]?(?:limit|budget)|(?:reasoning|thinking)[ _.-]?(?:effort|budget)|"
    r"chain[ _.-]of[ _.-]thought|"
    r"prompt[ _.-]?(?:version|template|id|name|style)|system[ _.-]?prompt|(?:data(?:set)?|benchmark|test|eval)[ _.-]?"
    r"version|(?:num(?:ber)?[ _.-](?:of[ _.-])?|n[ _.-]?)(?:few[ _.-]?shots?|shots?|samples|candidates|votes|train)|"
    r"best[ _.-]?of(?:[ _.-]?n)?|few[ _.-]?shots?|train(?:ing)?[ _.-]?(?:size|rows|data|set|samples)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(  # `q12_s3`, `django__django-1234`, `S01T02`
    r"(.*[^\W_])[\W_]+(?:[a-z]{1,10}[\W_]?)?\d+(?:\.[a-z]{2,4})?|(.*\d)[a-z]{1,10}\d+(?:\.[a-z]{2,4})?", re.IGNORECASE
)


_OF_MODEL = re.compile(  # a word in what a table says of a model, or measures
    r"(?:^|[ _.-])(?:version|provider|vendor|developer|organi[sz]ation|org|company|lab|family|size|params?|parameters|"
    r"weights|open|release|released|date|created|cutoff|cost|price|usd|latency|time|duration|seconds|ms|runtime|memory|"
    r"tokens?|context|quanti[sz]ation|precision|dtype|modality|reasoning|licen[cs]e|name|id|label|colou?r|type|kind|"
    r"architecture|arch|backbone|country|url|path|file|log|commit|hash|host|rank|wins?|score|accuracy|mean|std|method|"
    r"model|learner|algorithm|agent|system|group|class|category|year|note|comment|source|link|paper|reference|author|"
    r"metric)s?(?:$|[ _.-])",
    re.IGNORECASE,
)
BUDGET = re.compile(
    r"(?:.*[ _.-])?(?:tries|retries|runs|restarts|rollouts|attempts|steps|"
    r"frames|budget|episodes|updates|iterations|queries|calls|shots|samples|evals)"
    r"(?:[ _.-].*)?",
    re.IGNORECASE,
)
PROVENANCE = re.compile(
    r"(?:.*[ _.-])?(?:source|origin|site|scanner|hospital|clinic|lab|batch|file|folder|camera|device|instrument|"
    r"provider|collector|cohort|cent(?:er|re)|vendor|manufacturer|plate|run|operator)(?:[ _.-]?(?:id|no|name|code))?",
    re.IGNORECASE,
)


def describes_model(column: str) -> bool:
    """Return whether a column is named like a property of a model or a measurement, not like a condition of its runs.

    >>> describes_model("params_b"), describes_model("frames")
    (True, False)
    """
    return _OF_MODEL.search(column.strip()) is not None


def is_setting(column: str) -> bool:
    """Return whether a column is named like what a run sets besides the model.

    >>> is_setting("metadata.temperature"), is_setting("num_fewshot"), is_setting("params_b")
    (True, True, False)
    """
    name = column.strip().lower().removeprefix("metadata.")
    return name in _SETTINGS or _SETTING.fullmatch(name) is not None


def first_parts(names: Sequence[str]) -> list[str]:
    """Return what each name has before its last number; nothing unless all names are numbered so.

    >>> first_parts(["q12_s3", "q12_s4", "S01T02"]), first_parts(["q12_s3", "seven"])
    (['q12', 'q12', 'S01'], [])
    """
    found = [_NUMBERED.fullmatch(name) for name in names]
    return [one[1] or one[2] for one in found if one] if all(found) else []


def plain_text(text: str) -> str:
    """Return a text without capitals, punctuation and double blanks, by which copies are recognised.

    >>> plain_text("It  works, now!")
    'it works now'
    """
    return " ".join(re.findall(r"\w+", text.casefold()))
