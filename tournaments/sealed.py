"""A report carried through the preview page: the very bytes, readable and changeable by nobody else.

Nothing is stored between the preview and its confirmation, so the page itself brings the file back.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from django.core import signing

from tournaments.issues import NEW
from tournaments.models import Tournament

SALT = "tournaments.report"
MAX_AGE = 24 * 60 * 60


class Broken(Exception):
    """The sealed report is too old, was changed, or is another user's or tournament's."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """A report on its way: the file, whom the sender chose for which start number, and the day on
    which the federation had it, if staff say that it was not today."""

    filename: str
    content: bytes
    people: dict[int, int | str] = field(default_factory=dict)
    received: date | None = None
    #: does it correct a postal event that goes on in what lists have counted?
    correcting: bool = False


def seal(user, tournament: Tournament, held: Sealed) -> str:
    content = base64.b64encode(held.content).decode()
    people = {str(number): player for number, player in held.people.items()}
    received = held.received.isoformat() if held.received else ""
    row = [user.pk, tournament.pk, held.filename, content, people, received, held.correcting]
    return signing.dumps(row, salt=SALT, compress=True)


def unseal(user, tournament: Tournament, token: str) -> Sealed:
    """The report; raises Broken."""
    try:
        told = signing.loads(token, salt=SALT, max_age=MAX_AGE)
        owner, event, filename, content, people, received, correcting = told
    except (signing.BadSignature, ValueError) as error:  # also SignatureExpired; a token of an older portal
        raise Broken from error
    if (owner, event) != (user.pk, tournament.pk):
        raise Broken
    chosen = {int(number): player for number, player in people.items()}
    day = date.fromisoformat(received) if received else None
    return Sealed(filename, base64.b64decode(content), chosen, day, correcting)


def with_choices(held: Sealed, posted: Mapping[str, str]) -> Sealed:
    """The report with the persons that the page's form names: ``person-<start number>`` is a primary
    key, ``NEW``, or empty to take a choice back. Anything else is passed over."""
    people = dict(held.people)
    for name, value in posted.items():
        number = name.removeprefix("person-")
        if name.startswith("person-") and re.fullmatch("[0-9]{1,5}", number):
            people.pop(int(number), None)
            if value == NEW or re.fullmatch("[0-9]{1,18}", value):
                people[int(number)] = value if value == NEW else int(value)
    return replace(held, people=people)
