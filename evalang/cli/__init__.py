"""Layer 10: the command line."""
