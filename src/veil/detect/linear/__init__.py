"""Linear models over sequences of tokens: training, storage and inference."""
