"""A correction gives the lists that a right report would have given from the start, whatever the games."""

import json
from datetime import date, timedelta

import pytest
from django.db import transaction
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from ratinglists import archive, corrections
from ratinglists.models import ListRow
from regulations import registry
from tests.factories import RAPID, STANDARD
from tests.ratinglists.corrected import World, computed, published

pytestmark = [pytest.mark.django_db, pytest.mark.once]
PAIRS = [[(1, 2), (3, 4)], [(4, 1), (2, 3)], [(1, 3), (4, 2)]]
RESULTS = st.sampled_from("10=")


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)


def games_of(results, rounds: int = 3) -> list[tuple[int, int, int, str]]:
    pairs = [(number, *pair) for number, both in enumerate(PAIRS[:rounds], start=1) for pair in both]
    return [(*pair, result) for pair, result in zip(pairs, results, strict=True)]


def told_by(listed) -> list[dict]:
    """The sources of a list: its reports but for the day on which they came, and who played in them."""
    sources = json.loads(b"".join(archive.read(listed.report["sources"])))["tournaments"]
    for each in sources:
        del each["id"], each["events"], each["report"]["received_on"]
    return sources


def said(world: World, day: date) -> tuple:
    """A list without what names its events by their keys."""
    listed = world.listed(day)
    rows = ListRow.objects.filter(rating_list=listed).order_by("player_id")
    left_out = ("id", "rating_list_id", "steps")
    told = [{n: v for n, v in row.items() if n not in left_out} for row in rows.values()]
    samples = listed.samples.order_by("player_id", "list_date", "performance", "games")
    kept = [
        {n: v for n, v in row.items() if n not in ("id", "rating_list_id", "event")}
        for row in samples.values()
    ]
    return listed.sha256, told, kept, told_by(listed)


@pytest.mark.parametrize("code", [STANDARD, RAPID, "fide-standard-2024"])
@settings(max_examples=3, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    ratings=st.lists(st.one_of(st.none(), st.integers(1500, 2300)), min_size=4, max_size=4),
    first=st.lists(RESULTS, min_size=6, max_size=6),
    right=st.lists(RESULTS, min_size=6, max_size=6),
    later=st.lists(RESULTS, min_size=4, max_size=4),
)
def test_corrected_or_right_from_the_start(code, ratings, first, right, later):
    if first == right:
        right = [{"1": "0", "0": "1", "=": "1"}[right[0]], *right[1:]]
    with transaction.atomic():
        # Few games, with the colours turned: within a month the portal would take them for the same event.
        cup = [(number, black, white, result) for number, white, black, result in games_of(later, 2)]
        _compare(code, ratings, games_of(first), games_of(right), cup)
        transaction.set_rollback(True)


def _compare(code, ratings, first, right, later):
    regulation = registry.get(code)
    rate = regulation.rates[0]
    days = [regulation.next_list_date(regulation.effective_from + timedelta(days=400))]
    for _ in range(3):
        days.append(regulation.next_list_date(days[-1]))
    one = World(code, ratings, rate, code="wrong", opened=days[0])
    other = World(code, ratings, rate, code="right", opened=days[0], players=one.players, staff=one.staff)
    for world, games in ((one, first), (other, right)):
        world.event = world.play(days[0], games, scope="national")
        world.publish(days[1], regulation.closing_date(days[1]))
        world.play(days[1], later, name="Harbour Cup")
        for day in days[2:]:
            world.publish(day, regulation.closing_date(day))
    correction = one.correction()
    corrections.add_report(correction, one.report(one.event, right), one.staff)
    job = computed(correction)
    assert job.state == "done", job.message
    job = published(correction)
    assert job.state == "done", job.message
    for day in days[1:]:
        assert said(one, day) == said(other, day), day
