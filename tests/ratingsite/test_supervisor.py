"""The supervisor restarts the dead, waits longer each time, and leaves no process behind."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from ratingsite.launch.supervisor import Child, Supervisor

ROOT = Path(__file__).resolve().parents[2]
WAIT = "import time; time.sleep(600)"
SLEEP = [sys.executable, "-c", WAIT]
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); {WAIT}"
PARENT = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {WAIT!r}]); {WAIT}"


def alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def until(condition, seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False


@pytest.fixture
def supervise(tmp_path):
    made = []

    def make(*children: Child, pause: float = 0.1) -> Supervisor:
        supervisor = Supervisor(children, tmp_path / "log", said.append, pause)
        made.append(supervisor)
        supervisor.start()
        return supervisor

    said: list[str] = []
    make.said = said
    yield make
    for supervisor in made:
        supervisor.stop(0)


def test_a_killed_child_runs_again(supervise):
    child = Child("sleeper", SLEEP)
    supervisor = supervise(child)
    first = child.process.pid
    os.kill(first, signal.SIGKILL)
    assert until(lambda: supervisor.tick() or (child.running and child.process.pid != first))
    assert "sleeper ended (code -9)" in supervise.said[0]


def test_what_a_dead_child_started_is_ended_before_the_restart(supervise):
    child = Child("parent", [sys.executable, "-c", PARENT])
    supervisor = supervise(child)
    group = child.process.pid
    assert until(lambda: Path(f"/proc/{group}/task/{group}/children").read_text().strip())
    os.kill(group, signal.SIGKILL)
    child.process.wait()
    assert alive(group)
    supervisor.tick()
    assert until(lambda: not alive(group))


def test_a_child_that_keeps_dying_is_started_ever_more_rarely(supervise):
    child = Child("broken", [sys.executable, "-c", "print('no luck'); raise SystemExit(3)"])
    supervisor = supervise(child)
    assert until(lambda: supervisor.tick() or child.failures == 4)
    waits = [float(text.split("again in ")[1].split(" s")[0]) for text in supervise.said]
    assert waits == [0.1, 0.2, 0.4, 0.8]
    assert "no luck" in supervisor.tail(child)


def test_stop_leaves_no_process_even_of_the_stubborn(supervise):
    children = [
        Child("broker", SLEEP),
        Child("stubborn", [sys.executable, "-c", STUBBORN]),
        Child("parent", [sys.executable, "-c", PARENT]),
    ]
    supervisor = supervise(*children)
    assert until(lambda: "up" in supervisor.tail(children[1]))
    groups = [child.process.pid for child in children]
    supervisor.stop(0.5)
    assert until(lambda: not any(map(alive, groups)))


def test_the_first_child_is_ended_last(supervise, tmp_path):
    note = "import signal, sys, time; from pathlib import Path; log = Path({log!r})\n" + textwrap.dedent("""
        def end(*_):
            time.sleep({wait})
            with log.open("a") as out: out.write({name!r} + " ")
            sys.exit()
        signal.signal(signal.SIGTERM, end)
        print("up", flush=True)
        time.sleep(600)
    """)
    log = str(tmp_path / "order")
    children = [
        Child(name, [sys.executable, "-c", note.format(log=log, wait=wait, name=name)])
        for name, wait in (("broker", 0), ("worker", 0.5))
    ]
    supervisor = supervise(*children)
    assert until(lambda: all("up" in supervisor.tail(child) for child in children))
    supervisor.stop(10)
    assert Path(log).read_text().split() == ["worker", "broker"]


def test_children_die_with_a_killed_supervisor(tmp_path):
    program = textwrap.dedent(f"""
        import sys, time
        from pathlib import Path
        from ratingsite.launch.supervisor import Child, Supervisor
        child = Child("sleeper", [sys.executable, "-c", "import time; time.sleep(600)"])
        Supervisor([child], Path({str(tmp_path)!r})).start()
        print(child.process.pid, flush=True)
        time.sleep(600)
    """)
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as parent:
        group = int(parent.stdout.readline())
        assert alive(group)
        parent.kill()
    assert until(lambda: not alive(group))
