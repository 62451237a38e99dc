"""The statistical tests: numbers of learners on common units in, a `TestResult` out; `apply.TESTS` lists them all."""
