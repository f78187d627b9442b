"""Typed readers of JSON: each takes what it should up to its borders and names every error."""

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest

from regulations import reading
from regulations.reading import BAD, BadInput, Problem


def read(reader, value, path="x"):
    """The value, or the errors as pairs."""
    errors = []
    found = reader(value, path, errors)
    assert (found is BAD) is bool(errors)
    return found if not errors else [(each.path, each.message) for each in errors]


def refused(message, path="x"):
    return [(path, message)]


def test_errors_read_as_one_line():
    error = BadInput([Problem("a", "is missing"), Problem("b[0]", "must be a list")])
    assert str(error) == "a: is missing; b[0]: must be a list"
    assert error.problems == [Problem("a", "is missing"), Problem("b[0]", "must be a list")]


def test_decimals_are_read_exactly_and_nan_stands_for_no_number():
    assert reading.load(b'{"a": 0.1, "b": [1, "\xc3\xa9"]}') == {"a": Decimal("0.1"), "b": [1, "é"]}
    assert reading.load(b"\xef\xbb\xbf1") == 1
    assert reading.load(b"NaN").name == "NaN"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"ab\xff", "not UTF-8: byte 3 cannot be read"),
        (b"[" * 100_000, "nested too deeply"),
        (b"", "not JSON: Expecting value: line 1 column 1 (char 0)"),
    ],
)
def test_what_is_not_json(data, message):
    with pytest.raises(BadInput) as caught:
        reading.load(data)
    assert caught.value.problems == [Problem("", message)]


def test_keys_that_are_there_twice_are_noted_by_every_reader_of_objects():
    message = "is there twice in one object: keep one"
    given = reading.load(b'{"a": 1, "c": 1, "b": 1, "c": 2, "b": 3, "c": 4}')
    count = reading.integer(0, 9)
    for reader in (reading.mapping(count), reading.record(dict.fromkeys("abc", count), {}, dict)):
        errors = []
        assert reader(given, "x", errors) is BAD
        assert errors == [Problem("x.c", message), Problem("x.b", message)]
    inner = reading.load(b'[{"n": {"a": 1, "a": "2"}}]')
    errors = []
    assert reading.listed(reading.record({"n": reading.mapping(count)}, {}, dict))(inner, "", errors) is BAD
    assert [each.path for each in errors] == ["[0].n.a", "[0].n.a"]
    assert errors[1].message == "must be an integer"


def test_texts():
    any_text, name = reading.text(), reading.text(empty=False)
    assert read(any_text, "") == ""
    assert read(any_text, " ~\ud7ff\ue000") == " ~\ud7ff\ue000"
    assert read(any_text, "x" * 200) == "x" * 200
    assert read(any_text, "x" * 201) == refused("must not be longer than 200 characters")
    assert read(reading.text(longest=3), "abcd") == refused("must not be longer than 3 characters")
    assert read(reading.text(longest=3), "abc") == "abc"
    for bad in ("\x1f", "a\n", "\ud800", "\udfff"):
        assert read(any_text, bad) == refused("must not hold control characters or half characters")
    assert read(name, "a") == "a"
    assert read(name, "") == refused("must not be empty")
    for bad in (1, None, [], b"a"):
        assert read(any_text, bad) == refused("must be a string")


def test_choices():
    reader = reading.one_of(("swiss", "match"))
    assert read(reader, "match") == "match"
    for bad in ("cup", None, 1, ["match"]):
        assert read(reader, bad) == refused("must be one of swiss, match")


def test_integers():
    reader = reading.integer(1, 4000)
    assert [read(reader, each) for each in (1, 4000)] == [1, 4000]
    for bad in (0, 4001):
        assert read(reader, bad) == refused("must be from 1 to 4000")
    for bad in (True, "1", Decimal("1.0"), None):
        assert read(reader, bad) == refused("must be an integer")


def test_truth():
    assert read(reading.boolean, True) is True
    assert read(reading.boolean, False) is False
    for bad in (0, "true", None):
        assert read(reading.boolean, bad) == refused("must be true or false")


def test_numbers():
    reader = reading.number(-1, 10**30)
    assert read(reader, 3) == 3
    assert read(reader, "2/3") == Fraction(2, 3)
    assert read(reader, Decimal("0.1")) == Fraction(1, 10)
    assert read(reader, Decimal("1e30")) == 10**30
    assert read(reader, Decimal("1e-30")) == Fraction(1, 10**30)
    assert read(reader, -1) == -1
    for bad in (-2, "-1.0001", 10**30 + 1):
        assert read(reader, bad) == refused(f"must be from -1 to {10**30}")
    for bad in (Decimal("1e31"), Decimal("1e-31"), True, None, []):
        assert read(reader, bad) == refused('must be an exact number in a string, such as "2.5"')
    assert read(reader, "2,5") == refused('"2,5" is not an exact number such as "2.5"')
    assert type(read(reader, 3)) is Fraction


def test_days():
    assert read(reading.day, "2004-02-29") == date(2004, 2, 29)
    assert read(reading.day, "1900-01-01") == date(1900, 1, 1)
    assert read(reading.day, "2199-12-31") == date(2199, 12, 31)
    for bad in ("1899-12-31", "2200-01-01"):
        assert read(reading.day, bad) == refused("must lie in the years 1900 to 2199")
    assert read(reading.day, "2003-02-29") == refused("is not a day of the calendar")
    for bad in ("20040229", "2004-2-29", "2004-02-29T00", "2004-02-2\u0669", 5, None):
        assert read(reading.day, bad) == refused("must be a date YYYY-MM-DD")


def test_null_only_where_it_may_stand():
    assert read(reading.optional(reading.boolean), None) is None
    assert read(reading.optional(reading.boolean), True) is True
    assert read(reading.optional(reading.boolean), 1) == refused("must be true or false")


def test_lists():
    reader = reading.listed(reading.integer(0, 9), least=1, most=3)
    assert read(reader, [1]) == (1,)
    assert read(reader, [1, 2, 3]) == (1, 2, 3)
    for bad in ([], [1, 2, 3, 4]):
        assert read(reader, bad) == refused("must have from 1 to 3 entries")
    assert read(reader, {}) == refused("must be a list")
    assert read(reader, [1, 10, "a"]) == [("x[1]", "must be from 0 to 9"), ("x[2]", "must be an integer")]
    assert read(reading.listed(reading.boolean), []) == ()
    assert read(reading.listed(lambda value, path, errors: value), [None] * 1_000_000) is not None
    assert read(reading.listed(reading.boolean), [None] * 1_000_001) == refused(
        "must have from 0 to 1000000 entries"
    )


def test_objects_with_free_keys():
    reader = reading.mapping(reading.integer(0, 9))
    assert read(reader, {"a": 1, "b": 2}) == {"a": 1, "b": 2}
    assert read(reader, {}) == {}
    assert read(reader, []) == refused("must be an object")
    assert read(reader, {"a": 10, "b": 2}) == refused("must be from 0 to 9", "x.a")


def test_objects_with_known_keys():
    reader = reading.record(
        {"id": reading.text()}, {"games": reading.integer(0, 9)}, lambda **values: sorted(values.items())
    )
    assert read(reader, {"id": "a"}) == [("id", "a")]
    assert read(reader, {"games": 3, "id": "a"}, "") == [("games", 3), ("id", "a")]
    assert read(reader, []) == refused("must be an object")
    assert read(reader, {"games": 10}, "p[0]") == [
        ("p[0].games", "must be from 0 to 9"),
        ("p[0].id", "is missing"),
    ]
    assert read(reader, {"id": "a", "é" + "b" * 60: 1}, "") == [
        ("\\xe9" + "b" * 56, "unknown key; known are id, games")
    ]
    assert read(reader, {"id": "a", "k": 1}) == [("x.k", "unknown key; known are id, games")]
