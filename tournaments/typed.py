"""A crosstable typed in the browser becomes the same file that a pairing program would send."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.contrib.auth.base_user import AbstractBaseUser

from players.models import Player
from players.privacy import Policy, policy
from players.queries import by_number, candidates
from tournaments.intake import Issue, Reading, read
from tournaments.models import Tournament, TournamentArbiter
from tournaments.queries import clock_words
from tournaments.reports import crosstable, trf16
from tournaments.reports.layout import CELL_WIDTH, FIRST_CELL, NAME_WIDTH
from tournaments.reports.model import UNKNOWN_BIRTH, Birth

FILENAME = "crosstable.trf"


@dataclass(slots=True)
class Typed:
    """A typed crosstable as understood: the persons by row, the issues by place, the file, its reading."""

    people: dict[int, Player] = field(default_factory=dict)
    general: list[Issue] = field(default_factory=list)
    by_row: dict[int, list[Issue]] = field(default_factory=lambda: defaultdict(list))
    content: bytes = b""
    reading: Reading | None = None

    @property
    def issues(self) -> list[Issue]:
        found = [*self.general, *(issue for number in sorted(self.by_row) for issue in self.by_row[number])]
        return sorted(found, key=lambda issue: issue.severity != "error")

    @property
    def ok(self) -> bool:
        return not any(issue.severity == "error" for issue in self.issues)


def understand(
    tournament: Tournament,
    rows: Sequence[tuple[str, tuple[str, ...]]],
    by: AbstractBaseUser | None = None,
) -> Typed:
    """Read a round-robin table, rows of (player number, cells). Row n holds start number n; blank rows
    are left out.

    When nothing is wrong with the typing, the file is written and read like an upload of ``by``.
    """
    typed = Typed()
    used = {n: row for n, row in enumerate(rows, start=1) if row[0] or any(row[1])}
    typed.people = _look_up(tournament, {n: number for n, (number, _) in used.items()}, typed)
    rule = policy()
    # The columns are the rows, so those of blank rows go too.
    keep = [n - 1 for n in used]
    lines = [
        row_of(n, number, typed.people.get(n), tuple(cells[at] for at in keep), rule)
        for n, (number, cells) in used.items()
    ]
    place = dict(enumerate(used, start=1))
    parsed = crosstable.build_round_robin(header_of(tournament), lines)
    for problem in parsed.problems:
        issue = Issue(
            problem.severity,
            problem.field,
            problem.message,
            problem.remedy,
            place.get(problem.line),
            place.get(problem.column, problem.column),
            code=problem.code,
        )
        _put(typed, issue)
    if typed.ok:
        typed.content = trf16.write(parsed).encode()
        typed.reading = read(tournament, FILENAME, typed.content, by=by)
        _take_over(typed)
    return typed


def people(tournament: Tournament, rows: Sequence[tuple[str, tuple[str, ...]]]) -> dict[int, Player]:
    """The persons whose number is known, by row; the others are left out without an issue."""
    numbers = {n: number for n, (number, _) in enumerate(rows, start=1) if number}
    return _look_up(tournament, numbers, Typed())


def _put(typed: Typed, issue: Issue) -> None:
    if issue.line is None:
        typed.general.append(issue)
    else:
        typed.by_row[issue.line].append(issue)


def _take_over(typed: Typed) -> None:
    """The issues of the written file, with its lines and columns put back into rows and rounds."""
    rows = {player.line: player.start_number for player in typed.reading.parsed.players}
    for issue in typed.reading.issues:
        _put(typed, replace(issue, line=rows.get(issue.line), column=round_at(issue.column)))


def round_at(column: int | None) -> int | None:
    """The round whose cell stands at a column of a written player line."""
    return (column - FIRST_CELL - 1) // CELL_WIDTH + 1 if column and column > FIRST_CELL else None


def _look_up(tournament: Tournament, numbers: dict[int, str], typed: Typed) -> dict[int, Player]:
    people = look_up(tournament, numbers)
    for row in numbers.keys() - people.keys():
        _put(typed, unknown(row, numbers[row]))
    return people


def look_up(tournament: Tournament, numbers: dict[int, str]) -> dict[int, Player]:
    """The persons whose FIDE or national number is known, leading zeros apart, by the given keys."""
    values = [value for number in numbers.values() for value in (number, number.lstrip("0"))]
    known = by_number(tournament.federation_id, values)
    found = {row: known.get(number) or known.get(number.lstrip("0")) for row, number in numbers.items()}
    return {row: player for row, player in found.items() if player is not None}


def unknown(row: int | None, number: str, name: str = "", *, hint: bool = True) -> Issue:
    """What is wrong with a number that no person on the register has; ``hint`` looks for the name."""
    remedy = "Type the FIDE or national number of the player."
    if not number:
        message = "The player's number is missing."
    elif any(char.isdigit() for char in number):
        message = f"Number {number} is not on the register."
        remedy = "Correct it, or ask the federation to put the player on the register."
    else:
        message, name = f"“{number}” is not a number.", name or number
    found = candidates(name) if name and hint else []
    if found:
        rule = policy()
        hints = [f"{p.fide_id or 'no FIDE number'} {p.name} ({rule.birth_year(p) or '?'})" for p in found]
        remedy = f"On the register under this name: {'; '.join(hints)}."
    return Issue("error", "number", message, remedy, row, None, code="unknown-player")


def row_of(
    number: int, typed: str, player: Player | None, cells: tuple[str, ...], rule: Policy, name: str = ""
) -> crosstable.Row:
    """A row of the crosstable: the person as the public knows him, under the name that was typed, if any. The
    page brings the file back and the sender downloads it: his number would tell anybody's birthday."""
    if player is None:
        return crosstable.Row(number, typed or "unknown", cells=cells)
    known = typed if typed.isdigit() else ""
    return crosstable.Row(
        number,
        _short(name or player.name),
        sex={"f": "w"}.get(player.sex, player.sex),
        title=player.title,
        federation=player.federation_id,
        fide_id=player.fide_id or known,
        birth=f"{year:04d}/00/00" if (year := rule.birth_year(player)) else "",
        cells=cells,
    )


def _short(name: str) -> str:
    """Whole words of the name that the file has room for: half a word would be another name."""
    if len(name) <= NAME_WIDTH:
        return name
    return name[: NAME_WIDTH + 1].rsplit(" ", 1)[0][:NAME_WIDTH].rstrip(", ")


def birth_of(player: Player) -> Birth:
    """A person's birth as far as the register knows it."""
    day, precision = player.birth_date, player.birth_precision
    if day is None:
        return UNKNOWN_BIRTH
    month = None if precision == Player.Precision.YEAR else day.month
    return Birth(day.year, month, day.day if precision == Player.Precision.DAY else None)


def header_of(tournament: Tournament) -> crosstable.Header:
    """What the registration says of the event."""
    appointed = list(tournament.appointments.select_related("arbiter"))
    chief = next((a.arbiter.name for a in appointed if a.role == TournamentArbiter.Role.CHIEF), "")
    return crosstable.Header(
        name=tournament.name,
        city=tournament.city,
        federation=tournament.federation_id,
        start=tournament.start,
        end=tournament.end,
        type_text=tournament.get_system_display(),
        chief_arbiter=chief,
        deputies=tuple(a.arbiter.name for a in appointed if a.role != TournamentArbiter.Role.CHIEF),
        time_control_text=clock_words(tournament),
        round_dates={row.number: row.date for row in tournament.rounds.filter(reported=False)},
        rounds_announced=tournament.rounds.filter(reported=False).count() or None,
    )
