"""Whole procedures under a known truth, from the text of a script to the printed sentence."""
