"""The pages of tournaments: what is public, the crosstable, and what was not rated."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests import factories as make
from tests.pages import read as text
from tournaments.models import TimeControlStage, Waiver

pytestmark = pytest.mark.django_db
DAY = date(2022, 4, 1)


@pytest.fixture
def system(db):
    return make.make_system("rapid", name="Isles rapid")


def test_drafts_and_refused_registrations_are_not_public(client, system):
    for state in ("draft", "refused", "appealed"):
        hidden = make.make_tournament(system, name="Secret Open", state=state)
        assert client.get(f"/tournaments/{hidden.pk}/").status_code == 404
    assert "Secret Open" not in client.get("/tournaments/").content.decode()
    assert "Secret Open" not in client.get("/tournaments/?state=draft").content.decode()


def test_a_registered_tournament_shows_what_is_known(client, system):
    arbiter = make.make_arbiter("Whistle, Wim", title="IA")
    event = make.make_tournament(
        system, name="Coming Open", start=date(2099, 5, 1), end=date(2099, 5, 2), arbiter=arbiter
    )
    TimeControlStage.objects.create(tournament=event, colour="b", number=1, minutes=8, increment_seconds=5)
    Waiver.objects.create(
        tournament=event,
        authorization="late-registration",
        article="3.1",
        reason="The hall burned down.",
        granted_by=make.make_user(),
    )
    html = text(client, f"/tournaments/{event.pk}/")
    for part in (
        "upcoming",
        "1 May 2099 to 2 May 2099",
        "Chief arbiter IA Whistle, Wim",
        "White: 10 minutes with 5 seconds added per move from move 1; Black: 8 minutes with 5 seconds",
        "13 minutes for 60 moves, for the player with less",
        "Late registration Article 3.1",
        "The hall burned down.",
        "Schedule: 3 rounds",
        "No players are entered yet.",
    ):
        assert part in html, part


def test_a_report_that_waits_is_marked(client, system):
    one, two = make.make_player("One, Olga"), make.make_player("Two, Theo")
    event = make.make_tournament(system)
    make.make_report(event, [one, two], [(1, 1, 2, "1-0")], state="submitted")
    html = text(client, f"/tournaments/{event.pk}/")
    assert "not yet accepted" in html
    assert "One, Olga" in html
    assert "Change" not in html


def test_the_crosstable_goes_by_rank_with_rating_and_change(client, system):
    a, b, c = make.make_player("Last, Lars"), make.make_player("First, Fia"), make.make_player("Mid, Mo")
    event = make.make_tournament(system)
    games = [(1, 1, 2, "0-1"), (1, 3, None, "bye-1"), (2, 2, 3, "1/2-1/2"), (3, 3, 1, "-/+")]
    make.make_report(event, [a, b, c], games)
    forfeit = {"article": "4.1", "reason": "forfeit"}
    make.make_list(
        system,
        DAY,
        {a: 1990, b: 2010, c: None},
        events={
            event: {
                a: {
                    "rating": 2000,
                    "change": "-10",
                    "list_change": "-8.5",
                    "detail": {"uncounted": [{"round": 3, "opponent": str(c.pk), **forfeit}]},
                },
                b: {
                    "rating": 2000,
                    "change": "10",
                    "detail": {
                        "uncounted": [
                            {
                                "round": 2,
                                "opponent": str(c.pk),
                                "article": "7.31",
                                "reason": "unrated opponent",
                            }
                        ]
                    },
                },
                c: {
                    "status": "unrated",
                    "performance": "1950",
                    "detail": {"uncounted": [{"round": 3, "opponent": str(a.pk), **forfeit}]},
                },
            }
        },
    )
    response = client.get(f"/tournaments/{event.pk}/")
    source = response.content.decode()
    html = text(client, f"/tournaments/{event.pk}/")
    assert html.index("First, Fia") < html.index("Mid, Mo") < html.index("Last, Lars")
    assert "counted in Isles rapid, 1 April 2022" in html
    assert "3b1won against number 3 with Black" in html
    assert "2w½drew against number 2 with White, not rated" in html
    assert "1b½drew against number 1 with Black " in html
    assert "bye 1bye, one point" in html
    assert "2b+won by forfeit against number 2 with Black, not rated" in html
    assert "−8.5: calculation for Last, Lars" in html
    assert "+10: calculation for First, Fia" in html
    assert "perf. 1950: calculation for Mid, Mo" in html
    assert source.count('class="cell unrated"') == 3
    assert "2 First, Fia – Mid, Mo unrated opponent (does not count for First, Fia) 7.31" in html
    assert "3 Mid, Mo – Last, Lars forfeit 4.1" in html


def test_a_refused_event_says_why(client, system):
    event = make.make_tournament(system)
    listed = make.make_list(system, DAY, {}, events={event: {}}, published=False)
    finding = {"severity": "error", "code": "x", "article": "8.1", "message": "Not in by the third list."}
    listed.events.update(rated=False, findings=[finding])
    make.publish(listed)
    html = text(client, f"/tournaments/{event.pk}/")
    assert "Not rated. Article 8.1 Not in by the third list." in html
    assert "not rated in Isles rapid, 1 April 2022" in html
    assert "0 tournaments counted, 0 deferred to a later list, 1 refused" in text(
        client, "/lists/rapid/2022-04-01/"
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", {"Alpha Cup", "Beta Open"}),
        ("q=beta", {"Beta Open"}),
        ("q=harbour", {"Beta Open"}),
        ("system=blitz", {"Beta Open"}),
        ("year=2021", {"Alpha Cup"}),
        ("state=registered", {"Beta Open"}),
        ("state=counted", set()),
    ],
)
def test_tournaments_are_filtered(client, system, query, expected):
    blitz = make.make_system("blitz", name="Isles blitz", rate="blitz")
    make.make_tournament(system, name="Alpha Cup", start=date(2021, 7, 1), state="accepted")
    make.make_tournament(blitz, name="Beta Open", city="Harbour Town")
    html = text(client, f"/tournaments/?{query}")
    assert {name for name in ("Alpha Cup", "Beta Open") if name in html} == expected


def test_the_crosstable_costs_the_same_for_many_players(client, system):
    counts = set()
    for size in (4, 24):
        event = make.make_tournament(system, arbiter=make.make_arbiter(f"Whistle, W{size}"))
        players = [make.make_player() for _ in range(size)]
        games = [(1, n, n + 1, "1-0") for n in range(1, size, 2)]
        make.make_report(event, players, games)
        make.make_list(
            system,
            date(2022, 4, size),
            dict.fromkeys(players, 2000),
            events={event: {p: {} for p in players}},
        )
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/tournaments/{event.pk}/").status_code == 200
        counts.add(len(captured))
    assert len(counts) == 1
    assert counts.pop() <= 16
