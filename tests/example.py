"""The regulation of examples/norrholm, installed beside the portal as pip would, without building it."""

from __future__ import annotations

import shutil
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from regulations import registry
from regulations.base import Regulation

FOLDER = Path(__file__).resolve().parent.parent / "examples" / "norrholm"


def day(text: str) -> date:
    return date.fromisoformat(text)


def install(target: Path) -> None:
    """The package and what pip notes of it: metadata and the entry point."""
    project = tomllib.loads((FOLDER / "pyproject.toml").read_text())["project"]
    shutil.copytree(FOLDER / project["name"], target / project["name"])
    info = target / f"{project['name']}-{project['version']}.dist-info"
    info.mkdir()
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(head)
    points = (f"{name} = {value}" for name, value in project["entry-points"][registry.GROUP].items())
    (info / "entry_points.txt").write_text("\n".join([f"[{registry.GROUP}]", *points, ""]))


@contextmanager
def installed(target: Path) -> Iterator[Regulation]:
    """The regulation as the registry finds it while the package is installed in this folder."""
    install(target)
    sys.path.insert(0, str(target))
    registry.refresh()
    try:
        yield registry.get("norrholm-2024")
    finally:
        sys.path.remove(str(target))
        for name in [name for name in sys.modules if name.partition(".")[0] == "norrholm"]:
            del sys.modules[name]
        registry.refresh()
