"""A script whose names try to break out of every kind of output."""

from __future__ import annotations

NAMES = (
    "<script>alert(1)</script>",
    "a\x1b[2J\x1b]0;pwn\x07b",
    "right\u202eto\u2066left\u200b",
    "line\u2028sep\u0085next",
    "%0A::error::x",
    "a,b:c=d",
    "\ud800alone",
    "]]>&amp;\"'",
    "../../etc/passwd",
    "javascript:alert(1)",
)


def script(name: str) -> str:
    """A design with findings about a learner and a dataset of that name."""
    quoted = '"' + name.replace('"', '""') + '"'
    return (
        f'dataset {quoted} from csv "d.csv", target "y"\n'
        f"learner tree is decision-tree(max_depth = 3), tune ccp_alpha in {{0.1, 0.2}}\n"
        f"compare tree vs naive-bayes on {quoted} using 30 resamples of 2/3, by resampled-t,\n"
        f'  allow EV401 because "repeats {name.replace(chr(34), "")}"\n'
    )
