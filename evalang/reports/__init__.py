"""Reports: a finished `RunResult` comes in; text, HTML, Markdown, LaTeX, JSON, CSV, Parquet and pictures go out.

`view` sorts the result by comparison. `headline`, `sentences` and `methods` put it into words, `tables` and `figures`
show it, `assemble` joins them into a `Document`, and one module per format renders that. `frames` and `json` hold the
numbers for other programs. Touch `tables` for a column, `sentences` or `headline` for wording, `figures/` for a
picture (and its row in `figures/choose.py`), `write` and `catalogue/formats.py` for a format.
"""
