"""Layer 0: text, positions, findings, the parser and the tree it makes; every other layer may import it."""
