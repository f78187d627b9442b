"""300 payloads in every text of every model, every page opened in Chromium without its policy: none runs."""

from __future__ import annotations

import io
import json
import re
import time
import zipfile
from datetime import timedelta
from xml.etree import ElementTree as ET

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.admin.models import LogEntry
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from django.utils.safestring import mark_safe
from fido2.cose import ES256
from fido2.webauthn import (
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorAttestationResponse,
    AuthenticatorData,
    CollectedClientData,
    RegistrationResponse,
)
from playwright.sync_api import Error

from accounts.models import Invitation, Mail
from players.models import FideListing, Player
from tests.browser.conftest import chromium, quiet  # noqa: F401 - fixtures
from tests.browser.every_page import EveryPage
from tests.ratinglists.canary_urls import addresses
from tests.trust.counts import SHORT, counted
from tests.trust.looking import Looker
from tests.trust.payloads import COUNT, PAYLOADS
from tests.trust.planting import LEFT, Planted, fields, left, multiply, name
from tournaments.models import Team

pytestmark = [pytest.mark.trust, pytest.mark.once]

ACCOUNTS = ("", "ana", "chief")
ROUNDS, EACH = (1, 1) if SHORT else (14, 2)
#: pairs of a field and a payload with room in it
PAIRS = 8_000 if SHORT else 21_500
#: what ends the session, or answers for the health of programs that do not run here
NOT_ASKED = re.compile(r".*logout|.*password_change_done|language|healthz.*|readyz")
#: proofs of what was published: rows that were changed since are refused, as they must be
PROOFS = re.compile(r"verify-.*")


@pytest.fixture
def world(quiet, live_server, settings, monkeypatch) -> EveryPage:  # noqa: F811
    settings.PORTAL_API_LIMITS = {}
    # The sessions are made behind the door, where no passkey is asked for.
    monkeypatch.setattr("accounts.second_factor.was_passed", lambda request: True)
    made = EveryPage()
    Team.objects.create(tournament=made.open, number=1, name="Team")
    FideListing.objects.create(player=made.people[0], list_date=made.today, title="GM")
    LogEntry.objects.create(
        user=made.chief, object_id="1", object_repr="Somebody", action_flag=2, change_message="Changed."
    )
    made.open.rulings.create(other=made.due, reason="Two events.", by=made.chief)
    made.draft.checks.create(
        why="Entry added.", ratable=False, findings=[{"article": "0.2", "text": "It is too late."}]
    )
    accounts(made)
    multiply()
    return made


def accounts(made: EveryPage) -> None:
    """What people's programs and they themselves say of their accounts."""
    for user in (made.ana, made.chief):
        EmailAddress.objects.create(user=user, email=f"{user.username}@example.org", verified=True)
        Authenticator.objects.create(
            user=user,
            type=Authenticator.Type.WEBAUTHN,
            data={"name": "My second key", "credential": passkey(user.pk)},
        )
        elsewhere = Client()
        elsewhere.force_login(user)
        UserSession.objects.create(
            user=user, session_key=elsewhere.session.session_key, ip="127.0.0.1", user_agent="Browser"
        )
    asked = Invitation.objects.create(
        email="new@example.org",
        role="approver",
        by=made.chief,
        salt="s",
        token_sha256="0" * 64,
        expires_at=timezone.now() + timedelta(7),
    )
    told = {"subject": "Welcome", "text": "Come in.", "origin": "http://testserver"}
    Mail.objects.create(kind=Mail.Kind.INVITATION, to=asked.email, invitation=asked, **told)


def passkey(number: int) -> dict:
    """What a browser sends of a new passkey, whose page offers to sign in with it again."""
    key = ES256.from_cryptography_key(ec.derive_private_key(number + 1, ec.SECP256R1()).public_key())
    credential = AttestedCredentialData.create(bytes(16), bytes([number % 256]) * 16, key)
    flags = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.AT
    data = AuthenticatorData.create(bytes(32), flags, 1, credential)
    client = CollectedClientData.create("webauthn.create", b"challenge", "http://testserver")
    made = AuthenticatorAttestationResponse(
        client_data=client, attestation_object=AttestationObject.create("none", data, {})
    )
    return dict(RegistrationResponse(raw_id=credential.credential_id, response=made))


def signed_in(users: dict) -> dict[str, Client]:
    clients = {account: Client(raise_request_exception=False) for account in ACCOUNTS}
    for account, user in users.items():
        clients[account].force_login(user)
    return clients


def pages(users: dict) -> tuple[list[tuple[str, str]], list[tuple[str, str, str]]]:
    """What answers with a page, as (account, address), and with a file, as (account, name, address)."""
    shown, files, seen = [], [], {}
    clients = signed_in(users)
    for name_of, where in addresses():
        if NOT_ASKED.fullmatch(name_of):
            continue
        for account, client in clients.items():
            number = seen.get((name_of, account), 0)
            if number >= EACH or not _concerns(account, name_of):
                continue
            answer = client.get(where)
            kind = answer.headers.get("Content-Type", "")
            if answer.status_code != 200:
                assert answer.status_code < 500, where
                continue
            seen[name_of, account] = number + 1
            if kind.startswith("text/html"):
                shown.append((account, where))
            elif not account or account == "chief":
                files.append((account, name_of, where))
    return shown, files


def _concerns(account: str, name_of: str) -> bool:
    """In the short run each page is opened by whom it is for."""
    if not SHORT:
        return True
    if account == "ana":
        return name_of.startswith(("arbiter", "me", "compare"))
    return (account == "chief") == name_of.startswith(
        ("admin:", "queue", "complaint", "register", "arbiter-grid")
    )


def test_no_payload_runs_on_any_page(world, chromium, live_server):  # noqa: F811
    begun = time.perf_counter()
    stages = {}
    users = {"ana": world.ana, "chief": world.chief}
    shown, files = pages(users)
    assert {account for account, _ in shown} == set(ACCOUNTS)
    assert len(shown) > 120
    policed = Looker(chromium, live_server.url, users, policy=True)
    stages["asked"] = time.perf_counter() - begun
    for account, where in shown:
        policed.look(account, where)
    stages["policed"] = time.perf_counter() - begun
    policed.close()
    planted, looker = Planted(), Looker(chromium, live_server.url, users, policy=False)
    wrong: list[str] = []
    for number in range(ROUNDS):
        planted.round()
        for account, where in shown:
            looker.look(account, where)
        if number in (0, ROUNDS - 1):
            wrong += list(not_well_formed(files, users))
    looker.close()
    took = time.perf_counter() - begun
    counted("pages under their policy", len(shown), policed.opened, failures=len(policed.faults))
    counted("payloads in every text", COUNT, len(set().union(*(place.been for place in planted.places))))
    counted("pairs of field and payload", PAIRS, planted.pairs)
    counted(
        "planted pages in Chromium", ROUNDS * len(shown), looker.opened, took, failures=len(looker.faults)
    )
    counted("planted files", 1, len(files), failures=len(wrong))
    print(stages, took)
    print(f"pairs: {planted.pairs} of {planted.possible}; texts: {len(planted.places)}")
    assert policed.faults == []
    assert looker.faults == []
    assert wrong == []
    assert planted.empty == []


def test_every_text_is_planted_or_left_with_a_reason():
    every = list(fields())
    assert len(every) > 120
    for pattern in LEFT:
        assert any(re.fullmatch(pattern, name(each)) for each in every), pattern
    planted = {name(each) for each in every if not left(each)}
    assert len(planted) >= 65
    assert {"players.Player.name", "tournaments.Tournament.city", "ratinglists.Complaint.text"} <= planted
    assert len(set(PAYLOADS)) == COUNT == 300


# --- files ------------------------------------------------------------------------------------------


def not_well_formed(files, users: dict):
    """What is wrong with a file, a feed or an answer to a program."""
    clients = signed_in(users)
    for account, name_of, where in files:
        if PROOFS.fullmatch(name_of):
            continue
        answer = clients[account].get(where)
        content = b"".join(answer) if answer.streaming else answer.content
        kind = answer.headers.get("Content-Type", "")
        try:
            _check(answer, kind, content)
        except (AssertionError, ValueError, ET.ParseError, zipfile.BadZipFile) as error:
            yield f"{where} ({kind}): {type(error).__name__} {str(error)[:300]}"


def _check(answer: HttpResponse, kind: str, content: bytes) -> None:
    assert answer.status_code == 200, f"answers {answer.status_code}"
    assert answer.headers.get("X-Content-Type-Options") == "nosniff", "without nosniff"
    assert not kind.startswith("text/html"), "a page"
    if "json" in kind:
        json.loads(content)
    elif "xml" in kind and "openxml" not in kind:
        _elements(content)
    elif "openxml" in kind:
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            for part in book.namelist():
                if part.endswith((".xml", ".rels")):
                    _elements(book.read(part))
    elif kind.startswith("application/pdf"):
        assert content.startswith(b"%PDF-")
        assert content.rstrip().endswith(b"%%EOF")
        assert not re.search(rb"/(JavaScript|JS|OpenAction|Launch|AA)\b", content), "a PDF that acts"
    elif kind.startswith("text/calendar"):
        _calendar(content.decode())


def _elements(content: bytes) -> None:
    assert b"<!ENTITY" not in content
    assert b"<?xml-stylesheet" not in content
    for element in ET.fromstring(content).iter():
        if not isinstance(element.tag, str):
            continue
        assert not element.tag.endswith("}script"), "a script"
        for key in ("href", "src"):
            assert not re.match(r"\s*(javascript|data|vbscript):", element.get(key, "")), element.get(key)


def _calendar(text: str) -> None:
    lines = text.removesuffix("\r\n").split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR", lines[0]
    assert lines[-1] == "END:VCALENDAR", lines[-1]
    for line in lines:
        assert re.match(r"([A-Z-]+[:;]| )", line), f"no line of a calendar: {line!r}"
        assert "\n" not in line, f"a line is broken: {line!r}"
        assert len(line.encode()) <= 75, "a line is too long"
        assert not line.startswith(("BEGIN:VALARM", "ATTACH")), line


# --- positive controls ------------------------------------------------------------------------------

#: where a page may put a text without escaping it
CONTEXTS = (
    "<p>{}</p>", '<a href="{}">a</a>', '<input value="{}">', "<input value='{}'>", "<title>{}</title>",
    "<script>var a = '{}';</script>", '<script>var a = "{}";</script>', "<script>var a = `{}`;</script>",
    "<textarea>{}</textarea>", "<style>{}</style>", "<!-- {} -->", "<svg><text>{}</text></svg>", "<img {}>",
    '<iframe src="{}"></iframe>', "<script type=application/json>{}</script>", "<select><option>{}</select>",
)  # fmt: skip


def test_what_is_not_escaped_is_found(chromium, live_server):  # noqa: F811
    """The control: each payload raw in some place of a page is seen by the detector."""
    looker = Looker(chromium, live_server.url, {}, policy=False)
    page = looker.window("")
    page.goto("/healthz")
    unseen = []
    tried = range(0, COUNT, 10 if SHORT else 1)
    for at in tried:
        for context in CONTEXTS:
            before = len(looker.faults)
            try:
                page.set_content(f"<!DOCTYPE html><body>{context.format(PAYLOADS[at])}", wait_until="load")
                looker.judge(page, f"payload {at + 1}")
            except Error:  # it led the page elsewhere
                looker.faults.append(f"payload {at + 1} leads away")
                page.close()
                page = looker.windows[""] = looker.anew(page)
            if len(looker.faults) > before:
                break
        else:
            unseen.append(PAYLOADS[at])
    looker.close()
    counted("payloads that a raw page shows", len(tried), len(tried) - len(unseen))
    print("seen by no raw page:", *unseen, sep="\n  ")
    assert unseen == []


def test_a_page_that_leaks_is_found(world, chromium, live_server, monkeypatch):  # noqa: F811
    """The same page, whose names are called safe: the payloads of the register run."""
    planted = Planted()
    for _ in range(3):
        planted.round()
    player = next(p for p in Player.objects.order_by("pk") if "<" in p.name and "z(" in p.name)
    looker = Looker(chromium, live_server.url, {}, policy=False)
    looker.look("", f"/players/{player.pk}/")
    assert looker.faults == []
    monkeypatch.setattr(Player, "from_db", classmethod(_unescaped(Player.from_db.__func__)))
    looker.look("", f"/players/{player.pk}/")
    looker.close()
    assert looker.faults


def _unescaped(read):
    def from_db(cls, *args):
        row = read(cls, *args)
        if "name" in row.__dict__:
            row.name = mark_safe(row.name)
        return row

    return from_db
