"""Strict reading of JSON: typed readers that collect every error with its path."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from regulations import exact
from regulations.characters import forbidden

#: What a reader answers for a value that it refused; its error is in the list by then.
BAD: Any = object()
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_YEARS = (1900, 2199)


@dataclass(frozen=True, slots=True)
class Problem:
    """One error of the input: where, and what is wrong with it or how to write it."""

    path: str
    message: str


class BadInput(ValueError):
    """The input cannot be used; ``problems`` has every error, in the order of the input."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(f"{each.path}: {each.message}" for each in problems))
        self.problems = problems


_TYPE_NAMES = {dict: "an object", list: "a list", str: "a string", bool: "true or false", int: "an integer"}
Reader = Callable[[Any, str, list[Problem]], Any]


class _NotANumber:
    """NaN and Infinity, which every reader refuses at its place."""

    def __init__(self, name: str) -> None:
        self.name = name


class _Repeating(dict[str, Any]):
    """An object in which a key stands more than once, which every reader of objects refuses at its place."""

    def __init__(self, items: list[tuple[str, Any]]) -> None:
        super().__init__(items)
        times = Counter(name for name, _ in items)
        self.repeated = [name for name, number in times.items() if number > 1]


def _object(items: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(items)
    return found if len(found) == len(items) else _Repeating(items)


def load(data: bytes) -> Any:
    """The JSON value in these bytes; BadInput for anything that is not strict JSON in UTF-8. What JSON
    allows and no input may have (NaN, a key twice in one object) is left to the readers, so that its
    error comes with the others."""
    try:
        text = data.decode("utf-8-sig")
        return json.loads(text, parse_float=Decimal, parse_constant=_NotANumber, object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        message = f"not UTF-8: byte {error.start + 1} cannot be read"
    except RecursionError:
        message = "nested too deeply"
    except ValueError as error:
        message = f"not JSON: {error}"
    raise BadInput([Problem("", message)])


def refuse(path: str, message: str, errors: list[Problem]) -> Any:
    """Note an error and answer BAD."""
    errors.append(Problem(path, message))
    return BAD


def _typed(kind: type, value: Any, path: str, errors: list[Problem]) -> Any:
    if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
        return value
    return refuse(path, f"must be {_TYPE_NAMES[kind]}", errors)


def text(*, empty: bool = True, longest: int = 200) -> Reader:
    """A string without control characters or lone surrogates."""

    def read(value: Any, path: str, errors: list[Problem]) -> Any:
        found = _typed(str, value, path, errors)
        if found is BAD:
            return BAD
        if not found and not empty:
            return refuse(path, "must not be empty", errors)
        if len(found) > longest:
            return refuse(path, f"must not be longer than {longest} characters", errors)
        if any(char in "\t\r\n" for char in found) or forbidden(found):
            return refuse(path, "must not hold control characters or half characters", errors)
        return found

    return read


def one_of(choices: Collection[str]) -> Reader:
    """One of these strings."""

    def read(value: Any, path: str, errors: list[Problem]) -> Any:
        if isinstance(value, str) and value in choices:
            return value
        return refuse(path, f"must be one of {', '.join(choices)}", errors)

    return read


def integer(least: int, most: int) -> Reader:
    """An integer within bounds, both included."""

    def read(value: Any, path: str, errors: list[Problem]) -> Any:
        found = _typed(int, value, path, errors)
        if found is not BAD and not least <= found <= most:
            return refuse(path, f"must be from {least} to {most}", errors)
        return found

    return read


def boolean(value: Any, path: str, errors: list[Problem]) -> Any:
    """True or false."""
    return _typed(bool, value, path, errors)


def _is_number(value: Any) -> bool:
    if isinstance(value, Decimal):
        return abs(value.adjusted()) <= 30
    return isinstance(value, int) and not isinstance(value, bool)


def number(least: int, most: int) -> Reader:
    """An exact number: an integer or a string such as "2.5"; a JSON decimal is read exactly too."""

    def read(value: Any, path: str, errors: list[Problem]) -> Any:
        if isinstance(value, str):
            try:
                found = exact.parse(value)
            except ValueError as error:
                return refuse(path, str(error), errors)
        elif _is_number(value):
            found = Fraction(value)
        else:
            return refuse(path, 'must be an exact number in a string, such as "2.5"', errors)
        if not least <= found <= most:
            return refuse(path, f"must be from {least} to {most}", errors)
        return found

    return read


def day(value: Any, path: str, errors: list[Problem]) -> Any:
    """A date YYYY-MM-DD."""
    if isinstance(value, str) and _DATE.fullmatch(value):
        try:
            found = date.fromisoformat(value)
        except ValueError:
            return refuse(path, "is not a day of the calendar", errors)
        if _YEARS[0] <= found.year <= _YEARS[1]:
            return found
        return refuse(path, f"must lie in the years {_YEARS[0]} to {_YEARS[1]}", errors)
    return refuse(path, "must be a date YYYY-MM-DD", errors)


def optional(reader: Reader) -> Reader:
    """This, or null."""
    return lambda value, path, errors: None if value is None else reader(value, path, errors)


def listed(reader: Reader, *, least: int = 0, most: int = 1_000_000) -> Reader:
    """A list of such values, as a tuple."""

    def read(value: Any, path: str, errors: list[Problem]) -> Any:
        found = _typed(list, value, path, errors)
        if found is BAD:
            return BAD
        if not least <= len(found) <= most:
            return refuse(path, f"must have from {least} to {most} entries", errors)
        values = [reader(each, f"{path}[{number}]", errors) for number, each in enumerate(found)]
        return BAD if any(each is BAD for each in values) else tuple(values)

    return read


def _shown(name: str) -> str:
    return name.encode("ascii", "backslashreplace").decode()[:60]


def _repeats(found: dict[str, Any], prefix: str, errors: list[Problem]) -> bool:
    """Note each key that stands more than once in an object."""
    repeated = found.repeated if isinstance(found, _Repeating) else []
    for name in repeated:
        refuse(f"{prefix}{_shown(name)}", "is there twice in one object: keep one", errors)
    return bool(repeated)


def mapping(reader: Reader) -> Reader:
    """An object with free keys."""

    def read(value: Any, path: str, errors: list[Problem]) -> Any:
        found = _typed(dict, value, path, errors)
        if found is BAD:
            return BAD
        repeats = _repeats(found, f"{path}.", errors)
        values = {name: reader(each, f"{path}.{_shown(name)}", errors) for name, each in found.items()}
        return BAD if repeats or any(each is BAD for each in values.values()) else values

    return read


def record(required: dict[str, Reader], allowed: dict[str, Reader], make: Callable[..., Any]) -> Reader:
    """An object with these keys and no others, made into a value by ``make``."""

    def read(value: Any, path: str, errors: list[Problem]) -> Any:
        found = _typed(dict, value, path, errors)
        if found is BAD:
            return BAD
        values, prefix = {}, f"{path}." if path else ""
        readers = {**required, **allowed}
        repeats = _repeats(found, prefix, errors)
        for name, each in found.items():
            if name in readers:
                values[name] = readers[name](each, f"{prefix}{name}", errors)
            else:
                close = ", ".join(readers)
                values[name] = refuse(f"{prefix}{_shown(name)}", f"unknown key; known are {close}", errors)
        for name in required:
            if name not in found:
                values[name] = refuse(f"{prefix}{name}", "is missing", errors)
        return BAD if repeats or any(each is BAD for each in values.values()) else make(**values)

    return read
