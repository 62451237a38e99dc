"""Layer 2: what exists and what it needs; pure declarations, no numpy."""
