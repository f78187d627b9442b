"""Releases kept by make.py, laid out to be upgraded."""

from __future__ import annotations

import io
import json
import lzma
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from tests.releases import databases

ROOT = Path(__file__).resolve().parents[2]
RELEASES = sorted(path.name for path in Path(__file__).parent.iterdir() if path.name[0].isdigit())


@contextmanager
def laid_out(release: str, folder: Path, server: str) -> Iterator[dict[str, str]]:
    """The release's database and archive in ``folder`` and, if ``server`` is an address of PostgreSQL, in a
    database of its own there. Yields the environment of programs; TEMPLATE: what copies are made from."""
    kept = Path(__file__).parent / release
    with tarfile.open(fileobj=io.BytesIO(lzma.decompress((kept / "archive.tar.xz").read_bytes()))) as tar:
        tar.extractall(folder / "archive", filter="data")
    own = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
    own |= {"PORTAL_DEMO": "1", "PORTAL_VAR": str(folder), "DJANGO_SETTINGS_MODULE": "ratingsite.settings"}
    if not server:
        template = folder / "release.sqlite3"
        template.write_bytes(lzma.decompress((kept / "portal.sqlite3.xz").read_bytes()))
        yield own | {
            "PORTAL_DATABASE_URL": f"sqlite:///{folder}/portal.sqlite3",
            "TEMPLATE": str(template),
        }
        return
    template, name = (f"portal_kept_{os.getpid()}_{what}" for what in ("release", "copy"))
    url = urlsplit(server)._replace(path=f"/{name}").geturl()
    with databases.server(server) as admin:
        try:
            admin.execute(f"DROP DATABASE IF EXISTS {template} WITH (FORCE)")
            admin.execute(f"CREATE DATABASE {template}")
            _psql(urlsplit(server)._replace(path=f"/{template}").geturl(), kept / "portal.sql.xz")
            yield own | {"PORTAL_DATABASE_URL": url, "TEMPLATE": template}
        finally:
            for each in (template, name):
                admin.execute(f"DROP DATABASE IF EXISTS {each} WITH (FORCE)")


def _psql(url: str, dump: Path) -> None:
    subprocess.run(
        ["psql", "-qX", "-v", "ON_ERROR_STOP=1", "-o", os.devnull, url],
        input=lzma.decompress(dump.read_bytes()),
        check=True,
    )


def program(name: str, environment: dict[str, str], *arguments: str, limit: int = 600) -> dict:
    """What a program of this package prints. Raises AssertionError with its last words."""
    return program_of(f"tests.releases.{name}", environment, *arguments, limit=limit)


def program_of(module: str, environment: dict[str, str], *arguments: str, limit: int = 600) -> dict:
    """The same of any module."""
    told = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=limit,
    )
    assert told.returncode == 0, f"{told.stdout}{told.stderr}"[-4000:]
    return json.loads(told.stdout.splitlines()[-1])
