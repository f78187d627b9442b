"""A report read without storing anything: the file, the identities, the registration, the ratings.

``read`` is the dry run and the first half of a submission. It gathers every issue of every kind;
a report with an issue of severity "error" cannot be submitted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import date

from django.contrib.auth.base_user import AbstractBaseUser

from regulations.model import EventTotals, Finding, Game
from tournaments import duplicates, goingon, sent
from tournaments.identify import identify
from tournaments.issues import Issue, Reading
from tournaments.matching import compare_with_registration
from tournaments.models import Report, Tournament
from tournaments.queries import ONE_DAY, counted_games, event_parts
from tournaments.ratings import lists_that_counted

__all__ = ["Issue", "Reading", "games_of", "read", "read_entry_list", "totals_of"]

State = Tournament.State
#: what a list of players may lack
_OF_RESULTS = frozenset({"no-games", "unfinished", "header-missing", "points-missing", "player-count"})


def read(
    tournament: Tournament,
    filename: str,
    content: bytes,
    *,
    received: date | None = None,
    people: dict[int, int | str] | None = None,
    trusted: Callable[[int], bool] = lambda pk: False,
    may_add: bool = False,
    correcting: bool = False,
    by: AbstractBaseUser | None = None,
) -> Reading:
    """Read a tournament's report in any format and try it against register, registration and rules.

    ``received``: the day on which the federation has it (today). ``people``, ``trusted``,
    ``may_add``, ``by``: see ``identify``. ``correcting``: it corrects a postal event that goes on in what
    lists have counted of it; a report for any other counted event always corrects.
    """
    correcting = correcting or tournament.state == State.COUNTED
    parsed = sent.parse(content, filename, tournament.start)
    received = received or tournament.rating_system.today()
    reading = Reading(tournament, filename, content, parsed, received, people or {})
    scheduled = tournament.rounds.filter(reported=False).exists()
    reading.issues += [
        Issue(p.severity, p.field, p.message, p.remedy, p.line, p.column, code=p.code)
        for p in parsed.problems
        # The registration has the dates that such a file lacks.
        if not (scheduled and p.code == "header-missing" and p.field == "132")
    ]
    _check_correcting(reading) if correcting else _check_state(reading)
    _check_content(reading)
    _identify(reading, trusted=trusted, may_add=may_add, by=by)
    compare_with_registration(reading)
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
        _compare_with_counted(reading) if correcting else _compare_with_games(reading)
        if reading.ok:
            _rate(reading, correcting)
    reading.issues.sort(key=lambda i: (i.severity != "error", i.line or 0, i.column or 0))
    return reading


def _check_state(reading: Reading) -> None:
    tournament = reading.tournament
    if tournament.state in (State.REGISTERED, State.RETURNED, State.REPORTED, State.ACCEPTED):
        same = tournament.reports.filter(sha256=reading.sha256).first()
        if same is not None and (same.state != Report.State.REPLACED or counted_games(tournament).exists()):
            reading.issues.append(_known_file(same))
        _check_days(reading)
        return
    why = {
        State.DRAFT: ("is not registered yet", "Ask the federation to register it first."),
        State.REFUSED: ("was refused registration", "Ask the federation; an appeal may be open."),
        State.APPEALED: ("was refused registration", "Wait for the decision on the appeal."),
        State.CANCELLED: ("is cancelled", "If it was played, ask the federation to register it again."),
    }[tournament.state]
    reading.issues.append(Issue("error", "tournament", f"The tournament {why[0]}.", why[1], code="state"))


def _check_correcting(reading: Reading) -> None:
    """A report that corrects what lists have counted: there must be such a list, and nothing on its way."""
    tournament = reading.tournament
    goes_on = tournament.state == State.REGISTERED and counted_games(tournament).exists()
    if not goes_on and tournament.state != State.COUNTED:
        text = "Lists have counted nothing of it, or a report of it still waits for a list."
        remedy = "Send an ordinary report, or wait until the list is published."
        reading.issues.append(Issue("error", "tournament", text, remedy, code="state"))
    same = tournament.reports.filter(sha256=reading.sha256).exclude(state=Report.State.REPLACED).first()
    if same is not None:
        reading.issues.append(_known_file(same))


def _compare_with_counted(reading: Reading) -> None:
    """What a correction changes in the games that lists have counted."""
    tournament, games = reading.tournament, games_of(reading)
    reading.issues += duplicates.elsewhere(tournament, games)
    reading.issues += duplicates.totals_elsewhere(tournament, totals_of(reading))
    reading.changes = duplicates.changes(tournament, games)
    if reading.changes is not None and reading.changes.nothing:
        text = "The report has the same games as the one that the list has counted."
        remedy = "Nothing needs to be done."
        reading.issues.append(Issue("error", "games", text, remedy, code="nothing-new"))


def _check_days(reading: Reading) -> None:
    tournament = reading.tournament
    if reading.received < tournament.start:
        message = f"The tournament starts on {tournament.start}; the report is of {reading.received}."
        remedy = "Send it when games are played, or ask the federation to correct the dates."
        reading.issues.append(Issue("error", "start", message, remedy, code="not-started"))
    due = tournament.due_on if tournament.state == State.RETURNED else None
    corrected = tournament.regulation and tournament.regulation.parameters.get("corrected_days")
    if due and corrected and reading.received > due:
        message = f"The corrected report was due on {due}; without it the event counts as not reported."
        remedy = "Ask the federation; it can enter the day on which it had the correction."
        found = Issue("error", "file", message, remedy, article=corrected.article, code="correction-late")
        reading.issues.append(found)


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


def _compare_with_games(reading: Reading) -> None:
    """Games that count already, stand in the report before, or were reported by another event."""
    tournament, games = reading.tournament, games_of(reading)
    reading.issues += [
        Issue("error", "games", fault.message, fault.remedy, code=fault.code)
        for fault in goingon.faults(tournament, games)
    ]
    reading.issues += [
        Issue("warning", "games", doubt.message, doubt.remedy, code=doubt.code)
        for doubt in goingon.repeated(tournament, games)
    ]
    reading.issues += duplicates.elsewhere(tournament, games)
    reading.issues += duplicates.totals_elsewhere(tournament, totals_of(reading))
    reading.changes = duplicates.changes(tournament, games)
    if reading.changes is None:
        return
    if tournament.state != State.ACCEPTED:
        if removed := len(reading.changes.removed):
            text = f"The report leaves out {removed} games of the one before."
            remedy = "Check that they were not played."
            reading.issues.append(Issue("warning", "games", text, remedy, code="games-left-out"))
    elif reading.changes.nothing:
        text = "The report has the same games as the accepted one."
        remedy = "Nothing needs to be done."
        reading.issues.append(Issue("error", "games", text, remedy, code="nothing-new"))
    elif reading.changes.corrected or reading.changes.removed:
        number = len(reading.changes.corrected) + len(reading.changes.removed)
        text = f"The report changes {number} game{'' if number == 1 else 's'} of the accepted one."
        remedy = "Check the corrections below; the federation decides anew."
        reading.issues.append(Issue("warning", "games", text, remedy, code="correction"))


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


def totals_of(reading: Reading) -> list[EventTotals]:
    """The report's totals with register keys for players."""
    return [
        EventTotals(str(reading.players[row.start_number].pk), row.points, row.games, row.average)
        for row in reading.parsed.totals
    ]


def read_entry_list(
    tournament: Tournament,
    filename: str,
    content: bytes,
    people: dict[int, int | str] | None = None,
    by: AbstractBaseUser | None = None,
) -> Reading:
    """The players of a file, for a dry run before round 1: whether it has results does not matter."""
    parsed = sent.parse(content, filename, tournament.start)
    reading = Reading(tournament, filename, content, parsed, tournament.rating_system.today(), people or {})
    reading.issues += [
        Issue(p.severity, p.field, p.message, p.remedy, p.line, p.column, code=p.code)
        for p in parsed.problems
        if p.code not in _OF_RESULTS
    ]
    _identify(reading, by=by)
    reading.issues.sort(key=lambda i: (i.severity != "error", i.line or 0, i.column or 0))
    return reading


def _identify(reading: Reading, **rights) -> None:
    before = len(reading.issues)
    identify(reading, **rights)
    _one_fault_a_number(reading, before)
    if not reading.parsed.format.startswith("trf"):  # the columns of a player line mean nothing there
        reading.issues[before:] = [replace(issue, column=None) for issue in reading.issues[before:]]


#: faults of a number that the register answers too
_OF_NUMBERS = frozenset({"fide-id-not-fide", "number-missing", "duplicate-fide-id"})


def _one_fault_a_number(reading: Reading, before: int) -> None:
    """Of a number that the file has wrong one error stands: the file's, with the register's remedy. None
    does where the sender chose the person."""
    found = {i.line: i for i in reading.issues[before:] if i.severity == "error" and i.line is not None}
    chosen = {i.line for i in reading.issues[before:] if i.code in ("chosen", "new-player")}
    kept, answered = [], set()
    for issue in reading.issues[:before]:
        if issue.code in _OF_NUMBERS and issue.severity == "error":
            if issue.line in chosen and issue.code != "duplicate-fide-id":
                continue
            if (other := found.get(issue.line)) is not None:
                answered.add(issue.line)
                known = any(u.row.line == issue.line and u.suggestions for u in reading.unresolved)
                issue = replace(issue, remedy=other.remedy) if known else issue
        kept.append(issue)
    later = [i for i in reading.issues[before:] if i.severity != "error" or i.line not in answered]
    reading.issues[:] = kept + later


def _check_content(reading: Reading) -> None:
    """A report has games, or totals where the regulation rates these."""
    parsed, regulation = reading.parsed, reading.tournament.regulation
    above = regulation and regulation.rates_totals and regulation.parameters.get("file_above")
    if above and not parsed.totals and len(parsed.players) > above.value:
        text = f"An event of more than {above.value} players is reported with the evaluation file."
        remedy = "Nothing to do: the portal writes the file from this report, see the tournament's page."
        found = Issue("warning", "file", text, remedy, article=above.article, code="file-needed")
        reading.issues.append(found)
    if parsed.entry_list:
        text, code = "The file holds players and no results: it is an entry list.", "entry-list"
        remedy = "Put the players on the entry list by the dry run; send the results as a report."
    elif parsed.totals and not (regulation and regulation.rates_totals):
        text, code = "The file holds totals; this regulation rates single games.", "totals"
        remedy = "Send the report with its games, as TRF or as a crosstable."
    else:
        return
    reading.issues.append(Issue("error", "file", text, remedy, code=code))


def _rate(reading: Reading, correcting: bool = False) -> None:
    tournament = reading.tournament
    rows = {row.start_number: row for row in reading.parsed.players}
    scheduled = {row.number: row.date for row in tournament.rounds.filter(reported=False)}
    round_dates = scheduled or reading.parsed.round_dates
    players = [reading.players[number] for number in sorted(reading.players)]
    games, totals = games_of(reading), totals_of(reading)
    on, before = reading.received, None
    if correcting:  # rated as the list did that has counted it (the last one of a postal event)
        before = next(iter(lists_that_counted(tournament)[-1:]), None)
        on = before and before - ONE_DAY
    else:
        games = goingon.new_games(tournament, games)
    for part in event_parts(tournament, players, games, round_dates, on=on, before=before, totals=totals):
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
