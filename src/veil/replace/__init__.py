"""Replacing what was found: policies, tags, redaction, generalisation and surrogates."""
