"""What a player asks: my rating, why it changed, which game is missing and how to complain, my place in my
federation, and what I would have with one more win. And how heavy the page with the answers is."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from ratinglists.models import Complaint
from tests.careers import make_career
from tests.factories import (
    make_federation,
    make_list,
    make_period,
    make_player,
    make_report,
    make_system,
    make_tournament,
    rate_and_list,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.once]


@pytest.fixture
def anna(live_server):
    """2000 on the rapid list before last. One event since, by which the newest list has 2008: a win against
    2000, a loss against 2450, an unrated opponent, a forfeit (2022 7.31-7.33, 4.1); another is reported."""
    today = timezone.localdate()
    system = make_system("rapid", name="Isles rapid", schedule="manual")
    anna, bert, carl, dora = (make_player(f"Invented, {name}") for name in ("Anna", "Bert", "Carl", "Dora"))
    make_federation("XBB", "Banks")
    guest = make_player("Invented, Guest", federation="XBB")
    ratings = {anna: 2000, bert: 2000, carl: 2450, dora: None, guest: 2600}
    make_list(system, today - timedelta(70), ratings)
    played = today - timedelta(50)
    event = make_tournament(system, name="Harbour Open", start=played, rounds=4)
    games = [(1, 1, 2, "1-0"), (2, 3, 1, "1-0"), (3, 1, 4, "1-0"), (4, 1, 2, "+/-")]
    make_report(event, [anna, bert, carl, dora], games)
    rate_and_list(make_period(system, today - timedelta(20), played + timedelta(5)))
    later = make_tournament(system, name="Lighthouse Open", start=today - timedelta(10))
    make_report(later, [anna, bert], [(1, 1, 2, "0-1")])
    return anna


def no_overflow(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("width", [360, 1280])
def test_the_five_questions(page: Page, anna, width):
    page.set_viewport_size({"width": width, "height": 800})
    # What is my rating? From the start page, by name.
    page.goto("/")
    page.get_by_role("searchbox").first.fill("anna inv")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Invented, Anna").click()
    card = page.locator(".card", has_text="Isles rapid").first
    expect(card).to_contain_text("2008")
    expect(card).to_contain_text("active")
    # What is my place in my federation? Anna is behind Carl, and before Bert.
    expect(card).to_contain_text("Place 2 of 3 active in XAA, 3 of 4 in the list")
    no_overflow(page)
    # Why did it change? Each step has its article.
    card.get_by_role("link", name="how this was computed").click()
    sheet = page.locator("main")
    for words in (
        "Harbour Open",
        "+8.4",
        "7.32",
        "0.08",
        "7.33",
        "2000 on the list before, 2008 on this one",
    ):
        expect(sheet).to_contain_text(words)
    no_overflow(page)
    # Which game is missing, and how do I complain?
    expect(sheet.get_by_role("row", name="Invented, Dora")).to_contain_text("unrated opponent")
    expect(sheet).to_contain_text("forfeit")
    page.get_by_role("link", name="Invented, Anna").first.click()
    games = page.locator("#games")
    expect(games.get_by_role("row", name="Lighthouse Open, round 1").first).to_contain_text("not yet")
    row = games.get_by_role("row", name="Harbour Open, round 4").first
    expect(row).to_contain_text("no: forfeit 4.1")
    row.get_by_role("link", name="Something wrong?").click()
    expect(page.get_by_label("In whose row")).to_have_value(str(anna.pk))
    expect(page.get_by_label("Round")).to_have_value("4")
    page.get_by_label("What should stand there").fill("We played this game after all, see the score sheets.")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_label("Your e-mail").fill("anna@example.org")
    page.get_by_role("button", name="Send the complaint").click()
    expect(page.locator("main")).to_contain_text("is open")
    assert Complaint.objects.get().round == 4
    # What would I have with one more win?
    page.goto(f"/players/{anna.pk}/")
    page.get_by_role("link", name="What if?").click()
    page.get_by_label("Opponent's rating").first.fill("2008")
    page.get_by_label("Result").first.select_option("win")
    page.get_by_role("button", name="Compute").click()
    answer = page.locator("#answer")
    for words in ("2018", "before: 2008", "+10", "Article 7.32", "7.31", "7.33"):
        expect(answer).to_contain_text(words)
    no_overflow(page)


def test_what_if_works_without_script_and_names_what_is_wrong(chromium, live_server, anna):
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"/players/{anna.pk}/what-if/")
    page.get_by_role("button", name="More games").click()
    expect(page.locator("legend", has_text="Game 8")).to_be_visible()
    seventh = page.locator("fieldset", has_text="Game 7")
    seventh.get_by_label("or name or number").fill("Invented")
    page.get_by_role("button", name="Compute").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Game 7, Result: Choose win, draw or loss.")
    expect(alert).to_contain_text("Game 7, or name or number: More than one player matches")
    page.get_by_role("link", name="Invented, Bert").click()
    page.locator("fieldset", has_text="Game 7").get_by_label("Result").select_option("draw")
    page.get_by_role("button", name="Compute").click()
    expect(page.locator("#answer")).to_contain_text("Invented, Bert")
    context.close()


def test_zoom_and_what_a_dot_says(page: Page, anna):
    page.goto(f"/players/{anna.pk}/")
    dots = page.locator("circle.chart-dot")
    expect(dots).to_have_count(2)
    expect(dots.last.locator("title")).to_contain_text(": 2008 (+8.4 in 2 games)")
    dots.last.hover()
    zoom = page.get_by_role("navigation", name="Period and lists of the chart")
    zoom.get_by_role("link", name="1 year").click()
    expect(zoom.get_by_role("link", name="1 year")).to_have_attribute("aria-current", "true")
    assert page.url.endswith("?period=1#history")


def test_on_paper_the_sheet_has_no_navigation(page: Page, anna):
    page.goto(f"/players/{anna.pk}/")
    page.get_by_role("link", name="how this was computed").click()
    expect(page.get_by_text("Address of this sheet")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_role("navigation", name="Main")).to_be_hidden()
    expect(page.get_by_text("To have it on paper")).to_be_hidden()
    expect(page.get_by_text("Address of this sheet")).to_be_visible()
    assert page.pdf().startswith(b"%PDF")


def test_a_profile_of_three_hundred_events_is_light_and_asks_nobody_else(page: Page, live_server):
    player = make_player("Heavy, Harriet")
    for code in ("standard", "rapid", "blitz"):
        make_career(make_system(code), player, 100)
    sent = []
    page.on("requestfinished", lambda request: sent.append((request.url, request.sizes())))
    page.goto(f"/players/{player.pk}/", wait_until="networkidle")
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    assert len(sent) >= 3
    assert all(url.startswith(live_server.url) for url, _ in sent)
    weight = sum(sizes["responseBodySize"] + sizes["responseHeadersSize"] for _, sizes in sent)
    assert 20_000 < weight < 150_000
