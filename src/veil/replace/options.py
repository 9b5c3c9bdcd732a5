"""Options of actions, checked when a policy is read; an unknown one is an error."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, TypeVar

from veil.core.errors import InputError, VeilError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

R = TypeVar("R")

_KINDS = {bool: "true or false", int: "a whole number", str: "a text in quotes"}


def from_options(action: str, maker: Callable[..., R]) -> Callable[[Mapping[str, Any]], R]:
    """Return what makes a replacer from options: the keyword parameters of `maker`.

    An option has the type of its default; one without a default is a text and must be given.
    """
    parameters = signature(maker).parameters

    def make(options: Mapping[str, Any]) -> R:
        known = ", ".join(sorted(parameters)) or "none"
        for name, value in options.items():
            if name not in parameters:
                raise InputError(f"action '{action}': unknown option '{name}'; known: {known}")
            _check(action, name, value, parameters[name])
        for name, parameter in parameters.items():
            if parameter.default is Parameter.empty and name not in options:
                raise InputError(f"action '{action}': the option '{name}' is missing")
        try:
            return maker(**options)
        except VeilError as error:
            raise InputError(f"action '{action}': {error}") from None

    return make


def _check(action: str, name: str, value: object, parameter: Parameter) -> None:
    wanted = str if parameter.default is Parameter.empty else type(parameter.default)
    # True is an int, too: types are compared, not asked.
    if type(value) is not wanted:
        kind = _KINDS.get(wanted, wanted.__name__)
        raise InputError(f"action '{action}': the option '{name}' is {kind}")
    # A default that is empty or 0 stands for an option that is not given.
    if wanted is not bool and not value and value == parameter.default:
        raise InputError(f"action '{action}': the option '{name}' is empty or 0; leave it out")
