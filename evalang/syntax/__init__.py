"""Layer 1: text becomes a typed tree, and a tree becomes text.

Others use `parser.parse`, `nodes`, `format`, `lexer.STATEMENTS`.
"""
