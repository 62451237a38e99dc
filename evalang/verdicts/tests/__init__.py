"""The statistical tests: numbers of learners on common units in, a `TestResult` out; `compute.TESTS` lists them all."""
