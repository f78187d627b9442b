"""The portal's programs as in real use, but they tell where they are, and stop or die where they are told.

python -m tests.chaos.program worker ARGUMENTS          celery worker
python -m tests.chaos.program manage ARGUMENTS          manage.py
python -m tests.chaos.program request KIND PERIOD       a request of staff: compute or publish
python -m tests.chaos.program publishers COUNT PERIOD…  compute each, and so many publish it at once
python -m tests.chaos.program call MODULE FUNCTION      a function of the portal
python -m tests.chaos.program do JOB | share SHARE      a job, or a share of one, done in this process
python -m tests.chaos.program complain TOURNAMENT       a complaint of its first player
python -m tests.chaos.program answer COMPLAINT          uphold it

CHAOS_SOCKET takes what they tell, CHAOS_ARMED is a folder with a file per job: {"at": point} has the worker
die there, {"wait": point} wait there until its ".held" is gone. CHAOS_WITHOUT names the guards to be removed.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import socket
import sys
import time
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import django

SOCKET = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
SOCKET.setblocking(False)
passed: Counter[str] = Counter()
waits: dict = {}
doing: dict = {}


def tell(kind: str, **fields) -> None:
    with contextlib.suppress(OSError):
        body = json.dumps({"kind": kind, "pid": os.getpid(), "at": time.monotonic(), **doing, **fields})
        SOCKET.sendto(body.encode(), os.environ["CHAOS_SOCKET"])


def listen_in() -> None:
    """Have crash points and progress told, and the points obeyed."""
    from celery.signals import task_postrun, task_prerun, worker_ready

    from players import crashpoints, ledger
    from ratinglists import archive
    from ratinglists.models import Job

    die, shown = crashpoints.here, ledger.Claim.progress

    def here(name: str) -> None:
        passed[name] += 1
        if waits.get("point") == name:
            tell("waits", point=name)
            deadline = time.monotonic() + 120
            while waits["file"].exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            waits.clear()
        die(name)

    def progress(self, stage, done, total, **fields) -> None:
        shown(self, stage, done, total, **fields)
        tell("stage", stage=stage)

    write = archive.tempfile.mkstemp

    def mkstemp(*arguments, **options):
        if Path(os.environ["CHAOS_ARMED"], "full").exists():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(*arguments, **options)

    archive.tempfile = SimpleNamespace(mkstemp=mkstemp)
    crashpoints.here, ledger.Claim.progress = here, progress

    @task_prerun.connect(weak=False)
    def begin(task, args, **_) -> None:
        doing.clear()
        passed.clear()
        waits.clear()
        crashpoints._passed.clear()
        os.environ.pop("PORTAL_CRASH_AT", None)
        if task.name != "ratinglists.run_job":
            return
        job = Job.objects.get(pk=args[0])
        doing.update(job=job.pk, of=job.kind)
        file, order = Path(os.environ["CHAOS_ARMED"]) / str(args[0]), {}
        with contextlib.suppress(FileNotFoundError):
            # A message that comes again while another worker has the job does not take the order.
            if job.state == "queued":
                held = file.rename(f"{file}.held")
                order = json.loads(held.read_text())
            if "at" in order:
                held.unlink()
                os.environ["PORTAL_CRASH_AT"] = order["at"]
            elif order:
                waits.update(point=order["wait"], file=held)
        tell("begin", order=order.get("at", ""))

    @task_postrun.connect(weak=False)
    def end(task, **_) -> None:
        tell("end", task=task.name, passed=passed)
        doing.clear()

    @worker_ready.connect(weak=False)
    def ready(**_) -> None:
        tell("ready")


def publish_at_once(count: int, period_id: int) -> int:
    """Compute a period and have so many processes publish it; returns how many of them ended badly."""
    from django.db import connections

    from ratinglists import jobs, services
    from ratinglists.models import Period

    period = Period.objects.get(pk=period_id)
    services.run_job(jobs.request("compute", period, ring_workers=False)[0].pk)
    connections.close_all()
    gate, opened = os.pipe()
    children = []
    for _ in range(count):
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                os.close(opened)
                connections["default"].ensure_connection()
                os.read(gate, 1)
                job = services.request_publish(period)
                services.run_job(job.pk)
                code = 0
            finally:
                os._exit(code)
        children.append(pid)
    time.sleep(0.5)
    os.close(gate)
    os.close(opened)
    return sum(os.waitpid(pid, 0)[1] != 0 for pid in children)


def do(job_id: int) -> None:
    from ratinglists import services

    services.run_job(job_id)


def share(share_id: int) -> None:
    from ratinglists import partition

    partition.run(share_id)


def complain(tournament_id: int) -> None:
    from ratinglists import complaints
    from tournaments.models import Tournament

    event = Tournament.objects.get(pk=tournament_id)
    player = event.entries.order_by("pk").first().player
    complaints.open_case(event, player, "game", "I won.", round=1, name="Alder, Tom", email="tom@example.org")


def answer(case_id: int) -> None:
    from django.contrib.auth import get_user_model

    from ratinglists import complaints
    from ratinglists.models import Complaint

    staff = get_user_model().objects.get(username="chaos-staff")
    complaints.answer(Complaint.objects.get(pk=case_id), staff, uphold=True, reason="The sheet says so.")


ALONE = {"do": do, "share": share, "complain": complain, "answer": answer}


def main(what: str, *arguments: str) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "ratingsite.settings"
    django.setup()
    from ratingsite.celery import app
    from tests.chaos import guards

    guards.remove(os.environ.get("CHAOS_WITHOUT", "").split())
    if what == "worker":
        listen_in()
        app.worker_main(["worker", *arguments])
    elif what == "manage":
        from django.core.management import execute_from_command_line

        from ratinglists import jobs

        sweep = jobs.sweep

        def told_sweep() -> list[int]:
            rung = sweep()
            tell("swept", rung=rung)
            return rung

        jobs.sweep = told_sweep
        execute_from_command_line(["manage.py", *arguments])
    elif what == "request":
        from ratinglists import services
        from ratinglists.models import Period

        ask = {"compute": services.request_compute, "publish": services.request_publish}[arguments[0]]
        ask(Period.objects.get(pk=arguments[1]))
    elif what in ALONE:
        ALONE[what](int(arguments[0]))
    elif what == "call":
        getattr(import_module(arguments[0]), arguments[1])()
    elif what == "publishers":
        bad = [publish_at_once(int(arguments[0]), int(pk)) for pk in arguments[1:]]
        print(json.dumps(bad))


if __name__ == "__main__":
    main(*sys.argv[1:])
