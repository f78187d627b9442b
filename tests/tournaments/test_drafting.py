"""A crosstable being typed: kept by parts, never overwritten unseen, read like a file, sent once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from tests.factories import make_player, make_user
from tests.tournaments.drafted_world import NAMES, NUMBERS, ROUNDS, Drafting
from tournaments import redrafted
from tournaments.drafted import lineup, names_by_start, read_draft
from tournaments.drafting import (
    MAX_ROUNDS,
    MAX_ROWS,
    PLAYERS,
    Changed,
    NotSaved,
    Stale,
    absent,
    autosave,
    discard,
    draft_of,
    resume,
    rows_of,
    send,
)
from tournaments.models import Entry, Game, Report, ReportDraft, Tournament
from tournaments.reporting import ReportRefused
from tournaments.reports.model import ReportedGame

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> Drafting:
    return Drafting()


def save(world: Drafting, part: str, rows, token: str | None = None) -> ReportDraft:
    """Save as a page does that was loaded just before."""
    if token is None:
        token = draft_of(world.tournament, world.user).token
    return autosave(world.tournament, world.user, part, rows, token)


def typed(world: Drafting, rounds=ROUNDS) -> ReportDraft:
    for part, rows in rounds.items():
        draft = save(world, part, rows)
    return draft


# --- what is kept ---


def test_a_draft_begins_with_the_entry_list_and_is_not_stored_by_looking(world):
    Entry.objects.filter(player=world.players[3]).update(start_number=2)
    draft = draft_of(world.tournament, world.user)
    assert draft.players[:3] == [["2", NUMBERS[3], ""], ["3", NUMBERS[0], ""], ["4", NUMBERS[1], ""]]
    assert draft.token == ""
    assert not ReportDraft.objects.exists()


def test_an_entry_without_a_number_begins_with_the_name(world):
    world.players[0].identifiers.all().delete()
    assert draft_of(world.tournament, world.user).players[0] == ["1", "", NAMES[0]]


def test_texts_are_kept_as_typed_without_blank_rows_at_the_end(world):
    draft = save(world, "2", [["1", " nonsense ", "99"], ["", "", ""], ["2", "", ""], ["", " ", ""]])
    assert rows_of(draft, "2") == [["1", "nonsense", "99"], ["", "", ""], ["2", "", ""]]
    draft.refresh_from_db()
    assert draft.games == {"2": [["1", "nonsense", "99"], ["", "", ""], ["2", "", ""]]}
    assert draft.players[5] == ["6", NUMBERS[5], ""], "the numbers typed refer to these players"
    assert save(world, "2", [["", "", ""]]).games == {}


def test_later_entries_do_not_move_the_start_numbers_that_were_typed(world):
    save(world, "1", ROUNDS["1"])
    Entry.objects.create(tournament=world.tournament, player=make_player(), start_number=1)
    assert draft_of(world.tournament, world.user).players[0] == ["1", NUMBERS[0], ""]


def test_a_row_that_waits_for_its_player_is_kept_between_others_only(world):
    rows = [["1", NUMBERS[0], ""], ["2", "", ""], ["3", NUMBERS[2], ""], ["4", "", ""]]
    assert save(world, PLAYERS, rows).players == rows[:3]
    assert lineup(draft_of(world.tournament, world.user)).found == []


def test_everybody_has_his_own_draft(world):
    save(world, "1", ROUNDS["1"])
    other = make_user("bob", "tournaments.accept_report")
    assert draft_of(world.tournament, other).games == {}
    autosave(world.tournament, other, "1", [["1", "0", "2"]], "")
    discard(world.tournament, other)
    assert ReportDraft.objects.get().user == world.user


def test_one_draft_of_a_tournament_each(world):
    save(world, "1", ROUNDS["1"])
    with pytest.raises(ValidationError):
        ReportDraft(tournament=world.tournament, user=world.user).full_clean()


def test_what_cannot_be_stored_is_refused_with_every_place_and_nothing_is_stored(world):
    rows = [["1\0", "1", "2"], ["3", "x" * 11, "4"]]
    with pytest.raises(NotSaved) as refused:
        save(world, "1", rows)
    first, second = refused.value.faults
    assert first.startswith("Board 1, white: the control character U+0000")
    assert second.startswith("Board 2, result: more than 10 characters")
    with pytest.raises(NotSaved, match=r"Row 1, name: the control character U\+0000"):
        save(world, PLAYERS, [["1", NUMBERS[0], "Al\0der"]])
    assert not ReportDraft.objects.exists()


def test_no_more_rows_and_rounds_than_the_pages_show(world):
    rows = [[str(n), "Z", ""] for n in range(1, MAX_ROWS + 1)]
    assert len(rows_of(save(world, "1", rows), "1")) == MAX_ROWS
    with pytest.raises(NotSaved, match=f"{MAX_ROWS + 1} rows; at most {MAX_ROWS}"):
        save(world, "1", [*rows, ["1", "Z", ""]])
    assert save(world, str(MAX_ROUNDS), ROUNDS["1"]).games.keys() == {"1", str(MAX_ROUNDS)}
    for part in (str(MAX_ROUNDS + 1), "0", "x", "-1", "²"):
        with pytest.raises(NotSaved, match="is not one of"):
            save(world, part, ROUNDS["1"])


# --- two tabs ---


def test_a_stale_page_is_refused_and_the_saved_rows_stay(world):
    old = save(world, "1", ROUNDS["1"]).token
    save(world, "1", [["1", "0", "2"]])
    with pytest.raises(Stale) as stale:
        save(world, "1", [["1", "=", "2"]], old)
    assert rows_of(stale.value.draft, "1") == [["1", "0", "2"]]
    assert rows_of(draft_of(world.tournament, world.user), "1") == [["1", "0", "2"]]
    # Having seen both, the user may save on top of what is there.
    assert rows_of(save(world, "1", [["1", "=", "2"]], stale.value.draft.token), "1") == [["1", "=", "2"]]


def test_a_change_of_another_round_does_not_make_a_page_stale(world):
    first = save(world, "1", ROUNDS["1"]).token
    save(world, "2", ROUNDS["2"])
    draft = save(world, "1", [["1", "=", "2"]], first)
    assert rows_of(draft, "1") == [["1", "=", "2"]]
    assert rows_of(draft, "2") == ROUNDS["2"]


def test_two_pages_loaded_before_anything_was_saved(world):
    save(world, "1", ROUNDS["1"], "")
    with pytest.raises(Stale):
        save(world, "1", [["1", "=", "2"]], "")
    assert rows_of(save(world, "2", ROUNDS["2"], ""), "2") == ROUNDS["2"]


def test_the_same_rows_again_are_no_conflict_and_no_change(world):
    old = save(world, "1", ROUNDS["1"]).token
    now = save(world, "1", [["1", "0", "2"]]).token
    assert save(world, "1", [["1", "0", "2"]], old).token == now


def test_a_page_of_a_draft_that_was_sent_or_thrown_away_is_stale(world):
    old = save(world, "1", ROUNDS["1"]).token
    discard(world.tournament, world.user)
    with pytest.raises(Stale) as stale:
        save(world, "1", ROUNDS["2"], old)
    assert stale.value.draft.pk is None
    for _ in range(3):
        save(world, "2", ROUNDS["2"])
        save(world, "2", ROUNDS["1"])
    with pytest.raises(Stale):  # a later draft has come to that version too
        save(world, "1", ROUNDS["2"], old)


@pytest.mark.parametrize("token", ["x", "-", "1", "1-", "-1", "1-x", "1-²", "9" * 40 + "-1"])
def test_a_forged_token_is_stale(world, token):
    save(world, "1", ROUNDS["1"])
    with pytest.raises(Stale):
        save(world, "1", ROUNDS["2"], token)


def test_of_two_first_saves_at_once_one_is_stale(transactional_db):
    world, start = Drafting(), Barrier(2)

    def act(result: str) -> str:
        try:
            start.wait()
            autosave(world.tournament, world.user, "1", [["1", result, "2"]], "")
            return result
        except Stale:
            return "stale"
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        outcomes = sorted(pool.map(act, "10"))
    assert outcomes[1] == "stale"
    assert rows_of(ReportDraft.objects.get(), "1") == [["1", outcomes[0], "2"]]


# --- the rest are absent ---


def test_the_rest_are_absent(world):
    draft = save(world, "1", [["2", "1", "5"], ["77", "x", ""]])
    assert absent(world.tournament, world.user, "1", draft.token) == 4
    rows = rows_of(draft_of(world.tournament, world.user), "1")
    assert rows == [["2", "1", "5"], ["77", "x", ""], *([n, "Z", ""] for n in "1346")]
    assert absent(world.tournament, world.user, "1", draft_of(world.tournament, world.user).token) == 0


# --- read like a file ---


def places(drafted, severity="error"):
    return [
        (each.part, each.row, each.field, each.issue.code)
        for each in drafted.found
        if each.issue.severity == severity
    ]


def test_a_full_draft_reads_like_a_file(world):
    drafted = read_draft(typed(world))
    assert drafted.ok, drafted.found
    games = {(g.round, g.white, g.black): g.result for g in drafted.reading.parsed.games}
    assert games == {
        (1, 1, 2): "1-0", (1, 3, 4): "1/2-1/2", (1, 5, 6): "0-1",
        (2, 2, 3): "1-0", (2, 4, 5): "+/-", (2, 6, 1): "1/2-1/2",
        (3, 1, 3): "1-0", (3, 5, 2): "1-0", (3, 4, None): "bye-0", (3, 6, None): "bye-1/2",
    }  # fmt: skip
    assert drafted.reading.players[4] == world.players[3]
    assert drafted.reading.parts


def test_start_numbers_may_have_gaps_and_stand_in_any_order(world):
    save(world, PLAYERS, [["30", NUMBERS[2], ""], ["7", "0" + NUMBERS[0], ""], ["9", NUMBERS[1], ""]])
    drafted = read_draft(typed(world, {"1": [["30", "1", "7"], ["9", "U", ""]]}))
    assert drafted.ok, drafted.found
    assert {n: p.name for n, p in drafted.reading.players.items()} == {7: NAMES[0], 9: NAMES[1], 30: NAMES[2]}


def test_all_errors_come_at_once_with_round_board_and_field(world):
    rows = [
        ["1", NUMBERS[0], ""],
        ["2", "999", ""],
        ["2", NUMBERS[2], ""],
        ["", NUMBERS[3], ""],
        ["x", "", "Elm, Sam"],
    ]
    save(world, PLAYERS, [*rows, ["6", NUMBERS[0], ""], ["7", NUMBERS[5], "Else, Somebody"]])
    drafted = read_draft(typed(world, {"1": [["1", "x", "2"]], "3": [["1", "1", ""], ["50", "Z", ""]]}))
    assert not drafted.ok
    assert set(places(drafted)) == {
        (PLAYERS, 2, "number", "unknown-player"),
        (PLAYERS, 3, "start", "player-row"),
        (PLAYERS, 4, "start", "player-row"),
        (PLAYERS, 5, "start", "player-row"),
        (PLAYERS, 5, "number", "unknown-player"),
        (PLAYERS, 6, "number", "player-row"),
        (PLAYERS, 7, "number", "name-differs"),
        ("1", 1, "result", "board"),
        ("3", 1, "black", "board"),
        ("3", 2, "white", "board"),
    }
    assert ("2", None, "", "round-empty") in places(drafted, "warning")
    assert ("1", None, "", "not-paired") in places(drafted, "warning")
    hint = next(f.issue.remedy for f in drafted.found if (f.row, f.issue.code) == (5, "unknown-player"))
    assert NUMBERS[4] in hint


def test_a_name_beside_an_unknown_number_finds_the_person(world):
    save(world, PLAYERS, [["1", "7000099", "Cedar, Pat"]])
    issue = lineup(draft_of(world.tournament, world.user)).found[0].issue
    assert "7000099 is not on the register" in issue.message
    assert NUMBERS[2] in issue.remedy
    assert NUMBERS[2] not in lineup(draft_of(world.tournament, world.user), hints=0).found[0].issue.remedy


def test_what_the_file_is_told_is_put_back_to_board_and_player(world):
    save(
        world,
        PLAYERS,
        [[str(n), number, "Alder, T" if n == 1 else ""] for n, number in enumerate(NUMBERS, 1)],
    )
    save(world, "4", [["1", "1", "2"]])
    drafted = read_draft(typed(world))
    assert (PLAYERS, 1, "number", "name-differs") in places(drafted, "warning")
    assert "rounds-extra" in [each.issue.code for each in drafted.errors]
    assert not drafted.ok


def test_a_missing_result_is_a_warning_on_its_board_and_the_pairing_is_left_out(world):
    drafted = read_draft(typed(world, ROUNDS | {"2": [["2", "", "3"], *ROUNDS["2"][1:]]}))
    assert drafted.ok, drafted.errors
    warnings = places(drafted, "warning")
    assert ("2", 1, "result", "board") in warnings
    assert "not-finished" not in [code for *_, code in warnings]
    assert (2, 2) not in {(g.round, g.white) for g in drafted.reading.parsed.games}


def test_missing_rounds_are_told_once_and_without_the_tags_of_a_file(world):
    drafted = read_draft(typed(world, {"1": ROUNDS["1"]}))
    assert drafted.ok
    assert [each.issue.code for each in drafted.found] == ["rounds-missing"]
    assert "3 registered rounds" in drafted.found[0].issue.message


def test_a_draft_without_games_or_players_is_no_report(world):
    assert "no-games" in [
        each.issue.code for each in read_draft(draft_of(world.tournament, world.user)).errors
    ]
    Entry.objects.all().delete()
    assert not read_draft(draft_of(world.tournament, world.user)).ok


def test_names_are_the_registers_or_else_what_was_typed(world):
    draft = save(
        world, PLAYERS, [["5", NUMBERS[0], "Other, Name"], ["3", "999", "Nobody, Known"], ["4", "998", ""]]
    )
    assert names_by_start(draft) == {3: "999 Nobody, Known", 4: "998", 5: NAMES[0]}


def test_a_round_asks_the_database_no_more_for_many_players(world, django_assert_max_num_queries):
    rows = [[str(n), str(7000000 + n), "Nobody, Known"] for n in range(1, 100)]
    draft = save(world, PLAYERS, rows)
    with django_assert_max_num_queries(6):
        assert len(names_by_start(draft, lineup(draft, hints=0))) == 99


# --- sent ---


def test_sending_stores_what_was_shown_and_ends_the_draft(world):
    shown = read_draft(typed(world)).content
    report = send(world.tournament, world.user, shown)
    assert bytes(report.content) == shown
    assert Game.objects.filter(tournament=world.tournament).count() == 10
    assert not ReportDraft.objects.exists()
    world.tournament.refresh_from_db()
    assert world.tournament.state == "reported"


def test_a_draft_that_changed_since_the_preview_is_not_sent(world):
    shown = read_draft(typed(world)).content
    save(world, "1", [["1", "0", "2"], *ROUNDS["1"][1:]])
    with pytest.raises(Changed) as change:
        send(world.tournament, world.user, shown)
    assert change.value.drafted.ok
    assert change.value.drafted.content != shown
    discard(world.tournament, world.user)
    with pytest.raises(Changed):
        send(world.tournament, world.user, shown)
    assert not Report.objects.exists()


def test_a_refused_report_leaves_the_draft(world, monkeypatch):
    shown = read_draft(typed(world)).content

    def refuse(*args, **kwargs):
        raise ReportRefused(read_draft(draft_of(world.tournament, world.user)).reading)

    monkeypatch.setattr("tournaments.drafting.submit_report", refuse)
    with pytest.raises(ReportRefused):
        send(world.tournament, world.user, shown)
    assert rows_of(draft_of(world.tournament, world.user), "3") == ROUNDS["3"]


def test_a_tournament_that_takes_no_report_says_so_in_the_check(world):
    Tournament.objects.update(state="refused")
    world.tournament.refresh_from_db()
    drafted = read_draft(typed(world))
    assert "state" in [each.issue.code for each in drafted.errors]
    assert not drafted.ok


# --- taken up again ---


@pytest.mark.parametrize(
    ("codes", "outcome", "black", "text"),
    [
        ("10", "1-0", 2, "1"), ("==", "1/2-1/2", 2, "="), ("-+", "-/+", 2, "-"), ("LW", "-/+", 2, "L"),
        ("DD", "=/=", 2, "D"), ("--", "-/-", 2, "--"), ("0=", "-/-", 2, "0="), ("+Z", "+/-", 2, "+"),
        ("", "0-1", 2, "0"), ("Z-", "-/-", 2, "--"),
        ("U", "bye-1", None, "U"), ("H", "bye-1/2", None, "H"), ("-", "bye-0", None, "Z"),
        ("", "bye-1", None, "F"),
    ],
)  # fmt: skip
def test_a_result_is_typed_with_the_letters_of_the_report(codes, outcome, black, text):
    assert redrafted.result(ReportedGame(1, 1, black, outcome, codes)) == text


def test_a_sent_report_fills_a_draft_that_reads_the_same(world):
    first = read_draft(typed(world))
    report = send(world.tournament, world.user, first.content)
    draft = resume(report, world.user)
    assert draft.games == ROUNDS
    assert read_draft(draft).content == first.content
    with pytest.raises(NotSaved, match="There is a draft already"):
        resume(report, world.user)


def test_whom_the_sender_chose_has_the_number_of_the_register(world):
    report = send(world.tournament, world.user, read_draft(typed(world)).content)
    report.content = bytes(report.content).replace(NUMBERS[2].encode(), b"       ")
    report.save()
    assert resume(report, world.user).players[2] == ["3", NUMBERS[2], ""]
