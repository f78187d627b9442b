"""The version of the portal, as pyproject.toml says it."""

import tomllib
from pathlib import Path

VERSION: str = tomllib.loads(
    (Path(__file__).resolve().parent.parent / "pyproject.toml").read_text(encoding="utf-8")
)["project"]["version"]
