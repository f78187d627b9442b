"""Both of an arbiter's paths without a mouse: a file that is sent, and a crosstable that is typed.

Only keys are pressed here. A file chooser belongs to the browser, so its answer is given by the test.
"""

import re
from datetime import date, timedelta

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.factories import make_arbiter, make_list, make_player, make_system, make_tournament, make_user
from tests.tournaments import report_files
from tests.tournaments.drafted_world import NAMES, NUMBERS, swiss
from tournaments.drafting import autosave, draft_of
from tournaments.models import Entry, Game, Report, ReportDraft

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


class Keys:
    """A person at a keyboard: presses keys and knows what has the focus."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def focused(self) -> str:
        """What a screen reader would call the element with the focus."""
        return self.page.evaluate(
            """() => {
                const at = document.activeElement;
                const label = at.labels && at.labels.length ? at.labels[0].innerText : "";
                return at.getAttribute("aria-label") || label || at.innerText || at.value || at.tagName;
            }"""
        ).strip()

    def tab_to(self, name: str, *, key: str = "Tab", most: int = 400) -> None:
        """Press Tab until the element of this name has the focus; every stop on the way shows its focus."""
        for _ in range(most):
            self.press(key)
            if self.focused().startswith(name):
                assert self.shows_focus(), f"the focus on {name} cannot be seen"
                return
        raise AssertionError(f"Tab does not come to {name!r}")

    def follow(self, name: str) -> None:
        """Go to a link or button, press it and wait for the page that it leads to."""
        self.tab_to(name)
        with self.page.expect_navigation():
            self.press("Enter")

    def shows_focus(self) -> bool:
        return self.page.evaluate(
            """() => {
                const look = getComputedStyle(document.activeElement);
                return look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 2;
            }"""
        )

    def sign_in(self, name: str = "ana") -> None:
        self.page.goto("/accounts/login/?next=/arbiter/")
        self.tab_to("User name or e-mail address")
        self.type(name)
        self.press("Tab")
        self.type("secret")
        self.press("Enter")
        expect(self.page.get_by_role("heading", name="Your tournaments")).to_be_visible()

    def row(self, white: str, result: str, black: str = "") -> None:
        """Type a board from White's field on; a bye goes on to the next board by itself."""
        for text in filter(None, (white, result, black)):
            self.type(text)
            self.press("Enter")

    def waits_on(self, number: int, board: int) -> None:
        """The page of a round is there, and its script has put the focus on this board."""
        expect(self.page).to_have_url(re.compile(f"/crosstable/{number}/$"))
        expect(self.page.locator(f"#white-{board}")).to_be_focused()

    def saved(self) -> None:
        expect(self.page.locator("#save-state")).to_contain_text(re.compile(r"Saved (at|on)"))


@pytest.fixture
def keys(page: Page) -> Keys:
    return Keys(page)


@pytest.fixture
def arbiter(live_server):
    return make_arbiter("Arbiter, Ana", user=make_user("ana"))


def rapid(arbiter, *, players: int, rounds: int, entered: bool):
    """A rapid event of today with rated players."""
    system, today = make_system("rapid"), timezone.localdate()
    names = [*NAMES, *(f"Invented{chr(97 + n // 26)}{chr(97 + n % 26)}, Ona" for n in range(players))]
    people = [make_player(name, fide_id=str(7000011 + at)) for at, name in enumerate(names[:players])]
    make_list(system, today - timedelta(30), {p: 2000 - at for at, p in enumerate(people)})
    tournament = make_tournament(
        system, name="Spring Rapid", start=today - timedelta(1), rounds=rounds, arbiter=arbiter
    )
    if entered:
        Entry.objects.bulk_create(Entry(tournament=tournament, player=player) for player in people)
    return tournament


def test_a_file_is_uploaded_read_and_sent(page: Page, keys: Keys, arbiter, tmp_path):
    system = make_system("standard", regulation="fide-standard-2004")
    people = [make_player(name, fide_id=str(7000011 + at), born=1980) for at, name in enumerate(NAMES[:4])]
    make_list(system, date(2004, 4, 1), {p: 2100 - 50 * at for at, p in enumerate(people)})
    make_tournament(
        system, name="Spring Open", start=date(2004, 5, 1), end=date(2004, 5, 2), rounds=0, minutes=90,
        increment=30, arbiter=arbiter,
    )  # fmt: skip
    files = iter([tmp_path / "wrong.trf", tmp_path / "right.trf"])
    page.on("filechooser", lambda chooser: chooser.set_files(next(files)))
    keys.sign_in()
    keys.follow("Spring Open")
    expect(page.get_by_role("heading", name="Spring Open")).to_be_visible()
    keys.follow("Upload")
    # A file with errors: they are counted in the title, and each is named with its line.
    for name, content in (("wrong.trf", report_files.ASYMMETRIC), ("right.trf", report_files.NOMINAL)):
        (tmp_path / name).write_bytes(content)
        expect(page.locator("input[type=file]")).to_be_visible()
        keys.tab_to("Report file")
        keys.press("Enter")
        expect(page.locator("input[type=file]")).to_have_value(re.compile(name))
        keys.follow("Check the report")
        if name == "wrong.trf":
            expect(page).to_have_title(re.compile("2 errors"))
            expect(page.get_by_role("alert")).to_contain_text("Nothing is stored")
    expect(page.locator("main")).to_contain_text("What the report changes")
    assert not Report.objects.exists()
    keys.follow("Send this report")
    assert bytes(Report.objects.get().content) == report_files.NOMINAL
    expect(page.locator("main")).to_contain_text(Report.objects.get().sha256)


def test_a_crosstable_is_typed_corrected_and_sent(page: Page, keys: Keys, arbiter):
    tournament = rapid(arbiter, players=6, rounds=3, entered=False)
    keys.sign_in()
    keys.follow("Spring Rapid")
    keys.follow("Type the crosstable")

    # Players: the focus waits in the first number; the register's name appears beside what is typed.
    expect(page.locator("#number-1")).to_be_focused()
    for number in NUMBERS:
        keys.type(number)
        keys.press("Enter")
    for at, name in enumerate(NAMES, start=1):
        expect(page.locator(f"#person-{at}")).to_have_text(name)
    assert keys.focused() == "Row 7, FIDE or national number", "a row more than the page had"
    keys.saved()
    keys.press("Alt+n")

    # Round 1, with a player who is not there: it is announced when the board is left.
    keys.waits_on(1, 1)
    assert keys.shows_focus()
    keys.row("1", "1", "2")
    expect(page.locator("#name-black-1")).to_have_text(NAMES[1])
    keys.row("3", "=", "44")
    expect(page.locator("#save-state")).to_contain_text("Board 2: No player has start number 44.")
    expect(page.locator("#black-2")).to_have_attribute("aria-invalid", "true")
    keys.row("5", "0", "6")
    keys.saved()

    # A reload in the middle: all is there, and the focus waits on the next board.
    page.reload()
    expect(page.locator("#black-3")).to_have_value("6")
    expect(page.locator("#white-4")).to_be_focused()

    # The arrows lead back to the fault; the unpaired list follows what is typed.
    expect(page.locator("#unpaired-list")).to_have_text("4 Dogwood, Jo")
    keys.press("ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight")
    assert keys.focused() == "Board 2, Black’s start number"
    keys.type("4")
    expect(page.locator("#unpaired-count")).to_have_text("0")
    keys.press("Alt+n")

    # Round 2 with a bye; the rest are absent. Round 3 by Tab instead of Enter.
    keys.waits_on(2, 1)
    keys.row("2", "1", "3")
    keys.row("6", "=", "1")
    keys.row("4", "u")
    expect(page.locator("#white-4")).to_be_focused()
    keys.press("Alt+a")
    expect(page.get_by_text("Marked absent in round 2: 1.")).to_be_visible()
    expect(page.locator("#white-4")).to_have_value("5")
    keys.waits_on(2, 5)
    keys.press("Alt+n")
    keys.waits_on(3, 1)
    for text in ("1", "1", "3", "5", "8", "2", "4", "0", "6"):
        keys.type(text)
        keys.press("Tab")
    keys.press("Alt+n")

    # The check finds the result 8, and its link leads to the field.
    expect(page).to_have_title(re.compile("1 error"))
    expect(page.get_by_role("alert")).to_contain_text("1 error")
    keys.follow("Round 3, board 2")
    expect(page.locator("#result-2")).to_be_focused()
    keys.type("-")
    keys.press("Enter", "Alt+n")  # on the last round, on to the check
    expect(page.locator("main")).to_contain_text("What the report changes")
    assert not Report.objects.exists()
    keys.follow("Send this report")
    assert bytes(Report.objects.get().content).startswith(b"012 Spring Rapid")
    assert Game.objects.filter(tournament=tournament).count() == 10
    assert Game.objects.get(round=3, white__player__name=NAMES[4]).result == "-/+"
    assert not ReportDraft.objects.exists()


def test_a_list_of_players_is_pasted_into_a_field(page: Page, keys: Keys, arbiter):
    tournament = rapid(arbiter, players=6, rounds=3, entered=False)
    keys.sign_in()
    page.goto(f"/arbiter/{tournament.pk}/crosstable/")
    expect(page.locator("#number-1")).to_be_focused()
    lines = "\n".join(f"{at}\t{number}" for at, number in enumerate(NUMBERS, start=11))
    page.evaluate(
        """(text) => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            const how = { clipboardData: data, bubbles: true, cancelable: true };
            document.activeElement.dispatchEvent(new ClipboardEvent("paste", how));
        }""",
        lines,
    )
    expect(page.get_by_text("Lines taken over: 6.")).to_be_visible()
    expect(page.locator("#start-6")).to_have_value("16")
    expect(page.locator("#person-6")).to_have_text(NAMES[5])


def test_a_stale_tab_shows_both_and_loses_nothing(page: Page, keys: Keys, arbiter):
    tournament = rapid(arbiter, players=6, rounds=3, entered=True)
    user = get_user_model().objects.get(username="ana")
    keys.sign_in()
    page.goto(f"/arbiter/{tournament.pk}/crosstable/1/")
    keys.waits_on(1, 1)
    keys.row("1", "1", "2")
    keys.saved()
    # Elsewhere the round is changed.
    autosave(tournament, user, "1", [["1", "0", "2"]], draft_of(tournament, user).token)
    keys.row("3", "=", "4")
    trouble = page.get_by_role("alert")
    expect(trouble).to_contain_text("changed elsewhere")
    expect(trouble.locator("tbody tr")).to_have_text([re.compile("1 1 2.*1 0 2"), re.compile("3 = 4.*blank")])
    expect(page.locator("#trouble")).to_be_focused()
    assert draft_of(tournament, user).games["1"] == [["1", "0", "2"]]
    # Going on does not overwrite either: the page comes back with what was typed.
    keys.press("Alt+n")
    expect(page).to_have_title(re.compile("Not saved"))
    expect(page.locator("#black-2")).to_have_value("4")
    expect(page.locator("#trouble")).to_be_focused()
    keys.tab_to("Board 2, Black")
    keys.press("Enter")
    assert keys.focused() == "Board 3, White’s start number"
    keys.tab_to("Take what is saved", key="Shift+Tab")
    keys.press("Shift+Tab", "Shift+Tab")
    keys.follow("Keep what this page has")
    assert draft_of(tournament, user).games["1"] == [["1", "1", "2"], ["3", "=", "4"]]
    expect(trouble).to_have_count(0)


def test_without_the_server_the_page_stays_and_leaving_it_warns(page: Page, keys: Keys, arbiter):
    tournament = rapid(arbiter, players=6, rounds=3, entered=True)
    user = get_user_model().objects.get(username="ana")
    keys.sign_in()
    page.goto(f"/arbiter/{tournament.pk}/crosstable/1/")
    page.evaluate(
        "() => { window.really = window.fetch; window.fetch = () => Promise.reject(new TypeError()) }"
    )
    keys.row("1", "1", "2")
    state = page.locator("#save-state")
    expect(state).to_contain_text("Not saved. The server cannot be reached")
    keys.press("Alt+n")
    expect(page.locator("#white-1")).to_have_value("1")
    expect(page).to_have_url(re.compile("/crosstable/1/$"))
    warned = []
    page.once("dialog", lambda dialog: (warned.append(dialog.type), dialog.dismiss()))
    page.evaluate("() => { window.location.href = '/arbiter/' }")
    expect(page.locator("#white-1")).to_have_value("1")
    page.wait_for_function("() => true")
    assert warned == ["beforeunload"]
    assert not draft_of(tournament, user).games
    # It is tried again by itself.
    page.evaluate("() => { window.fetch = window.really }")
    keys.saved()
    assert draft_of(tournament, user).games["1"] == [["1", "1", "2"]]


def test_signed_out_in_the_middle_nothing_is_lost(page: Page, keys: Keys, arbiter):
    tournament = rapid(arbiter, players=6, rounds=3, entered=True)
    user = get_user_model().objects.get(username="ana")
    keys.sign_in()
    page.goto(f"/arbiter/{tournament.pk}/crosstable/1/")
    keys.waits_on(1, 1)
    page.context.clear_cookies(name="sessionid")
    keys.row("1", "1", "2")
    expect(page.locator("#save-state")).to_contain_text("You are signed out: sign in again in another window")
    other = page.context.new_page()
    Keys(other).sign_in()
    other.close()
    keys.saved()
    assert draft_of(tournament, user).games["1"] == [["1", "1", "2"]]


def test_two_hundred_players_and_nine_rounds_by_keyboard(page: Page, keys: Keys, arbiter):
    tournament = rapid(arbiter, players=200, rounds=9, entered=True)
    user = get_user_model().objects.get(username="ana")
    for part, rows in swiss(200, 9).items():
        kept = rows[:-1] if part == "9" else rows
        autosave(tournament, user, part, kept, draft_of(tournament, user).token)
    keys.sign_in()
    page.goto(f"/arbiter/{tournament.pk}/crosstable/1/")
    for number in range(1, 9):
        keys.waits_on(number, 101)
        assert page.locator("tbody input").count() == 3 * 105
        keys.press("Alt+n")
    expect(page.locator("#unpaired-count")).to_have_text("2")
    keys.waits_on(9, 100)
    keys.row(*swiss(200, 9)["9"][-1])
    expect(page.locator("#unpaired-count")).to_have_text("0")
    keys.press("Alt+p")
    keys.waits_on(8, 101)
    keys.press("Alt+c")
    expect(page.get_by_role("heading", name="No error")).to_be_visible()
    keys.follow("Send this report")
    assert Game.objects.filter(tournament=tournament).count() == 900


def test_without_script_the_pages_are_plain_forms(chromium, live_server, arbiter):
    tournament = rapid(arbiter, players=6, rounds=3, entered=True)
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"/accounts/login/?next=/arbiter/{tournament.pk}/crosstable/1/")
    page.fill("[name=login]", "ana")
    page.fill("[name=password]", "secret")
    page.press("[name=password]", "Enter")
    for field, text in (("white", "1"), ("result", "1"), ("black", "2")):
        page.fill(f"#{field}-1", text)
    page.press("#black-1", "Enter")
    expect(page.locator("#save-state")).to_contain_text("Saved on")
    expect(page.locator("#name-black-1")).to_have_text(NAMES[1])
    page.press("text=Save and next round", "Enter")
    expect(page).to_have_url(re.compile("/crosstable/2/$"))
    page.go_back()
    expect(page.locator("#white-1")).to_have_value("1")
    context.close()
