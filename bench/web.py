"""Requests a second of the public pages at FIDE's size, beside a bare view of Django, in one run.

    PORTAL_DATABASE_URL=postgresql://… python bench/period.py --scale 1 --keep --parts build whole
    PORTAL_DATABASE_URL=postgresql://…/bench_period_1 python bench/web.py [--seconds 10] [--json FILE]

The portal's own server (gunicorn) as two processes of four threads, each with an address of its own and
driven by four connections of its own (wrk): left to themselves, one process took all eight connections in
every other run, and the figures were those of one processor. "kept" pages are asked for again and again;
"made" ones each once, so that no page is kept. The bare view is asked for before and after each kind, which
is compared with the mean of the two.
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
SEED, PROCESSES, CONNECTIONS = 20261129, 2, 4
#: so many addresses of a kind are asked for again and again, each once before of either process
POPULAR = 200
SCRIPT = """
local paths, at = {{}}, 0
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
        "a view of one row": [f"/row/{pk}/" for pk in played[:POPULAR]],
        "list, kept": [path, f"{path}?page=2", f"{path}?sex=f", f"{path}?page=3"],
        "list by ratings, made": queries,
        "profile, kept": [f"/players/{pk}/" for pk in played[:POPULAR]],
        "profile, made": [f"/players/{pk}/" for pk in played[POPULAR:]],
        "tournament, kept": [f"/tournaments/{pk}/" for pk in events[: POPULAR // 4]],
        "tournament, made": [f"/tournaments/{pk}/" for pk in events[POPULAR // 4 :]],
    }


def drive(bases: list[str], paths: list[str], seconds: int, folder: Path, *, warm: bool) -> dict:
    """One run of wrk over the paths for each process; ``warm``: each has been asked for before, of both.
    Else a share of the paths goes to each process."""
    runs = []
    for number, base in enumerate(bases):
        file, script = folder / f"paths-{number}", folder / f"paths-{number}.lua"
        own = paths if warm or len(paths) < len(bases) else paths[number :: len(bases)]
        file.write_text("\n".join(own) + "\n")
        script.write_text(SCRIPT.format(file=file))
        if warm:
            for path in own:
                urllib.request.urlopen(base + path).read()
        run = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "30s", "-s", str(script)]
        runs.append([*run, base])
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    at_once = [subprocess.Popen(run, **pipes) for run in runs]
    told = [read(each.communicate()[0]) for each in at_once]
    count, errors = sum(each["asked"] for each in told), sum(each["errors"] for each in told)
    return {
        "requests_per_second": round(sum(each["rate"] for each in told), 1),
        "median_ms": round(sum(each["median"] for each in told) / len(told), 1),
        "p99_ms": max(each["p99"] for each in told),
        "kB": round(sum(each["size"] for each in told) / max(1, count) / 1000, 1),
        "asked": count,
        "errors": errors,
    }


def read(said: str) -> dict:
    """What one wrk tells."""
    found = re.search(r"TOLD (.*)", said)
    if not found:
        raise SystemExit(f"wrk: {said}")
    count, micro, middle, late, size, errors = found[1].split()
    return {
        "asked": int(count),
        "rate": int(count) / int(micro) * 1e6,
        "median": float(middle),
        "p99": float(late),
        "size": int(size),
        "errors": int(errors),
    }


def serve(port: int) -> subprocess.Popen:
    command = [sys.executable, "-m", "gunicorn", "bench.web_app", "--bind", f"127.0.0.1:{port}"]
    command += ["--workers", "1", "--threads", "4", "--no-control-socket", "--log-level", "error"]
    server = subprocess.Popen(command, cwd=ROOT, env=os.environ)
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/bare/").read()
            return server
        except OSError:
            time.sleep(0.1)
    server.kill()
    raise SystemExit("The server does not answer.")


def measured(pages: dict[str, list[str]], bases: list[str], seconds: int, folder: Path) -> dict[str, dict]:
    """Each kind with ``of_bare``, its part of the bare view's rate just before and after it."""
    bare = pages.pop("bare view")
    runs = [drive(bases, bare, seconds, folder, warm=True)]
    found = {"bare view": runs[0] | {"of_bare": 1}}
    for kind, paths in pages.items():
        own = drive(bases, paths, seconds, folder, warm="made" not in kind)
        runs.append(drive(bases, bare, max(2, seconds // 2), folder, warm=True))
        near = (runs[-2]["requests_per_second"] + runs[-1]["requests_per_second"]) / 2
        found[kind] = own | {"of_bare": round(own["requests_per_second"] / near, 3)}
        print(f"{kind}: {len(paths)} addresses, {found[kind]}, bare {near:.0f}", file=sys.stderr, flush=True)
    return found


def table(found: dict[str, dict]) -> str:
    lines = [
        "| page | requests/s | of a bare view's | median, ms | p99, ms | kB sent | errors |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [
        f"| {name} | {each['requests_per_second']:.0f} | {each['of_bare']:.2f} "
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
        ports = range(given.port, given.port + PROCESSES)
        servers = [serve(port) for port in ports]
        try:
            found = measured(pages, [f"http://127.0.0.1:{port}" for port in ports], given.seconds, folder)
        finally:
            for server in servers:
                server.terminate()
                server.wait()
    print(f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.0f}")
    print(table(found))
    if given.json:
        given.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
