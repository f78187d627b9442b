"""Two records of one person, and one record of two: merge, split, undo, and what lists make of it."""

from __future__ import annotations

import random
from datetime import date

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection

from players import merging
from players.models import (
    FideListing,
    FormerName,
    Identifier,
    IdentityChange,
    IssuingBody,
    Membership,
    Player,
    Title,
)
from players.services import IdentityRefused, merge, split, undo
from ratinglists import triggers
from ratinglists.computation import is_stale
from ratinglists.models import ListRow, PooledSample, RatingList
from ratinglists.monitoring import flow_of, group_readings
from ratinglists.queries import facts_in_force
from ratinglists.register_export import register_rows
from tests import factories as make
from tests.pages import read
from tournaments.models import Arbiter, Entry, ReportNotice

pytestmark = pytest.mark.django_db
DAY = date(2022, 4, 1)


@pytest.fixture
def system():
    return make.make_system(name="Isles rapid")


@pytest.fixture
def officer():
    return make.make_user("", "players.merge_player")


def bare(name: str = "Vidal, Anna", **fields) -> Player:
    """A record without numbers, which every merge allows."""
    player = make.make_player(name, **fields)
    player.identifiers.all().delete()
    return player


def number(player: Player, value: str, issuer: str = "FIDE", one_each: bool = True) -> Identifier:
    body, _ = IssuingBody.objects.get_or_create(code=issuer, defaults={"name": issuer, "one_each": one_each})
    return Identifier.objects.create(player=player, issuer=body, value=value)


def event(system, players, games=((1, 1, 2, "1-0"),), **fields):
    tournament = make.make_tournament(system, **fields)
    make.make_report(tournament, players, list(games))
    return tournament


MODELS = (Player, Identifier, Title, Membership, FormerName, Entry, Arbiter, ReportNotice, ListRow)


def register() -> dict:
    """Every row that a merge or split may touch, with all its values."""
    return {model: list(model.objects.order_by("pk").values()) for model in MODELS}


def refused(act) -> str:
    with pytest.raises(IdentityRefused) as caught:
        act()
    return str(caught.value)


# --- what makes a merge impossible ------------------------------------------------------------------


def test_every_link_to_a_player_is_followed_or_left_on_purpose():
    assert merging.forgotten_links() == set()


def test_only_those_with_the_right_and_a_reason(officer):
    source, target = bare(), bare()
    with pytest.raises(PermissionDenied):
        merge(source, target, make.make_user(), "double")
    assert "reason" in refused(lambda: merge(source, target, officer, " \0 "))
    with pytest.raises(PermissionDenied):
        split(source, make.make_user(), "two", {})
    change = merge(source, target, officer, "double")
    with pytest.raises(PermissionDenied):
        undo(change, make.make_user(), "wrong")


def test_persons_who_differ(officer):
    target = bare(born=date(1990, 5, 4), sex="f")
    number(target, "9000001")
    for fields, word in (
        ({"born": 1991, "sex": "f"}, "born 1991, the other 1990"),
        ({"born": date(1990, 5, 5), "sex": "f"}, "born 1990-05-05, the other 1990-05-04"),
        ({"born": 1990, "sex": "m"}, "One is male, the other female"),
    ):
        before = register()
        other = bare(**fields)
        assert word in refused(lambda other=other: merge(other, target, officer, "double"))
        other.delete()
        assert register() == before
    other = bare(born=1990, sex="f")
    number(other, "9000002")
    assert "9000002 and 9000001" in refused(lambda: merge(other, target, officer, "double"))
    IssuingBody.objects.update(one_each=False)
    merge(other, target, officer, "double")
    assert {each.value for each in target.identifiers.all()} == {"9000001", "9000002"}


def test_two_accounts_the_same_record_and_merged_ones(officer):
    one, two, three = bare(), bare(), bare()
    assert "one and the same" in refused(lambda: merge(one, one, officer, "double"))
    Player.objects.filter(pk=one.pk).update(user=make.make_user())
    Player.objects.filter(pk=two.pk).update(user=make.make_user())
    assert "account" in refused(lambda: merge(one, two, officer, "double"))
    merge(one, three, officer, "double")
    assert "merged into" in refused(lambda: merge(one, two, officer, "double"))
    assert "merged into" in refused(lambda: merge(two, one, officer, "double"))


def test_who_met_at_a_board_or_stood_in_one_tournament(system, officer):
    one, two, third = bare(), bare(), bare("Roca, Jan")
    event(system, [one, two, third], [(1, 1, 2, "1-0"), (2, 1, 3, "1-0")], name="Harbour Open")
    text = refused(lambda: merge(one, two, officer, "double"))
    assert "They met at a board: Harbour Open (2022-03-05), round 1." in text
    text = refused(lambda: merge(two, third, officer, "double"))
    assert "Both stand in the entry list of Harbour Open" in text
    assert "met at a board" not in text


def test_records_that_met_through_a_merged_one(system, officer):
    one, two, third = bare(), bare(), bare("Roca, Jan")
    event(system, [one, third])
    merge(one, two, officer, "double")
    assert "met at a board" in refused(lambda: merge(two, third, officer, "double"))


def test_two_ratings_on_one_published_list(system, officer):
    one, two = bare(), bare()
    listed = make.make_list(system, DAY, {one: 1800, two: 1900})
    text = refused(lambda: merge(one, two, officer, "double"))
    assert "Both are rated on the list Isles rapid 2022-04-01 (1800 and 1900)" in text
    assert f"have each event that counts for {one} corrected" in text
    triggers.remove(connection)
    RatingList.objects.filter(pk=listed.pk).update(is_opening=True)
    assert "brought in and cannot be corrected" in refused(lambda: merge(one, two, officer, "double"))


# --- a merge ----------------------------------------------------------------------------------------


def test_a_merge_moves_everything_and_undoing_it_restores_every_row(system, officer):
    account = make.make_user()
    source = bare("Vidal, Ana", born=date(1990, 5, 4), sex="f", titles=("WFM", "CM"))
    target = bare("Vidal Roca, Anna", born=1990, sex="", titles=("WFM",))
    Player.objects.filter(pk=source.pk).update(user=account, otb_category="Primera")
    number(source, "55", "XAA")
    number(target, "9000001")
    FormerName.objects.create(player=source, name="Vidal, A.")
    home = make.make_federation()
    Membership.objects.create(player=source, federation=home, since=date(2010, 1, 1), until=date(2012, 1, 1))
    Membership.objects.create(player=source, federation=home, since=date(2020, 1, 1))
    Membership.objects.create(player=target, federation=home, since=date(2019, 1, 1))
    arbiter = make.make_arbiter("Vidal, Anna", player=source)
    played = event(system, [source, bare("Roca, Jan")])
    source.refresh_from_db()
    before = register()

    plan = merging.plan_merge(source, target)
    assert plan.obstacles == []
    change = merge(source, target, officer, "one person", digest=plan.digest)

    target.refresh_from_db(), source.refresh_from_db(), arbiter.refresh_from_db()
    assert (target.sex, target.birth_date, target.birth_precision) == ("f", date(1990, 5, 4), "day")
    assert (target.user, target.otb_category, source.user) == (account, "Primera", None)
    assert {str(each) for each in target.identifiers.all()} == {"XAA 55", "FIDE 9000001"}
    assert sorted(each.code for each in target.titles.all()) == ["CM", "WFM"]
    assert [each.code for each in source.titles.all()] == ["WFM"]
    assert target.memberships.count() == 2
    assert source.memberships.count() == 1
    assert {each.name for each in target.former_names.all()} == {"Vidal, A.", "Vidal, Ana"}
    assert arbiter.player == target
    assert played.entries.filter(player=target).exists()
    assert not played.entries.filter(player=source).exists()
    assert source.merged_into == target
    assert (change.by, change.reason, change.moved["rows"]["entries"]) == (
        officer,
        "one person",
        [played.entries.get(player=target).pk],
    )

    notes = " ".join(merging.plan_undo(change).notes)
    assert "becomes empty again, unless it was changed since: sex, birth date, birth precision" in notes
    assert "Vidal, Ana is no longer a former name of Vidal Roca, Anna." in notes
    undo(change, officer, "two persons")
    assert register() == before
    change.refresh_from_db()
    assert (change.undone_by, change.undone_why) == (officer, "two persons")
    assert "undone already" in refused(lambda: undo(change, officer, "again"))


def test_what_staff_entered_since_is_kept_when_a_merge_is_undone(officer):
    source, target = bare(born=1990, sex="f"), bare(born=None, sex="")
    change = merge(source, target, officer, "double")
    Player.objects.filter(pk=target.pk).update(birth_date=date(1991, 1, 1))
    undo(change, officer, "two persons")
    target.refresh_from_db()
    assert (target.birth_date, target.birth_precision, target.sex) == (date(1991, 1, 1), "year", "")


def test_a_preview_that_no_longer_holds_does_nothing(system, officer):
    source, target = bare(), bare()
    plan = merging.plan_merge(source, target)
    event(system, [source, bare("Roca, Jan")])
    before = register()
    assert "since the preview" in refused(lambda: merge(source, target, officer, "x", digest=plan.digest))
    assert register() == before


def test_merges_are_undone_in_the_order_in_which_they_were_not_done(client, officer):
    first, second, third = bare(), bare(), bare()
    number(first, "77", "XAA")
    one = merge(first, second, officer, "double")
    two = merge(second, third, officer, "double")
    for old in (first, second):
        response = client.get(f"/players/{old.pk}/?page=2")
        assert response.status_code == 301
        assert response["Location"] == f"/players/{third.pk}/?page=2"
        assert response["Cache-Control"] == "no-cache"
    assert "Undo first what was done later" in refused(lambda: undo(one, officer, "wrong"))
    undo(two, officer, "wrong")
    assert client.get(f"/players/{first.pk}/games/")["Location"] == f"/players/{second.pk}/games/"
    assert client.get(f"/players/{third.pk}/").status_code == 200
    undo(one, officer, "wrong")
    for player in (first, second, third):
        assert client.get(f"/players/{player.pk}/").status_code == 200
    assert first.identifiers.get().value == "77"


@pytest.mark.parametrize("seed", range(8))
def test_any_merges_undone_from_the_last_to_the_first_leave_no_trace(system, officer, seed):
    chance = random.Random(seed)
    IssuingBody.objects.create(code="XAA", name="Isles", one_each=False)
    players = [bare(f"Vidal, Anna {chr(65 + n)}") for n in range(6)]
    for place, player in enumerate(players):
        number(player, f"{seed}{place}", "XAA")
        event(system, [player, bare(f"Roca, Jan {chr(65 + place)}")])
        if chance.random() < 0.5:
            Title.objects.create(player=player, code="CM")
    states, changes = [register()], []
    for _ in range(12):
        source, target = chance.sample(players, 2)
        try:
            changes.append(merge(source, target, officer, "double"))
        except IdentityRefused:
            continue
        states.append(register())
        standing = set(Player.objects.filter(merged_into=None).values_list("pk", flat=True))
        merged = Player.objects.exclude(merged_into=None)
        assert {each.merged_into_id for each in merged} <= standing
        assert not Entry.objects.filter(player__in=merged).exists()
    assert changes
    for change in reversed(changes):
        assert register() == states.pop()
        undo(change, officer, "wrong")
    assert register() == states.pop()


# --- lists ------------------------------------------------------------------------------------------


def test_ratings_in_force_are_those_of_all_records(system, officer):
    source, target, other = bare(), bare(), bare("Roca, Jan")
    rows = {
        source: {"rating": 1800, "career_games": 20, "highest_rating": 1900, "games_by_period": [5, 4]},
        target: {"career_games": 7, "games_by_period": [1], "inactive_lists": 2},
    }
    first = make.make_tournament(system, start=date(2022, 1, 2))
    make.make_list(system, date(2022, 2, 1), {source: 1800}, events={first: {target: {"met_rated": True}}})
    make.make_list(system, DAY, rows=rows)
    merge(source, target, officer, "double")
    facts = facts_in_force(system, [target.pk, other.pk], date(2022, 4, 2))
    mine = facts[target.pk]
    assert (mine.rating, mine.career_games, mine.highest_rating) == (1800, 27, 1900)
    assert not mine.first_event
    assert facts[other.pk].rating is None
    assert facts[other.pk].first_event


def test_the_next_list_computes_as_if_there_had_always_been_one_record(system, officer):
    lists = {}
    for merged in (False, True):
        own = make.make_system(f"rapid-{merged}", name=f"Rapid {merged}")
        source, rival = bare("Vidal, Anna"), bare("Roca, Jan")
        target = bare("Vidal, Anna") if merged else source
        make.make_list(own, date(2022, 3, 1), {source: 1800, rival: 1850})
        event(own, [target, rival], start=date(2022, 3, 5))
        if merged:
            merge(source, target, officer, "double")
        listed = make.rate_and_list(make.make_period(own, DAY))
        lists[merged] = [
            (row.name, row.rating, row.change, row.games, row.career_games, row.k, row.highest_rating)
            for row in listed.rows.order_by("name")
        ]
        assert {row.player_id for row in listed.rows.all()} == {target.pk, rival.pk}
    assert lists[True] == lists[False]
    assert lists[True][1][2] is not None


def test_samples_of_both_records_make_one_first_rating(system, officer):
    source, target = bare(), bare()
    listed = make.make_list(system, date(2022, 3, 1), {source: None, target: None}, published=False)
    for player in (source, target):
        PooledSample.objects.create(
            rating_list=listed,
            player=player,
            event=f"{player.pk}.1",
            list_date=date(2022, 3, 1),
            performance="1700",
            games=3,
            score="1.5",
            opponents=["1700"] * 3,
        )
    make.publish(listed)
    merge(source, target, officer, "double")
    row = make.rate_and_list(make.make_period(system, DAY)).rows.get()
    assert row.player == target
    assert row.rating is not None


def test_a_draft_made_before_a_merge_or_its_undoing_is_stale(system, officer):
    source, target = bare(), bare()
    make.make_list(system, date(2022, 3, 1), {source: 1800})
    period = make.make_period(system, DAY)
    assert not is_stale(draft := make.rate_and_list(period, published=False))
    change = merge(source, target, officer, "double")
    assert is_stale(draft)
    assert not is_stale(draft := make.rate_and_list(period, published=False))
    undo(change, officer, "wrong")
    assert is_stale(draft)


def test_the_page_of_the_kept_record_shows_the_lists_and_events_of_both(client, system, officer):
    source, target, rival = bare("Vidal, Ana"), bare("Vidal, Anna"), bare("Roca, Jan")
    number(source, "9000001")
    make.make_list(system, date(2022, 2, 1), {source: 1800, rival: 1850})
    played = event(system, [source, rival], start=date(2022, 2, 5), name="Harbour Open")
    make.rate_and_list(make.make_period(system, date(2022, 3, 1)))
    before = list(ListRow.objects.order_by("pk").values())
    crosstable = read(client, f"/tournaments/{played.pk}/")
    merge(source, target, officer, "double")
    assert list(ListRow.objects.order_by("pk").values()) == before

    page = read(client, f"/players/{target.pk}/")
    assert "Harbour Open" in page
    assert "2022-02-01 as Vidal, Ana 1800" in page
    assert "Formerly Vidal, Ana" in page
    assert "9000001" in page
    assert "Harbour Open" in read(client, f"/players/{target.pk}/games/")
    own = f"/players/{target.pk}/events/{played.pk}/"
    assert client.get(f"/players/{source.pk}/events/{played.pk}/")["Location"] == own
    assert "Harbour Open" in read(client, own)
    assert read(client, f"/tournaments/{played.pk}/") == crosstable.replace("Vidal, Ana", "Vidal, Anna")
    assert "Vidal, Anna" in read(client, f"/players/{rival.pk}/events/{played.pk}/")
    found = read(client, "/players/?q=vidal+ana")
    assert "Vidal, Anna formerly Vidal, Ana" in found
    assert found.count("Vidal, Ana ") == 1
    assert "Vidal, Ana" in read(client, "/lists/rapid/2022-03-01/?q=9000001")


# --- a split ----------------------------------------------------------------------------------------


def test_a_split_moves_what_is_chosen_and_says_what_lists_keep(client, system, officer):
    player, rival = bare("Murphy, David"), bare("Byrne, Sean")
    mine, his = number(player, "1", "XAA", one_each=False), number(player, "2", "XAA")
    make.make_list(system, date(2022, 2, 1), {player: 1800, rival: 1850})
    counted = event(system, [player, rival], start=date(2022, 2, 5), name="Harbour Open")
    make.rate_and_list(make.make_period(system, date(2022, 3, 1)))
    coming = event(system, [player, rival], start=date(2022, 3, 5), name="Island Open")
    own = event(system, [player, rival], start=date(2022, 3, 6), name="Third Open")
    entries = [t.entries.get(player=player).pk for t in (counted, coming)]
    crosstable = read(client, f"/tournaments/{counted.pk}/")
    before = register()

    assert "Nothing is chosen" in refused(lambda: split(player, officer, "two", {}))
    chosen = {"identifiers": [his.pk], "entries": entries}
    plan = merging.plan_split(player, chosen)
    assert any("Harbour Open is counted in the list Isles rapid 2022-03-01" in note for note in plan.notes)
    assert any("1 of these tournaments is not counted yet" in note for note in plan.notes)
    change = split(player, officer, "two", chosen, birth_date=date(1984, 1, 1), birth_precision="year")

    other = change.target
    assert (other.name, other.birth_year) == ("Murphy, David", 1984)
    assert [each.value for each in other.identifiers.all()] == ["2"]
    assert list(player.identifiers.all()) == [mine]
    assert own.entries.filter(player=player).exists()
    assert coming.entries.filter(player=other).exists()
    for pk in (player.pk, other.pk):
        page = read(client, f"/players/{pk}/")
        assert "Two persons once stood in one record" in page
        assert "Harbour Open, in the list Isles rapid 2022-03-01" in page
    assert read(client, f"/tournaments/{counted.pk}/") == crosstable
    listed = make.rate_and_list(make.make_period(system, DAY))
    assert listed.rows.get(player=player).games == 1
    assert listed.rows.get(player=other).rating is None

    text = refused(lambda: undo(change, officer, "one after all"))
    assert "merge the two records instead" in text
    assert before[Entry] != register()[Entry]


def test_undoing_a_split_leads_its_address_back(client, system, officer):
    player = bare("Murphy, David")
    his = number(player, "2", "XAA")
    event(system, [player, bare("Byrne, Sean")])
    before = register()
    change = split(player, officer, "two", {"identifiers": [his.pk]}, name="Murphy, Daniel")
    undo(change, officer, "one after all")
    other = change.target
    assert client.get(f"/players/{other.pk}/")["Location"] == f"/players/{player.pk}/"
    after = register()
    after[Player] = [row for row in after[Player] if row["id"] != other.pk]
    assert after == before


def test_a_split_record_that_has_got_more_is_not_dissolved(officer):
    player = bare("Murphy, David")
    his = number(player, "2", "XAA")
    change = split(player, officer, "two", {"identifiers": [his.pk]})
    Title.objects.create(player=change.target, code="FM")
    assert "has got 1 more of: titles" in refused(lambda: undo(change, officer, "one"))
    change.target.titles.all().delete()
    later = merge(change.target, bare("Murphy, David"), officer, "double")
    assert "Undo first" in refused(lambda: undo(change, officer, "one"))
    undo(later, officer, "no")
    undo(change, officer, "one")


def test_what_is_chosen_has_to_be_the_players(officer):
    player, other = bare(), bare()
    foreign = number(other, "2", "XAA")
    text = refused(lambda: split(player, officer, "two", {"identifiers": [foreign.pk]}))
    assert "1 of the chosen numbers are not (any more) this player's." in text
    merge(player, other, officer, "double")
    assert "undo that merge" in refused(lambda: split(player, officer, "two", {"identifiers": [foreign.pk]}))


def test_a_list_published_after_a_merge_is_told_when_it_is_undone(system, officer):
    source, target, rival = bare(), bare(), bare("Roca, Jan")
    make.make_list(system, date(2022, 2, 1), {source: 1800, rival: 1850})
    event(system, [source, rival], start=date(2022, 2, 5), name="Harbour Open")
    change = merge(source, target, officer, "double")
    IdentityChange.objects.filter(pk=change.pk).update(at="2022-02-20T00:00:00Z")
    change.refresh_from_db()
    listed = make.rate_and_list(make.make_period(system, date(2022, 3, 1)), published=False)
    listed.computed_at = listed.computed_at.replace(year=2022, month=3, day=1)
    make.publish(listed)
    notes = " ".join(merging.plan_undo(change).notes)
    assert "The list Isles rapid 2022-03-01 was published meanwhile and counts both as one" in notes
    assert "Harbour Open is counted in the list Isles rapid 2022-03-01" in notes
    stranger = merge(bare("Roca, J."), rival, officer, "double")
    IdentityChange.objects.filter(pk=stranger.pk).update(at="2022-02-20T00:00:00Z")
    stranger.refresh_from_db()
    assert "as one person" not in " ".join(merging.plan_undo(stranger).notes)
    undo(stranger, officer, "wrong")
    undo(change, officer, "two persons")


def test_the_figures_of_drift_follow_a_person_through_a_merge(system, officer):
    source, target, rival = bare(), bare(), bare("Roca, Jan")
    make.make_list(system, date(2022, 1, 1), {rival: 1500})
    first = make.make_list(system, date(2022, 2, 1), {source: 1800, rival: 1500})
    second = make.make_list(system, date(2022, 3, 1), {target: 1820, rival: 1500})
    assert second.previous == first
    before = flow_of(second)
    assert (before.newcomers.players, before.departures.players) == (1, 1)
    merge(source, target, officer, "double")
    after = flow_of(second)
    assert (after.newcomers.players, after.departures.players) == (0, 0)
    readings = group_readings(second, first, [first], 2)
    assert [reading.still_rated for reading in readings] == [2, 2]


def test_an_export_of_the_register_has_the_rating_of_a_merged_record(system, officer):
    source, target = bare(), bare()
    number(target, "9000001")
    listed = make.make_list(system, DAY, {source: 1800})
    FideListing.objects.create(player=source, list_date=date(2022, 1, 1), rapid=1750)
    FideListing.objects.create(player=source, list_date=date(2022, 2, 1), rapid=1760)
    FideListing.objects.create(player=target, list_date=date(2022, 2, 1), rapid=0)
    change = merge(source, target, officer, "double")
    (row,) = register_rows(make.root(), {"rapid": listed})
    assert (row.number, row.rapid.rating) == ("9000001", 1800)
    assert target.fide_listings.count() == 2
    undo(change, officer, "two persons")
    (row,) = register_rows(make.root(), {"rapid": listed})
    assert row.rapid.rating is None
    assert source.fide_listings.count() == 2
