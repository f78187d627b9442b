"""Every address is asked for every object in every role. No birth date with day and month leaves the portal
but where the table below says so (500 are planted), no export holds a cell that a spreadsheet would run, and
every answer has its headers: exports and pages that are new are tried without being named here."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings
from reportlab.pdfgen.textobject import PDFTextObject

from ratinglists import opening
from ratinglists.models import ListRow, RatingList
from tests.factories import make_user
from tests.ratinglists.canary_urls import FORMS_ONLY, KNOWN, addresses, patterns, unknown
from tests.ratinglists.canary_world import COUNT, ROLES, World
from tests.ratinglists.spelled_dates import Watch, spellings
from tests.ratinglists.walk import PAYLOADS, Dates, Tables, Walked, walk
from tournaments.models import RatingSystem

pytestmark = [pytest.mark.django_db, pytest.mark.once]
CALLED = PAYLOADS
_REGISTER = {
    "admin:players_player_change",  # the register itself
    "admin:players_player_history",
    "admin:players_player_merge",  # why two records are two persons
    "admin:players_identitychange_change",  # reasons of merges, and what they filled in
    "admin:players_identitychange_changelist",
    "admin:players_identitychange_undo",
}
_REPORTS = {
    "admin:tournaments_report_download",  # the file as it was received
    "admin:tournaments_report_change",  # remarks and findings on it
    "admin:tournaments_tournament_decide",
}
_EVENT = {
    "arbiter-file",
    "arbiter-tournament",
    "arbiter-report",
    "arbiter-export",  # for staff who see the register
}
_COMPLAINTS = {"complaint", "admin:ratinglists_complaint_change", "admin:ratinglists_complaint_changelist"}
#: role -> the addresses at which it may meet full birth dates; nobody else, and nowhere else
MAY_SEE = {
    "public": {
        "complaint-case",  # the sender's own page, for whoever has its secret address: what he wrote himself
    },
    "arbiter": {
        "arbiter-file",  # the file that he sent himself, of a tournament of his
        "arbiter-tournament",  # findings and remarks on that file
        "arbiter-report",
        "complaint-case",
    },
    "clerk": {*_REGISTER, *_REPORTS, *_EVENT, "complaint-case"},
    "officer": {
        *_REGISTER,
        *_REPORTS,
        *_COMPLAINTS,
        *_EVENT,
        "complaint-case",
    },
    "approver": {*_REGISTER, *_REPORTS, *_COMPLAINTS, "complaint-case"},
}


@contextmanager
def drawing() -> Iterator[list[str]]:
    """What is drawn into PDFs: their letters are no text."""
    found = []
    with pytest.MonkeyPatch.context() as patch:
        for name in ("textOut", "textLine"):
            draw = getattr(PDFTextObject, name)

            def watched(self, text="", draw=draw):
                found.append(text)
                draw(self, text)

            patch.setattr(PDFTextObject, name, watched)
        yield found


@dataclass
class Made:
    world: World
    drawn: list[str]
    settings: dict


@pytest.fixture(scope="module")
def made(request, module_db, tmp_path_factory) -> Made:
    """The world, whose players are called by the module's CALLED, too, and what was drawn of it."""
    folder = tmp_path_factory.mktemp("canary")
    settings = {
        "VAR_DIR": folder,
        "PORTAL_ARCHIVE": str(folder / "archive"),
        "PORTAL_SIGNING_KEY": str(folder / "signing-key.pem"),
        "PORTAL_API_LIMITS": {},
    }
    names, add = itertools.cycle(getattr(request.module, "CALLED", [""])), opening.add_player
    with drawing() as drawn, override_settings(**settings), pytest.MonkeyPatch.context() as patch:
        patch.setattr("players.player_imports.ring", lambda pk: None)
        patch.setattr(
            opening, "add_player", lambda name, **more: add(name=f"{next(names)} {name}".strip(), **more)
        )
        return Made(module_db(World), drawn, settings)


@pytest.fixture
def drawn(made) -> Iterator[list[str]]:
    with drawing() as found:
        found += made.drawn
        yield found


@pytest.fixture
def world(made, db, monkeypatch) -> Iterator[World]:
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)
    monkeypatch.setattr("players.player_imports.ring", lambda pk: None)
    with override_settings(**made.settings):
        yield copy.deepcopy(made.world)


def crawl(client, world, role: str, only: frozenset[str]) -> dict[str, set[date]]:
    """Ask for everything of these names: address names -> the dates found there."""
    if role in world.users:
        client.force_login(world.users[role])
    dates = Dates(world.dates.days)
    for answer in walk(client, (each for each in addresses() if each[0] in only)):
        dates.see(answer)
    return dates.leaks


def test_the_crawl_knows_every_address():
    assert unknown() == []
    names = {name for name, _ in patterns()}
    assert KNOWN.keys() <= names, "an address that is gone"
    assert names >= FORMS_ONLY


def test_an_address_that_the_crawl_does_not_know_is_told(settings):
    settings.ROOT_URLCONF = "tests.ratinglists.canary_leak"
    assert unknown() == ["leak leak/"]


def test_the_dates_are_planted(world):
    assert len(set(world.dates.days)) == COUNT == 500
    assert list(world.dates.rest()) == [], "each of them is somewhere"
    assert ListRow.objects.filter(rating_list__state="draft").exists()
    assert RatingList.objects.filter(revision=2, state="published").exists()


#: exports that everybody is given, and those of them that name players
EXPORTS = {"list-csv", "list-xlsx", "list-file", "special-csv", "list-changes-csv", "monitoring-csv"}
NAMING = {"list-csv", "list-xlsx", "list-file", "special-csv"}
#: role -> what else it is given
GIVEN = {
    "public": set(),
    "arbiter": {"arbiter-export", "arbiter-template"},
    "clerk": {"register-export", "arbiter-export", "arbiter-template"},
    "officer": {"register-export", "arbiter-export", "arbiter-template", "admin:players_playerimport_faults"},
    "approver": {"register-export", "admin:players_playerimport_faults"},
    "chief": {"register-export", "arbiter-export", "arbiter-template", "admin:players_playerimport_faults"},
}


def check_exports(tables: Tables, role: str) -> None:
    assert tables.names >= EXPORTS | GIVEN[role]
    assert tables.with_payloads >= NAMING | (GIVEN[role] & {"register-export", "arbiter-export"})


@pytest.mark.parametrize("role", ROLES)
def test_every_answer_to_a_role(client, world, drawn, role):
    """No birth date leaves but where it may, no export holds a formula, and every answer has its headers."""
    if role in world.users:
        client.force_login(world.users[role])
    walked = Walked(client, world.dates.days, signed_in=role in world.users)
    leaks, statuses = walked.dates.leaks, walked.dates.statuses
    assert {name: days for name, days in leaks.items() if name not in MAY_SEE[role]} == {}
    assert walked.dates.faults() == {}
    assert [name for name, own in statuses.items() if name in FORMS_ONLY and 200 in own] == []
    assert not Watch(world.dates.days).found("\n".join(drawn)), "in a PDF"
    check_exports(walked.tables, role)
    assert walked.headers.pages > 400
    if role == "public":
        closed = {name for name, own in statuses.items() if own <= {302, 403}}
        opened = {name for name, own in statuses.items() if 200 in own}
        assert {"arbiter-file", "arbiter-export", "admin:players_player_change"} <= closed
        assert {"player", "list-pdf", "list-xlsx", "verify-archive", "api-v1:rows", "calculation"} <= opened
    if role in ("clerk", "officer", "approver"):
        assert walked.headers.with_scripts > 50
    if role == "officer":
        assert {"admin:players_player_change", "arbiter-export", "arbiter-file"} <= leaks.keys(), (
            "the positive control: where dates may be seen, they are found"
        )


def test_every_page_is_answered_in_another_language(client, world, settings):
    """To the administrator, who sees every page: decimal commas, dates and all, its headers and exports. The
    dates of birth in words are those of English."""
    client.force_login(make_user("chief", is_staff=True, is_superuser=True))
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "pt"
    walked = Walked(client, world.dates.days, signed_in=True)
    assert walked.dates.faults() == {}
    check_exports(walked.tables, "chief")
    assert walked.headers.pages > 400
    assert walked.headers.with_scripts > 50


def test_what_an_arbiter_is_answered_tells_no_date_of_the_register(client, world):
    """The check of a report, a dry run and the choice of persons name only what the file itself says."""
    client.force_login(world.users["arbiter"])
    own = {born for born in world.dates.days if f"{born:%Y/%m/%d}".encode() in world.file}
    watch = Watch(set(world.dates.days) - own)
    for name in ("upload", "dry-run"):
        with_file = {"file": named(world.file)}
        answer = client.post(f"/arbiter/{world.entered.pk}/{name}/", with_file)
        assert answer.status_code in (200, 302, 400, 422)
        assert watch.found(answer.content.decode()) == set()


def named(content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("report.trf", content)


# --- positive controls -----------------------------------------------------------------------------


def test_every_spelling_is_seen(world):
    watch = Watch(world.dates.days)
    for day in world.dates.days:
        for text in spellings(day):
            assert day in watch.found(f"<td>{text}</td>"), text
            assert day in watch.found(f"x,{text};y"), text
    strangers = [date(1990, 7, 3), date(2024, 3, 1)]
    assert not any(watch.found(text) for day in strangers for text in spellings(day))
    assert watch.found("1931, 50 players of 12 in 07:23, list 2024-04-01T20:00:00.190712") == set()


def test_a_page_that_leaks_is_found(client, world, monkeypatch):
    monkeypatch.setattr("ratinglists.views.public_birth_year", lambda player: player.birth_date)
    leaks = crawl(client, world, "public", frozenset({"player", "player-games"}))
    assert leaks.keys() == {"player"}
    assert len(leaks["player"]) >= 20


def test_files_that_print_full_dates_are_found(client, world, drawn):
    """The federation's own wish to print them, for a list that is not published yet."""
    RatingSystem.objects.update(birth_dates=True)
    for row in ListRow.objects.filter(rating_list__state="draft").select_related("player"):
        row.birth_date = row.player.birth_date
        row.save()
    drawn.clear()
    names = frozenset({"list", "list-csv", "list-xlsx", "list-pdf", "special", "special-csv"})
    leaks = crawl(client, world, "approver", names)
    assert leaks.keys() == names - {"list-pdf"}
    assert len(Watch(world.dates.days).found("\n".join(drawn))) >= 20, "the PDF, whose letters are no text"
