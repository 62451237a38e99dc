"""Layer 0: text, positions and findings; every other layer may import it, it imports none.

Others use `text.Source`, `span.Span`, `finding.Finding`, `record.Record`.
"""
