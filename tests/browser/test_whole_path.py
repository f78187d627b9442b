"""The main job as people do it: register, report, compute, publish, look up. A real worker computes."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from players.roles import ensure_roles
from tests.factories import (
    STANDARD,
    make_arbiter,
    make_list,
    make_period,
    make_player,
    make_system,
    make_user,
)
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HEADER = """\
012 Harbour Open
022 Port
032 XAA
042 {start:%Y/%m/%d}
052 {end:%Y/%m/%d}
092 Individual: Swiss-System
102 Arbiter, Ana
122 90 min + 30 s
"""
PLAYERS = """\
f    Invented, Anna                    2143 XAA     9000011 1990/01/01  2.0    1     3 w 1     2 b 1
m    Invented, Bert                    2010 XAA     9000012 1990/01/01  1.0    2     4 b 1     1 w 0
m    Invented, Carl                    2000 XAA     9000013 1990/01/01  1.0    3     1 b 0     4 w 1
f    Invented, Dora                    1905 XAA     9000014 1990/01/01  0.0    4     2 w 0     3 b 0
"""


def report(start, end) -> bytes:
    rows = [f"001 {number:4} {row}" for number, row in enumerate(PLAYERS.splitlines(), start=1)]
    return "\r\n".join([*HEADER.format(start=start, end=end).splitlines(), *rows, ""]).encode()


@pytest.fixture
def strict(settings):
    """The two-person rule, as it holds unless a federation does without."""
    settings.PORTAL_ONE_PERSON = False


@pytest.fixture
def federation(strict, worker):
    """A standard list of three rated players and one unrated, an arbiter, an officer, an open period."""
    from django.contrib.auth.models import Group

    ensure_roles()
    officer = make_user("officer", is_staff=True)
    officer.groups.add(Group.objects.get(name="Rating officers"))
    make_user("approver", is_staff=True).groups.add(Group.objects.get(name="Approvers"))
    make_arbiter("Arbiter, Ana", user=make_user("ana"), title="IA")
    system = make_system("standard", regulation=STANDARD, schedule="manual")
    names = {"Anna": (2143, "f"), "Bert": (2010, "m"), "Carl": (None, "m"), "Dora": (1905, "f")}
    players = {
        make_player(f"Invented, {name}", fide_id=f"900001{number}", sex=sex): rating
        for number, (name, (rating, sex)) in enumerate(names.items(), start=1)
    }
    today = timezone.localdate()
    make_list(system, today - timedelta(60), players, rows={p: {"career_games": 60} for p in players})
    make_period(system, today, today)
    return today


def sign_in(page, name: str) -> None:
    page.goto("/accounts/login/")
    page.fill("[name=login]", name)
    page.fill("[name=password]", "secret")
    page.click("main button[type=submit]")


def sign_out(page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Sign out").click()


def choose(page, field: str, text: str) -> None:
    """Choose in one of the admin's searching fields."""
    page.locator(f".select2-selection:has(#select2-id_{field}-container)").click()
    page.locator(".select2-search__field").fill(text)
    page.locator(".select2-results__option", has_text=text).first.click()


def fill_tournament(page, start, end) -> None:
    page.goto("/admin/tournaments/tournament/add/")
    page.fill("#id_name", "Harbour Open")
    page.select_option("#id_rating_system", "standard")
    choose(page, "federation", "XAA")
    page.fill("#id_organiser", "Harbour Chess Club")
    for field, day in (("start", start), ("end", end), ("registered_on", start - timedelta(9))):
        page.fill(f"#id_{field}", f"{day}")
    page.fill("#id_stages-0-minutes", "5")
    page.fill("#id_stages-0-increment_seconds", "30")
    for number, day in enumerate((start, end)):
        page.locator("#rounds-group .add-row a").click()
        page.fill(f"#id_rounds-{number}-number", str(number + 1))
        page.fill(f"#id_rounds-{number}-date", f"{day}")
    choose(page, "appointments-0-arbiter", "Arbiter, Ana")


def test_from_registration_to_the_published_rating(page, federation, tmp_path):
    start, end = federation - timedelta(2), federation - timedelta(1)
    # Staff register: 5 minutes and 30 s are 35 for 60 moves, refused beside the field; 90 and 30 s are 120.
    sign_in(page, "officer")
    fill_tournament(page, start, end)
    page.get_by_role("button", name="Save and register").click()
    tournament = Tournament.objects.get()
    assert tournament.state == "draft"
    expect(page.locator("#content")).to_contain_text("1.14")
    page.fill("#id_stages-0-minutes", "90")
    page.get_by_role("button", name="Save and register").click()
    tournament.refresh_from_db()
    assert tournament.state == "registered"
    sign_out(page)

    # The arbiter uploads: the dry run shows it all and stores nothing.
    sign_in(page, "ana")
    page.goto("/arbiter/")
    page.get_by_role("link", name="Harbour Open").first.click()
    page.get_by_role("link", name="Upload").first.click()
    file = tmp_path / "harbour.trf"
    file.write_bytes(report(start, end))
    page.set_input_files("input[type=file]", file)
    page.get_by_role("button", name="Check the report").click()
    expect(page.locator("main")).to_contain_text("+4.8")
    expect(page.locator("main")).to_contain_text("counts as unrated")
    tournament.refresh_from_db()
    assert (tournament.state, tournament.reports.count()) == ("registered", 0)
    page.get_by_role("button", name="Send this report").click()
    tournament.refresh_from_db()
    assert tournament.state == "reported"
    expect(page.locator("main")).to_contain_text(tournament.reports.get().sha256)
    sign_out(page)

    # Staff accept, compute and propose, another approves and publishes; the worker does the work.
    sign_in(page, "officer")
    page.goto(f"/admin/tournaments/tournament/{tournament.pk}/change/")
    page.get_by_role("button", name="Accept report").click()
    tournament.refresh_from_db()
    assert tournament.state == "accepted"
    page.goto("/admin/ratinglists/period/")
    page.locator("#result_list a", has_text=f"{federation.year}").first.click()
    page.get_by_role("button", name="Compute").click()
    page.get_by_role("button", name="Propose").click(timeout=60_000)
    page.get_by_text("You proposed it").wait_for()
    assert page.get_by_role("button", name="Approve and publish").count() == 0
    period_page = page.url
    sign_out(page)
    sign_in(page, "approver")
    page.goto(period_page)
    page.get_by_role("button", name="Approve and publish").click()
    page.get_by_role("link", name="see the public list").wait_for(timeout=60_000)
    sign_out(page)

    # The public sees the rating and why.
    page.goto("/lists/standard/")
    expect(page.locator("main")).to_contain_text("Proposed and approved by two persons")
    row = page.locator("tr", has_text="Invented, Anna")
    expect(row).to_contain_text("2148")
    row.get_by_role("link").first.click()
    expect(page).to_have_url(re.compile("/players/"))
    expect(page.locator("main")).to_contain_text("2148")
    page.get_by_role("link", name="calculation").first.click()
    for words in ("10.51", "10.54", "6.4", "2010", "0.68", "4.8"):
        expect(page.locator("main")).to_contain_text(words)
