"""How often the tests and intervals of items are wrong: models whose abilities are known answer items drawn anew."""
