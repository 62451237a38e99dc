"""The document as LaTeX: booktabs tables that can be `\\input` one by one, a methods paragraph, a whole report."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .document import (
    Block,
    Code,
    Details,
    Document,
    Figure,
    List,
    Paragraph,
    ReportTable,
    Section,
    TableCell,
    tables,
    walk,
)
from .escape import latex, latex_prose, lines

LONG = 40  # rows; a longer table may break over pages
PAGE = 74  # characters of small letters in a line of the text
WIDE_TEXT = 40  # characters; a column with longer words gets a fixed width

# Letters that the font of the text lacks are looked for in two others. In a paper of the author's own `\\beyondother`
# is his to define; without it, and with pdflatex, the numbers of the letters are printed. Robust for XeLaTeX: which
# font has a letter is asked where it is set, not where a caption is written to a file.
LETTERS = r"""\providecommand{\beyondother}[3]{#3}
\ifdefined\beyondlatin\else\ifdefined\Umathcode\DeclareRobustCommand{\beyondlatin}[3]{\iffontchar\font"#2 #1\else
  \beyondother{#1}{#2}{#3}\fi}\else\newcommand{\beyondlatin}[3]{#3}\fi\fi
"""
_WEST = ("DejaVu Sans", "Noto Sans", "FreeSans", "Arial Unicode MS")
_EAST = ("Noto Sans CJK SC", "Source Han Sans SC", "WenQuanYi Micro Hei", "IPAGothic", "SimSun", "Arial Unicode MS")


def _first(command: str, names: tuple[str, ...]) -> str:
    """Return a command for the first font that exists."""
    found = rf"\let{command}\relax"
    for name in reversed(names):
        found = rf"\IfFontExistsTF{{{name}}}{{\newfontfamily{command}{{{name}}}}}{{{found}}}"
    return found


PREAMBLE = (
    r"""\documentclass[a4paper]{article}
\usepackage{iftex}
\ifPDFTeX\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{lmodern}\else\usepackage{fontspec}
"""
    + f"{_first(chr(92) + 'westletters', _WEST)}\n{_first(chr(92) + 'eastletters', _EAST)}\n"
    + r"""\newcommand{\beyondother}[3]{{\westletters\iffontchar\font"#2 #1\else
  {\eastletters\iffontchar\font"#2 #1\else#3\fi}\fi}}\fi
"""
    + LETTERS
    + r"""
\usepackage[margin=25mm]{geometry}
\usepackage{booktabs,longtable,array,graphicx}
\setlength{\parindent}{0pt}\setlength{\parskip}{6pt}\emergencystretch=3em
"""
)
NEEDS = "% needs \\usepackage{booktabs,longtable,array,graphicx} and \\usepackage[T1]{fontenc}\n"
_HEADS = ("section", "subsection", "subsubsection", "paragraph")


def render(document: Document, pictures: Mapping[str, str] | None = None) -> str:
    """Return a whole document that compiles by itself; `pictures` maps a figure's key to its file."""
    body = "\n\n".join(p for b in document.blocks if (p := _block(b, 0, pictures or {})))
    title, subtitle = latex(document.title), latex(document.subtitle)
    return (
        f"{PREAMBLE}\\title{{{title}}}\n\\author{{}}\n\\date{{{subtitle}}}\n"
        f"\\begin{{document}}\n\\maketitle\n\n{body}\n\n\\end{{document}}\n"
    )


def pieces(document: Document) -> dict[str, str]:
    """Return a file for every table, and the methods, each to be `\\input` where it is wanted."""
    files = {f"tables/{table.key}.tex": NEEDS + _table(table) + "\n" for table in tables(document)}
    for block in walk(document.blocks):
        if isinstance(block, Section) and block.key == "methods":
            text = "\n\n".join(_block(b, 1, {}) for b in block.blocks if isinstance(b, Paragraph))
            files["methods.tex"] = text + _cited(block) + "\n"
        if isinstance(block, Code) and block.language == "bibtex":
            files["references.bib"] = block.text
    return {name: text if name.endswith(".bib") else with_letters(text) for name, text in files.items()}


def with_letters(text: str) -> str:
    """Return a piece for a paper, with the command for letters beyond Latin where it has some."""
    return LETTERS + text if r"\beyondlatin" in text else text


def _cited(section: Section) -> str:
    """Return a sentence that cites every entry of references.bib by its key."""
    entries = "".join(b.text for b in walk(section.blocks) if isinstance(b, Code) and b.language == "bibtex")
    keys = re.findall(r"^@\w+\{([^,\s]+),", entries, re.MULTILINE)
    return f"\n\nThe tests, corrections, metrics and schemes are those of \\cite{{{','.join(keys)}}}." if keys else ""


def fragment(blocks: tuple[Block, ...]) -> str:
    """Return some blocks alone."""
    return "\n\n".join(p for b in blocks if (p := _block(b, 1, {}))) + "\n"


def _block(block: Block, depth: int, pictures: Mapping[str, str]) -> str:
    if isinstance(block, Paragraph):
        label = rf"\textbf{{{latex(block.label)}:}} " if block.label else ""
        text = f"{label}{latex_prose(block.text)}"
        return rf"\begin{{quote}}{text}\end{{quote}}" if block.tone == "warning" else text
    if isinstance(block, ReportTable):
        return _table(block)
    if isinstance(block, List):
        items = "\n".join(rf"\item {latex_prose(item)}" for item in block.items)
        return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}"
    if isinstance(block, Code):
        return _code(block.text)
    if isinstance(block, Figure):
        return _figure(block, pictures)
    inner = "\n\n".join(p for b in block.blocks if (p := _block(b, depth + 1, pictures)))
    title = block.summary if isinstance(block, Details) else block.title
    return f"\\{_HEADS[min(depth, 3)]}{{{latex(title)}}}\n\n{inner}"


def _figure(figure: Figure, pictures: Mapping[str, str]) -> str:
    path = pictures.get(figure.key)
    if path is None:
        return ""
    picture = rf"\resizebox{{\ifdim\width>\textwidth\textwidth\else\width\fi}}{{!}}{{\includegraphics{{{path}}}}}"
    caption = f"{latex(figure.title)}. {latex_prose(figure.description)}"
    return f"\\begin{{figure}}[htbp]\n\\centering\n{picture}\n\\caption{{{caption}}}\n\\end{{figure}}"


def _code(text: str) -> str:
    """Return typewriter lines; each is escaped, since the text itself could end a `verbatim`."""
    shown = [_indent(line) for line in lines(text).rstrip("\n").expandtabs(4).split("\n")]
    body = "\\\\*\n".join(line or r"\strut" for line in shown)
    return f"{{\\footnotesize\\ttfamily\\raggedright\n{body}\\par}}"


def _indent(line: str) -> str:
    depth = len(line) - len(line.lstrip(" "))
    return "~" * depth + latex(line.lstrip(" "))


def _table(table: ReportTable) -> str:
    heads = " & ".join(rf"\multicolumn{{1}}{{{c.align[0]}}}{{{latex(c.title)}}}" for c in table.columns)
    wide = [max((len(row[i].text) for row in table.rows), default=0) > WIDE_TEXT for i in range(len(table.columns))]
    share = 0.62 / max(sum(wide), 1)
    spec = "".join(
        rf">{{\raggedright\arraybackslash}}p{{{share:.2f}\textwidth}}" if broad else column.align[0]
        for column, broad in zip(table.columns, wide, strict=True)
    )
    rows = "\n".join(f"{' & '.join(_cell(c) for c in row)} \\\\" for row in table.rows)
    notes = " ".join(latex_prose(note) for note in table.notes)
    after = f"\n\\par\\smallskip\\footnotesize {notes}" if notes else ""
    title, label = latex(table.title), f"tab:{table.key}"
    if len(table.rows) > LONG:
        size, spec, heads = _page_wide(table, spec, heads)
        tail = f"\n{{\\footnotesize {notes}\\par}}" if notes else ""
        head = f"\\toprule\n{heads} \\\\\n\\midrule\n"  # on later pages without the label, which stands once
        return (
            f"{{{size}\n\\begin{{longtable}}{{{spec}}}\n\\caption{{{title}}}\\label{{{label}}}\\\\\n"
            f"{head}\\endfirsthead\n{head}\\endhead\n{rows}\n\\bottomrule\n\\end{{longtable}}\n}}{tail}"
        )
    return (
        f"\\begin{{table}}[htbp]\n\\centering\\small\n\\caption{{{title}}}\\label{{{label}}}\n"
        "\\resizebox{\\ifdim\\width>\\textwidth\\textwidth\\else\\width\\fi}{!}{%\n"
        f"\\begin{{tabular}}{{{spec}}}\n\\toprule\n{heads} \\\\\n\\midrule\n{rows}\n\\bottomrule\n\\end{{tabular}}}}"
        f"{after}\n\\end{{table}}"
    )


def _page_wide(table: ReportTable, spec: str, heads: str) -> tuple[str, str, str]:
    """Return font size, columns and heads of a table over pages: one that is too wide gets columns that break."""
    cells = [[row[i].text for row in table.rows] for i in range(len(table.columns))]
    whole = sum(max(map(len, (c.title, *texts))) for c, texts in zip(table.columns, cells, strict=True))
    sizes = [
        # A sentence gets no more than WIDE_TEXT, or it would leave no room for the words beside it.
        max(len(word) for word in (*c.title.split(), *(w for t in texts for w in (*t.split(), t[:WIDE_TEXT])), "")) + 2
        for c, texts in zip(table.columns, cells, strict=True)
    ]
    total = sum(sizes)
    if whole + 2 * len(sizes) <= PAGE:
        return r"\small", spec, heads
    sides = {"left": "raggedright", "right": "raggedleft"}
    room = rf"\dimexpr\textwidth-{2 * len(sizes)}\tabcolsep\relax"
    wide = "".join(
        rf">{{\{sides[c.align]}\arraybackslash}}p{{{0.995 * n / total:.3f}{room}}}"
        for c, n in zip(table.columns, sizes, strict=True)
    )
    letters = r"\footnotesize" if total <= PAGE * 1.2 else r"\scriptsize" if total <= PAGE * 1.7 else r"\tiny"
    return rf"{letters}\setlength{{\tabcolsep}}{{3pt}}\sloppy", wide, " & ".join(latex(c.title) for c in table.columns)


def _cell(cell: TableCell) -> str:
    shown = latex(cell.text)
    if cell.value is not None and cell.text[:1] == "-":
        shown = "$-$" + latex(cell.text[1:])
    shown = shown.replace(" to -", " to $-$") if cell.value is not None else shown
    if cell.best:
        shown = rf"\textbf{{{shown}}}"
    return f"{shown}\\textsuperscript{{{latex(cell.mark)}}}" if cell.mark else shown
