"""Two stored lists compared."""

from datetime import date

import pytest

from players.models import Player
from ratinglists.changes import between, printed_rows
from tests import factories as make

pytestmark = pytest.mark.django_db
MARCH, APRIL = date(2022, 3, 1), date(2022, 4, 1)


def test_a_person_under_two_records_is_one():
    """The list before printed a record that was merged since: its person is neither gone nor new."""
    system = make.make_system()
    old, new, other = make.make_player("Alba, A"), make.make_player("Alba, Ana"), make.make_player("Bo, Bo")
    before = make.make_list(system, MARCH, {old: 2000, other: 1900})
    after = make.make_list(system, APRIL, {new: 2010, other: 1900})
    assert [each.kinds for each in between(before, after)] == [("gone",), ("new",)]
    Player.objects.filter(pk=old.pk).update(merged_into=new)
    (found,) = between(before, after)
    assert (found.kinds, found.points, found.after.record) == (("rating", "name"), 10, new.pk)


def test_of_two_rows_of_a_person_the_rated_one_counts():
    system = make.make_system()
    one, two = make.make_player("Alba, A"), make.make_player("Alba, Ana")
    listed = make.make_list(system, MARCH, {one: 2000, two: None})
    assert [row.rating for row in printed_rows(listed)] == [2000, None]
    Player.objects.filter(pk=two.pk).update(merged_into=one)
    assert [(row.record, row.rating) for row in printed_rows(listed)] == [(one.pk, 2000)]


def test_without_a_list_before_everybody_rated_is_new():
    system = make.make_system()
    rated, unrated = make.make_player(), make.make_player()
    listed = make.make_list(system, MARCH, {rated: 2000, unrated: None})
    assert [(each.row.record, each.kinds) for each in between(None, listed)] == [(rated.pk, ("new",))]
