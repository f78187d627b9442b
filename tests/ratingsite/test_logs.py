"""One event a line; and whatever people search, send and type, the log names none of them."""

import io
import json
import logging
import sys
from smtplib import SMTPRecipientsRefused

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from players.models import Federation
from ratingsite.launch.__main__ import children
from ratingsite.logs import JsonFormatter, LineFormatter, OfServer
from tests.factories import (
    make_arbiter,
    make_federation,
    make_player,
    make_system,
    make_tournament,
    make_user,
)

PLANTED = "Plantedname"


def test_one_line_with_extra_fields_and_no_forged_second_line():
    record = logging.makeLogRecord(
        {"name": "jobs", "levelname": "INFO", "msg": "done\nroot: forged", "period": 3}
    )
    line = LineFormatter().format(record)
    assert "\n" not in line
    assert line.endswith(r"INFO jobs done\nroot: forged period=3")
    said = json.loads(JsonFormatter().format(record))
    assert said["message"] == "done\nroot: forged"
    assert (said["logger"], said["level"], said["period"]) == ("jobs", "INFO", 3)


@pytest.fixture
def written(settings):
    """What goes into the log, as in production, as JSON and as lines."""
    settings.PORTAL_LOG_ERRORS = False
    out = {JsonFormatter: io.StringIO(), LineFormatter: io.StringIO()}
    handlers = []
    for formatter, stream in out.items():
        handler = logging.StreamHandler(stream)
        handler.setFormatter(formatter())
        handlers.append(handler)
        logging.getLogger().addHandler(handler)
    yield out
    for handler in handlers:
        logging.getLogger().removeHandler(handler)


def events(written) -> list[dict]:
    return [json.loads(line) for line in written[JsonFormatter].getvalue().splitlines()]


def named(written) -> bool:
    return any(PLANTED.lower() in stream.getvalue().lower() for stream in written.values())


@pytest.mark.django_db
def test_searches_uploads_complaints_and_faults_name_nobody(written, monkeypatch):
    client = Client(raise_request_exception=False)
    make_federation()
    player = make_player(f"{PLANTED}, Anna")
    user = make_user(PLANTED.lower())
    event = make_tournament(make_system(), arbiter=make_arbiter(f"{PLANTED}, Arbiter", user=user))
    client.get(f"/players/?q={PLANTED}")
    client.get(f"/api/v1/players?q={PLANTED}")
    client.get(f"/players/{player.pk}/?back={PLANTED}")
    client.get(f"/{PLANTED}/{PLANTED}")
    client.get(
        "/lists/", headers={"Referer": f"http://x/?q={PLANTED}", "User-Agent": PLANTED, "Host": "evil"}
    )
    client.post("/accounts/login/", {"login": PLANTED, "password": PLANTED})
    client.post(f"/tournaments/{event.pk}/complaint/", {"name": PLANTED, "email": f"{PLANTED}@example.org"})
    client.force_login(user)
    sent = io.BytesIO(f"012 {PLANTED}\n001    1      {PLANTED}, Anna\n".encode())
    sent.name = f"{PLANTED}.trf"
    client.post(f"/arbiter/{event.pk}/upload/", {"file": sent})
    Client(enforce_csrf_checks=True).post(f"/accounts/login/?next=/{PLANTED}", {"login": PLANTED})

    def broken(*args, **kwargs):
        raise ValueError(f"{PLANTED} cannot be read")

    monkeypatch.setattr("ratingsite.health.render", broken)
    assert client.get(f"/status/?q={PLANTED}").status_code == 500
    with monkeypatch.context() as patched:
        patched.setattr("django.views.defaults.server_error", broken)
        patched.setattr("django.template.loader.get_template", broken)
        assert client.get(f"/no/{PLANTED}").status_code == 500
    log = logging.getLogger("ratinglists.trial")
    log.error("%s: the explanation differs", player, extra={"row": player})
    log.warning("not sent: %s", SMTPRecipientsRefused({f"{PLANTED}@example.org": (550, b"no")}))
    try:
        with transaction.atomic():
            Federation.objects.create(code="XAB", name=PLANTED)
            Federation.objects.create(code="XAB", name=PLANTED)
    except IntegrityError:
        log.exception("a row was refused")
    try:
        raise KeyError(PLANTED)
    except KeyError:
        told = {
            "name": "a.task",
            "id": 3,
            "exc": f"KeyError({PLANTED!r})",
            "args": f"[{PLANTED!r}]",
            "kwargs": "{}",
        }
        log.error("Task %(name)s[%(id)s] raised: %(exc)s %(args)s", told, exc_info=sys.exc_info())
    assert not named(written)
    found = events(written)
    answered = [each for each in found if each["message"] == "answered"]
    assert {each["status"] for each in answered} >= {200, 400, 403, 404, 500}
    views = {each["view"] for each in answered}
    assert views >= {"players", "complain", "arbiter-upload", "account_login", "none"}
    assert any({"view": "status", "status": 500}.items() <= each.items() for each in answered)
    assert any(each["message"] == "no page could be made of a fault" for each in found)
    assert any(each["message"] == f"players.player:{player.pk}: the explanation differs" for each in found)
    failed = next(each for each in found if each["message"] == "Internal Server Error: status")
    assert failed["error"].startswith("ValueError at\n")
    assert "health.py" in failed["error"]
    assert any(each["message"] == "not sent: SMTPRecipientsRefused" for each in found)


def test_what_the_server_says_of_a_request_that_no_page_sees(written, settings):
    """As the settings lay out its logger, in each worker."""
    told = settings.LOGGING["loggers"]["gunicorn.error"]
    assert told["handlers"] == ["stderr"], "in the format of all, in place of gunicorn's own"
    assert not told["propagate"], "and once"
    log = logging.getLogger("gunicorn.error")
    assert {type(each) for each in log.filters} == {OfServer}
    own = list(written.values())
    handlers = [each for each in logging.getLogger().handlers if getattr(each, "stream", None) in own]
    for handler in handlers:
        log.addHandler(handler)
    try:
        # gunicorn's own words (workers/base.py)
        log.warning(f"Invalid request from ip=::1: Invalid HTTP Header: 'X {PLANTED}'")
        log.warning(f"Invalid request from ip=198.51.100.7: No more data after: {PLANTED!r}")
        try:
            raise ValueError(PLANTED)
        except ValueError:
            log.exception("Error handling request %s %s", "GET", f"/players/?q={PLANTED}")
    finally:
        for handler in handlers:
            log.removeHandler(handler)
    assert not named(written)
    assert "198.51" not in written[JsonFormatter].getvalue()
    assert [each["message"] for each in events(written)] == [
        "a request could not be read: Invalid HTTP Header",
        "a request could not be read: No more data after",
        "a request was broken off by a fault",
    ]


def test_the_control(written, settings):
    """With the setting for the hunt the text is there, so the planted name would be found."""
    settings.PORTAL_LOG_ERRORS = True
    try:
        raise ValueError(PLANTED)
    except ValueError:
        logging.getLogger("ratinglists.trial").exception("failed")
    assert named(written)


def test_the_web_server_writes_no_log_of_addresses():
    web = next(child for child in children("127.0.0.1", 1) if child.name == "web")
    assert not any("access" in part for part in web.command)
