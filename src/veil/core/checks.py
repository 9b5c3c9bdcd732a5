"""The checks by name: a rule names the one that its matches must pass."""

from __future__ import annotations

from collections.abc import Callable

from veil.core.numbers import (
    dates,
    finland,
    japan,
    luhn,
    mexico,
    network,
    spain,
    sweden,
    united_kingdom,
    united_states,
    worldwide,
)
from veil.core.registry import Registry

Check = Callable[[str], bool]
"""Whether a matched text, with its separators, is what its pattern takes it for; never raises."""

CHECKS: Registry[Check] = Registry("check")

for _name, _check in {
    "luhn": luhn.is_luhn,
    "card": worldwide.is_payment_card,
    "imei": worldwide.is_imei,
    "iban": worldwide.is_iban,
    "vin": worldwide.is_vin,
    "us-ssn": united_states.is_ssn,
    "us-itin": united_states.is_itin,
    "us-npi": united_states.is_npi,
    "us-dea": united_states.is_dea,
    "uk-nhs": united_kingdom.is_nhs_number,
    "es-dni": spain.is_dni,
    "es-nie": spain.is_nie,
    "es-nif": spain.is_nif,
    "es-nss": spain.is_nss,
    "es-cif": spain.is_cif,
    "mx-curp": mexico.is_curp,
    "se-personnummer": sweden.is_personnummer,
    "se-samordningsnummer": sweden.is_samordningsnummer,
    "se-reservnummer": sweden.is_reservnummer,
    "fi-personal-code": finland.is_personal_code,
    "jp-my-number": japan.is_my_number,
    "jp-corporate-number": japan.is_corporate_number,
    "jp-hokenja": japan.is_insurer_number,
    "jp-era-date": dates.is_japanese_era_date,
    "date-dmy": dates.is_date_dmy,
    "date-mdy": dates.is_date_mdy,
    "date-ymd": dates.is_date_ymd,
    "date-any": dates.is_date_any,
    "date-yymmdd": dates.is_date_yymmdd,
    "day-month": dates.is_day_month,
    "month-day": dates.is_month_day,
    "day-month-any": dates.is_day_month_any,
    "month-year": dates.is_month_year,
    "year-month": dates.is_year_month,
    "year": dates.is_year,
    "ipv4": network.is_ipv4,
    "ipv6": network.is_ipv6,
    "mac": network.is_mac,
}.items():
    CHECKS.add(_name, _check)
