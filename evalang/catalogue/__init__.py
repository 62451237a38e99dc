"""Layer 2: what exists and what it needs; pure declarations, no numpy.

Others use `cards.card`, `tests.find_test`, `readers.find_reader`, `formats.FORMATS`, `references.find_reference`.
"""
