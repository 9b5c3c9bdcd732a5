"""Stand-ins for people: their names, user names and e-mail addresses."""

from veil.replace.people.surrogates import PeopleSurrogates, person_numbers

__all__ = ["PeopleSurrogates", "person_numbers"]
