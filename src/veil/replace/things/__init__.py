"""Stand-ins for what is neither a person nor a date: numbers, contacts, places, institutions."""

from veil.replace.things.surrogates import ThingSurrogates

__all__ = ["ThingSurrogates"]
