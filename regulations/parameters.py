"""Parameters as data: each figure of a text is a field that carries its article and its meaning."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, ClassVar

from regulations.base import Parameter


def param(value: Any, article: str, meaning: str, choices: Collection[Any] | None = None) -> Any:
    """A dataclass field with its default, its article and what it means."""
    return field(default=value, metadata={"article": article, "meaning": meaning, "choices": choices})


@dataclass(frozen=True)
class Parameters:
    """Base of every regulation: its fields are the parameters; ``dataclasses.replace`` changes one.

    A value of another type than the default's, or outside the choices, is a ValueError.
    """

    #: a list prints multiples of this many points
    list_step: ClassVar[int] = 1

    def __post_init__(self) -> None:
        for each in fields(self):
            value, choices = getattr(self, each.name), each.metadata["choices"]
            if choices is not None and value not in choices:
                raise ValueError(f"{each.name} must be one of {', '.join(map(str, choices))}; not {value!r}")
            if choices is None and not _same_kind(value, each.default):
                raise ValueError(f"{each.name} must be like {each.default!r}; not {value!r}")

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
