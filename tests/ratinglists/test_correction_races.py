"""A correction published while something else happens on another connection, or while its process dies."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date

import pytest
from django.conf import settings
from django.db import connection

from players import crashpoints
from players.services import merge
from ratinglists import corrections, services
from ratinglists.models import Job, ListFile, Publication, RatingList
from tests.factories import make_period, make_player, make_user
from tests.programs import ROOT, database_url
from tests.ratinglists.corrected import JULY, OCTOBER, World, computed, finished, published
from tests.ratinglists.test_corrections import AUGUST, GAMES, LATER, MAY, RIGHT
from tests.tournaments.test_at_once import Aside
from tournaments.services import NotAllowedNow, return_report

IN_PLACE, FLIPPING = "publish-correction: the reports are in place", "publish: the lists are flipped"
BEFORE, AFTER = [2148, 1996, None, 1915], [2148, 2011, None, 1900]


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)


@pytest.fixture
def world(transactional_db):
    made = World()
    made.event = made.play(MAY, GAMES)
    made.publish(JULY)
    made.sent = made.report(made.event, RIGHT)
    made.open = made.correction()
    corrections.add_report(made.open, made.sent, made.staff)
    made.play(AUGUST, LATER, name="Harbour Cup")
    return made


@pytest.fixture
def at(monkeypatch):
    """Have something begin on another connection when a publication comes to a place."""

    def plan(place: str, act) -> Aside:
        aside = Aside(act)
        begun = []

        def here(name: str) -> None:
            if name == place and not begun:
                begun.append(name)
                aside.begin()

        monkeypatch.setattr(crashpoints, "here", here)
        return aside

    return plan


def october(world) -> Job:
    period = make_period(world.system, OCTOBER, date(2004, 9, 1))
    finished(services.request_compute(period))
    return services.request_publish(period)


def test_an_ordinary_publication_waits_and_then_has_to_be_computed_again(world, at):
    computed(world.open)
    job = october(world)
    aside = at(IN_PLACE, lambda: services.run_job(job.pk))
    assert published(world.open).state == "done"
    aside.outcome()
    job.refresh_from_db()
    assert (job.state, "Compute the period again" in job.message) == ("failed", True)
    assert world.ratings(JULY) == AFTER
    assert not RatingList.objects.filter(period__list_date=OCTOBER, state="published").exists()


def test_a_correction_waits_for_an_ordinary_publication_and_has_to_be_computed_again(world, at):
    computed(world.open)
    job = october(world)
    mine = corrections.request_publish(world.open)
    aside = at(FLIPPING, lambda: services.run_job(mine.pk))
    assert finished(job).state == "done"
    aside.outcome()
    mine.refresh_from_db()
    assert (mine.state, "Compute it again" in mine.message) == ("failed", True)
    assert world.ratings(JULY) == BEFORE
    computed(world.open)
    assert published(world.open).state == "done"
    assert world.ratings(OCTOBER) == [2148, 2009, None, 1902]


def test_a_report_is_not_returned_while_a_correction_counts_it(world, at):
    late = world.play(date(2004, 5, 20), [(1, 1, 4, "=")], name="Late Cup")
    corrections.include(world.open, late, JULY, world.staff)
    computed(world.open)
    aside = at(IN_PLACE, lambda: return_report(late.reports.get(), world.staff, "Who played whom?"))
    assert published(world.open).state == "done"
    with pytest.raises(NotAllowedNow):
        aside.outcome()
    late.refresh_from_db()
    assert late.state == "counted"


def test_a_merge_waits_for_the_report_that_names_the_player(world, at):
    computed(world.open)
    twin = make_player("Alder, Tomas", born=1980)
    twin.identifiers.all().delete()
    officer = make_user("officer", is_superuser=True)
    aside = at(IN_PLACE, lambda: merge(world.players[0], twin, officer, "One person"))
    assert published(world.open).state == "done"
    assert aside.outcome().kind == "merge"
    players = set(world.event.entries.values_list("player_id", flat=True))
    assert players == {twin.pk, *(player.pk for player in world.players[1:])}
    assert world.ratings(JULY) == AFTER


def test_two_workers_with_two_jobs_publish_once(world, at):
    """The second job is put aside by hand: the constraint allows one at a time."""
    computed(world.open)
    first = corrections.request_publish(world.open)
    second = Job.objects.create(kind=Job.Kind.PUBLISH_CORRECTION, correction=world.open, state="done")

    def again():
        Job.objects.filter(pk=second.pk).update(state="queued")
        services.run_job(second.pk)

    def act():
        try:
            again()
        except Exception as error:  # the constraint, where the first still runs
            return type(error).__name__
        return ""

    aside = at(IN_PLACE, act)
    assert finished(first).state == "done"
    aside.outcome()
    assert RatingList.objects.filter(period__list_date=JULY).count() == 2
    assert world.ratings(JULY) == AFTER


RUN = "import django; django.setup(); from ratinglists import services; services.run_job({pk})"


def dies_at(place: str, job: Job) -> None:
    """Have the job done by a process of its own that is killed there."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "ratingsite.settings",
        "PORTAL_DATABASE_URL": database_url(),
        "PORTAL_VAR": str(settings.VAR_DIR),
        "PORTAL_CRASH_AT": place,
    }
    connection.close()
    done = subprocess.run(
        [sys.executable, "-c", RUN.format(pk=job.pk)], cwd=ROOT, env=environment, timeout=120
    )
    assert done.returncode == -9, f"nobody died at “{place}”"


def taken_up_again(job: Job) -> Job:
    Job.objects.filter(pk=job.pk).update(state="queued", token="", lease_until=None)
    return finished(job)


@pytest.mark.slow
@pytest.mark.parametrize(
    "place",
    ["compute: the list is proven:2", "correct: a draft is written", "correct: before the commit"],
)
def test_a_death_while_computing_leaves_nothing_that_could_be_published(world, place):
    world.publish(OCTOBER)
    job = corrections.request_correct(world.open)
    dies_at(place, job)
    assert "Compute it again" in published(world.open).message or not world.open.lists.exists()
    assert world.ratings(JULY) == BEFORE
    assert taken_up_again(job).state == "done"
    assert world.open.lists.count() == 2
    assert published(world.open).state == "done"
    assert world.ratings(OCTOBER) == [2148, 2009, None, 1902]


@pytest.mark.slow
@pytest.mark.parametrize(
    "place",
    [
        "publish: a file is written",
        IN_PLACE,
        "publish: the manifest is written",
        FLIPPING,
        "publish-correction: before the commit",
    ],
)
def test_a_death_while_publishing_leaves_all_as_it_was(world, place):
    world.publish(OCTOBER)
    computed(world.open)
    publications, files = Publication.objects.count(), ListFile.objects.count()
    job = corrections.request_publish(world.open)
    dies_at(place, job)
    assert (Publication.objects.count(), ListFile.objects.count()) == (publications, files)
    assert world.ratings(JULY) == BEFORE
    world.sent.refresh_from_db()
    assert world.sent.state == "correction"
    assert taken_up_again(job).state == "done"
    assert world.ratings(JULY) == AFTER
    assert world.ratings(OCTOBER) == [2148, 2009, None, 1902]
    assert Publication.objects.count() == publications + 1
