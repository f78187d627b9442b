"""``python -m regulations``: the rating calculator without database and web server."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

from regulations import answers, exact, jsonio, jsonlist, reading, registry
from regulations.base import Regulation
from regulations.compare import compare
from regulations.reading import BadInput, Problem

COMMANDS = ("catalog", "check", "rate", "list", "compare")


class _Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadInput([Problem("command line", message)])


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 0 with its answer on standard output, 2 with the errors there."""
    try:
        said, status = run(arguments), 0
    except BadInput as bad:
        said, status = {"errors": [dataclasses.asdict(each) for each in bad.problems]}, 2
    text = json.dumps(said, ensure_ascii=False, indent=1)
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
    sys.stdout.buffer.flush()
    return status


def run(arguments: list[str] | None) -> Any:
    """The answer of one command (None: of the process); BadInput if it cannot be given."""
    parser = _Arguments(prog="python -m regulations", description="Rating calculator; JSON in, JSON out.")
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("file", nargs="?", default="-", help="JSON file, or - for standard input")
    parser.add_argument("regulations", nargs="*", help="compare: the regulations to put side by side")
    parser.add_argument(
        "--parameter",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="another reading of the text: change one parameter that catalog shows",
    )
    given = parser.parse_args(arguments)
    if given.command == "catalog":
        return answers.write_catalog(registry.all_regulations())
    if given.command == "compare":
        if given.parameter:
            raise BadInput([Problem("--parameter", "compare takes each regulation with its own figures")])
        regulations, event = jsonio.read_compare(reading.load(_bytes(given.file)), given.regulations)
        return answers.write_comparison(compare(regulations, event))
    if given.regulations:
        raise BadInput([Problem("command line", f"{given.command} takes one file and no regulations")])
    return answer(given.command, reading.load(_bytes(given.file)), given.parameter)


def answer(command: str, value: Any, settings: Sequence[str] = ()) -> Any:
    """What ``check``, ``rate`` or ``list`` says to a JSON value; BadInput if it cannot be used."""
    if command == "check":
        regulation, registration = jsonio.read_check(value)
        return answers.write_check(_adjusted(regulation, settings).check(registration))
    if command == "rate":
        regulation, event = jsonio.read_rate(value)
        return answers.write_rate(_adjusted(regulation, settings).rate(event))
    regulation, given = jsonlist.read_list(value, lambda each: _adjusted(each, settings))
    return answers.write_list(regulation, given, regulation.next_list(given))


def _bytes(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise BadInput([Problem("", f"cannot read {name}: {error.strerror or error}")]) from None


def _adjusted(regulation: Regulation, settings: Sequence[str]) -> Regulation:
    """The regulation with the parameters of the command line."""
    problems, changes = [], {}
    for setting in settings:
        name, _, written = setting.partition("=")
        if name not in regulation.parameters:
            known = ", ".join(regulation.parameters)
            problems.append(Problem(f"--parameter {name}", f"{regulation.code} has {known}"))
            continue
        try:
            value = _value(reading.load(written.encode("utf-8", "surrogateescape")))
        except BadInput:
            value = written
        if isinstance(regulation.parameters[name].value, Fraction) and isinstance(value, str):
            try:
                value = exact.parse(value)
            except ValueError as error:
                problems.append(Problem(f"--parameter {name}", str(error)))
                continue
        changes[name] = value
    if not problems:
        try:
            return dataclasses.replace(regulation, **changes) if changes else regulation
        except (TypeError, ValueError) as error:
            problems.append(Problem("--parameter", str(error)))
    raise BadInput(problems)


def _value(read: Any) -> Any:
    if isinstance(read, list):
        return tuple(_value(each) for each in read)
    return Fraction(read) if isinstance(read, Decimal) else read
