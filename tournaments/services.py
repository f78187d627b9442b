"""Changes to tournaments and reports: each function one transaction, each refusal an exception."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from regulations.model import CheckResult, Finding
from tournaments.intake import Reading, games_of, read
from tournaments.models import Entry, Game, Report, Tournament, Waiver
from tournaments.queries import check_registration


class NotAllowedNow(Exception):
    """The tournament or report is in a state in which this cannot be done; the text says why."""


class RegistrationRefused(Exception):
    """The regulation does not let the tournament be rated; ``result`` holds the findings."""

    def __init__(self, result: CheckResult) -> None:
        self.result = result
        super().__init__("; ".join(f"{f.article} {f.message}".strip() for f in result.findings))


class ReportRefused(Exception):
    """The report has errors; ``reading`` holds all of them. Nothing was stored."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        super().__init__(f"{len(reading.errors)} errors")


def _require(user, permission: str) -> None:
    if not user.has_perm(permission):
        raise PermissionDenied(f"{user} lacks the right “{permission}”.")


def _locked(tournament: Tournament, *states: str) -> Tournament:
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if row.state not in states:
        wanted = " or ".join(Tournament.State(state).label for state in states)
        raise NotAllowedNow(f"{row.name} is {row.get_state_display()}; this needs it to be {wanted}.")
    return row


@transaction.atomic
def register(tournament: Tournament, by) -> CheckResult:
    """Register a draft (or a refused one, on appeal) that its regulation lets be rated.

    Raises RegistrationRefused with the findings, NotAllowedNow, or PermissionDenied.
    """
    _require(by, "tournaments.register_tournament")
    row = _locked(tournament, Tournament.State.DRAFT, Tournament.State.REFUSED)
    result = check_registration(row)
    if not result.ratable:
        raise RegistrationRefused(result)
    row.state, row.refusal = Tournament.State.REGISTERED, ""
    row.save(update_fields=["state", "refusal"])
    return result


@transaction.atomic
def refuse(tournament: Tournament, by, reason: str) -> None:
    """Refuse a registration, saying why."""
    _require(by, "tournaments.register_tournament")
    if not reason.strip():
        raise NotAllowedNow("A refusal needs a reason.")
    row = _locked(tournament, Tournament.State.DRAFT)
    row.state, row.refusal = Tournament.State.REFUSED, reason.strip()
    row.save(update_fields=["state", "refusal"])


@transaction.atomic
def reopen(tournament: Tournament, by) -> None:
    """Take a registration without a report back to draft, so that it can be changed."""
    _require(by, "tournaments.register_tournament")
    row = _locked(tournament, Tournament.State.REGISTERED, Tournament.State.REFUSED)
    row.state, row.refusal = Tournament.State.DRAFT, ""
    row.save(update_fields=["state", "refusal"])


def waivable_findings(tournament: Tournament) -> list[Finding]:
    """The findings that a waiver could lift now."""
    return [finding for finding in check_registration(tournament).findings if finding.waivable]


@transaction.atomic
def grant_waiver(tournament: Tournament, by, authorization: str, reason: str) -> Waiver:
    """Record a waiver that the regulation allows for a finding of this tournament."""
    _require(by, "tournaments.grant_waiver")
    if not reason.strip():
        raise NotAllowedNow("A waiver needs a reason.")
    row = _locked(tournament, Tournament.State.DRAFT, Tournament.State.REFUSED, Tournament.State.REGISTERED)
    articles = [f.article for f in waivable_findings(row) if f.authorization == authorization]
    if authorization == "decided-match-games" and row.system == "match" and row.regulation:
        # Nothing to find before the match is played: the organiser asks beforehand (C 5.2, A 6.5).
        articles += [row.regulation.parameters["decided_match_waiver"].article]
    if not articles:
        raise NotAllowedNow(
            f"No finding of {row.name} can be waived by “{authorization}” under {row.regulation.code}."
        )
    if row.waivers.filter(authorization=authorization).exists():
        raise NotAllowedNow(f"“{authorization}” is already granted.")
    return Waiver.objects.create(
        tournament=row, authorization=authorization, article=articles[0], reason=reason.strip(), granted_by=by
    )


@transaction.atomic
def submit_report(tournament: Tournament, by, filename: str, content: bytes) -> Report:
    """Store a report without errors: the original bytes, the entries and the games.

    Replaces a report that is submitted but not accepted yet. Raises ReportRefused with all issues;
    then nothing is stored. The caller checks that the user may report this tournament
    (``queries.for_user``).
    """
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    reading = read(row, filename, content)
    if not reading.ok:
        raise ReportRefused(reading)
    row.games.all().delete()
    row.reports.filter(state=Report.State.SUBMITTED).update(state=Report.State.REPLACED)
    report, _ = Report.objects.update_or_create(
        tournament=row,
        sha256=reading.sha256,
        defaults={
            "format": reading.parsed.format,
            "filename": filename[:150],
            "content": content,
            "findings": [issue.as_json() for issue in reading.issues],
            "state": Report.State.SUBMITTED,
            "submitted_by": by,
            "submitted_at": timezone.now(),
            "decided_by": None,
            "decided_at": None,
            "remark": "",
        },
    )
    entries = _store_entries(row, reading)
    by_player = {str(entry.player_id): entry for entry in entries}
    Game.objects.bulk_create(
        Game(
            tournament=row,
            report=report,
            round=game.round,
            white=by_player[game.white],
            black=by_player[game.black] if game.black else None,
            result=game.result,
        )
        for game in games_of(reading)
    )
    row.state = Tournament.State.REPORTED
    row.save(update_fields=["state"])
    return report


def _store_entries(tournament: Tournament, reading: Reading) -> list[Entry]:
    rows = {row.start_number: row for row in reading.parsed.players}
    players = {player.pk: rows[number] for number, player in reading.players.items()}
    tournament.entries.exclude(player_id__in=players).delete()
    tournament.entries.update(start_number=None)
    for player_id, row in players.items():
        Entry.objects.update_or_create(
            tournament=tournament,
            player_id=player_id,
            defaults={
                "start_number": row.start_number,
                "reported_name": row.name[:120],
                "reported_rating": row.rating or None,
                "points": row.points,
                "rank": row.rank or None,
            },
        )
    return list(tournament.entries.all())


@transaction.atomic
def accept_report(report: Report, by) -> None:
    """Accept a submitted report: the event counts in the next list that its dates allow."""
    _require(by, "tournaments.accept_report")
    row = _locked(report.tournament, Tournament.State.REPORTED)
    _decide(report, by, Report.State.ACCEPTED, "")
    row.state = Tournament.State.ACCEPTED
    row.save(update_fields=["state"])


@transaction.atomic
def return_report(report: Report, by, remark: str) -> None:
    """Send a report back to its arbiter for correction, saying why."""
    _require(by, "tournaments.accept_report")
    if not remark.strip():
        raise NotAllowedNow("Say what is to be corrected.")
    row = _locked(report.tournament, Tournament.State.REPORTED, Tournament.State.ACCEPTED)
    _decide(report, by, Report.State.RETURNED, remark.strip())
    row.state = Tournament.State.RETURNED
    row.save(update_fields=["state"])


def _decide(report: Report, by, state: str, remark: str) -> None:
    standing = (Report.State.SUBMITTED, Report.State.ACCEPTED)
    changed = Report.objects.filter(pk=report.pk, state__in=standing).update(
        state=state, remark=remark, decided_by=by, decided_at=timezone.now()
    )
    if not changed:
        raise NotAllowedNow("This report is no longer the standing one.")


def mark_counted(tournament_ids: list[int]) -> None:
    """Close events that a list being published counts. Called inside its transaction.

    Raises NotAllowedNow if one of them is not accepted any more.
    """
    changed = Tournament.objects.filter(pk__in=tournament_ids, state=Tournament.State.ACCEPTED).update(
        state=Tournament.State.COUNTED
    )
    if changed != len(tournament_ids):
        raise NotAllowedNow(
            f"{len(tournament_ids) - changed} of the counted tournaments changed since the list was computed."
        )
