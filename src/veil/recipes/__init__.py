"""Recipes: how to train a model, as data; the papers' and Veil's own."""

from veil.recipes.loading import about, for_language, names, recipe

__all__ = ["about", "for_language", "names", "recipe"]
