"""The pages of the formats name every column and element."""

import re
from pathlib import Path

from players.listformats import csv_list, fide_txt, fide_xml

FORMATS = Path(__file__).parents[3] / "docs/formats"


def first_cells(page: str, heading: str = "") -> set[str]:
    text = (FORMATS / page).read_text(encoding="utf-8").partition(heading)[2] if heading else ""
    text = (text or (FORMATS / page).read_text(encoding="utf-8")).partition("\n## ")[0]
    cells = re.findall(r"^\| ([a-z_, ]+) \|", text, re.MULTILINE)
    return {name for cell in cells for name in cell.split(", ")} - {"column", "element"}


def test_csv_columns():
    assert first_cells("csv.md", "## A list of players (read and written)") == set(csv_list.COLUMNS)


def test_xml_elements():
    assert first_cells("fide-xml.md") == set(fide_xml._NAMES)


def test_txt_columns_stand_where_the_writer_puts_them():
    text = (FORMATS / "fide-txt.md").read_text(encoding="utf-8")
    start, rows = 1, re.findall(r"^\| (\d+)-(\d+) \| [^|]*\| [^|]*\| ([^|;]+)[;|]", text, re.MULTILINE)
    for (name, width), (first, last, told) in zip(fide_txt.COMBINED, rows, strict=True):
        assert (name, start, start + width - 1) == (told.strip(), int(first), int(last))
        start += width
