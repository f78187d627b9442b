"""The descriptions of the formats name every finding, and every finding has its remedy."""

import re
from pathlib import Path

from tournaments.reports import feda_file, table_remedies
from tournaments.reports.formats import FORMATS
from tournaments.reports.problems import REMEDIES

ROOT = Path(__file__).parents[2]


def test_every_problem_code_is_described_with_its_remedy():
    pages = (ROOT / "docs/formats").glob("*.md")
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| .+ \| (.+) \|$", text, re.MULTILINE)
    assert len(rows) == len(dict(rows))
    assert dict(rows) == REMEDIES


def test_every_code_in_the_source_has_a_remedy_and_every_remedy_a_use():
    paths = [*(ROOT / "tournaments/reports").glob("*.py"), ROOT / "tournaments/sent.py"]
    source = "".join(path.read_text(encoding="utf-8") for path in paths if path.name != "problems.py")
    quoted = set(re.findall(r'"([a-z0-9]+(?:-[a-z0-9]+)*)"', source))
    assert set(REMEDIES) - quoted - {"too-many-problems"} == set()


def test_remedies_of_the_form_replace_known_ones():
    assert table_remedies.FORM_REMEDIES.keys() <= REMEDIES.keys()
    assert table_remedies.TABLE_REMEDIES.keys() <= REMEDIES.keys()
    assert feda_file.FEDA_REMEDIES.keys() <= REMEDIES.keys()


def test_remedies_of_tables_speak_of_no_columns_of_the_trf():
    told = table_remedies.TABLE_REMEDIES
    assert not [code for code in told if re.search(r"columns? [0-9]|\bline [0-9]{3}\b", told[code])]


def test_every_format_has_a_page():
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs/formats").glob("*.md")}
    titled = "".join(text.splitlines()[0] for text in pages.values())
    assert [each.code for each in FORMATS if each.code not in pages and f"`{each.code}`" not in titled] == []
