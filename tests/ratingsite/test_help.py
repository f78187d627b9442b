"""./portal --help answers at once: nothing is installed, made or locked."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_help_needs_nothing_installed(tmp_path):
    shutil.copytree(ROOT / "ratingsite" / "launch", tmp_path / "ratingsite" / "launch")
    command = [sys.executable, "-S", tmp_path / "ratingsite" / "launch" / "bootstrap.py", "--help"]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "--reset" in answer.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"ratingsite"}
