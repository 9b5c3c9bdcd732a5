"""Dummy records: fictitious clinical notes with gold spans, for training, tests and demos."""
