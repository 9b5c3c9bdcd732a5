"""Learning: recipes, training, scores, model cards, and the study of name modules."""

from veil.learn.model import TrainingData, train_model
from veil.learn.recipe import recipe
from veil.learn.training import cross_validate, train

__all__ = ["TrainingData", "cross_validate", "recipe", "train", "train_model"]
