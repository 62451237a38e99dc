"""Layer 3: a tree becomes a plan, with every name resolved and every default written out."""
