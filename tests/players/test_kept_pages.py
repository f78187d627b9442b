"""Pages kept ready: for whom, until when, and what is never kept."""

import gzip

import pytest
from django.db import connection, transaction
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.test import RequestFactory
from django.utils import translation

from players import audit
from players.kept_pages import kept, stamp

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def memory(settings):
    locmem = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "kept-pages-test"}
    settings.CACHES = settings.CACHES | {"pages": locmem}
    from django.core.cache import caches

    caches["pages"].clear()


@pytest.fixture
def made():
    return []


@pytest.fixture
def view(made):
    def page(request, *, status=200, headers=None, cookie=False, form=False):
        made.append(request.get_full_path())
        words = f"page {len(made)} {'x' * 200} {get_token(request) if form else ''}"
        body = f"<input name=csrfmiddlewaretoken>{words}" if form else words
        response = HttpResponse(body, status=status, headers=headers)
        if cookie:
            response.set_cookie("own", "1")
        return response

    return kept(page)


def get(path="/lists/", **headers):
    return RequestFactory().get(path, **{"HTTP_HOST": "testserver"} | headers)


def act():
    with transaction.atomic():
        audit.record("list.proposed", None, None, "something")


def test_a_page_is_made_once_and_comes_packed_where_that_is_taken(view, made):
    first, second = view(get()), view(get(HTTP_ACCEPT_ENCODING="br;q=1.0, gzip;q=0.8, *;q=0.1"))
    assert len(made) == 1
    assert first.content == gzip.decompress(second.content)
    assert (first.get("Content-Encoding"), second["Content-Encoding"]) == (None, "gzip")
    assert {"Accept-Encoding", "Cookie"} <= set(second["Vary"].split(", "))
    assert first["Cache-Control"] == "no-cache"
    assert "Content-Encoding" not in view(get(HTTP_ACCEPT_ENCODING="gzip;q=0, br")).headers


def test_who_has_the_page_is_told_so(view, made):
    etag = view(get())["ETag"]
    again = view(get(HTTP_IF_NONE_MATCH=etag))
    assert (again.status_code, again.content, len(made)) == (304, b"", 1)


def test_every_act_has_pages_made_anew(view, made):
    view(get())
    for number in (2, 3):
        act()
        assert view(get()).content.startswith(f"page {number}".encode())
    audit.seal()
    view(get())
    assert len(made) == 4, "an entry committed after one with a higher number is seen when sealed"
    view(get())
    assert len(made) == 4


def test_who_signs_in_leaves_the_pages_as_they_are(view, made, django_user_model):
    """Else whoever tries passwords would have all pages made anew all the time."""
    user = django_user_model.objects.create_user("one")
    view(get())
    audit.record("account.sign-in-failed", None, user)
    audit.seal()
    view(get())
    assert len(made) == 1
    act()
    view(get())
    assert len(made) == 2


def test_the_stamp_is_read_from_two_indexes(django_assert_num_queries):
    """However many have signed in since the last act that pages show."""
    act()
    with transaction.atomic():
        for _ in range(200):
            audit.record("account.signed-in", None)
    audit.seal()
    with connection.cursor() as cursor:  # else the planner may know of another table that was here before
        cursor.execute("ANALYZE players_auditentry")
    with django_assert_num_queries(1) as asked:
        stamp()
    plan = "EXPLAIN QUERY PLAN " if connection.vendor == "sqlite" else "EXPLAIN "
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(plan + asked.captured_queries[0]["sql"])
        told = " ".join(str(row) for row in cursor.fetchall())
    assert "audit_shown" in told
    assert "audit_shown_sealed" in told


def test_a_new_day_has_pages_made_anew(view, made, monkeypatch):
    from datetime import date

    from django.utils import timezone

    view(get())
    monkeypatch.setattr(timezone, "localdate", lambda: date(2031, 1, 1))
    view(get())
    assert len(made) == 2


def test_addresses_languages_and_hosts_have_pages_of_their_own(view, made, settings):
    settings.ALLOWED_HOSTS = ["*"]
    view(get())
    view(get("/lists/?page=2"))
    view(get(HTTP_HOST="elsewhere.example"))
    with translation.override("es"):
        view(get())
    assert len(made) == 4


def test_who_opened_a_form_once_gets_the_kept_page(view, made):
    request = get()
    request.COOKIES["csrftoken"] = "1"
    assert view(request).content == view(get()).content == view(request).content
    assert len(made) == 1


@pytest.mark.parametrize("cookie", ["sessionid", "messages", "anything"])
def test_who_brings_a_cookie_gets_his_own_page(view, made, cookie):
    view(get())
    request = get()
    request.COOKIES[cookie] = "1"
    assert view(request).content.startswith(b"page 2")
    assert view(get()).content.startswith(b"page 1"), "and his is kept for nobody"


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 404},
        {"headers": {"Cache-Control": "private"}},
        {"headers": {"Cache-Control": "max-age=0, no-store"}},
        {"cookie": True},
        {"form": True},
    ],
)
def test_what_is_not_for_everybody_is_not_kept(view, made, answer):
    view(get(), **answer)
    view(get(), **answer)
    assert len(made) == 2


def test_what_is_sent_is_not_kept(view, made):
    view(get())
    view(RequestFactory().post("/lists/", HTTP_HOST="testserver"))
    assert len(made) == 2
