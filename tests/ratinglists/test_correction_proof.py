"""What a correction computes is proven like a first list: from the archive alone, from the reports."""

import json
from datetime import date

import pytest

from players.services import merge, split
from ratinglists import archive, corrections, pipeline, recompute
from ratinglists.snapshot import Snapshot
from tests.factories import make_player, make_tournament, make_user
from tests.ratinglists.corrected import JULY, OCTOBER, World, computed, published
from tests.ratinglists.test_correction_postal import event, send, staff
from tests.ratinglists.test_corrections import AUGUST, GAMES, LATER, MAY, RIGHT
from tests.ratinglists.test_postal import CHANGED, FIRST, NEXT, SECOND, crosstable, publish, reported
from tests.ratinglists.test_postal import JULY as POSTAL_JULY
from tournaments.models import Game, Report
from tournaments.services import submit_report

__all__ = ["event", "staff"]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)


@pytest.fixture
def world():
    """July counts the Open, October the Harbour Cup; a third event came too late for July."""
    made = World()
    made.event = made.play(MAY, GAMES)
    made.publish(JULY)
    made.later = made.play(AUGUST, LATER, name="Harbour Cup")
    made.publish(OCTOBER)
    made.late = made.play(date(2004, 5, 20), [(1, 1, 4, "=")], name="Late Cup")
    return made


def proven(listed) -> dict[str, dict]:
    """The sources of a list by the names of tournaments, after it has been computed from the archive."""
    recompute.verify(Snapshot(listed.input_sha256, listed.report["sources"]), listed.sha256, lambda *_: None)
    told = json.loads(b"".join(archive.read(listed.report["sources"])))
    assert told["previous"]["sha256"] == listed.previous.sha256
    return {each["name"]: each for each in told["tournaments"]}


def done(correction, *acts) -> list[dict[str, dict]]:
    """Compute, and publish; the proven sources of each revision."""
    for act in acts or (computed, published):
        job = act(correction)
        assert job.state == "done", job.message
    return [proven(listed) for listed in correction.lists.order_by("period__list_date")]


def test_a_corrected_report_then_one_included_and_one_taken_out(world):
    sent = world.report(world.event, RIGHT)
    first = world.correction()
    corrections.add_report(first, sent, world.staff)
    july, october = done(first)
    assert july["Isles Open"]["report"]["sha256"] == sent.sha256
    assert october["Harbour Cup"]["report"]["sha256"] == world.later.reports.get().sha256
    people = {str(place): str(player.pk) for place, player in enumerate(world.players, start=1)}
    assert july["Isles Open"]["players"] == people

    second = world.correction("One was mislaid, and one was not played")
    corrections.include(second, world.late, JULY, world.staff)
    corrections.exclude(second, world.later, world.staff, "It was not played")
    july, october = done(second)
    assert july["Isles Open"]["report"]["sha256"] == sent.sha256, "the report that stands by now"
    assert july["Late Cup"]["report"]["sha256"] == world.late.reports.get().sha256
    taken_out = october["Harbour Cup"]
    assert (taken_out["outcome"], "It was not played" in taken_out["reason"]) == ("refused", True)


def test_start_numbers_mean_the_persons_for_whom_the_list_counts(world):
    """Lou's entry is another record's by now; then the list counts for that one; then for a split-off one."""
    officer = make_user("officer", is_superuser=True)
    lou, other = world.players[1], make_player("Birch, Louis", born=1980)
    other.identifiers.all().delete()
    lou.identifiers.all().delete()
    merge(lou, other, officer, "One person, entered twice")
    late = world.correction()
    corrections.include(late, world.late, JULY, world.staff)
    assert done(late)[0]["Isles Open"]["players"]["2"] == str(lou.pk)
    now = world.correction("One person, entered twice")
    corrections.recount_persons(now, JULY, world.staff)
    assert done(now)[0]["Isles Open"]["players"]["2"] == str(other.pk)
    entry = world.event.entries.get(player=other)
    change = split(other, officer, "Two persons", {"entries": [entry.pk]}, name="Birch, Louise")
    again = world.correction("Two persons of one name")
    corrections.recount_persons(again, JULY, world.staff)
    july, october = done(again)
    assert july["Isles Open"]["players"]["2"] == str(change.target.pk)
    assert october["Harbour Cup"]["players"]["2"] == str(other.pk)


@pytest.mark.parametrize("of", ["Isles Open", "Harbour Cup"])
def test_a_game_that_is_not_the_reports_stops_the_correction(world, of, monkeypatch):
    """In the first list or in a later one; nothing is left of the correction."""
    correction = world.correction()
    corrections.include(correction, world.late, JULY, world.staff)
    flipped = Game.objects.get(tournament__name=of, round=1, white__start_number=2)
    Game.objects.filter(pk=flipped.pk).update(result="+/-")
    job = computed(correction)
    assert (job.state, f"{of}, round 1, number 2 against 4: +/- was counted" in job.message) == (
        "failed",
        True,
    )
    assert not correction.lists.exists()
    with monkeypatch.context() as without:
        without.setattr(pipeline.recompute, "verify", lambda *_: None)
        assert computed(correction).state == "done", "the control: nothing else finds it"
    assert correction.lists.count() == 2
    assert computed(correction).state == "failed"
    assert not correction.lists.exists()


def test_a_corrected_report_that_is_not_the_file_sent(world, settings, tmp_path):
    settings.PORTAL_ARCHIVE = str(tmp_path)  # where no other test has kept the same file
    sent = world.report(world.event, RIGHT)
    correction = world.correction()
    corrections.add_report(correction, sent, world.staff)
    Report.objects.filter(pk=sent.pk).update(content=bytes(sent.content) + b"\n")
    job = computed(correction)
    assert (job.state, "is not the file that was sent" in job.message) == ("failed", True)


def test_progress_tells_which_list_is_proven(world, monkeypatch):
    correction = world.correction()
    corrections.include(correction, world.late, JULY, world.staff)
    seen = []
    monkeypatch.setattr(
        "ratinglists.jobs.Claim.progress", lambda self, stage, at, of, **_: seen.append((stage, at, of))
    )
    assert computed(correction).state == "done"
    assert ("1 of 2: reading the reports again", 2, 2) in seen
    assert ("2 of 2: computing again from the reports", 1, 1) in seen


# --- a postal event, counted by several lists -----------------------------------------------------


def included(event, staff):
    """Another postal event, included in July's list: the first one has to be read again as it was."""
    other = make_tournament(
        event.rating_system,
        name="Other Cup",
        start=date(1998, 3, 1),
        end=date(2001, 12, 31),
        rounds=0,
        games_in_event=6,
    )
    won = crosstable(("1.0", ("   3 w 1",)), ("0.0", ()), ("0.0", ("   1 b 0",)), ("0.0", ()))
    reported(other, staff, won.replace(b"Postal Cup", b"Other Cup"), date(1999, 3, 2))
    correction = corrections.open_correction(event.rating_system, staff, "Mislaid")
    corrections.include(correction, other, POSTAL_JULY, staff)
    return correction


def places(event, *games) -> list[list]:
    """Round, White by name and a day, as sources have them."""
    keys = dict(event.entries.values_list("player__name", "player_id"))
    told = [(number, keys[white], day) for number, white, day in games]
    return [[number, str(white), day and day.isoformat()] for number, white, day in sorted(told)]


TOM, LOU, PAT, JO = "Alder, Tom", "Birch, Lou", "Cedar, Pat", "Dogwood, Jo"


def test_each_list_has_its_own_games_of_a_corrected_report(event, staff):
    reported(event, staff, FIRST, date(1999, 3, 1))
    publish(event, POSTAL_JULY)
    reported(event, staff, SECOND, date(1999, 9, 1))
    publish(event, NEXT)
    sent = send(event, staff, CHANGED, correcting=True)
    first = corrections.open_correction(event.rating_system, staff, "Tom lost the first game")
    corrections.add_report(first, sent, staff)
    received, later = date(1999, 3, 1), date(1999, 9, 1)
    in_july = [(1, TOM), (1, PAT)]
    after = [(2, PAT), (2, LOU)]

    def expected(july, following):
        for told, mine, others, day, other_list in (
            (july, in_july, after, received, NEXT),
            (following, after, in_july, later, POSTAL_JULY),
        ):
            told = told["Postal Cup"]
            assert told["report"]["sha256"] == sent.sha256
            assert told["finished"] == places(event, *((*place, day) for place in mine))
            assert told["counted_elsewhere"] == places(event, *((*place, other_list) for place in others))

    expected(*done(first))
    expected(*done(included(event, staff)))


def test_games_that_no_list_counts_are_left_out_of_the_proof(event, staff):
    """A corrected report that has new games leaves these to the next report; then that waits for staff."""
    reported(event, staff, FIRST, date(1999, 3, 1))
    publish(event, POSTAL_JULY)
    sent = send(event, staff, CHANGED, correcting=True)
    first = corrections.open_correction(event.rating_system, staff, "Tom lost the first game")
    corrections.add_report(first, sent, staff)
    nowhere = places(event, (2, PAT, None), (2, LOU, None))
    (told,) = done(first)
    assert told["Postal Cup"]["counted_elsewhere"] == nowhere
    second = included(event, staff)
    (told,) = done(second, computed)
    assert told["Postal Cup"]["report"]["sha256"] == sent.sha256
    assert told["Postal Cup"]["counted_elsewhere"] == nowhere
    third = submit_report(event, staff, "third.trf", CHANGED + b"\n")
    assert third.state == Report.State.SUBMITTED
    (told,) = done(second, computed)
    assert told["Postal Cup"]["report"]["sha256"] == third.sha256
    assert told["Postal Cup"]["counted_elsewhere"] == nowhere
    assert told["Postal Cup"]["finished"] == places(
        event, (1, TOM, date(1999, 3, 1)), (1, PAT, date(1999, 3, 1))
    )


def test_a_late_postal_report_is_proven_by_its_own_file(event, staff):
    reported(event, staff, FIRST, date(1999, 3, 1))
    publish(event, POSTAL_JULY)
    late = reported(event, staff, SECOND, date(1999, 9, 1))
    correction = corrections.open_correction(event.rating_system, staff, "Mislaid since June")
    corrections.include(correction, event, POSTAL_JULY, staff)
    told = done(correction)[0]["Postal Cup"]
    assert told["report"]["sha256"] == late.sha256
    assert told["counted_elsewhere"] == []
    june = date(1999, 6, 30)
    assert told["finished"] == places(
        event, (1, TOM, date(1999, 3, 1)), (1, PAT, date(1999, 3, 1)), (2, PAT, june), (2, LOU, june)
    )
