"""Stand-ins for what is neither a person nor a date: numbers, contacts, places, institutions."""

from veil.replace.entities.surrogates import EntitySurrogates

__all__ = ["EntitySurrogates"]
