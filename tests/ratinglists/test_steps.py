"""Steps of a calculation: no key of the database is left in them."""

from dataclasses import asdict
from datetime import date

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from ratinglists.steps import explain, players_in
from regulations.fecap_postal import FecapPostal
from regulations.feda_1996 import Feda1996
from regulations.model import Event, EventPlayer, Game, ListInput, ListPlayer, RatedEvent

JULY = date(1999, 7, 1)
#: keys that no figure contains
PLAYERS = {
    777001: "Alder, Tom",
    777002: "Birch, Lou",
    777003: "Cedar, Pat",
    777004: "Dogwood, Jo",
    777005: "Elm, Pia",
}
EVENTS = {888001: "Postal Cup", 888002: "Postal Match"}
TOM, LOU, PAT, JO, PIA = map(str, PLAYERS)


def test_numbers_of_people_in_steps_become_names():
    steps = [
        {"article": "7.32b", "label": "ΔR round 2", "value": "0.24", "text": "17: D 2100 - 2000 = 100"},
        {"article": "7.32", "label": "K", "value": "20", "text": "17: 1 game"},
        {
            "article": "9.21",
            "label": "change not applied",
            "value": "3",
            "text": "12.1: played with a rating",
        },
    ]
    lines = explain(steps, {17: "Sample, Eva"}, {12: "Harbour Open"})
    assert lines[0].label == "Score minus expected score, round 2"
    assert lines[0].text == "Sample, Eva: D 2100 - 2000 = 100"
    assert (lines[1].label, lines[1].text) == ("Development coefficient (K)", "17: 1 game")
    assert (lines[2].label, lines[2].text) == ("Change not applied", "Harbour Open: played with a rating")


def rated(regulation, number, games, players, **fields):
    event = Event("swiss", tuple(players), tuple(games), id=f"{number}.1", name=EVENTS[number], **fields)
    return RatedEvent(event, regulation.rate(event))


def explained(row):
    steps = [asdict(step) for step in row.steps]
    return steps, explain(steps, PLAYERS, EVENTS)


@pytest.fixture(scope="module")
def postal():
    """Two batches, two provisional players who meet, and a game that is finished after the list."""
    rules = FecapPostal()
    given = {
        TOM: EventPlayer(TOM, 2000, 50),
        LOU: EventPlayer(LOU, 1800, 50),
        PAT: EventPlayer(PAT, 1650, 50),
        JO: EventPlayer(JO, None, provisional=True),
        PIA: EventPlayer(PIA, None, provisional=True),
    }
    cup = [
        Game(1, TOM, LOU, "1-0"),
        Game(1, PIA, JO, "1-0"),
        Game(2, PIA, TOM, "1/2-1/2"),
        Game(3, LOU, PIA, "1-0", finished_on=date(1999, 8, 1)),
    ]
    events = (
        rated(rules, 888001, cup, given.values(), rate="postal", games_in_event=20),
        rated(rules, 888002, [Game(1, TOM, PAT, "1-0")], (given[TOM], given[PAT]), games_in_event=1),
    )
    previous = tuple(ListPlayer(key, player.rating, 50) for key, player in given.items() if player.rating)
    rows = rules.next_list(ListInput(JULY, previous, events=events)).players
    return {row.id: explained(row) for row in rows}


@pytest.mark.parametrize("player", [TOM, LOU, PAT, JO, PIA])
def test_no_key_is_left_in_a_postal_step(postal, player):
    steps, lines = postal[player]
    assert any(key in str(steps) for key in ("777", "888"))
    assert "777" not in str(lines)
    assert "888" not in str(lines)


def test_postal_steps_in_words(postal):
    said = {(line.label, line.text) for line in postal[TOM][1]}
    assert ("Events rated together (General 9)", "Postal Match") in said
    assert ("Events rated together (General 9)", "Postal Cup") in said
    labels = {label for label, _ in said}
    assert "Score minus expected score, Postal Cup, round 1" in labels
    assert {"Share of Postal Match", "Share of Postal Cup"} <= labels
    assert any(text.startswith("Birch, Lou: D 201, 2001 against 1800") for _, text in said)
    said = {(line.label, line.text) for line in postal[PIA][1]}
    assert ("Games with provisional opponents", "Dogwood, Jo: for P, not for Rc") in said
    later = "Postal Cup, round 3, Birch, Lou: finished on 1999-08-01"
    assert ("Not counted yet", later) in said


def test_the_players_whom_steps_name(postal):
    assert players_in(postal[TOM][0]) == {777002, 777003, 777005}
    assert players_in(postal[PIA][0]) == {777002, 777004}  # Lou by the later game
    assert players_in([]) == set()


def test_another_k_names_its_event():
    """FEDA 9.53.a: the 30th game is in the first event, so that the second has another K."""
    rules = Feda1996()
    before = EventPlayer(TOM, 2000, 28), EventPlayer(LOU, 2000, 50)
    games = [Game(number, TOM, LOU, "1-0") for number in range(1, 3)]
    events = tuple(
        rated(rules, number, games, before, start=date(1996, month, 1), end=date(1996, month, 3))
        for number, month in ((888001, 2), (888002, 3))
    )
    previous = (ListPlayer(TOM, 2000, 28), ListPlayer(LOU, 2000, 50))
    (row, _) = rules.next_list(ListInput(date(1996, 7, 1), previous, events=events)).players
    steps, lines = explained(row)
    assert "K of 888002.1" in str(steps)
    assert "K of Postal Match" in [line.label for line in lines]


def test_an_event_without_a_name_is_an_event_and_a_player_keeps_his_key():
    steps = [
        {"article": "Tabla 2", "label": "W - We 5.1 round 2", "value": "0.1", "text": "7: D 10"},
        {"article": "Fase 2", "label": "share of 5.1", "value": "1.2", "text": "12 × 0.1"},
    ]
    first, second = explain(steps, {})
    assert (first.label, first.text) == ("Score minus expected score, an event, round 2", "7: D 10")
    assert (second.label, second.text) == ("Share of an event", "12 × 0.1")


@pytest.mark.parametrize(("language", "mark"), [("en", "."), ("es", ",")])
def test_a_page_prints_minus_signs(language, mark):
    steps = [{"article": "8.58", "label": "change", "value": "-6.9", "text": "10 × (0.5 - 1.19)"}]
    with translation.override(language):
        html = render_to_string("ratinglists/_steps.html", {"steps": explain(steps, {})})
    assert f">−6{mark}9</td>" in html
    assert f">10 × (0{mark}5 − 1{mark}19)</td>" in html


def test_in_another_language_figures_have_its_mark_and_articles_their_points():
    steps = [
        {
            "article": "7.32d",
            "label": "change",
            "value": "2.2",
            "text": "20 × 0.11; rounded with the period's sum (7.33)",
        }
    ]
    with translation.override("es"):
        html = render_to_string("ratinglists/_steps.html", {"steps": explain(steps, {})})
    assert '<td class="sum">20 × 0,11; redondeado con la suma del periodo (7.33)</td>' in html
    assert ">2,2</td>" in html
    assert ">7.32d</span>" in html
