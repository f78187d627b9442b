"""Periods in the admin: proposals, computing and publishing with visible progress, the opening list."""

from __future__ import annotations

from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from players.roles import APPROVERS, CLERKS, RATING_OFFICERS
from ratinglists import services
from ratinglists.models import Job, ListRow, Period, RatingList
from tests.factories import (
    appoint,
    make_federation,
    make_list,
    make_period,
    make_player,
    make_report,
    make_system,
    make_tournament,
    make_user,
)
from tests.pages import text_of
from tournaments.services import NotAllowedNow

pytestmark = pytest.mark.django_db
OPENING = (
    "name,federation,fide_id,rating,birth,sex,title\n"
    '"Birch, Lou",XAA,7000012,2010,1980,m,\n'
    '"Alder, Tom",XAA,7000011,2143,1979-03-02,m,FM\n'
)


@pytest.fixture(autouse=True)
def silent(monkeypatch):
    """No broker: what is queued waits in its row."""
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job_id: None)


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
def approver() -> Client:
    return member(APPROVERS)


@pytest.fixture
def period() -> Period:
    """One accepted rapid event of two rated players, one still waiting for its decision."""
    system = make_system()
    players = [make_player("Alder, Tom"), make_player("Birch, Lou")]
    make_list(system, date(2022, 3, 1), rows={p: {"rating": 1800, "career_games": 50} for p in players})
    counted = make_tournament(system, name="Harbour Rapid", start=date(2022, 3, 5))
    make_report(counted, players, [(1, 1, 2, "1-0")])
    waiting = make_tournament(system, name="Island Rapid", start=date(2022, 3, 6))
    make_report(waiting, players, [(1, 2, 1, "1-0")], state="submitted")
    return make_period(system, date(2022, 4, 1), date(2022, 3, 29))


def page(period: Period) -> str:
    return reverse("admin:ratinglists_period_change", args=[period.pk])


def ask(client: Client, period: Period, what: str):
    return client.post(reverse("admin:ratinglists_period_ask", args=[period.pk, what]), follow=True)


def progress(client: Client, period: Period) -> dict:
    return client.get(reverse("admin:ratinglists_period_progress", args=[period.pk])).json()


def text(client: Client, period: Period) -> str:
    return text_of(client.get(page(period)).content.decode())


def test_before_a_computation_the_page_says_what_it_would_count(officer, period):
    shown = text(officer, period)
    assert "What a computation now would count" in shown
    assert "Counted: 1 Tournament Harbour Rapid" in shown
    assert "Deferred: 1 Tournament Reason Island Rapid Its report is not accepted" in shown


def test_a_period_is_computed_and_published_from_its_page(officer, approver, period):
    response = ask(officer, period, "compute")
    html = response.content.decode()
    job = Job.objects.get()
    assert job.requested_by == officer.user
    assert "data-progress=" in html
    assert '<noscript><meta http-equiv="refresh"' in html
    assert "/ask/compute/" not in html
    assert progress(officer, period)["finished"] is False
    services.run_job(job.pk)
    now = progress(officer, period)
    assert (now["state"], now["finished"]) == ("done", True)
    draft = RatingList.objects.get(period=period)
    html = officer.get(page(period)).content.decode()
    rows = f"{reverse('admin:ratinglists_listrow_changelist')}?rating_list__id__exact={draft.pk}"
    assert 'href="/lists/rapid/2022-04-01/?draft=1"' in html
    assert "Alder, Tom" in officer.get("/lists/rapid/2022-04-01/?draft=1").content.decode()
    assert rows in member(CLERKS).get(page(period)).content.decode(), "the drawn draft is not for clerks"
    assert "Alder, Tom" in officer.get(rows).content.decode()
    assert "/ask/publish/" not in html
    assert "/ask/publish/" in approver.get(page(period)).content.decode()
    ask(approver, period, "publish")
    services.run_job(Job.objects.get(kind="publish").pk)
    html = officer.get(page(period)).content.decode()
    assert "/lists/rapid/2022-04-01/" in html
    assert officer.get("/lists/rapid/2022-04-01/").status_code == 200
    assert "/ask/" not in html
    assert RatingList.objects.get(period=period).published_by == approver.user


def test_a_running_job_is_shown_with_its_numbers(officer, period):
    ask(officer, period, "compute")
    Job.objects.update(state="running", stage="rating events", progress=3, total=8)
    assert progress(officer, period) | {"stage": "rating events", "progress": 3, "total": 8} == progress(
        officer, period
    )
    html = officer.get(page(period)).content.decode()
    assert '<progress data-job="bar" max="8" value="3">' in html


def test_a_failure_is_shown_with_its_text(officer, approver, period):
    ask(approver, period, "publish")
    services.run_job(Job.objects.get().pk)
    html = officer.get(page(period)).content.decode()
    assert "has no draft: compute it first." in html
    assert "/ask/compute/" in html
    assert progress(officer, period)["state"] == "failed"


def test_a_draft_overtaken_by_a_report_is_marked(officer, period):
    ask(officer, period, "compute")
    services.run_job(Job.objects.get().pk)
    assert "compute it again" not in text(officer, period)
    late = make_tournament(period.system, start=date(2022, 3, 7))
    make_report(late, [make_player(), make_player()], [(1, 1, 2, "1-0")])
    assert "compute it again" in text(officer, period)


def test_clerks_look_but_neither_compute_nor_publish(period):
    clerk = member(CLERKS)
    html = clerk.get(page(period)).content.decode()
    assert "/ask/" not in html
    for what in ("compute", "publish"):  # to propose and to approve there is no draft yet
        assert ask(clerk, period, what).status_code == 403
    assert clerk.get(reverse("admin:ratinglists_period_open")).status_code == 403
    assert not Job.objects.exists()
    assert progress(clerk, period)["job"] is None


def test_progress_is_for_staff_who_may_see_the_period(period):
    url = reverse("admin:ratinglists_period_progress", args=[period.pk])
    assert Client().get(url).status_code == 302
    client = Client()
    client.force_login(make_user("staff", is_staff=True))
    assert client.get(url).status_code == 403


def test_asking_is_a_post(officer, period):
    url = reverse("admin:ratinglists_period_ask", args=[period.pk, "compute"])
    assert officer.get(url).status_code == 405
    assert officer.post(url.replace("compute", "burn")).status_code == 404


# --- a new period ---


def test_the_next_period_is_proposed_and_filled_in(officer, period):
    changelist = officer.get(reverse("admin:ratinglists_period_changelist")).content.decode()
    assert "Rapid 2022-05-01" in changelist
    add = reverse("admin:ratinglists_period_add")
    html = officer.get(add, {"system": "rapid"}).content.decode()
    assert 'value="2022-05-01"' in html
    officer.post(add, {"system": "rapid", "list_date": "", "closes_on": ""})
    made = Period.objects.get(list_date=date(2022, 5, 1))
    assert made.closes_on == made.system.regulation_on(made.list_date).closing_date(made.list_date)


def test_a_period_of_a_system_without_regulation_needs_both_dates(officer):
    system = make_system(since=date(2090, 1, 1))
    response = officer.post(reverse("admin:ratinglists_period_add"), {"system": system.pk})
    assert "follows no regulation then" in response.content.decode()
    assert not Period.objects.exists()


@pytest.mark.parametrize("day", ["2001-01-01", "0001-01-01", "9999-12-01"])
def test_a_period_with_an_impossible_date_is_refused(officer, day):
    system = make_system(since=date(2022, 1, 1))
    response = officer.post(reverse("admin:ratinglists_period_add"), {"system": system.pk, "list_date": day})
    wanted = "follows no regulation then" if day == "2001-01-01" else "is not between 1900 and"
    assert wanted in response.content.decode()
    assert not Period.objects.exists()


def test_a_period_can_be_dropped_with_draft_and_jobs_until_it_is_published(officer, period):
    ask(officer, period, "compute")
    services.run_job(Job.objects.get().pk)
    published = Period.objects.get(list_date=date(2022, 3, 1))
    for each in (period, published):
        officer.post(reverse("admin:ratinglists_period_delete", args=[each.pk]), {"post": "yes"})
    assert list(Period.objects.all()) == [published]


# --- the opening list ---


def open_with(client: Client, content: str, **data):
    file = SimpleUploadedFile("opening.csv", content.encode())
    given = {"system": "rapid", "list_date": "2022-03-01", "file": file, **data}
    return client.post(reverse("admin:ratinglists_period_open"), given, follow=True)


def test_an_opening_list_is_brought_in_by_one_and_published_by_another(settings, officer, approver):
    settings.PORTAL_ONE_PERSON = False
    make_system()
    make_federation()
    assert open_with(approver, OPENING).status_code == 403
    response = open_with(officer, OPENING)
    opening = RatingList.objects.get()
    assert (opening.state, opening.is_opening, opening.rows.count()) == ("draft", True, 2)
    assert response.redirect_chain[-1][0] == page(opening.period)
    assert not Job.objects.exists(), "files are not written in the request"
    with pytest.raises(NotAllowedNow, match="waits for its publication"):
        services.open_system(opening.system, date(2022, 2, 1), OPENING.encode())
    ask(officer, opening.period, "publish")
    ask(officer, opening.period, "compute")
    for job in Job.objects.all():
        services.run_job(job.pk)
    opening.refresh_from_db()
    assert opening.state == "draft"
    opening.rows.filter(rating=2143).update(career_games=999)
    ask(approver, opening.period, "approve")
    job = Job.objects.get(kind="publish", state="queued")
    services.run_job(job.pk)
    job.refresh_from_db()
    assert "somebody changed them in the database" in job.message
    opening.rows.filter(rating=2143).update(career_games=0)
    ask(approver, opening.period, "publish")
    services.run_job(Job.objects.get(kind="publish", state="queued").pk)
    opening.refresh_from_db()
    assert (opening.state, opening.has_two_persons, opening.one_person) == ("published", True, False)


def test_all_problems_of_an_opening_list_are_shown_and_nothing_is_stored(officer):
    make_system()
    bad = OPENING.replace("XAA", "QQQ", 1).replace("2143", "21x3")
    shown = text_of(open_with(officer, bad).content.decode())
    assert "Nothing was stored" in shown
    assert "QQQ" in shown
    assert "21x3" in shown
    assert not RatingList.objects.exists()
    assert not ListRow.objects.exists()


def test_the_form_of_the_opening_list_says_what_is_wrong(officer, period):
    make_system("blitz", rate="blitz", since=date(2022, 1, 1))
    assert "Select a valid choice" in open_with(officer, OPENING).content.decode()  # rapid has a list
    old = open_with(officer, OPENING, system="blitz", list_date="1999-01-01").content.decode()
    assert "follows no regulation on 1999-01-01" in old
    make_period(Period._meta.get_field("system").related_model.objects.get(pk="blitz"), date(2022, 3, 1))
    assert "There is a period of this date" in open_with(officer, OPENING, system="blitz").content.decode()


# --- lists and jobs are read ---


def test_lists_rows_and_jobs_are_read_only_even_for_a_superuser(admin_client, period):
    listed = RatingList.objects.get()
    job = Job.objects.create(kind="compute", period=period)
    for model, pk in (("ratinglist", listed.pk), ("listrow", listed.rows.first().pk), ("job", job.pk)):
        base = f"/admin/ratinglists/{model}/"
        assert admin_client.get(base).status_code == 200
        assert admin_client.get(f"{base}{pk}/change/").status_code == 200
        assert admin_client.get(f"{base}add/").status_code == 403
        assert admin_client.post(f"{base}{pk}/change/", {}).status_code == 403
        assert admin_client.post(f"{base}{pk}/delete/", {"post": "yes"}).status_code == 403
        assert "delete_selected" not in admin_client.get(base).content.decode()
