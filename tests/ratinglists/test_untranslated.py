"""No page that somebody reads in Spanish or Portuguese has English left: every kind of page, and the answers
to its forms left empty, as the public, an arbiter, a rating officer and an approver.

Whatever a catalogue translates comes without its letters, so any word that is still there was never
translated. What people typed and what no language writes otherwise is taken out first.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator

import pytest
from django.apps import apps

from regulations import registry
from tests.languages import masked
from tests.ratinglists.canary_urls import addresses
from tests.ratinglists.canary_world import World
from tests.ratinglists.said_pages import Words, read
from tests.ratinglists.test_canary import drawn, made, world  # noqa: F401 - fixtures

pytestmark = [pytest.mark.django_db, pytest.mark.once]

#: model: the fields in which people, files and the log, which is English, write
TYPED = {
    "auth.User": ("username", "email"),
    "auth.Group": ("name",),
    "players.Federation": ("code", "name"),
    "players.IssuingBody": ("code", "name"),
    "players.Player": ("name",),
    "players.IdentityChange": ("reason", "undone_why"),
    "players.PlayerImport": ("file_name",),
    "players.OutboxMessage": ("subject", "text", "right"),
    "players.AuditEntry": ("act", "subject", "text", "data"),
    "tournaments.RatingSystem": ("code", "name"),
    "tournaments.Tournament": ("name", "city", "organiser"),
    "tournaments.Arbiter": ("name",),
    "tournaments.Report": ("filename", "remark", "format"),
    "tournaments.Waiver": ("reason",),
    "ratinglists.Complaint": ("name", "email", "text", "answer"),
    "ratinglists.Correction": ("reason",),
    "ratinglists.CorrectionItem": ("reason",),
    "ratinglists.ListFile": ("name",),
}
#: what no language writes otherwise
FREE = re.compile(
    r"Elo|FIDE|TRF|CSV|XLSX|XML|TXT|PDF|JSON|SHA|UTC|MiB|WGM|WIM|WFM|WCM"  # names of formats, titles, units
    r"|dev"  # of the portal's version
    r"|min|dpa|Rar|ΣΔR"  # units and symbols of the formulas
    r"|invented|player|Listed|Lea"  # what the addresses ask for, and names of players in a list brought in
)
#: addresses that answer programs, or that take a form only
NO_PAGE = re.compile(
    r"api-v1|.*(csv|txt|xml|xlsx|pdf|ics|file|download|faults|progress|jsi18n|autocomplete|export|template)$"
    r"|feed|sitemap|robots|healthz|readyz|metrics|verify-|language|.*logout|admin:password_change_done"
)
#: role: the pages that it sees otherwise than the roles before it
SEEN = {
    "public": re.compile(r"(?!admin:|arbiter)"),
    "arbiter": re.compile(r"arbiter|me$|tournament$|complaint"),
    "officer": re.compile(r"admin:|queue|complaint|list$|calculation$|register-export|arbiter-report"),
    "approver": re.compile(
        r"admin:(index|ratinglists_|players_(player|privacy|audit))|queue|complaint|list$"
    ),
}


def _typed() -> set[str]:
    found = {each.code for each in registry.all_regulations()}
    for label, fields in TYPED.items():
        rows = apps.get_model(label)._base_manager.values_list(*fields)
        found |= {each if isinstance(each, str) else json.dumps(each) for row in rows for each in row if each}
    return found


def _some(role: str) -> Iterator[tuple[str, str]]:
    """Of each kind of page that this role sees otherwise than those before it one or two."""
    kinds: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, where in addresses():
        if not NO_PAGE.match(name) and SEEN[role].match(name):
            kinds[name, where.partition("?")[2]].append(where)
    for (name, _), wheres in kinds.items():
        first, last = wheres[len(wheres) // 2], wheres[-1]
        yield from ((name, where) for where in dict.fromkeys((first, last) if role == "public" else (last,)))


def _left(client, words: Words, role: str) -> dict[str, set[str]]:
    """By text with English in it: the names of the pages that show it."""
    found: dict[str, set[str]] = defaultdict(set)
    forms: dict[str, tuple[str, dict]] = {}
    for name, where in _some(role):
        answer = client.get(where)
        if answer.status_code != 200 or not answer.headers["Content-Type"].startswith("text/html"):
            continue
        page = read(answer.content.decode())
        for text, _ in words.left(page.found):
            found[text].add(name)
        for action, hidden in page.forms:
            forms.setdefault(name, (action or where, dict(hidden)))
    for name, (where, hidden) in forms.items():
        if NO_PAGE.match(name) or "logout" in where:
            continue
        answer = client.post(where, hidden, follow=True)
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            for text, _ in words.left(read(answer.content.decode()).found):
                found[text].add(f"form of {name}")
    return found


@pytest.mark.parametrize("language", ["es", "pt"])
def test_no_page_has_english_left(client, world: World, settings, language):  # noqa: F811
    left: dict[str, set[str]] = {}
    with masked(language):
        for role in SEEN:
            if role in world.users:
                client.force_login(world.users[role])
            client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
            left |= _left(client, Words(_typed(), FREE), role)
    told = [f"{text!r} on {', '.join(sorted(names))}" for text, names in sorted(left.items())]
    assert not told, "\n".join(told)
