"""Accounts in Chromium, under the portal's policy: second factors set up and used, and an invitation
accepted."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.core.cache import cache
from playwright.sync_api import Browser, Page, expect

from accounts import invitations
from accounts.tasks import send_mails
from players.roles import Role
from tests.accounts.signing import CODE, LOGIN, SET_UP, code_of, recovery_codes
from tests.factories import make_arbiter, make_federation, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.once]
#: a passkey of the device, that asks for a finger
PASSKEYS = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture(autouse=True)
def required(settings, monkeypatch) -> None:
    settings.PORTAL_SECOND_FACTOR = "required"
    monkeypatch.setattr("accounts.mails.ring", lambda: None)
    cache.clear()


@pytest.fixture
def page(chromium: Browser, live_server) -> Iterator[Page]:
    """Of a browser with a passkey holder; it has to be called localhost for them."""
    context = chromium.new_context(base_url=re.sub(r"//[^:/]+", "//localhost", live_server.url))
    context.set_default_timeout(20_000)
    page, troubles = context.new_page(), []
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    developer = context.new_cdp_session(page)
    developer.send("WebAuthn.enable")
    developer.send("WebAuthn.addVirtualAuthenticator", {"options": PASSKEYS})
    yield page
    context.close()
    assert not troubles


def sign_in(page: Page, name: str, word: str = "secret", where: str = LOGIN) -> None:
    page.goto(where)
    page.get_by_label("User name or e-mail address").fill(name)
    page.locator("input[type=password]").first.fill(word)
    page.get_by_role("button", name="Sign in", exact=True).click()


def sign_out(page: Page) -> None:
    page.goto("/lists/")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()


def set_up_app(page: Page) -> str:
    """From the page where staff are led to; returns the secret."""
    page.get_by_role("link", name="Set up an app").click()
    picture = page.get_by_role("img", name="Picture for the app")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.complete && image.naturalWidth > 100")
    secret = page.locator("#totp-secret").inner_text()
    page.get_by_label("Authenticator code").fill(code_of(secret))
    page.get_by_role("button", name="Set up", exact=True).click()
    expect(page.locator("#recovery-codes li")).to_have_count(10)
    return secret


def test_an_app_is_set_up_before_anything_else_and_signs_in(page: Page):
    user = make_user("sam", is_staff=True, is_superuser=True)
    sign_in(page, "sam", where=f"{LOGIN}?next=/admin/")
    expect(page).to_have_url(re.compile(f"{SET_UP}$"))
    page.goto("/queue/")
    expect(page).to_have_url(re.compile(f"{SET_UP}$"))
    secret = set_up_app(page)
    sign_out(page)
    sign_in(page, "sam", where=f"{LOGIN}?next=/admin/")
    expect(page).to_have_url(re.compile(f"{CODE}$"))
    page.get_by_label("Code").fill("000000")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("The code is wrong, or was used before.")).to_be_visible()
    page.get_by_label("Code").fill(code_of(secret, ahead=1))
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="What would you like to do?")).to_be_visible()
    sign_out(page)
    sign_in(page, "sam")
    page.get_by_label("Code").fill(recovery_codes(user)[0])
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("link", name="sam")).to_be_visible()
    assert len(recovery_codes(user)) == 9


def test_a_passkey_is_added_and_signs_in_by_itself(page: Page):
    make_user("sam", is_staff=True)
    sign_in(page, "sam")
    page.goto("/accounts/")  # leads on
    page.get_by_role("link", name="Add a key").click()
    page.get_by_label("Name").fill("My telephone")
    page.get_by_label("Passwordless").check()
    page.get_by_role("button", name="Add a key").click()
    expect(page.locator("#recovery-codes li")).to_have_count(10)
    assert Authenticator.objects.get(type="webauthn").wrap().name == "My telephone"
    page.goto("/accounts/second-factor/webauthn/")
    expect(page.get_by_text("My telephone").first).to_be_visible()
    sign_out(page)
    page.goto(f"{LOGIN}?next=/accounts/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="My account")).to_be_visible()
    sign_out(page)
    sign_in(page, "sam")  # and as a second factor after the password
    page.get_by_role("button", name="Use a passkey or security key").click()
    expect(page.get_by_role("link", name="sam")).to_be_visible()


def test_an_invitation_is_accepted_from_the_mail_to_the_arbiters_pages(page: Page):
    boss = make_user("boss", is_superuser=True, is_staff=True)
    arbiter = make_arbiter("Arbiter, Ana", federation=make_federation())
    invitations.invite(boss, "ana@example.org", Role.ARBITER, arbiter=arbiter, origin="http://localhost")
    send_mails()
    page.goto(re.search(r"http://[^/]+(/\S+)", mail.outbox[0].body)[1])
    page.get_by_label("User name").fill("ana")
    page.locator("input[type=password]").first.fill("Harbour-71-light")
    page.get_by_label("Password (again)").fill("Harbour-71-light")
    page.get_by_role("button", name="Make my account").click()
    page.goto("/arbiter/")
    expect(page).to_have_url(re.compile(f"{SET_UP}$"))
    set_up_app(page)
    page.goto("/arbiter/")
    expect(page.get_by_role("heading", name="Your tournaments")).to_be_visible()
