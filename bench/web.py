"""Requests a second of the public pages at FIDE's size, beside a bare view of Django, in one run.

    PORTAL_DATABASE_URL=postgresql://… python bench/period.py --scale 1 --keep --parts build whole
    PORTAL_DATABASE_URL=postgresql://…/bench_period_1 python bench/web.py [--seconds 10] [--json FILE]

The portal's own server (gunicorn, two processes of four threads) and what drives it (wrk, 8 connections)
share the machine. "kept" pages are asked for again and again; "made" ones each once, so that no page is kept.
The draft of the period is declared published by SQL, its files are not written: this measures reading.
"""

import argparse
import json
import os
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
SEED, CONNECTIONS = 20261129, 8
#: so many addresses of a kind are asked for again and again; each so often before, for both processes
POPULAR, TIMES = 200, 8
SCRIPT = """
local paths, at = {{}}, {first}
for line in io.lines("{file}") do paths[#paths + 1] = line end
function request()
  at = at % #paths + 1
  return wrk.format("GET", paths[at], {{["Accept-Encoding"] = "gzip"}})
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("TOLD %d %d %.3f %.3f %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, summary.bytes,
    e.connect + e.read + e.write + e.status + e.timeout))
end
"""
PUBLISH = """
    UPDATE ratinglists_ratinglist
       SET state = 'published', published_at = now(), input_sha256 = repeat('0', 64),
           one_person = true,
           publication_id = (SELECT max(publication_id) FROM ratinglists_ratinglist)
     WHERE state = 'draft'
"""


def publish() -> None:
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(PUBLISH)


def addresses() -> dict[str, list[str]]:
    """The addresses of each kind of page, drawn from a fixed seed."""
    from ratinglists.models import ListRow, RatingList

    newest = RatingList.objects.filter(state="published").order_by("period__list_date").last()
    rows = ListRow.objects.filter(rating_list=newest)
    drawn = random.Random(SEED)
    played = list(rows.filter(games__gt=0).values_list("player_id", flat=True))
    drawn.shuffle(played)
    events = list(newest.events.values_list("tournament_id", flat=True)[:20_000])
    drawn.shuffle(events)
    path = f"/lists/{newest.period.system_id}/{newest.list_date}/"
    queries = [f"{path}?rating_from={low}&rating_to={low + 40}" for low in range(1400, 2400)]
    drawn.shuffle(queries)
    return {
        "bare view": ["/bare/"],
        "list, kept": [path, f"{path}?page=2", f"{path}?sex=f", f"{path}?page=3"],
        "list by ratings, made": queries,
        "profile, kept": [f"/players/{pk}/" for pk in played[:POPULAR]],
        "profile, made": [f"/players/{pk}/" for pk in played[POPULAR:]],
        "tournament, kept": [f"/tournaments/{pk}/" for pk in events[: POPULAR // 4]],
        "tournament, made": [f"/tournaments/{pk}/" for pk in events[POPULAR // 4 :]],
    }


def drive(base: str, paths: list[str], seconds: int, folder: Path, *, warm: bool, first: int = 0) -> dict:
    """One run of wrk over the paths; ``warm``: each has been asked for before, of both processes."""
    file, script = folder / "paths", folder / "paths.lua"
    file.write_text("\n".join(paths) + "\n")
    script.write_text(SCRIPT.format(file=file, first=first))
    if warm:
        for path in paths * TIMES:
            urllib.request.urlopen(base + path).read()
    said = ask(base, script, seconds)
    count, micro, middle, late, size, errors = re.search(r"TOLD (.*)", said)[1].split()
    return {
        "requests_per_second": round(int(count) / int(micro) * 1e6, 1),
        "median_ms": float(middle),
        "p99_ms": float(late),
        "kB": round(int(size) / max(1, int(count)) / 1000, 1),
        "asked": int(count),
        "errors": int(errors),
    }


def ask(base: str, script: Path, seconds: int) -> str:
    run = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "30s", "-s", str(script), base]
    told = subprocess.run(run, capture_output=True, text=True)
    if told.returncode:
        raise SystemExit(f"wrk: {told.stderr}{told.stdout}")
    return told.stdout


def serve(folder: Path, port: int) -> subprocess.Popen:
    command = [sys.executable, "-m", "gunicorn", "bench.web_app", "--bind", f"127.0.0.1:{port}"]
    command += ["--workers", "2", "--threads", "4", "--no-control-socket", "--log-level", "error"]
    server = subprocess.Popen(command, cwd=ROOT, env=os.environ)
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/bare/").read()
            return server
        except OSError:
            time.sleep(0.1)
    server.kill()
    raise SystemExit("The server does not answer.")


def table(found: dict[str, dict]) -> str:
    bare = found["bare view"]["requests_per_second"]
    lines = [
        "| page | requests/s | of a bare view's | median, ms | p99, ms | kB sent | errors |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [
        f"| {name} | {each['requests_per_second']:.0f} | {each['requests_per_second'] / bare:.2f} "
        f"| {each['median_ms']:.1f} | {each['p99_ms']:.1f} | {each['kB']} | {each['errors']} |"
        for name, each in found.items()
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--port", type=int, default=8490)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    if not shutil.which("wrk"):
        raise SystemExit("This bench needs wrk: sudo apt-get install wrk")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "ratingsite.settings",
            "PORTAL_DEMO": "1",
            "PORTAL_VAR": name,
        }
        import django

        django.setup()
        from django.core.management import call_command

        call_command("collectstatic", interactive=False, verbosity=0)
        publish()
        pages = addresses()
        server = serve(folder, given.port)
        try:
            base = f"http://127.0.0.1:{given.port}"
            found = {}
            for kind, paths in pages.items():
                found[kind] = drive(base, paths, given.seconds, folder, warm="made" not in kind)
                print(f"{kind}: {len(paths)} addresses, {found[kind]}", file=sys.stderr, flush=True)
        finally:
            server.terminate()
            server.wait()
    print(f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.0f}")
    print(table(found))
    if given.json:
        given.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
