"""Another reading of a text: its parameters as the command line sets them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from regulations import exact, reading
from regulations.base import Regulation
from regulations.parameters import BadParameters
from regulations.reading import BadInput, Problem


def adjusted(regulation: Regulation, settings: Sequence[str]) -> tuple[Regulation, list[Problem]]:
    """The regulation with settings such as ``floor=1400``, or as it was and all that is wrong with them."""
    problems, changes = [], {}
    for setting in settings:
        name, _, written = setting.partition("=")
        if name not in regulation.parameters:
            known = ", ".join(regulation.parameters)
            problems.append(_problem(name, f"{regulation.code} has {known}"))
        elif name in changes:
            problems.append(_problem(name, "is given twice: keep one"))
        else:
            try:
                changes[name] = _value(written, regulation.parameters[name].value)
            except ValueError as error:
                problems.append(_problem(name, str(error)))
    try:
        changed = dataclasses.replace(regulation, **changes) if changes else regulation
    except BadParameters as bad:
        problems += [_problem(name, message) for name, message in bad.faults.items()]
    except (TypeError, ValueError) as error:  # a regulation that another package brings
        problems.append(Problem("--parameter", str(error)))
    return (regulation, problems) if problems else (changed, [])


def _problem(name: str, message: str) -> Problem:
    return Problem(f"--parameter {name}", message)


def _value(written: str, default: Any) -> Any:
    """As JSON, else as text; a number in a text where the parameter is a fraction."""
    try:
        value = _plain(reading.load(written.encode("utf-8", "surrogateescape")))
    except BadInput:
        value = written
    return exact.parse(value) if isinstance(default, Fraction) and isinstance(value, str) else value


def _plain(read: Any) -> Any:
    if isinstance(read, list):
        return tuple(_plain(each) for each in read)
    return Fraction(read) if isinstance(read, Decimal) else read
