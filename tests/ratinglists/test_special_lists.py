"""The lists beside a rating list: who stands in them, in which order and columns."""

from datetime import date

import pytest

from ratinglists import files, special
from regulations import registry
from regulations.model import ListInput, ListPlayer
from tests import factories as make

pytestmark = pytest.mark.django_db
MARCH, APRIL = date(2022, 3, 1), date(2022, 4, 1)


def table(listed, kind: str) -> list[dict]:
    found = special.SPECIAL[kind].table(listed)
    return [dict(zip([column.key for column in found.columns], row, strict=True)) for row in found.rows()]


def names(listed, kind: str) -> list[str]:
    return [row["name"] for row in table(listed, kind)]


@pytest.fixture
def system():
    make.make_federation("XBB", "Bay of Bellows")
    return make.make_system("rapid", name="Isles rapid")


def test_the_top_has_active_players_only_and_ranks_equals_by_games(system):
    """A 9.23d: who is inactive is not in the Top list. Equal ratings: more games first."""
    few, many, idle, new = (make.make_player(f"{name}, X") for name in ("Few", "Many", "Idle", "New"))
    listed = make.make_list(
        system,
        MARCH,
        rows={
            few: {"rating": 2400, "games": 2},
            many: {"rating": 2400, "games": 9},
            idle: {"rating": 2800, "status": "inactive", "flags": ["i"]},
            new: {"rating": 2700, "status": "provisional"},
        },
    )
    rows = table(listed, "top")
    assert [(row["rank"], row["name"]) for row in rows] == [(1, "Many, X"), (2, "Few, X")]
    assert rows[0]["player"] == many.pk
    assert names(listed, "inactive") == ["Idle, X"]


def test_a_tie_at_the_hundredth_place_is_read_whole(system, monkeypatch):
    """Of equals at the end those with more games come in, whatever their names."""
    monkeypatch.setattr(special, "TOP", 2)
    first, last, better = (make.make_player(name) for name in ("Ana, A", "Bob, B", "Zoe, Z"))
    listed = make.make_list(
        system,
        MARCH,
        rows={
            first: {"rating": 2500},
            last: {"rating": 2400, "games": 1},
            better: {"rating": 2400, "games": 5},
        },
    )
    assert names(listed, "top") == ["Ana, A", "Zoe, Z"]
    assert names(listed, "top-federations") == ["Ana, A", "Zoe, Z"]


def test_women_men_and_juniors(system):
    """Of 2022: born in 2002 or later is under 20 when the year began."""
    given = {"Ana": ("f", 2002), "Bo": ("m", 2001), "Cy": ("m", 2010), "Di": ("", None)}
    people = {name: make.make_player(f"{name}, X", sex=sex, born=born) for name, (sex, born) in given.items()}
    listed = make.make_list(system, MARCH, {each: 2000 + n for n, each in enumerate(people.values())})
    assert names(listed, "top") == ["Di, X", "Cy, X", "Bo, X", "Ana, X"]
    assert names(listed, "top-women") == ["Ana, X"]
    assert names(listed, "top-men") == ["Cy, X", "Bo, X"]
    assert names(listed, "top-juniors") == ["Cy, X", "Ana, X"]


def test_each_federation_has_its_own_top(system):
    one, two, three = (
        make.make_player(f"{n}, X", federation=f) for n, f in zip("ABC", ("XBB", "XAA", "XBB"), strict=True)
    )
    listed = make.make_list(system, MARCH, {one: 2000, two: 2100, three: 2200})
    rows = table(listed, "top-federations")
    assert [(row["federation"], row["rank"], row["name"]) for row in rows] == [
        ("XAA", 1, "B, X"),
        ("XBB", 1, "C, X"),
        ("XBB", 2, "A, X"),
    ]


def test_newcomers_are_rated_for_the_first_time(system):
    """Who had a rating once and lost it comes back, and is no newcomer; the first list has none."""
    old, back, fresh, late = (make.make_player(f"{name}, X") for name in ("Old", "Back", "Fresh", "Late"))
    first = make.make_list(
        system, MARCH, rows={old: {"rating": 2000}, back: {"highest_rating": 1900}, late: {"rating": None}}
    )
    assert "newcomers" not in special.kinds_of(first)
    assert "changes" not in special.kinds_of(first)
    listed = make.make_list(system, APRIL, {old: 2000, back: 1800, fresh: 1700, late: 1750})
    assert list(special.kinds_of(listed)) == list(special.SPECIAL)
    assert names(listed, "newcomers") == ["Late, X", "Fresh, X"]
    assert [row["changed"] for row in table(listed, "changes")] == ["new", "new", "new"]


@pytest.mark.parametrize(
    ("regulation", "status", "article"),
    [
        ("fide-standard-2004", "delisted", "9.21"),
        ("fide-rapid-blitz-2018", "delisted", "7.21"),
        ("fide-rapid-blitz-2022", "unrated", "6.21"),
        ("feda-1996", "delisted", "8.21"),
    ],
)
def test_who_lost_his_rating_stands_with_the_article(regulation, status, article):
    """As the regulation itself words it: the row is made by its own computation."""
    rules = registry.get(regulation)
    floor = rules.floor
    day = date(2022, 7, 1)
    (row,) = rules.next_list(ListInput(day, (ListPlayer("1", floor - 10, career_games=50),))).players
    system = make.make_system("s", regulation=regulation)
    gone, unrated = make.make_player("Gone, G"), make.make_player("Never, N")
    steps = [{"article": s.article, "label": s.label, "value": s.value, "text": s.text} for s in row.steps]
    listed = make.make_list(
        system,
        day,
        rows={gone: {"rating": None, "status": row.status, "steps": steps, "change": "0"}, unrated: {}},
    )
    (found,) = table(listed, "delisted")
    assert (found["name"], found["status"], found["article"]) == ("Gone, G", status, article)
    assert f"below {floor}" in found["reason"]
    assert "rating" not in found


def test_titled_players_without_a_rating(system):
    master, nobody = make.make_player("Ma, Ster", titles=("FM",)), make.make_player()
    listed = make.make_list(system, MARCH, rows={master: {"status": "titled-unrated"}, nobody: {}})
    (row,) = table(listed, "titled-unrated")
    assert (row["name"], row["title"]) == ("Ma, Ster", "FM")
    assert not {"rating", "games", "k"} & set(row)


@pytest.mark.parametrize(("regulation", "shown"), [("fide-standard-2004", False), ("feda-1996", True)])
def test_the_long_inactive(regulation, shown):
    """A 9.23b drops them after seven lists; F 8.22.b publishes them as inactive with the list."""
    system = make.make_system("s", regulation=regulation)
    idle = make.make_player("Idle, I")
    fields = {"rating": 2000, "status": "inactive", "flags": ["i", "not-shown"]}
    listed = make.make_list(system, date(2022, 7, 1), rows={idle: fields})
    assert names(listed, "inactive") == (["Idle, I"] if shown else [])


def test_changes_say_what_was_before(system):
    up, moved, gone = (make.make_player(f"{name}, X") for name in ("Up", "Moved", "Gone"))
    make.make_list(system, MARCH, {up: 2000, moved: 1900, gone: 1800})
    moved.federation_id, moved.name = "XBB", "Moved, Y"
    moved.save()
    listed = make.make_list(
        system, APRIL, rows={up: {"rating": 2012}, moved: {"rating": 1900}, gone: {"status": "delisted"}}
    )
    found = [
        (r["changed"], r["name"], r["rating_before"], r["rating"], r["difference"], r["before"])
        for r in table(listed, "changes")
    ]
    assert found == [
        ("gone", "Gone, X", 1800, "", None, "status active"),
        ("rating", "Up, X", 2000, 2012, 12, ""),
        ("federation, name", "Moved, Y", 1900, 1900, None, "federation XAA; name Moved, X"),
    ]


def test_printed_columns_and_ratings_are_those_of_the_text():
    """A 15c publishes three digits; F 8.12.a neither K nor sex, but the status."""
    short = make.make_system("short", regulation="fide-rapid-2004")
    player = make.make_player("Alba, Ana")
    make.make_list(short, date(2004, 4, 1), {player: 2143})
    listed = make.make_list(short, date(2004, 7, 1), {player: 2148})
    assert [row["rating"] for row in table(listed, "top")] == [214]
    (change,) = table(listed, "changes")
    assert (change["rating_before"], change["rating"], change["difference"]) == (214, 214, 5)
    feda = make.make_system("feda", regulation="feda-1996")
    listed = make.make_list(feda, date(2004, 7, 1), {player: 2145})
    (row,) = table(listed, "top")
    assert {"status", "born"} < set(row)
    assert not {"k", "sex"} & set(row)


def test_every_special_list_is_a_file(system):
    player = make.make_player()
    make.make_list(system, MARCH, {player: 2000})
    listed = make.make_list(system, APRIL, {player: 2010}, published=False)
    made = {spec.name: b"".join(spec.chunks()) for spec in files.files_of(listed)}
    stem = "rapid-2022-04-01"
    assert list(made) == [
        *(f"{stem}.{ending}" for ending in ("csv", "txt", "xml", "xlsx", "pdf")),
        *(f"{stem}-{kind}.csv" for kind in special.SPECIAL),
    ]
    assert made[f"{stem}-top.csv"].splitlines()[1].startswith(b"1,")
    assert {name: b"".join(spec.chunks()) for spec in files.files_of(listed) for name in [spec.name]} == made
