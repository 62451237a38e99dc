"""From a script's text to its tree: text comes in, nodes with spans and findings EV001 come out.

`parser.parse` cuts a text into statements and gives each to Lark (`grammar.py` with grammar/evalang.lark), which builds
nodes (`builder.py`, `nodes.py`); what cannot be read becomes a sentence (`diagnose.py`, `mistakes.py`) and costs as
little as possible (`recovery.py`). A new clause is a rule of the grammar and a node with its row in `nodes.py`; a
frequent mistake is a row of `mistakes.py`; the canonical layout is `format.py`.
"""
