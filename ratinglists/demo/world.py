"""The invented people: who they are, how strong, and what the opening lists say of them."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from ratinglists.demo.names import FAMILY, GIVEN_F, GIVEN_M

HOME, NEIGHBOUR = "VAL", "COR"
PLAYERS = 300
RATED_STANDARD = 210
RATED_RAPID = 230


@dataclass(frozen=True, slots=True)
class Person:
    fide_id: str
    name: str
    sex: str
    birth: date
    federation: str
    title: str
    strength: int


def people(random: Random, today: date) -> list[Person]:
    """Players from strong to weak."""
    strengths = sorted((1930 + _spread(random, 165) for _ in range(PLAYERS)), reverse=True)
    made, names = [], set()
    for number, strength in enumerate(strengths):
        sex = "f" if random.randrange(4) == 0 else "m"
        while True:
            name = f"{random.choice(FAMILY)}, {random.choice(GIVEN_F if sex == 'f' else GIVEN_M)}"
            if name not in names:
                break
        names.add(name)
        birth = today - timedelta(days=random.randrange(11 * 365, 72 * 365))
        made.append(
            Person(
                fide_id=str(99_100_000 + number * 37 + random.randrange(30)),
                name=name,
                sex=sex,
                birth=birth,
                federation=NEIGHBOUR if random.randrange(8) == 0 else HOME,
                title=_title(strength, sex),
                strength=max(strength, 1150),
            )
        )
    return made


def _spread(random: Random, width: int) -> int:
    """About normal, by whole numbers only, so that every machine draws the same."""
    return sum(random.randint(-width, width) for _ in range(4))


def _title(strength: int, sex: str) -> str:
    for least, code in ((2420, "GM"), (2330, "IM"), (2260, "FM"), (2200, "CM")):
        if strength >= least:
            return code
    return "WFM" if sex == "f" and strength >= 2080 else ""


def opening_list(random: Random, persons: list[Person], *, rated: int, floor: int) -> bytes:
    """An opening list as the CSV that a federation brings; the strongest are rated, with errors."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(
        [
            "fide_id",
            "name",
            "sex",
            "birth",
            "federation",
            "title",
            "rating",
            "career_games",
            "k10",
            "games_last_year",
        ]
    )
    for place, person in enumerate(persons):
        rating = person.strength + _spread(random, 39)
        if place >= rated or rating < floor:
            row = ["", "", "", ""]
        else:
            games = random.choice([12, 22, 40, 75, 140, 260])
            row = [rating, games, "yes" if rating >= 2400 and games >= 30 else "no", random.randrange(3, 25)]
        writer.writerow(
            [person.fide_id, person.name, person.sex, person.birth, person.federation, person.title, *row]
        )
    return text.getvalue().encode()
