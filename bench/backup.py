"""A portal of the demonstration's size times 100 backed up, and restored within ten minutes.

    PORTAL_DATABASE_URL=postgresql://postgres@127.0.0.1:5432/postgres python bench/backup.py [--scale 0.16]

The register, the events and games are those of bench/period_data.py; the opening list and the next one are
published by the services. The demonstration times 100 has 31,400 players, 2,800 tournaments, 227,500 games,
241,400 rows of lists and 17,300 files of 310 MB in its archive; scale 0.16 has 272,000, 1,600, 240,000 and
544,000; its archive is filled up with files of the same number and size. Each step is a process of its own;
its peak memory is printed with its time.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
SOURCE, TARGET = "bench_backup", "bench_restored"
FILES, SIZE = 17_300, 18_000
UNPUBLISH = """
    UPDATE ratinglists_ratinglist SET state = 'draft', published_at = NULL, publication_id = NULL,
        input_sha256 = %s, sha256 = %s, report = '{"events": [], "fingerprint": ""}';
    DELETE FROM ratinglists_publication;
"""


def part_build(scale: float, files: int) -> dict:
    import random

    from django.core.management import call_command
    from django.db import connection, transaction

    from bench import period_data
    from ratinglists import archive, services
    from ratinglists.models import Period, RatingList

    call_command("migrate", verbosity=0)
    built = period_data.build(scale)
    kept = archive.store([b"brought in"]).sha256
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(UNPUBLISH, [kept, kept])
    for period in Period.objects.order_by("list_date"):
        if not period.lists.exists():
            _run(services, services.request_compute(period))
        if period.lists.get().awaits_proof:
            _run(services, services.request_proof(period))
        _run(services, services.request_publish(period))
    made = random.Random(1)
    for _ in range(files):
        archive.store([made.randbytes(SIZE)])
    return built | {"lists": RatingList.objects.filter(state="published").count()}


def _run(services, job) -> None:
    services.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "done", job.message


def part_command(*arguments: str) -> dict:
    from django.core.management import call_command

    said = io.StringIO()
    call_command(*arguments, stdout=said)
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    again = re.search("again to the same bytes: ([0-9]+)", said.getvalue())
    return {
        "computed_again": int(again[1]) if again else 0,
        "peak_mib": own.ru_maxrss // 1024,
        "calculator_peak_mib": children.ru_maxrss // 1024,
        "cpu": round(own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime, 1),
    }


def child(var: Path, url: str, *part: str) -> dict:
    environment = os.environ | {"PORTAL_DATABASE_URL": url, "PORTAL_VAR": str(var)}
    environment |= {"PORTAL_DEBUG": "1", "PORTAL_ONE_PERSON": "1", "PORTAL_XLSX_ROWS": "1000"}
    begun = time.perf_counter()
    told = subprocess.run(
        [sys.executable, __file__, "--part", *part],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    seconds = round(time.perf_counter() - begun, 1)
    found = {"seconds": seconds} | json.loads(told.stdout)
    print(" ".join(part), json.dumps(found), flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=0.16)
    parser.add_argument("--files", type=int, default=FILES, help="with so many the archive is filled up")
    parser.add_argument("--json", type=Path, help="write what was measured there")
    parser.add_argument("--part", nargs="+", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.part:
        import django

        os.environ["DJANGO_SETTINGS_MODULE"] = "ratingsite.settings"
        django.setup()
        name, *more = args.part
        built = name == "build"
        print(json.dumps(part_build(float(more[0]), int(more[1])) if built else part_command(name, *more)))
        return
    import psycopg

    server = os.environ.get("PORTAL_DATABASE_URL", "")
    if not server.startswith("postgres"):
        parser.error("PORTAL_DATABASE_URL has to name a PostgreSQL server.")
    url = {name: urlsplit(server)._replace(path=f"/{name}").geturl() for name in (SOURCE, TARGET)}
    print(platform.platform(), f"{os.cpu_count()} processors, load {os.getloadavg()}")
    with psycopg.connect(server, autocommit=True) as connection, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["PORTAL_BACKUP_PASSPHRASE"] = "of the measurement"
        try:
            for each in (SOURCE, TARGET):
                connection.execute(f"DROP DATABASE IF EXISTS {each} WITH (FORCE)")
                connection.execute(f"CREATE DATABASE {each}")
            built = child(folder / "source", url[SOURCE], "build", str(args.scale), str(args.files))
            size = "SELECT pg_database_size(%s) / 1048576"
            print("database, MiB:", connection.execute(size, [SOURCE]).fetchone()[0])
            backup = str(folder / "portal.backup")
            made = child(folder / "source", url[SOURCE], "backup", backup)
            print("backup, MiB:", Path(backup).stat().st_size // 2**20, flush=True)
            same = child(folder / "target", url[TARGET], "restore", backup)
            other = child(folder / "sqlite", "", "restore", backup)
        finally:
            for each in (SOURCE, TARGET):
                connection.execute(f"DROP DATABASE IF EXISTS {each} WITH (FORCE)")
    if args.json:
        found = {"built": built, "backup": made, "PostgreSQL": same, "SQLite": other}
        args.json.write_text(json.dumps(found, indent=1))
    for kind, took in (("PostgreSQL", same["seconds"]), ("SQLite", other["seconds"])):
        print(f"restored on {kind} in {took} s: {'within' if took < 600 else 'NOT WITHIN'} ten minutes")


if __name__ == "__main__":
    main()
