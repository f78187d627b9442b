"""Headers: the policy, its nonces, privacy, redirects, hosts and cookies. Those of every answer of every
address are looked at where every address is asked for, in ``tests.ratinglists.test_canary``."""

from __future__ import annotations

import re

import pytest
from django.contrib.staticfiles import finders
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.template import Context, Template
from django.test import Client, RequestFactory, override_settings
from django.urls import path, reverse

from ratingsite import nonces
from ratingsite import settings as production
from ratingsite.middleware import security_headers
from tests.factories import make_user
from tests.ratinglists.walk import check_headers

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("where", "status"),
    [
        ("/no-such-page", 404),
        ("/admin/no/", 302),
        ("/healthz", 200),
        ("/api/v1/nothing", 404),
        ("/players/?q=%00", None),
        ("/static/css/portal.css", None),
        ("/complaints/case/none/", 404),
        ("/robots.txt", 200),
        ("/accounts/logout/", 302),
        ("/admin/logout/", 302),
        ("/language/es/", 302),
        ("/admin/password_change/done/", 302),
    ],
)
def test_errors_and_files(client, where, status):
    answer = client.get(where)
    assert status is None or answer.status_code == status
    check_headers(answer, where)


def test_refusals(client):
    check_headers(client.post("/lists/"), "405")
    check_headers(Client(enforce_csrf_checks=True).post("/accounts/login/", {"username": "a"}), "403")
    check_headers(client.get("/", headers={"host": "elsewhere.example"}), "400")
    check_headers(client.post("/accounts/login/", b"x" * (4 << 20), content_type="text/plain"), "413")
    assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 400


def _breaks(request):
    raise RuntimeError("a fault of the portal")


def _bad(request):
    raise BadRequest("no")


urlpatterns = [path("breaks", _breaks), path("bad", _bad)]


@override_settings(ROOT_URLCONF=__name__)
def test_faults_of_the_portal():
    client = Client(raise_request_exception=False)
    for where, status in (("/breaks", 500), ("/bad", 400)):
        answer = client.get(where)
        assert answer.status_code == status
        check_headers(answer, where)


def test_static_files_by_whitenoise(settings, tmp_path):
    from whitenoise.middleware import WhiteNoiseMiddleware

    settings.STATIC_ROOT = str(tmp_path)
    (tmp_path / "a.css").write_bytes(b"body {}")
    answer = security_headers(WhiteNoiseMiddleware(lambda request: HttpResponse(status=404)))(
        RequestFactory().get("/static/a.css")
    )
    assert answer.status_code == 200
    check_headers(answer, "a.css")
    assert "public" in answer.headers["Cache-Control"]
    assert finders.find("css/portal.css")


def test_hsts_only_by_https(client, settings):
    settings.SECURE_HSTS_SECONDS = 1000
    assert "Strict-Transport-Security" not in client.get("/healthz").headers
    secure = client.get("/api/v1/nothing", secure=True)
    assert secure.headers["Strict-Transport-Security"] == "max-age=1000; includeSubDomains"


# --- nonces ---------------------------------------------------------------------------------------


def test_only_what_a_template_wrote_has_a_nonce():
    source = '<script src="a.js"></script>{{ text|safe }}<script type="application/json">1</script>'
    made = Template(nonces.with_nonces(source))
    html = made.render(Context({"csp_nonce": "once", "text": "<script>evil()</script>"}))
    ours, theirs = '<script nonce="once" src="a.js"></script>', "<script>evil()</script>"
    assert html == f'{ours}{theirs}<script type="application/json">1</script>'


def test_public_pages_have_no_script_and_are_kept_without_nonce(client):
    for where in ("/", "/players/", "/lists/", "/tournaments/", "/verify/"):
        answer = client.get(where)
        assert "script-src 'none'" in answer.headers["Content-Security-Policy"], where
        assert "nonce" not in answer.content.decode()


# --- redirects, hosts, cookies ----------------------------------------------------------------------

ELSEWHERE = [
    "https://evil.example/", "//evil.example", "///evil.example", "\\\\evil.example", "/\\evil.example",
    "https:evil.example", "http:///evil.example", "javascript:alert(1)", " //evil.example",
    "\t//evil.example",
    "https://testserver@evil.example/", "https://evil.example\\@testserver/", "//testserver:80@evil.example/",
    "ftp://testserver/", "data:text/html,x", "//evil%E3%80%82example", "/\t/evil.example",
    "%2f%2fevil.example/../",
]  # fmt: skip


@pytest.mark.parametrize("target", ELSEWHERE)
def test_no_redirect_leads_elsewhere(client, target):
    user = make_user("ann", is_staff=True)
    user.set_password("a pass phrase")
    user.save()
    given = {"username": "ann", "password": "a pass phrase", "next": target}
    answers = [client.get("/language/es/", {"next": target})]
    for door in ("/accounts/login/", "/admin/login/"):
        answers.append(Client().post(f"{door}", given))
        answers.append(Client().post(door, given, query_params={"next": target}))
    client.force_login(user)
    answers.append(client.post("/accounts/logout/", {"next": target}))
    for answer in answers:
        assert answer.status_code in (200, 302)
        if answer.status_code == 302:
            where = answer.headers["Location"]
            assert where.startswith(("/", "%2f")), where
            assert not re.match(r"[/\\\s]{2}", where), where


LEADS = re.compile(r"(GET|POST)(\.get\(|\[)[\"'](next|return\w*|url|redirect\w*|target|back)[\"']")


def test_every_parameter_that_leads_somewhere_is_known():
    """``next`` is read in one place of ours; Django's own doors are tried above."""
    from tests.programs import ROOT

    found = [
        str(each.relative_to(ROOT))
        for app in ("players", "tournaments", "ratinglists", "ratingsite")
        for each in (ROOT / app).rglob("*.py")
        if re.search(
            r"(GET|POST)(\.get\(|\[)[\"'](next|return\w*|url|redirect\w*|target|back)[\"']", each.read_text()
        )
        or "HTTP_REFERER" in each.read_text()
    ]
    assert found == ["ratingsite/languages/views.py"]


PRODUCTION = {
    "PORTAL_PRODUCTION": True,
    "PORTAL_ORIGIN": "https://ratings.example.org",
    "ALLOWED_HOSTS": ["ratings.example.org"],
    "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https"),
}


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("ratings.example.org", 200),
        ("ratings.example.org:443", 200),
        ("RATINGS.example.org", 200),
        ("ratings.example.org.", 200),
        ("ratings.example.org:80", 400),
        ("ratings.example.org:8443", 400),
        ("ratings.example.org:0443", 400),
        ("ratings.example.org:", 400),
        ("ratings.example.org:443@evil.example", 400),
        ("evil.example", 400),
        ("a.ratings.example.org", 400),
        ("evil-ratings.example.org", 400),
        ("ratings.example.org.evil.example", 400),
        ("ratings.example.org, evil.example", 400),
        ("127.0.0.1", 400),
    ],
)
def test_exact_hosts(client, host, status):
    with override_settings(**PRODUCTION):
        answer = client.get("/healthz", headers={"host": host, "x-forwarded-proto": "https"})
        assert answer.status_code == status


@pytest.mark.parametrize(
    "header", ["x-forwarded-host", "x-host", "forwarded", "x-forwarded-server", "x-original-url"]
)
def test_no_other_header_tells_the_host(client, header):
    evil = "host=evil.example" if header == "forwarded" else "evil.example"
    answer = client.get("/players/", headers={header: evil, "x-forwarded-port": "8443"})
    assert "evil.example" not in answer.content.decode()
    assert "8443" not in answer.content.decode()


def test_cookies_of_a_production(tmp_path):
    """As a production by https sets them; the tests' own settings are those of a demonstration."""
    import os
    import subprocess
    import sys

    from tests.programs import ROOT

    program = (
        "import django; django.setup(); from django.conf import settings as s;"
        "print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, s.LANGUAGE_COOKIE_NAME, s.MESSAGE_STORAGE,"
        " s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.LANGUAGE_COOKIE_SECURE, s.SESSION_COOKIE_HTTPONLY,"
        " s.LANGUAGE_COOKIE_HTTPONLY, s.SESSION_COOKIE_SAMESITE, s.CSRF_COOKIE_SAMESITE,"
        " s.SESSION_COOKIE_DOMAIN, s.CSRF_COOKIE_DOMAIN, s.LANGUAGE_COOKIE_DOMAIN,"
        " s.SESSION_COOKIE_PATH, s.CSRF_COOKIE_PATH,"
        " s.LANGUAGE_COOKIE_PATH)"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
    given = {
        "PORTAL_VAR": str(tmp_path),
        "PORTAL_SECRET_KEY": "k" * 60,
        "DJANGO_SETTINGS_MODULE": "ratingsite.settings",
    }
    said = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=kept | given,
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.split() == [
        "__Host-sessionid", "__Host-csrftoken", "__Host-language",
        "django.contrib.messages.storage.session.SessionStorage",
        "True", "True", "True", "True", "True", "Lax", "Lax", "None", "None", "None", "/", "/", "/",
    ]  # fmt: skip


def test_every_cookie_that_is_set_is_one_of_four(client):
    user = make_user("bo")
    user.set_password("a pass phrase")
    user.save()
    client.get("/language/es/")
    client.post(reverse("account_login"), {"login": "bo", "password": "a pass phrase"})
    client.get(reverse("account_change_password"))
    names = {production.SESSION_COOKIE_NAME, production.CSRF_COOKIE_NAME, production.LANGUAGE_COOKIE_NAME}
    names.add(production.PORTAL_DEVICE_COOKIE)
    assert set(client.cookies) == names
    assert all(cookie["samesite"] == "Lax" and cookie["path"] == "/" for cookie in client.cookies.values())
