"""The calculator for a request: small ones at once, others in a process of its own that is ended in time."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

from ratinglists.api.problems import Fault
from regulations import answers, cli, jsonio, reading, registry
from regulations.compare import compare
from regulations.reading import BadInput

MOST_BYTES = 1 << 20
#: what so few bytes can ask for is done within a tenth of a second
AT_ONCE = 1 << 14
SECONDS = 5
COMMANDS = ("check", "rate", "list", "compare")
#: processes of one web process at a time; more would only wait for the same processors
_PLACES = BoundedSemaphore(2)
_ROOT = Path(cli.__file__).resolve().parent.parent
_BAD_INPUT = 2


def run(command: str, data: bytes, settings: Sequence[str] = ()) -> Any:
    """What ``python -m regulations`` says to this input; raises Fault 422 with its errors and their paths,
    503 when too many ask at once. Without a command the keys of the input tell it."""
    try:
        if len(data) > AT_ONCE:
            return _apart(command or _told(reading.load(data)), data, settings)
        value = reading.load(data)
        return _at_once(command or _told(value), value, settings)
    except BadInput as bad:
        raise _refusal([(each.path, each.message) for each in bad.problems]) from None


def catalog() -> Any:
    return answers.write_catalog(registry.all_regulations())


def _told(value: Any) -> str:
    keys = value.keys() if isinstance(value, dict) else set()
    if {"previous", "list_date"} & keys:
        return "list"
    if "regulations" in keys:
        return "compare"
    return "check" if "time_control" in keys else "rate"


def _at_once(command: str, value: Any, settings: Sequence[str]) -> Any:
    if command != "compare":
        return cli.answer(command, value, settings)
    if settings:
        raise BadInput([reading.Problem("--parameter", "compare takes each regulation with its own figures")])
    return answers.write_comparison(compare(*jsonio.read_compare(value, [])))


def _apart(command: str, data: bytes, settings: Sequence[str]) -> Any:
    call = [sys.executable, "-m", "regulations", command, "-", *(f"--parameter={each}" for each in settings)]
    if not _PLACES.acquire(blocking=False):
        raise Fault(503, "Too many large computations are running.", headers={"Retry-After": str(SECONDS)})
    try:
        done = subprocess.run(call, input=data, capture_output=True, cwd=_ROOT, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        detail = f"The computation was ended after {SECONDS} seconds."
        raise Fault(422, detail, "Send fewer events at once, or take the calculator itself.") from None
    finally:
        _PLACES.release()
    if done.returncode not in (0, _BAD_INPUT):
        raise RuntimeError(f"The calculator ended with {done.returncode}: {done.stderr[-500:]!r}")
    said = json.loads(done.stdout)
    if done.returncode == _BAD_INPUT:
        raise _refusal([(each["path"], each["message"]) for each in said["errors"]])
    return said


def _refusal(errors: list[tuple[str, str]]) -> Fault:
    count = f"{len(errors)} error{'' if len(errors) == 1 else 's'}"
    return Fault(422, f"The input cannot be used: {count}.", errors=errors)
