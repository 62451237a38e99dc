"""Layer 7: what was predicted -> scores."""
