"""docs/developers/regulations/CODE.md names code and tests that exist, and every parameter."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from regulations import registry

ROOT = Path(__file__).parents[2]
CODES = [
    "feda-1996",
    "fecap-postal",
    "fide-standard-2004",
    "fide-rapid-2004",
    "fide-rapid-blitz-2018",
    "fide-rapid-blitz-2022",
    "fide-standard-2024",
    "fide-rapid-blitz-2024",
]
SECTIONS = (ROOT / "docs/developers/regulations/CODE.md").read_text(encoding="utf-8").split("\n## ")[1:]


def rows(section):
    """Cells of each row of the section's table."""
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def named(cell):
    return re.findall(r"`([^`]+)`", cell)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.split("\n")[0])
def test_every_name_of_the_table_exists(section):
    code = section.split("\n")[0]
    regulation = registry.get(code)
    tests = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    parameters = set()
    for article, _, held, tested in rows(section):
        for name in named(tested):
            assert f"def {name}(" in tests, f"{article}: {name}"
        for name in named(held):
            if name.startswith("p."):
                assert name[2:] in regulation.parameters, f"{article}: {name}"
                parameters.add(name[2:])
            elif "." in name:
                path = (
                    name[1:]
                    if name.startswith("/")
                    else f"{type(regulation).__module__}/{name}".replace("regulations.", "", 1).replace(
                        "/", ".", 1
                    )
                )
                classes = sum(part[0].isupper() for part in path.split("."))
                module, *attributes = f"regulations.{path}".rsplit(".", 1 + classes)
                found = import_module(module)
                for attribute in attributes:
                    found = getattr(found, attribute)
                assert found is not None
        assert (named(tested) != []) or "no software" in held or "the regulation `fide" in held, article
    for parent in re.findall(r"All else as in `([^`]+)`", section):
        parameters |= set(registry.get(parent).parameters)
    assert parameters == set(regulation.parameters)


def test_every_regulation_has_its_table():
    assert [section.split("\n")[0] for section in SECTIONS] == [each.code for each in in_order()]


def in_order():
    """The built-in regulations, oldest first."""
    return sorted((make() for make in registry.BUILT_IN), key=lambda each: CODES.index(each.code))
