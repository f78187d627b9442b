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
    # The date picker and the two-sided chooser are built by scripts.
    page.get_by_role("link", name="Today").first.click()
    page.get_by_role("link", name="Now").first.click()
    expect(page.locator("#id_last_login_0")).not_to_have_value("")
    chooser = page.locator("#id_user_permissions_from option")
    before = chooser.count()
    page.locator("#id_user_permissions_add_all").click()
    assert before > 0
    expect(chooser).to_have_count(0)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    page.get_by_role("button", name="Toggle theme").first.click()


def test_the_policy_stops_inline_script(chromium, live_server):
    """The control: under the same policy an inline script does not run."""
    page = chromium.new_page()
    page.goto(f"{live_server.url}/admin/login/")
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
