"""The catalogue: everything that a script can name, as declarations (cards) without numpy.

There is one module per kind (tests, metrics, schemes, corrections, learners, estimators, sources, formats, glossary,
references). Each has the class of its cards, the cards, and a `find_...` function. `cards.card` shows a card as
Markdown. `distributions` and `power` compute without scipy what lint and plan show before a run. To add a test or
metric, write a card here and a function in `verdicts` or `scores`; a test checks that both exist.
"""
