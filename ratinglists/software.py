"""Which software made a list: its version, and the hash of the code of the regulations."""

from __future__ import annotations

import hashlib
import tomllib
from functools import lru_cache
from pathlib import Path

import regulations

#: of the portal, as pyproject.toml says it
VERSION: str = tomllib.loads(
    (Path(__file__).resolve().parent.parent / "pyproject.toml").read_text(encoding="utf-8")
)["project"]["version"]


@lru_cache(maxsize=1)
def software() -> str:
    """As it stands in manifests: two portals with the same text compute by the same code."""
    root = Path(regulations.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        code = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()} {len(code)}\n".encode() + code)
    return f"rating-portal {VERSION}, regulations {digest.hexdigest()}"
