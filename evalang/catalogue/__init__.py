"""The catalogue: what a script may name and what each thing needs, as declarations that load no numpy.

One file per kind (tests, metrics, schemes, corrections, learners, estimators, sources, formats, glossary, references):
the class of its card, the cards, and a `find_...` function. `cards.card` shows any of them as Markdown. `distributions`
and `power` compute without scipy what lint and plan show before a run. A new test or metric is a card here and a
function in `verdicts` or `scores`; a test holds the two together.
"""
