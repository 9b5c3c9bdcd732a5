"""The world of English records: American for the most part, and of four other countries."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from veil.lexicons import lexicon
from veil.synth.pieces import Piece
from veil.synth.worlds.en_ages import Ages
from veil.synth.worlds.en_contacts import Contacts
from veil.synth.worlds.en_dates import Dates
from veil.synth.worlds.en_numbers import Numbers
from veil.synth.worlds.en_people import People
from veil.synth.worlds.en_places import Places

if TYPE_CHECKING:
    from veil.synth.world import Request


class World(People, Dates, Ages, Places, Contacts, Numbers):
    """One record, whose spans follow the guideline of i2b2 2014.

    A record is of one country: its dates, telephones, addresses, numbers and spelling agree.
    """

    def slot_term(self, request: Request) -> list[Piece]:
        """A term of medicine, many of which are named after people or look like names."""
        term = self.rng.choice(_medical_terms())
        return [Piece(self.spelled(term))]


@cache
def _medical_terms() -> tuple[str, ...]:
    """Terms that are no bare surname: "Freiberg" alone is more often somebody than a disease."""
    surnames = lexicon("en", "surname")
    return tuple(
        term
        for term in lexicon("en", "medical")
        if " " in term or term.islower() or not surnames.match_folded(term)
    )
