"""Layer 8: scores become test results, test results become verdicts."""
