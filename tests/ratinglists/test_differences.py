"""What changed between two lists, by rows alone."""

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratinglists.differences import KINDS, differences, kinds_of


@dataclass(frozen=True)
class Row:
    person: int
    name: str = "Alba, Ana"
    federation: str = "XAA"
    title: str = ""
    women_title: str = ""
    status: str = "active"
    rating: int | None = 2000


def unrated(person: int, status: str = "unrated", **fields) -> Row:
    return Row(person, status=status, rating=None, **fields)


@pytest.mark.parametrize(
    ("before", "after", "kinds", "points"),
    [
        (None, Row(1), ("new",), None),
        (unrated(1), Row(1, name="Alba, A."), ("new",), None),
        (Row(1), None, ("gone",), None),
        (Row(1), unrated(1, "delisted"), ("gone",), None),
        (Row(1), Row(1, rating=2013), ("rating",), 13),
        (Row(1), Row(1, rating=1989), ("rating",), -11),
        (Row(1), Row(1, title="FM"), ("title",), 0),
        (Row(1), Row(1, women_title="WFM"), ("title",), 0),
        (Row(1), Row(1, federation="XBB"), ("federation",), 0),
        (Row(1), Row(1, name="Alba, Anna"), ("name",), 0),
        (Row(1), Row(1, status="inactive"), ("status",), 0),
        (unrated(1), unrated(1, "titled-unrated", title="CM"), ("title", "status"), None),
        (
            Row(1),
            Row(1, "Bo", "XBB", "GM", "", "inactive", 1),
            ("rating", "title", "federation", "name", "status"),
            -1999,
        ),
    ],
)
def test_each_kind(before, after, kinds, points):
    (found,) = differences([before] if before else [], [after] if after else [])
    assert (found.kinds, found.points) == (kinds, points)
    assert found.row == (after or before)
    assert set(kinds) <= set(KINDS)


@pytest.mark.parametrize(
    ("before", "after"), [(Row(1), Row(1)), (unrated(1), unrated(1)), (None, unrated(1)), (unrated(1), None)]
)
def test_no_difference(before, after):
    assert list(differences([before] if before else [], [after] if after else [])) == []


@pytest.mark.parametrize("persons", [(2, 1), (1, 1)])
def test_rows_out_of_order_are_refused(persons):
    with pytest.raises(ValueError, match="sort the rows by person"):
        list(differences([Row(each) for each in persons], []))
    with pytest.raises(ValueError, match="sort the rows by person"):
        list(differences([], [Row(each) for each in persons]))


one_list = st.dictionaries(
    st.integers(1, 12),
    st.builds(
        Row,
        st.just(0),
        name=st.sampled_from(["A", "B"]),
        title=st.sampled_from(["", "FM"]),
        rating=st.none() | st.integers(1000, 1002),
    ),
)


@given(one_list, one_list)
def test_like_two_dictionaries_compared(before, after):
    """The merge of two streams finds what a look-up by person finds, each person once and in order."""
    before, after = ({pk: replace(row, person=pk) for pk, row in given.items()} for given in (before, after))
    expected = {
        pk: kinds for pk in sorted({*before, *after}) if (kinds := kinds_of(before.get(pk), after.get(pk)))
    }
    streams = (iter([given[pk] for pk in sorted(given)]) for given in (before, after))
    found = list(differences(*streams))
    assert [(each.row.person, each.kinds) for each in found] == list(expected.items())
    for each in found:
        assert (each.before, each.after) == (before.get(each.row.person), after.get(each.row.person))
