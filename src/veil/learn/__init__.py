"""Learning: recipes, training, scores, model cards, and the study of name modules."""

from veil.learn.model import TrainedModel, TrainingData, train_model
from veil.learn.recipe import METHODS, about, for_language, method_pipeline, names, recipe
from veil.learn.training import (
    CrossValidation,
    CurvePoint,
    Scores,
    cross_validate,
    epochs,
    learning_curve,
    measure,
    predict,
    train,
    with_seed,
)

__all__ = [
    "METHODS",
    "CrossValidation",
    "CurvePoint",
    "Scores",
    "TrainedModel",
    "TrainingData",
    "about",
    "cross_validate",
    "epochs",
    "for_language",
    "learning_curve",
    "measure",
    "method_pipeline",
    "names",
    "predict",
    "recipe",
    "train",
    "train_model",
    "with_seed",
]
