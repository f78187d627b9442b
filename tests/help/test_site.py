"""The help: what its pages load, what code and README name of it, what its tutorial quotes, its pictures."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.example import FOLDER
from tests.help.building import ROOT, built

LOADING = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "form": "action"}
NAMED = re.compile(r"(?<![\w/.-])docs/[\w./-]*\w/?")


class Loads(HTMLParser):
    """What a page loads, and what a strict policy on contents would refuse."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded, self.inline = [], []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if address := given.get(LOADING.get(tag, "")):
            self.loaded.append(address)
        if (tag == "script" and "src" not in given) or tag == "style":
            self.inline.append(tag)
        self.inline += [name for name in given if name.startswith("on")]
        if "style" in given and tag not in ("th", "td"):  # Markdown aligns columns by it
            self.inline.append(f"style of {tag}")


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    return built(tmp_path_factory.mktemp("help"))


def test_pages_load_nothing_from_elsewhere_and_nothing_inline(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        found = Loads()
        found.feed(page.read_text())
        assert found.inline == [], page
        foreign = [each for each in found.loaded if re.match(r"\w+:|//", each) and each != "data:,"]
        assert foreign == [], page
        for address in set(found.loaded) - {"data:,"}:
            assert (page.parent / address).exists(), (page, address)
    assert not re.search(r"url\(|@import", (site / "help.css").read_text())


def test_what_code_names_of_the_help_is_there():
    missing = []
    files = [ROOT / "README.md", *ROOT.glob("requirements*.*")]
    for folder in ("players", "tournaments", "ratinglists", "ratingsite", "regulations", "verifier", "tests"):
        files += (ROOT / folder).rglob("*.py")
    for file in files:
        for name in NAMED.findall(file.read_text()):
            if not (ROOT / name).exists():
                missing.append(f"{file.relative_to(ROOT)}: {name}")
    assert missing == []


def bare(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def test_the_tutorial_quotes_the_example_as_it_is():
    tutorial = (ROOT / "docs/developers/own-regulation.md").read_text()
    blocks = [bare(block) for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", tutorial, re.MULTILINE)]
    sources = [bare(path.read_text()) for path in FOLDER.rglob("*") if path.suffix in (".py", ".toml", ".md")]
    quoted = [block for block in blocks if any(block in source for source in sources)]
    first_lines = [block.splitlines()[0] for block in quoted]
    assert first_lines == [
        '[project.entry-points."rating_portal.regulations"]',
        "@dataclass(frozen=True)",
        "def notice(p: Parameters, given: Registration) -> Iterator[Finding]:",
        "def expected(p: Parameters, own: int, opponent: int) -> tuple[int, Fraction]:",
        "def rating_at_the_start(player: EventPlayer) -> int | None:",
        "for player, entries, _ in lists.everybody(given):",
        "Dan   Cy   -417, so -400  E .09   0 - .09 = -.09",
    ]


@pytest.mark.parametrize("picture", sorted((ROOT / "docs/images").glob("*.png")), ids=lambda path: path.name)
def test_pictures_are_small_and_shown(picture: Path):
    assert picture.stat().st_size <= 60_000
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    assert any(f"images/{picture.name})" in page.read_text() for page in pages)
