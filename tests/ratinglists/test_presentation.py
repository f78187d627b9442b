"""Words and figures of the pages."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.languages.texts import catalogue_of
from ratinglists import chart
from ratinglists.differences import KINDS
from ratinglists.presentation import regulation_title, seen
from regulations.model import RESULTS
from tournaments.exact import exact, signed


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Decimal("16.9500"), "16.95"),
        (Decimal("-8.6000"), "-8.6"),
        (Decimal("100.0000"), "100"),
        (Decimal("0.0000"), "0"),
        (Decimal("1E+2"), "100"),
        ("12703/6", "2117.1667"),
        ("1/2", "0.5"),
        (2117, "2117"),
        (None, ""),
        ("", ""),
    ],
)
def test_numbers_are_exact_and_without_trailing_zeros(value, text):
    assert exact(value) == text


def test_changes_carry_their_sign():
    assert [signed(Decimal(n)) for n in ("4.8", "-16.95", "0")] == ["+4.8", "−16.95", "0"]


@given(st.decimals(min_value=-9999, max_value=9999, places=4))
def test_a_shown_number_is_the_number(value):
    assert Decimal(exact(value)) == value
    assert not (exact(value).endswith("0") and "." in exact(value))


def test_every_result_has_words_for_both_sides():
    for result in RESULTS:
        for white in (True, False):
            symbol, words = seen(result, white)
            assert symbol
            assert words
    assert seen("1-0", False) == ("0", "lost")
    assert seen("-/+", False) == ("+", "won by forfeit")


def test_an_unknown_regulation_keeps_its_code():
    assert regulation_title("fide-rapid-blitz-2022") == "FIDE Rapid and Blitz Rating Regulations (2022)"
    assert regulation_title("gone-1999") == "gone-1999"


# --- chart ----------------------------------------------------------------------------------------

days = st.dates(date(1990, 1, 1), date(2030, 1, 1))
readings = st.lists(
    st.builds(chart.Reading, days, st.one_of(st.none(), st.integers(1000, 2900))),
    min_size=1,
    max_size=40,
    unique_by=lambda r: r.day,
)


@given(st.dictionaries(st.sampled_from(["rapid", "standard", "blitz"]), readings, min_size=1))
def test_every_rating_is_a_point_inside_the_frame(histories):
    drawn = chart.draw(histories)
    rated = sum(r.rating is not None for rows in histories.values() for r in rows)
    if drawn is None:
        assert rated == 0
        return
    points = [point for series in drawn.series for point in series.points]
    assert len(points) == rated or (drawn.thinned and len(points) < rated)
    assert all(drawn.left <= p.x <= drawn.right and chart.TOP <= p.y <= drawn.bottom for p in points)
    assert 2 <= len(drawn.upwards) <= 7
    assert 1 <= len(drawn.across) <= 7
    for series in drawn.series:
        assert [p.x for p in series.points] == sorted(p.x for p in series.points)


def test_a_gap_breaks_the_line():
    rows = [
        chart.Reading(date(2020, 1, 1), 2000),
        chart.Reading(date(2020, 2, 1), 2010),
        chart.Reading(date(2020, 3, 1), None),
        chart.Reading(date(2020, 4, 1), 1990),
        chart.Reading(date(2020, 5, 1), 1995),
    ]
    assert len(chart.draw({"rapid": rows}).series[0].lines) == 2


def test_higher_ratings_stand_higher():
    rows = [chart.Reading(date(2020, 1, 1), 2000), chart.Reading(date(2020, 2, 1), 2010, " (+10 in 4 games)")]
    low, high = chart.draw({"Isles rapid": rows}).series[0].points
    assert high.y < low.y
    assert high.title == "Isles rapid, 2020-02-01: 2010 (+10 in 4 games)"


@pytest.mark.parametrize("language", ["es", "pt"])
@pytest.mark.parametrize(
    "words",
    [
        {seen(result, white)[1] for result in RESULTS for white in (True, False)},
        set(KINDS),
        {"all", "below {high}", "{low} to {high}", "{low} and more"},  # bands of the monitoring
    ],
)
def test_words_that_stand_alone_are_said_in_every_language(words, language):
    """No sentence shows the catalogues that they are words: ``areas.WORDS`` has them."""
    assert words - catalogue_of(language).keys() == set()
