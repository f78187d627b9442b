"""What reading and importing a long list of players costs: time against a plain reading, and memory.

Usage: python bench/player_lists.py [--players 100000] [--formats fide-txt fide-xml csv] [--import dry|all]
Prints one JSON object. A list of N invented players is written to a temporary folder in each format.

read: CPU seconds in which the reader goes through the list, its ratio to reading the bare bytes line by
line, and how much the memory of the process grew at its peak (each in a process of its own).
import: into a new SQLite database, or the empty one that PORTAL_DATABASE_URL names, the last of the formats:
the dry run and, with all, the application and the same list again. CPU seconds of this process and their
ratio to the reading, seconds on the clock, and the peak of memory of the whole process.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
FEDERATIONS = [f"X{chr(65 + n // 26)}{chr(65 + n % 26)}" for n in range(200)]
TITLES = ["", "", "", "", "", "", "FM", "CM", "IM", "GM"]


def invented(count: int) -> Iterator:
    """Players whose numbers, names, years and ratings vary as widely as in FIDE's list."""
    from players.listformats.model import ListedPlayer, ListRating

    unrated = ListRating(None, 0, None)
    for n in range(count):
        letters = "".join(chr(97 + (n // 26**place) % 26) for place in range(4))
        rated = ListRating(1400 + n % 1300, n % 20, (10, 20, 40)[n % 3]) if n % 3 else unrated
        yield ListedPlayer(
            line=0,
            number=str(100_000 + 7 * n),
            name=f"Invented{letters}, Given{letters[::-1]}",
            federation=FEDERATIONS[n * n % 200],
            sex="f" if n % 10 == 0 else "m",
            title=TITLES[n % 997 % 10] if n % 100 == 0 else "",
            standard=rated,
            rapid=rated if n % 2 else unrated,
            blitz=rated if n % 5 == 0 else unrated,
            birth_year=1930 + n % 90 if n % 20 else None,
            active=n % 2 == 0,
        )


def peak_kilobytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def read(path: Path) -> dict:
    """In a process of its own, so that its peak of memory is the reader's."""
    from players.listformats.reading import PlayerList

    before = peak_kilobytes()
    start = time.process_time()
    with path.open("rb") as file:
        players = sum(1 for _ in PlayerList(file, path.name))
    used = time.process_time() - start
    grown = peak_kilobytes() - before
    start = time.process_time()
    with path.open("rb") as file:
        for _ in file:
            pass
    bare = time.process_time() - start
    return {
        "players": players,
        "megabytes": round(path.stat().st_size / 1e6),
        "cpu_seconds": round(used, 2),
        "times_bare_lines": round(used / bare, 1),
        "memory_grew_kilobytes": grown,
    }


def take(path: Path, folder: Path, reading: float, *, dry: bool) -> dict:
    """Dry run and, unless ``dry``, application and the same list again, in a database of its own."""
    os.environ |= {"PORTAL_DEBUG": "1", "PORTAL_VAR": str(folder), "PORTAL_LOG_LEVEL": "ERROR"}
    os.environ["DJANGO_SETTINGS_MODULE"] = "ratingsite.settings"
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from players import player_imports
    from players.models import Player, PlayerImport

    settings.DEBUG = False  # else Django remembers every query
    player_imports.ring = lambda pk: None
    call_command("migrate", verbosity=0)
    (folder / "player-lists").mkdir(exist_ok=True)
    (folder / "player-lists" / path.name).symlink_to(path)
    found: dict = {"database": settings.DATABASES["default"]["ENGINE"].rpartition(".")[2]}

    def work(name: str, asked: PlayerImport) -> PlayerImport:
        clock, start = time.monotonic(), time.process_time()
        while asked.is_open:
            player_imports.run(asked.pk)
            asked.refresh_from_db()
        assert asked.state == "done", asked.message
        seconds = time.process_time() - start
        found[name] = {
            "cpu_seconds": round(seconds, 1),
            "times_reading": round(seconds / reading, 1),
            "clock_seconds": round(time.monotonic() - clock),
            "peak_megabytes": peak_kilobytes() >> 10,
        }
        return asked

    preview = work("dry_run", player_imports.request_preview(path.name, list_date="2026-10-01"))
    if dry:
        return found | {"would_create": preview.created}
    work("apply", player_imports.request_apply(preview))
    preview = work("dry_run_again", player_imports.request_preview(path.name, list_date="2026-10-01"))
    again = work("apply_again", player_imports.request_apply(preview))
    return found | {"players": Player.objects.count(), "changed_again": again.created + again.changed}


def main() -> None:
    from players.listformats.reading import WRITERS

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=100_000)
    parser.add_argument("--formats", nargs="+", choices=list(WRITERS), default=list(WRITERS))
    parser.add_argument("--import", dest="take", choices=["dry", "all"])
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        print(json.dumps(read(options.read)))
        return
    result: dict = {"players": options.players, "read": {}}
    with tempfile.TemporaryDirectory(prefix="player-lists-") as name:
        folder = Path(name)
        for form in options.formats:
            path = folder / f"players.{form}"
            with path.open("wb") as file:
                file.writelines(WRITERS[form](invented(options.players)))
            command = [sys.executable, __file__, "--read", str(path)]
            result["read"][form] = json.loads(subprocess.check_output(command))
        if options.take:
            reading = result["read"][form]["cpu_seconds"]
            result["import"] = {
                "format": form,
                **take(path, folder / "var", reading, dry=options.take == "dry"),
            }
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
