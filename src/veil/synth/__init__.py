"""Dummy records: fictitious clinical notes with gold spans, to train, test and show with."""
