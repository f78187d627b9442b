"""Registration in the admin: findings beside the fields, and every button with its right and its state."""

from __future__ import annotations

import base64
import hashlib
import re
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from players.roles import CLERKS, RATING_OFFICERS
from tests.factories import (
    STANDARD,
    appoint,
    make_arbiter,
    make_federation,
    make_list,
    make_player,
    make_report,
    make_system,
    make_tournament,
    make_user,
)
from tests.pages import text_of
from tournaments.models import Entry, Report, Tournament, Waiver

pytestmark = pytest.mark.django_db


def member(group: str) -> Client:
    user = make_user(is_staff=True)
    appoint(user, group)
    client = Client()
    client.force_login(user)
    client.user = user
    return client


@pytest.fixture
def officer() -> Client:
    return member(RATING_OFFICERS)


@pytest.fixture
def clerk() -> Client:
    return member(CLERKS)


def page(tournament: Tournament) -> str:
    return reverse("admin:tournaments_tournament_change", args=[tournament.pk])


def decide(client: Client, tournament: Tournament, what: str, **data):
    url = reverse("admin:tournaments_tournament_decide", args=[tournament.pk, what])
    return client.post(url, data, follow=True)


def now(tournament: Tournament) -> str:
    return Tournament.objects.get(pk=tournament.pk).state


def buttons(client: Client, tournament: Tournament) -> set[str]:
    html = client.get(page(tournament)).content.decode()
    found = set(re.findall(r"/decide/([\w-]+)/", html))
    return found | ({"save-and-register"} if 'name="_register"' in html else set())


def form(system, **fields) -> dict:
    """What a browser sends for a new rapid tournament of three rounds, 10 minutes and 5 seconds."""
    data = {
        "name": "Harbour Rapid",
        "rating_system": system.pk,
        "federation": make_federation().pk,
        "organiser": "Club",
        "city": "Port",
        "system": "swiss",
        "scope": "national",
        "start": "2022-03-05",
        "end": "2022-03-05",
        "registered_on": "2022-02-01",
        "stages-0-colour": "w",
        "stages-0-number": "1",
        "stages-0-minutes": "10",
        "stages-0-increment_seconds": "5",
    }
    for prefix, total in (("stages", 1), ("rounds", 0), ("appointments", 0), ("entries", 0)):
        data |= {f"{prefix}-TOTAL_FORMS": total, f"{prefix}-INITIAL_FORMS": 0}
    return data | fields


ADD = "/admin/tournaments/tournament/add/"


# --- registering ---


def test_a_tournament_is_saved_as_a_draft_and_its_rounds_laid_out(clerk):
    system = make_system()
    clerk.post(ADD, form(system, lay_rounds="5", end="2022-03-06", _save="1"))
    made = Tournament.objects.get()
    assert made.state == "draft"
    assert made.created_by == clerk.user
    assert [(r.number, r.date.day) for r in made.rounds.all()] == [(1, 5), (2, 5), (3, 5), (4, 6), (5, 6)]


def test_rounds_that_do_not_fit_are_an_error(clerk):
    response = clerk.post(ADD, form(make_system(), lay_rounds="5", rounds_a_day="2", _save="1"))
    assert "5 rounds at 2 a day need 3 days; there are 1." in text_of(response.content.decode())
    assert not Tournament.objects.exists()


def test_save_and_register_registers_a_ratable_tournament(clerk):
    response = clerk.post(ADD, form(make_system(), _register="1"), follow=True)
    made = Tournament.objects.get()
    assert made.state == "registered"
    assert response.redirect_chain[-1][0] == page(made)
    assert "Rated as rapid" in text_of(response.content.decode())


def test_an_unratable_one_stays_a_draft_and_shows_why_beside_the_field(clerk):
    data = form(make_system(), registered_on="2022-03-04", _register="1")
    data["stages-0-minutes"] = "2"
    data["stages-0-increment_seconds"] = "0"
    response = clerk.post(ADD, data, follow=True)
    made = Tournament.objects.get()
    assert made.state == "draft"
    html = response.content.decode()
    field = html[html.index("field-registered_on") :]
    field = text_of(field[: field.index("field-start")])
    assert "Article 0.2" in field
    assert "A waiver" in field
    stages = html[html.index("findings-beside") : html.index('id="stages-group"')]
    assert "Article 1.1.2" in text_of(stages)
    assert "No waiver can lift this." in text_of(stages)
    assert "2 minutes" in text_of(html)


def test_no_time_control_is_a_finding_and_no_crash(clerk):
    data = form(make_system(), _register="1")
    data |= {"stages-0-minutes": "", "stages-0-increment_seconds": "0"}
    text = text_of(clerk.post(ADD, data, follow=True).content.decode())
    assert "No time control is entered: add its stages." in text
    assert Tournament.objects.get().state == "draft"


def test_faulty_values_on_the_change_page_are_shown_with_the_stored_findings(clerk):
    draft = make_tournament(make_system(), state="draft", rounds=0)
    data = form(draft.rating_system, end="2022-03-01", _save="1")
    stage = draft.stages.get()
    data |= {"stages-INITIAL_FORMS": 1, "stages-0-id": stage.pk, "stages-0-tournament": draft.pk}
    response = clerk.post(page(draft), data)
    assert "The tournament ends before it starts." in text_of(response.content.decode())


def test_a_registered_tournament_is_fixed_but_takes_entries(clerk):
    system = make_system("standard", regulation=STANDARD)
    tournament = make_tournament(system, start=date(2004, 5, 1), minutes=60, increment=30)
    strong = make_player("Elm, Sam")
    make_list(system, date(2004, 4, 1), {strong: 2205})
    html = clerk.get(page(tournament)).content.decode()
    assert 'name="name"' not in html
    assert 'name="entries-__prefix__-player"' in html
    assert 'name="stages-0-minutes"' not in html
    counts = dict(re.findall(r'name="(\w+-(?:TOTAL|INITIAL)_FORMS)" value="(\d+)"', html))
    data = counts | {"entries-TOTAL_FORMS": 1, "entries-0-player": strong.pk, "_continue": "1"}
    data |= {"name": "Another", "stages-0-minutes": "1", "stages-0-id": tournament.stages.get().pk}
    text = text_of(clerk.post(page(tournament), data, follow=True).content.decode())
    assert Entry.objects.get().player == strong
    assert Tournament.objects.get().name == tournament.name
    assert tournament.stages.get().minutes == 60
    assert "As the entry list is now: the regulation would not rate it. (1.12)" in text
    assert "2205" in text


# --- buttons ---


def test_buttons_are_shown_where_the_state_allows(officer):
    system = make_system()
    expected = {
        "draft": {"save-and-register", "refuse"},
        "registered": {"reopen", "cancel"},
        "refused": {"register", "reopen", "cancel"},
        "returned": {"cancel"},
        "cancelled": {"register-again"},
        "counted": set(),
    }
    for state, shown in expected.items():
        tournament = make_tournament(system, state=state, registered_on=date(2022, 2, 1))
        assert buttons(officer, tournament) == shown, state


def test_a_viewer_gets_no_buttons_and_no_decision():
    user = make_user("viewer", "tournaments.view_tournament", is_staff=True)
    client = Client()
    client.force_login(user)
    for state in ("draft", "registered", "refused"):
        tournament = make_tournament(make_system(f"rapid-{state}"), state=state)
        assert buttons(client, tournament) == set()
        for what in ("register", "refuse", "reopen", "waive"):
            response = decide(client, tournament, what, reason="r", authorization="late-registration")
            assert response.status_code == 403
        assert now(tournament) == state


def test_decisions_are_posts(officer):
    tournament = make_tournament(make_system(), state="draft")
    url = reverse("admin:tournaments_tournament_decide", args=[tournament.pk, "refuse"])
    assert officer.get(url).status_code == 405
    assert officer.post(url.replace("refuse", "nonsense")).status_code == 404


def test_refusing_asks_the_reason_and_reopening_clears_it(clerk):
    tournament = make_tournament(make_system(), state="draft")
    decide(clerk, tournament, "refuse", reason="  ")
    assert now(tournament) == "draft"
    text = text_of(decide(clerk, tournament, "refuse", reason="No arbiter.").content.decode())
    assert now(tournament) == "refused"
    assert "No arbiter." in text
    decide(clerk, tournament, "reopen")
    assert now(tournament) == "draft"
    assert [step.state for step in Tournament.objects.get().changes.all()] == ["refused", "draft"]


def test_a_refused_tournament_can_be_registered_on_appeal(clerk):
    tournament = make_tournament(make_system(), state="refused", registered_on=date(2022, 2, 1))
    decide(clerk, tournament, "register")
    assert now(tournament) == "registered"


def test_a_waiver_is_granted_by_officers_for_findings_that_allow_it(officer, clerk):
    tournament = make_tournament(make_system(), state="draft", registered_on=date(2022, 3, 5))
    assert buttons(clerk, tournament) == {"save-and-register", "refuse"}
    assert "waive" in buttons(officer, tournament)
    denied = decide(clerk, tournament, "waive", authorization="late-registration", reason="Storm.")
    assert denied.status_code == 403
    decide(officer, tournament, "waive", authorization="late-registration", reason="")
    decide(officer, tournament, "waive", authorization="longer-duration", reason="Storm.")
    assert not Waiver.objects.exists()
    text = text_of(
        decide(
            officer, tournament, "waive", authorization="late-registration", reason="Storm."
        ).content.decode()
    )
    waiver = Waiver.objects.get()
    assert (waiver.article, waiver.reason, waiver.granted_by) == ("0.2", "Storm.", officer.user)
    assert "Lifted by a waiver." in text
    assert "Storm." in text
    assert "waive" not in buttons(officer, tournament)


def test_a_waiver_for_decided_games_of_a_match_is_offered_beforehand(officer):
    tournament = make_tournament(
        make_system(), state="draft", scheduled_games=6, registered_on=date(2022, 2, 1)
    )
    Tournament.objects.update(system="match")
    decide(officer, tournament, "waive", authorization="decided-match-games", reason="All six are played.")
    assert Waiver.objects.get().article == "5.2"


def test_a_report_is_accepted_and_returned_by_officers_only(officer, clerk):
    tournament = make_tournament(make_system())
    report = make_report(tournament, [make_player(), make_player()], [(1, 1, 2, "1-0")], state="submitted")
    assert {"accept", "return"} <= buttons(officer, tournament)
    assert not {"accept", "return"} & buttons(clerk, tournament)
    assert decide(clerk, tournament, "accept", report=report.pk).status_code == 403
    decide(officer, tournament, "return", report=report.pk, reason="")
    decide(officer, tournament, "accept", report="")
    assert now(tournament) == "reported"
    decide(officer, tournament, "accept", report=report.pk)
    assert now(tournament) == "accepted"
    assert "accept" not in buttons(officer, tournament)
    decide(officer, tournament, "return", report=report.pk, reason="Round 2 is missing.")
    report.refresh_from_db()
    assert (now(tournament), report.state, report.remark) == ("returned", "returned", "Round 2 is missing.")
    assert report.decided_by == officer.user


@pytest.mark.parametrize("number", ["9" * 5000, "9" * 20, "²", "-1"])
def test_a_forged_report_number_is_no_crash(officer, number):
    tournament = make_tournament(make_system(), state="reported")
    assert (
        "no longer the standing one" in decide(officer, tournament, "accept", report=number).content.decode()
    )


def test_a_nul_in_a_reason_is_no_crash(officer):
    tournament = make_tournament(make_system(), state="draft")
    response = decide(officer, tournament, "refuse", reason="no\x00thing")
    assert (response.status_code, now(tournament)) == (200, "refused")
    assert tournament.changes.get().reason == "no thing"


def test_a_replaced_report_cannot_be_accepted(officer):
    tournament = make_tournament(make_system())
    players = [make_player(), make_player()]
    old = make_report(tournament, players, [(1, 1, 2, "1-0")], state="submitted")
    Report.objects.filter(pk=old.pk).update(state="replaced")
    text = text_of(decide(officer, tournament, "accept", report=old.pk).content.decode())
    assert "no longer the standing one" in text
    assert now(tournament) == "reported"


# --- what cannot be changed or deleted ---


def test_tournaments_with_reports_cannot_be_deleted(officer):
    tournament = make_tournament(make_system(), state="refused")
    make_report(tournament, [make_player(), make_player()], [(1, 1, 2, "1-0")], state="returned")
    url = reverse("admin:tournaments_tournament_delete", args=[tournament.pk])
    assert officer.post(url, {"post": "yes"}).status_code == 403
    changelist = reverse("admin:tournaments_tournament_changelist")
    assert "delete_selected" not in officer.get(changelist).content.decode()
    officer.post(
        changelist, {"action": "delete_selected", "_selected_action": [tournament.pk], "post": "yes"}
    )
    assert Tournament.objects.filter(pk=tournament.pk).exists()


def test_a_draft_goes_with_its_waivers(officer):
    tournament = make_tournament(make_system(), state="draft", registered_on=date(2022, 3, 5))
    decide(officer, tournament, "waive", authorization="late-registration", reason="Storm.")
    officer.post(reverse("admin:tournaments_tournament_delete", args=[tournament.pk]), {"post": "yes"})
    assert not Tournament.objects.exists()


def test_reports_and_waivers_are_read_only_even_for_a_superuser(admin_client):
    tournament = make_tournament(make_system())
    report = make_report(tournament, [make_player(), make_player()], [(1, 1, 2, "1-0")], state="submitted")
    for model in ("report", "waiver"):
        assert admin_client.get(f"/admin/tournaments/{model}/add/").status_code == 403
    assert admin_client.post(f"/admin/tournaments/report/{report.pk}/change/", {}).status_code == 403
    assert (
        admin_client.post(f"/admin/tournaments/report/{report.pk}/delete/", {"post": "yes"}).status_code
        == 403
    )


def test_the_original_file_is_a_download_with_its_digest(officer):
    content = b"012 Harbour\r\n<script>"
    tournament = make_tournament(make_system())
    report = make_report(tournament, [make_player(), make_player()], [(1, 1, 2, "1-0")], state="submitted")
    sha = hashlib.sha256(content)
    Report.objects.filter(pk=report.pk).update(
        content=content, sha256=sha.hexdigest(), filename='a"\r\nX: b.trf'
    )
    response = officer.get(reverse("admin:tournaments_report_download", args=[report.pk]))
    assert response.content == content
    assert response.headers["Content-Disposition"].startswith("attachment")
    assert "X" not in response.headers
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Repr-Digest"] == f"sha-256=:{base64.b64encode(sha.digest()).decode()}:"
    shown = officer.get(reverse("admin:tournaments_report_change", args=[report.pk])).content.decode()
    assert sha.hexdigest() in shown
    outsider = Client()
    outsider.force_login(make_user("staff", is_staff=True))
    assert outsider.get(reverse("admin:tournaments_report_download", args=[report.pk])).status_code == 403


def test_findings_of_a_report_are_shown_escaped(officer):
    tournament = make_tournament(make_system())
    report = make_report(tournament, [make_player(), make_player()], [(1, 1, 2, "1-0")], state="submitted")
    issue = {"severity": "warning", "line": 7, "article": "7.1", "message": "<b>odd</b>", "remedy": "See."}
    Report.objects.filter(pk=report.pk).update(findings=[issue])
    html = officer.get(reverse("admin:tournaments_report_change", args=[report.pk])).content.decode()
    assert "&lt;b&gt;odd" in html
    assert "Line 7" in html


# --- the other pages open ---


def test_every_page_of_the_admin_opens(admin_client):
    tournament = make_tournament(make_system(), arbiter=make_arbiter())
    make_report(tournament, [make_player(), make_player()], [(1, 1, 2, "1-0")])
    for model in ("ratingsystem", "arbiter", "tournament", "report", "waiver"):
        url = reverse(f"admin:tournaments_{model}_changelist")
        assert admin_client.get(url, {"q": "a"} if model != "waiver" else {}).status_code == 200
    for model in ("ratingsystem", "arbiter", "tournament"):
        assert admin_client.get(reverse(f"admin:tournaments_{model}_add")).status_code == 200
    for model in ("player", "federation", "issuingbody"):
        assert admin_client.get(reverse(f"admin:players_{model}_changelist"), {"q": "a"}).status_code == 200
        assert admin_client.get(reverse(f"admin:players_{model}_add")).status_code == 200


def test_a_regulation_is_chosen_from_those_installed(admin_client):
    html = admin_client.get(reverse("admin:tournaments_ratingsystem_change", args=[make_system().pk])).content
    assert b'<option value="fide-rapid-blitz-2022" selected>' in html
    assert b'<option value="fide-standard-2004">' in html


def test_players_are_found_by_name_without_accents_or_by_number(admin_client):
    make_player("Núñez, Íñigo", fide_id="7123456")
    make_player("Other, One")
    url = reverse("admin:players_player_changelist")
    for words in ("inigo nunez", "7123456"):
        html = admin_client.get(url, {"q": words}).content.decode()
        assert "Núñez" in html
        assert "Other, One" not in html
    found = admin_client.get(
        reverse("admin:autocomplete"),
        {"term": "nunez", "app_label": "tournaments", "model_name": "entry", "field_name": "player"},
    )
    assert len(found.json()["results"]) == 1
