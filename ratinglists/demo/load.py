"""Fill an empty portal: register, report, accept, compute and publish, as people would."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from players.models import Federation, Player
from players.roles import Role, ensure_roles, grant
from ratinglists import jobs, services
from ratinglists.demo import play, training
from ratinglists.demo.names import CITIES, SPONSORS
from ratinglists.demo.world import HOME, NEIGHBOUR, RATED_RAPID, RATED_STANDARD, Person, opening_list, people
from ratinglists.models import Job, Period, RatingList
from regulations.model import ScheduledRound, Stage
from tournaments import services as events
from tournaments.models import Arbiter, RatingSystem, SystemRegulation, Tournament
from tournaments.reports import trf16
from tournaments.reports.model import Birth, ParsedReport, ReportedPlayer

SEED = 20261128
STANDARD_CONTROL = (Stage(40, Fraction(90), 30), Stage(None, Fraction(30), 30))
RAPID_CONTROL = (Stage(None, Fraction(15), 10),)
Say = Callable[[str], None]


class NotEmpty(Exception):
    """The database has data already; the demonstration is for an empty one."""


class Loader:
    """Builds the demonstration day by day, from one seed and today's date."""

    def __init__(self, say: Say, today: date | None = None) -> None:
        self.say = say
        self.random = Random(SEED)
        self.today = today or timezone.localdate()
        self.folder = Path(settings.VAR_DIR) / "demo"

    def load(self) -> None:
        if Player.objects.exists() or RatingSystem.objects.exists():
            raise NotEmpty("The database is not empty: the demonstration was not loaded.")
        self.folder.mkdir(parents=True, exist_ok=True)
        self._accounts()
        self._systems()
        self.persons = people(self.random, self.today)
        standard_dates = _quarters(self.today, 4)
        rapid_dates = _months(self.today, 4)
        self._open(self.standard, standard_dates[0], RATED_STANDARD, 1801)
        self._open(self.rapid, rapid_dates[0], RATED_RAPID, 1000)
        self.players = {
            identifier: player for player in Player.objects.all() if (identifier := player.fide_id)
        }
        strongest = self.players[self.persons[0].fide_id]
        grant(self.accounts["player"], Role.PLAYER, by=None, player=strongest)
        for before, list_date in pairwise(standard_dates):
            self._period(self.standard, before, list_date, self._standard_events)
        for before, list_date in pairwise(rapid_dates):
            self._period(self.rapid, before, list_date, self._rapid_events)
        self._under_way(rapid_dates[-1])
        training.load(self.staff, self.approver, self.arbiters[0], self.today, self.folder)
        services.look_for_due_periods(self.today)
        self.say(f"report files to try: {self.folder}")

    # --- people and systems ---------------------------------------------------------------------

    def _accounts(self) -> None:
        ensure_roles()
        users = get_user_model().objects
        self.accounts = {
            name: users.create_user(name, password=password)
            for name, password in settings.PORTAL_DEMO_ACCOUNTS.items()
        }
        self.staff, self.approver = self.accounts["staff"], self.accounts["approver"]
        grant(self.staff, Role.OFFICER, by=None)
        grant(self.approver, Role.APPROVER, by=None)
        grant(self.accounts["admin"], Role.ADMINISTRATOR, by=None)
        self.home = Federation.objects.create(code=HOME, name="Valdoria")
        Federation.objects.create(code=NEIGHBOUR, name="Coralia")
        self.arbiters = [
            Arbiter.objects.create(name=name, title=title, federation=self.home)
            for name, title in (("Arbel, Nora", "IA"), ("Tessaro, Hugo", "FA"), ("Lindra, Paula", "NA"))
        ]
        grant(self.accounts["arbiter"], Role.ARBITER, by=None, arbiter=self.arbiters[0])
        grant(self.accounts["clerk"], Role.CLERK, by=None, federation=self.home)

    def _systems(self) -> None:
        self.standard = RatingSystem.objects.create(
            code="standard", name="Valdoria standard", rate="standard", federation=self.home
        )
        self.rapid = RatingSystem.objects.create(
            code="rapid", name="Valdoria rapid", rate="rapid", federation=self.home, reference=self.standard
        )
        for system, regulation in (
            (self.standard, "fide-standard-2004"),
            (self.rapid, "fide-rapid-blitz-2022"),
        ):
            SystemRegulation.objects.create(
                system=system, regulation=regulation, effective_from=date(self.today.year - 5, 1, 1)
            )

    def _open(self, system: RatingSystem, list_date: date, rated: int, floor: int) -> None:
        data = opening_list(self.random, self.persons, rated=rated, floor=floor)
        (self.folder / f"opening-{system.code}.csv").write_bytes(data)
        training.publish(services.open_system(system, list_date, data, self.staff), self.approver)
        self.say(f"{system}: opening list of {list_date}")

    # --- periods --------------------------------------------------------------------------------

    def _period(self, system: RatingSystem, begins: date, list_date: date, plan) -> None:
        regulation = system.regulation_on(list_date)
        closes = regulation.closing_date(list_date)
        period = Period.objects.create(system=system, list_date=list_date, closes_on=closes)
        for tournament, games in plan(begins, closes):
            self._report(tournament, games)
        self._work(Job.Kind.COMPUTE, period, self.staff)
        draft = period.lists.get()
        services.propose(draft, self.staff)
        services.approve(draft, self.approver)
        self._work(Job.Kind.PUBLISH, period, self.approver)
        published = RatingList.objects.get(period=period)
        self.say(f"{system}: list of {list_date}, {published.events.count()} tournaments")

    def _work(self, kind: str, period: Period, by) -> None:
        with transaction.atomic():
            job, _ = jobs.request(kind, period, by, ring_workers=False)
        services.run_job(job.pk)
        job.refresh_from_db()
        if job.state != Job.State.DONE:
            raise RuntimeError(f"{job}: {job.message}")

    def _standard_events(self, begins: date, closes: date):
        spread = (closes - begins).days
        yield self._swiss(self.standard, begins + timedelta(spread // 5), 9, 7, 36, STANDARD_CONTROL, "Open")
        yield self._closed(begins + timedelta(2 * spread // 5), "round-robin")
        yield self._swiss(
            self.standard, begins + timedelta(3 * spread // 5), 5, 4, 28, STANDARD_CONTROL, "Cup"
        )
        if begins.month % 2:
            yield self._match(begins + timedelta(4 * spread // 5))

    def _rapid_events(self, begins: date, closes: date):
        spread = (closes - begins).days
        for place, name in enumerate(("Rapid Open", "Evening Rapid", "Rapid Grand Prix"), start=1):
            day = begins + timedelta(place * spread // 4)
            yield self._swiss(self.rapid, day, 7, 1, 30 + 6 * place, RAPID_CONTROL, name)

    def _draft(self, system, name, kind, start, days, rounds, control, entries: list[Person], **more):
        tournament = Tournament(
            name=name,
            rating_system=system,
            federation=self.home,
            city=self.random.choice(CITIES),
            organiser=f"{self.random.choice(SPONSORS)} Chess Club",
            system=kind,
            start=start,
            end=start + timedelta(days - 1),
            **{"registered_on": start - timedelta(20), **more},
        )
        schedule = [
            ScheduledRound(n, start + timedelta((n - 1) * days // rounds)) for n in range(1, rounds + 1)
        ]
        return events.announce(
            tournament,
            self.staff,
            time_control=control,
            rounds=schedule,
            arbiters=self.random.sample(self.arbiters, 2),
            players=[self.players[person.fide_id].pk for person in entries],
        )

    def _field(self, size: int, strongest: int, weakest: int) -> list[Person]:
        chosen = self.random.sample(self.persons[strongest:weakest], size)
        return sorted(chosen, key=lambda person: -person.strength)

    def _swiss(self, system, start, rounds, days, size, control, name):
        field = self._field(size, 0, len(self.persons))
        sponsor = self.random.choice(SPONSORS)
        title = f"{sponsor} {name} {start:%B %Y}"
        tournament = self._draft(system, title, "swiss", start, days, rounds, control, field)
        games = play.swiss(self.random, [person.strength for person in field], rounds)
        return (tournament, field), games

    def _closed(self, start, kind):
        field = self._field(8, 20, 90) + self._field(2, 225, 260)
        title = f"{self.random.choice(SPONSORS)} Masters {start.year}"
        tournament = self._draft(self.standard, title, kind, start, 9, 9, STANDARD_CONTROL, field)
        return (tournament, field), play.round_robin(self.random, [person.strength for person in field])

    def _match(self, start):
        field = self._field(2, 0, 40)
        title = f"{field[0].name.split(',')[0]} – {field[1].name.split(',')[0]} match {start.year}"
        tournament = self._draft(
            self.standard, title, "match", start, 6, 6, STANDARD_CONTROL, field, scheduled_games=6
        )
        return (tournament, field), play.match(self.random, [person.strength for person in field], 6)

    # --- reports --------------------------------------------------------------------------------

    def _report(self, event, games) -> None:
        tournament, field = event
        events.register(tournament, self.staff)
        data = report_file(tournament, field, games)
        received = timezone.make_aware(datetime.combine(tournament.end, time(21)))
        report = events.submit_report(
            tournament, self.staff, f"{tournament.pk}.trf", data, received_at=received
        )
        report.tournament.refresh_from_db()
        events.accept_report(report, self.staff)

    def _under_way(self, begins: date) -> None:
        """What staff and arbiters find waiting: an event to report, a report to accept, drafts to judge."""
        start = self.today - timedelta(2)
        (tournament, field), games = self._swiss(
            self.rapid, start, 7, 1, 24, RAPID_CONTROL, "Rapid to report"
        )
        _with_chief(tournament, self.arbiters[0])
        events.register(tournament, self.staff)
        (self.folder / "rapid-to-report.trf").write_bytes(report_file(tournament, field, games))
        (waiting, field), games = self._swiss(self.rapid, start, 7, 1, 20, RAPID_CONTROL, "Rapid to accept")
        events.register(waiting, self.staff)
        events.submit_report(waiting, self.staff, "rapid-to-accept.trf", report_file(waiting, field, games))
        self._draft(
            self.standard,
            "Too fast for its field",
            "swiss",
            self.today + timedelta(30),
            3,
            6,
            (Stage(None, Fraction(60), 30),),
            self._field(16, 0, 120),
            registered_on=self.today,
        )
        self._draft(
            self.rapid,
            "Registered too late",
            "swiss",
            self.today + timedelta(1),
            1,
            7,
            RAPID_CONTROL,
            self._field(16, 0, 250),
            registered_on=self.today,
        )


def _with_chief(tournament: Tournament, arbiter: Arbiter) -> None:
    """The demo arbiter's own event, whoever was drawn before."""
    tournament.appointments.all().delete()
    tournament.appointments.create(arbiter=arbiter, role="chief")


def report_file(tournament: Tournament, field: list[Person], games) -> bytes:
    """The arbiter's TRF16 file of a played tournament."""
    players = tuple(
        ReportedPlayer(
            start_number=number,
            name=person.name,
            sex=person.sex,
            title=person.title,
            federation=person.federation,
            fide_id=person.fide_id,
            birth=Birth(person.birth.year, person.birth.month, person.birth.day),
            points=Fraction(play.half_points(games, number), 2),
        )
        for number, person in enumerate(field, start=1)
    )
    ranks = sorted(players, key=lambda player: (-player.points, player.start_number))
    rank_of = {player.start_number: rank for rank, player in enumerate(ranks, start=1)}
    chief = next(row for row in tournament.appointments.all() if row.role == "chief").arbiter
    report = ParsedReport(
        format="trf16",
        name=tournament.name,
        city=tournament.city,
        federation=tournament.federation_id,
        start=tournament.start,
        end=tournament.end,
        type_text=f"Individual: {tournament.get_system_display()}",
        chief_arbiter=chief.name,
        time_control_text=" + ".join(str(stage) for stage in tournament.stages.all()),
        round_dates={row.number: row.date for row in tournament.rounds.all()},
        players=tuple(replace(player, rank=rank_of[player.start_number]) for player in players),
        games=tuple(games),
        rounds=max(game.round for game in games),
    )
    return trf16.write(report).encode()


def _quarters(today: date, count: int) -> list[date]:
    """The last ``count`` quarter days up to today, oldest first."""
    year, quarter = today.year, (today.month - 1) // 3
    days = []
    for _ in range(count):
        days.append(date(year, quarter * 3 + 1, 1))
        year, quarter = (year, quarter - 1) if quarter else (year - 1, 3)
    return days[::-1]


def _months(today: date, count: int) -> list[date]:
    year, month = today.year, today.month
    days = []
    for _ in range(count):
        days.append(date(year, month, 1))
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    return days[::-1]
