"""A report against the registration: dates, rounds, entries."""

from __future__ import annotations

from players.names import name_parts
from regulations.calendar import span
from tournaments.issues import Issue, Reading
from tournaments.queries import clock
from tournaments.timecontrols import same_clock, words


def compare_with_registration(reading: Reading) -> None:
    tournament, parsed = reading.tournament, reading.parsed
    for name, said, known in (("start", parsed.start, tournament.start), ("end", parsed.end, tournament.end)):
        if said and not tournament.start <= said <= tournament.end:
            reading.issues.append(
                Issue(
                    "error",
                    name,
                    f"The report says {name} {said}; registered is {span(tournament.start, tournament.end)}.",
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
    scheduled = {row.number: row.date for row in tournament.rounds.filter(reported=False)}
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
    elif scheduled and parsed.ok and parsed.games and parsed.rounds < max(scheduled):
        reading.issues.append(
            Issue(
                "warning",
                "rounds",
                f"The report has {parsed.rounds} of {max(scheduled)} registered rounds.",
                "Submit it when the tournament is over, unless rounds were cancelled.",
                code="rounds-missing",
            )
        )
    reading.issues += [
        Issue(
            "error",
            "games",
            f"{row.games} games are reported, {max(scheduled)} rounds are registered.",
            "Correct the games, or ask the federation to add the rounds to the schedule.",
            row.line,
            code="rounds-extra",
        )
        for row in parsed.totals
        if scheduled and row.games > max(scheduled)
    ]
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
    _compare_name(reading)
    _compare_clock(reading)
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


def _compare_name(reading: Reading) -> None:
    """A report whose name has no word in common with the tournament's may be another one's."""
    said, known = reading.parsed.name, reading.tournament.name
    words_said, words_known = ({w for w in name_parts(text) if len(w) > 2} for text in (said, known))
    if words_said and words_known and not words_said & words_known:
        message = f"The report is of “{said}”, the tournament is registered as “{known}”."
        remedy = "Check that it is the report of this tournament."
        reading.issues.append(Issue("warning", "name", message, remedy, code="event-name-differs"))


def _compare_clock(reading: Reading) -> None:
    """The time control that the report tells, where it can be read, against the registered one."""
    said = reading.parsed.time_control_text
    registered = clock(reading.tournament)
    if registered.white and said and same_clock(said, registered) is False:
        message = f"The report says “{said}”; registered is {words(registered)}."
        remedy = "The registration holds; if it is wrong, ask the federation to correct it."
        reading.issues.append(Issue("warning", "time_control", message, remedy, code="clock-differs"))
