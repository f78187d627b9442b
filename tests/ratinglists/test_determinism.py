"""The same reports give the same bytes: whatever the hash seed, the locale, the time zone of the machine, the
order in which the reports came and the keys that their rows were given."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from datetime import UTC, date, datetime
from fractions import Fraction

import pytest
from django.db import transaction
from django.utils import translation

from ratinglists import services
from ratinglists.files import files_of
from ratinglists.models import RatingList
from tests.factories import (
    make_arbiter,
    make_list,
    make_period,
    make_player,
    make_system,
    make_tournament,
    make_user,
)
from tests.programs import ROOT, database_url
from tournaments.reporting import accept_report, submit_report
from tournaments.reports import trf16
from tournaments.reports.model import ParsedReport, ReportedGame, ReportedPlayer

NAMES = ("Álvarez, Ana", "Bjørn, Bo", "Çelik, Can", "Dvořák, Eva", "Ödegård, Ida", "Žukauskas, Jan")
RATINGS = (1950, 1900, None, 1750, 1700, None)
#: day of the event: its games by places in NAMES, an order of start numbers of its own
EVENTS = {
    5: [(1, 1, 2, "1-0"), (1, 3, 4, "1/2-1/2"), (1, 5, 6, "0-1"),
        (2, 2, 3, "0-1"), (2, 4, 5, "1-0"), (2, 6, 1, "0-1")],
    12: [(1, 6, 3, "1-0"), (1, 1, 4, "1/2-1/2"), (2, 3, 5, "+/-"), (2, 2, 6, "1-0")],
    19: [(1, 3, 1, "1/2-1/2"), (1, 2, 5, "1-0"), (2, 5, 3, "0-1"), (2, 4, 6, "1/2-1/2")],
}  # fmt: skip


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job_id: None)


def world():
    """A system with a list, and the month that is computed."""
    system = make_system(federation=None)
    people = [make_player(name, fide_id=str(7000001 + at)) for at, name in enumerate(NAMES)]
    make_list(
        system,
        date(2022, 3, 1),
        rows={p: {"rating": r, "career_games": 50 if r else 0, "highest_rating": r}
              for p, r in zip(people, RATINGS, strict=True)},
    )  # fmt: skip
    return make_period(system, date(2022, 4, 1), date(2022, 3, 29)), people


def report_of(day: int, people) -> bytes:
    """The arbiter's file; its start numbers are turned so that they are no order of keys."""
    games = EVENTS[day]
    played = sorted({n for _, w, b, _ in games for n in (w, b)}, key=lambda n: (n * day) % 7)
    numbers = {n: at for at, n in enumerate(played, start=1)}
    points = dict.fromkeys(played, 0)
    for _, white, black, result in games:
        for n, halves in zip(
            (white, black), {"1-0": (2, 0), "+/-": (2, 0), "0-1": (0, 2)}.get(result, (1, 1)), strict=True
        ):
            points[n] += halves
    day_ = date(2022, 3, day)
    return trf16.write(
        ParsedReport(
            format="trf16", name=f"Open {day}", city="Port", federation="XAA", start=day_, end=day_,
            type_text="Individual: Swiss", chief_arbiter="Arbiter, Ana", time_control_text="10+5",
            round_dates={1: day_, 2: day_}, rounds=2,
            players=tuple(
                ReportedPlayer(numbers[n], people[n - 1].name, sex="m", federation="XAA",
                               fide_id=people[n - 1].fide_id, points=Fraction(points[n], 2), rank=at)
                for at, n in enumerate(played, start=1)
            ),
            games=tuple(ReportedGame(r, numbers[w], numbers[b], result) for r, w, b, result in games),
        )
    ).encode()  # fmt: skip


def report(day: int, period, people, order: int) -> None:
    """Register, send and accept: ``order`` is the place in which it came."""
    staff = make_user(f"staff{day}-{order}", is_superuser=True)
    held = make_tournament(
        period.system, pk=9000 + day, name=f"Open {day}", start=date(2022, 3, day), rounds=2,
        arbiter=make_arbiter(f"Arbiter, {order}"),
    )  # fmt: skip
    content = report_of(day, people)
    when = datetime(2022, 3, 25, 10, order, tzinfo=UTC)
    accept_report(submit_report(held, staff, f"open-{day}.trf", content, received_at=when), staff)


def hashes(listed: RatingList) -> dict:
    found = {"list": listed.sha256, "input": listed.input_sha256, "sources": listed.report["sources"]}
    for spec in files_of(listed):
        found[spec.name] = hashlib.sha256(b"".join(spec.chunks())).hexdigest()
    return found


@pytest.mark.django_db
def test_the_readers_language_makes_no_difference():
    period, people = world()
    for place, day in enumerate(EVENTS):
        report(day, period, people, place)
    found = []
    for language in ("en", "es", "pt"):
        with translation.override(language):
            job = services.request_compute(period)
            services.run_job(job.pk)
            job.refresh_from_db()
            assert job.state == "done", job.message
            found.append((hashes(period.lists.get()), job.message))
    assert len(found[0][0]) > 5
    assert found[0] == found[1] == found[2]


class Undo(Exception):
    """Takes back what was written."""


@pytest.mark.django_db
def test_the_order_in_which_reports_come_makes_no_difference():
    period, people = world()
    found = []
    for order in ((5, 12, 19), (19, 5, 12), (12, 19, 5)):
        try:
            with transaction.atomic():
                for place, day in enumerate(order):
                    report(day, period, people, place)
                job = services.request_compute(period)
                services.run_job(job.pk)
                job.refresh_from_db()
                assert job.state == "done", job.message
                listed = period.lists.get()
                assert sum(e["outcome"] == "counted" for e in listed.report["events"]) == 3
                found.append(hashes(listed))
                raise Undo
        except Undo:
            pass
    assert found[0] == found[1] == found[2]


#: computes the month in a process of its own and prints the hashes
PROGRAM = """
import hashlib, json, django
django.setup()
from ratinglists import jobs, services
from ratinglists.files import files_of
from ratinglists.models import Period
period = Period.objects.get(list_date="2022-04-01")
job, _ = jobs.request("compute", period, ring_workers=False)
services.run_job(job.pk)
job.refresh_from_db()
assert job.state == "done", job.message
listed = period.lists.select_related("period__system").get()
found = {"list": listed.sha256, "input": listed.input_sha256, "sources": listed.report["sources"]}
for spec in files_of(listed):
    found[spec.name] = hashlib.sha256(b"".join(spec.chunks())).hexdigest()
print(json.dumps(found))
"""


@pytest.mark.slow
@pytest.mark.usefixtures("transactional_db")
def test_seed_locale_and_zone_make_no_difference():
    period, people = world()
    for place, day in enumerate(EVENTS):
        report(day, period, people, place)
    found = []
    for seed, locale, zone in (
        ("0", "C", "UTC"),
        ("1", "tr_TR.UTF-8", "Pacific/Kiritimati"),
        ("4242", "de_DE.ISO-8859-1", "America/Havana"),
        ("random", "C.UTF-8", "Asia/Kathmandu"),
    ):
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "ratingsite.settings",
            "PORTAL_DATABASE_URL": database_url(),
            "PYTHONHASHSEED": seed,
            "LC_ALL": locale,
            "LANG": locale,
            "TZ": zone,
        }
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], cwd=ROOT, env=environment, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()[-3000:]
        found.append(json.loads(done.stdout))
    assert len(found[0]) > 5
    assert all(each == found[0] for each in found)
