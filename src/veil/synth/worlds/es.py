"""The world of Spanish records: from Spain for the most part, and from five other countries."""

from __future__ import annotations

from veil.synth.worlds.es_contacts import Contacts
from veil.synth.worlds.es_dates import Dates
from veil.synth.worlds.es_national import NationalNumbers
from veil.synth.worlds.es_numbers import Numbers
from veil.synth.worlds.es_places import Places


class World(Dates, NationalNumbers, Contacts, Places, Numbers):
    """One record, whose spans follow the guideline of MEDDOCAN.

    A record is of one country: its numbers, telephones, postcodes, streets and words agree.
    """
