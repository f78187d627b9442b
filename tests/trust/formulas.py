"""Names that a spreadsheet would run, and LibreOffice, which says what it made of a file."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

PAYLOADS = (
    *(
        "=1+1",
        "=cmd|'/C calc'!A0",
        "=CMD|'/C powershell IEX(1)'!A0",
        '=HYPERLINK("http://a.invalid","Click")',
    ),
    *(
        '=WEBSERVICE("http://a.invalid/x")',
        '=IMPORTXML("http://a.invalid","//a")',
        '=IMPORTDATA("http://a.invalid")',
    ),
    *(
        '=IMAGE("http://a.invalid/i.png")',
        "+1+1",
        "+cmd|'/C calc'!A0",
        "-1+1",
        "-cmd|'/C calc'!A0",
        "-2+3+cmd|' /C'!A0",
    ),
    *(
        "@SUM(1+1)",
        "@SUM(A1:A9)*cmd|'/C calc'!A0",
        "\t=1+1",
        "\r=1+1",
        "\n=1+1",
        " =1+1",
        "  +1+1",
        "\u00a0=1+1",
    ),
    *(
        "\u200b=1+1",
        "\ufeff=1+1",
        "\u3000=1+1",
        "＝1+1",
        "＋1+1",
        "－1+1",
        "＠SUM(1)",
        "{=1+1}",
        "{=SUM(A1:A2)}",
    ),
    *(
        '"=1+1"',
        '""=1+1""',
        '";=1+1',
        '",=1+1',
        '"\n=1+1',
        "x;=1+1",
        "x,=1+1",
        "x\t=1+1",
        'x";=1+1;"',
        'x",=1+1,"',
    ),
    *(
        "x\r\n=1+1",
        "x\n=1+1",
        "x;+1+1;y",
        "x;-1+1;y",
        "x;@SUM(1);y",
        "x;\t=1+1",
        "'=1+1",
        "''=1+1",
        "'\t=1+1",
    ),
    *('=DDE("cmd";"/C calc";"x")', '=DDE("soffice";"/etc/passwd";"A1")', "='file:///etc/passwd'#$A.A1"),
    *("=MSEXCEL|'\\..\\..\\..\\Windows\\System32\\cmd.exe /c calc'!''", "=rundll32|'URL.dll,OpenURL calc'!A"),
    *(
        "=1+1;=1+1",
        "=SUM(1;1)",
        "=sum(1,1)",
        "=A1",
        "=\u202e1+1",
        "=(1+1)",
        "==1+1",
        "=+1+1",
        "+-+1",
        "=TODAY()",
    ),
    *("x;＝1+1", "-1-1", "+A1", "@A1", "=$A$1", "=Sheet1!A1", "=ENCODEURL(A1)", '=FILTERXML("<a/>","//a")'),
)


class Cell(NamedTuple):
    """A cell as LibreOffice has it."""

    formula: str
    kind: str
    text: str


_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
#: separator, quote, UTF-8, first line, …, detect special numbers, …, evaluate formulas: as people click on
_CSV = "CSV:{},34,76,1,,0,false,true,false,false,false,-1,true"


def opened(files: list[Path], folder: Path, separator: str = ",") -> dict[str, list[list[Cell]]]:
    """What LibreOffice makes of CSV files with this separator, or of workbooks: rows of all sheets by
    name of the file."""
    program = shutil.which("soffice")
    if program is None:
        raise RuntimeError("LibreOffice is not installed: ./test trust installs it")
    out = folder / f"opened-{ord(separator)}"
    command = [program, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--norestore"]
    command += ["--convert-to", "fods", "--outdir", str(out)]
    if files[0].suffix == ".csv":
        command.append(f"--infilter={_CSV.format(ord(separator))}")
    subprocess.run([*command, *map(str, files)], check=True, capture_output=True, timeout=300)
    return {file.name: _rows(out / f"{file.stem}.fods") for file in files}


def _rows(file: Path) -> list[list[Cell]]:
    root = ElementTree.parse(file).getroot()
    return [
        [_cell(cell) for cell in row if cell.tag.startswith(f"{_TABLE}")]
        for row in root.iter(f"{_TABLE}table-row")
    ]


def _cell(cell: ElementTree.Element) -> Cell:
    paragraphs = ("".join(_texts(each)) for each in cell.findall(f"{_TEXT}p"))
    kind = cell.get(f"{_OFFICE}value-type", "")
    return Cell(cell.get(f"{_TABLE}formula", ""), kind, "\n".join(paragraphs))


def _texts(paragraph: ElementTree.Element):
    yield paragraph.text or ""
    for child in paragraph:
        if child.tag == f"{_TEXT}s":
            yield " " * int(child.get(f"{_TEXT}c", "1"))
        elif child.tag == f"{_TEXT}tab":
            yield "\t"
        else:
            yield from _texts(child)
        yield child.tail or ""
