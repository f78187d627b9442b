"""Reports sent with a key: stored once, by the service of the arbiters' form, and answered the same again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from players import audit, crashpoints
from ratinglists.api_keys import REPORTS
from ratinglists.models import ApiKey, ApiSubmission
from ratinglists.profiles import HIDDEN
from tournaments.access import for_user, why_not_report
from tournaments.models import Report, Tournament
from tournaments.services import NotAllowedNow, ReportRefused, submit_report

STORED, NOT_NOW, REFUSED = 201, 409, 422


class OtherBody(Exception):
    """The idempotency key stands for another request."""


class NoTournament(Exception):
    """There is no such tournament, as far as the key may know."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A report as a program sends it. ``people``: whom it chose for start numbers, by player, or "new"."""

    filename: str
    content: bytes
    people: dict[int, int | str]
    correcting: bool = False

    def sha256(self, tournament: int) -> str:
        people = {str(number): player for number, player in self.people.items()}
        told = json.dumps([tournament, self.filename, people, self.correcting], sort_keys=True)
        return hashlib.sha256(told.encode() + b"\n" + self.content).hexdigest()


def tournament_for(key: ApiKey, pk: int) -> Tournament:
    """The tournament, if the key may send reports for it: its scope, its federation, and what its account may
    do now. Raises NoTournament, and PermissionDenied with the reason."""
    row = Tournament.objects.filter(pk=pk).first()
    if row is None or (row.state in HIDDEN and row.federation_id != key.federation_id):
        raise NoTournament
    if REPORTS not in key.scopes:
        raise PermissionDenied("The key is not for sending reports.")
    if row.federation_id != key.federation_id:
        raise PermissionDenied(f"The key is of {key.federation_id}, the tournament of {row.federation_id}.")
    if not for_user(key.user).filter(pk=pk).exists():
        raise PermissionDenied("The account that the key acts for may not report this tournament.")
    if why := why_not_report(key.user, row):
        raise PermissionDenied(why)
    return row


@transaction.atomic
def submit(key: ApiKey, pk: int, idempotency_key: str, sent: Sent) -> tuple[ApiSubmission, bool]:
    """Send a report once: the answer, and whether it was given before.

    All in one transaction: a report without its answer, or an answer without its report, is never stored.
    Of two equal requests at once the second waits for the first and gets its answer. What the service
    refuses is an answer, too; a new attempt needs a new idempotency key. Raises OtherBody, NoTournament and
    PermissionDenied.
    """
    digest = sent.sha256(pk)
    known = ApiSubmission.objects.filter(key=key, idempotency_key=idempotency_key)
    if (earlier := known.first()) is not None:
        return _again(earlier, digest), True
    tournament = tournament_for(key, pk)
    given = {
        "key": key,
        "idempotency_key": idempotency_key,
        "tournament": tournament,
        "request_sha256": digest,
    }
    try:
        with transaction.atomic():
            row = ApiSubmission.objects.create(**given)
    except IntegrityError:
        return _again(known.get(), digest), True
    try:
        row.report = submit_report(
            tournament, key.user, sent.filename, sent.content, people=sent.people, correcting=sent.correcting
        )
    except ReportRefused as refusal:
        row.status = REFUSED
        told = {"findings": [issue.as_json() for issue in refusal.reading.issues]}
    except NotAllowedNow as refusal:
        row.status, told = NOT_NOW, {"detail": str(refusal)}
    else:
        row.status, told = STORED, _stored(row.report)
        text = f"{row.report.filename} came by {key}"
        audit.record("report.sent-by-key", key.user, row.report, text, key=key.pk, sha256=row.report.sha256)
    row.answer = json.dumps(told)
    row.save(update_fields=["report", "status", "answer"])
    crashpoints.here("upload: the answer to a program is written")
    return row, False


def _again(earlier: ApiSubmission, digest: str) -> ApiSubmission:
    if earlier.request_sha256 != digest:
        raise OtherBody
    return earlier


def _stored(report: Report) -> dict:
    return {
        "id": report.pk,
        "tournament": report.tournament_id,
        "state": report.state,
        "format": report.format,
        "filename": report.filename,
        "sha256": report.sha256,
        "received_on": report.received_on.isoformat(),
        "findings": report.findings,
    }
