"""A large period goes by columns, and its list is the one that the event by event way makes."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import connection
from django.urls import reverse

from players.models import Player
from ratinglists import bulk_drafts, bulk_inputs, corrections, profiles, rowio, services
from ratinglists.calculations import calculations
from ratinglists.crosstables import crosstable
from ratinglists.explaining import explain_results, explain_rows
from ratinglists.models import Job, ListRow, PlayerResult, RatingList
from tests.factories import RAPID
from tests.ratinglists import bulk_world
from tests.ratinglists.corrected import World, computed, published
from tests.ratinglists.test_corrections import GAMES, LATER, RIGHT

pytestmark = pytest.mark.django_db


def compute(period, settings, at_once: int) -> RatingList:
    settings.PORTAL_EXPLAIN_AT_ONCE = at_once
    job = services.request_compute(period)
    services.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.message
    return period.lists.get()


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("code", bulk_world.TEXTS)
def test_both_ways_give_one_list(code, seed, settings):
    period = bulk_world.build(code, seed)
    stored = bulk_world.figures(compute(period, settings, 10**9))
    made = compute(period, settings, 0)
    assert made.report["explanations"] == "on demand"
    found = bulk_world.figures(made)
    assert found["events"] == stored["events"]
    assert found["rows"] == stored["rows"]
    assert found == stored
    assert len(stored["rows"]) > 20
    assert len(stored["events"]) > 5


def test_merged_records_are_one_person_both_ways(settings):
    period = bulk_world.build("fide-rapid-blitz-2022", 7)
    listed = list(Player.objects.filter(list_rows__rating_list__period__system=period.system).distinct())
    entered = [player for player in listed if player.entries.exists()]
    Player.objects.filter(pk=next(p for p in listed if p not in entered).pk).update(merged_into=entered[0])
    stored = bulk_world.figures(compute(period, settings, 10**9))
    assert bulk_world.figures(compute(period, settings, 0)) == stored


def test_rows_come_and_go_in_batches(settings, monkeypatch):
    """Reading and writing take turns on one connection, wherever a batch ends."""
    period = bulk_world.build("fide-standard-2024", 6)
    stored = bulk_world.figures(compute(period, settings, 10**9))
    for rows in (5, 7):
        monkeypatch.setattr(bulk_drafts, "ROWS", rows)
        monkeypatch.setattr(rowio, "WRITTEN_AT_ONCE", 5)
        monkeypatch.setattr(rowio, "READ_AT_ONCE", 5)
        assert bulk_world.figures(compute(period, settings, 0)) == stored


def test_the_planner_knows_how_long_the_new_list_is(settings):
    period = bulk_world.build("fide-standard-2024", 3)
    compute(period, settings, 0)
    told = {
        "postgresql": "SELECT CAST(reltuples AS integer) FROM pg_class WHERE relname = %s",
        "sqlite": "SELECT CAST(stat AS integer) FROM sqlite_stat1 WHERE tbl = %s LIMIT 1",
    }
    for model in (ListRow, PlayerResult):
        with connection.cursor() as cursor:
            cursor.execute(told[connection.vendor], [model._meta.db_table])
            assert cursor.fetchone() == (model.objects.count(),)


def test_a_period_of_few_games_is_explained_at_once(settings):
    period = bulk_world.build("fide-standard-2024", 1)
    assert "explanations" not in compute(period, settings, 10**9).report


def test_the_inputs_have_one_hash_whatever_the_order_of_arrival(settings):
    period = bulk_world.build("fide-standard-2024", 2)
    one = bulk_inputs.read(period, lambda *_: None)
    again = bulk_inputs.read(period, lambda *_: None)
    assert one.columns == again.columns
    Player.objects.filter(pk=int(one.given.players[0])).update(
        birth_date="1950-01-01", birth_precision="year"
    )
    assert bulk_inputs.read(period, lambda *_: None).columns != one.columns


@pytest.mark.parametrize("code", bulk_world.TEXTS)
def test_explanations_on_demand_are_those_that_would_be_stored(code, settings):
    period = bulk_world.build(code, 5)
    stored = explanations(compute(period, settings, 10**9))
    made = compute(period, settings, 0)
    assert any(not result.detail for result in PlayerResult.objects.filter(event__rating_list=made))
    assert explanations(made) == stored


def explanations(draft: RatingList) -> tuple[dict, dict]:
    results = list(PlayerResult.objects.filter(event__rating_list=draft).select_related("event__rating_list"))
    rows = list(draft.rows.select_related("rating_list"))
    explain_results(results)
    alone = next(result for result in results if result.games)
    told = alone.detail
    alone.detail = alone.detail if "explanations" not in draft.report else {}
    explain_results([alone])
    assert alone.detail == told
    explain_rows(rows)
    return (
        {(result.event.tournament_id, result.player_id): result.detail for result in results},
        {row.player_id: row.steps for row in rows},
    )


def test_lists_before_a_correction_are_still_explained(settings, monkeypatch):
    """The games of the report that was replaced, and the ratings of the list before it was corrected."""
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)
    settings.PORTAL_EXPLAIN_AT_ONCE = 0
    world = World(RAPID, (1900, 1850, 1750, 1700), "rapid", code="rapid", opened=date(2022, 3, 1))
    world.publish(date(2022, 4, 1))  # from here on their highest ratings are known: ordinary players
    event = world.play(date(2022, 4, 5), GAMES)
    lists = [world.publish(date(2022, 5, 1))]
    world.play(date(2022, 5, 5), LATER, name="Harbour Cup")
    lists.append(world.publish(date(2022, 6, 1)))
    made = PlayerResult.objects.filter(event__rating_list__in=lists, detail={})
    assert set(made.values_list("event__rating_list", flat=True)) == {listed.pk for listed in lists}
    before = [explanations(listed) for listed in lists]
    correction = world.correction()
    corrections.add_report(correction, world.report(event, RIGHT), world.staff)
    for act in (computed, published):
        assert act(correction).state == "done"
    assert correction.lists.filter(state="published").count() == 2
    assert [explanations(listed) for listed in lists] == before
    # The same file had come before, was replaced, and came again: then its sender chose other persons.
    twice = event.reports.get(state="replaced")
    first, second, *_ = twice.people
    twice.people |= {first: twice.people[second], second: twice.people[first]}
    twice.pk, twice.submitted_at = None, twice.submitted_at - timedelta(days=1)
    twice.save(force_insert=True)
    assert [explanations(listed) for listed in lists] == before
    assert "warning" not in {step["label"] for rows in before for steps in rows[1].values() for step in steps}


def test_a_figure_that_no_longer_comes_out_is_not_explained(settings):
    """The positive control of the comparison: the stored change is another one."""
    period = bulk_world.build("fide-standard-2024", 3)
    draft = compute(period, settings, 0)
    result = PlayerResult.objects.filter(event__rating_list=draft, detail={}, games__gt=1).first()
    row = draft.rows.get(player=result.player_id)
    explain_results([result])
    explain_rows([row])
    assert len(result.detail["counted"]) == result.games
    assert len(row.steps) > 3
    result = PlayerResult.objects.get(pk=result.pk)
    result.change += 1
    row.steps, row.rating = [], row.rating + 1
    explain_results([result])
    explain_rows([row])
    assert result.detail["counted"] == []
    assert result.detail["steps"][0]["label"] == "warning"
    assert [step["label"] for step in row.steps] == ["warning"]


def test_the_pages_are_the_same_both_ways(settings, client):
    """A published list's page of an event and of one player's part in it."""
    pages = []
    period = bulk_world.build("fide-standard-2024", 4)
    for at_once in (10**9, 0):
        draft = compute(period, settings, at_once)
        result = draft.events.filter(rated=True).order_by("tournament").first().players.filter(games__gt=0)
        result = result.order_by("player").first()
        found = calculations(result.player, result.event.tournament_id, draft=True)
        table = crosstable(
            result.event.tournament, list(draft.events.filter(tournament=result.event.tournament))
        )
        pages.append(
            (
                [(each.counted, each.uncounted, each.steps, each.k, each.list_steps) for each in found],
                [(row.cells, row.change) for row in table.rows],
                [(one.article, one.reason) for one in table.unrated],
            )
        )
    assert pages[0] == pages[1]
    assert pages[0][0][0][0]


@pytest.mark.parametrize(("at_once", "told"), [(0, (None, True)), (10**9, (True, False))])
def test_games_point_to_a_calculation_that_is_made_when_asked_for(at_once, told, settings, client):
    """Whether each counts is told there; "not yet" would be wrong."""
    settings.PORTAL_EXPLAIN_AT_ONCE = at_once
    world = World(RAPID, (1900, 1850, 1750, 1700), "rapid", code="rapid", opened=date(2022, 3, 1))
    world.publish(date(2022, 4, 1))
    event = world.play(date(2022, 4, 5), GAMES)
    listed = world.publish(date(2022, 5, 1))
    player = PlayerResult.objects.filter(event__rating_list=listed, games__gt=0).first().player
    lines = [line for line in profiles.game_lines(player, profiles.games_of(player)) if line.opponent]
    assert lines
    found = [(line.counted, line.on_demand, line.in_calculation) for line in lines]
    assert found == [(*told, True)] * len(lines)
    page = client.get(f"/players/{player.pk}/").content.decode()
    assert page.count(reverse("calculation", args=[player.pk, event.pk])) > len(lines)
    assert "not yet" not in page
