"""The database finds whose rows differ, and what comes of it is what reading both lists whole says."""

from __future__ import annotations

import random
from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import Player
from ratinglists import differing
from ratinglists.changes import between
from ratinglists.differences import KINDS
from ratinglists.differing import differences_of
from ratinglists.models import ListRow
from tests import factories as make

pytestmark = pytest.mark.django_db
DAY = date(2022, 3, 1)


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    return tmp_path


def drawn(
    drawing: random.Random, system, players: list[Player], *, published: bool = True, revision: int = 1
):
    """A list of most of the players, of a rating, a name, a title … from few, so that some are as before."""
    rows = {
        player: {
            "rating": drawing.choice([None, 1900, 2000]),
            "status": drawing.choice(["active", "inactive"]),
            "change": drawing.choice([None, 5]),
        }
        for player in players
        if drawing.random() < 0.8
    }
    for fields in rows.values():
        if fields["rating"] is None:
            fields["status"] = "unrated"
    made = make.make_list(system, DAY, rows=rows, published=False, revision=revision)
    for row in made.rows.all():
        row.name = drawing.choice(["Alba, A", "Alba, Ana", row.name])
        row.title, row.women_title = drawing.choice(["", "FM"]), drawing.choice(["", "WFM"])
        row.federation = drawing.choice(["XAA", "XBB"])
        row.save()
    if published:
        make.publish(made)
    return made


@pytest.mark.parametrize("seed", range(12))
def test_it_says_what_both_lists_say(seed, monkeypatch):
    monkeypatch.setattr(differing, "_BATCH", 3)
    drawing, system = random.Random(seed), make.make_system()
    players = [make.make_player() for _ in range(16)]
    before = drawn(drawing, system, players)
    after = drawn(drawing, system, players, revision=2, published=seed % 3 > 0)
    for merged in players[:4]:
        Player.objects.filter(pk=merged.pk).update(merged_into=drawing.choice(players[4:]))
    expected = list(between(before, after))
    assert len(expected) > 3
    assert list(differences_of(before, after)) == expected
    assert list(differences_of(before, after)) == expected  # as it was kept


def test_every_kind_is_found_by_itself():
    """One column other, and nothing else: the comparison in the database leaves none out."""
    system = make.make_system()
    fields = {
        "rating": 2001,
        "name": "Otherwise",
        "federation": "XBB",
        "title": "GM",
        "women_title": "WGM",
        "status": "inactive",
    }
    players = {make.make_player(): name for name in fields}
    before = make.make_list(system, DAY, dict.fromkeys(players, 2000))
    after = make.make_list(system, DAY, dict.fromkeys(players, 2000), published=False, revision=2)
    for player, name in players.items():
        ListRow.objects.filter(rating_list=after, player=player).update(**{name: fields[name]})
    found = {each.row.record: each.kinds for each in differences_of(before, after)}
    assert found == {
        player.pk: ("title",) if "title" in name else (name,) for player, name in players.items()
    }
    assert {kind for kinds in found.values() for kind in kinds} == set(KINDS) - {"new", "gone"}


def test_two_published_lists_are_compared_once(own_folder):
    system, player = make.make_system(), make.make_player()
    before = make.make_list(system, DAY, {player: 2000})
    after = make.make_list(system, DAY, {player: 2010}, revision=2)
    assert [each.points for each in differences_of(before, after)] == [10]
    with CaptureQueriesContext(connection) as asked:
        assert [each.points for each in differences_of(before, after)] == [10]
    assert not any("EXISTS" in query["sql"] for query in asked)
    (file,) = (own_folder / "differing").iterdir()
    file.write_text("[1")  # cut off: compared again
    assert [each.points for each in differences_of(before, after)] == [10]


def test_a_draft_is_compared_each_time(own_folder):
    system, player = make.make_system(), make.make_player()
    before = make.make_list(system, DAY, {player: 2000})
    draft = make.make_list(system, DAY, {player: 2010}, published=False, revision=2)
    assert [each.points for each in differences_of(before, draft)] == [10]
    ListRow.objects.filter(rating_list=draft).update(rating=2020)
    assert [each.points for each in differences_of(before, draft)] == [20]
    assert not list(own_folder.iterdir())
