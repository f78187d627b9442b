"""Parameters as data: each figure of a text is a field that carries its article and its meaning."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import Field, dataclass, field, fields
from fractions import Fraction
from typing import Any, ClassVar

from regulations import bounds
from regulations.base import Parameter


def param(value: Any, article: str, meaning: str, choices: Collection[Any] | None = None) -> Any:
    """A dataclass field with its default, its article and what it means."""
    return field(default=value, metadata={"article": article, "meaning": meaning, "choices": choices})


class BadParameters(ValueError):
    """Values that no text can be read with; ``faults`` has each parameter and what is wrong with it."""

    def __init__(self, faults: dict[str, str]) -> None:
        super().__init__("; ".join(f"{name} {message}" for name, message in faults.items()))
        self.faults = faults


@dataclass(frozen=True)
class Parameters:
    """Base of every regulation: its fields are the parameters; ``dataclasses.replace`` changes one.

    A value of another type than the default's, outside the choices or outside its bounds
    (``regulations.bounds``) is an error: BadParameters, with all of them.
    """

    #: a list prints multiples of this many points
    list_step: ClassVar[int] = 1
    #: whoever is inactive for too long to stand on the list stands on one of inactive players
    lists_all_inactive: ClassVar[bool] = False

    def __post_init__(self) -> None:
        faults = {each.name: _fault(each, getattr(self, each.name)) for each in fields(self)}
        faults = {name: message for name, message in faults.items() if message}
        if not faults:
            values = {each.name: getattr(self, each.name) for each in fields(self)}
            faults = dict(bounds.faults_between(values))
        if faults:
            raise BadParameters(faults)

    def printed_rating(self, rating: int) -> str:
        """A rating as the list of this text prints it."""
        return str(rating)

    @property
    def parameters(self) -> dict[str, Parameter]:
        """Every figure and choice of the text, by name."""
        return {
            each.name: Parameter(getattr(self, each.name), each.metadata["article"], each.metadata["meaning"])
            for each in fields(self)
        }


def _fault(parameter: Field[Any], value: Any) -> str | None:
    choices = parameter.metadata["choices"]
    if choices is not None:
        return None if value in choices else f"must be one of {', '.join(map(str, choices))}; not {value!r}"
    if not _same_kind(value, parameter.default):
        return f"must be like {parameter.default!r}; not {value!r}"
    return bounds.fault(parameter.name, value)


def _same_kind(value: Any, default: Any) -> bool:
    if isinstance(default, tuple):
        if not isinstance(value, tuple) or not value:
            return False
        rows = isinstance(default[0], tuple)
        if rows and not all(isinstance(each, tuple) and len(each) == len(default[0]) for each in value):
            return False
        if isinstance(default[0], int) and len(value) != len(default):  # a date
            return False
        return all(_same_kind(each, default[0]) for each in value)
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(default, bool) and isinstance(value, bool)
    if isinstance(default, Fraction):
        return isinstance(value, int | Fraction) and value >= 0
    if isinstance(default, str):
        return isinstance(value, str)
    return isinstance(value, int) and value >= 0
