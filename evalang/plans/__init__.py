"""Layer 3: a tree becomes a plan, with every name resolved and every default written out.

Others use `build.build`, `model.Plan` and its records, `canonical.to_json` and `from_json`.
"""
