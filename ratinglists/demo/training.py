"""A system to practise in: no schedule, an opening list of long ago, small events ready to report."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path

from django.db import transaction

from players.models import Federation
from players.queries import by_identifier
from ratinglists import jobs, services
from ratinglists.models import Job, Period, RatingList
from regulations.model import ScheduledRound, Stage
from tournaments import services as events
from tournaments.models import Arbiter, RatingSystem, SystemRegulation, Tournament

OPENED = date(2004, 4, 1)
CONTROL = (Stage(None, Fraction(90), 30),)

#: fide_id, name, birth, rating ("" for unrated): the people of the practice reports
PEOPLE = (
    ("9000011", "Alba, Tomas", "1970-01-20", "2143"),
    ("9000012", "Bruno, Luis", "1981-03-02", "2010"),
    ("9000013", "Ciro, Pablo", "1990-07-07", ""),
    ("9000014", "Duran, Jose", "1966-11-11", "1905"),
    ("9000061", "Ariza, Hugo", "1990-01-05", "1900"),
    ("9000062", "Bosch, Nil", "1991-01-05", "1850"),
    ("9000071", "Alfa, A", "1980-01-05", "1900"),
    ("9000072", "Beta, B", "1981-01-05", "1890"),
    ("9000073", "Gama, C", "1982-01-05", "1880"),
    ("9000074", "Delta, D", "1983-01-05", "1870"),
    ("9000080", "Uno, U", "1992-01-05", ""),
    ("9000082", "Dos, D", "1981-01-05", "2050"),
    ("9000083", "Tres, T", "1982-01-05", "1990"),
    ("9000084", "Cuatro, C", "1983-01-05", "1960"),
)

#: the practice events: name, first and last day, and the lines of the report that awaits each:
#: number, rating as the file has it, points, a cell for each round
EVENTS = (
    (
        "Practice 1: nominal rating",
        date(2004, 5, 1),
        date(2004, 5, 2),
        (
            ("9000011", "2143", "2.0", ("3 w 1", "2 b 1")),
            ("9000012", "2010", "1.0", ("4 b 1", "1 w 0")),
            ("9000013", "2000", "1.0", ("1 b 0", "4 w 1")),
            ("9000014", "1905", "0.0", ("2 w 0", "3 b 0")),
        ),
    ),
    (
        "Practice 2: results that do not mirror",
        date(2022, 5, 7),
        date(2022, 5, 8),
        (("9000061", "1700", "1.0", ("2 w 1",)), ("9000062", "1650", "1.0", ("1 b 1",))),
    ),
    (
        "Practice 3: result codes",
        date(2022, 6, 4),
        date(2022, 6, 5),
        (
            ("9000071", "1800", "3.5", ("2 w +", "3 b W", "4 w 1", "0000 - H")),
            ("9000072", "1790", "1.0", ("1 b -", "0000 - U", "3 w -", "4 b 0")),
            ("9000073", "1780", "0.0", ("4 b 0", "1 w L", "2 b -", "0000 - Z")),
            ("9000074", "1770", "3.0", ("3 w 1", "0000 - F", "1 b 0", "2 w 1")),
        ),
    ),
    (
        "Practice 4: half a point",
        date(2004, 8, 1),
        date(2004, 8, 3),
        (
            ("9000080", "", "0.5", ("2 w 0", "3 b =", "4 w 0")),
            ("9000082", "2050", "3.0", ("1 b 1", "4 w 1", "3 b 1")),
            ("9000083", "1990", "0.5", ("4 w 0", "1 w =", "2 w 0")),
            ("9000084", "1960", "2.0", ("3 b 1", "2 b 0", "1 b 1")),
        ),
    ),
)


def report_file(name: str, start: date, end: date, rows) -> bytes:
    """A practice report as an arbiter's program would write it, faults included."""
    people = {number: (person, birth) for number, person, birth, _ in PEOPLE}
    lines = [f"012 {name}", "022 Villaprueba", "032 ESP", f"042 {start:%Y/%m/%d}", f"052 {end:%Y/%m/%d}"]
    lines += ["092 Individual: Swiss-System", "102 Arbel, Nora", "122 90 min + 30 s"]
    for place, (number, rating, points, cells) in enumerate(rows, start=1):
        person, birth = people[number]
        played = "".join(f"  {cell:>8}" for cell in cells)
        lines.append(
            f"001 {place:4} m    {person:33} {rating:>4} ESP {number:>11} {birth.replace('-', '/')}"
            f" {points:>4} {place:4}{played}"
        )
    return "".join(line + "\r\n" for line in lines).encode()


def publish(opening: RatingList, approver) -> None:
    """An opening list as the second person publishes it, and a worker."""
    services.approve(opening, approver)
    with transaction.atomic():
        job, _ = jobs.request(Job.Kind.PUBLISH, opening.period, approver, ring_workers=False)
    services.run_job(job.pk)


def load(staff, approver, arbiter: Arbiter, today: date, folder: Path) -> None:
    """Open the practice system with its events, registered for the demo arbiter, and a period to compute."""
    spain = Federation.objects.create(code="ESP", name="Spain")
    system = RatingSystem.objects.create(
        code="practice", name="Practice", rate="standard", federation=spain, schedule="manual"
    )
    SystemRegulation.objects.create(system=system, regulation="fide-standard-2004", effective_from=OPENED)
    lines = ["fide_id,name,sex,birth,federation,title,rating,career_games,k10,games_last_year"]
    lines += [
        f'{number},"{name}",m,{birth},ESP,,{rating},{60 if rating else ""},no,{12 if rating else ""}'
        for number, name, birth, rating in PEOPLE
    ]
    data = ("\n".join(lines) + "\n").encode()
    (folder / "opening-practice.csv").write_bytes(data)
    publish(services.open_system(system, OPENED, data, staff), approver)
    register = by_identifier("FIDE", [number for number, *_ in PEOPLE])
    for number, (name, start, end, rows) in enumerate(EVENTS, start=1):
        (folder / f"practice-{number}.trf").write_bytes(report_file(name, start, end, rows))
        days, rounds = (end - start).days + 1, len(rows[0][3])
        tournament = events.announce(
            Tournament(
                name=name,
                rating_system=system,
                federation=spain,
                city="Villaprueba",
                organiser="The federation's courses",
                system="swiss",
                start=start,
                end=end,
                registered_on=start - timedelta(30),
            ),
            staff,
            time_control=CONTROL,
            rounds=[
                ScheduledRound(n, start + timedelta((n - 1) * days // rounds)) for n in range(1, rounds + 1)
            ],
            arbiters=[arbiter],
            players=[register[number].pk for number, *_ in rows],
        )
        events.register(tournament, staff)
    Period.objects.create(system=system, list_date=today, closes_on=today)
