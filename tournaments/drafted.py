"""What a draft of a crosstable says: its players, its rounds, and the report that it makes.

The report is written as a file and read like an upload; what is found there is put back to the round
and board, or to the player's row, where it was typed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from players.models import Player
from players.privacy import policy
from tournaments.intake import Issue, Reading, read
from tournaments.models import ReportDraft
from tournaments.reports import boards, crosstable, trf16
from tournaments.reports.boards import Boards
from tournaments.typed import FILENAME, header_of, look_up, round_at, row_of, unknown

#: suggestions are looked up for this many unknown players; more of them are a wrong list
MAX_HINTS = 30
NAMED = 5
#: what a file tells though rows are missing in it: found as long as other rows have errors
_REGARDLESS = frozenset({"name-differs", "state", "rounds-extra", "not-started", "correction-late"})


@dataclass(frozen=True, slots=True)
class Found:
    """An issue and where it was typed: ``part`` is "players", a round or "" for the whole report."""

    issue: Issue
    part: str = ""
    row: int | None = None
    field: str = ""


@dataclass(slots=True)
class Lineup:
    """The players' rows as read: by row (from 1) the person, by start number the row."""

    people: dict[int, Player] = field(default_factory=dict)
    rows: dict[int, int] = field(default_factory=dict)
    found: list[Found] = field(default_factory=list)


@dataclass(slots=True)
class Drafted:
    """A draft as understood: everything found in it, and, if nothing is wrong, the file and its reading."""

    found: list[Found] = field(default_factory=list)
    content: bytes = b""
    reading: Reading | None = None

    @property
    def errors(self) -> list[Found]:
        return [each for each in self.found if each.issue.severity == "error"]

    @property
    def ok(self) -> bool:
        return self.reading is not None and not self.errors


def lineup(draft: ReportDraft, hints: int = MAX_HINTS) -> Lineup:
    """Who plays, and every fault of the players' rows; whom the register has under the names of the
    first ``hints`` unknown ones. Rows without number and name are left out."""
    read = Lineup()
    numbers = {at: row[1] for at, row in enumerate(draft.players, start=1) if row[1]}
    read.people = look_up(draft.tournament, numbers)
    seen: dict[int, int] = {}
    for at, (start, number, name) in enumerate(draft.players, start=1):
        if not number and not name:
            continue
        key = boards.start_number(start)
        if key is None:
            message = f"“{start}” is not a start number." if start else "The start number is missing."
            _wrong(read, at, "start", message, "Type a start number from 1 to 9999.")
        elif key in read.rows:
            message = f"Start number {key} stands in row {read.rows[key]} already."
            _wrong(read, at, "start", message, "Give each player his own start number.")
        else:
            read.rows[key] = at
        player = read.people.get(at)
        if player is None:
            issue = unknown(None, number, name, hint=hints > 0)
            hints -= 1
            read.found.append(Found(issue, "players", at, "number"))
        elif player.pk in seen:
            message = f"{player.name} stands in row {seen[player.pk]} already."
            _wrong(read, at, "number", message, "Give each player his own number.")
        else:
            seen[player.pk] = at
    return read


def names_by_start(draft: ReportDraft, read: Lineup | None = None) -> dict[int, str]:
    """The names by start number: the register's, or what was typed for who is not on it."""
    read = read or lineup(draft)
    return {
        start: read.people[at].name
        if at in read.people
        else " ".join(filter(None, draft.players[at - 1][1:]))
        for start, at in sorted(read.rows.items())
    }


def read_round(draft: ReportDraft, part: str, names: dict[int, str]) -> Boards:
    """One round of the draft."""
    return boards.read_round(draft.games.get(part, []), names)


def read_draft(draft: ReportDraft) -> Drafted:
    """Try the whole draft like a file, with all that is wrong at once."""
    who = lineup(draft)
    names = names_by_start(draft, who)
    last = max((int(part) for part in draft.games), default=0)
    rounds = {number: read_round(draft, str(number), names) for number in range(1, last + 1)}
    drafted = Drafted(list(who.found))
    for number, played in rounds.items():
        drafted.found += [_typing_fault(number, fault) for fault in played.faults]
        drafted.found += _incomplete(number, played, names)
    rule = policy()
    lines = [
        row_of(
            start,
            draft.players[at - 1][1],
            who.people.get(at),
            tuple(played.cells.get(start, "") for played in rounds.values()),
            rule,
            draft.players[at - 1][2],
        )
        for start, at in sorted(who.rows.items())
    ]
    parsed = crosstable.build(header_of(draft.tournament), lines)
    clean = not drafted.errors
    places = _Places(draft, who, rounds)
    if clean:
        for problem in parsed.problems:
            if problem.code == "not-finished":  # its board has been named already
                continue
            start = lines[problem.line - 1].start_number if problem.line else None
            issue = Issue(problem.severity, problem.field, problem.message, problem.remedy, code=problem.code)
            drafted.found.append(places.put(issue, start, problem.column))
    if clean and parsed.ok:
        drafted.content = trf16.write(parsed).encode()
        drafted.reading = read(draft.tournament, FILENAME, drafted.content, by=draft.user)
        drafted.found += places.of(drafted.reading)
    elif not clean and lines:
        rest = read(draft.tournament, FILENAME, trf16.write(parsed).encode(), by=draft.user)
        drafted.found += [each for each in places.of(rest) if each.issue.code in _REGARDLESS]
    drafted.found.sort(key=lambda each: each.issue.severity != "error")
    return drafted


class _Places:
    """Puts what a written file is told of back to where it was typed."""

    def __init__(self, draft: ReportDraft, who: Lineup, rounds: dict[int, Boards]) -> None:
        self.draft, self.who, self.rounds = draft, who, rounds

    def put(self, issue: Issue, start: int | None, round_: int | None) -> Found:
        if start is None:
            return Found(issue)
        if round_ in self.rounds and start in self.rounds[round_].rows:
            row = self.rounds[round_].rows[start]
            white = self.draft.games[str(round_)][row - 1][0]
            return Found(issue, str(round_), row, "white" if boards.start_number(white) == start else "black")
        return Found(issue, "players", self.who.rows.get(start), "number")

    def of(self, reading: Reading) -> list[Found]:
        starts = {player.line: player.start_number for player in reading.parsed.players}
        codes = {issue.code for issue in reading.issues}
        return [
            self.put(replace(issue, line=None, column=None), starts.get(issue.line), round_at(issue.column))
            for issue in reading.issues
            # The file's announced rounds are the registered ones, of which that is told already.
            if not (issue.code == "unfinished" and "rounds-missing" in codes)
        ]


def _wrong(read: Lineup, row: int, where: str, message: str, remedy: str) -> None:
    issue = Issue("error", where, message, remedy, code="player-row")
    read.found.append(Found(issue, "players", row, where))


def _typing_fault(number: int, fault: boards.Fault) -> Found:
    issue = Issue(fault.severity, fault.field, fault.message, fault.remedy, code="board")
    return Found(issue, str(number), fault.row, fault.field)


def _incomplete(number: int, played: Boards, names: dict[int, str]) -> list[Found]:
    if not played.rows:
        text = f"Nothing is typed of round {number}, but of a later one."
        remedy = "Type the round, or leave it if it was not played."
        return [Found(Issue("warning", "results", text, remedy, code="round-empty"), str(number))]
    rest = boards.missing(played, names)
    if not rest:
        return []
    some = ", ".join(f"{start} {names[start]}" for start in rest[:NAMED])
    more = f" and {len(rest) - NAMED} more" if len(rest) > NAMED else ""
    text = f"On no board of round {number}: {some}{more}."
    remedy = "Type their boards, or mark the rest as absent on the round's page."
    return [Found(Issue("warning", "results", text, remedy, code="not-paired"), str(number))]
