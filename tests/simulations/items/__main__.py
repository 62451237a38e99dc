"""How often tests and intervals of items are wrong, added to the study of levels.

    python -m tests.simulations.items [RUNS]      RUNS of each setting (2000), a tenth of them for all pairs

What is stored in docs/studies/levels/outcome/items.csv is not made again.
"""

from __future__ import annotations

import sys

from .measure import measure

measure(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
