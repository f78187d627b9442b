"""What a correction and a complaint say, as one SHA-256 each: so that ``verify`` sees a changed row."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, date, datetime

from ratinglists.models import Complaint, Correction

#: what may change after the day: the delivery of mails, and the sender, who is forgotten
#: (docs/operators/settings.md)
PASSING = ("name", "email", "mailbox", "client", "user_id", "token", "mail", "mail_attempts", "mail_at")
#: what staff add to a complaint
ANSWER = ("state", "answer", "answered_by_id", "answered_at", "correction_id")


def moment(at: datetime) -> str:
    """A time as manifests write it: UTC, to the microsecond."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def correction_sha256(correction: Correction) -> str:
    """Of a correction with its items, before it is published: without its state and the day of its end."""
    own = _row(correction, "state", "closed_at")
    items = correction.items.order_by("pk").select_related("report")
    return sha256_of([own, [[_row(item), item.report and item.report.sha256] for item in items]])


def complaint_sha256(case: Complaint) -> str:
    """Of what was complained about, and why: nothing of who did, and nothing that staff add."""
    return sha256_of(_row(case, *PASSING, *ANSWER))


def answer_sha256(case: Complaint) -> str:
    """Of a complaint with its answer."""
    return sha256_of([complaint_sha256(case), case.state, case.answer, case.answered_by_id, case.answered_at])


def _row(row, *without: str) -> dict:
    names = (field.attname for field in row._meta.concrete_fields)
    return {name: getattr(row, name) for name in names if name not in without}


def sha256_of(value: object) -> str:
    """Of a value as JSON with sorted keys, compact, UTF-8."""
    text = json.dumps(value, default=_plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: object) -> str:
    return moment(value) if isinstance(value, datetime) else _day(value)


def _day(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{value!r} has no place in a record")
