"""One file for each statistical test of the catalogue, as a pure function of numbers."""
