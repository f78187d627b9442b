"""A system to practise in: no schedule, an opening list of long ago, small events ready to report."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path

from players.models import Federation
from ratinglists import services
from ratinglists.models import Period
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

EVENTS = (
    ("Practice 1: nominal rating", date(2004, 5, 1), date(2004, 5, 2), 2),
    ("Practice 2: results that do not mirror", date(2022, 5, 7), date(2022, 5, 8), 1),
    ("Practice 3: result codes", date(2022, 6, 4), date(2022, 6, 5), 4),
    ("Practice 4: half a point", date(2004, 8, 1), date(2004, 8, 3), 3),
)


def load(staff, arbiter: Arbiter, today: date, folder: Path) -> None:
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
    services.open_system(system, OPENED, data, staff)
    for name, start, end, rounds in EVENTS:
        days = (end - start).days + 1
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
        )
        events.register(tournament, staff)
    Period.objects.create(system=system, list_date=today, closes_on=today)
