"""The language server and the playground.

The input is the text of open documents (`embedded.py` finds scripts in Markdown, notebooks and Python). `workspace.py`
stores what was read of each document. `completion`, `hover`, `navigation` and `edits` answer questions
about one script, and `protocol.py` translates the answers into the Language Server Protocol. To add a feature, write a
function in one of them and a decorated function in `handlers.py`. `playground.py` gives the same answers as JSON.
"""
