"""A report read without storing anything: the file, the identities, the registration, the ratings.

``read`` is the dry run and the first half of a submission. It gathers every issue of every kind;
a report with an issue of severity "error" cannot be submitted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date

from django.utils import timezone

from players.models import Player
from players.names import compatible_names, same_name
from players.queries import by_number, candidates
from regulations.model import EventResult, Finding, Game
from tournaments import goingon
from tournaments.models import Report, Tournament
from tournaments.queries import EventPart, counted_games, event_parts
from tournaments.reports import trf16
from tournaments.reports.model import ParsedReport, ReportedPlayer


@dataclass(frozen=True, slots=True)
class Issue:
    """A fault or doubt: where it is, what is wrong, and what to do about it."""

    severity: str
    field: str
    message: str
    remedy: str
    line: int | None = None
    column: int | None = None
    article: str = ""
    code: str = ""

    def as_json(self) -> dict:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(slots=True)
class Reading:
    """A report as read: who plays, what is wrong, and what the regulation makes of it."""

    tournament: Tournament
    filename: str
    content: bytes
    parsed: ParsedReport
    received: date
    players: dict[int, Player] = field(default_factory=dict)
    issues: list[Issue] = field(default_factory=list)
    parts: list[tuple[EventPart, EventResult]] = field(default_factory=list)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def errors(self) -> list[Issue]:
        return [issue for issue in self.issues if issue.severity == "error"]

    @property
    def warnings(self) -> list[Issue]:
        return [issue for issue in self.issues if issue.severity != "error"]

    @property
    def ok(self) -> bool:
        return not self.errors


def read(tournament: Tournament, filename: str, content: bytes, received: date | None = None) -> Reading:
    """Read a TRF16 report of a tournament and try it against register, registration and rules.

    ``received`` is the day on which it reached the federation, where that is not today.
    """
    parsed = trf16.parse(content)
    reading = Reading(tournament, filename, content, parsed, received or timezone.localdate())
    scheduled = tournament.rounds.exists()
    reading.issues += [
        Issue(p.severity, p.field, p.message, p.remedy, p.line, p.column, code=p.code)
        for p in parsed.problems
        # The registration has the dates that such a file lacks.
        if not (scheduled and p.code == "header-missing" and p.field == "132")
    ]
    _check_state(reading)
    _identify(reading)
    _compare_with_registration(reading)
    regulation = tournament.regulation
    if regulation is None:
        reading.issues.append(
            Issue(
                "error",
                "start",
                f"No regulation is in effect for {tournament.rating_system} on {tournament.start}.",
                "Ask the federation to correct the rating system.",
                code="no-regulation",
            )
        )
    elif reading.ok:
        reading.issues += [
            Issue("error", "games", fault.message, fault.remedy, code=fault.code)
            for fault in goingon.faults(tournament, games_of(reading))
        ]
        if reading.ok:
            _rate(reading)
    reading.issues.sort(key=lambda i: (i.severity != "error", i.line or 0, i.column or 0))
    return reading


def _check_state(reading: Reading) -> None:
    tournament = reading.tournament
    states = Tournament.State
    if tournament.state in (states.REGISTERED, states.RETURNED, states.REPORTED):
        same = tournament.reports.filter(sha256=reading.sha256).first()
        if same is not None and (same.state != Report.State.REPLACED or counted_games(tournament).exists()):
            reading.issues.append(_known_file(same))
        return
    why = {
        states.DRAFT: ("is not registered yet", "Ask the federation to register it first."),
        states.REFUSED: ("was refused registration", "Ask the federation; an appeal may be open."),
        states.ACCEPTED: (
            "already has an accepted report",
            "Ask the federation to return it for correction.",
        ),
        states.COUNTED: (
            "is counted in a published list",
            "Ask the federation for a correction of the list.",
        ),
    }[tournament.state]
    reading.issues.append(Issue("error", "tournament", f"The tournament {why[0]}.", why[1], code="state"))


def _known_file(report: Report) -> Issue:
    """The very file again: needless while it waits, right after a return that was not its fault."""
    when = f"This very file was submitted on {report.submitted_at:%Y-%m-%d %H:%M}"
    if report.state != Report.State.RETURNED:
        return Issue("error", "file", f"{when}.", "Nothing needs to be done.", code="file-known")
    return Issue(
        "warning",
        "file",
        f"{when} and returned: {report.remark}",
        "Send it again only if the fault was not in the file.",
        code="file-known",
    )


def _identify(reading: Reading) -> None:
    reported = reading.parsed.players
    known = by_number(reading.tournament.federation_id, [player.fide_id for player in reported])
    taken: dict[int, ReportedPlayer] = {}
    for row in reported:
        where = {"line": row.line, "column": 58}
        player = known.get(row.fide_id)
        if player is None:
            reading.issues.append(_unknown(row))
            continue
        if not same_name(row.name, player.name):
            severity = "warning" if compatible_names(row.name, player.name) else "error"
            reading.issues.append(
                Issue(
                    severity,
                    "name",
                    f"Number {row.fide_id} belongs to {player.name}, the report says {row.name}.",
                    "Correct the number or the name."
                    if severity == "error"
                    else "Check that it is the same person.",
                    row.line,
                    15,
                    code="name-differs",
                )
            )
            if severity == "error":
                continue
        if player.pk in taken:
            reading.issues.append(
                Issue(
                    "error",
                    "number",
                    f"{player.name} stands in this report twice (start numbers "
                    f"{taken[player.pk].start_number} and {row.start_number}).",
                    "Give each player his own number.",
                    code="player-twice",
                    **where,
                )
            )
            continue
        taken[player.pk] = row
        reading.players[row.start_number] = player
        reading.issues += _compare_person(row, player)


def _unknown(row: ReportedPlayer) -> Issue:
    hints = [
        f"{player.name} ({player.birth_year or 'birth year not known'}, number {player.fide_id or 'none'})"
        for player in candidates(row.name, row.birth.year)
    ]
    remedy = "Correct columns 58-68, or ask the federation to put the player on the register."
    if hints:
        remedy = (
            f"On the register under this name: {'; '.join(hints)}. Enter the number, if it is one of them."
        )
    what = f"Number {row.fide_id} is not on the register" if row.fide_id else "No player number"
    return Issue("error", "number", f"{row.name}: {what}.", remedy, row.line, 58, code="unknown-player")


def _compare_person(row: ReportedPlayer, player: Player) -> list[Issue]:
    differences = []
    if row.birth.year and player.birth_year and row.birth.year != player.birth_year:
        differences.append(("birth date", row.birth.year, player.birth_year, 70))
    if row.sex and player.sex and row.sex != player.sex:
        differences.append(("sex", row.sex, player.sex, 10))
    if row.federation and row.federation != player.federation_id:
        differences.append(("federation", row.federation, player.federation_id, 54))
    return [
        Issue(
            "warning",
            name,
            f"{row.name}: the report has {said}, the register {known}.",
            "Check the number; where the register is wrong, ask the federation to correct it.",
            row.line,
            column,
            code="person-differs",
        )
        for name, said, known, column in differences
    ]


def _compare_with_registration(reading: Reading) -> None:
    tournament, parsed = reading.tournament, reading.parsed
    for name, said, known in (("start", parsed.start, tournament.start), ("end", parsed.end, tournament.end)):
        if said and not tournament.start <= said <= tournament.end:
            reading.issues.append(
                Issue(
                    "error",
                    name,
                    f"The report says {name} {said}; registered is {tournament.start} to {tournament.end}.",
                    "Correct the date, or ask the federation to correct the registration.",
                    code="date-outside",
                )
            )
        elif said and said != known:
            reading.issues.append(
                Issue(
                    "warning",
                    name,
                    f"The report says {name} {said}, the registration {known}.",
                    "The registration holds.",
                    code="date-differs",
                )
            )
    scheduled = {row.number: row.date for row in tournament.rounds.all()}
    if scheduled and parsed.rounds > max(scheduled):
        reading.issues.append(
            Issue(
                "error",
                "rounds",
                f"The report has {parsed.rounds} rounds, {max(scheduled)} are registered.",
                "Remove the extra rounds, or ask the federation to add them to the schedule.",
                code="rounds-extra",
            )
        )
    elif scheduled and parsed.ok and parsed.rounds < max(scheduled):
        reading.issues.append(
            Issue(
                "warning",
                "rounds",
                f"The report has {parsed.rounds} of {max(scheduled)} registered rounds.",
                "Submit it when the tournament is over, unless rounds were cancelled.",
                code="rounds-missing",
            )
        )
    for number, day in parsed.round_dates.items():
        if number in scheduled and scheduled[number] != day:
            reading.issues.append(
                Issue(
                    "warning",
                    "rounds",
                    f"Round {number}: the report has {day}, the schedule {scheduled[number]}.",
                    "The schedule holds.",
                    code="round-date-differs",
                )
            )
    missing = [
        str(entry)
        for entry in tournament.entries.select_related("player")
        if entry.player_id not in {player.pk for player in reading.players.values()}
    ]
    if missing and reading.players:
        reading.issues.append(
            Issue(
                "warning",
                "players",
                f"Registered but not in the report: {', '.join(missing)}.",
                "Nothing, if they did not play.",
                code="entry-missing",
            )
        )


#: what a report's letters (White's first) say of a game that was not played, beyond a forfeit
_WHY_UNPLAYED = {
    **dict.fromkeys(("WL", "LW", "DD"), "less than one move"),
    **dict.fromkeys(("00", "0=", "=0", "LD", "DL"), "decided by a ruling"),
}


def games_of(reading: Reading) -> list[Game]:
    """The report's games with register keys for players."""
    keys = {number: str(player.pk) for number, player in reading.players.items()}
    return [
        Game(
            game.round,
            keys[game.white],
            None if game.black is None else keys[game.black],
            game.result,
            _WHY_UNPLAYED.get(game.codes, ""),
        )
        for game in reading.parsed.games
    ]


def _rate(reading: Reading) -> None:
    tournament = reading.tournament
    rows = {row.start_number: row for row in reading.parsed.players}
    round_dates = {row.number: row.date for row in tournament.rounds.all()} or reading.parsed.round_dates
    players = [reading.players[number] for number in sorted(reading.players)]
    games = goingon.new_games(tournament, games_of(reading))
    for part in event_parts(tournament, players, games, round_dates, on=reading.received):
        result = tournament.regulation.rate(part.event)
        reading.parts.append((part, result))
        granted = part.event.authorizations
        reading.issues += [_as_issue(finding, granted) for finding in result.findings]
    facts = reading.parts[0][0].facts if reading.parts else {}
    for number, player in reading.players.items():
        said = rows[number].rating or None
        fact = facts.get(player.pk)
        used = fact and (fact.rating if fact.rating is not None else fact.standard_rating)
        if said != used and said is not None:
            how = (
                f"the list in force has {used}"
                if used
                else "the list in force has no rating: counts as unrated"
            )
            reading.issues.append(
                Issue(
                    "warning",
                    "rating",
                    f"{player.name}: the report says {said}, {how}.",
                    "The list in force holds; a rating in the file is never taken as real.",
                    rows[number].line,
                    49,
                    code="nominal-rating",
                )
            )


def _as_issue(finding: Finding, granted: Collection[str]) -> Issue:
    """A regulation's finding on a report: never a fault of the file, so it does not stop the submission."""
    if finding.authorization in granted:
        remedy = f"Nothing: the federation has granted the waiver “{finding.authorization}”."
    elif finding.waivable:
        remedy = f"The federation can grant the waiver “{finding.authorization}”."
    else:
        remedy = "What it concerns is not rated; the report can be submitted all the same."
    return Issue(
        "warning", finding.subject, finding.message, remedy, article=finding.article, code=finding.code
    )
