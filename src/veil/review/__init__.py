"""Review: a person reads records, corrects their spans, and signs the result."""
