"""Changes to a crosstable that is being typed: each function is one transaction.

Nothing typed is refused for being wrong chess: wrong numbers and results are kept and named. Only what
no database takes, or what is too much, is refused. The caller checks that the user may report the
tournament (``queries.for_user``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import transaction

from regulations.characters import forbidden
from tournaments import redrafted
from tournaments.drafted import Drafted, names_by_start, read_draft, read_round
from tournaments.models import Report, ReportDraft, Tournament
from tournaments.reporting import submit_report
from tournaments.reports import boards
from tournaments.typed import FILENAME

PLAYERS = "players"
MAX_ROWS, MAX_ROUNDS = 1000, 30
#: field and longest text of each column
PLAYER_FIELDS = {"start": 10, "number": 60, "name": 120}
BOARD_FIELDS = {"white": 10, "result": 10, "black": 10}

Row = Sequence[str]


class NotSaved(Exception):
    """What was typed cannot be stored; ``faults`` holds a sentence for each reason. Nothing changed."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__(" ".join(faults))


class Stale(Exception):
    """The part was changed elsewhere since the page was loaded; ``draft`` is as it is now, unchanged."""

    def __init__(self, draft: ReportDraft) -> None:
        self.draft = draft
        super().__init__("changed elsewhere")


class Changed(Exception):
    """The draft is not what was previewed any more; ``drafted`` is what it says now."""

    def __init__(self, drafted: Drafted) -> None:
        self.drafted = drafted
        super().__init__("changed since the preview")


def draft_of(tournament: Tournament, user) -> ReportDraft:
    """The user's draft; if there is none, an unsaved one with the players of the entry list."""
    found = ReportDraft.objects.filter(tournament=tournament, user=user).first()
    return found or ReportDraft(tournament=tournament, user=user, players=entered(tournament))


def entered(tournament: Tournament) -> list[list[str]]:
    """Rows of players from the entry list: those without a start number follow the others."""
    entries = list(tournament.entries.select_related("player").prefetch_related("player__identifiers"))
    entries.sort(key=lambda entry: (entry.start_number is None, entry.start_number or 0, entry.pk))
    rows, last = [], 0
    for entry in entries[:MAX_ROWS]:
        last = entry.start_number or last + 1
        player = entry.player
        number = player.fide_id or player.number_of(tournament.federation_id)
        rows.append([str(last), number, "" if number else player.name])
    return rows


def rows_of(draft: ReportDraft, part: str) -> list[list[str]]:
    """The rows of "players" or of a round ("1", "2", …)."""
    return draft.players if part == PLAYERS else draft.games.get(part, [])


@transaction.atomic
def autosave(tournament: Tournament, user, part: str, rows: Iterable[Row], token: str) -> ReportDraft:
    """Store the rows of a part as typed, blank rows at the end left out.

    ``token`` is the draft's as it was when the rows were loaded. Raises NotSaved, or Stale when the
    part has been changed elsewhere since then; other parts may have changed.
    """
    kept = _clean(part, rows)
    draft = _locked(tournament, user)
    if _stale(draft, part, token) and kept != (rows_of(draft, part) if draft else None):
        raise Stale(draft or draft_of(tournament, user))
    if draft is None:
        draft = draft_of(tournament, user)
    elif kept == rows_of(draft, part):
        return draft
    if part == PLAYERS:
        draft.players = kept
    elif kept:
        draft.games[part] = kept
    else:
        draft.games.pop(part, None)
    draft.version += 1
    draft.changed[part] = draft.version
    draft.save()
    return draft


@transaction.atomic
def absent(tournament: Tournament, user, part: str, token: str) -> int:
    """Give every player who stands on no board of a round a zero-point bye; how many these were.

    Raises NotSaved or Stale.
    """
    draft = draft_of(tournament, user)
    rows = rows_of(draft, part)
    names = names_by_start(draft)
    rest = boards.missing(read_round(draft, part, names), names)
    autosave(tournament, user, part, [*rows, *([str(number), "Z", ""] for number in rest)], token)
    return len(rest)


@transaction.atomic
def resume(report: Report, user) -> ReportDraft:
    """Begin a draft with the players and games of a report that was sent. Raises NotSaved."""
    if _locked(report.tournament, user) is not None:
        raise NotSaved(["There is a draft already. Send it or throw it away first."])
    players, games = redrafted.rows(report)
    draft = autosave(report.tournament, user, PLAYERS, players, "")
    for part in sorted(games, key=int):
        draft = autosave(report.tournament, user, part, games[part], draft.token)
    return draft


@transaction.atomic
def discard(tournament: Tournament, user) -> None:
    """Throw the user's draft away."""
    ReportDraft.objects.filter(tournament=tournament, user=user).delete()


@transaction.atomic
def send(tournament: Tournament, user, shown: bytes) -> Report:
    """Submit the draft as a report, if it still says what the preview showed, and delete it.

    Raises Changed, or ``reporting.ReportRefused``; then the draft stays.
    """
    draft = _locked(tournament, user)
    drafted = read_draft(draft or draft_of(tournament, user))
    if draft is None or not drafted.ok or drafted.content != shown:
        raise Changed(drafted)
    report = submit_report(tournament, user, FILENAME, shown)
    draft.delete()
    return report


def _locked(tournament: Tournament, user) -> ReportDraft | None:
    # The tournament's row is locked, not the draft's: there may be none yet, and two tabs may save first.
    Tournament.objects.select_for_update().get(pk=tournament.pk)
    return ReportDraft.objects.filter(tournament=tournament, user=user).first()


def _stale(draft: ReportDraft | None, part: str, token: str) -> bool:
    if draft is None:
        return token != ""
    if token == "":
        return part in draft.changed
    pk, _, version = token.partition("-")
    if pk != str(draft.pk) or not (version.isascii() and version.isdigit()):
        return True
    return draft.changed.get(part, 0) > int(version[:10])


def _clean(part: str, rows: Iterable[Row]) -> list[list[str]]:
    fields = PLAYER_FIELDS if part == PLAYERS else BOARD_FIELDS
    what = "Row" if part == PLAYERS else "Board"
    faults, kept = [], []
    for number, row in enumerate(rows, start=1):
        texts = [text.strip() for text in row]
        for (name, longest), text in zip(fields.items(), texts, strict=True):
            if which := forbidden(text):
                faults.append(f"{what} {number}, {name}: the control character {which}. Type it again.")
            elif len(text) > longest:
                faults.append(f"{what} {number}, {name}: more than {longest} characters. Shorten it.")
        kept.append(texts)
    used = slice(1 if part == PLAYERS else 0, None)  # a start number alone waits for its player
    while kept and not any(kept[-1][used]):
        kept.pop()
    if len(kept) > MAX_ROWS:
        faults.append(f"{len(kept)} rows; at most {MAX_ROWS} are kept. Send a file for a larger event.")
    if part != PLAYERS and not (part.isascii() and part.isdigit() and 1 <= int(part) <= MAX_ROUNDS):
        faults.append(f"Round {part} is not one of 1 to {MAX_ROUNDS}.")
    if faults:
        raise NotSaved(faults)
    return kept
