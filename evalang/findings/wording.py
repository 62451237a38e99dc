"""What free text admits: reasons (`because "…"`) and descriptions of learners, read for choices, leaks and judges.

A text is read clause by clause. A clause that denies something, or that says it was done before or on other rows,
admits nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..data.column_words import WHO
from ..language.text import Span
from ..plans.model import Comparison, Dataset, Learner, PredictionsTable, ResultsTable, Suite
from .facts import Facts


class Pattern:
    """A regular expression that is compiled when it is first used: most scripts have few texts to be read."""

    def __init__(self, text: str, flags: int = 0) -> None:
        self.pattern, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        return getattr(re.compile(self.pattern, self._flags), name)


@dataclass(frozen=True, slots=True)
class Said:
    """A free text of the script: what it is about, and where that stands."""

    kind: str  # dataset, suite, learner, comparison, results, predictions
    name: str
    text: str
    span: Span
    described: bool  # the description of a learner, else a reason

    @property
    def word(self) -> str:
        """The word before the text."""
        return "described" if self.described else "because"


def texts(facts: Facts, *kinds: str) -> Iterator[Said]:
    """Yield the descriptions and reasons of what the script uses, of these kinds."""
    plan = facts.plan
    groups: dict[str, tuple[Dataset | Suite | Learner | Comparison | ResultsTable | PredictionsTable, ...]] = {
        "dataset": plan.datasets, "suite": plan.suites, "learner": plan.learners,
        "comparison": plan.comparisons, "results": plan.results, "predictions": plan.predictions,
    }  # fmt: skip
    for kind, items in groups.items():
        for item in items if kind in kinds else ():
            if not isinstance(item, Comparison) and (item.included or not item.used):
                continue
            if isinstance(item, Learner) and item.described is not None:
                yield Said(kind, item.name, item.described.text, item.span, described=True)
            if item.because:
                yield Said(kind, item.name, item.because, item.span, described=False)


def _near(one: str, other: str, *, gap: int = 60) -> str:
    """Return the pattern of two kinds of words in either order, so many characters apart at most."""
    return rf"\b(?:{one})\b.{{0,{gap}}}?\b(?:{other})\b|\b(?:{other})\b.{{0,{gap}}}?\b(?:{one})\b"


_TEST = (
    r"(?:test(?:ing)?|evaluation|eval)[- ]?(?:set|data|row|item|fold|score|result|acc|accurac(?:y|ie)|split|part|"
    r"question|loss|losse|error|f1|auc|auroc|performance|metric|perplexity|reward|return|image|patient|example|sample|"
    r"mae|rmse|portion|evaluation|prediction|label|subject|period|year|run|curve)s?\b|"
    r"final (?:evaluation|results|scores)|hold-?out(?: \w+)?"
)
_ON_TEST = (
    r"(?:on|by|from|with|using|in|for|against|to|at) (?:(?:the|our|its|their|a|these|this|all|held-out|final) ){0,3}"
)
_NEUTRAL = (
    r"chosen|chose|choosing|selected|select|selecting|picked|pick|set|found|kept|decided|fixed|calibrated|adjusted"
)
_EAGER = (
    r"tun(?:ed?|ing)|optimi[sz]\w+|tweak\w*|improv\w+|best|highest|lowest|strongest|top|peak\w*|maximi[sz]\w+|maximum|"
    r"minimi[sz]\w+|winning|won|wins|search\w*|early[- ]stop\w*|stop(?:ped|s|ping)?|checkpoint|threshold|told"
)
_RESULTS = (
    r"results?|scores?|outcomes?|p-values?|plots?|accurac(?:y|ies)|leaderboard|(?:test|evaluation) (?:loss|error|\w+)|"
    r"performance|gap|numbers|answers"
)
_REMOVED = (
    r"excluded|dropped|removed|left out|taken out|leaving out|omitted|discarded|skipped|set aside|ignored|"
    r"filtered(?: out)?"
)
_MODEL = (
    r"(?:models?|methods?|learners?|classifiers?|networks?|nets?|systems?|agents?|detectors?|decoders?|algorithms?|"
    r"baselines?|approach(?:es)?|searche?s?|variants?|ours|we|gpt\S*)"
)
_WELL = (
    r"best|better|well|top|highest|higher|lowest|lower|strongest|good|great(?:est)?|nice\w*|favou?rabl\w+|"
    r"convincing\w*|ahead|first|right|separable"
)
_WON = (
    rf"(?:did|does|do|work\w*|scor\w+|perform\w*|look\w*|c[ao]mes?|rank\w*|pull\w*|finish\w*|separat\w+|g[ai]ves?|had|"
    rf"got|reach\w*|yield\w*|achiev\w*|produc\w*|was|were|turned|stands?) (?:\w+ ){{0,3}}?(?:{_WELL})"
    r"|topp?(?:ed|s)|outperform\w*|outscor\w*|beats?|excels?|shines?|wins?|won"
)
_BEST = rf"{_WON}|lowest|highest|best|least|smallest"
_FAILED = (
    r"los[te]s?|fail\w*|struggl\w*|hurts?|worse|worst|badly|poorly|underperform\w*|spoil\w*|miss(?:ed|es)?|"
    r"misclassif\w+|"
    r"wrong(?:ly)?|against us|no improvement|not help"
)
_DECIDED = (
    rf"{_WON}|{_FAILED}|solve[ds]?|correct\w*|right|converged|succeed\w*|above chance|(?:dis)?agree\w*|improve[ds]?"
)
_THESE = (
    r"(?:these|the same|those|this) (?:\w+ ){0,2}?(?:items?|questions?|rows?|data|dataset|letters|tasks?|problems?|"
    r"examples?|sets?|records|patients|samples|cases|prompts|benchmark|suite|notes|texts|images)\b"
)
_RAN_HERE = (
    r"(?:when|after|once|as|while) we (?:\w+ )?(?:ran|tried|tested|compared|trained|evaluated|looked)|"
    r"we (?:ever )?tried|"
    r"(?:in|of|from|by|across|over|on) our (?:\w+ ){0,2}(?:runs?|experiments?|tests?|rounds?|comparisons?|trials?|"
    r"sweeps?|search|grid|"
    r"evaluations?)|last (?:week|month|night|time|run)|(?:first|few|several|many) (?:tries|runs|rounds?|attempts)|"
    r"than (?:the|its|any|all) (?:\w+ )?(?:others?|rest|alternatives?|competitors)|"
    rf"of (?:all|everything)(?! \w+ (?:of|in))|the comparison|on the (?:cases|items|rows|questions|data)|{_THESE}"
)
_ANY_OF = (
    r"(?:prompt|setting|configuration|variant|model|run|seed|attempt|tr(?:y|ie)|candidate|checkpoint|version|value|"
    r"threshold|split|fold)s?"
)
_EFFECT = r"(?:gap|difference|effect|improvement|margin|gain|advantage|benefit|p-value|separation|lift)s?"
_WHERE = r"where|(?:on|in|for|at|to|with) wh(?:ich|om)|that|because|since|without|only"
_CHOICE = Pattern(
    rf"\b(?:{_NEUTRAL})(?: \w+){{0,3}} {_ON_TEST}(?:{_TEST})"
    rf"|\b(?:{_EAGER}|until)\b.{{0,60}}?\b(?:{_TEST})|\b(?:{_TEST}).{{0,40}}?\b(?:{_EAGER})\b"
    rf"|\b(?:{_EAGER}|until|{_NEUTRAL})\b.{{0,30}}\bon (?:the )?test\b(?! (?:of|for|whether|that|if|bed))"
    # after a look at results
    rf"|\b(?:after|once|having|when|upon|by)\b.{{0,30}}\b(?:look|see|saw|seen|seeing|inspect|know|view|check|examin|"
    rf"peek|"
    rf"brows|monitor|watch)\w*\b.{{0,30}}\b(?:{_RESULTS})\b"
    r"|\b(?:liked|disliked) the (?:results|scores|numbers)\b"
    rf"|\b(?:until|till)\b.{{0,60}}\b(?:{_WELL}|stopped|rising|ris(?:es|en)|rose|significant|plateau\w*|improv\w*)\b"
    rf"|\b(?:changed|iterated|revised|refined|reworded|rewritten)\b.{{0,40}}\b(?:{_RESULTS})\b"
    # by who wins
    rf"|{_near(_BEST, _RAN_HERE)}"
    rf"|\b(?:{_WHERE})\b.{{0,30}}\b{_MODEL}\b.{{0,20}}?\b(?:{_DECIDED})\b"
    rf"|\b(?:that|which|who) (?:did|scored|performed|worked|ranked|came out) (?:best|highest|top|first|"
    rf"well)\b(?! (?:in|at)"
    r" )|\bw(?:on|ins) on (?:most|all|many|\d+)\b"
    rf"|\b(?:gave|gives|reached|had|yielded|having) (?:us )?(?:the|a|our) (?:\w+ )?(?:best|top|highest|lowest|"
    rf"strongest)"
    rf" (?:\w+ )?(?:{_RESULTS}|error|loss|f1|auc|return)\b"
    # by the difference
    r"|\b(?:clear winner|small(?:est)? p-values)\b|\bp(?:[- ]?values?)?\b *(?:[<≤]|(?:\w+ ){0,3}(?:below|under|"
    r"less than))"
    rf"|\b(?:show|gave|gives|found|finds)(?:s|ed)? (?:the|an?) (?:\w+ )?{_EFFECT}\b"
    r"|\b(?:larg|bigg|great|clear|nic|prett|b)(?:i?est)\b (?:\w+ )?(?:results?|outcome|"
    rf"{_EFFECT})\b|\bmost (?:favou?rable|impressive|convincing|flattering|striking|interesting|promising) (?:\w+ )?"
    rf"(?:results?|outcome|{_EFFECT})\b"
    rf"|\b{_EFFECT} (?:is|was|are|were|becomes?|became|turned out|reached|reaches) (?:\w+ )?(?:visible|significan\w+|"
    r"large|largest|clear|clearest|strong|strongest|positive|best)\b"
    rf"|\b(?:{_NEUTRAL})\b.{{0,20}}\b(?:post[- ]?hoc|hindsight|afterwards|retrospectively)\b"
    rf"|\b(?:best|top|winner) (?:\w+ )?(?:of|among|out of) (?:the |our |all |some )*(?:\w+ ){{0,3}}{_ANY_OF}\b"
    # the best of what was tried on these rows
    r"|\b(?:best|highest|lowest|winner|winning|strongest)\b.{0,60}\b(?:tried|tests?|(?:grid|search|sweep) of|"
    r"(?:of|among|out of) (?:the |about |some |all )*(?:\d+|[a-z]+ty|two|three|four|five|six|eight|ten|twelve|"
    r"several|many|our) \w+|"
    r"cross[- ]?validat\w+|preliminary (?:runs|experiments|tests)|grid[- ]search)\b"
    rf"|\b(?:{_EAGER}|until|{_NEUTRAL}|refin\w+|develop\w+|debugg\w+|written|wrote|design\w*|iterat\w+|"
    rf"revis\w+)\b.{{0,50}}\b"
    rf"(?:on|with|using|against|over|by|for|from) {_THESE}"
    r"|\b(?:also |already )?used (?:\w+ )?to (?:refine|tune|develop|choose|select|optimi[sz]e|improve|write|design|"
    r"debug|"
    r"iterate|adjust|calibrate|pick)\b",
    re.IGNORECASE,
)
# What needs no word about a choice, and is not taken back by one about other data.
_OUTCOME = Pattern(
    rf"cherry[- ]?pick\w*|\b(?:{_REMOVED})\b.{{0,60}}\b(?:{_FAILED.replace('miss(?:ed|es)?|', '')})\b"
    rf"|{_near(_REMOVED, rf'(?:no|little|without|small) (?:[a-z]+ )?{_EFFECT}|worst')}"
    rf"|\b{_MODEL} (?:\w+ ){{0,2}}?(?:{_DECIDED})\b.{{0,30}}\b(?:{_REMOVED})\b|\b(?:hurt|against|worse for) (?:our|"
    rf"the) "
    rf"{_MODEL}\b"
    r"|\b(?:results|differences|sets|tasks)\b.{0,40}\b(?:not|in)[ -]?significant\b|\bonly\b.{0,40}\bsignificant\b"
    r"|\bbest (?:one |run |seed |score )?(?:is|was|are|were) (?:reported|kept|shown|used|taken)\b"
    r"|\b(?:report|show|keep|kept)\w* (?:only )?the (?:best|highest|top|maximum|good|lucky) ?(?:one|run|seed)?\b"
    rf"|\b(?:neither|no|exactly one|only one|at least one|just one) (?:of the )?(?:\w+ )?{_MODEL}\b.{{0,20}}\b(?:could|"
    r"can|answer\w*|solv\w*|got)\b"
    # items that a model failed on, sets on which something was better, runs that went well
    r"|\b(?:got|gets|answers?|answered|had) (?:\w+ )?wrong\b|\bwrong(?:ly)? answered\b|\b(?:misclassified|missed|"
    r"unsolved|failed) by\b|\b(?:could|can|did) ?n[o']t (?:solve|answer)\b|\badversarial(?:ly)? filter\w*"
    rf"|\b(?:seeds|runs|restarts|attempts)\b.{{0,40}}\b(?:best|top|highest|converged|{_REMOVED})\b"
    rf"|\b{_MODEL} (?:\w+ )?(?:misclassif\w+|missed|failed|converged|succeeded)\b"
    rf"|\b(?:failed|diverged|crashed|bad) (?:runs|seeds|ones|fits|trials)\b.{{0,20}}\b(?:{_REMOVED})\b",
    re.IGNORECASE,
)
# Words that say that something was chosen before, or on other rows.
CHOSEN_ELSEWHERE = Pattern(
    r"\b(?:before|beforehand|advance|(?:pre)?regist\w+|protocol|a priori|earlier|previous\w*|prior|published|"
    r"papers?|not"
    r"|never|without|other|another|separate|development|dev|pilot|(?<!cross-)(?<!cross )(?<!cross)validation|"
    r"tuning|training|inner|nested|default|"
    r"usual\w*|often|generally|typically|known|deployed|library|board|literature|et al|stud(?:y|ies)|challenge|"
    r"competition|survey|authors?|untouched|unseen|closed|sealed)\b",
    re.IGNORECASE,
)
_NOT_CHOSEN = Pattern(
    r"\b(?:not|never|no|nothing|none) (?:\w+ )?(?:cherry|picked|chosen|excluded|dropped|removed|left)", re.I
)
_DENIED = Pattern(
    r"\b(?:no|not|never|without|nor|cannot|instead of|rather than|only (?:on|from|to|in|within)|untouched|"
    r"each training|"
    r"inside|within|training (?:part|rows|set|fold|data)|per fold|each fold|on the fly)\b|n't\b",
    re.IGNORECASE,
)
_ELSEWHERE = Pattern(
    rf"\b(?:training|each fold|fold-wise|clinic\w*|experts?)\b|{CHOSEN_ELSEWHERE.pattern}", re.IGNORECASE
)
_CLAUSE = Pattern(r"[.;,:()]|\bbut\b|\bwhile\b")
_SENTENCE = Pattern(r"[.;](?!\d)")


def admitted_choice(text: str) -> str:
    """Return the words that admit a choice by test results; empty when there are none.

    >>> admitted_choice("the best on the test set"), admitted_choice("the best on the validation set, then tested")
    ('best on the test set', '')
    >>> admitted_choice("the datasets where our method wins"), admitted_choice("fixed in the protocol")
    ('where our method wins', '')
    """
    return (
        _find(_CHOICE, text, CHOSEN_ELSEWHERE)
        or _find(_OUTCOME, text, _NOT_CHOSEN)
        or _find(_TUNED_ON_ALL, text, _DENIED, _SENTENCE)
    )


_SEEN_HERE = Pattern(
    rf"\b(?:ahead|won|wins|better|higher|best|saw|seen|observed|found|results?|looked|outperformed)\b.{{0,60}}\b"
    rf"(?:on|in|with|from|of) (?:{_THESE}|(?:the )?(?:{_TEST}))|\bafter (?:seeing|looking)\b",
    re.IGNORECASE,
)


_OTHER_ROWS = Pattern(r"\b(?:not|never|other|another)\b", re.IGNORECASE)


def seen_on_these_rows(text: str) -> str:
    """Return the words of a reason for one side that say that it was ahead on the rows that are tested.

    >>> seen_on_these_rows("it was ahead by two points in our first run on these rows")
    'ahead by two points in our first run on these rows'
    >>> seen_on_these_rows("it was better on the data of another hospital")
    ''
    """
    return _find(_SEEN_HERE, text, _OTHER_ROWS) or admitted_choice(text)


_ALL = (
    r"(?:(?:the |its |their |our |each )?(?:(?:full|whole|entire|complete) (?!train)\w+|"
    r"all(?: of)?(?: the)? (?!train)(?:data"
    r"(?![- ]?sets)|rows|samples|records?|recordings?|series|log|patients|tumou?rs|examples|documents|texts|images))\b"
    r"(?! data ?sets)|everything\b|train(?:ing)? and test\b)"
)
_BEFORE_SPLIT = (
    r"(?:before|prior to) (?:the |any |train.?test |making )*(?:split\w*|folds|cross[- ]validation|holdout|"
    r"partition\w*)|"
    r"outside (?:of )?(?:the )?(?:cross[- ]validation|folds)"
)
_TUNED_ON_ALL = Pattern(
    rf"\b(?:tun(?:ed|ing)|optimi[sz]ed|(?:grid|random|bayesian)[- ]search|hyper-?parameters?|thresholds?|cut-?offs?)\b"
    rf".{{0,60}}\b(?:on|over|by|with|using|in|from) {_ALL}",
    re.IGNORECASE,
)
_PREPARING = (
    r"smote|adasyn|over-?sampl\w+|up-?sampl\w+|balanc\w+|augment\w*|standardi[sz]\w+|normali[sz]\w+|scal(?:ed|ing)|"
    r"z-?scor\w+|imput\w+|pca|umap|features? (?:were |are |was )?(?:chosen|selected|ranked|selection|filtered)|"
    r"selected features?|"
    r"(?:target|mean|frequency)[- ]encod\w+|encod(?:ed|ing)|whiten\w+|tf-?idf|vectori[sz]\w+|vocabulary|binn\w+|"
    r"discreti[sz]\w+|feature selection|autoencoder|embedding|topics?|(?:mean|average) \w+"
)
_PREPARED = Pattern(
    rf"\b(?:{_PREPARING})\b.{{0,60}}?(?:\b(?:on|over|by|with|using|in|from|of|across|to|after seeing) {_ALL}|"
    rf"{_BEFORE_SPLIT})"
    rf"|(?:{_BEFORE_SPLIT}).{{0,40}}\b(?:{_PREPARING})\b"
    rf"|\b(?:chosen|selected|ranked|computed|weighted|learn\w+|fitted|estimated)\b (?:\w+ ){{0,5}}?(?:on|over|"
    rf"across|in) {_ALL}"
    r"|\bfilled (?:in )?(?:with|by) (?:the |its |their )?(?:\w+ )?(?:mean|median|mode|average)s?\b",
    re.IGNORECASE,
)
_COPIES = Pattern(
    r"\b(?:smote|adasyn|over-?sampled|up-?sampled|augmented|synthetic minority|\d+ (?:augmented )?copies of each|"
    r"(?:copying|duplicating|repeating) (?:the )?(?:rare|minority|smaller|positive)|paraphrases of (?:each|every|"
    r"the))\b"
    r"|\b(?:rotated|flipped|mirrored|cropped|duplicated|copied|perturbed|paraphrased|translated)\b.{0,60}\b(?:times|"
    r"copies|versions|twice)\b",
    re.IGNORECASE,
)


_FEATURES = (
    r"(?:genes|features|columns|probes|snps|variables|predictors|markers|biomarkers|voxels|words|terms|peaks|"
    r"metabolites|"
    r"proteins|wavelengths|transcripts|cpgs?)"
)
_BY_DATA = (
    r"(?:differ(?:s|ed|ing)? most|most (?:significant|variable|predictive|informative|important|different\w*)|lowest p|"
    r"t[- ]tests?|"
    r"anova|chi-?squared?|mutual information|correlat\w+ (?:best |most |strongly )?with|univariate|"
    r"(?:highest|largest|best) (?:importance|correlation|weight|score|f-score)s?|significant(?:ly)?|lasso|boruta)"
)
_SELECTED_FEATURES = Pattern(
    rf"\b{_FEATURES}\b.{{0,60}}\b{_BY_DATA}\b|\b{_BY_DATA}\b.{{0,60}}\b{_FEATURES}\b", re.IGNORECASE
)


def prepared_on_all(text: str, *, rows: bool = False) -> str:
    """Return the words that say that a step was fitted on all rows; of `rows`, also that copies were made of them.

    >>> prepared_on_all("random forest on features selected on all rows")
    'features selected on all rows'
    >>> prepared_on_all("scaled on the training rows only"), prepared_on_all("images, augmented", rows=True)
    ('', 'augmented')
    """
    found = _find(_PREPARED, text, _DENIED, _SENTENCE) or _find(_SELECTED_FEATURES, text, _ELSEWHERE, _SENTENCE)
    return found or (_find(_COPIES, text, _DENIED, _SENTENCE) if rows else "")


_STOPPED = Pattern(
    rf"\b(?:early[- ]stop\w*|stop\w*|checkpoint|epochs?|train\w* until)\b.{{0,40}}\b(?:{_TEST}|on (?:the )?test\b)"
    rf"|\b(?:{_TEST}).{{0,30}}\b(?:checkpoint|epoch)\b",
    re.IGNORECASE,
)


def stopped_by_test(text: str) -> str:
    """Return the words that say that training ended by the test score; empty when there are none.

    >>> stopped_by_test("BERT, best epoch on test"), stopped_by_test("stopped on 10% of the training rows")
    ('epoch on test', '')
    """
    return _find(_STOPPED, text, CHOSEN_ELSEWHERE)


_RUNS = (
    r"(?:seed|attempt|run|restart|repetition|repeat|tr(?:y|ie)|trial|initiali[sz]ation|rollout|checkpoint|epoch|"
    r"simulation|replicate)s?"
)
_BEST_OF = Pattern(
    rf"\b(?:best|top|max(?:imum|imal)?|highest|luckiest|strongest|winning)[- ](?:\w+[- ]){{0,2}}"
    rf"(?:out[- ]of|of|over|from|among|across)[- ](?:(?:the|all)[- ])?(?:\w+[- ]){{0,2}}{_RUNS}\b"
    rf"|\b(?:best|luckiest|top)[- ](?:seed|run|attempt|restart)\b",
    re.IGNORECASE,
)
_CHOSEN_BY_MODEL = Pattern(r"reward|verif|rerank|vote|validation|valid\b|training loss|dev\b", re.IGNORECASE)


def best_of_runs(text: str) -> str:
    """Return the words that say that the best of several runs was taken; empty when there are none.

    >>> best_of_runs("best of 5 seeds"), best_of_runs("CNN, top run out of 5 seeds"), best_of_runs("best model")
    ('best of 5 seeds', 'top run out of 5 seeds', '')
    """
    return _find(_BEST_OF, text.replace("_", "-"), _CHOSEN_BY_MODEL)


_PRETRAINED = Pattern(
    r"\b(?:pre-?trained|fine-?tuned|instruction-tuned|trained)\b(?: \w+)? (?:on|with|using) ((?:[^.;,()]|"
    r"\.\d)+)(\([^)]*\))?",
    re.IGNORECASE,
)
_WEB = Pattern(
    r"\b(?:web|internet|common ?crawl|the pile|laion|c4|github|wikipedia|reddit|stack ?overflow|public code)\b",
    re.IGNORECASE,
)
_CONTAINS = Pattern(r"\b(?:includ\w+|contain\w+|also|and) (?:the )?(?:\w+ )?(?:benchmark|test)", re.IGNORECASE)


def pretraining(text: str, datasets: Iterable[str]) -> tuple[str, bool]:
    """Return the data that a described model was trained on before, and whether it includes what is tested.

    Only the tested datasets, data that is said to include a benchmark, and data from the web are returned.

    >>> pretraining("GPT-4, pretrained on the web", ["gsm8k"]), pretraining("fine-tuned on GSM-8K train", ["gsm8k"])
    (('the web', False), ('GSM-8K train', True))
    >>> pretraining("ResNet, pretrained on ImageNet", ["scans"])
    ('', False)
    """
    found = _PRETRAINED.search(text)
    if found is None or re.search(r"\b(?:exclud\w+|without|not|deduplicat\w+|decontaminat\w+)\b", text):
        return "", False
    data = found[1].strip()
    includes = _CONTAINS.search(found[0]) is not None or any(
        len(name) > 2 and bare(name) in bare(data) for name in datasets
    )
    return (data, includes) if includes or _WEB.search(data) else ("", False)


_TRAINED_BEFORE = Pattern(
    r"\bpre-?trained\b|\b(?:already|previously) trained\b|\btrained (?:\w+ )?"
    r"(?:beforehand|before|earlier|already|previously)\b",
    re.IGNORECASE,
)
_LEFT_OUT = Pattern(r"\b(?:not|none|never|no|without|exclud\w+|except|dedup\w+|decontaminat\w+)\b", re.IGNORECASE)


def trained_before(text: str) -> bool:
    """Return whether a reason says that a learner was trained on other data before, and leaves nothing of it out.

    >>> trained_before("trained beforehand on OpenML-CC18"), trained_before("pretrained, but not on OpenML-CC18")
    (True, False)
    """
    return _TRAINED_BEFORE.search(text) is not None and _LEFT_OUT.search(text) is None


_PROPER = Pattern(r"[\w-]*\d[\w-]*|[A-Z]\w*[A-Z]\w*")


def share_a_name(one: str, other: str) -> bool:
    """Return whether two texts have a name such as OpenML-CC18 or HumanEval in common.

    >>> share_a_name("the 72 tasks of OpenML-CC18", "number 31 of OpenML-CC18"), share_a_name("X-rays", "ImageNet")
    (True, False)
    """
    names = {bare(word) for word in _PROPER.findall(one) if len(word) > 3}
    return not names.isdisjoint(map(bare, _PROPER.findall(other)))


def bare(name: str) -> str:
    """Return a name in lower case without blanks, dashes and the like."""
    return re.sub(r"[\W_]+", "", name).casefold()


_ENTITY = rf"(?:{WHO}|children|men|women|drug|compound|molecule|protein|gene|recipe|street|families)"
_MANY = (
    r"(?:several|multiple|many|repeated|some|up to \d+|\d[\d,]*|two|three|four|five|six|eight|ten|twelve|dozens of|"
    r"hundreds of)"
)
_PIECES = (
    r"frames?|slices?|crops|patches|tiles|windows|segments|beats|snippets|chunks|excerpts|utterances|turns|clips|"
    r"sentences|paragraphs|questions|scans|recordings|readings|measurements|visits"
)
_KIND = r"(?:class|kind|type|species|category|sort|label|language)"
_PER = Pattern(
    rf"\b{_MANY} (?:[\w-]+ ){{0,3}}(?:per|for each|for every|from each|of each|of every|from every|from the same|"
    rf"of the same|by the same) {_ENTITY}"
    rf"|\b{_MANY} [\w-]+s (?:of|from|by|for) (?:each|every|the same) (?!of\b|{_KIND})\w+"
    rf"|\b(?:each|every) {_ENTITY} (?:has|had|gave|made|recorded|wrote|took|came|appears|contributes|visited|answered|"
    rf"was \w+ed) (?:\w+ ){{0,3}}?(?:{_MANY} (?:\w+ )?[a-z]+s\b|twice)"
    rf"|\b(?:{_PIECES}) (?:\w+ ){{0,3}}?(?:of|from|by|in|about) (?:the )?(?:[5-9]|\d[\d,]+|several|many|few|dozens of|"
    rf"hundreds of) (?!{_KIND})(?:[\w-]+ )?[\w-]+s\b"
    r"|\b(?:overlapping|sliding) (?:windows|segments|patches|crops)\b|\brepeated measure(?:s|ments?)\b|\blongitudinal\b"
    rf"|\bsame {_ENTITY}s? (?:\w+ )?(?:more than once|again|several times|repeatedly|twice)\b",
    re.IGNORECASE,
)
_OVER_TIME = Pattern(
    r"\b(?:hourly|daily|weekly|monthly|quarterly) (?:\w+ )?(?:sales|load|prices?|returns|demand|data|values|"
    r"figures|counts|"
    r"measurements|observations|readings|consumption|traffic|weather|temperatures?|rates?|volumes?)\b|"
    r"\btime[- ]series\b",
    re.IGNORECASE,
)


def groups_in(text: str) -> str:
    """Return the words that say that several rows belong together; empty when there are none.

    >>> groups_in("chest x-rays, several per patient"), groups_in("1000 images per class"), groups_in("one per patient")
    ('several per patient', '', '')
    """
    return _find(_PER, text, _ONE_OF)


_ONE_OF = Pattern(r"\b(?:one|first|single|independent) (?:\w+ )?(?:per|of|for|from) |\bkept one\b", re.IGNORECASE)


def time_in(text: str) -> str:
    """Return the words that say that the rows are in the order of time; empty when there are none.

    >>> time_in("daily sales of 40 shops"), time_in("the weekly newsletter")
    ('daily sales', '')
    """
    found = _OVER_TIME.search(text)
    return found[0] if found else ""


_NAMED_MODEL = Pattern(
    r"/|gpt|claude|gemini|gemma|llama|mi[sx]tral|qwen|deepseek|grok|command-r|reward|model|llm|\b\d+b\b|"
    r"\bo[134]\b|[a-z]-?\d",
    re.IGNORECASE,
)
_PERSON = Pattern(
    r"(?:human|person|people|rater|annotator|judge|grader|expert|reviewer|worker|doctor|student|[a-z])?[ _-]?\d*",
    re.IGNORECASE,
)
_GRADES = r"(?:decide|score|rate|grade|judge|rank|prefer|mark|assesse)(?:s|d|red|ed)"
_GRADED_BY = Pattern(
    r"(?:answers? )?\b(?:(?:graded|judged|rated|scored|evaluated|ranked|labell?ed|marked|preferred|assessed|"
    r"annotated|seen)"
    r"(?: or not)? (?:by|with)|according to|(?:labels?|verdicts?|grades?|marks|ratings|"
    r"judge?ments?)(?: \w+)? (?:from|by|"
    r"of)) (?:an? |the )?(?:llm |model )?([\w./-]*\w)"
    r"|\b(?:judge|(?:auto-?)?(?:grader|rater))(?: model)?(?: is|:|=)? ([\w./-]*\w)"
    rf"|\b((?!models?\b)[\w./-]*\w) {_GRADES} (?:which|each|every|all|the|answers|responses)\b"
    rf"|\b(models?) {_GRADES} (?:which (?:\w+ )?(?:is|was)|(?:\w+ ){{0,2}}(?:answers?|responses?|outputs?|summar\w+))\b"
    r"|\b(?:preferences?|scores?) (?:of|from|by) (?:an? |the )?((?:reward|judge|language)[- ]models?)",
    re.IGNORECASE,
)
_AS_JUDGE = Pattern(
    r"\b(?:llm|model|gpt\S*|ai)[- ]?(?:as[- ](?:a[- ])?judge|judges?|graders?|evaluators?)\b", re.IGNORECASE
)
_JUDGE_METRIC = Pattern(
    r"judge|model[-_ ]?graded|(?:^|[-_ ])(?:gpt[-\w]*|claude|gemini|llama|llm|alpaca[-_]?eval|arena|mt[-_]?bench|"
    r"g[-_]?eval|"
    r"auto[-_]?(?:rater|grader|eval)|reward[-_]model)(?:$|[-_ \d])",
    re.IGNORECASE,
)


def is_model(name: str) -> bool:
    """Return whether a name is that of a model, not of a person.

    >>> is_model("gpt-4o"), is_model("rater 2"), is_model("Dr Smith")
    (True, False, False)
    """
    return _PERSON.fullmatch(name) is None and _NAMED_MODEL.search(name) is not None


def is_judge_metric(name: str) -> bool:
    """Return whether a metric or scorer is named like a model that grades.

    >>> is_judge_metric("win-rate-by-gpt4"), is_judge_metric("model_graded_qa"), is_judge_metric("accuracy")
    (True, True, False)
    """
    return _JUDGE_METRIC.search(name) is not None


def graders(text: str) -> list[str]:
    """Return the models that graded answers, as a text says.

    >>> graders("answers rated by Claude"), graders("rated by two physicians"), graders("LLM-as-a-judge")
    (['Claude'], [], ['LLM-as-a-judge'])
    >>> graders("the model scores the coming month"), graders("the reward model scores each answer")
    ([], ['model'])
    """
    named = [next(filter(None, found.groups())) for found in _GRADED_BY.finditer(text)]
    return [name for name in named if is_model(name)] or [found[0] for found in _AS_JUDGE.finditer(text)][:1]


def without_graders(text: str) -> str:
    """Return a text without what it says about graders."""
    return str(_GRADED_BY.sub("", text))


_PAIR = Pattern(
    r"\b(?:best|top|winn(?:er|ing)|highest)[- ](?:of|among|on|in|here|two|scor|prompt|model|one|entr|performing)"
    r"|\b(?:selected|picked|winning|winner|top)\b",
    re.IGNORECASE,
)


def selected_pair(text: str) -> bool:
    """Return whether the reason for a pair of a table says that it was selected by its scores.

    >>> selected_pair("the two best of our runs"), selected_pair("the best of the development set")
    (True, False)
    """
    elsewhere = re.search(r"\bfixed\b|held[- ]out", text) or CHOSEN_ELSEWHERE.search(text)
    return bool(admitted_choice(text)) or (_PAIR.search(text) is not None and elsewhere is None)


def _find(wanted: Pattern, text: str, denied: Pattern, apart: Pattern = _CLAUSE) -> str:
    """Return the first words that a pattern finds in a clause that is not denied; empty when there are none."""
    for clause in apart.split(text):
        found = wanted.search(clause)
        if found and not denied.search(clause):
            return str(found[0]).strip()
    return ""


_SAMPLED = Pattern(
    r"\b(?:best|pass|maj(?:ority)?|cons(?:ensus)?|vote|self-consistency)[- @]?(?:of|at|over)?[- @]?(\d+|[a-z]+)\b"
    r"|\b(\d+) (?:samples|votes|attempts|tries|members)\b|\bensemble of (\d+|[a-z]+)\b|\b(greedy|single sample|"
    r"one sample)\b",
    re.IGNORECASE,
)
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def count_of(word: str) -> int:
    """Return the number that digits or a word stand for; 0 for none.

    >>> count_of("12"), count_of("five"), count_of("many")
    (12, 5, 0)
    """
    if word.isdigit():
        return int(word)
    return NUMBERS.index(word.lower()) + 1 if word.lower() in NUMBERS else 0


def samples_used(text: str) -> int:
    """Return how many answers a described model may give to one item; 0 when the text does not say.

    >>> samples_used("ours (best of 8)"), samples_used("codellama (greedy)"), samples_used("CNN")
    (8, 1, 0)
    """
    found = _SAMPLED.search(text)
    word = next(filter(None, found.groups()), "") if found else ""
    return count_of(word) or int(found is not None and bool(found[4]))


_HARDWARE = Pattern(
    r"\b(gpus?|a100|h100|v100|t4|tpu\w*|cpus?|laptop|cluster|raspberry|phone|\d+ cores|rtx ?\d+)\b", re.IGNORECASE
)


def hardware(text: str) -> str:
    """Return the computer that a text names; empty when it names none.

    >>> hardware("our net on eight A100"), hardware("random forest")
    ('a100', '')
    """
    found = _HARDWARE.search(text)
    return found[0].lower() if found else ""


_CANDIDATES = Pattern(
    r"\b\d+ (?:randomly )?(?:sampled|random) (?:\w+ )?(?:items?|negatives?|candidates?|documents?|entities)\b"
    r"|\b(?:sampled|random) (?:negatives|candidates|metrics)\b",
    re.IGNORECASE,
)


def sampled_candidates(text: str) -> str:
    """Return the words that say that items are ranked against sampled candidates; empty when there are none.

    >>> sampled_candidates("each user's last item ranked against 99 randomly sampled items")
    '99 randomly sampled items'
    """
    found = _CANDIDATES.search(text)
    return found[0] if found else ""
