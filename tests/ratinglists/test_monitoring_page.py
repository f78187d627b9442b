"""The monitoring of a list: its page and its file."""

import csv
import io
import re
from datetime import date
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from players.languages.texts import said
from ratinglists import monitoring, whiskers
from ratinglists import monitoring_report as report
from ratinglists.whiskers import Value
from regulations.monitoring import Band, Estimate
from tests import factories as make
from tests.pages import fetch, read
from tests.ratinglists.monitored import DAYS, counted, five_players, three_lists

pytestmark = pytest.mark.django_db
URL = "/lists/rapid/2022-03-01/monitoring/"


@pytest.fixture
def system(db):
    return make.make_system("rapid", name="Isles rapid")


@pytest.fixture
def people(system):
    return five_players()


@pytest.fixture
def lists(system, people):
    return three_lists(system, people)


def test_the_page_says_all_in_tables(client, lists):
    page = read(client, URL)
    assert "Monitoring of the scale: Isles rapid, 1 March 2022" in page
    assert "The leading players since 1 March 2021" in page
    assert re.search(r"2022-03-01 2 2150\.0 2153\.0 \+3\.0 −10\.7 to \+16\.7 too few to tell", page)
    assert "2 games of two rated players in 2 tournaments that this list counted, each once" in page
    assert "100 to 149 1 0.640 1.000 +0.360 – too few to tell" in page
    assert "300 to 399 1 0.860 0.500 −0.360 – too few to tell" in page
    assert "2200 to 2399 2 0.750 0.750 0.000 −0.706 to +0.706" in page
    assert "1800 to 1999 1 0.140 0.500 +0.360" in page
    assert "From the list of 1 September 2021 to this one" in page
    assert "List before 2 4304 2152.0" in page
    assert "Newcomers 1 +1905 1905.0" in page
    assert "Rated again 0 0 –" in page
    assert "No longer rated 0 0 –" in page
    assert "Changes of those who stayed, as computed 2 +1.8 +0.90" in page
    assert "Rounding of these 2 +0.2 +0.10" in page
    assert "This list 3 6211 2070.3" in page
    assert "Signs of drift None." in page


def test_the_figures_have_the_marks_of_the_language(client, lists):
    page = read(client, URL, "es")
    assert "2150,0 2153,0 +3,0 −10,7 a +16,7" in page
    assert "0,750 0,750 0,000 −0,706 a +0,706" in page


@pytest.mark.parametrize(
    ("language", "words"), [("es", ["por encima", "por debajo"]), ("pt", ["mais", "menos"])]
)
def test_the_verdicts_are_said(language, words):
    estimates = [Estimate(report.LEAST_OBSERVATIONS, Fraction(n), Fraction(1, 100)) for n in (9, -9)]
    with override(language):
        assert [said(report.verdict(each)) for each in estimates] == words


def test_the_list_links_to_its_monitoring(client, lists):
    assert f'<a href="{URL}">Monitoring of the scale</a>' in fetch(client, "/lists/rapid/2022-03-01/")


def test_the_visitor_chooses_start_and_size(client, lists):
    page = read(client, f"{URL}?start=2021-09-01&players=10")
    assert "The leading players since 1 September 2021" in page
    assert "The first 10 active players" in page
    assert "2021-03-01 2" not in page
    html = fetch(client, f"{URL}?start=2021-09-01&players=10")
    assert f'href="{URL}figures.csv?start=2021-09-01&amp;players=10"' in html
    assert "The address asks" not in html
    page = read(client, f"{URL}?players=50")
    assert "The first 50 active players" in page
    assert "The address asks" not in page


WRONG = (
    "start: no list before this one is of 1999-01-01: choose one of the list, from 2021-03-01 to 2021-09-01.",
    "players: 7 is no size of a group: choose 10, 20, 50, 100 or 200.",
)


def test_what_the_address_asks_for_in_vain_is_named_with_its_remedy(client, lists):
    page = read(client, f"{URL}?start=1999-01-01&players=7")
    assert "The address asks for what there is not; the page shows the usual choice instead." in page
    for message in WRONG:
        assert message in page
    assert "The first 50 active players" in page
    assert "since 1 March 2021" in page
    spanish = read(client, f"{URL}?start=1999-01-01&players=7", "es")
    assert "1999-01-01: elija una de la lista, del 01/03/2021 al 01/09/2021." in spanish
    assert "7 no es un tamaño de grupo" in spanish
    response = client.get(
        f"{URL}figures.csv?start=1999-01-01&players=7", headers={"accept-language": "es"}
    )  # files are in English
    assert (response.status_code, response.headers["Content-Type"]) == (400, "text/plain; charset=utf-8")
    assert response.content.decode() == "".join(f"{message}\n" for message in WRONG)
    opening = read(client, "/lists/rapid/2021-03-01/monitoring/?start=2021-03-01")
    assert "no list before this one is of 2021-03-01: choose one of the list, but there is none." in opening


def rows_of(client, url):
    response = client.get(url)
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    text = b"".join(response).decode()
    return response, list(csv.reader(io.StringIO(text, newline="")))


def test_the_file_holds_the_same_figures(client, lists):
    response, rows = rows_of(client, f"{URL}figures.csv")
    assert response.headers["Content-Disposition"] == 'attachment; filename="rapid-2022-03-01-monitoring.csv"'
    assert rows == [
        ["figure", "of", "n", "reference", "observed", "difference", "low", "high", "sign"],
        ["group", "2021-03-01", "3", "2100.0000", "2100.0000", "0.0000", "", "", "no"],
        ["group", "2021-09-01", "2", "2150.0000", "2152.0000", "2.0000", "-1.9200", "5.9200", "no"],
        ["group", "2022-03-01", "2", "2150.0000", "2153.0000", "3.0000", "-10.7200", "16.7200", "no"],
        ["difference", "100 to 149", "1", "0.6400", "1.0000", "0.3600", "", "", "no"],
        ["difference", "300 to 399", "1", "0.8600", "0.5000", "-0.3600", "", "", "no"],
        ["rating", "1800 to 1999", "1", "0.1400", "0.5000", "0.3600", "", "", "no"],
        ["rating", "2000 to 2199", "1", "0.3600", "0.0000", "-0.3600", "", "", "no"],
        ["rating", "2200 to 2399", "2", "0.7500", "0.7500", "0.0000", "-0.7056", "0.7056", "no"],
        ["flow", "before", "2", "", "4304", "", "", "", ""],
        ["flow", "newcomers", "1", "", "1905", "", "", "", ""],
        ["flow", "returned", "0", "", "0", "", "", "", ""],
        ["flow", "departures", "0", "", "0", "", "", "", ""],
        ["flow", "computed", "2", "", "1.8", "", "", "", ""],
        ["flow", "rounding", "2", "", "0.2", "", "", "", ""],
        ["flow", "after", "3", "", "6211", "", "", "", ""],
    ]


def test_an_opening_list_alone(client, lists):
    page = read(client, "/lists/rapid/2021-03-01/monitoring/")
    assert page.count("This list counted no game of two rated players.") == 2
    assert "There is no list before this one." in page
    assert "The leading players since 1 March 2021" in page
    rows = rows_of(client, "/lists/rapid/2021-03-01/monitoring/figures.csv")[1]
    assert [row[0] for row in rows] == ["figure", "group"]


def test_the_period_in_the_admin_links_to_the_monitoring(client, lists, system):
    """Of the published list; of a draft only for those who may open its page."""
    draft = make.make_list(system, date(2022, 6, 1), {make.make_player(): 2000}, published=False)
    empty = make.make_period(system, date(2022, 9, 1))

    def page_of(period):
        return fetch(client, f"/admin/ratinglists/period/{period.pk}/change/")

    client.force_login(make.make_user("reader", "ratinglists.view_period", is_staff=True))
    assert f'href="{URL}"' in page_of(lists[2].period)
    assert "monitoring" not in page_of(draft.period)
    boss = make.make_user("boss", "ratinglists.view_period", "ratinglists.publish_list", is_staff=True)
    client.force_login(boss)
    assert 'href="/lists/rapid/2022-06-01/monitoring/?draft=1"' in page_of(draft.period)
    assert "monitoring" not in page_of(empty)


def test_a_list_without_anybody(client, system):
    make.make_list(system, DAYS[2])
    page = read(client, URL)
    assert "2022-03-01 0 – – – – too few to tell" in page
    assert "<svg" not in fetch(client, URL)


def steady_rise(system, number=30, rise=10):
    """Players of whom each won by a little, half of them a point more than the other half."""
    people = [make.make_player() for _ in range(number)]
    make.make_list(system, DAYS[0], dict.fromkeys(people, 2000))
    rows = {player: 2000 + rise + place % 2 for place, player in enumerate(people)}
    return make.make_list(system, DAYS[2], rows)


def test_a_drift_is_named(client, system):
    """10.5 with an interval of 1.96 × √(0.25 × 30 / 29 / 30) = 0.182."""
    steady_rise(system)
    page = read(client, URL)
    assert "The leading players on the list of 2022-03-01: +10.5 points on average." in page
    assert "2022-03-01 30 2000.0 2010.5 +10.5 +10.3 to +10.7 higher" in page
    assert "2021-03-01 30 2000.0 2000.0 0.0 – all alike, no interval" in page
    assert "<strong>higher</strong>" in fetch(client, URL)
    assert rows_of(client, f"{URL}figures.csv")[1][2][-1] == "yes"


def test_too_few_show_no_drift(client, system):
    steady_rise(system, number=29)
    page = read(client, URL)
    assert "Signs of drift None." in page
    assert "+10.7 too few to tell" in page


def test_bands_that_drift_are_named(client, system):
    """29 wins and a draw of 2100 against 2000 (expected .64), each in an event of two: .36 - .5/30 = .343."""
    thirty_games(system, draws=1)
    page = read(client, URL)
    assert (
        "Rating differences, 100 to 149: the higher rated score higher than expected, +0.343 a game." in page
    )
    assert "Players rated 2000 to 2199 score" not in page, "what one gains there the other loses"
    rows = {tuple(row[:2]): row for row in rows_of(client, f"{URL}figures.csv")[1]}
    assert rows["difference", "100 to 149"][-1] == "yes"


def test_results_that_are_all_alike_have_no_interval_and_are_no_sign(client, system):
    """Thirty wins say nothing of how often there will be another result; nor do two sides of a game."""
    thirty_games(system)
    page = read(client, URL)
    assert "Signs of drift None." in page
    assert "100 to 149 30 0.640 1.000 +0.360 – all alike, no interval" in page
    rows = {tuple(row[:2]): row for row in rows_of(client, f"{URL}figures.csv")[1]}
    assert rows["difference", "100 to 149"][2:] == ["30", "0.6400", "1.0000", "0.3600", "", "", "no"]
    assert rows["rating", "2000 to 2199"][2:] == ["60", "0.5000", "0.5000", "0.0000", "", "", "no"]


def thirty_games(system, draws=0):
    strong, weak = make.make_player(), make.make_player()
    events = {}
    for number in range(30):
        tournament = make.make_tournament(system, name=f"Match {number}")
        won, lost = ("1/2", "1/2") if number < draws else ("1", "0")
        events[tournament] = {
            strong: {"rating": 2100, "detail": {"counted": [counted(1, weak, won, "2000")]}},
            weak: {"rating": 2000, "detail": {"counted": [counted(1, strong, lost, "2100", white=False)]}},
        }
    return make.make_list(system, DAYS[2], {strong: 2110, weak: 1990}, events=events)


@pytest.mark.parametrize("suffix", ["", "figures.csv"])
def test_drafts_are_for_those_who_may_publish(client, system, suffix):
    make.make_list(system, DAYS[2], {make.make_player(): 2000}, published=False)
    assert client.get(URL + suffix).status_code == 404
    assert client.get(f"{URL}{suffix}?draft=1").status_code == 404
    client.force_login(make.make_user("boss", "ratinglists.publish_list", is_staff=True))
    response = client.get(f"{URL}{suffix}?draft=1")
    assert response.status_code == 200
    if suffix:
        assert "rapid-2022-03-01-monitoring-draft.csv" in response.headers["Content-Disposition"]
        assert list(response)
    else:
        html = response.content.decode()
        assert "<strong>Draft.</strong>" in html
        assert "noindex" in html
        assert f'href="{URL}figures.csv?draft=1"' in html
        assert 'name="draft" value="1"' in html


def test_only_reading_is_allowed(client, lists):
    assert client.post(URL).status_code == 405
    assert client.post(f"{URL}figures.csv").status_code == 405
    assert client.get("/lists/rapid/2022-04-01/monitoring/").status_code == 404


def queries(client):
    with CaptureQueriesContext(
        connection,
    ) as found:
        assert client.get(URL).status_code == 200
    return len(found)


def test_the_number_of_queries_does_not_grow(client, lists, system):
    before = queries(client)
    people = [make.make_player() for _ in range(12)]
    for month in range(4, 10):
        make.make_list(system, date(2021, month, 15), dict.fromkeys(people, 2300))
    for number in range(5):
        tournament = make.make_tournament(system, name=f"Late {number}")
        make.make_list(
            system,
            DAYS[2],
            dict.fromkeys(people, 2310),
            events={
                tournament: {
                    people[0]: {"rating": 2300, "detail": {"counted": [counted(1, people[1], "1", "2300")]}},
                    people[1]: {
                        "rating": 2300,
                        "detail": {"counted": [counted(1, people[0], "0", "2300", white=False)]},
                    },
                }
            },
            revision=number + 2,
        )
    assert queries(client) <= before


def test_the_figures_of_a_published_list_are_computed_once(client, lists, monkeypatch):
    asked = []

    def counting(name):
        real = getattr(monitoring, name)
        monkeypatch.setattr(monitoring, name, lambda listed: asked.append((name, listed.pk)) or real(listed))

    counting("games_of")
    counting("flow_of")
    pages = [read(client, URL) for _ in range(2)]
    assert pages[0] == pages[1]
    read(client, f"{URL}?players=10&start=2021-09-01")
    rows_of(client, f"{URL}figures.csv")
    assert asked == [("games_of", lists[2].pk), ("flow_of", lists[2].pk)]
    read(client, "/lists/rapid/2021-09-01/monitoring/")
    assert [pk for _, pk in asked] == [lists[2].pk] * 2 + [lists[1].pk] * 2


def test_an_earlier_list_that_is_corrected_is_looked_at_anew(client, lists, system, people):
    """Di, who comes new, is rated again once a list before shows him rated."""
    assert "Newcomers 1 +1905" in read(client, URL)
    make.make_list(system, DAYS[0], {people["di"]: 1900}, revision=2)
    page = read(client, URL)
    assert "Newcomers 0 0" in page
    assert "Rated again 1 +1905" in page


def test_a_draft_is_computed_each_time(client, system, people):
    draft = make.make_list(system, DAYS[2], {people["ana"]: 2200}, published=False)
    client.force_login(make.make_user("boss", "ratinglists.publish_list", is_staff=True))
    assert "2022-03-01 1 2200.0" in read(client, f"{URL}?draft=1")
    draft.rows.update(rating=2210)
    assert "2022-03-01 1 2210.0" in read(client, f"{URL}?draft=1")


def test_the_page_needs_no_script_and_no_inline_style(client, lists):
    html = fetch(client, URL)
    assert html.count("<svg") == 3
    assert html.count('role="img"') == 3
    assert " style=" not in html
    assert "<script" not in re.sub(r'<script src="[^"]*"[^>]*></script>', "", html)
    ids = re.findall(r' id="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    for name in re.findall(r'aria-labelledby="([^"]*)"', html):
        assert name in ids


# --- charts ---------------------------------------------------------------------------------------


def value(label, mean, low=None, high=None, sign=False):
    ends = (None if end is None else Fraction(end) for end in (low, high))
    return Value(label, Fraction(mean), *ends, f"title {label}", sign)


def test_a_chart_of_means_and_intervals():
    """From -10 to 30 by tens: 246 is the lowest, each is 57.5 higher; 668 across, in halves of 334."""
    chart = whiskers.draw([value("a", "-5", -10, 0), value("b", 22, sign=True)])
    assert [(tick.at, tick.label) for tick in chart.upwards] == [
        (246, "−10"), (188, "0"), (131, "10"), (73, "20"), (16, "30"),
    ]  # fmt: skip
    assert chart.zero == 188
    assert [(tick.at, tick.label) for tick in chart.across] == [(223, "a"), (557, "b")]
    first, second = chart.marks
    assert (first.x, first.y, first.low, first.high) == (223, 217, 246, 188)
    assert (second.x, second.y, second.low, second.high) == (557, 62, None, None)
    assert (first.title, first.style, second.style) == ("title a", "series-1", "series-2")


@pytest.mark.parametrize(
    ("means", "labels"),
    [
        (["0"], ["0", "0.01"]),
        (["0.06"], ["0", "0.01", "0.02", "0.03", "0.04", "0.05", "0.06"]),
        (["0.07"], ["0", "0.02", "0.04", "0.06", "0.08"]),
        (["-0.36", "0.36"], ["−0.4", "−0.2", "0", "0.2", "0.4"]),
        (["-700"], ["−800", "−600", "−400", "−200", "0"]),
    ],
)
def test_grid_lines_are_round_and_hold_all_values_and_nought(means, labels):
    chart = whiskers.draw([value("a", mean) for mean in means])
    assert [tick.label for tick in chart.upwards] == labels


def test_few_labels_of_many_marks():
    chart = whiskers.draw([value(str(n), n) for n in range(40)])
    assert [tick.label for tick in chart.across] == [str(n) for n in range(0, 40, 5)]
    assert len(chart.marks) == 40
    assert whiskers.draw([]) is None


@pytest.mark.parametrize(
    ("number", "places", "plus", "text"),
    [
        ("0.0005", 3, True, "+0.001"),
        ("-0.0004", 3, True, "0.000"),
        ("-0.05", 1, False, "0.0"),
        ("-0.06", 1, True, "−0.1"),
        ("2150", 1, False, "2150.0"),
        ("7", 0, True, "+7"),
        ("0", 0, True, "0"),
        (None, 2, True, ""),
    ],
)
def test_digits(number, places, plus, text):
    assert report.digits(None if number is None else Fraction(number), places, plus=plus) == text


def test_short_labels_of_bands():
    def label(low, high):
        return report.short_label(Band(low, high, Fraction(0), Fraction(0), Estimate(0, None)))

    assert [label(None, 1199), label(1200, 1399), label(2600, None), label(None, None)] == [
        "<1200", "1200–1399", "2600+", "",
    ]  # fmt: skip
