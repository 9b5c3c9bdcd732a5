"""Review: a person reads records with their spans, corrects them, and signs what was found."""
