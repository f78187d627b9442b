"""How long each kind of public page takes at FIDE's size, made anew, slowest first.

    PORTAL_DATABASE_URL=postgresql://… python bench/period.py --scale 1 --keep --parts build whole
    PORTAL_DATABASE_URL=postgresql://…/bench_period_1_0 python bench/pages.py [--least MILLISECONDS]

In one process, without a server: milliseconds by the clock, the database's among them, and of this process,
of the second visit, which is of another address, so that no page is kept. The draft of the period is declared
published by SQL: special lists, which come from files when they are published, are left out.
"""

import argparse
import logging
import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
LIST = [
    "?", "?page=50", "?q=a", "?order=name", "?order=-name", "?order=change", "?order=games",
    "?order=federation", "?order=title", "?order=born", "?order=k", "?title=GM", "?sex=f", "?age=u12",
    "?status=unrated", "?status=inactive", "?status=rated&age=50", "?rating_from=2100",
    "?rating_from=1500&rating_to=1540", "events/", "events/?outcome=counted&page=50", "monitoring/",
]  # fmt: skip
SITE = [
    "/", "/lists/", "/calendar/", "/federations/", "/players/", "/tournaments/", "/tournaments/?q=1",
    "/received/", "/feeds/lists.atom", "/sitemap.xml", "/sitemap-lists.xml", "/sitemap-players.xml",
    "/verify/", "/status/",
]  # fmt: skip
PLAYER = ["?", "history/", "statistics/", "games/", "what-if/", "compare/"]
API = [
    "systems", "lists", "players?q=a", "players", "federations", "tournaments", "lists/{list}",
    "lists/{list}/rows", "lists/{list}/rows?limit=1000", "lists/{list}/revisions", "players/{player}",
    "players/{player}/history", "players/{player}/events", "players/{player}/games",
    "tournaments/{event}", "tournaments/{event}/crosstable",
]  # fmt: skip


def addresses() -> list[str]:
    from bench.web import addresses as drawn
    from ratinglists.models import PlayerResult

    kinds = drawn()
    page = kinds["list, kept"][0]
    profile, other, *_ = kinds["profile, made"]
    player, event = (kinds[kind][0].split("/")[2] for kind in ("profile, made", "tournament, made"))
    result = PlayerResult.objects.filter(player=player).values_list("event__tournament").first()
    named = {"list": page.removeprefix("/lists/").strip("/"), "player": player, "event": event}
    return [
        *SITE,
        *(page + each.removesuffix("?") for each in LIST),
        *(profile + each.removesuffix("?") for each in PLAYER),
        f"{profile}compare/{other.split('/')[2]}/",
        f"{profile}events/{result[0]}/",
        f"/tournaments/{event}/",
        *(f"/api/v1/{each.format(**named)}" for each in API),
        f"/api/v1/players/{player}/calculations/{result[0]}",
    ]


def visit(client, address: str, number: int) -> tuple[float, float, int, int]:
    if not address.startswith("/api/"):
        address += f"{'&' if '?' in address else '?'}visit={number}"
    clock, own = time.perf_counter(), time.process_time()
    response = client.get(address)
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return time.perf_counter() - clock, time.process_time() - own, response.status_code, len(body)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--least", type=int, default=0, help="show only what takes so many milliseconds")
    least = parser.parse_args().least
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "ratingsite.settings",
            "PORTAL_DEMO": "1",
            "PORTAL_VAR": folder,
            "PORTAL_API_PER_MINUTE": "0",
        }
        import django

        django.setup()
        logging.disable(logging.WARNING)
        from django.core.management import call_command
        from django.test import Client

        from bench.web import publish

        call_command("collectstatic", interactive=False, verbosity=0)
        publish()
        client = Client(headers={"host": "127.0.0.1", "accept-encoding": "gzip"})
        found = []
        for address in addresses():
            first, *_ = visit(client, address, 1)
            found.append((*visit(client, address, 2), first, address))
    print("| address | ms | of the process | at the first visit | kB sent | status |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for clock, own, status, size, first, address in sorted(found, reverse=True):
        if clock * 1e3 >= least:
            times = " | ".join(f"{each * 1e3:.0f}" for each in (clock, own, first))
            print(f"| {address} | {times} | {size / 1e3:.1f} | {status} |")


if __name__ == "__main__":
    main()
