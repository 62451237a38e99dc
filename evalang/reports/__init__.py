"""Reports: from a finished `RunResult` to text, HTML, Markdown, LaTeX, JSON, CSV, Parquet and figures.

`view` sorts the result by comparison. `headline`, `sentences` and `methods` write the text, `tables` and `figures`
show the numbers, `assemble` joins them into a `Document`, and one module per format renders it. `frames` and `json`
hold the numbers for other programs. Change `tables` for a column, `sentences` or `headline` for wording, `figures/`
for a figure (with its row in `figures/choose.py`), and `write` and `catalogue/formats.py` for a format.
"""
