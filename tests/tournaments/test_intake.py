"""Reading a report against the register and the registration: every issue at once, nothing stored."""

from datetime import date
from fractions import Fraction

import pytest

from tests.factories import STANDARD, make_list, make_player, make_system, make_tournament, make_user
from tournaments import services
from tournaments.intake import read
from tournaments.models import Entry, Game, Report, Tournament
from tournaments.queries import stored_event_parts
from tournaments.reports import trf16
from tournaments.reports.model import ParsedReport, ReportedGame, ReportedPlayer

pytestmark = pytest.mark.django_db


def officer():
    return make_user("", "tournaments.accept_report")


@pytest.fixture
def event():
    system = make_system("standard", regulation=STANDARD)
    players = [
        make_player(f"Invented, {name}", fide_id=f"90001{n}0") for n, name in enumerate(("Anna", "Bert"))
    ]
    make_list(system, date(2004, 4, 1), dict.fromkeys(players, 2000))
    return make_tournament(
        system, start=date(2004, 5, 1), end=date(2004, 5, 2), rounds=2, minutes=120
    ), players


def report(players, *, rounds=2, start=date(2004, 5, 1), end=date(2004, 5, 2), **changes) -> bytes:
    rows = tuple(
        ReportedPlayer(
            n,
            changes.get("names", {}).get(n, p.name),
            sex=changes.get("sexes", {}).get(n, p.sex),
            federation=p.federation_id,
            fide_id=changes.get("ids", {}).get(n, p.fide_id),
            rating=changes.get("ratings", {}).get(n),
            points=Fraction(rounds, 2),
        )
        for n, p in enumerate(players, start=1)
    )
    games = tuple(ReportedGame(r, *((1, 2) if r % 2 else (2, 1)), "1/2-1/2") for r in range(1, rounds + 1))
    return trf16.write(
        ParsedReport(
            "trf16", "Open", "Port", "XAA", start, end, "Swiss", "Arbiter", players=rows, games=games
        )
    ).encode()


def codes(reading) -> dict[str, str]:
    return {issue.code: issue.severity for issue in reading.issues if issue.code != "header-missing"}


def test_a_clean_report(event):
    tournament, players = event
    reading = read(tournament, "a.trf", report(players))
    assert reading.ok
    assert codes(reading) == {}
    assert [r.change for r in reading.parts[0][1].players] == [0, 0]
    assert not Report.objects.exists()
    assert not Entry.objects.exists()


def test_every_issue_at_once(event):
    tournament, players = event
    data = report(players, rounds=3, start=date(2004, 4, 30), ids={1: "9999999"}, sexes={2: "f"})
    reading = read(tournament, "a.trf", data)
    assert codes(reading) == {
        "unknown-player": "error",
        "date-outside": "error",
        "rounds-extra": "error",
        "person-differs": "warning",
    }
    assert all(issue.message and issue.remedy for issue in reading.issues)
    unknown = next(issue for issue in reading.issues if issue.code == "unknown-player")
    assert unknown.line is not None
    assert "Invented, Anna (1990, number 9000100; the same name)" in unknown.remedy


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Invented, Anna", {}),
        ("ANNA INVENTED", {}),
        ("Invénted, Anna", {}),
        ("Invented, A.", {"name-differs": "warning"}),
        ("Invented, Anna Maria", {"name-differs": "warning"}),
        ("Invented, Clara", {"name-differs": "error"}),
        ("Somebody, Else", {"name-differs": "error"}),
    ],
)
def test_a_number_must_belong_to_the_name(event, name, found):
    tournament, players = event
    assert codes(read(tournament, "a.trf", report(players, names={1: name}))) == found


def test_a_rating_in_the_file_is_never_taken_as_real(event):
    tournament, players = event
    reading = read(tournament, "a.trf", report(players, ratings={1: 2600}))
    assert codes(reading) == {"nominal-rating": "warning"}
    assert {p.rating for p in reading.parts[0][0].event.players} == {2000}


@pytest.mark.parametrize(
    ("codes", "reason"),
    [
        ("W L", "less than one move"),
        ("D D", "less than one move"),
        ("0 =", "decided by a ruling"),
        ("+ -", "forfeit"),
    ],
)
def test_why_a_game_does_not_count_is_said(event, codes, reason):
    tournament, players = event
    white, black = codes.split()
    lines = report(players, rounds=1).decode().splitlines()
    lines = [line.replace("2 w =", f"2 w {white}").replace("1 b =", f"1 b {black}") for line in lines]
    points = {"W": 1, "+": 1, "D": 0.5, "=": 0.5}
    for place, code in ((1, white), (2, black)):
        row = next(n for n, line in enumerate(lines) if line.startswith(f"001    {place}"))
        lines[row] = f"{lines[row][:80]}{points.get(code, 0):4.1f}{lines[row][84:]}"
    services.submit_report(tournament, officer(), "a.trf", "\r\n".join(lines).encode())
    for part in stored_event_parts(tournament):
        for player in tournament.regulation.rate(part.event).players:
            assert [game.reason for game in player.uncounted] == [reason]


def test_the_state_decides_whether_a_report_is_welcome(event):
    tournament, players = event
    for state, welcome in (
        ("draft", False),
        ("registered", True),
        ("refused", False),
        ("reported", True),
        ("returned", True),
        ("appealed", False),
        ("accepted", True),
        ("counted", True),
    ):
        Tournament.objects.filter(pk=tournament.pk).update(state=state)
        tournament.refresh_from_db()
        assert read(tournament, "a.trf", report(players)).ok is welcome, state


def test_submitting_stores_the_very_bytes(event):
    tournament, players = event
    data, by = report(players), officer()
    stored = services.submit_report(tournament, by, "a.trf", data)
    stored.refresh_from_db()
    assert bytes(stored.content) == data
    assert (stored.state, Game.objects.count(), Entry.objects.count()) == ("submitted", 2, 2)
    tournament.refresh_from_db()
    assert tournament.state == "reported"


def test_the_same_file_again_is_refused_and_another_replaces_it(event):
    tournament, players = event
    by = officer()
    services.submit_report(tournament, by, "a.trf", report(players))
    with pytest.raises(services.ReportRefused) as caught:
        services.submit_report(tournament, by, "again.trf", report(players))
    assert codes(caught.value.reading) == {"file-known": "error"}
    services.submit_report(tournament, by, "b.trf", report(players, rounds=1))
    assert list(Report.objects.order_by("pk").values_list("state", flat=True)) == ["replaced", "submitted"]
    assert Game.objects.count() == 1


def test_a_report_with_errors_stores_nothing(event):
    tournament, players = event
    with pytest.raises(services.ReportRefused):
        services.submit_report(tournament, officer(), "a.trf", report(players, ids={1: ""}))
    assert not Report.objects.exists()
    assert not Entry.objects.exists()


def test_return_and_acceptance(event):
    tournament, players = event
    staff = make_user("staff", "tournaments.accept_report")
    first = services.submit_report(tournament, staff, "a.trf", report(players, rounds=1))
    with pytest.raises(services.NotAllowedNow):
        services.return_report(first, staff, " ")
    services.return_report(first, staff, "Round 2 is missing.")
    tournament.refresh_from_db()
    assert tournament.state == "returned"
    again = read(tournament, "a.trf", report(players, rounds=1))
    assert codes(again)["file-known"] == "warning", "the fault may have been the registration's"
    assert "Round 2 is missing." in next(i.message for i in again.issues if i.code == "file-known")
    second = services.submit_report(tournament, staff, "b.trf", report(players))
    services.accept_report(second, staff)
    tournament.refresh_from_db()
    assert tournament.state == "accepted"
    with pytest.raises(services.NotAllowedNow):
        services.accept_report(second, staff)


def test_a_long_league_takes_the_list_of_each_round():
    """A 4.11: May under the April list (2000), July under the July list (2100)."""
    system = make_system("standard", regulation=STANDARD)
    players = [
        make_player(f"Invented, {name}", fide_id=f"90001{n}0") for n, name in enumerate(("Anna", "Bert"))
    ]
    make_list(system, date(2004, 4, 1), dict.fromkeys(players, 2000))
    make_list(system, date(2004, 7, 1), {players[0]: 2100, players[1]: 2000})
    league = make_tournament(
        system, start=date(2004, 5, 1), end=date(2004, 9, 1), league=True, rounds=2, minutes=120
    )
    league.rounds.filter(number=2).update(date=date(2004, 7, 3))
    reading = read(league, "a.trf", report(players, end=date(2004, 9, 1)))
    assert [part.list_date for part, _ in reading.parts] == [date(2004, 4, 1), date(2004, 7, 1)]
    anna = [next(p for p in result.players if p.id == str(players[0].pk)) for _, result in reading.parts]
    assert [(p.games, p.rc, p.expected) for p in anna] == [
        (1, 2000, Fraction(1, 2)),
        (1, 2000, Fraction(16, 25)),
    ]
