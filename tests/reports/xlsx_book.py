"""Workbooks put together part by part, as other programs write them, or as nobody should."""

from __future__ import annotations

import io
import zipfile
from xml.sax.saxutils import escape

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def relations(**targets: str) -> str:
    """Relations by identifier: "kind target"."""
    rows = "".join(
        f'<Relationship Id="{key}" Type="{_TYPE}/{value.split()[0]}" Target="{value.split()[1]}"/>'
        for key, value in targets.items()
    )
    return f"<Relationships>{rows}</Relationships>"


def sheet(rows: str) -> str:
    return f"<worksheet {MAIN}><sheetData>{rows}</sheetData></worksheet>"


def cell(value: object, reference: str = "") -> str:
    """A cell: text inline, a number bare; ``value`` in angle brackets stands as it is."""
    at = f' r="{reference}"' if reference else ""
    if isinstance(value, str) and value.startswith("<"):
        return value
    if isinstance(value, str):
        return f'<c{at} t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f"<c{at}><v>{value}</v></c>"


def row(*values: object) -> str:
    return "<row>" + "".join(map(cell, values)) + "</row>"


PARTS = {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": relations(a="officeDocument xl/workbook.xml"),
    "xl/workbook.xml": f'<workbook {MAIN} xmlns:r="r"><sheets><sheet name="T" r:id="s1"/></sheets>'
    "</workbook>",
    "xl/_rels/workbook.xml.rels": relations(
        s1="worksheet worksheets/sheet1.xml",
        s2="worksheet worksheets/sheet2.xml",
        t="sharedStrings sharedStrings.xml",
        y="styles styles.xml",
    ),
    "xl/styles.xml": f'<styleSheet {MAIN}><numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy"/></numFmts>'
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>'
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="14"/></cellXfs></styleSheet>',
}


def book(rows: str = "", *, method: int = zipfile.ZIP_DEFLATED, **parts: str | bytes | None) -> bytes:
    """A workbook with these rows. Other parts by name, "__" for "/" and "xml" left out; None: left away."""
    named = {name.replace("__", "/") + ".xml": value for name, value in parts.items()}
    named = {name.replace(".rels.xml", ".xml.rels"): value for name, value in named.items()}
    if "_rels.xml" in named:
        named["_rels/.rels"] = named.pop("_rels.xml")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, value in (PARTS | {"xl/worksheets/sheet1.xml": sheet(rows)} | named).items():
            if value is not None:
                archive.writestr(name, value)
    return out.getvalue()
