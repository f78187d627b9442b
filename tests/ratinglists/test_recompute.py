"""What a computation read is kept, and from that alone the same list comes out, or the draft is refused."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
from datetime import date

import pytest
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command

from ratinglists import archive, corrections, recompute, services, slices
from ratinglists.canonical_json import NotCanonical, Reader, differing, differing_texts
from ratinglists.models import Job, Period
from ratinglists.snapshot import Snapshot
from regulations import cli
from regulations.lists import shown_bytes
from tests.factories import (
    make_list,
    make_period,
    make_player,
    make_report,
    make_system,
    make_tournament,
    make_user,
)
from tests.ratinglists.conftest import open_system, publish_next
from tests.ratinglists.corrected import computed, published, trf
from tournaments.models import Entry, Game, Report, Waiver
from tournaments.services import submit_report
from verifier.__main__ import main as offline_check
from verifier.folder import manifest_path

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job_id: None)


@pytest.fixture
def period() -> Period:
    """A rapid month: two events of four players, one of them unrated, and three who did not play."""
    system = make_system()
    players = [make_player(f"Invented, {name}") for name in ("Anna", "Bert", "Carl", "Dora")]
    idle = [make_player(f"Resting, {name}") for name in ("Emil", "Fay", "Gus")]
    ratings = dict(zip([*players, *idle], (1900, 1850, None, 1700, 1600, 1500, 1450), strict=True))
    make_list(system, date(2022, 3, 1), rows={p: {"rating": r} for p, r in ratings.items()})
    games = [(1, 1, 2, "1-0"), (1, 3, 4, "1/2-1/2"), (2, 2, 3, "0-1"), (2, 4, 1, "+/-")]
    games += [(3, 2, 4, "1-0"), (3, 1, None, "bye-1")]
    for day in (5, 12):
        make_report(make_tournament(system, name=f"Open {day}", start=date(2022, 3, day)), players, games)
    return make_period(system, date(2022, 4, 1), date(2022, 3, 29))


def compute(period: Period) -> Job:
    job = services.request_compute(period)
    services.run_job(job.pk)
    job.refresh_from_db()
    return job


def sources_of(listed) -> dict:
    return json.loads(b"".join(archive.read(listed.report["sources"])))


def test_the_archive_has_all_that_the_list_was_computed_from(period):
    assert compute(period).state == "done"
    listed = period.lists.get()
    for sha256 in (listed.input_sha256, listed.sha256, listed.report["sources"]):
        assert archive.is_whole(sha256)
    request = b"".join(archive.read(listed.input_sha256))
    assert hashlib.sha256(request).hexdigest() == listed.input_sha256
    assert cli.answer("list", json.loads(request))["sha256"] == listed.sha256
    told = sources_of(listed)
    assert [each["outcome"] for each in told["tournaments"]] == ["counted", "counted"]
    for each in told["tournaments"]:
        report = Report.objects.get(tournament=each["id"])
        assert b"".join(archive.read(each["report"]["sha256"])) == bytes(report.content)
        assert each["report"]["received_on"] == report.received_on.isoformat()
        assert set(each["players"]) == {"1", "2", "3", "4"}


def test_the_command_line_of_the_calculator_gives_the_same_bytes(period, tmp_path):
    compute(period)
    listed = period.lists.get()
    file = tmp_path / "request.json"
    file.write_bytes(b"".join(archive.read(listed.input_sha256)))
    command = [sys.executable, "-m", "regulations", "list", str(file), "--canonical"]
    said = subprocess.run(command, cwd=django_settings.BASE_DIR, capture_output=True, check=True).stdout
    assert hashlib.sha256(said).hexdigest() == listed.sha256
    assert said == b"".join(archive.read(listed.sha256))


def test_the_recomputation_needs_no_table(period, django_assert_num_queries):
    compute(period)
    listed = period.lists.get()
    snapshot = Snapshot(listed.input_sha256, listed.report["sources"])
    with django_assert_num_queries(0), recompute.again(snapshot, lambda *_: None) as (digest, _):
        assert digest == listed.sha256


def test_by_slices_the_same(period, monkeypatch):
    compute(period)
    listed = period.lists.get()
    snapshot = Snapshot(listed.input_sha256, listed.report["sources"])
    seen = []
    monkeypatch.setattr(slices, "PLAYERS", 2)
    with recompute.again(snapshot, lambda *told: seen.append(told)) as (digest, _):
        assert digest == listed.sha256
    assert seen[-1] == ("computing again from the reports", 2, 2), "who played with two who rested, then one"


def change_a_game():
    game = Game.objects.filter(round=1).first()
    Game.objects.filter(pk=game.pk).update(result="0-1")


def change_who_played():
    one, other = Entry.objects.filter(tournament__name="Open 5").order_by("pk")[:2]
    Game.objects.filter(round=2, white=other).update(white=one)


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        (change_a_game, "Open 5, round 1, number 1 against 2: 0-1 was counted"),
        (lambda: Game.objects.filter(result="bye-1").delete(), "number 1: bye-1 stands in its report"),
        (change_who_played, "Open 5, round 2, number 1 against 3: 0-1 was counted"),
    ],
)
def test_a_table_that_is_not_the_reports_is_refused(period, tamper, words):
    assert compute(period).state == "done", "the control: untouched it is proven"
    before = period.lists.get()
    tamper()
    job = compute(period)
    assert job.state == "failed"
    assert words in job.message
    assert period.lists.get() == before, "the draft stays as it was"


def test_a_report_that_is_not_the_file_sent_is_refused(period):
    report = Report.objects.first()
    Report.objects.filter(pk=report.pk).update(content=bytes(report.content) + b"\n")
    job = compute(period)
    assert (job.state, "is not the file that was sent" in job.message) == ("failed", True)


def test_a_calculation_that_differs_names_the_player(period, monkeypatch):
    """The portal's own process computes another rating than the calculator."""
    from dataclasses import replace

    from ratinglists import pipeline

    real = pipeline.compute

    def wrong(inputs, progress):
        result = real(inputs, progress)
        rows = tuple(
            replace(row, games=row.games + 1) if row.rating == 1500 else row for row in result.players
        )
        return replace(result, players=rows)

    monkeypatch.setattr(pipeline, "compute", wrong)
    job = compute(period)
    player = period.lists.model.objects.first().rows.get(rating=1500).player_id
    assert job.state == "failed"
    assert f"gives another list: player {player}: games 0, not 1" in job.message


def damage(sha256: str) -> None:
    """One bit of the file turned."""
    path = next(p for p in (archive.path_of(sha256), archive.packed_path_of(sha256)) if p.exists())
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    os.chmod(path, 0o644)
    path.write_bytes(data)


def test_bytes_that_are_read_as_they_should_but_are_others(period, settings, tmp_path):
    """The end of a file is looked at too: another content under the same name, good in itself."""
    settings.PORTAL_ARCHIVE = tmp_path / "archive"
    compute(period)
    listed = period.lists.get()
    snapshot = Snapshot(listed.input_sha256, listed.report["sources"])
    recompute.verify(snapshot, listed.sha256, lambda *_: None)
    text = b"".join(archive.read(listed.input_sha256)).replace(b'"federation":"XAA"', b'"federation":"XAB"')
    path = archive.packed_path_of(listed.input_sha256)
    os.chmod(path, 0o644)
    path.write_bytes(gzip.compress(text))
    with pytest.raises(recompute.Different, match="is damaged"):
        recompute.verify(snapshot, listed.sha256, lambda *_: None)


def recomputed(*arguments: str, capsys) -> str:
    call_command("recompute", "rapid", "2022-04-01", *arguments)
    return capsys.readouterr().out


@pytest.mark.parametrize("which", ["input", "sources", "report"])
def test_a_flipped_bit_in_the_archive_is_found(period, which, capsys, settings, tmp_path):
    settings.PORTAL_ARCHIVE = tmp_path / "archive"
    compute(period)
    listed = period.lists.get()
    assert "the same bytes" in recomputed(capsys=capsys)
    report = sources_of(listed)["tournaments"][1]["report"]["sha256"]
    damage({"input": listed.input_sha256, "sources": listed.report["sources"], "report": report}[which])
    with pytest.raises(CommandError):
        recomputed(capsys=capsys)


def test_against_a_file(period, capsys, tmp_path):
    compute(period)
    listed = period.lists.get()
    canonical = b"".join(archive.read(listed.sha256))
    good, answer, bad, none = (tmp_path / name for name in ("good", "answer", "bad", "none"))
    good.write_bytes(canonical)
    assert f"{good}: the same bytes" in recomputed("--against", str(good), capsys=capsys)
    answer.write_text(json.dumps(cli.answer("list", json.loads(b"".join(archive.read(listed.input_sha256))))))
    assert f"{answer}: the same list" in recomputed("--against", str(answer), capsys=capsys)
    bad.write_bytes(canonical.replace(b'"rating":1500', b'"rating":1501'))
    with pytest.raises(CommandError, match=r"is another list: player \d+: rating 1501, not 1500"):
        recomputed("--against", str(bad), capsys=capsys)
    none.write_bytes(b"[]")
    with pytest.raises(CommandError, match="is no canonical list"):
        recomputed("--against", str(none), capsys=capsys)


def test_a_list_that_was_not_computed_here_cannot_be(period):
    with pytest.raises(CommandError, match="has no snapshot"):
        call_command("recompute", "rapid", "2022-03-01")
    with pytest.raises(CommandError, match="no such list"):
        call_command("recompute", "rapid", "2021-03-01")


def test_flags_and_waivers_are_part_of_it(period):
    """Authorizations stand in the sources: what the computation had otherwise is refused."""
    compute(period)
    listed = period.lists.get()
    told = sources_of(listed)
    told["tournaments"][0]["authorizations"] = ["late-registration"]
    other = archive.store([json.dumps(told).encode()]).sha256
    with pytest.raises(recompute.Different, match="other authorizations"):
        recompute.verify(Snapshot(listed.input_sha256, other), listed.sha256, lambda *_: None)
    assert not Waiver.objects.exists()


def test_a_published_revision_is_recomputed_and_its_archive_verified(own_archive, db, capsys):
    """A corrected report, end to end: the command, the archive as anybody downloads it, a damaged report."""
    opening = open_system("rapid", 9100)
    assert publish_next(opening).state == "done"
    event = Report.objects.get().tournament
    people = [(entry.player.name, entry.player.fide_id) for entry in event.entries.order_by("start_number")]
    right = [(1, 1, 2, "0"), (1, 3, 4, "="), (2, 2, 3, "1"), (2, 4, 1, "0")]
    staff = make_user("sara", "tournaments.accept_report", "ratinglists.correct_list")
    sent = submit_report(event, staff, "right.trf", trf(event.name, event.start, event.end, people, right))
    correction = corrections.open_correction(opening.system, staff, "The first game was lost")
    corrections.add_report(correction, sent, staff)
    for done in (computed, published):
        job = done(correction)
        assert job.state == "done", job.message
    listed = correction.lists.get()
    assert (listed.revision, listed.state) == (2, "published")
    assert "the same bytes" in recomputed("--revision", "2", capsys=capsys)
    folder = own_archive / "download"
    call_command("export_archive", str(folder))
    manifest = json.loads((folder / manifest_path(listed.publication_id)).read_bytes())
    assert manifest["lists"][0]["sources_sha256"] == listed.report["sources"]
    assert offline_check([str(folder)]) == 0
    damage(sent.sha256)
    with pytest.raises(CommandError, match="is damaged"):
        recomputed("--revision", "2", capsys=capsys)
    assert "the same bytes" in recomputed("--revision", "1", capsys=capsys)


# --- reading piece by piece ---------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_canonical_json_is_read_in_pieces_of_any_size(size):
    text = '{"a":[{"x":"é1"},12,"]"],"b":[],"c":true}'.encode()
    reader = Reader(text[at : at + size] for at in range(0, len(text), size))
    reader.literal('{"a":[')
    assert list(reader.array()) == [{"x": "é1"}, 12, "]"]
    reader.literal(',"b":[')
    assert list(reader.array()) == []
    reader.literal(',"c":')
    assert reader.value() is True
    reader.literal("}")
    reader.end()
    with pytest.raises(NotCanonical, match="more"):
        Reader([text]).end()


def test_a_text_that_breaks_off_or_is_another():
    for text in (b'["a",', b'["a', b'["a" "b"]'):
        reader = Reader([text])
        reader.literal("[")
        with pytest.raises(NotCanonical):
            list(reader.array())


def test_the_first_difference_in_words():
    row = {"id": "1", "rating": 1800}
    listed = {"list_date": "d", "players": [row], "regulation": "x", "samples": []}

    def first(one: dict, other: dict) -> str:
        texts = ([shown_bytes(each)] for each in (one, other))
        told = differing(one, other)
        assert differing_texts(*texts) == told
        return told

    assert first(listed, {**listed, "regulation": "y"}) == "regulation is y, not x"
    assert first(listed, {**listed, "list_date": "e"}) == "list_date is e, not d"
    assert first(listed, {**listed, "players": []}) == "player 1 is missing"
    assert first(listed, {**listed, "players": [{**row, "id": "0"}, row]}) == "player 0 is not on the list"
    assert first(listed, {**listed, "players": [{**row, "rating": 1}]}) == "player 1: rating 1, not 1800"
    pooled = {"player": "7", "games": 3}
    assert first({**listed, "samples": [pooled]}, listed) == "0 results stay pooled, not 1"
    other = {**listed, "samples": [{**pooled, "games": 4}]}
    assert "player 7: what stays pooled" in first({**listed, "samples": [pooled]}, other)
