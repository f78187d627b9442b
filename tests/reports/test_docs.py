"""The descriptions of the formats name every finding, and every finding has its remedy."""

import re
from pathlib import Path

from tournaments.reports import crosstable
from tournaments.reports.problems import REMEDIES

ROOT = Path(__file__).parents[2]


def test_every_problem_code_is_described_with_its_remedy():
    pages = (ROOT / "docs/formats").glob("*.md")
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| .+ \| (.+) \|$", text, re.MULTILINE)
    assert dict(rows) == REMEDIES


def test_every_code_in_the_source_has_a_remedy_and_every_remedy_a_use():
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "tournaments/reports").glob("*.py")
        if path.name != "problems.py"
    )
    quoted = set(re.findall(r'"([a-z0-9]+(?:-[a-z0-9]+)*)"', source))
    assert set(REMEDIES) - quoted - {"too-many-problems"} == set()


def test_remedies_of_the_form_replace_known_ones():
    assert crosstable.FORM_REMEDIES.keys() <= REMEDIES.keys()
