"""Layer 4: datasets, read with care, and the facts about them that the linter needs."""
