"""What the tests share: checked numbers, differences with real ties, ranks, tails, corrections."""
