"""A small world for corrections: a system, its lists by the real services, and reports in TRF."""

from __future__ import annotations

from datetime import UTC, date, datetime

from ratinglists import corrections, services
from ratinglists.models import Correction, Job, ListRow, RatingList
from tests.factories import (
    STANDARD,
    make_list,
    make_period,
    make_player,
    make_system,
    make_tournament,
    make_user,
)
from tests.tournaments.report_files import line, report
from tournaments.models import Report, Tournament
from tournaments.services import accept_report, submit_report

OPENED, JULY, OCTOBER, JANUARY = (
    date(2004, 4, 1),
    date(2004, 7, 1),
    date(2004, 10, 1),
    date(2005, 1, 1),
)
NAMES = ("Alder, Tom", "Birch, Lou", "Cedar, Pat", "Dogwood, Jo")
FLIPPED = {"1": "0", "0": "1", "=": "="}


def trf(name: str, start: date, end: date, names, games) -> bytes:
    """``games`` are (round, white, black, White's points as "1", "0" or "=") by places from 1; the players'
    numbers come from ``names``: (name, number)."""
    rounds = max(game[0] for game in games)
    cells = {place: ["0000 - -"] * rounds for place in range(1, len(names) + 1)}
    points = dict.fromkeys(cells, 0)
    for number, white, black, result in games:
        cells[white][number - 1] = f"{black:4d} w {result}"
        cells[black][number - 1] = f"{white:4d} b {FLIPPED[result]}"
        for place, got in ((white, result), (black, FLIPPED[result])):
            points[place] += {"1": 2, "=": 1, "0": 0}[got]
    ranks = {p: r for r, p in enumerate(sorted(points, key=lambda p: (-points[p], p)), start=1)}
    lines = [
        line(place, who, None, number, f"{points[place] / 2:.1f}", ranks[place], *cells[place])
        for place, (who, number) in enumerate(names, start=1)
    ]
    return report(name, f"{start:%Y/%m/%d}", f"{end:%Y/%m/%d}", lines)


class World:
    """Four players of a standard list; ``play`` reports an event, ``publish`` makes the next list."""

    def __init__(
        self,
        regulation: str = STANDARD,
        ratings=(2143, 2010, None, 1905),
        rate="standard",
        *,
        code: str = "standard",
        opened: date = OPENED,
        players=None,
        staff=None,
    ) -> None:
        self.system = make_system(code, regulation=regulation, rate=rate, schedule="manual")
        self.players = players or [
            make_player(name, fide_id=str(7000011 + n), born=1980) for n, name in enumerate(NAMES)
        ]
        self.minutes = {"standard": 120, "rapid": 20}[rate]
        rows = {
            p: {"rating": r, "career_games": 60} if r else {"rating": None}
            for p, r in zip(self.players, ratings, strict=True)
        }
        self.opening = make_list(self.system, opened, rows=rows)
        self.opening.refresh_from_db()
        self.staff = staff or make_user("sara", "tournaments.accept_report", "ratinglists.correct_list")

    def people(self):
        return [(player.name, player.fide_id) for player in self.players]

    def play(
        self,
        start: date,
        games,
        name: str = "Isles Open",
        *,
        accept: bool = True,
        names: list[tuple[str, str]] | None = None,
        **fields,
    ) -> Tournament:
        end = fields.pop("end", start)
        rounds = max(game[0] for game in games)
        event = make_tournament(
            self.system,
            name=name,
            start=start,
            end=end,
            rounds=rounds,
            minutes=fields.pop("minutes", self.minutes),
            **fields,
        )
        self.report(event, games, datetime(end.year, end.month, end.day, 20, tzinfo=UTC), names=names)
        if accept:
            accept_report(event.reports.get(), self.staff)
        event.refresh_from_db()
        return event

    def report(self, event: Tournament, games, at: datetime | None = None, names=None, **more) -> Report:
        body = trf(event.name, event.start, event.end, names or self.people(), games)
        return submit_report(event, self.staff, "open.trf", body, received_at=at, **more)

    def publish(self, day: date, closes: date | None = None) -> RatingList:
        period = make_period(self.system, day, closes or day.replace(day=1))
        jobs = [finished(services.request_compute(period))]
        if period.lists.get(state="draft").awaits_proof:
            jobs.append(finished(services.request_proof(period)))
        jobs.append(finished(services.request_publish(period)))
        assert {job.state for job in jobs} == {"done"}, [job.message for job in jobs]
        return period.lists.get(state="published")

    def correction(self, reason: str = "A wrong result") -> Correction:
        return corrections.open_correction(self.system, self.staff, reason)

    def ratings(self, day: date) -> list[int | None]:
        """By the standing list of a date, in the order of the players."""
        listed = self.listed(day)
        rows = dict(ListRow.objects.filter(rating_list=listed).values_list("player_id", "rating"))
        return [rows[player.pk] for player in self.players]

    def listed(self, day: date) -> RatingList:
        lists = RatingList.objects.filter(
            period__system=self.system, period__list_date=day, state="published"
        )
        return lists.order_by("-revision").first()


def finished(job: Job) -> Job:
    services.run_job(job.pk)
    job.refresh_from_db()
    return job


def computed(correction: Correction) -> Job:
    return finished(corrections.request_correct(correction))


def published(correction: Correction) -> Job:
    return finished(corrections.request_publish(correction))


def snapshot(listed: RatingList) -> dict:
    """Everything that a list says, for comparing, without keys of its own."""
    rows = [
        {name: value for name, value in row.items() if name not in ("id", "rating_list_id")}
        for row in ListRow.objects.filter(rating_list=listed).order_by("player_id").values()
    ]
    samples = [
        {name: value for name, value in row.items() if name not in ("id", "rating_list_id")}
        for row in listed.samples.order_by("player_id", "list_date", "event").values()
    ]
    events = [
        {
            "event": {n: v for n, v in event.items() if n not in ("id", "rating_list_id")},
            "players": [
                {n: v for n, v in row.items() if n not in ("id", "event_id")}
                for row in listed.events.get(pk=event["id"]).players.order_by("player_id").values()
            ],
        }
        for event in listed.events.order_by("tournament_id", "part").values()
    ]
    return {
        "rows": rows,
        "samples": samples,
        "events": events,
        "hashes": (listed.sha256, listed.input_sha256),
    }
