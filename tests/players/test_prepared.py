"""Prepared queries answer as their querysets do, whatever is asked."""

import tracemalloc
from datetime import date
from types import SimpleNamespace

import pytest
from django.db import connection, transaction
from django.db.models import Count, Exists, F, OuterRef, Q
from django.http import Http404
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from players import prepared as prepared_module
from players.models import Player, Title
from players.one_moment import one_moment
from players.prepared import _FIRST, MOST_KEYS, Prepared, attach, prepared
from tests.factories import make_federation, make_player

pytestmark = pytest.mark.django_db


@prepared
def people(keys):
    """Whole persons with what stands beside them."""
    titled = Exists(Title.objects.filter(player=OuterRef("pk")))
    rows = Player.objects.filter(pk__in=keys).select_related("federation", "merged_into")
    return rows.annotate(titled=titled).defer("given_key").order_by("-pk")


@prepared
def names(one, others):
    """The name of one and of others."""
    rows = Player.objects.filter(Q(pk=one) | Q(pk__in=others))
    return rows.order_by("pk").values_list("name", "pk")


def told(rows):
    fields = [field.attname for field in Player._meta.concrete_fields if field.attname != "given_key"]
    return [
        (
            [getattr(row, name) for name in fields],
            row.titled,
            row.federation.name,
            row.merged_into and row.merged_into.name,
            row.get_deferred_fields(),
            row._state.db,
            row._state.adding,
        )
        for row in rows
    ]


class SameAsPlain(TestCase):
    """Numbers of keys, keys that nobody has, keys twice, keys larger than any."""

    @classmethod
    def setUpTestData(cls):
        cls.own = [make_player(f"Player {n}", born=date(1980 + n, 1, 2)).pk for n in range(6)]
        Player.objects.filter(pk=cls.own[0]).update(merged_into=cls.own[1])
        Title.objects.create(player_id=cls.own[2], code="FM")

    @given(data=st.data())
    def test_rows(self, data):
        key = st.one_of(
            st.sampled_from(self.own), st.integers(0, 2**70), st.integers(_FIRST - 1, _FIRST + 2 * MOST_KEYS)
        )
        keys = data.draw(st.lists(key, max_size=9))
        possible = [each for each in keys if each < 2**63]  # SQLite cannot be asked for others
        assert told(people(keys)) == told(people.build(possible))
        one = data.draw(key)
        assert names(one, keys) == list(names.build(one, possible))


def test_no_keys_no_query(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert people([]) == []


def test_more_keys_than_are_prepared():
    keys = [make_player().pk for _ in range(MOST_KEYS + 3)]
    assert [row.pk for row in people(keys)] == keys[::-1]
    assert [row.pk for row in people(keys[:MOST_KEYS])] == keys[:MOST_KEYS][::-1]


def test_each_call_is_one_query_and_sees_what_is_there_now(django_assert_num_queries):
    one = make_player("First, Fiona")
    assert names(one.pk, [one.pk]) == [("First, Fiona", one.pk)]
    Player.objects.filter(pk=one.pk).update(name="Second, Fiona")
    with django_assert_num_queries(1):
        assert names(one.pk, [one.pk]) == [("Second, Fiona", one.pk)]


def test_constants_stay_what_they_are():
    """Quotes, percent signs and backslashes of a constant are neither values nor their places."""
    odd = "50 % d'Odd \\ %s %(x)s"
    one, other = make_player(odd), make_player("Plain, Paul")
    named = Player.objects.filter(name__contains=odd).values_list("name", flat=True)
    of_name = Prepared(lambda pk: named.filter(pk=pk))
    assert of_name(one.pk) == [odd]
    assert of_name(other.pk) == []


def test_a_query_without_values():
    make_federation("XBB")
    counted = Prepared(lambda: Player.objects.values_list("federation").annotate(n=Count("pk")))
    make_player(federation="XBB")
    assert ("XBB", 1) in counted()


def test_dates_and_expressions():
    one = make_player(born=date(1990, 5, 6))
    born = Prepared(
        lambda pk: Player.objects.filter(pk=pk, birth_date__gte=date(1990, 1, 1)).annotate(twice=F("pk") * 2)
    )
    assert [(row.birth_date, row.twice) for row in born(one.pk)] == [(date(1990, 5, 6), 2 * one.pk)]


@pytest.mark.parametrize(
    ("build", "fault"),
    [
        (lambda pk: Player.objects.all(), "not every value"),
        (lambda pk: Player.objects.filter(pk=pk).prefetch_related("titles"), "no other rows"),
        (lambda pk: Player.objects.filter(pk=pk).values("pk"), "no ValuesIterable"),
    ],
)
def test_what_cannot_be_prepared_says_so(build, fault):
    with pytest.raises(ValueError, match=fault):
        Prepared(build)(1)


def test_an_attached_relation_is_read_no_more(django_assert_num_queries):
    one = make_player()
    title = Title.objects.create(player=one, code="FM")
    attach(one, "titles", [title])
    with django_assert_num_queries(0):
        assert list(one.titles.all()) == [title]
    with django_assert_num_queries(1):
        assert one.titles.filter(code="GM").count() == 0


@pytest.mark.django_db(transaction=True)
def test_another_connection_and_a_rollback():
    one = make_player("Stays, Steve")
    assert people([one.pk])[0].name == "Stays, Steve"
    with transaction.atomic():
        Player.objects.filter(pk=one.pk).update(name="Never, Nelly")
        assert people([one.pk])[0].name == "Never, Nelly"
        transaction.set_rollback(True)
    assert people([one.pk])[0].name == "Stays, Steve"
    connection.close()
    assert people([one.pk])[0].name == "Stays, Steve"


@pytest.fixture
def statements():
    """How many statements PostgreSQL holds prepared for this connection."""
    if connection.vendor != "postgresql":
        return lambda: None

    def count():
        with connection.cursor() as cursor:
            of_players = "statement LIKE '%players_player%'"
            cursor.execute(f"SELECT count(*) FROM pg_prepared_statements WHERE {of_players}")
            return cursor.fetchone()[0]

    return count


def test_postgresql_prepares_once_for_all_keys(statements):
    keys = [make_player().pk for _ in range(3)]
    by_key = Prepared(lambda pk: Player.objects.filter(pk=pk, sex="m").order_by("-name"))
    before = statements()
    for key in (*keys, 40_000, 3_000_000_000):
        by_key(key)
    assert statements() == (None if before is None else before + 1)
    by_keys = Prepared(lambda keys: Player.objects.filter(pk__in=keys, sex="m").order_by("-name"))
    for some in ([1, 2], [1, 40_000], [40_000, 1], [3_000_000_000, 1]):
        by_keys(some)
    assert statements() == (None if before is None else before + 2)


def test_queries_are_logged_with_their_text():
    one = make_player()
    for _ in "12":
        with CaptureQueriesContext(connection) as asked:
            people([one.pk])
        assert f"({one.pk})" in asked[-1]["sql"]


def test_no_text_of_another_query_is_kept():
    """Those that store a file have all of it in their text."""
    by_key = Prepared(lambda pk: Player.objects.filter(pk=pk))
    tracemalloc.start()
    try:
        by_key(make_player().pk)
        before, _ = tracemalloc.get_traced_memory()
        with connection.cursor() as cursor:
            for n in range(20):
                cursor.execute("SELECT length(%s)", [f"{n:010d}" * 50_000])
                assert cursor.fetchone() == (500_000,)
        del cursor
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 5_000_000


class Pooled:
    """A connection through a pooler, as far as it tells who it is."""

    def __init__(self, held):
        self.execute = held.execute
        self.info = SimpleNamespace(backend_pid=held.info.backend_pid + 1)


def test_nothing_is_prepared_through_a_pooler(statements, monkeypatch):
    one = make_player("Pooled, Pola")
    by_key = Prepared(lambda pk: Player.objects.filter(pk=pk, sex="m").order_by("name", "pk"))
    if connection.vendor == "postgresql":
        assert prepared_module._is_direct(connection.connection)
        direct = prepared_module._is_direct(Pooled(connection.connection))
        assert not direct
        monkeypatch.setattr(connection.connection, "portal_direct", direct, raising=False)
    before = statements()
    assert [row.name for row in by_key(one.pk)] == ["Pooled, Pola"]
    assert statements() == before


@pytest.mark.django_db(transaction=True)
def test_a_page_that_is_missing_leaves_what_is_prepared(statements):
    one = make_player()
    by_key = Prepared(lambda pk: Player.objects.filter(pk=pk, sex="m").order_by("name", "-pk"))
    by_key(one.pk)
    before = statements()
    for fault in (Http404, ZeroDivisionError):
        with pytest.raises(fault), one_moment():
            raise fault
        assert connection.get_autocommit()
        if fault is Http404:
            assert statements() == before
    assert [row.pk for row in by_key(one.pk)] == [one.pk]
