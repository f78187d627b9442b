"""How long a search takes at 1.7 million players: whole pages, 200 of each kind, from a fixed seed.

Usage: python bench/search.py [--scale 1] [--count 200] [--keep] [--json FILE]
PORTAL_DATABASE_URL names a PostgreSQL server (any database of it), or a folder (sqlite:////folder/any); the
database bench_search is made there and, unless ``--keep`` is given, dropped; one that is there is used as it
is.

Each figure is the time of a request answered in this process, template and all: on the clock, and "cpu",
the processor time of this process and of its PostgreSQL process together, which a busy machine does not
change much. "times" is the median by cpu against that of a bare SELECT … WHERE id = in the same run.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
DATABASE = "bench_search"


def kinds(random, count: int) -> dict[str, list[dict]]:
    """The queries of each kind, from players drawn at random: who has a common name is drawn more often."""
    from players.models import Player, Title

    most = Player.objects.order_by("-pk").values_list("pk", flat=True)[0]
    drawn = [int(pk) for pk in random.integers(1, most + 1, count)]
    people = Player.objects.in_bulk(drawn)
    names = [people[pk].name for pk in drawn]
    family = [name.partition(",")[0] for name in names]
    given = [name.partition(", ")[2] for name in names]
    wrong = [slip(name, random) for name in family]
    codes = [people[pk].federation_id for pk in drawn]
    titled = list(Title.objects.order_by("pk").values_list("player__name", flat=True)[:count])
    floor = [int(each) for each in random.integers(1400, 2500, count)]
    ages = [("u8", "u10", "u12", "u16", "50", "65")[each] for each in random.integers(0, 6, count)]
    return {
        "number": [{"q": str(100_000 + 7 * pk)} for pk in drawn],
        "whole name": [{"q": name} for name in names],
        "name turned round": [{"q": f"{b} {a}"} for a, b in zip(family, given, strict=True)],
        "family name": [{"q": name} for name in family],
        "given name": [{"q": name} for name in given],
        "begun": [{"q": f"{a[:4]} {b[:1]}"} for a, b in zip(family, given, strict=True)],
        "first letters": [{"q": name[:3]} for name in names],
        "slip in the family name": [{"q": f"{a} {b}"} for a, b in zip(wrong, given, strict=True)],
        "slip, family name alone": [{"q": name} for name in wrong],
        "name and federation": [{"q": a, "federation": b} for a, b in zip(given, codes, strict=True)],
        "name and ratings": [
            {"q": a, "rating_from": b, "rating_to": b + 100} for a, b in zip(family, floor, strict=True)
        ],
        "titled name": [{"q": name, "title": "any"} for name in titled],
        "federation": [{"federation": code} for code in codes],
        "federation, sex, age": [
            {"federation": a, "sex": "f", "age": b} for a, b in zip(codes, ages, strict=True)
        ],
        "ratings": [{"rating_from": each, "rating_to": each + 50} for each in floor],
        "ratings and federation": [
            {"rating_from": a, "rating_to": a + 200, "federation": b}
            for a, b in zip(floor, codes, strict=True)
        ],
        "page 20 of a federation": [{"federation": code, "page": 20} for code in codes],
    }  # fmt: skip


def slip(word: str, random) -> str:
    """A word with two neighbouring letters swapped, one left out, or one doubled by another."""
    at = int(random.integers(1, max(2, len(word) - 1)))
    kind = int(random.integers(3))
    if kind == 0:
        return word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :]
    if kind == 1:
        return word[:at] + word[at + 1 :]
    return word[:at] + "aeiou"[int(random.integers(5))] + word[at:]


def told(spent: list[tuple[float, float]]) -> dict:
    """Median and 95th percentile in milliseconds, on the clock and of processors."""
    found = {}
    for name, times in zip(("clock", "cpu"), zip(*spent, strict=True), strict=True):
        times = [1000 * each for each in times]
        found[name] = [round(median(times), 2), round(quantiles(times, n=20)[-1], 1)]
    return found


def measured(count: int) -> dict[str, dict]:
    """Each kind of query, and the bare SELECT before and after them all."""
    import numpy as np
    from django.db import connection
    from django.test import Client

    from bench.period import now, since
    from bench.search_data import SEED

    random, client = np.random.default_rng(SEED), Client()
    bare: list[tuple[float, float]] = []

    def select() -> None:
        with connection.cursor() as cursor:
            for pk in range(1, count + 1):
                begun = now()
                for _ in range(20):  # one is too short for the processor's clock
                    cursor.execute("SELECT * FROM players_player WHERE id = %s", [pk * 997])
                    cursor.fetchall()
                bare.append(tuple(each / 20 for each in since(begun)))

    select()
    results = {}
    for name, queries in kinds(random, count).items():
        spent, found = [], 0
        client.get("/players/", queries[0])
        for query in queries:
            begun = now()
            response = client.get("/players/", query)
            spent.append(since(begun))
            assert response.status_code == 200, urlencode(query)
            found += b"<tbody>" in response.content
        results[name] = told(spent) | {"found": found}
        print(f"{name:26} {results[name]}", flush=True)
    select()
    results["SELECT by id"] = told(bare)
    return results


def table(results: dict[str, dict]) -> str:
    """The results as docs/developers/performance.md shows them."""
    base = results["SELECT by id"]["cpu"][0]
    lines = ["| | clock p50 | p95 | cpu p50 | p95 | times | found |", "| --- |" + " ---: |" * 6]
    for name, each in results.items():
        (p50, p95), (cpu50, cpu95) = each["clock"], each["cpu"]
        lines.append(
            f"| {name} | {p50} | {p95} | {cpu50} | {cpu95} | {cpu50 / base:.0f} | {each.get('found', '')} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    address = os.environ["PORTAL_DATABASE_URL"]
    os.environ["PORTAL_DATABASE_URL"] = f"{address.rpartition('/')[0]}/{DATABASE}"
    os.environ |= {"DJANGO_SETTINGS_MODULE": "ratingsite.settings", "PORTAL_DEMO": "1"}
    os.environ["PORTAL_LOG_LEVEL"] = "ERROR"
    with tempfile.TemporaryDirectory() as var:
        os.environ["PORTAL_VAR"] = var
        run(given, address)


def run(given, address: str) -> None:
    import django
    from django.core.management import call_command

    _server(address, f"CREATE DATABASE {DATABASE}")
    django.setup()
    from django.conf import settings

    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    settings.ALLOWED_HOSTS.append("testserver")
    from bench import search_data
    from players.models import Player

    call_command("migrate", verbosity=0)
    if not Player.objects.exists():
        begun = time.perf_counter()
        players = search_data.build(given.scale)
        print(f"{players} players in {time.perf_counter() - begun:.0f} s", flush=True)
    results = measured(given.count)
    print(f"\n{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.0f}")
    print(table(results))
    if given.json:
        given.json.write_text(json.dumps(results, indent=1))
    if not given.keep:
        from django.db import connection

        connection.close()
        _server(address, f"DROP DATABASE {DATABASE}")


def _server(address: str, statement: str) -> None:
    if address.startswith("sqlite"):
        if statement.startswith("DROP"):
            Path(os.environ["PORTAL_DATABASE_URL"].removeprefix("sqlite:///")).unlink()
        return
    import psycopg

    with (
        psycopg.connect(address, autocommit=True) as connection,
        suppress(psycopg.errors.DuplicateDatabase),
    ):
        connection.execute(statement)


if __name__ == "__main__":
    main()
