"""The crash points that the portal names."""

import ast
from pathlib import Path

from tests.chaos.arena import ROOT

PACKAGES = ("players", "tournaments", "ratinglists", "ratingsite")
#: first words of those that the jobs of a period pass
OF_JOBS = ("claim", "compute", "publish", "archive", "job")
#: struck at in tests/ratingsite/test_backup_kills.py, where no portal runs
OF_NO_PORTAL = ("restore",)
#: struck at in tests/trust/test_kills.py, through the web
OF_UPLOADS = ("upload",)


def named_points() -> set[str]:
    """Every ``crashpoints.here("…")`` in the product."""
    found = set()
    for package in PACKAGES:
        for path in Path(ROOT, package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "here":
                    found.add(node.args[0].value)
    return found
