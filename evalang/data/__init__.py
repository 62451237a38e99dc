"""Layer 4: datasets, read with care, and the facts about them that the linter needs.

Others use `read.read`, `access.Access`, `raw.Raw`.
"""
