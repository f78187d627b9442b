"""What the pages of a typed crosstable show in and beside their rows. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from players.languages import texts
from tournaments import drafting
from tournaments.drafted import lineup, names_by_start, read_round
from tournaments.drafting import BOARD_FIELDS, PLAYER_FIELDS, PLAYERS
from tournaments.models import ReportDraft
from tournaments.reports import boards

LABELS = {
    "start": "start number",
    "number": "FIDE or national number",
    "name": "name",
    "white": "White’s start number",
    "result": "result",
    "black": "Black’s start number",
}


def fields(part: str) -> dict[str, int]:
    """The fields of a part's rows and their longest texts."""
    return PLAYER_FIELDS if part == PLAYERS else BOARD_FIELDS


def remarks(part: str, draft: ReportDraft) -> dict:
    """What stands beside the rows: names, faults by row, and who is on no board."""
    who = lineup(draft) if part == PLAYERS else lineup(draft, hints=0)
    names = names_by_start(draft, who)
    faults: dict[int, list[tuple[str, str]]] = {}
    if part == PLAYERS:
        for each in who.found:
            text = f"{texts.said(each.issue.message)} {texts.said(each.issue.remedy)}"
            faults.setdefault(each.row, []).append((each.field, text))
        beside = {f"person-{at}": player.name for at, player in who.people.items()}
        missing = []
    else:
        played = read_round(draft, part, names)
        for fault in played.faults:
            text = f"{texts.said(fault.message)} {texts.said(fault.remedy)}"
            faults.setdefault(fault.row, []).append((fault.field, text))
        beside = {}
        for at, (white, _, black) in enumerate(drafting.rows_of(draft, part), start=1):
            for side, text in (("white", white), ("black", black)):
                nobody = texts.said("no such player") if text else ""
                beside[f"name-{side}-{at}"] = names.get(boards.start_number(text), nobody)
        missing = [(start, names[start]) for start in boards.missing(played, names)]
    return {"names": names, "faults": faults, "beside": beside, "missing": missing}


def _label(part: str, number: int | str, field: str) -> str:
    label = LABELS[field]
    return f"Row {number}, {label}" if part == PLAYERS else f"Board {number}, {label}"


def row_shown(part: str, number: int | str, row: Sequence[str], said: dict) -> dict:
    """A row for the templates; ``said`` comes from ``remarks``."""
    faults = said["faults"].get(number, [])
    bad = {field for field, _ in faults}
    cells = {
        field: {
            "field": field,
            "id": f"{field}-{number}",
            "value": value,
            "label": _label(part, number, field),
            "bad": field in bad,
        }
        for field, value in zip(fields(part), row, strict=True)
    }
    beside = {
        key: said["beside"].get(f"{key}-{number}", "") for key in ("person", "name-white", "name-black")
    }
    return {
        "at": number,
        **cells,
        "fault": " ".join(text for _, text in faults),
        "person": beside["person"],
        "white_name": beside["name-white"],
        "black_name": beside["name-black"],
    }


def saved(part: str, draft: ReportDraft) -> dict:
    """What the page's script is told after it has saved."""
    said = remarks(part, draft)
    return {
        "outcome": "saved",
        "token": draft.token,
        "saved": f"{timezone.localtime(draft.updated_at):%H:%M:%S}",
        "people": said["beside"] if part == PLAYERS else {},
        "faults": {
            row: {"text": " ".join(text for _, text in found), "fields": [field for field, _ in found]}
            for row, found in said["faults"].items()
        },
    }


def conflict(part: str, rows: list[list[str]], draft: ReportDraft) -> dict:
    """Both versions of a part, row by row where they differ."""
    saved = drafting.rows_of(draft, part)
    blank = ["", "", ""]
    differing = []
    for at in range(max(len(rows), len(saved))):
        mine = [text.strip() for text in rows[at]] if at < len(rows) else blank
        theirs = saved[at] if at < len(saved) else blank
        if mine != theirs and (any(mine[part == PLAYERS :]) or any(theirs)):
            differing.append((at + 1, " ".join(filter(None, mine)), " ".join(filter(None, theirs))))
    return {
        "token": draft.token,
        "gone": draft.pk is None,
        "saved_at": draft.updated_at,
        "what": "Row" if part == PLAYERS else "Board",
        "rows": differing,
    }
