"""Arithmetic that the tests share: checked input, differences with exact ties, ranks, p-values and intervals."""
