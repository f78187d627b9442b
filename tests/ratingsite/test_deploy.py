"""compose.yaml and the units of systemd start what ./portal starts, and without rights."""

import configparser
import re
import shlex
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
import yaml

from ratinglists.software import VERSION
from ratingsite.launch.__main__ import children

ROOT = Path(__file__).resolve().parents[2]
UNITS = ROOT / "deploy" / "systemd"
COMPOSED = yaml.safe_load((ROOT / "compose.yaml").read_text())
PROGRAMS = {"web": "web", "worker": "worker", "beat": "scheduler", "sweep": "sweep"}


def options(command: list[str]) -> list[str]:
    """A command from its program on, without what depends on the place."""
    words = [word for word in command if word != "-m"]
    first = next(n for n, word in enumerate(words) if Path(word).name in ("gunicorn", "celery", "manage.py"))
    text = " ".join(Path(word).name if n == 0 else word for n, word in enumerate(words[first:]))
    return re.sub(r"--(bind|worker-tmp-dir|schedule) \S+|--pidfile=?", "", text).split()


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_command_in_three_places(name):
    started = next(child for child in children("127.0.0.1", 8000) if child.name == name)
    unit = (UNITS / f"portal-{name}.service").read_text()
    command = re.search("^ExecStart=(.*)$", unit, re.MULTILINE)[1]
    assert options(shlex.split(command)) == options(list(started.command))
    if name == "web":
        text = re.search(r"^CMD \[(.*)\]", (ROOT / "Dockerfile").read_text(), re.MULTILINE | re.DOTALL)[1]
        composed = re.findall(r'"([^"]*)"', text)
    else:
        composed = COMPOSED["services"][PROGRAMS[name]]["command"]
    assert options(composed) == options(list(started.command))


def test_services_are_pinned_without_rights_and_watched():
    for name, service in COMPOSED["services"].items():
        image = re.fullmatch(r"\$\{\w+:-(.+):(.+)\}", service["image"])
        assert re.match(r"\d+\.\d+", image[2]), f"{name}: an exact version"
        assert service["user"].split(":")[0] not in ("0", "root"), name
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        if name not in ("migrated", "manage"):
            assert service["healthcheck"]["test"], name
    assert COMPOSED["services"]["worker"]["image"].endswith(f":{VERSION}}}")


def test_units_run_without_rights():
    found = sorted(UNITS.glob("*.service"))
    assert len(found) == 6
    for path in found:
        unit = configparser.ConfigParser(strict=False, interpolation=None)
        unit.optionxform = str
        unit.read(path)
        service = unit["Service"]
        assert service["User"] == "portal"
        assert service["CapabilityBoundingSet"] == ""
        for name in ("NoNewPrivileges", "PrivateTmp", "PrivateDevices", "ProtectHome", "RestrictNamespaces"):
            assert service[name] == "yes", (path.name, name)
        assert service["ProtectSystem"] == "strict"


def test_the_image_has_every_file_that_it_copies():
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert any(line == "USER 10001:10001" for line in lines)
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for line in lines:
        if line.startswith("COPY") and "--from" not in line:
            for name in line.split()[1:-1]:
                assert (ROOT / name).exists(), name
                assert name in let_in, name


@pytest.mark.parametrize(("status", "code"), [(200, 0), (503, 1)])
def test_the_health_check(status, code, monkeypatch):
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append((self.path, self.headers["Host"]))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *args):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/readyz"
    command = [sys.executable, ROOT / "deploy" / "check.py", url]
    environment = {"PORTAL_HOSTS": "ratings.example.org, web"}
    assert subprocess.run(command, env=environment, timeout=60, capture_output=True).returncode == code
    server.shutdown()
    assert asked == [("/readyz", "ratings.example.org")]
    assert subprocess.run(command, env=environment, timeout=60, capture_output=True).returncode == 1
