"""Training by recipe: a detector, its scores and its card, cross-validation, the learning curve."""

from veil.train.fitting import epochs, train, with_seed
from veil.train.model import TrainedModel, TrainingData, train_model
from veil.train.validation import (
    CrossValidation,
    CurvePoint,
    Scores,
    cross_validate,
    learning_curve,
    measure,
    predict,
)

__all__ = [
    "CrossValidation",
    "CurvePoint",
    "Scores",
    "TrainedModel",
    "TrainingData",
    "cross_validate",
    "epochs",
    "learning_curve",
    "measure",
    "predict",
    "train",
    "train_model",
    "with_seed",
]
