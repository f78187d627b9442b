"""Live ratings: in random worlds exactly what the next lists say, and nothing that anything counts with."""

import ast
import random
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone

from players.models import IdentityChange
from players.services import merge, undo
from ratinglists import jobs, live, services
from ratinglists.models import Job, ListRow, LiveRating, PooledSample
from regulations import registry
from tests.factories import (
    make_arbiter,
    make_list,
    make_period,
    make_player,
    make_report,
    make_system,
    make_tournament,
    make_user,
    publish,
    rate_and_list,
)
from tournaments.models import StateChange, Tournament

pytestmark = pytest.mark.django_db
every = pytest.mark.parametrize("regulation", registry.all_regulations(), ids=lambda each: each.code)
RESULTS = ("1-0", "0-1", "1/2-1/2", "1-0", "0-1", "+/-")


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    rung = []
    monkeypatch.setattr("ratinglists.jobs.ring", rung.append)
    return rung


class World:
    """A system with a list, some of its players pooled, and accepted events for the lists to come."""

    def __init__(self, regulation, seed: int) -> None:
        self.chance, self.regulation = random.Random(seed), regulation
        self.opened = regulation.next_list_date(regulation.effective_from + timedelta(days=100))
        rate = regulation.rates[0]
        self.system = make_system(regulation=regulation.code, since=regulation.effective_from, rate=rate)
        self.players = [
            make_player(f"Invented, {chr(65 + n)}nna", born=self.chance.choice((1950, 1990, 2003)))
            for n in range(14)
        ]
        rows = {player: self._row() for player in self.players[:11]}
        listed = make_list(self.system, self.opened, rows=rows, published=False)
        PooledSample.objects.bulk_create(self._sample(listed, player) for player in self._unrated(rows))
        publish(listed)
        self.arbiter = make_arbiter(title="IA")

    def _row(self) -> dict:
        career = self.chance.choice((0, 5, 29, 60))
        if self.chance.random() < 0.3:
            return {"rating": None, "career_games": 0, "games_by_period": []}
        rating = 5 * self.chance.randrange(365, 500)
        return {
            "rating": rating,
            "career_games": career,
            "games_by_period": [self.chance.randrange(6) for _ in range(3)],
            "highest_rating": rating + self.chance.choice((0, 30)),
        }

    def _unrated(self, rows: dict) -> list:
        regulation_pools = self.regulation.rates != ("postal",)
        return [player for player, row in rows.items() if row["rating"] is None and regulation_pools]

    def _sample(self, listed, player) -> PooledSample:
        return PooledSample(
            rating_list=listed,
            player=player,
            event="1.1",
            list_date=self.opened,
            performance=str(self.chance.randrange(1850, 2200)),
            games=3,
            score="1.5",
            opponents=["1900", "2000", "2100"],
        )

    def event(self, start, players=None) -> Tournament:
        """An accepted event of a few days with random games."""
        players = players or self.chance.sample(self.players, 8)
        games = []
        for number in range(1, 6):
            order = self.chance.sample(range(1, len(players) + 1), len(players))
            pairs = zip(order[::2], order[1::2], strict=True)
            games += [(number, white, black, self.chance.choice(RESULTS)) for white, black in pairs]
        rate = self.regulation.rates[0]
        made = make_tournament(
            self.system,
            start=start,
            end=start + timedelta(days=2),
            rounds=5,
            minutes={"standard": 120, "rapid": 20}.get(rate, 0),
            games_in_event=len(games) if rate == "postal" else None,
            arbiter=self.arbiter,
        )
        report = make_report(made, players, games)
        if rate == "postal":
            made.games.update(finished_on=report.received_on)
        return made

    def publish_next(self):
        newest = live.latest_list(self.system).list_date
        day = self.regulation.next_list_date(newest)
        return rate_and_list(make_period(self.system, day, self.regulation.closing_date(day)))

    def compute(self) -> Job:
        job = live.ask(self.system) or Job(state="done")
        if job.pk:
            services.run_job(job.pk)
            job.refresh_from_db()
        assert job.state == "done", job.message
        return job


def said(world) -> dict:
    rows = LiveRating.objects.filter(system=world.system)
    return {row.player_id: (row.rating_before, row.rating, row.games) for row in rows}


@every
@pytest.mark.parametrize("seed", range(2))
def test_it_is_what_the_next_list_says(regulation, seed):
    """If nothing else comes: for every player of the events; who has no live rating keeps his own."""
    world = World(regulation, seed)
    for day in (1, 4):
        world.event(world.opened + timedelta(days=day))
    world.compute()
    rows, before = said(world), dict(live.latest_list(world.system).rows.values_list("player_id", "rating"))
    changes = dict(LiveRating.objects.values_list("player_id", "change"))
    assert rows
    listed = world.publish_next()
    assert {row.list_date for row in LiveRating.objects.all()} == {listed.list_date}
    for row in listed.rows.all():
        own = before.get(row.player_id)
        assert rows.get(row.player_id, (own, own, 0)) == (own, row.rating, row.games), row
        if row.player_id in changes:
            assert changes[row.player_id] == row.change
    assert rows.keys() <= set(listed.rows.values_list("player_id", flat=True))


@every
@pytest.mark.parametrize("seed", range(2))
def test_events_of_later_lists_come_in_their_order(regulation, seed):
    """Each live rating is the one of the list that it names, when one list after the other is published."""
    world = World(regulation, 100 + seed)
    lists = [world.opened]
    for _ in range(3):
        lists.append(regulation.next_list_date(lists[-1]))
    for opened in lists[:3]:
        world.event(opened + timedelta(days=1))
        closing = regulation.closing_date(regulation.next_list_date(opened))
        world.event(closing)  # ends after the period closed: rated by this list, counted in the one after
    world.compute()
    rows = {row.player_id: row for row in LiveRating.objects.all()}
    assert len({row.list_date for row in rows.values()}) > 1
    while Tournament.objects.filter(state="accepted").exists():
        listed = world.publish_next()
        for row in listed.rows.all():
            told = rows.get(row.player_id)
            if told is not None and told.list_date == listed.list_date:
                assert told.rating == row.rating, row
                del rows[row.player_id]
    assert not rows


def test_only_players_of_the_events_are_computed():
    world = World(registry.get("fide-standard-2024"), 1)
    event = world.event(world.opened + timedelta(days=1))
    entered = set(event.entries.values_list("player_id", flat=True))
    seen = [ahead.players.keys() for ahead in live.lists_ahead(world.system, lambda *_: None)]
    assert all(players <= entered for players in seen)
    assert ListRow.objects.count() == 11


# --- when it is computed ---------------------------------------------------------------------------------


@pytest.fixture
def world():
    return World(registry.get("fide-rapid-blitz-2022"), 7)


def waiting(system) -> list[str]:
    return list(Job.objects.filter(kind="live", system=system).values_list("state", flat=True))


def test_each_step_that_matters_asks_once(world):
    event = world.event(world.opened + timedelta(days=1))
    now = timezone.now()
    for state, jobs_then in (("reported", []), ("accepted", ["queued"]), ("returned", ["queued"])):
        StateChange.objects.create(tournament=event, state=state, at=now)
        assert waiting(world.system) == jobs_then, state


def test_without_accepted_events_nothing_is_asked(world):
    assert live.ask(world.system) is None


def test_publishing_hides_it_at_once_and_asks_for_what_is_left(world):
    world.event(world.opened + timedelta(days=1))
    world.compute()
    assert live.shown(world.system).exists()
    world.publish_next()
    assert not live.shown(world.system).exists()
    assert waiting(world.system) == ["queued", "done"]
    world.compute()
    assert not LiveRating.objects.exists()


def test_what_is_accepted_while_it_runs_is_not_lost(
    world, monkeypatch, bells, django_capture_on_commit_callbacks
):
    """The acceptance finds the job running and asks for no other: the job itself goes back."""
    world.event(world.opened + timedelta(days=1))
    job = live.ask(world.system)
    with monkeypatch.context() as meanwhile, django_capture_on_commit_callbacks(execute=True):
        later = world.opened + timedelta(days=3)
        meanwhile.setattr(
            live.crashpoints, "here", lambda name: world.event(later) if name == "live: computed" else None
        )
        services.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "queued"
    assert job.pk in bells
    before = said(world)
    services.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "done"
    assert before != said(world)


def test_a_lost_bell_is_rung_again(world, bells):
    world.event(world.opened + timedelta(days=1))
    job = live.ask(world.system)
    assert jobs.sweep() == [job.pk] == bells


def test_a_merge_asks_after_its_commit_and_the_sweep_if_that_is_lost(
    world, django_capture_on_commit_callbacks
):
    event = world.event(world.opened + timedelta(days=1))
    world.compute()
    one, other = make_player("Twin, Ann", sex=""), make_player("Twin, Anne", born=None, sex="")
    other.identifiers.all().delete()
    with django_capture_on_commit_callbacks(execute=False):
        merge(other, one, make_user("m", "players.merge_player"), "One person.")
    assert waiting(event.rating_system) == ["done"], "lost with the process"
    live.sweep()
    assert waiting(event.rating_system) == ["queued", "done"]
    world.compute()
    live.sweep()
    assert waiting(event.rating_system) == ["done", "done"]
    with django_capture_on_commit_callbacks(execute=True):
        undo(IdentityChange.objects.get(), make_user("n", "players.merge_player"), "Two persons.")
    assert waiting(event.rating_system) == ["queued", "done", "done"]


# --- who may read it -------------------------------------------------------------------------------------

READERS = {"live", "live_views"}


def test_no_calculation_reads_it():
    """Only its own modules name the rows; beside them the module that defines the model."""
    found = set()
    for root in ("players", "tournaments", "ratinglists", "ratingsite"):
        for path in Path(root).rglob("*.py"):
            nodes = list(ast.walk(ast.parse(path.read_text())))
            names = {node.id for node in nodes if isinstance(node, ast.Name)}
            names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
            if names & {"LiveRating", "live_ratings"}:
                found.add(path.stem)
    assert found <= READERS | {"publication_models"}
    assert "live" in found


# --- pages -----------------------------------------------------------------------------------------------


def text(client, name, *arguments, **query) -> str:
    response = client.get(reverse(name, args=arguments), query)
    assert response.status_code == 200
    return unescape(response.content.decode())


def test_the_pages_say_that_it_is_unofficial(world, client):
    event = world.event(world.opened + timedelta(days=1))
    world.compute()
    row = live.shown(world.system).exclude(rating=None).first()
    pages = {
        "live": text(client, "live", world.system.pk),
        "player": text(client, "player", row.player_id),
        "tournament": text(client, "tournament", event.pk),
    }
    for name, page in pages.items():
        assert "nofficial" in page, name
        assert f"{row.computed_at:%Y-%m-%d}" in page, name
        assert f"<strong>{row.rating}</strong>" in page, name
    assert '<meta name="robots" content="noindex">' in pages["live"]
    spanish = client.get(reverse("player", args=[row.player_id]), headers={"accept-language": "es"})
    assert f"{row.computed_at:%d/%m/%Y %H:%M}" in spanish.content.decode()
    world.publish_next()
    for name, key in (("live", world.system.pk), ("player", row.player_id), ("tournament", event.pk)):
        assert f"as of {row.computed_at:%Y-%m-%d}" not in text(client, name, key).lower(), name


def test_the_page_is_searched_and_shows_the_largest_changes_first(world, client):
    world.event(world.opened + timedelta(days=1))
    world.compute()
    rows = list(live.largest_changes(world.system))
    sizes = [abs(row.rating - row.rating_before) for row in rows if row.rating and row.rating_before]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) > 1
    assert [row.rating_before is None or row.rating is None for row in rows][: len(sizes)] == [False] * len(
        sizes
    )
    wanted, other = rows[0].player, rows[1].player
    page = text(client, "live", world.system.pk, q=wanted.name)
    assert wanted.name in page
    assert other.name not in page


def test_no_file_of_a_list_knows_it(world, client):
    """The list's own rows go into its files: with live ratings and without, the bytes are the same."""
    names = ("list-csv", "list-txt", "list-xml")
    files = [b"".join(client.get(reverse(name, args=[world.system.pk, world.opened]))) for name in names]
    world.event(world.opened + timedelta(days=1))
    world.compute()
    assert LiveRating.objects.exists()
    again = [b"".join(client.get(reverse(name, args=[world.system.pk, world.opened]))) for name in names]
    assert files == again
