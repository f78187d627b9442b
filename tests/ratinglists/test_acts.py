"""Every act that matters leaves exactly one entry in the audit log, in the transaction of the act."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.apps import apps
from django.db import transaction
from django.utils import timezone

from players import audit, ledger, player_imports, roles
from players import services as people
from players.models import AuditEntry, IdentityChange, Player, PlayerImport
from ratinglists import automation, jobs, services
from ratinglists.models import Job, RatingList
from tests.factories import (
    make_federation,
    make_list,
    make_period,
    make_player,
    make_report,
    make_system,
    make_tournament,
    make_user,
)
from tests.tournaments.report_files import line, report
from tournaments import services as events
from tournaments.models import Report, Tournament

pytestmark = pytest.mark.django_db
MARCH, APRIL = date(2022, 3, 1), date(2022, 4, 1)
FILE = report(
    "Harbour Rapid",
    "2022/03/05",
    "2022/03/05",
    [
        line(1, "Alder, Tom", None, "7000011", "1.0", 1, "   2 w 1"),
        line(2, "Birch, Lou", None, "7000012", "0.0", 2, "   1 b 0"),
    ],
)


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job_id: None)
    monkeypatch.setattr("players.player_imports.ring", lambda pk: None)
    monkeypatch.setattr("players.outbox.ring", lambda: None)


class World:
    """A rapid system with a list, two players and an officer who may do everything."""

    def __init__(self) -> None:
        self.by = make_user("officer", is_superuser=True)
        self.system = make_system()
        names = enumerate(("Alder, Tom", "Birch, Lou"), start=1)
        self.players = [make_player(name, fide_id=f"700001{number}") for number, name in names]
        make_list(self.system, MARCH, rows={p: {"rating": 1800, "career_games": 50} for p in self.players})

    def event(self, **fields) -> Tournament:
        return make_tournament(self.system, **{"start": date(2022, 3, 5), **fields})

    def reported(self, state: str = "submitted") -> Report:
        return make_report(self.event(), self.players, [(1, 1, 2, "1-0")], state=state)

    def period(self):
        return make_period(self.system, APRIL, date(2022, 3, 29))

    def draft(self) -> RatingList:
        self.reported("accepted")
        services.run_job(services.request_compute(self.period(), self.by).pk)
        return RatingList.objects.get(state="draft")

    def second(self) -> Player:
        """A second record of a person, without a number."""
        player = make_player("Alder, Tom")
        player.identifiers.all().delete()
        return player

    def merged(self) -> IdentityChange:
        return people.merge(self.second(), self.players[0], self.by, "one person")

    def imported(self, kind: str, state: str, **fields) -> PlayerImport:
        return PlayerImport.objects.create(
            kind=kind, state=state, file="x.csv", file_name="x.csv", size=1, sha256="a" * 64, format="csv",
            list_date=MARCH, requested_by=self.by, **fields,
        )  # fmt: skip


def _closing(job, how: Callable[[ledger.Claim], None]) -> Callable[[], object]:
    held = ledger.claim(type(job), job.pk)
    return lambda: how(held)


def _published(world: World) -> Callable[[], object]:
    world.draft()
    job = services.request_publish(world.period(), world.by)
    return lambda: services.run_job(job.pk)


def _computed(world: World) -> Callable[[], object]:
    world.reported("accepted")
    job = services.request_compute(world.period(), world.by)
    return lambda: services.run_job(job.pk)


def _approvable(world: World) -> RatingList:
    draft = world.draft()
    services.propose(draft, make_user("first", is_superuser=True))
    return draft


def _waiver(world: World) -> Callable[[], object]:
    from tournaments.queries import check_registration

    event = world.event(state="draft", minutes=1, increment=0, registered_on=date(2022, 3, 20))
    offered = events.offered_waivers(event, check_registration(event))
    assert offered, "the example needs something that can be waived"
    return lambda: events.grant_waiver(event, world.by, offered[0].authorization, "as agreed")


def _appealable(world: World) -> Tournament:
    event = world.event(state="draft")
    events.refuse(event, world.by, "no schedule")
    Tournament.objects.filter(pk=event.pk).update(due_on=timezone.localdate() + timedelta(days=3))
    return event


def _split(world: World) -> Callable[[], object]:
    row = world.players[0].identifiers.get()
    return lambda: people.split(
        world.players[0], world.by, "two persons", {"identifiers": [row.pk]}, name="Alder, Tim"
    )


def _failing(world: World) -> Callable[[], object]:
    job = services.request_publish(world.period(), world.by)
    return lambda: services.run_job(job.pk)


def _dying(world: World) -> Callable[[], object]:
    job = services.request_compute(world.period(), world.by)
    gone = timezone.now() - timedelta(hours=1)
    Job.objects.filter(pk=job.pk).update(state="running", attempts=5, lease_until=gone)
    return lambda: jobs.sweep()


def _brought_in(world: World) -> Callable[[], RatingList]:
    make_federation()
    other = make_system("other")
    text = 'fide_id,name,sex,birth,federation,title,rating\n,"New, Nora",f,2001,XAA,,1900\n'
    return lambda: services.open_system(other, MARCH, text.encode())


def _opened(world: World) -> Callable[[], object]:
    job = services.request_publish(_brought_in(world)().period, world.by)
    return lambda: services.run_job(job.pk)


#: act -> what prepares it and gives the call that does it
ACTS: dict[str, Callable[[World], Callable[[], object]]] = {
    "tournament.announced": lambda w: lambda: events.announce(
        Tournament(name="New", rating_system=w.system, federation=make_federation(), organiser="Club",
                   city="Port", start=date(2022, 3, 5), end=date(2022, 3, 5), registered_on=MARCH),
        w.by, time_control=[],
    ),
    "tournament.registered": lambda w: (lambda e: lambda: events.register(e, w.by))(
        w.event(state="draft", registered_on=MARCH)
    ),
    "tournament.refused": lambda w: (lambda e: lambda: events.refuse(e, w.by, "no"))(w.event(state="draft")),
    "tournament.appealed": lambda w: (lambda e: lambda: events.appeal(e, w.by, "why not"))(_appealable(w)),
    "tournament.cancelled": lambda w: (lambda e: lambda: events.cancel(e, w.by, "no hall"))(w.event()),
    "tournament.reopened": lambda w: (lambda e: lambda: events.reopen(e, w.by))(w.event()),
    "tournament.ruled-distinct": lambda w: (
        lambda a, b: lambda: events.rule_distinct(a, b, w.by, "two")
    )(w.event(), w.event()),
    "waiver.granted": _waiver,
    "report.submitted": lambda w: (lambda e: lambda: events.submit_report(e, w.by, "a.trf", FILE))(
        w.event(rounds=0)
    ),
    "report.accepted": lambda w: (lambda r: lambda: events.accept_report(r, w.by))(w.reported()),
    "report.returned": lambda w: (lambda r: lambda: events.return_report(r, w.by, "round 2"))(w.reported()),
    "player.merged": lambda w: (lambda p: lambda: people.merge(p, w.players[0], w.by, "one person"))(
        w.second()
    ),
    "player.split": _split,
    "player.merge-undone": lambda w: (lambda c: lambda: people.undo(c, w.by, "two after all"))(w.merged()),
    "group.rights-changed": lambda w: (
        lambda g: lambda: (g.permissions.clear(), roles.ensure_roles())
    )(roles.ensure_roles()[roles.CLERKS]),
    "import.asked": lambda w: (lambda p: lambda: player_imports.request_apply(p, w.by))(
        w.imported("preview", "done")
    ),
    "import.stopped": lambda w: (lambda p: lambda: player_imports.stop(p, w.by))(
        w.imported("apply", "queued")
    ),
    "import.dropped": lambda w: (
        lambda pk: lambda: player_imports.drop(PlayerImport.objects.get(pk=pk), w.by)
    )(w.imported("apply", "failed").pk),
    "import.done": lambda w: _closing(w.imported("apply", "queued"), lambda held: held.finish("")),
    "import.failed": lambda w: _closing(w.imported("apply", "queued"), lambda held: held.fail("no file")),
    "compute.asked": lambda w: (lambda p: lambda: services.request_compute(p, w.by))(w.period()),
    "compute.done": _computed,
    "compute.failed": _dying,
    "publish.asked": lambda w: (lambda p: lambda: services.request_publish(p, w.by))(w.period()),
    "publish.failed": _failing,
    "list.proposed": lambda w: (lambda d: lambda: services.propose(d, w.by))(w.draft()),
    "list.approved": lambda w: (lambda d: lambda: services.approve(d, w.by))(_approvable(w)),
    "list.published": _published,
    "list.brought-in": _brought_in,
    "list.opened": _opened,
    "period.opened": lambda w: lambda: automation.ensure_periods(w.system, date(2022, 3, 10)),
    "period.dropped": lambda w: (lambda p: lambda: services.drop_period(p, w.by))(w.period()),
}  # fmt: skip
#: what the portal itself does, or does for whoever asked before
BY_ITSELF = {
    "group.rights-changed",
    "import.done",
    "import.failed",
    "compute.done",
    "compute.failed",
    "publish.failed",
    "period.opened",
    "list.brought-in",
}


@pytest.fixture
def world() -> World:
    return World()


def state() -> dict:
    """Everything in the tables of the portal, so that a change of anything is seen."""
    own = ("players", "tournaments", "ratinglists")
    models = [model for model in apps.get_models() if model._meta.app_label in own]
    return {model._meta.label: list(model._base_manager.order_by("pk").values()) for model in models}


def test_the_same_again_is_no_act(world):
    """Rights that stand as they should, and a dry run, change nothing."""
    roles.ensure_roles()
    before = AuditEntry.objects.count()
    roles.ensure_roles()
    _closing(world.imported("preview", "queued"), lambda held: held.finish(""))()
    assert AuditEntry.objects.count() == before


@pytest.mark.parametrize("act", ACTS)
def test_one_act_one_entry_in_its_transaction(world, act, monkeypatch):
    do = ACTS[act](world)
    begun = state()
    known = set(AuditEntry.objects.values_list("pk", flat=True))
    with transaction.atomic():  # undone with the act
        do()
        assert AuditEntry.objects.exclude(pk__in=known).count() == 1
        transaction.set_rollback(True)
    assert state() == begun
    do()
    (entry,) = AuditEntry.objects.exclude(pk__in=known)
    assert entry.act == act
    assert entry.actor == (None if act in BY_ITSELF else world.by)
    assert entry.subject
    assert audit.seal() > 0
    assert audit.verify() == []


@pytest.mark.parametrize(
    "act", sorted(ACTS.keys() - {"compute.done", "publish.failed", "list.published", "list.opened"})
)
def test_an_act_that_cannot_be_recorded_is_not_done(world, act, monkeypatch):
    """Jobs are left out: a worker who cannot write is tried again (test_jobs)."""
    do = ACTS[act](world)
    begun = state()

    def broken(*args, **kwargs):
        raise ZeroDivisionError("the log is away")

    monkeypatch.setattr(audit, "record", broken)
    with pytest.raises(ZeroDivisionError):
        do()
    now = state()
    if act == "group.rights-changed":
        return  # the example itself takes the rights away before the act gives them back
    assert now == begun


def test_entries_hold_no_names_of_persons(world):
    for act in ("report.submitted", "player.merged", "player.split"):
        ACTS[act](world)()
    names = {name.split(",")[0] for name in Player.objects.values_list("name", flat=True)}
    for entry in AuditEntry.objects.all():
        said = f"{entry.text} {entry.data}"
        assert not any(name in said for name in names), said
