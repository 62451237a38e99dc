"""Everything above -> a document, and one renderer per format.

Others use `build.document`, `write.write`, `frames.frames`, `values.value`.
"""
