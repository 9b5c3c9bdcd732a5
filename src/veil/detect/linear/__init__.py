"""Linear models over sequences of tokens: one way to train, keep and run them all."""
