"""From a plan to trials: folds, fits, workers and the store that loses nothing."""
