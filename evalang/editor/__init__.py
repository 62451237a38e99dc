"""The language server and the playground: what an editor shows while someone writes a script.

In: the text of open documents (`embedded.py` finds scripts in Markdown, notebooks and Python). `workspace.py` keeps
what was read of each. `completion`, `hover`, `navigation`, `diagnostics` and `edits` answer questions about one script;
`protocol.py` translates the answers into the Language Server Protocol. A new feature is a function in one of them and
a decorated function in `handlers.py`. `playground.py` answers the same questions as JSON for the page in the browser.
"""
