"""Reports as values that JSON has, and back: by the types of their fields."""

from __future__ import annotations

import types
from dataclasses import fields, is_dataclass
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from tournaments.reports.model import ParsedReport


def as_plain(value: Any) -> Any:
    """Values that ``json`` writes as they are: dataclasses and tuples as lists, a fraction as "1/2"."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if is_dataclass(value):
        return [as_plain(getattr(value, each.name)) for each in fields(value)]
    if isinstance(value, tuple | list):
        return [as_plain(each) for each in value]
    if isinstance(value, dict):
        return [[as_plain(key), as_plain(each)] for key, each in value.items()]
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is no part of a report")


def report_of(value: Any) -> ParsedReport:
    """The report of which ``as_plain`` made this. Raises ValueError, TypeError for anything else."""
    return _made(ParsedReport, value)


def _made(kind: Any, value: Any) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        kind = next(each for each in arguments if each is not types.NoneType)
        return None if value is None else _made(kind, value)
    if origin is Literal:
        return _one_of(value, arguments)
    if origin is tuple:
        if arguments[-1] is Ellipsis:
            return tuple([_made(arguments[0], each) for each in value])
        return tuple([_made(each, part) for each, part in zip(arguments, value, strict=True)])
    if origin is dict:
        return {_made(arguments[0], key): _made(arguments[1], each) for key, each in value}
    if hints := _hints(kind):
        return kind(*[_made(each, part) for each, part in zip(hints, value, strict=True)])
    if kind is Fraction:
        return Fraction(value)
    if kind is date:
        return date.fromisoformat(value)
    if type(value) is not kind:
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


def _one_of(value: Any, choices: tuple) -> Any:
    if value not in choices:
        raise ValueError(f"{value!r} is none of {choices}")
    return value


@lru_cache(maxsize=64)
def _hints(kind: Any) -> tuple | None:
    """The types of the fields of a dataclass or a named tuple, in their order."""
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        return tuple(get_type_hints(kind).values())
    return None
