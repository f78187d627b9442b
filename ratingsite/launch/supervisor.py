"""Keeps a handful of child processes running and ends them without a rest.

Each child leads a process group of its own: Ctrl-C in the terminal reaches only the supervisor, and what a
child has started is ended with it. On Linux the children die with the supervisor when it is killed itself.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PR_SET_PDEATHSIG = 1
LONGEST_PAUSE = 30
STEADY_AFTER = 60
LOG_LIMIT = 10 * 2**20


def _follow_parent(parent: int) -> Callable[[], None] | None:
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)

    def set_signal() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # without its broker a worker would not end politely
        if os.getppid() != parent:
            os._exit(1)

    return set_signal


@dataclass
class Child:
    """A program to keep running. Its output is added to var/log/`name`.log."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen | None = None
    started: float = 0
    failures: int = 0
    next_start: float = 0

    def start(self, log_folder: Path) -> None:
        log = log_folder / f"{self.name}.log"
        if log.exists() and log.stat().st_size > LOG_LIMIT:
            log.replace(log.with_suffix(".log.1"))
        with log.open("ab") as out:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env={**os.environ, **self.environment},
                start_new_session=True,
                preexec_fn=_follow_parent(os.getpid()),
            )
        self.started = time.monotonic()

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def signal(self, number: int) -> None:
        """Sends a signal to the program, or for SIGKILL to all its group."""
        if self.process is None:
            return
        try:
            if number == signal.SIGKILL:
                os.killpg(self.process.pid, number)
            elif self.process.poll() is None:
                os.kill(self.process.pid, number)
        except ProcessLookupError:
            pass


class Supervisor:
    """Starts children in order, restarts those that die, and ends them in the reverse order of need.

    `children[0]` is ended last, after every other one: what the others need, such as a broker.
    """

    def __init__(
        self,
        children: Sequence[Child],
        log_folder: Path,
        say: Callable[[str], None] = print,
        pause: float = 1,
    ) -> None:
        self.children = list(children)
        self.log_folder = log_folder
        self.say = say
        self.pause = pause
        log_folder.mkdir(parents=True, exist_ok=True)

    def start(self) -> None:
        for child in self.children:
            child.start(self.log_folder)

    def tick(self) -> None:
        """Restarts the dead whose pause is over. To be called about once a second."""
        now = time.monotonic()
        for child in self.children:
            if child.running:
                continue
            if child.process is not None:
                child.signal(signal.SIGKILL)  # what the dead one left of its group
                if now - child.started > STEADY_AFTER:
                    child.failures = 0
                wait = min(LONGEST_PAUSE, self.pause * 2**child.failures)
                child.failures += 1
                child.next_start = now + wait
                code = child.process.returncode
                self.say(
                    f"{child.name} ended (code {code}), starts again in {wait:g} s; see {self.log_of(child)}"
                )
                child.process = None
            elif now >= child.next_start:
                child.start(self.log_folder)

    def restart(self, name: str) -> None:
        """Kills a child that is alive but does not work; `tick` starts it again."""
        for child in self.children:
            if child.name == name:
                child.signal(signal.SIGKILL)

    def log_of(self, child: Child) -> Path:
        return self.log_folder / f"{child.name}.log"

    def tail(self, child: Child, lines: int = 15) -> str:
        text = self.log_of(child).read_text(errors="replace") if self.log_of(child).exists() else ""
        return "\n".join(text.splitlines()[-lines:])

    def stop(self, grace: float) -> None:
        """Ends all children: politely, and after `grace` seconds by force. Leaves no process of theirs."""
        deadline = time.monotonic() + grace
        try:
            for group in (self.children[1:], self.children[:1]):
                for child in group:
                    child.signal(signal.SIGTERM)
                while any(child.running for child in group) and time.monotonic() < deadline:
                    time.sleep(0.05)
        finally:
            for child in self.children:
                child.signal(signal.SIGKILL)
            for child in self.children:
                if child.process is not None:
                    child.process.wait()
