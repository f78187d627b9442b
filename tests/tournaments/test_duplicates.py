"""The same games twice: under another name, in a longer report, as a correction."""

from __future__ import annotations

from datetime import date

import pytest

from tests.factories import STANDARD, make_list, make_player, make_system, make_tournament, make_user
from tests.tournaments.report_files import line, report
from tournaments.intake import read
from tournaments.models import Game, Report, StateChange
from tournaments.services import (
    NotAllowedNow,
    ReportRefused,
    accept_report,
    rule_distinct,
    submit_report,
)

pytestmark = pytest.mark.django_db
NAMES = ("Alder, Tom", "Birch, Lou", "Cedar, Pat")


@pytest.fixture
def officer():
    return make_user("officer", "tournaments.accept_report")


@pytest.fixture
def system():
    system = make_system("standard", regulation=STANDARD)
    people = [make_player(name, fide_id=str(7000011 + at), born=1980) for at, name in enumerate(NAMES)]
    make_list(system, date(2004, 4, 1), rows={p: {"rating": 2300, "career_games": 100} for p in people})
    return system


def event(system, **fields):
    dates = {"start": date(2004, 5, 1), "end": date(2004, 5, 30)} | fields
    return make_tournament(system, rounds=0, minutes=120, **dates)


def three(name: str, start="2004/05/01", end="2004/05/30") -> bytes:
    players = [
        line(1, NAMES[0], 2300, "7000011", "2.0", 1, "   2 w 1", "   3 b 1"),
        line(2, NAMES[1], 2300, "7000012", "1.0", 2, "   1 b 0", "0000 - U"),
        line(3, NAMES[2], 2300, "7000013", "1.0", 3, "0000 - U", "   1 w 0"),
    ]
    return report(name, start, end, players)


def league(*results: str) -> bytes:
    """Alder against Birch, a game a round; results from White's side, colours alternating."""
    value = {"1": 2, "=": 1, "0": 0}
    other = {"1": "0", "0": "1", "=": "="}
    cells = [("w" if n % 2 == 0 else "b", each) for n, each in enumerate(results)]
    mine = [f"   2 {colour} {each if colour == 'w' else other[each]}" for colour, each in cells]
    yours = [
        f"   1 {'b' if colour == 'w' else 'w'} {other[each] if colour == 'w' else each}"
        for colour, each in cells
    ]
    got = sum(value[cell[-1]] for cell in mine)
    players = [
        line(1, NAMES[0], 2300, "7000011", f"{got / 2:.1f}", 1, *mine),
        line(2, NAMES[1], 2300, "7000012", f"{len(results) - got / 2:.1f}", 2, *yours),
    ]
    return report("League", "2004/05/01", "2004/05/30", players)


def test_the_same_games_under_another_name_and_order_are_blocked(system, officer):
    first = event(system, name="Memorial - Group A")
    submit_report(first, officer, "a.trf", three("Memorial - Group A"))
    second = event(system, name="Mem. (A)", start=date(2004, 5, 2))
    shuffled = three("Mem. (A)", start="2004/05/02")
    lines = shuffled.split(b"\r\n")
    shuffled = b"\r\n".join([*lines[:9], *reversed(lines[9:12]), *lines[12:]])
    reading = read(second, "b.trf", shuffled)
    (error,) = reading.errors
    assert error.message.startswith("All 2 games of this report are reported already in Memorial - Group A")
    with pytest.raises(ReportRefused):
        submit_report(second, officer, "b.trf", shuffled)
    assert Game.objects.filter(tournament=second).count() == 0


def test_the_same_games_with_the_colours_turned_are_blocked(system, officer):
    """Six games and more: fewer of the same outcome are chance where the same people meet often."""
    results = ("1",) * 6  # whoever has White wins
    submit_report(event(system), officer, "a.trf", league(*results))
    lines = league(*results).split(b"\r\n")
    turned = [
        each.translate(bytes.maketrans(b"wb", b"bw")) if each.startswith(b"001") else each for each in lines
    ]
    (error,) = read(event(system), "b.trf", b"\r\n".join(turned)).errors
    assert error.message.startswith("All 6 games of this report are reported already in")
    reading = read(event(system), "c.trf", league("0", "=", "1", "0", "=", "0"))
    assert reading.ok, reading.errors


def test_staff_can_rule_that_two_events_are_two(system, officer):
    first, second = event(system), event(system)
    submit_report(first, officer, "a.trf", three("One"))
    with pytest.raises(NotAllowedNow):
        rule_distinct(second, first, officer, "  ")
    rule_distinct(second, first, officer, "A replay with the same results, both arbiters confirm it.")
    assert read(second, "b.trf", three("Two")).ok
    assert read(first, "c.trf", three("One again")).ok


def test_another_list_may_rate_the_same_games(system, officer):
    submit_report(event(system), officer, "a.trf", three("One"))
    national = make_system("national", regulation=STANDARD)
    assert not any("duplicate" in i.code for i in read(event(national), "b.trf", three("One")).issues)


def test_a_game_or_two_in_common_between_larger_events_is_no_duplicate(system, officer):
    submit_report(event(system), officer, "a.trf", league("1", "=", "0"))
    reading = read(event(system), "b.trf", league("1", "1", "1", "1"))
    assert reading.ok, reading.errors


def test_a_longer_report_of_a_league_adds_only_its_new_rounds(system, officer):
    tournament = event(system, name="League", league=True)
    report_ = submit_report(tournament, officer, "sep.trf", league("1", "="))
    accept_report(report_, officer)
    tournament.refresh_from_db()
    reading = read(tournament, "oct.trf", league("1", "=", "0"))
    assert reading.ok
    assert reading.changes.added_rounds == {3: 1}
    assert (reading.changes.same, reading.changes.corrected, reading.changes.removed) == (2, [], [])
    longer = submit_report(tournament, officer, "oct.trf", league("1", "=", "0"))
    assert longer.changes["added"] == {"3": 1}
    assert Game.objects.filter(tournament=tournament).count() == 3
    assert Report.objects.filter(tournament=tournament, state="submitted").count() == 1
    states = list(StateChange.objects.filter(tournament=tournament).values_list("state", flat=True))
    assert states == ["reported", "accepted", "reported"]


def test_the_same_file_again_is_no_report(system, officer):
    tournament = event(system)
    submit_report(tournament, officer, "sep.trf", league("1", "="))
    with pytest.raises(ReportRefused) as refused:
        submit_report(tournament, officer, "again.trf", league("1", "="))
    assert [error.code for error in refused.value.reading.errors] == ["file-known"]
    assert Report.objects.count() == 1


def test_a_changed_game_is_shown_as_a_correction(system, officer):
    tournament = event(system)
    accept_report(submit_report(tournament, officer, "a.trf", league("1", "=")), officer)
    tournament.refresh_from_db()
    reading = read(tournament, "b.trf", league("1", "0"))
    assert reading.ok
    assert [issue.code for issue in reading.warnings if issue.code == "correction"]
    (change,) = reading.changes.corrected
    assert (change.round, change.before, change.now) == (
        2,
        "Birch, Lou 1/2-1/2 Alder, Tom",
        "Birch, Lou 0-1 Alder, Tom",
    )


def test_a_game_left_out_is_shown_as_removed(system, officer):
    tournament = event(system)
    submit_report(tournament, officer, "a.trf", league("1", "="))
    tournament.refresh_from_db()
    (gone,) = read(tournament, "b.trf", league("1")).changes.removed
    assert (gone.round, gone.now) == (2, "")


def test_a_file_sent_again_after_another_keeps_both_rows(system, officer):
    """First a, then b, then a again: each sending stands in its own row with its own day and sender."""
    tournament = event(system)
    first, second = league("1", "="), league("1", "0")
    for content in (first, second, first):
        submit_report(tournament, officer, "a.trf", content)
    states = Report.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["replaced", "replaced", "submitted"]


def test_games_left_out_of_a_report_are_warned_of(system, officer):
    tournament = event(system)
    submit_report(tournament, officer, "a.trf", league("1", "="))
    tournament.refresh_from_db()
    reading = read(tournament, "b.trf", league("1"))
    assert "games-left-out" in {issue.code for issue in reading.warnings}
