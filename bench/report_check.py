"""How long a report is checked: reading the file alone, and the whole check with register and rating.

Usage: python bench/report_check.py [--players 400] [--rounds 11] [--runs 5]
Works on a SQLite database of its own in a temporary folder; the report is a made-up Swiss tournament under
the standard rules of 2004. Prints CPU seconds (minimum, median) of each part and their ratio to the
reading of the file.
"""

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from datetime import date
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
START, END = date(2004, 5, 1), date(2004, 5, 11)


def build(players: int, rounds: int):
    """The registered tournament in the database, and its report as TRF16."""
    from tests.factories import STANDARD, make_list, make_player, make_system, make_tournament
    from tournaments.reports import trf16
    from tournaments.reports.model import Birth, ParsedReport, ReportedGame, ReportedPlayer

    chance = random.Random(7)
    people = [make_player(fide_id=str(7_000_000 + n), born=1980) for n in range(players)]
    ratings = {p: 2600 - n * 2 for n, p in enumerate(people) if n % 5}
    system = make_system("standard", regulation=STANDARD)
    rows = {p: {"rating": rating, "career_games": 100} for p, rating in ratings.items()}
    make_list(system, date(2004, 4, 1), rows=rows)
    tournament = make_tournament(system, start=START, end=END, rounds=0, minutes=120)
    points = [Fraction(0)] * players
    games = []
    for round_ in range(1, rounds + 1):
        order = list(range(players))
        for n in range(players // 2):
            white, black = order[n], order[(n + round_) % (players // 2) + players // 2]
            result = chance.choice(["1-0", "0-1", "1/2-1/2"])
            points[white] += {"1-0": 1, "0-1": 0, "1/2-1/2": Fraction(1, 2)}[result]
            points[black] += {"1-0": 0, "0-1": 1, "1/2-1/2": Fraction(1, 2)}[result]
            games.append(ReportedGame(round_, white + 1, black + 1, result))
    listed = tuple(
        ReportedPlayer(n + 1, p.name, "m", "", ratings.get(p), "XAA", p.fide_id, Birth(1980), points[n])
        for n, p in enumerate(people)
    )
    report = ParsedReport(
        "trf16",
        "Bench",
        "Port",
        "XAA",
        START,
        END,
        "Swiss",
        "Arbiter, Ana",
        players=listed,
        games=tuple(games),
    )
    return tournament, trf16.write(report).encode()


def cpu(act, runs: int) -> list[float]:
    taken = []
    for _ in range(runs):
        begin = time.process_time()
        act()
        taken.append(time.process_time() - begin)
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "ratingsite.settings",
            "PORTAL_DEBUG": "1",
            "PORTAL_VAR": folder,
        }
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command

        settings.DEBUG = False
        call_command("migrate", verbosity=0)
        from tournaments.intake import read
        from tournaments.reports import formats

        tournament, content = build(asked.players, asked.rounds)
        reading = read(tournament, "bench.trf", content)
        assert reading.ok, reading.errors[:3]
        parts = {
            "read the file": lambda: formats.parse(content, "bench.trf", START),
            "check the report": lambda: read(tournament, "bench.trf", content),
        }
        base = None
        for name, act in parts.items():
            taken = cpu(act, asked.runs)
            base = base or min(taken)
            print(
                f"{name}: {min(taken):.3f} s at least, {statistics.median(taken):.3f} s in the middle, "
                f"{min(taken) / base:.1f} times the reading"
            )


if __name__ == "__main__":
    main()
