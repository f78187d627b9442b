"""The arbiters' pages: who sees what, a report from file or form to receipt, and the traps of real files."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.factories import (
    STANDARD,
    make_arbiter,
    make_list,
    make_player,
    make_report,
    make_system,
    make_tournament,
    make_user,
)
from tests.pages import text_of
from tests.tournaments import report_files
from tournaments.models import Entry, Game, Report, Tournament
from tournaments.services import accept_report, return_report

pytestmark = pytest.mark.django_db

NAMES = ("Alder, Tom", "Birch, Lou", "Cedar, Pat", "Dogwood, Jo")
STRONG = (2143, 2010, None, 1905)
CODES = (1900, 1890, 1880, 1870)


class World:
    """A standard system of 2004, four players, an arbiter with a tournament, and another arbiter."""

    def __init__(self, ratings=STRONG, end=date(2004, 5, 2), **fields) -> None:
        self.system = make_system("standard", regulation=STANDARD)
        self.players = [
            make_player(name, fide_id=str(7000011 + at), born=1980) for at, name in enumerate(NAMES)
        ]
        rated = {p: r for p, r in zip(self.players, ratings, strict=True) if r is not None}
        rows = {p: {"rating": r, "career_games": 100} for p, r in rated.items()}
        make_list(self.system, date(2004, 4, 1), rows=rows)
        self.user, self.other = make_user("ana"), make_user("bob")
        self.tournament = make_tournament(
            self.system,
            name="Spring Open",
            start=date(2004, 5, 1),
            end=end,
            rounds=0,
            minutes=90,
            increment=30,
            arbiter=make_arbiter("Arbiter, Ana", user=self.user),
            **fields,
        )
        make_arbiter("Arbiter, Bob", user=self.other)
        self.client = Client()
        self.client.force_login(self.user)

    def url(self, name: str, *args) -> str:
        return reverse(name, args=[self.tournament.pk, *args])

    def upload(self, content: bytes, name: str = "report.trf"):
        return self.client.post(self.url("arbiter-upload"), {"file": SimpleUploadedFile(name, content)})

    def confirm(self, page, client=None):
        token = re.search(r'name="token" value="([^"]+)"', page.content.decode())[1]
        return (client or self.client).post(self.url("arbiter-submit"), {"token": token})

    def lines(self, page) -> dict[str, object]:
        return {line.reported.player.name: line for part in page.context["parts"] for line in part.lines}

    def nothing_stored(self) -> bool:
        return not Report.objects.exists() and not Game.objects.exists() and not Entry.objects.exists()


@pytest.fixture
def world() -> World:
    return World()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("001    2", "001    1"), ("7000012", "7000011")],
    ids=["start number", "FIDE number"],
)
def test_the_same_number_twice_in_a_file_is_told(right, wrong):
    world = World(ratings=CODES)
    page = world.upload(report_files.CODES.replace(right.encode(), wrong.encode()))
    assert page.status_code == 200
    assert page.context["duplicates"] == []
    assert any(issue.code.startswith("duplicate-") for issue in page.context["issues"])


def test_who_was_rated_since_the_event_was_unrated_at_its_start(world):
    """2004 10.4: on the later list Cedar has 1850; he counts as rated for himself only."""
    late = world.players[2]
    make_list(world.system, date(2004, 7, 1), rows={late: {"rating": 1850, "career_games": 10}})
    page = world.upload(report_files.NOMINAL)
    assert world.lines(page)[late.name].counts == "rated 1850 since the event, unrated for opponents"
    Entry.objects.create(tournament=world.tournament, player=late)
    html = world.client.get(world.url("arbiter-tournament")).content.decode()
    assert '<td class="num">unrated</td>' in html
    assert "1850" not in html


# --- who ---


def test_an_account_is_needed():
    for name, args in (
        ("arbiter", []),
        ("arbiter-tournament", [1]),
        ("arbiter-upload", [1]),
        ("arbiter-submit", [1]),
    ):
        response = Client().get(reverse(name, args=args))
        assert response.status_code == 302
        assert response.url.startswith(reverse("account_login"))


def test_another_arbiter_sees_nothing_of_it(world):
    world.confirm(world.upload(report_files.NOMINAL))
    report = Report.objects.get()
    stranger = Client()
    stranger.force_login(world.other)
    assert "Spring Open" not in stranger.get(reverse("arbiter")).content.decode()
    for name in ("arbiter-tournament", "arbiter-upload", "arbiter-crosstable", "arbiter-grid"):
        assert stranger.get(world.url(name)).status_code == 404
    for name in ("arbiter-report", "arbiter-file"):
        assert stranger.get(world.url(name, report.pk)).status_code == 404
    for name in ("arbiter-upload", "arbiter-submit", "arbiter-crosstable"):
        assert stranger.post(world.url(name), {}).status_code == 404


def test_an_arbiter_has_no_admin(world):
    assert world.client.get(reverse("admin:index")).status_code == 302
    page = reverse("admin:tournaments_tournament_change", args=[world.tournament.pk])
    assert world.client.get(page).status_code == 302


def test_the_list_says_what_to_do_next(world):
    page = text_of(world.client.get(reverse("arbiter")).content.decode())
    assert "Spring Open" in page
    assert "Send the report when the tournament is over" in page


def test_the_tournament_page_shows_findings_and_entries(world):
    strong = make_player("Elm, Sam")
    make_list(world.system, date(2004, 4, 15), {strong: 2205})
    Entry.objects.create(tournament=world.tournament, player=strong)
    Tournament.objects.get().stages.update(minutes=60)
    page = text_of(world.client.get(world.url("arbiter-tournament")).content.decode())
    assert "90 minutes for 60 moves" in page
    assert "Article 1.12" in page  # 2205 needs 120 minutes
    assert "Elm, Sam" in page
    assert "2205" in page


# --- the four files ---


def test_a_nominal_rating_counts_as_none(world):
    """A 7.14c and 10.5: Alder met Birch (D = 133, PD = 0.68) and unrated Cedar: 15 x (1 - 0.68) = +4.8."""
    page = world.upload(report_files.NOMINAL)
    lines = world.lines(page)
    assert lines["Alder, Tom"].change == "+4.8"
    assert lines["Alder, Tom"].k == "15"
    assert lines["Cedar, Pat"].counts == "unrated"
    assert lines["Cedar, Pat"].nominal == 2000
    text = text_of(page.content.decode())
    assert "Cedar, Pat: the report says 2000, the list in force has no rating: counts as unrated." in text
    assert "+4.8" in text
    assert world.nothing_stored()


def test_results_that_do_not_mirror_are_refused_with_their_lines(world):
    page = world.upload(report_files.ASYMMETRIC)
    errors = [issue for issue in page.context["issues"] if issue.severity == "error"]
    assert [error.line for error in errors] == [10, 11]
    text = text_of(page.content.decode())
    assert "2 errors" in text
    assert "line 10" in text
    assert "line 11" in text
    assert not page.context["token"]
    assert 'type="file"' in page.content.decode()  # the corrected file goes here
    assert world.nothing_stored()


def test_games_that_do_not_count_have_their_reasons():
    """5.1 and the codes: forfeits, W/L without moves and byes never count; 1, 1, 1 and 3 games do."""
    world = World(CODES)
    page = world.upload(report_files.CODES)
    lines = world.lines(page)
    assert [lines[name].games for name in NAMES] == [1, 1, 1, 3]
    for name, uncounted in zip(NAMES, (3, 3, 3, 1), strict=True):
        assert len(lines[name].left_out) == uncounted
        assert all(game.reason and game.article for game in lines[name].left_out)


def test_half_a_point_of_an_unrated_player_is_not_kept():
    """A 10.22: an unrated player who scores half a point is disregarded, and so are the games against him."""
    world = World((None, 2050, 1990, 1960), end=date(2004, 5, 3))
    lines = world.lines(world.upload(report_files.HALF_A_POINT))
    assert lines["Alder, Tom"].pooled is False
    assert lines["Birch, Lou"].change == "+12"


# --- file, preview, confirmation, receipt ---


def test_a_report_is_stored_byte_by_byte_after_confirmation(world):
    response = world.confirm(world.upload(report_files.NOMINAL))
    report = Report.objects.get()
    assert response.url == world.url("arbiter-report", report.pk)
    assert bytes(report.content) == report_files.NOMINAL
    world.tournament.refresh_from_db()
    assert world.tournament.state == "reported"
    receipt = text_of(world.client.get(response.url).content.decode())
    assert report.sha256 in receipt
    assert "+4.8" in receipt
    file = world.client.get(world.url("arbiter-file", report.pk))
    assert file.content == report_files.NOMINAL
    assert file.headers["Content-Disposition"].startswith("attachment")
    assert file.headers["Content-Type"] == "application/octet-stream"


def test_a_sealed_report_is_good_for_its_user_and_tournament_only(world):
    page = world.upload(report_files.NOMINAL)
    token = re.search(r'name="token" value="([^"]+)"', page.content.decode())[1]
    twin = make_tournament(world.system, start=date(2004, 5, 1), arbiter=world.user.arbiter)
    world.client.post(reverse("arbiter-submit", args=[twin.pk]), {"token": token})
    officer = make_user("officer", "tournaments.accept_report")
    client = Client()
    client.force_login(officer)
    client.post(world.url("arbiter-submit"), {"token": token})
    world.client.post(world.url("arbiter-submit"), {"token": token[:-3] + "abc"})
    world.client.post(world.url("arbiter-submit"), {})
    assert world.nothing_stored()
    world.client.post(world.url("arbiter-submit"), {"token": token})
    assert Report.objects.count() == 1


def test_everything_is_checked_anew_on_confirmation(world):
    page = world.upload(report_files.NOMINAL)
    world.players[0].identifiers.all().delete()
    refused = world.confirm(page)
    text = text_of(refused.content.decode())
    assert "Something changed since the preview; nothing was stored." in text
    assert "Alder, Tom: Number 7000011 is not on the register." in text
    assert world.nothing_stored()


def test_a_file_over_one_mebibyte_is_not_read(world):
    page = world.upload(b"0" * (1 << 20) + b"1")
    assert "larger than 1 MiB" in page.content.decode()
    assert "reading" not in page.context
    exact = world.upload(b"0" * (1 << 20))
    assert "larger than 1 MiB" not in exact.content.decode()
    assert exact.context["errors"]


def test_the_upload_is_protected_against_forged_requests(world):
    client = Client(enforce_csrf_checks=True)
    client.force_login(world.user)
    file = SimpleUploadedFile("r.trf", report_files.NOMINAL)
    assert client.post(world.url("arbiter-upload"), {"file": file}).status_code == 403


@pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe", b"PK\x03\x04", "012 ü".encode("latin-1")])
def test_a_file_that_is_no_report_gets_an_answer(world, content):
    page = world.upload(content)
    assert page.status_code == 200
    assert page.context["errors"] >= 1


@pytest.mark.parametrize(
    ("old", "new"), [(b"7000012", b"7000011"), (b"001    2 m", b"001    1 m")], ids=["number", "start number"]
)
def test_what_stands_twice_in_a_file_is_named(world, old, new):
    page = world.upload(report_files.NOMINAL.replace(old, new))
    assert page.status_code == 200
    assert any(issue.code.startswith("duplicate-") for issue in page.context["issues"])


def test_an_accepted_report_is_replaced_by_a_correction_only(world):
    world.confirm(world.upload(report_files.NOMINAL))
    officer = make_user("officer", "tournaments.accept_report")
    accept_report(Report.objects.get(), officer)
    again = text_of(world.upload(report_files.NOMINAL.replace(b"022 Port", b"022 Porto")).content.decode())
    assert "The report has the same games as the accepted one." in again
    corrected = world.upload(report_files.CODES)
    assert "games of the accepted one" in text_of(corrected.content.decode())
    assert Report.objects.count() == 1


def test_a_returned_report_shows_its_remark_and_can_be_sent_corrected(world):
    world.confirm(world.upload(report_files.NOMINAL))
    return_report(
        Report.objects.get(), make_user("officer", "tournaments.accept_report"), "Round 2 is missing."
    )
    assert "Round 2 is missing." in world.client.get(world.url("arbiter-tournament")).content.decode()
    assert "Correct the report" in world.client.get(reverse("arbiter")).content.decode()
    again = world.upload(report_files.NOMINAL)
    assert "This very file was submitted" in again.content.decode()
    better = report_files.NOMINAL.replace(b"022 Port", b"022 Porto")
    assert world.confirm(world.upload(better)).status_code == 302
    assert Report.objects.filter(state="submitted").count() == 1


# --- a typed round robin ---


def typed(rows, had=None, **extra) -> dict:
    data = {
        "players": len(rows),
        "had_players": had or len(rows),
        "row-TOTAL_FORMS": len(rows),
        "row-INITIAL_FORMS": len(rows),
        **extra,
    }
    for at, (number, *cells) in enumerate(rows):
        data[f"row-{at}-number"] = number
        data |= {f"row-{at}-c{column}": text for column, text in enumerate(cells, start=1)}
    return data


ROWS = [
    ("7000011", "", "1", "1", "="),
    ("7000012", "", "", "1", "1"),
    ("7000013", "", "", "", "0.5"),
    ("7000014", "", "", "", ""),
]


def token_of(page) -> str:
    return re.search(r'name="token" value="([^"]+)"', page.content.decode())[1]


def test_a_round_robin_table_goes_the_way_of_a_file_with_rounds_from_berger(world):
    Tournament.objects.update(system="round-robin")
    url = world.url("arbiter-grid")
    page = world.client.post(url, typed(ROWS, check="1"))
    assert page.context["errors"] == 0, page.context["typed"].issues
    text = page.content.decode()
    assert "Berger" in text
    assert f'<td class="who">{NAMES[2]}</td>' in text
    assert world.nothing_stored()
    response = world.client.post(url, typed(ROWS, confirm="1", token=token_of(page)))
    report = Report.objects.get()
    assert response.url == world.url("arbiter-report", report.pk)
    assert b"Cedar, Pat" in bytes(report.content)
    assert sorted(Game.objects.values_list("round", flat=True)) == [1, 1, 2, 2, 3, 3]


def test_enter_in_a_cell_checks_and_never_sends(world):
    """A browser presses the form's first submit button for Enter: it has to be the check."""
    page = world.client.post(world.url("arbiter-grid"), typed(ROWS, check="1"))
    form = page.content.decode().split('class="typing"')[1]
    names = re.findall(r'<button[^>]*type="submit"[^>]*name="(\w+)"', form)
    assert names[0] == "check"
    assert "confirm" in names


def test_a_table_changed_after_the_preview_is_previewed_again(world):
    url = world.url("arbiter-grid")
    token = token_of(world.client.post(url, typed(ROWS, check="1")))
    changed = [("7000011", "", "0", "1", "="), *ROWS[1:]]
    page = world.client.post(url, typed(changed, confirm="1", token=token))
    assert "changed since the preview" in page.content.decode()
    assert world.nothing_stored()


def test_problems_stand_beside_row_and_cell_and_nothing_typed_is_lost(world):
    rows = [("7000011", "", "x", ""), ("999", "", "", "1"), ("Cedar, Pat", "", "", "")]
    page = world.client.post(world.url("arbiter-grid"), typed(rows, check="1"))
    by_row = page.context["typed"].by_row
    assert any(issue.column == 2 and "'x'" in issue.message for issue in by_row[1])
    assert any("999 is not on the register" in issue.message for issue in by_row[2])
    assert any("7000013" in issue.remedy for issue in by_row[3])
    html = page.content.decode()
    for row in rows:
        for text in filter(None, row):
            assert f'value="{text}"' in html
    invalid = re.findall(r"<input[^>]*is-invalid[^>]*>", html)
    assert any('name="row-0-c2"' in field for field in invalid)
    assert not any('name="row-0-c3"' in field for field in invalid)
    assert not page.context["token"]


def test_the_size_can_change_and_what_is_typed_stays(world):
    url = world.url("arbiter-grid")
    page = world.client.post(url, typed(ROWS, had=4, resize="1") | {"players": 6})
    html = page.content.decode()
    assert 'name="row-5-c6"' in html
    assert 'value="0.5"' in html
    assert f'<td class="who">{NAMES[0]}</td>' in html
    html = world.client.post(url, typed(ROWS, had=4, resize="1") | {"players": 2}).content.decode()
    assert "Row 4 is filled in" in html
    assert 'value="7000014"' in html


@pytest.mark.parametrize("button", ["check", "resize"])
def test_a_nul_in_a_cell_is_no_character(world, button):
    """PostgreSQL takes no NUL, not even in a search: a blank stands where it was, and the number is none."""
    rows = [("70000\x0011", "", "\x001"), ("Bir\x00ch", "", "")]
    html = world.client.post(world.url("arbiter-grid"), typed(rows, **{button: "1"})).content.decode()
    for text in ("70000 11", "1", "Bir ch"):
        assert f'value="{text}"' in html


def test_the_table_starts_from_the_registration(world):
    for player in world.players:
        Entry.objects.create(tournament=world.tournament, player=player)
    page = world.client.get(world.url("arbiter-grid"))
    html = page.content.decode()
    assert 'value="7000014"' in html
    assert all(f'<td class="who">{name}</td>' in html for name in NAMES), "a number alone names nobody"
    assert page.context["had"]["players"] == 4


def test_a_row_left_blank_is_no_player(world):
    rows = [
        ("7000011", "", "1", "", "1"),
        ("7000012", "", "", "", "1"),
        ("", "", "", "", ""),
        ("7000014", "", "", "", ""),
    ]
    page = world.client.post(world.url("arbiter-grid"), typed(rows, check="1"))
    assert page.context["errors"] == 0, page.context["typed"].issues
    assert [line.reported.number for line in page.context["parts"][0].lines] == [1, 2, 4]


def test_rubbish_in_the_address_or_the_form_is_no_crash(world):
    url = world.url("arbiter-grid")
    for query in ("?players=x", "?players=-1", "?players=100000"):
        assert world.client.get(url + query).status_code == 200
    for data in ({}, {"had_players": "2"}, {"row-TOTAL_FORMS": "x"}, typed(ROWS, had=9)):
        assert world.client.post(url, {**data, "check": "1"}).status_code == 200


@pytest.mark.parametrize("size", [4, 0])
def test_more_rows_than_the_page_had_are_no_crash(world, size):
    rows = [*ROWS, *[("", "", "", "", "")] * 50, ("7000011", "1", "", "", "")]
    data = typed(rows, had=4, check="1") | {"players": size}
    assert world.client.post(world.url("arbiter-grid"), data).status_code == 200


def test_a_receipt_opens_though_the_system_lost_its_regulation():
    tournament = make_tournament(make_system(), arbiter=make_arbiter(user=(user := make_user())))
    report = make_report(tournament, [make_player(), make_player()], [(1, 1, 2, "1-0")], state="submitted")
    Tournament.objects.update(state="reported")
    tournament.rating_system.regulations.update(effective_from=date(2090, 1, 1))
    client = Client()
    client.force_login(user)
    assert client.get(reverse("arbiter-report", args=[tournament.pk, report.pk])).status_code == 200


def test_the_same_file_again_is_no_error_of_anybody(world):
    world.confirm(world.upload(report_files.NOMINAL))
    page = world.upload(report_files.NOMINAL)
    text = text_of(page.content.decode())
    assert "nothing needs to be done" in text
    assert "Correct the errors" not in text
    assert "Send this report" not in text
    assert Report.objects.count() == 1


def test_a_report_of_another_name_is_warned_of(world):
    other = report_files.NOMINAL.replace(b"012 Nominal", b"012 Harvest Cup")
    assert "registered as “Spring Open”" in text_of(world.upload(other).content.decode())
    same = report_files.NOMINAL.replace(b"012 Nominal", b"012 SPRING OPEN 2004")
    assert "registered as" not in text_of(world.upload(same).content.decode())
