"""The pages of a typed crosstable, with and without the page's script."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from tests.factories import make_player, make_user
from tests.pages import text_of
from tests.tournaments.drafted_world import NAMES, NUMBERS, ROUNDS, Drafting, swiss
from tournaments.models import Entry, Game, Report, ReportDraft, Tournament
from tournaments.reporting import return_report

pytestmark = pytest.mark.django_db
FIELDS = {"players": ("start", "number", "name"), "round": ("white", "result", "black")}


@pytest.fixture
def world() -> Drafting:
    return Drafting()


def address(world: Drafting, part) -> str:
    return world.url("arbiter-crosstable") if part == "players" else world.url("arbiter-round", part)


def html_of(response) -> str:
    return unescape(response.content.decode())


def get(world: Drafting, part) -> str:
    response = world.client.get(address(world, part))
    assert response.status_code == 200
    return html_of(response)


def token_in(html: str) -> str:
    return re.search(r'name="token" value="([^"]*)"', html)[1]


def values(html: str, row: int) -> list[str]:
    """What the fields of a row hold."""
    return re.findall(rf'<input type="text" id="\w+-{row}" name="\w+-{row}" value="([^"]*)"', html)


def post(world: Drafting, part, rows, token: str | None = None, *, script=False, **extra):
    fields = FIELDS["players" if part == "players" else "round"]
    data = {"token": token_in(get(world, part)) if token is None else token, **extra}
    for at, row in enumerate(rows, start=1):
        data |= {f"{field}-{at}": text for field, text in zip(fields, row, strict=True)}
    headers = {"Accept": "application/json"} if script else {}
    return world.client.post(address(world, part), data, headers=headers)


def type_all(world: Drafting) -> None:
    for part, rows in ROUNDS.items():
        post(world, int(part), rows)


# --- who ---


def test_only_who_may_report_the_tournament_types(world):
    type_all(world)
    stranger = Client()
    stranger.force_login(make_user("bob"))
    for name, args in (
        ("arbiter-crosstable", []), ("arbiter-round", [1]), ("arbiter-check", []), ("arbiter-discard", []),
    ):  # fmt: skip
        assert stranger.post(world.url(name, *args)).status_code == 404
        assert Client().post(world.url(name, *args)).status_code == 302
    assert ReportDraft.objects.count() == 1
    officer = Client()
    officer.force_login(make_user("officer", "tournaments.accept_report"))
    assert values(html_of(officer.get(world.url("arbiter-round", 1))), 1) == ["", "", ""]


def test_a_forged_request_changes_nothing(world):
    client = Client(enforce_csrf_checks=True)
    client.force_login(world.user)
    for name, args in (("arbiter-crosstable", []), ("arbiter-round", [1]), ("arbiter-discard", [])):
        assert client.post(world.url(name, *args), {"white-1": "1"}).status_code == 403


def test_no_page_is_kept_by_a_browser(world):
    for name, args in (("arbiter-crosstable", []), ("arbiter-round", [1]), ("arbiter-check", [])):
        assert "no-store" in world.client.get(world.url(name, *args)).headers["Cache-Control"]


# --- typing without the script ---


def test_the_players_page_begins_with_the_entry_list(world):
    html = get(world, "players")
    assert values(html, 6) == ["6", NUMBERS[5], ""]
    assert values(html, 7) == ["7", "", ""]
    assert all(f'id="person-{at}">{name}</td>' in html for at, name in enumerate(NAMES, start=1))
    assert not ReportDraft.objects.exists()


def test_players_are_saved_and_the_button_leads_to_the_first_round(world):
    Entry.objects.all().delete()
    response = post(world, "players", [["4", NUMBERS[0], ""], ["5", "999", ""]], go="next")
    assert response.url == world.url("arbiter-round", 1)
    html = get(world, "players")
    assert values(html, 1) == ["4", NUMBERS[0], ""]
    assert NAMES[0] in html
    assert "Number 999 is not on the register." in html
    assert values(html, 3) == ["6", "", ""], "the next rows go on with the numbers"


def test_a_pasted_list_is_merged_and_the_lines_are_counted(world):
    rows = [[str(at), number, ""] for at, number in enumerate(NUMBERS, start=1)]
    lines = f"1\t{NUMBERS[1]}\tBirch, Lou\n9\t{make_player(fide_id='7000099').fide_id}"
    response = post(world, "players", rows, go="paste", lines=lines)
    page = world.client.get(response.url)
    assert "Lines taken over: 2; rows of other players that gave way: 1." in text_of(html_of(page))
    players = ReportDraft.objects.get().players
    assert players[0] == ["1", NUMBERS[1], "Birch, Lou"]
    assert players[-1] == ["9", "7000099", ""]
    assert len(players) == 6
    refused = post(world, "players", rows, go="paste", lines="1\tAl\0der")
    assert "the control character U+0000" in html_of(refused)
    assert ">1\tAl der</textarea>" in html_of(refused), "the lines are there to be corrected"


def test_a_round_is_saved_and_the_buttons_lead_on_and_back(world):
    ways = {"": 2, "next": 3, "previous": 1}
    for go, number in ways.items():
        assert post(world, 2, ROUNDS["2"], go=go).url == world.url("arbiter-round", number)
    assert post(world, 1, ROUNDS["1"], go="previous").url == world.url("arbiter-crosstable")
    assert post(world, 3, ROUNDS["3"], go="next").url == world.url("arbiter-check")
    assert post(world, 2, ROUNDS["2"], go="check").url == world.url("arbiter-check")
    html = get(world, 2)
    assert [values(html, at) for at in (1, 2, 3)] == ROUNDS["2"]
    assert f'id="name-white-1">{NAMES[1]}</td>' in html
    assert f'id="name-black-1">{NAMES[2]}</td>' in html
    assert "Save and check the report" in get(world, 3)


def test_what_is_wrong_stands_beside_its_board_and_marks_its_field(world):
    post(world, 1, [["1", "x", "77"], ["3", "1", "4"]])
    html = get(world, 1)
    row = html[html.index('data-row="1"') : html.index('data-row="2"')]
    assert "“x” is not a result." in row
    assert "No player has start number 77." in row
    invalid = re.findall(r'id="(\w+-\d+)"[^>]*aria-invalid="true"', html)
    assert invalid == ["result-1", "black-1"]
    described = re.search(r'id="black-1"[^>]*aria-describedby="([^"]*)"', html)[1]
    assert described == "name-black-1 fault-1"
    assert 'id="fault-1">' in html
    assert 'id="name-black-1">no such player</td>' in html


def test_a_round_page_has_room_for_all_boards_and_names_who_is_on_none(world):
    html = get(world, 1)
    assert values(html, 5) == ["", "", ""]
    post(world, 1, ROUNDS["1"][:2])
    text = text_of(get(world, 1))
    assert "On no board yet: 2" in text
    assert "5 Elm, Sam" in text
    response = post(world, 1, ROUNDS["1"][:2], go="absent")
    assert response.url == world.url("arbiter-round", 1)
    html = html_of(world.client.get(response.url))
    assert "Marked absent in round 1: 2." in html
    assert [values(html, at) for at in (3, 4)] == [["5", "Z", ""], ["6", "Z", ""]]
    assert "On no board yet: 0" in text_of(html)


def test_rounds_go_as_far_as_the_schedule_or_else_one_further(world):
    assert "Round 4" not in text_of(get(world, 1))
    world.tournament.rounds.all().delete()
    assert "Round 2" not in text_of(get(world, 1))
    assert post(world, 1, ROUNDS["1"], go="next").url == world.url("arbiter-round", 2)
    assert post(world, 2, [["", "", ""]], go="next").url == world.url("arbiter-check")
    for number in (0, 31):
        assert world.client.get(world.url("arbiter-round", number)).status_code == 404


def test_enter_presses_the_button_that_saves(world):
    """A browser presses the form's first submit button for Enter: it must neither overwrite nor lead away."""
    old = token_in(get(world, 1))
    post(world, 1, ROUNDS["1"])
    for html in (get(world, 1), get(world, "players"), html_of(post(world, 1, [["1", "0", "2"]], old))):
        form = html.split('class="typing"')[1]
        assert re.search(r"<button[^>]*>", form)[0].count('name="go" value=""') == 1


# --- two tabs, refused rows ---


def test_a_stale_page_shows_both_and_keeps_what_is_chosen(world):
    old = token_in(get(world, 1))
    post(world, 1, ROUNDS["1"])
    page = post(world, 1, [["1", "0", "2"], *ROUNDS["1"][1:]], old, go="next")
    html = html_of(page)
    assert page.status_code == 200
    assert "changed elsewhere" in html
    assert [(at, mine, theirs) for at, mine, theirs in page.context["conflict"]["rows"]] == [
        (1, "1 0 2", "1 1 2")
    ]
    assert values(html, 1) == ["1", "0", "2"], "what was typed here is still on the page"
    assert "data-unsaved" in html
    assert ReportDraft.objects.get().games["1"] == ROUNDS["1"]
    # Saving again without a decision does not overwrite; the button does.
    assert "changed elsewhere" in html_of(post(world, 1, [["1", "0", "2"]], token_in(html)))
    over = re.search(r'name="over" value="([^"]*)"', html)[1]
    assert post(world, 1, [["1", "0", "2"]], token_in(html), over=over).status_code == 302
    assert ReportDraft.objects.get().games["1"] == [["1", "0", "2"]]


def test_a_page_of_a_sent_draft_keeps_what_it_has(world):
    old = token_in(get(world, 1))
    post(world, 1, ROUNDS["1"], old)
    old = token_in(get(world, 1))
    world.client.post(world.url("arbiter-discard"))
    html = html_of(post(world, 1, [["1", "0", "2"]], old))
    assert "was sent or thrown away" in html
    assert post(world, 1, [["1", "0", "2"]], old, over="").status_code == 302
    assert ReportDraft.objects.get().games["1"] == [["1", "0", "2"]]


def test_rows_that_cannot_be_stored_come_back_with_every_reason(world):
    page = post(world, 1, [["1\0", "1", "2"], ["3", "x" * 11, "4"]])
    html = html_of(page)
    assert "Board 1, white: the control character U+0000" in html
    assert "Board 2, result: more than 10 characters" in html
    assert 'role="alert"' in html
    assert values(html, 2) == ["3", "x" * 11, "4"]
    assert not ReportDraft.objects.exists()


def test_a_page_that_came_without_rows_deletes_nothing(world):
    post(world, 1, ROUNDS["1"])
    for data in ({}, {"white-0": "1"}, {"white-12345": "1"}, {"token": token_in(get(world, 1))}):
        assert "came without rows" in html_of(world.client.post(world.url("arbiter-round", 1), data))
    assert ReportDraft.objects.get().games["1"] == ROUNDS["1"]


def test_markup_in_a_cell_is_text(world):
    post(world, 1, [["<b>1", "</i>", '"2']])
    page = world.client.get(world.url("arbiter-round", 1)).content.decode()
    assert "<b>1" not in page
    assert "&lt;b&gt;1" in page


# --- what the page's script is told ---


def test_the_script_is_told_people_faults_and_the_new_token(world):
    said = post(world, 1, [["1", "1", "2"], ["3", "?", "77"]], script=True).json()
    assert said["outcome"] == "saved"
    assert said["token"] == ReportDraft.objects.get().token
    assert said["faults"]["2"]["fields"] == ["black", "result"]
    assert "“?” is not a result." in said["faults"]["2"]["text"]
    said = post(world, "players", [["1", NUMBERS[3], ""], ["2", "999", ""]], script=True).json()
    assert said["people"] == {"person-1": NAMES[3]}
    assert said["faults"]["2"]["fields"] == ["number"]


def test_the_script_is_told_of_a_conflict_and_of_a_refusal(world):
    post(world, 1, ROUNDS["1"])
    said = post(world, 1, [["1", "<0>", "2"]], "", script=True).json()
    assert said["outcome"] == "stale"
    assert "1 &lt;0&gt; 2" in said["html"]
    assert f'name="over" value="{ReportDraft.objects.get().token}"' in said["html"]
    said = post(world, 1, [["1", "1", "2\0"]], script=True).json()
    assert said["outcome"] == "refused"
    assert said["faults"] == ["Board 1, black: the control character U+0000 (character 2). Type it again."]


# --- check and send ---


def test_the_check_links_every_issue_to_its_field(world):
    post(world, "players", [["1", NUMBERS[0], ""], ["2", "999", ""]])
    post(world, 2, [["1", "?", "2"]])
    html = html_of(world.client.get(world.url("arbiter-check")))
    assert f'href="{world.url("arbiter-round", 2)}#result-1">Round 2, board 1</a>' in html
    assert f'href="{world.url("arbiter-crosstable")}#number-2">Players, row 2</a>' in html
    assert "2 errors" in html
    assert "Send this report" not in html


def test_a_crosstable_is_checked_previewed_and_sent_and_the_draft_ends(world):
    type_all(world)
    page = world.client.get(world.url("arbiter-check"))
    # Played in 2022, sent today: C 8.1.
    assert "it comes into no list any more. Article 8.1" in text_of(html_of(page))
    assert page.context["errors"] == 0, page.context["found"]
    lines = {line.reported.player.name: line for part in page.context["parts"] for line in part.lines}
    assert lines["Alder, Tom"].score == "2.5"
    assert not Report.objects.exists()
    token = token_in(html_of(page))
    response = world.client.post(world.url("arbiter-check"), {"token": token})
    report = Report.objects.get()
    assert response.url == world.url("arbiter-report", report.pk)
    assert Game.objects.count() == 10
    assert not ReportDraft.objects.exists()
    # The same button pressed twice sends nothing again.
    again = html_of(world.client.post(world.url("arbiter-check"), {"token": token}))
    assert "changed since the preview" in again
    assert Report.objects.count() == 1


def test_what_changed_since_the_preview_is_previewed_again(world):
    type_all(world)
    token = token_in(html_of(world.client.get(world.url("arbiter-check"))))
    post(world, 1, [["1", "0", "2"], *ROUNDS["1"][1:]])
    assert "changed since the preview" in html_of(
        world.client.post(world.url("arbiter-check"), {"token": token})
    )
    for broken in ({"token": token[:-3]}, {}):
        assert "too old or was changed" in html_of(world.client.post(world.url("arbiter-check"), broken))
    assert not Report.objects.exists()
    assert ReportDraft.objects.exists()


def test_a_tournament_that_takes_no_report_can_be_typed_but_not_sent(world):
    Tournament.objects.update(state="counted")
    type_all(world)
    html = html_of(world.client.get(world.url("arbiter-check")))
    assert "can be typed and checked, but not sent now" in html
    assert "Send this report" not in html


def test_throwing_the_draft_away_is_a_button_of_its_own(world):
    assert world.url("arbiter-discard") not in get(world, "players")
    type_all(world)
    assert world.url("arbiter-discard") in get(world, "players")
    assert world.client.get(world.url("arbiter-discard")).status_code == 405
    assert world.client.post(world.url("arbiter-discard")).url == world.url("arbiter-tournament")
    assert not ReportDraft.objects.exists()


def test_two_hundred_players_and_nine_rounds():
    world = Drafting(players=200, rounds=9)
    for part, rows in swiss(200, 9).items():
        assert post(world, int(part), rows).status_code == 302
    html = get(world, 9)
    assert values(html, 100)[0] == "100"
    page = world.client.get(world.url("arbiter-check"))
    assert page.context["errors"] == 0, page.context["found"][:5]
    assert len(page.context["parts"][0].lines) == 200
    world.client.post(world.url("arbiter-check"), {"token": token_in(html_of(page))})
    assert Game.objects.count() == 900


def test_a_returned_report_is_corrected_not_typed_again(world):
    type_all(world)
    token = token_in(html_of(world.client.get(world.url("arbiter-check"))))
    world.client.post(world.url("arbiter-check"), {"token": token})
    report = Report.objects.get()
    return_report(report, make_user("officer", "tournaments.accept_report"), "Board 1 of round 1 was lost.")
    html = get(world, "players")
    resume = world.url("arbiter-resume", report.pk)
    assert f'action="{resume}"' in html
    assert world.client.post(resume).url == world.url("arbiter-crosstable")
    assert ReportDraft.objects.get().games == ROUNDS
    assert resume not in get(world, "players")
    page = world.client.post(resume, follow=True)
    assert "There is a draft already" in html_of(page)
    post(world, 1, [["1", "0", "2"], *ROUNDS["1"][1:]])
    page = world.client.get(world.url("arbiter-check"))
    assert page.context["errors"] == 0, page.context["found"]
    assert "Compared with the report before" in html_of(page)
    stranger = Client()
    stranger.force_login(make_user("bob"))
    assert stranger.post(resume).status_code == 404


@pytest.mark.parametrize("part", ["players", 1])
def test_every_id_of_a_page_is_given_once_and_every_description_is_there(world, part):
    html = get(world, part).split("<template")[0]
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    described = {each for group in re.findall(r'aria-describedby="([^"]+)"', html) for each in group.split()}
    assert described
    assert described <= set(ids)
