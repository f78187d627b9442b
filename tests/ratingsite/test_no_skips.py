"""A run with a skipped test, or one expected to fail, does not count as passed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"
GOOD = "def test_good():\n    assert True\n"
SKIPS = {
    "mark": "import pytest\n@pytest.mark.skip(reason='later')\ndef test_bad():\n    assert True\n",
    "call": "import pytest\ndef test_bad():\n    pytest.skip('later')\n",
    "module": "import pytest\npytest.skip('later', allow_module_level=True)\n",
    "import": "import pytest\npytest.importorskip('no_such_module')\n",
    "expected to fail": "import pytest\n@pytest.mark.xfail\ndef test_bad():\n    assert False\n",
}


def run(folder: Path, text: str, *arguments: str) -> int:
    (folder / "conftest.py").write_text(CONFTEST.read_text())
    (folder / "test_good.py").write_text(GOOD)
    (folder / "test_other.py").write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    alone = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        command, cwd=folder, env=alone, capture_output=True, check=False, timeout=300
    ).returncode


@pytest.mark.parametrize("how", SKIPS)
@pytest.mark.parametrize("arguments", [(), ("-p", "xdist", "-n", "1")], ids=["alone", "xdist"])
def test_a_skip_fails_the_run(tmp_path, how, arguments):
    assert run(tmp_path, SKIPS[how], *arguments) == pytest.ExitCode.TESTS_FAILED


def test_a_run_without_skips_passes(tmp_path):
    assert run(tmp_path, GOOD) == pytest.ExitCode.OK
