"""What is kept of published lists: told by any number of threads, in little memory, and as it is today."""

from __future__ import annotations

import sys
from collections import OrderedDict
from datetime import date

import pytest
from django.utils import timezone

from players import audit
from players.models import Federation, Player
from ratinglists import facts, listing
from tests import factories as make

pytestmark = pytest.mark.django_db
APRIL = date(2022, 4, 1)


@pytest.fixture
def system():
    return make.make_system("rapid")


def test_facts_are_told_even_if_another_thread_empties_what_is_kept(system, monkeypatch):
    class Emptied(OrderedDict):
        def __setitem__(self, key, value):
            """As if it was taken out at once."""

    listed = make.make_list(system, APRIL, {make.make_player(): 2000})
    for name in ("_facts", "_counts"):
        monkeypatch.setattr(facts, name, Emptied())
    assert facts.count_of(listed, listing.Choice(federation="XAA")) == 1
    assert facts.count_of(listed, listing.Choice(rating_from=2000)) == 1
    assert facts.of(listed).handled["counted"] == []


def test_the_ratings_of_a_list_are_kept_in_little_memory(system, monkeypatch):
    monkeypatch.setattr(facts, "_counts", {})
    players = [make.make_player() for _ in range(300)]
    listed = make.make_list(system, APRIL, {each: 1400 + 3 * n for n, each in enumerate(players)})
    assert facts.count_of(listed, listing.Choice(rating_from=1401, rating_to=1406)) == 2
    assert facts.count_of(listed, listing.Choice(rating_from=1406, rating_to=1401)) == 0
    (kept,) = facts._counts.values()
    assert sum(sys.getsizeof(each) for each in (kept.found, kept.below)) < 12 * len(players)


def test_the_number_of_those_of_an_age_follows_the_register(system):
    """A minor goes to a federation that tells no minor's age: no choice by age finds him any more."""
    Federation.objects.filter(pk=make.make_federation("XBB").pk).update(hides_minors=True)
    child, grown = (make.make_player(born=date(year, 1, 1)) for year in (timezone.localdate().year - 9, 1980))
    listed, choice = make.make_list(system, APRIL, {child: 1500, grown: 2000}), listing.Choice(born_from=1900)
    assert facts.count_of(listed, choice) == listing.chosen_rows(listed, choice).count() == 2
    Player.objects.filter(pk=child.pk).update(federation="XBB")
    audit.record("player.changed", None, child, child.name)
    assert facts.count_of(listed, choice) == listing.chosen_rows(listed, choice).count() == 1
