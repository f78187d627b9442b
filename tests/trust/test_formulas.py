"""Names that are formulas, through every CSV and XLSX file, opened in LibreOffice: none of them runs."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from players import player_imports
from players.models import Federation, Player, PlayerImport
from ratinglists import services, special
from ratinglists.models import RatingList
from tests.factories import (
    make_arbiter,
    make_list,
    make_period,
    make_player,
    make_report,
    make_system,
    make_tournament,
    make_user,
)
from tests.trust import counts
from tests.trust.formulas import PAYLOADS, Cell, opened
from tournaments.models import Arbiter, RatingSystem, Tournament

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]
DAY = date(2022, 4, 1)
#: modules that hand out CSV or XLSX, each with an address in ``addresses``
HAND_OUT = {
    "players/import_admin.py",
    "ratinglists/feeds.py",  # names the type of a link
    "ratinglists/canonical.py",  # writes again what files.py wrote, for the proof
    "ratinglists/files.py",
    "ratinglists/formats/xlsx.py",
    "ratinglists/register_views.py",
    "ratinglists/revision_views.py",
    "ratinglists/views.py",
    "tournaments/reports/formats.py",
}


@pytest.fixture
def world(monkeypatch):
    monkeypatch.setattr("players.player_imports.ring", lambda pk: None)
    system = make_system("rapid", schedule="manual")
    players = [make_player(born=1990, sex="mf"[n % 2]) for n in range(len(PAYLOADS))]
    known = {p: {"rating": 1500 + 5 * n, "career_games": 60} for n, p in enumerate(players)}
    make_list(system, date(2022, 3, 1), rows=known)
    arbiter = make_arbiter(user=make_user("ana"))
    event = make_tournament(system, arbiter=arbiter)
    half = len(players) // 2
    make_report(event, players, [(1, n, n + half, "1-0") for n in range(1, half + 1)])
    for player, payload in zip(players, PAYLOADS, strict=True):
        Player.objects.filter(pk=player.pk).update(name=payload)
    evil = PAYLOADS[0]
    Tournament.objects.update(name=evil, city="+1+1", organiser="x;=1+1")
    Arbiter.objects.update(name="-1+1")
    Federation.objects.update(name="@SUM(1)")
    RatingSystem.objects.update(name=evil)
    period = make_period(system, DAY, date(2022, 3, 29))
    for job in (services.request_compute, services.request_publish):
        asked = job(period)
        services.run_job(asked.pk)
        asked.refresh_from_db()
        assert asked.state == "done", asked.message
    blitz = make_system("blitz", rate="blitz", name=PAYLOADS[1])
    for revision in (1, 2):
        rows = {p: {"rating": 1500 + revision, "career_games": 60} for p in Player.objects.all()}
        make_list(blitz, DAY, rows=rows, revision=revision)
    return RatingList.objects.get(period=period), event, _imported()


def _imported() -> PlayerImport:
    """A dry run whose faults tell what the file says."""
    text = io.StringIO()
    rows = [["fide_id", "name", "federation", "sex"], *([p, p, p, p] for p in PAYLOADS)]
    csv.writer(text).writerows(rows)
    file = SimpleUploadedFile("list.csv", text.getvalue().encode())
    asked = player_imports.request_preview(file, list_date=DAY, single="rapid")
    player_imports.run(asked.pk)
    return asked


def addresses(listed: RatingList, event: Tournament, asked: PlayerImport) -> list[str]:
    place = f"/lists/rapid/{DAY}"
    return [
        f"{place}/list.csv",
        f"{place}/list.xlsx",
        *(f"{place}/{kind}.csv" for kind in special.kinds_of(listed)),
        f"/lists/blitz/{DAY}/changed.csv",
        f"{place}/monitoring/figures.csv",
        "/players/export/?format=csv",
        f"/admin/players/playerimport/{asked.pk}/faults.csv",
        *(
            f"/arbiter/{event.pk}/{what}/{code}/"
            for what in ("export", "template")
            for code in ("csv", "xlsx")
        ),
    ]


def files_of(world, folder: Path) -> list[Path]:
    """Each export as a file of its own."""
    folder.mkdir()
    client, found = Client(), []
    client.force_login(make_user("officer", is_staff=True, is_superuser=True))
    for at, address in enumerate(addresses(*world)):
        answer = client.get(address, {"players": 8, "rounds": 3} if "template" in address else None)
        assert answer.status_code == 200, address
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        kind = answer.headers["Content-Type"]
        assert kind.startswith(("text/csv", "application/vnd.openxml")), (address, kind)
        found.append(folder / f"{at:02}{'.csv' if kind.startswith('text/csv') else '.xlsx'}")
        found[-1].write_bytes(content)
    return found


def test_every_module_that_hands_out_a_table_is_tried():
    packages = ("players", "tournaments", "ratinglists", "ratingsite")
    texts = {p: p.read_text() for name in packages for p in (ROOT / name).rglob("*.py")}
    marks = ("text/csv; ", '"text/csv"', "openxmlformats")
    telling = {str(p.relative_to(ROOT)) for p, text in texts.items() if any(mark in text for mark in marks)}
    assert telling == HAND_OUT


def plain(text: str) -> str:
    """A text without what keeps it from running, and without blanks, which programs show as they like; a
    workbook holds no control characters and has a question mark for them."""
    return re.sub(r"[\s'?\u200b\ufeff\u202e]", "", text)


def missing(rows: list[list[Cell]]) -> list[str]:
    """The names that do not stand there as text."""
    shown = Counter(plain(cell.text) for row in rows for cell in row if cell.kind == "string")
    return list((Counter(map(plain, PAYLOADS)) - shown).elements())


@pytest.mark.trust
def test_no_formula_runs(world, tmp_path):
    files = files_of(world, tmp_path / "files")
    tables = [file for file in files if file.suffix == ".csv"]
    books = [file for file in files if file.suffix == ".xlsx"]
    ran: list[str] = []
    cells = 0
    for separator in (",", ";", "\t", "|"):
        for name, rows in opened(tables, tmp_path, separator).items():
            cells += sum(map(len, rows))
            ran += [f"{name} with {separator!r}: {cell}" for row in rows for cell in row if cell.formula]
    by_comma, of_books = opened(tables, tmp_path), opened(books, tmp_path)
    for name, rows in of_books.items():
        cells += sum(map(len, rows))
        ran += [f"{name}: {cell}" for row in rows for cell in row if cell.formula]
    whole = {"00.csv": by_comma["00.csv"], "01.xlsx": of_books["01.xlsx"]}
    unseen = [f"{name}: {text}" for name, rows in whole.items() for text in missing(rows)]
    numbers = [sum(cell.kind == "float" for row in rows for cell in row) for rows in whole.values()]
    print(f"{len(files)} files, {cells} cells")
    failures = len(ran) + len(unseen)
    counts.counted("formulas through every export, in LibreOffice", 60, len(PAYLOADS), failures=failures)
    assert not ran, f"{len(ran)}: " + "\n".join(ran[:40])
    assert not unseen, unseen
    assert min(numbers) > 2 * len(PAYLOADS), "numbers are numbers"


@pytest.mark.trust
@pytest.mark.once
def test_the_formulas_run_where_nobody_keeps_them(tmp_path):
    """Else the trial above would show nothing."""
    file = tmp_path / "bare.csv"
    with file.open("w", newline="") as out:
        csv.writer(out).writerows([payload] for payload in PAYLOADS)
    ran = [cell for row in opened([file], tmp_path)[file.name] for cell in row if cell.formula]
    assert len(ran) > 25
