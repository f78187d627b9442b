"""Which file's texts stand in which catalogue.

An area is a folder ``locale/AREA``; several people can translate at once, each in an area of his own. Each
area has up to two domains: ``django`` (what the code and the templates mark for gettext) and ``texts``
(English texts of the code that are translated when they are shown, ``players.languages.texts``).
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LOCALE = ROOT / "locale"
LANGUAGES = ("es", "pt")
DOMAINS = ("django", "texts")

_PAGES = "templates/ratinglists"
#: the first pattern that a file's path matches says its area; ``*`` matches slashes as well
_AREAS = (
    ("regulations", ("regulations/*.py",)),
    ("players", ("players/*.py", "templates/admin/players/*")),
    ("tournaments", ("tournaments/*.py", "templates/tournaments/*", "templates/admin/tournaments/*")),
    ("ratinglists", ("ratinglists/*.py", "templates/admin/ratinglists/*")),
    (
        "pages-players",
        tuple(
            f"{_PAGES}/{name}*.html"
            for name in (
                "player", "calculation", "compare", "games", "_chart", "_estimates", "_games", "_steps",
                "whatif", "statistics", "sheet", "history", "_history", "_counted", "_uncounted",
                "_event_part", "_list_sum", "_scores",
            )
        ),
    ),
    (
        "pages-lists",
        tuple(
            f"{_PAGES}/{name}*.html"
            for name in (
                "list", "home", "archive", "live", "special", "changes", "_downloads", "_filters",
                "_live_table", "_pagination", "_replaced", "_sort_header", "calendar", "_preview",
            )
        ),
    ),
    ("pages-others", (f"{_PAGES}/*.html",)),
    (
        "accounts",
        (
            "accounts/*.py", "templates/accounts/*", "templates/account/*", "templates/mfa/*",
            "templates/usersessions/*", "templates/admin/auth/*",
        ),
    ),
    ("site", ("ratingsite/*.py", "templates/*.html")),
)  # fmt: skip
_PACKAGES = ("regulations", "players", "tournaments", "ratinglists", "accounts", "ratingsite", "templates")
_NOTHING_TO_SAY = ("*/migrations/*", "*/demo/*", "*/management/*", "ratingsite/launch/*", "*/triggers.py")

#: no page shows what these say: they speak to programs, operators and files
_NO_TEXTS = (
    "regulations/cli.py", "regulations/__main__.py", "regulations/json*.py", "regulations/reading.py",
    "regulations/fits.py", "regulations/bounds.py", "regulations/registry.py", "regulations/answers.py",
    "regulations/adjusting.py", "regulations/compare.py", "regulations/parameters.py",
    "regulations/exact.py", "regulations/bulk.py", "regulations/columns.py", "regulations/model.py",
    "regulations/base.py", "regulations/timecontrol.py", "regulations/monitoring.py",
    "regulations/cutting.py", "regulations/*/parameters.py", "*/apps.py", "*/urls.py", "*/tasks.py",
    "*/widgets.py", "*triggers.py", "players/audit.py", "players/audited.py", "players/search*.py",
    "players/numbers.py", "players/names.py", "players/clients.py", "players/languages/*",
    "players/crashpoints.py", "players/prepared.py", "tournaments/clocktokens.py",
    "tournaments/reports/*writer.py", "tournaments/notices.py", "ratinglists/api/*",
    "ratinglists/formats/[!o]*", "ratinglists/bulk*.py",
    "ratinglists/rowio.py", "ratinglists/selfcheck.py", "ratinglists/actscheck.py",
    "ratinglists/canonical*.py", "ratinglists/signing.py", "ratinglists/complaint_mail.py",
    "ratinglists/archive*.py", "ratinglists/manifest.py", "ratinglists/state.py",
    "ratinglists/key_changes.py", "ratinglists/records.py", "ratinglists/software.py",
    "ratinglists/slices.py", "ratinglists/request_by_events.py", "ratinglists/partition.py",
    "ratinglists/whiskers.py", "ratinglists/feeds.py", "ratinglists/sitemaps.py",
    "ratinglists/icalendar.py",
    "tournaments/reports/table_columns.py", "tournaments/reports/plain.py", "players/apart/zygote.py",
    "players/listformats/spreadsheets.py", "players/doors.py", "regulations/characters.py",
)  # fmt: skip
#: strings of the code that are words for the machine only
NOT_TEXTS = frozenset({
    "name event tournament nombre torneo", "city place ciudad lugar", "federation fed federacion",
    "start begin inicio comienzo", "end fin final", "type tipo",
    "arbiter chiefarbiter arbitro arbitroprincipal", "deputy deputyarbiter deputies adjunto arbitroadjunto",
    "time timecontrol ritmo ritmodejuego", "rounds rondas", "scoring puntuacion", "btn btn-secondary",
    "public, no-cache", "cell is-invalid", "number is-invalid", "ID Number", "calendar: before a request",
    "The helper process that reads files does not start.", "{reader}: {answer} at {answer2}",
    " round ", " game ", "withheld", "PRODID:-//Rating portal//Closing dates//EN",
})  # fmt: skip
#: single words that stand as values in texts, where no sentence shows that they are words
WORDS = {
    "players": ("nothing", "Players", "{low} to {high}", "birth date", "{code} (character {place})"),
    "ratinglists": (
        "any", "all", "points", "{progress} of {total}", "win", "draw", "loss", "won", "lost", "drawn",
        "drew", "White", "Black", "No.", "Born", "Fed.", "Before", "Newcomers", "new", "open", "later",
        "players", "list", "lists", "rejected", "upheld", "withdrawn", "accepted", "registered", "holds",
        "revoked", "reading", "Removed.", "Proposed.", "Approved.", "Dropped.", "upcoming",
        "late registration", "longer duration", "decided match games", "hybrid approval", "regional",
        "published", "closing", "higher", "lower", "gone", "{low} and more", "below {high}",
    ),
    "tournaments": (
        "Cell {cell}", "error", "Appeals", "Refuse", "Row", "Board", "results",
        "dates", "round robin", "double round robin", "columns", "time_control",
    ),
    "regulations": (
        "no", "rated", "unrated", "active", "provisional", "titled-unrated", "standard", "rapid", "blitz",
        "postal",
        "round-robin", "double-round-robin", "swiss", "team", "scheveningen", "match", "half-up", "half-away",
        "half-to-zero", "and", "or", "bye", "forfeit", "international", "national", "autonomic", "provincial",
        "counted", "deferred", "refused",
        "late-registration", "longer-duration", "decided-match-games", "hybrid-approval",
    ),
}  # fmt: skip
#: packages whose texts are translated when they are shown
TEXTS = ("regulations", "tournaments", "players", "ratinglists")


def files() -> Iterator[Path]:
    """Every file that may hold texts, in order."""
    for package in _PACKAGES:
        for path in sorted((ROOT / package).rglob("*")):
            name = relative(path)
            said = path.suffix in (".py", ".html", ".txt") and path.is_file()
            if said and not any(fnmatch(name, pattern) for pattern in _NOTHING_TO_SAY):
                yield path


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def area_of(path: Path) -> str:
    """The area of a file; LookupError for one of none."""
    name = relative(path)
    for area, patterns in _AREAS:
        if any(fnmatch(name, pattern) for pattern in patterns):
            return area
    raise LookupError(f"{name} belongs to no area of languages: add a pattern to {relative(Path(__file__))}.")


def has_texts(path: Path) -> bool:
    """Are the English texts of this file translated when they are shown?"""
    name = relative(path)
    return (
        path.suffix == ".py"
        and name.split("/")[0] in TEXTS
        and not any(fnmatch(name, pattern) for pattern in _NO_TEXTS)
    )


def catalogue(area: str, language: str, domain: str) -> Path:
    """The .po file of an area."""
    return LOCALE / area / language / "LC_MESSAGES" / f"{domain}.po"
