"""How long the pages of a long list take, and its files: 200,000 players in a PostgreSQL database of its own.

    PORTAL_DATABASE_URL=postgresql://postgres@127.0.0.1:5432/scratch python bench/list_pages.py [players]

The database is filled and left as it is; migrate it first.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from datetime import UTC, date, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ratingsite.settings")

import django

django.setup()

from django.core.paginator import Paginator  # noqa: E402
from django.db import connection  # noqa: E402

from players.models import Federation  # noqa: E402
from ratinglists import files, listing  # noqa: E402
from ratinglists.models import Period, RatingList  # noqa: E402
from ratinglists.paging import MAX_PAGES, bounded  # noqa: E402
from tournaments.models import RatingSystem, SystemRegulation  # noqa: E402

CODES = [f"X{a}{b}" for a in "ABCDEFGHIJ" for b in "ABCDEFGHIJ"]
DATES = (date(2026, 9, 1), date(2026, 10, 1))
# Written by the database itself: this measures reading.
PLAYERS = """
    INSERT INTO players_player (name, name_key, loose_key, stem_key, given_key, sex, birth_precision,
                                otb_category, created_at, federation_id)
    SELECT 'Player' || n %% 5003 || ', Number ' || n, 'player' || n %% 5003 || ' number ' || n, '', '', '',
           CASE WHEN n %% 5 = 0 THEN 'f' ELSE 'm' END, '', '', now(),
           'X' || chr(65 + n %% 10) || chr(65 + n * 7 / 10 %% 10)
    FROM generate_series(1, %s) AS n"""
ROWS = """
    INSERT INTO ratinglists_listrow (rating_list_id, player_id, status, rating, games, k_next, name,
        federation, title, women_title, sex, birth_year, fide_id, national_id, flags, steps,
        career_games, reached_k10, games_by_period, inactive_lists)
    SELECT %s, id, CASE WHEN id %% 3 = 0 THEN 'inactive' ELSE 'active' END,
           1400 + id * 7919 %% 1200 + CASE WHEN id %% 10 = 0 THEN %s * (id %% 7 - 3) ELSE 0 END,
           id %% 12, 20, name, federation_id, '', '', sex, 1940 + id %% 75, 9000000 + id, '', '[]', '[]', 0,
           false, '[]', 0
    FROM players_player"""


def fill(count: int) -> RatingList:
    """Two lists of so many players; one in twelve changed in between."""
    Federation.objects.bulk_create(
        [Federation(code=code, name=f"Land {code}") for code in CODES], ignore_conflicts=True
    )
    system, made = RatingSystem.objects.get_or_create(
        code="bench", defaults={"name": "Bench", "rate": "standard"}
    )
    if made:
        SystemRegulation.objects.create(
            system=system, regulation="fide-standard-2024", effective_from=date(2000, 1, 1)
        )
    previous = None
    with connection.cursor() as cursor:
        cursor.execute(PLAYERS, [count])
        for day in DATES:
            period = Period.objects.create(system=system, list_date=day, closes_on=day)
            previous = RatingList.objects.create(
                period=period,
                regulation="fide-standard-2024",
                previous=previous,
                sha256=f"{day.month:064}",
                input_sha256="0" * 64,
                computed_at=datetime.now(UTC),
                report={"events": []},
            )
            cursor.execute(ROWS, [previous.pk, day.month])
    return previous


def timed(what: str, work) -> None:
    begun = time.perf_counter()
    found = work()
    print(f"{what:58} {1000 * (time.perf_counter() - begun):9.0f} ms  {found}", flush=True)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    listed = RatingList.objects.filter(period__system="bench").first() or fill(count)
    listed = RatingList.objects.select_related("period__system", "previous__period").get(pk=listed.pk)
    listed.state = RatingList.State.PUBLISHED  # for the counts that are kept; it is not saved
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    choice = listing.Choice()
    rows = listing.chosen_rows(listed, choice)
    old = Paginator(rows, 100)
    timed("before: count", lambda: old.count)
    timed("before: first page", lambda: len(old.page(1)))
    timed("before: last page by OFFSET", lambda: len(old.page(old.num_pages).object_list))
    timed("count, first time without a stored number", lambda: listing.count_of(listed, choice))
    timed("count, kept", lambda: listing.count_of(listed, choice))
    listed.report["rows"] = {"active": old.count}
    timed("count, stored in the list", lambda: listing.count_of(listed, choice))

    def page(number: int, choice: listing.Choice = choice) -> int:
        rows = listing.chosen_rows(listed, choice)
        return len(list(bounded(rows, str(number), 100, lambda: listing.count_of(listed, choice))))

    timed("first page", lambda: page(1))
    timed(f"page {MAX_PAGES}, the last to turn to", lambda: page(MAX_PAGES))
    timed("going on at rating 1500", lambda: page(1, listing.Choice(rating_to=1500)))
    timed("going on at rating 1500, again", lambda: page(1, listing.Choice(rating_to=1500)))
    for spec in files.files_of(listed):
        timed(spec.name, lambda spec=spec: f"{sum(map(len, spec.chunks())):,} bytes")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB")


if __name__ == "__main__":
    main()
