"""A small portal's publications, made by the services, with an archive and a signing key of their own."""

from datetime import date

import pytest

from ratinglists import services
from ratinglists.jobs import Refusal
from tests.factories import make_federation, make_period, make_report, make_system, make_tournament

HEADER = "fide_id,name,sex,birth,federation,title,rating,career_games\n"
OPENED, NEXT = date(2022, 3, 1), date(2022, 4, 1)


def open_system(code: str, place: int):
    system = make_system(code, schedule="manual")
    rows = [
        f'{place}{number:02},"Invented, Player{chr(96 + number)}",m,1990,XAA,,{1800 + 50 * number},60\n'
        for number in range(1, 5)
    ]
    return brought_in(system, OPENED, HEADER + "".join(rows))


def brought_in(system, day: date, text: str):
    """An opening list brought in and published."""
    opening = services.open_system(system, day, text.encode())
    job = services.request_publish(opening.period)
    services.run_job(job.pk)
    job.refresh_from_db()
    if job.state != "done":
        raise Refusal(job.message)
    opening.refresh_from_db()
    return opening


def compute_next(opening):
    """The period after an opening list, its draft computed."""
    period = make_period(opening.system, NEXT)
    players = [row.player for row in opening.rows.order_by("pk")]
    games = [(1, 1, 2, "1-0"), (1, 3, 4, "1/2-1/2"), (2, 2, 3, "1-0"), (2, 4, 1, "0-1")]
    make_report(make_tournament(opening.system), players, games)
    services.run_job(services.request_compute(period).pk)
    return period


def publish_next(opening):
    """Publish the list after an opening list; returns the job."""
    period = opening.system.periods.filter(list_date=NEXT).first() or compute_next(opening)
    job = services.request_publish(period)
    services.run_job(job.pk)
    job.refresh_from_db()
    return job


@pytest.fixture
def own_archive(settings, tmp_path, monkeypatch):
    settings.PORTAL_ARCHIVE = str(tmp_path / "archive")
    settings.PORTAL_SIGNING_KEY = str(tmp_path / "signing-key.pem")
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)
    make_federation("XAA")
    return tmp_path


@pytest.fixture
def chain(own_archive):
    """Publications 1 (opening list), 2 (computed list), 3 (change of key), 4 (another opening list)."""
    from ratinglists import key_changes

    opening = open_system("rapid", 9100)
    assert publish_next(opening).state == "done"
    key_changes.make_key()
    open_system("blitz", 9200)
    return own_archive
