"""compose.yaml and the units of systemd start what ./portal starts, and without rights."""

import configparser
import os
import re
import shlex
import shutil
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


def test_the_image_holds_what_the_portal_reads(tmp_path):
    """Its tree, laid out as the file says: it starts, with pages, files and languages."""
    for line in (ROOT / "Dockerfile").read_text().splitlines():
        if line.startswith("COPY") and "--from" not in line:
            *names, target = line.split()[1:]
            for name in names if line != "COPY requirements.txt ." else ():
                place = tmp_path / (name if target == "./" else target)
                place.parent.mkdir(parents=True, exist_ok=True)
                copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
                copy(ROOT / name, place)
    told = subprocess.run(
        [sys.executable, "-c", LOOK],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PORTAL_DEMO": "1", "PORTAL_VAR": str(tmp_path / "var")}
        | {"DJANGO_SETTINGS_MODULE": "ratingsite.settings"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert told.returncode == 0, told.stderr[-2000:]
    assert told.stdout.splitlines()[-1] == f"{tmp_path} Iniciar sesión"


#: the sign-in page in Spanish, from this tree alone
LOOK = """
import django
django.setup()
from django.conf import settings
from django.core.management import call_command
from django.test import Client
call_command("migrate", verbosity=0)
call_command("collectstatic", interactive=False, verbosity=0)
page = Client(HTTP_HOST="127.0.0.1").get("/accounts/login/", HTTP_ACCEPT_LANGUAGE="es").content.decode()
print(settings.BASE_DIR, "Iniciar sesión" if "Iniciar sesión" in page else page)
"""


def test_the_image_is_made_without_rights_secrets_or_a_moving_base():
    lines = (ROOT / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
    words = [line.split() for line in lines if line and not line.startswith("#")]
    assert [line[1] for line in words if line[0] == "FROM"] == ["${BASE}", "${BASE}"]
    base = next(line[1] for line in words if line[0] == "ARG")
    assert re.fullmatch(r"BASE=python:\d+\.\d+\.\d+-slim-\w+", base), "an exact version"
    last = [line[0] for line in words]
    assert last.index("USER") > max(n for n, name in enumerate(last) if name in ("RUN", "COPY"))
    assert "ADD" not in last, "nothing is fetched but by pip, held by hashes"
    for line in words:
        if "pip" in " ".join(line) and line[0] == "RUN":
            assert "--require-hashes" in line
            assert "--no-deps" in line
        if line[0] in ("ENV", "ARG", "LABEL"):
            assert not SECRET.search(" ".join(line)), line
    assert (ROOT / ".dockerignore").read_text().splitlines()[0] == "*", "only what is named is let in"


SECRET = re.compile(r"(?i)(secret|password|token|passphrase|_key)\w*[=:]\s*(?!\$)[^\s$]")


def test_compose_holds_no_secret_and_opens_no_door():
    for name, service in COMPOSED["services"].items():
        environment = service.get("environment", {})
        for key, value in environment.items():
            if SECRET.search(f"{key}=x"):
                assert re.match(r"\$\{\w+:\?", str(value)), f"{name}: {key} is asked for, not given"
        assert not re.search(r"//[^$@]*:[^$@]+@", str(environment)), f"{name}: a password in an address"
        assert not service.get("privileged"), name
        assert "network_mode" not in service, name
        for port in service.get("ports", ()):
            assert port.startswith("127.0.0.1:"), f"{name}: a proxy stands before it"
        assert not any("docker.sock" in volume for volume in service.get("volumes", ()))
    assert COMPOSED["networks"]["inside"] == {"internal": True}
    for name in ("db", "broker"):
        assert COMPOSED["services"][name]["networks"] == ["inside"]
    example = (ROOT / "deploy" / "portal.env.example").read_text()
    given = re.findall(r"^(PORTAL_\w*(?:SECRET|PASSWORD|TOKEN|PASSPHRASE)\w*)=(.+)$", example, re.MULTILINE)
    assert given == [], "the example gives away no secret that somebody would keep"


def test_compose_refers_only_to_what_it_has():
    known = {"services", "volumes", "networks"}
    assert {name for name in COMPOSED if not name.startswith("x-")} == {"name", *known}
    for name, service in COMPOSED["services"].items():
        for other in service.get("depends_on", {}):
            assert other in COMPOSED["services"], (name, other)
            awaited = service["depends_on"][other]["condition"]
            if awaited == "service_healthy":
                assert "healthcheck" in COMPOSED["services"][other], (name, other)
        assert set(service.get("networks", ())) <= set(COMPOSED["networks"]), name
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source.startswith("./") or source in COMPOSED["volumes"], (name, volume)


def test_every_unit_is_started_by_what_the_page_enables():
    """A timer that nobody enables makes no backup, and each file that a unit reads has to be made."""
    page = (ROOT / "docs" / "operators" / "install.md").read_text()
    enabled = re.search(r"systemctl enable --now (.+)", page)[1].split()
    assert set(enabled) == {path.name for path in UNITS.iterdir() if path.suffix in (".target", ".timer")}
    for unit in UNITS.glob("*.service"):
        for name in re.findall(r"^(?:EnvironmentFile=|LoadCredential=\w+:)(\S+)", unit.read_text(), re.M):
            assert name in page, f"{unit.name} reads {name}"


def test_the_database_of_compose_logs_no_values():
    command = COMPOSED["services"]["db"]["command"]
    assert {"log_min_error_statement=panic", "log_error_verbosity=terse"} <= set(command)


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
