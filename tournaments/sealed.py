"""A report carried through the preview page: the very bytes, readable and changeable by nobody else.

Nothing is stored between the preview and its confirmation, so the page itself brings the file back.
"""

from __future__ import annotations

import base64

from django.core import signing

from tournaments.models import Tournament

SALT = "tournaments.report"
MAX_AGE = 24 * 60 * 60


class Broken(Exception):
    """The sealed report is too old, was changed, or is another user's or tournament's."""


def seal(user, tournament: Tournament, filename: str, content: bytes) -> str:
    held = [user.pk, tournament.pk, filename, base64.b64encode(content).decode()]
    return signing.dumps(held, salt=SALT, compress=True)


def unseal(user, tournament: Tournament, token: str) -> tuple[str, bytes]:
    """File name and bytes; raises Broken."""
    try:
        owner, event, filename, content = signing.loads(token, salt=SALT, max_age=MAX_AGE)
    except signing.BadSignature as error:  # also SignatureExpired
        raise Broken from error
    if (owner, event) != (user.pk, tournament.pk):
        raise Broken
    return filename, base64.b64decode(content)
