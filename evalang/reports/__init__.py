"""Everything above -> a document, and one renderer per format."""
