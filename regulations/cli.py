"""``python -m regulations``: the rating calculator without database and web server."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from regulations import answers, jsonio, jsonlist, lists, reading, registry
from regulations.adjusting import adjusted
from regulations.base import Regulation
from regulations.calendar import not_in_force
from regulations.compare import compare
from regulations.reading import BadInput, Problem

COMMANDS = ("catalog", "check", "rate", "list", "compare")


class _Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadInput([Problem("command line", message)])

    def print_help(self, file: Any = None) -> None:
        _write(self.format_help().encode())


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 0 with its answer on standard output, 2 with the errors there. 1 and a line on
    standard error if standard output cannot be written."""
    try:
        try:
            said, status = run(arguments), 0
        except BadInput as bad:
            said, status = {"errors": [dataclasses.asdict(each) for each in bad.problems]}, 2
        if isinstance(said, bytes):
            _write(said)
        else:
            text = json.dumps(said, ensure_ascii=False, indent=1)
            _write(text.encode("utf-8", "backslashreplace") + b"\n")
    except _Unwritable as fault:
        if sys.stderr is not None:
            print(f"regulations: cannot write the answer: {fault}", file=sys.stderr)
        return 1
    return status


class _Unwritable(Exception):
    """Standard output takes nothing (more)."""


def _write(data: bytes) -> None:
    """All of it on standard output."""
    if sys.stdout is None:
        raise _Unwritable("standard output is closed")
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except OSError as error:
        _give_up_output()
        raise _Unwritable(error.strerror or error) from None


def _give_up_output() -> None:
    """What is still in the buffer goes nowhere, or Python would try it once more at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


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
    parser.add_argument(
        "--canonical", action="store_true", help="list: the canonical list, of which sha256 is the SHA-256"
    )
    given = parser.parse_args(arguments)
    if given.canonical and given.command != "list":
        raise BadInput([Problem("--canonical", "only a list has a canonical form")])
    if given.command == "catalog":
        return answers.write_catalog(registry.all_regulations())
    if given.command == "compare":
        if given.parameter:
            raise BadInput([Problem("--parameter", "compare takes each regulation with its own figures")])
        regulations, event = jsonio.read_compare(reading.load(_bytes(given.file)), given.regulations)
        return answers.write_comparison(compare(regulations, event))
    if given.regulations:
        raise BadInput([Problem("command line", f"{given.command} takes one file and no regulations")])
    return answer(given.command, reading.load(_bytes(given.file)), given.parameter, canonical=given.canonical)


def answer(command: str, value: Any, settings: Sequence[str] = (), *, canonical: bool = False) -> Any:
    """What ``check``, ``rate`` or ``list`` says to a JSON value; BadInput if it cannot be used.
    ``canonical``: the bytes of the canonical list instead."""
    named = registry.find(value.get("regulation")) if isinstance(value, dict) else None
    regulation, problems = adjusted(named, settings) if named else (None, [])
    try:
        given = _READERS[command](value, regulation)
    except BadInput as bad:
        raise BadInput([*bad.problems, *problems]) from None
    if problems:
        raise BadInput(problems)
    if command == "check":
        found = regulation.check(given)
        findings = (*found.findings, *not_in_force(regulation, given.start))
        return answers.write_check(dataclasses.replace(found, findings=findings))
    if command == "rate":
        return answers.write_rate(regulation.rate(given))
    result = regulation.next_list(given)
    if canonical:
        return lists.canonical(regulation, given, result)
    return answers.write_list(regulation, given, result)


_READERS: dict[str, Callable[[Any, Regulation | None], Any]] = {
    "check": lambda value, _: jsonio.read_check(value)[1],
    "rate": lambda value, _: jsonio.read_rate(value)[1],
    "list": lambda value, regulation: jsonlist.read_list(value, regulation)[1],
}


def _bytes(name: str) -> bytes:
    if name == "-" and sys.stdin is None:
        raise BadInput([Problem("", "cannot read standard input: it is closed; name a file")])
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL
        shown = "standard input" if name == "-" else name
        reason = getattr(error, "strerror", None) or error
        raise BadInput([Problem("", f"cannot read {shown}: {reason}")]) from None
