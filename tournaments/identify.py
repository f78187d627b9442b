"""Who the players of a report are. Nobody is taken by a guess: a number that the register knows
under this name decides, or the sender, among the persons whom the register suggests."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from functools import partial

from django.contrib.auth.base_user import AbstractBaseUser

from players import access
from players.models import Federation, Player
from players.names import abbreviates, compatible_names, same_name
from players.privacy import policy, shown_to
from players.queries import Wanted, by_identifier, suggestions_for
from tournaments.issues import NEW, Issue, Reading, Suggestion, Unresolved
from tournaments.models import Report, Tournament
from tournaments.reports import formats
from tournaments.reports.model import ReportedPlayer


def identify(
    reading: Reading,
    trusted: Callable[[int], bool] = lambda pk: False,
    *,
    may_add: bool = False,
    by: AbstractBaseUser | None = None,
) -> None:
    """Fill ``players`` and ``unresolved``. ``trusted`` tells persons who may be chosen though the
    register does not suggest them (staff have just entered them); ``may_add`` lets ``NEW`` stand for
    a player who is to be put on the register. Of the register ``by``, who reads the report, is told what he
    may know (``players.access.knows``)."""
    reported = reading.parsed.players
    known = _by_number(reading.tournament.federation_id, reported)
    # The evaluation file of FEDA 10.31 has twenty characters for a name.
    short = reading.parsed.format == "feda1031"
    doubtful = [row for row in reported if not _fits(row, known.get(row.start_number), short)]
    federation = reading.tournament.federation_id
    knows = partial(access.knows, by)
    shown = partial(shown_to, knows, policy())
    suggested = suggestions(federation, doubtful, knows)
    certain = [row for row in reported if row.start_number not in suggested]
    suggested |= _namesakes(federation, certain, known, knows, shown)
    chosen = _chosen(reading.people)
    taken: dict[int, ReportedPlayer] = {}
    for row in reported:
        player = known.get(row.start_number)
        choice = chosen.get(reading.people.get(row.start_number))
        if row.start_number in suggested:
            offered = suggested[row.start_number]
            # A number that is somebody's already cannot be given to a new player.
            if may_add and player is None and reading.people.get(row.start_number) == NEW:
                reading.players[row.start_number] = unregistered(reading.tournament, row)
                reading.issues.append(_new(row))
                continue
            if choice is None or not (trusted(choice.pk) or any(s.player.pk == choice.pk for s in offered)):
                reading.unresolved.append(Unresolved(row, tuple(offered), player is not None))
                reading.issues.append(
                    _mismatch(row, shown(player), offered) if player else _unknown(row, offered)
                )
                continue
            player = choice
            reading.issues.append(_picked(row, player))
        elif not any(same_name(row.name, known) for known in _names(player)):
            reading.issues.append(_spelled(row, player))
        if player.pk in taken:
            reading.issues.append(_twice(row, player, taken[player.pk]))
            continue
        taken[player.pk] = row
        reading.players[row.start_number] = player
        reading.issues += _compare_person(row, shown(player))


def unregistered(tournament: Tournament, row: ReportedPlayer) -> Player:
    """A reported player as he would stand on the register; not stored, with a key of his own."""
    birth = [part for part in row.birth if part]
    known = Federation.objects.filter(code=row.federation).first()
    return Player(
        pk=-row.start_number,
        name=row.name,
        federation=known or tournament.federation,
        sex=row.sex,
        birth_date=date(birth[0], *[*birth[1:], 1, 1][:2]) if birth else None,
        birth_precision=("", "year", "month", "day")[len(birth)],
    )


def suggestions(
    federation: str, rows: Iterable[ReportedPlayer], knows: Callable[[Player], bool] = lambda player: True
) -> dict[int, list[Suggestion]]:
    """Whom the register has for each of these rows, by start number, the likeliest first."""
    rows = list(rows)
    if not rows:
        return {}
    found = suggestions_for([_wanted(federation, row) for row in rows], knows=knows)
    return {
        row.start_number: [Suggestion(each.player, each.texts) for each in offered]
        for row, offered in zip(rows, found, strict=True)
    }


def _wanted(federation: str, row: ReportedPlayer) -> Wanted:
    birth: date | int | None = row.birth.year
    if None not in row.birth:
        birth = date(*row.birth)
    return Wanted(
        row.name, _number(row), birth, row.sex, row.federation, row.title, issuers=("FIDE", federation)
    )


def _namesakes(
    federation: str,
    rows: list[ReportedPlayer],
    known: dict[int, Player],
    knows: Callable[[Player], bool],
    shown: Callable[[Player], Player],
) -> dict[int, list[Suggestion]]:
    """Rows whose number has the right name and the wrong year of birth, where the register has a
    namesake born in the reported year: two persons of whom the wrong one may be named. The register's own
    years decide, public or not: else the wrong one would be taken."""
    wrong = [
        row
        for row in rows
        if row.birth.year and known[row.start_number].birth_year not in (None, row.birth.year)
    ]
    found = suggestions(federation, wrong)
    born = {row.start_number: row.birth.year for row in wrong}
    return {
        number: [
            each if knows(each.player) else Suggestion(shown(each.player))
            for each in offered
            if knows(each.player) or not each.player.privacy
        ]
        for number, offered in found.items()
        if any(
            each.player.birth_year == born[number] and same_name(each.player.name, known[number].name)
            for each in offered
        )
    }


def _by_number(federation: str, rows: Iterable[ReportedPlayer]) -> dict[int, Player]:
    """By FIDE number, else by the number of the federation; a national column is a national number, and
    that of another federation names nobody."""
    rows = list(rows)
    own = {row.start_number: row.national_id for row in rows if row.national_federation in ("", federation)}
    fide = by_identifier("FIDE", [row.fide_id for row in rows])
    national = by_identifier(federation, [*own.values(), *(row.fide_id for row in rows)])
    found = {
        row.start_number: fide.get(row.fide_id)
        or national.get(own.get(row.start_number, ""))
        or national.get(row.fide_id)
        for row in rows
    }
    return {number: player for number, player in found.items() if player is not None}


def _fits(row: ReportedPlayer, player: Player | None, short_names: bool) -> bool:
    if player is None:
        return False
    said = row.name
    return any(
        same_name(said, known) or compatible_names(said, known) or (short_names and abbreviates(said, known))
        for known in _names(player)
    )


def _names(player: Player) -> list[str]:
    """The names by which a report may know a player: of a hidden one also those that he had."""
    # The word that stands for a hidden one is in the files that the portal writes itself.
    had = [each.name for each in player.former_names.all()] if player.privacy else []
    return [player.name, *had]


def _new(row: ReportedPlayer) -> Issue:
    message = f"{row.name} will be put on the register as the report has him."
    return Issue("warning", "name", message, "Check the spelling.", row.line, 15, code="new-player")


def _chosen(people: dict[int, int | str]) -> dict[int | str, Player]:
    keys = {key for key in people.values() if key != NEW}
    found = Player.objects.filter(pk__in=keys) if keys else ()
    return {player.pk: player for player in found}


def _number(row: ReportedPlayer) -> str:
    return row.fide_id or row.national_id


def _hints(offered: list[Suggestion]) -> str:
    def words(suggestion: Suggestion) -> str:
        player = suggestion.player
        number = player.fide_id or next((str(each) for each in player.identifiers.all()), "none")
        why = f"; {'; '.join(suggestion.reasons)}" if suggestion.reasons else ""
        return f"{player.name} ({player.birth_year or 'birth year not known'}, number {number}{why})"

    return ", ".join(words(each) for each in offered)


def _unknown(row: ReportedPlayer, offered: list[Suggestion]) -> Issue:
    number = _number(row)
    what = f"Number {number} is not on the register" if number else "No player number"
    remedy = "Correct the number, or ask the federation to put the player on the register."
    if offered:
        remedy = f"On the register: {_hints(offered)}. Enter the number if it is one of them."
    return Issue("error", "number", f"{row.name}: {what}.", remedy, row.line, 58, code="unknown-player")


def _born(name: str, year: int | None) -> str:
    return f"{name} (born {year})" if year else name


def _mismatch(row: ReportedPlayer, player: Player, offered: list[Suggestion]) -> Issue:
    message = f"Number {_number(row)} belongs to {_born(player.name, player.birth_year)}, "
    message += f"the report says {_born(row.name, row.birth.year)}."
    remedy = "Correct the number or the name."
    if others := [each for each in offered if each.player.pk != player.pk]:
        remedy += f" Likely: {_hints(others)}."
    return Issue("error", "name", message, remedy, row.line, 15, code="name-differs")


def _spelled(row: ReportedPlayer, player: Player) -> Issue:
    message = f"Number {_number(row)} belongs to {player.name}, the report says {row.name}."
    return Issue(
        "warning", "name", message, "Check that it is the same person.", row.line, 15, code="name-differs"
    )


def _picked(row: ReportedPlayer, player: Player) -> Issue:
    message = f"{row.name} is taken for {player.name} ({player.fide_id or 'no FIDE number'}), as chosen."
    return Issue("warning", "number", message, "Nothing, if it is right.", row.line, 58, code="chosen")


def _twice(row: ReportedPlayer, player: Player, first: ReportedPlayer) -> Issue:
    message = (
        f"{player.name} stands in this report twice (start numbers "
        f"{first.start_number} and {row.start_number})."
    )
    return Issue(
        "error", "number", message, "Give each player his own number.", row.line, 58, code="player-twice"
    )


def _compare_person(row: ReportedPlayer, player: Player) -> list[Issue]:
    differences = []
    if row.birth.year and player.birth_year and row.birth.year != player.birth_year:
        differences.append(("birth date", row.birth.year, player.birth_year, 70))
    elif _other_day(row, player):
        said = "-".join(f"{part:02d}" for part in row.birth if part)
        differences.append(("birth date", said, "another day", 70))
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


def withheld(report: Report, by: AbstractBaseUser) -> list[Issue]:
    """Where the persons of a waiting report differ from the register, beyond what its sender was told: for
    ``by``, who decides on it, of the players whom he knows."""
    if report.state != Report.State.SUBMITTED:
        return []
    entries = report.tournament.entries.select_related("player")
    people = {entry.start_number: entry.player for entry in entries if access.knows(by, entry.player)}
    parsed = formats.parse(bytes(report.content), report.filename, report.tournament.start)
    told = {each["message"] for each in report.findings}
    found = [
        issue
        for row in parsed.players
        if row.start_number in people
        for issue in _compare_person(row, people[row.start_number])
    ]
    return [issue for issue in found if issue.message not in told]


def _other_day(row: ReportedPlayer, player: Player) -> bool:
    """Both know the day, and it is another. (Which, the portal tells nobody but staff.)"""
    if player.birth_precision != Player.Precision.DAY or None in row.birth:
        return False
    return (player.birth_date.year, player.birth_date.month, player.birth_date.day) != tuple(row.birth)
