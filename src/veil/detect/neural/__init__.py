"""A bidirectional LSTM that scores tags: NumPy runs it, PyTorch trains it."""
