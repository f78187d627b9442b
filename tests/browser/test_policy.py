"""The stock admin and the sign-in page work under the content security policy."""

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import Error, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.once]


@pytest.fixture
def staff(live_server):
    return get_user_model().objects.create_superuser("chief", password="a pass phrase")


def sign_in(page: Page, path: str) -> None:
    page.goto(path)
    page.get_by_label("User name or e-mail address").fill("chief")
    page.get_by_label("Password").fill("a pass phrase")
    page.locator("main").get_by_role("button", name="Sign in", exact=True).click()


def test_sign_in_and_out(page: Page, staff):
    sign_in(page, "/accounts/login/?next=/accounts/password/change/")
    expect(page.get_by_label("Current Password")).to_be_visible()


def test_admin_without_inline_script(page: Page, staff):
    sign_in(page, "/admin/login/?next=/admin/auth/user/add/")
    page.get_by_label("Username").fill("second")
    page.locator("#id_password1").fill("another phrase")
    page.locator("#id_password2").fill("another phrase")
    page.get_by_role("button", name="Save and continue editing").click()
    expect(page.get_by_text("was added successfully")).to_be_visible()
    # The two-sided chooser and the date picker are built by scripts.
    chooser = page.locator("#id_user_permissions_from option")
    expect(chooser).not_to_have_count(0)
    page.locator("#id_user_permissions_add_all").click()
    expect(chooser).to_have_count(0)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    page.get_by_role("button", name="Toggle theme").first.click()
    page.goto("/admin/tournaments/tournament/add/")
    page.get_by_role("link", name="Today").first.click()
    expect(page.locator(".vDateField").first).not_to_have_value("")


def test_the_policy_stops_inline_script(chromium, live_server, staff):
    """The control: under the same policy an inline script does not run."""
    page = chromium.new_page(base_url=live_server.url)
    sign_in(page, "/admin/login/?next=/admin/")
    expect(page.get_by_role("link", name="Audit log")).to_be_visible()
    add = "const s = document.createElement('script'); s.text = 'window.ran = 1'; document.body.append(s)"
    page.evaluate(f"() => {{ {add} }}")
    assert page.evaluate("window.ran") is None
    # Outside the administration not even the attempt is allowed: trusted types.
    page.goto(f"{live_server.url}/accounts/login/")
    with pytest.raises(Error, match="TrustedScript"):
        page.evaluate(f"() => {{ {add} }}")
    with pytest.raises(Error, match="TrustedHTML"):
        page.evaluate("() => { document.body.innerHTML = '<b>x</b>' }")
    assert page.evaluate("window.ran") is None
    page.close()
