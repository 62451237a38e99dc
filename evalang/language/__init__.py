"""From the text of a script to its syntax tree: it returns nodes with positions, and findings EV001.

`parser.parse` splits a text into statements and gives each to Lark (`grammar.py` with grammar/evalang.lark), which
builds nodes (`builder.py`, `nodes.py`). If a part cannot be parsed, `diagnose.py` and `mistakes.py` write the message,
and the parser keeps as much of the statement as possible. To add a clause, write a rule of the grammar and a node
with its decorator in `nodes.py`. To add a frequent mistake, add a row to `mistakes.py`. `format.py` formats scripts.
"""
