"""Sound files of every kind that people bring in, invented: what the fuzzing starts from. Always the same."""

from __future__ import annotations

import io
import random
import re
import zipfile
from datetime import date, timedelta
from fractions import Fraction

from players.listformats import fide_txt
from players.listformats.model import ListedPlayer, ListRating
from players.listformats.reading import WRITERS
from ratinglists.formats.opening_csv import COLUMNS
from tournaments.reports import formats
from tournaments.reports.model import (
    Birth,
    ParsedReport,
    ReportedGame,
    ReportedPlayer,
    ReportedTeam,
    ReportedTotals,
)

RESULTS = (("10", "1-0", 1), ("==", "1/2-1/2", Fraction(1, 2)), ("01", "0-1", 0), ("+-", "+/-", 1))
NAMES = ("Ibáñez, José", "Bruno, Luis", "Müller-Prueba, Żółć", "Duran, Jo", "Nadie, Ñ")
NUMBERS_FROM = 2_200_000
START = date(2026, 3, 6)
DAYS = 10
_WRITTEN = re.compile(rb"(<dcterms:\w+[^>]*>)[^<]*")


def name_of(number: int) -> str:
    """The player with this start number in every event."""
    return f"{NAMES[number % len(NAMES)]} {chr(65 + number % 26)}"


def sex_of(number: int) -> str:
    return "mf"[number % 2]


def event(rng: random.Random, size: int, rounds: int, *, teams: bool, totals: bool = False) -> ParsedReport:
    """An invented event."""
    numbers = list(range(1, size + 1))
    points = dict.fromkeys(numbers, Fraction(0))
    games = []
    for round_ in range(1, rounds + 1):
        order = rng.sample(numbers, size)
        for white, black in zip(order[::2], order[1::2], strict=False):
            codes, result, worth = rng.choice(RESULTS)
            games.append(ReportedGame(round_, white, black, result, codes))
            points[white] += worth
            points[black] += 1 - worth
        if size % 2:
            games.append(ReportedGame(round_, order[-1], None, "bye-1/2", "H"))
            points[order[-1]] += Fraction(1, 2)
    players = tuple(
        ReportedPlayer(
            n,
            name_of(n),
            sex_of(n),
            "GM" if n == 1 else "",
            rng.choice([None, 1800 + n]),
            "ESP",
            str(NUMBERS_FROM + n),
            rng.choice([Birth(1990, 5, 17), Birth(1990), Birth()]),
            points[n],
            n,
            f"{10_000 + n}" if totals else rng.choice(["", f"N-{n}"]),
            rng.choice([None, 1700 + n]),
        )
        for n in numbers
    )
    members = [tuple(numbers[at : at + 4]) for at in range(0, size, 4)] if teams else []
    return ParsedReport(
        "trf16",
        "Open de Valdeprueba",
        "Valdeprueba",
        "ESP",
        START,
        START + timedelta(days=DAYS - 1),
        "Individual: Swiss-System",
        "Arbitro, Inventado",
        ("Uno, A",),
        "40/90+30/30+30",
        {round_: START + timedelta(days=round_ - 1) for round_ in range(1, rounds + 1)},
        players,
        () if totals else tuple(games),
        tuple(ReportedTeam(at, f"Club {at}", found) for at, found in enumerate(members, start=1)),
        tuple(ReportedTotals(n, points[n], rounds, 1800, n % 2 > 0) for n in numbers) if totals else (),
        rounds=0 if totals else rounds,
        rounds_announced=rounds,
    )


def reports() -> dict[str, list[tuple[str, bytes]]]:
    """File names and contents by format; the last of each is a large one."""
    rng = random.Random(8)
    events = [
        event(rng, 4, 2, teams=False),
        event(rng, 8, 3, teams=False),
        event(rng, 13, 4, teams=True),
        event(rng, 7, 5, teams=False, totals=True),
        event(rng, 60, 9, teams=False),
    ]
    found: dict[str, list[tuple[str, bytes]]] = {}
    for each in formats.FORMATS:
        for one in events:
            # FEDA's file has totals and nothing else, the others have games and no totals.
            if bool(one.totals) == (each is formats.FEDA1031):
                written = each.write(one)
                content = steady(written) if each is formats.XLSX else written
                found.setdefault(each.code, []).append((f"report{each.suffix}", content))
    return found


def steady(archive: bytes) -> bytes:
    """The ZIP file without the time at which it was made."""
    with zipfile.ZipFile(io.BytesIO(archive)) as old:
        return packed({name: _WRITTEN.sub(rb"\1", old.read(name)) for name in old.namelist()})


def packed(members: dict[str, bytes]) -> bytes:
    """A ZIP file of these members, the same whenever it is made."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as new:
        for name, content in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, content)
    return made.getvalue()


def listed(count: int, only: str = "") -> list[ListedPlayer]:
    """Players as a list has them; ``only`` one kind of rating."""
    rng = random.Random(count)
    made = []
    for n in range(1, count + 1):
        ratings = {
            rate: rng.choice([None, ListRating(rng.randrange(1000, 2900), rng.randrange(99), 20)])
            for rate in ("standard", "rapid", "blitz")
            if only in ("", rate)
        }
        made.append(
            ListedPlayer(
                n + 1,
                str(NUMBERS_FROM + n),
                rng.choice(NAMES) + str(n),
                rng.choice(["ESP", "AND"]),
                rng.choice(["m", "f"]),
                rng.choice(["", "GM", "FM"]),
                rng.choice(["", "WFM"]),
                rng.choice(["", "FA,NI"]),
                rng.choice(["", "AFM"]),
                birth_year=rng.choice([None, 1990]),
                active=rng.choice([None, True, False]),
                **ratings,
            )
        )
    return made


def lists() -> dict[str, list[tuple[str, bytes]]]:
    """Lists of players by format, and the same in ZIP files as FIDE hands them out."""
    found: dict[str, list[tuple[str, bytes]]] = {}
    for code, write in WRITERS.items():
        suffix = code.removeprefix("fide-")
        for count in (3, 40):
            found.setdefault(code, []).append((f"players.{suffix}", b"".join(write(listed(count)))))
    found["fide-txt"].append(("rapid_oct26frl.txt", _single(listed(5, "rapid"))))
    found["zip"] = [
        (f"players_{code}.zip", packed({name: content}))
        for code, files in found.items()
        for name, content in files[:1]
    ]
    return found


def _single(players: list[ListedPlayer]) -> bytes:
    lines = [fide_txt.header(fide_txt.SINGLE, date(2026, 10, 1))]
    for each in players:
        rating = each.rapid or ListRating(0, 0, 0)
        values = [*fide_txt.person(*each[1:9]), rating.rating or 0, rating.games, rating.k or 0]
        lines.append(fide_txt.line(fide_txt.SINGLE, [*values, each.birth_year or 0, ""]))
    return b"".join(lines)


def openings() -> list[tuple[str, bytes]]:
    """First lists of a federation."""
    rows = [
        '7,9000011,"Alba, Tomás",m,1990-05-17,esp,fm,2143,120,yes,14',
        '8,,"Bruno, Luis",m,1990-05,ESP,,1800,3,no,2',
        '9,9000013,"Ciro, Ana",f,1990,AND,WIM,,,,',
    ]
    text = "\r\n".join((",".join(COLUMNS), *rows, ""))
    short = "Rating;Name;Sex\n1800;Bruno, Luis;W\n0;Nadie, Ñ;M\n"
    return [("opening.csv", text.encode()), ("opening.csv", short.encode("utf-8-sig"))]


PASTED = (
    "1\t2200001\tIbáñez, José\n2\t2200002\tBruno, Luis\n3\t\tNadie, Ñ\n",
    "No;FIDE;Name\n1;2200001;Alba, Tomás\n2;2200002;Bruno, Luis\n",
    "2200001\n2200002\n2200003\n",
)
CLOCKS = (
    "90+30",
    "90'+30\"",
    "40/90'+30\"; 30'+30\"",
    "40/90+30/30+30",
    "G60;+10",
    "1h30m+30s/mv",
    "1 hour 30 minutes plus 30 seconds increment",
    "90 minutos + 30 segundos por jugada desde la jugada 1",
    "40/120, 20/60, 15+30",
    "40/6000+30:900+30",
    "White 5 min, Black 4 min + 2 s",
    "Blancas: 5 minutos; negras: 4 minutos",
    "120 min for 40 moves, then 60 min for 20 moves, then 15 min with 30 s increment from move 61",
    "3|2",
    "5400+30",
)
CELLS = ("12w1", "12 W ½", "w12 1", "12=", "H", "0000 - U", "12 1", "+", "")
