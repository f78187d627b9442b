"""What was made of published lists, which never change, kept as JSON in PORTAL_VAR: delete it at will."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from django.conf import settings


def read(folder: str, name: str) -> object | None:
    """What was kept under this name; None: nothing, or nothing that can be read."""
    try:
        return json.loads((Path(settings.VAR_DIR) / folder / f"{name}.json").read_bytes())
    except (OSError, ValueError):
        return None


def write(folder: str, name: str, told: object) -> None:
    """Keep it, whole or not at all: without a place on disk every process makes its own."""
    path = Path(settings.VAR_DIR) / folder / f"{name}.json"
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, suffix=".part", delete=False) as file:
            json.dump(told, file, separators=(",", ":"))
        os.replace(file.name, path)
