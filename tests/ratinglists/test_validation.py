"""What a list must hold before it is stored; each test damages a good result and expects to be told."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from ratinglists import validation
from ratinglists.computation import compute, faults, read_inputs
from ratinglists.drafts import write_draft
from ratinglists.jobs import Refusal
from ratinglists.models import ListRow
from tests.factories import make_list, make_period, make_player, make_report, make_system, make_tournament

pytestmark = pytest.mark.django_db


def quiet(*_) -> None:
    """Nobody watches."""


@pytest.fixture
def computed():
    """A month with an event counted and one that waits for its decision: inputs, list and what was due."""
    system = make_system()
    players = [make_player(), make_player(), make_player()]
    make_list(system, date(2022, 3, 1), dict(zip(players, (1800, 1700, None), strict=True)))
    games = [(1, 1, 2, "1-0"), (2, 2, 3, "1-0"), (3, 3, 1, "1/2-1/2")]
    make_report(make_tournament(system, name="Counted"), players, games)
    waiting = make_tournament(system, name="Waiting", start=date(2022, 3, 6))
    make_report(waiting, players[:2], [(1, 1, 2, "1-0")], state="submitted")
    period = make_period(system, date(2022, 4, 1), date(2022, 3, 29))
    due = validation.due_reports(period)
    inputs = read_inputs(period, quiet)
    return inputs, compute(inputs, quiet), due


def with_row(result, number: int, **fields):
    rows = list(result.players)
    rows[number] = replace(rows[number], **fields)
    return replace(result, players=tuple(rows))


def test_a_good_list_passes(computed):
    inputs, result, due = computed
    assert [name for _, name in due] == ["Counted"]
    validation.check(inputs, result, due)
    assert list(faults(inputs.given, result)) == []
    validation.read_back(write_draft(inputs, result), result)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda r: with_row(r, 0, rating=r.players[0].rating + 1), "do not give"),
        (lambda r: with_row(r, 0, change=r.players[0].change + 1), "do not add up"),
        (lambda r: with_row(r, 0, events=()), "do not add up"),
        (lambda r: replace(r, players=r.players[1:]), "players missing"),
        (lambda r: replace(r, players=(*r.players, r.players[0])), "stand on it twice"),
    ],
)
def test_a_rating_that_is_not_explained(computed, damage, words):
    inputs, result, _ = computed
    assert words in " ".join(faults(inputs.given, damage(result)))


def test_an_accepted_report_that_is_missing(computed):
    inputs, result, due = computed
    inputs.candidates = [each for each in inputs.candidates if each.tournament.name != "Counted"]
    with pytest.raises(Refusal, match="Counted is neither counted nor deferred nor refused"):
        validation.check(inputs, result, due)


def test_an_event_counted_twice(computed):
    inputs, result, due = computed
    inputs.candidates = [*inputs.candidates, inputs.candidates[0]]
    with pytest.raises(Refusal, match="Counted is dealt with twice"):
        validation.check(inputs, result, due)


def test_a_report_put_off_without_a_reason(computed):
    inputs, result, due = computed
    inputs.candidates = [replace(each, reason="") for each in inputs.candidates]
    with pytest.raises(Refusal, match="Waiting is deferred without a reason"):
        validation.check(inputs, result, due)


def test_an_outcome_that_nobody_knows(computed):
    inputs, result, due = computed
    inputs.candidates = [replace(each, outcome="lost", reason="x") for each in inputs.candidates]
    with pytest.raises(Refusal, match="“lost” is no outcome"):
        validation.check(inputs, result, due)


def test_counted_in_name_only(computed):
    inputs, result, due = computed
    inputs.parts = []
    with pytest.raises(Refusal, match="Counted is counted, and the computation has no event of it"):
        validation.check(inputs, result, due)


def test_deferred_and_counted_all_the_same(computed):
    inputs, result, due = computed
    inputs.candidates = [
        replace(each, outcome="deferred", reason="It came late.") for each in inputs.candidates
    ]
    with pytest.raises(Refusal, match="Counted is deferred, and the computation has an event of it"):
        validation.check(inputs, result, due)


def test_a_change_from_an_event_that_he_did_not_play(computed):
    inputs, result, due = computed
    share = replace(result.players[0].events[0], event="99.1", change=Fraction(0))
    odd = with_row(result, 0, events=(*result.players[0].events, share))
    with pytest.raises(Refusal, match=r"names event 99\.1"):
        validation.check(inputs, odd, due)


def test_a_player_of_an_event_lost(computed):
    inputs, result, due = computed
    gone = replace(result, players=tuple(row for row in result.players if row.rating is not None))
    with pytest.raises(Refusal, match="is not on the list"):
        validation.check(inputs, gone, due)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda rows: rows.filter(rating__gt=1700).update(rating=2999), "rating is stored as 2999"),
        (lambda rows: rows.filter(rating=None).update(career_games=7), "career_games is stored as 7"),
        (lambda rows: rows.filter(rating=None).delete(), "is not stored"),
        (
            lambda rows: rows.model.objects.filter(pk=rows.first().pk).update(change="1.2345"),
            "change is stored",
        ),
    ],
)
def test_rows_that_were_not_stored_as_computed(computed, damage, words):
    inputs, result, _ = computed
    draft = write_draft(inputs, result)
    damage(ListRow.objects.filter(rating_list=draft))
    with pytest.raises(Refusal, match=words):
        validation.read_back(draft, result)


def test_a_row_and_a_sample_too_many(computed):
    inputs, result, _ = computed
    draft = write_draft(inputs, result)
    ListRow.objects.create(
        rating_list=draft, player=make_player(), status="unrated", name="x", federation="XAA"
    )
    draft.samples.all().delete()
    found = " ".join(validation.stored_otherwise(draft, result))
    assert "was not computed" in found
    assert f"0 pooled results are stored, not the {len(result.samples)} computed" in found
