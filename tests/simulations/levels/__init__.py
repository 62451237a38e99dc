"""Type I error and power of tests on folds, with learners and tests of our own that share no code with evalang."""
