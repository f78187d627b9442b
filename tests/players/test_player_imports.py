"""Lists taken into the register: by FIDE number only, nothing lost, nothing twice, whoever dies."""

from datetime import date, timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from players import import_run, ledger, player_imports
from players.fide_ratings import fide_ratings
from players.ledger import Refusal
from players.listformats.model import ListRating
from players.models import FideListing, Identifier, Player, PlayerImport
from players.services import keep_former_name, merge
from tests.factories import make_federation, make_player, make_user
from tests.players.lists import done, listed, preview, take, upload

pytestmark = pytest.mark.django_db
COUNTS = ("created", "changed", "unchanged", "passed_over", "faulty")


@pytest.fixture(autouse=True)
def quiet(settings, tmp_path, monkeypatch):
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr("players.player_imports.ring", lambda pk: None)


def counts(job: PlayerImport) -> dict[str, int]:
    return {name: getattr(job, name) for name in COUNTS if getattr(job, name)}


def register() -> list[tuple]:
    found = []
    for player in Player.objects.prefetch_related("titles", "identifiers").order_by("pk"):
        titles = sorted(title.code for title in player.titles.all())
        birth = (player.birth_date, player.birth_precision)
        found.append((player.fide_id, player.name, player.federation_id, player.sex, *birth, titles))
    return found


def test_new_numbers_make_players():
    job = take(
        [listed(101, "Normal, Nora", sex="f", title="WGM", women_title="WGM"), listed(102, "Berg, Bo")]
    )
    assert (job.state, counts(job)) == ("done", {"created": 2})
    assert register() == [
        ("101", "Normal, Nora", "XAA", "f", date(1990, 1, 1), "year", ["WGM"]),
        ("102", "Berg, Bo", "XAA", "m", date(1990, 1, 1), "year", []),
    ]
    assert Player.objects.get(name="Berg, Bo").name_key == "berg bo"


def test_a_dry_run_writes_nothing_and_shows_what_would_change():
    known = make_player("Berg, Bo", fide_id="102", born=1985)
    before = register()
    job = preview([listed(101, federation="XNN", title="GM"), listed(102, "Berg, Bo")])
    assert counts(job) == {"created": 1, "changed": 1}
    assert register() == before
    assert not FideListing.objects.exists()
    assert job.new_federations == ["XNN"]
    assert sorted(job.changes, key=lambda change: change["number"]) == [
        {
            "number": "101",
            "name": "Invented, N101",
            "created": True,
            "fields": [
                ["federation", "", "XNN"],
                ["sex", "", "m"],
                ["birth year", "", "1990"],
                ["titles", "", "GM"],
            ],
        },
        {"number": "102", "name": known.name, "created": False, "fields": [["birth year", "1985", "1990"]]},
    ]


@pytest.mark.parametrize("form", ["fide-txt", "fide-xml", "csv"])
def test_the_same_list_again_changes_nothing(form):
    rows = [listed(n, title="FM", other_titles="FI,NA") for n in range(101, 111)]
    take(rows, form)
    before = register(), list(FideListing.objects.order_by("pk").values())
    job = take(rows, form)
    assert counts(job) == {"unchanged": 10}
    assert (register(), list(FideListing.objects.order_by("pk").values())) == before


def test_a_list_changes_what_it_states_and_nothing_else():
    make_federation("XBB")
    player = make_player("Ólvarez, Añá", fide_id="77", born=date(1990, 5, 2), sex="", titles=("IM",))
    Identifier.objects.create(player=player, issuer=player.identifiers.get().issuer, value="78")
    take(
        [listed(77, "Olvarez, Ana", sex="", federation="", birth_year=None, title="FM", standard=None)], "csv"
    )
    player = Player.objects.get(pk=player.pk)
    assert (player.name, player.sex, player.federation_id) == ("Ólvarez, Añá", "", "XAA")
    assert (player.birth_date, player.birth_precision) == (date(1990, 5, 2), "day")
    assert sorted(title.code for title in player.titles.all()) == ["FM", "IM"]
    job = take(
        [listed(78, "Olvarez Bay, Ana", sex="f", federation="XBB", birth_year=1991, title="GM")], "csv"
    )
    assert counts(job) == {"changed": 1}
    player = Player.objects.get(pk=player.pk)
    assert (player.name, player.sex, player.federation_id) == ("Olvarez Bay, Ana", "f", "XBB")
    assert (player.birth_date, player.birth_precision) == (date(1991, 1, 1), "year")
    assert (player.title, player.name_key) == ("GM", "ana bay olvarez")
    assert [former.name for former in player.former_names.all()] == ["Ólvarez, Añá"]


def test_a_changed_name_is_kept_as_a_former_one():
    player = make_player("Berg, Bo", fide_id="77")
    take([listed(77, "Berg Bay, Bo")])
    take([listed(77, "Berg, Bo")])
    assert Player.objects.get().name == "Berg, Bo"
    (former,) = player.former_names.all()
    assert (former.name, former.reason) == ("Berg Bay, Bo", "FIDE's list of 2026-10-01")


def test_a_name_that_staff_have_corrected_does_not_come_back():
    player = make_player("Alvarez, Ana", fide_id="77", born=1990)
    keep_former_name(player, "Ólvarez, Ana", "a slip")
    assert counts(take([listed(77, "Olvarez, Ana")])) == {"unchanged": 1}
    assert Player.objects.get().name == "Alvarez, Ana"


def test_a_number_leads_to_the_record_that_stands():
    now, old = make_player("Berg, Bo", fide_id="77"), make_player("Berg, B.", fide_id="78")
    take([listed(78, "Berg, B.")])
    now.identifiers.all().delete()
    merge(old, now, make_user("boss", "players.merge_player"), "one person")
    take([listed(78, "Berg Bay, Bo")], list_date=date(2026, 11, 1))
    now.refresh_from_db()
    assert (now.name, now.fide_listings.count(), old.fide_listings.count()) == ("Berg Bay, Bo", 2, 0)


def test_day_and_month_stay_when_the_year_agrees():
    make_player("Berg, Bo", fide_id="77", born=date(1990, 5, 2))
    assert counts(take([listed(77, "Berg, Bo")])) == {"unchanged": 1}
    assert register()[0][4:6] == (date(1990, 5, 2), "day")


def test_nobody_is_merged_by_his_name():
    make_player("Berg, Bo", fide_id="77", born=1990)
    assert counts(take([listed(78, "Berg, Bo")])) == {"created": 1}
    assert Player.objects.count() == 2


def test_other_numbers_are_not_fide_numbers():
    player = make_player("Berg, Bo", fide_id="500")
    player.identifiers.update(value="501")
    assert counts(take([listed(500, "Berg, Bo")])) == {"created": 1}


def test_only_some_federations():
    """New players of the federation only; who is on the register is followed wherever he goes."""
    make_player("Berg, Bo", fide_id="77", born=1990)
    rows = [listed(77, "Berg, Bo", federation="XZZ"), listed(78, federation="XZZ"), listed(79)]
    job = take(rows, federations=["XAA"])
    assert counts(job) == {"created": 1, "changed": 1, "passed_over": 1}
    assert [row[:3] for row in register()] == [("77", "Berg, Bo", "XZZ"), ("79", "Invented, N79", "XAA")]


def test_faulty_lines_are_left_out_and_named():
    rows = [listed(101), listed(101, "Other, Otto"), listed(102, birth_year=2099), listed(103, federation="")]
    data = upload(rows).read() + b"garbage\r\n" + b"\x00\r\n"
    job = take(data)
    assert counts(job) == {"created": 1, "faulty": 5}
    assert [(fault[0], fault[2]) for fault in job.faults] == [
        (3, "fide_id"),
        (4, "birth_year"),
        (6, "fide_id"),
        (6, "name"),
        (7, "fide_id"),  # only the control character: what else the line lacks is not asked
        (5, "federation"),
    ]
    assert job.fault_count == 6


def test_so_many_faults_are_kept_and_all_are_counted(monkeypatch):
    monkeypatch.setattr(import_run, "MAX_FAULTS", 3)
    monkeypatch.setattr(import_run, "MAX_CHANGES", 2)
    job = preview(
        [listed(n) for n in range(101, 106)] + [listed(n, birth_year=2090) for n in range(201, 206)]
    )
    assert (job.fault_count, len(job.faults), job.created, len(job.changes)) == (5, 3, 5, 2)


def test_a_file_that_breaks_off_is_not_applied():
    data = upload([listed(n) for n in range(101, 104)], "fide-xml").read()[:-40]
    job = preview(data)
    assert job.broken
    assert job.faults[0][2] == "file"
    with pytest.raises(Refusal, match="whole one"):
        player_imports.request_apply(job)


# --- what FIDE's list said ------------------------------------------------------------------------


def test_what_the_list_said_is_kept_by_date():
    rating = ListRating(2100, 3, 20)
    take([listed(101, title="WH", other_titles="FI,NA", standard=rating, active=False)])
    take([listed(101, standard=ListRating(2120, 0, 10))], list_date=date(2026, 11, 1))
    player = Player.objects.get()
    first, second = player.fide_listings.order_by("list_date")
    assert (first.title, first.other_titles, first.active) == ("WH", "FI,NA", False)
    assert (first.rating_of("standard"), second.rating_of("standard").rating) == (rating, 2120)
    assert fide_ratings([player], "standard", date(2026, 10, 31)) == {player.pk: rating}
    assert fide_ratings([player], "standard", date(2026, 11, 1))[player.pk].rating == 2120
    assert fide_ratings([player], "standard", date(2026, 9, 30)) == {}
    assert fide_ratings([player], "rapid", date(2026, 11, 1)) == {player.pk: ListRating(None, 0, None)}


def test_single_lists_of_one_date_complete_each_other():
    single = b"fide_id,name,federation,rating,games,k\r\n101,Berg,XAA,%d,1,20\r\n"
    take(single % 1900, "csv", single="rapid")
    take(single % 1950, "csv", single="blitz")
    listing = FideListing.objects.get()
    assert (listing.standard, listing.rapid, listing.blitz) == (None, 1900, 1950)


def test_a_single_list_names_its_date():
    header = "ID Number      Name                Fed OCT26 Gms K  B-day Flag\r\n"
    line = "101            Berg, Bo            XAA 1900  4   20 1990      \r\n"
    asked = player_imports.request_preview(upload((header + line).encode(), name="rapid_rating_list.txt"))
    assert (asked.list_date, asked.single) == (date(2026, 10, 1), "rapid")


# --- asking ---------------------------------------------------------------------------------------


def test_what_is_no_list_is_refused_before_it_is_stored(tmp_path):
    with pytest.raises(player_imports.NotAList, match="no list of players"):
        player_imports.request_preview(upload(b"hello"), list_date=date(2026, 10, 1))
    with pytest.raises(Refusal, match="date"):
        player_imports.request_preview(upload([listed(1)]))
    assert not PlayerImport.objects.exists()
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_one_at_a_time():
    player_imports.request_preview(upload([listed(1)]), list_date=date(2026, 10, 1))
    with pytest.raises(Refusal, match="at work"):
        player_imports.request_preview(upload([listed(1)]), list_date=date(2026, 10, 1))


def test_only_a_dry_run_that_is_over_is_applied_and_only_once():
    asked = player_imports.request_preview(upload([listed(1)]), list_date=date(2026, 10, 1))
    with pytest.raises(Refusal, match="not over"):
        player_imports.request_apply(asked)
    applied = player_imports.request_apply(done(asked))
    with pytest.raises(Refusal, match="has been applied"):
        player_imports.request_apply(asked)
    with pytest.raises(Refusal, match="Only a dry run"):
        player_imports.request_apply(done(applied))


def test_rights():
    stranger = make_user("clerk", "players.view_playerimport", is_staff=True)
    with pytest.raises(PermissionDenied):
        player_imports.request_preview(upload([listed(1)]), list_date=date(2026, 10, 1), by=stranger)
    job = preview([listed(1)])
    with pytest.raises(PermissionDenied):
        player_imports.request_apply(job, by=stranger)
    officer = make_user("officer", "players.add_playerimport", is_staff=True)
    assert player_imports.request_apply(job, by=officer).requested_by == officer


def test_a_list_on_the_server_is_read_where_it_lies(tmp_path):
    folder = tmp_path / "player-lists"
    folder.mkdir()
    (folder / "own.txt").write_bytes(upload([listed(101)]).read())
    assert player_imports.waiting_files() == ["own.txt"]
    asked = player_imports.request_preview("own.txt", list_date=date(2026, 10, 1))
    player_imports.drop(done(asked))
    assert (folder / "own.txt").exists()


def test_dropping_the_last_import_of_a_file_deletes_it(tmp_path):
    job = take([listed(101)])
    files = list((tmp_path / "player-lists/uploads").iterdir())
    player_imports.drop(job.preview)
    assert [path.exists() for path in files] == [True]
    player_imports.drop(PlayerImport.objects.get(pk=job.pk))
    assert [path.exists() for path in files] == [False]


# --- dying and going on ---------------------------------------------------------------------------


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(import_run, "BATCH", 3)


def test_an_import_goes_on_where_its_worker_died(small_batches, monkeypatch):
    asked = player_imports.request_apply(preview([listed(n) for n in range(101, 111)]))
    real, calls = import_run.take_batch, []

    def dying(*args, **kwargs):
        calls.append(len(args[0]))
        result = real(*args, **kwargs)
        if len(calls) == 3:
            raise KeyboardInterrupt  # after the writes, before the commit
        return result

    monkeypatch.setattr(import_run, "take_batch", dying)
    with pytest.raises(KeyboardInterrupt):
        player_imports.run(asked.pk)
    asked.refresh_from_db()
    assert (asked.state, asked.position, asked.created, Player.objects.count()) == ("running", 6, 6, 6)
    rung = player_imports.sweep(timezone.now() + ledger.LEASE + timedelta(seconds=1))
    assert rung == [asked.pk]
    asked.refresh_from_db()
    assert counts(done(asked)) == {"created": 10}
    assert calls == [3, 3, 3, 3, 1]
    assert Player.objects.count() == Identifier.objects.count() == 10


def test_an_import_lets_others_have_their_turn(small_batches, monkeypatch):
    monkeypatch.setattr(import_run, "TURN_SECONDS", -1)
    rung = []
    monkeypatch.setattr("players.player_imports.ring", rung.append)
    rows = [listed(n) for n in range(101, 111)] + [listed(101, "Again, Ann")]
    asked = player_imports.request_preview(upload(rows), list_date=date(2026, 10, 1))
    positions = []
    while asked.is_open:
        player_imports.run(asked.pk)
        asked.refresh_from_db()
        positions.append((asked.position, asked.attempts))
    assert positions == [(3, 0), (6, 0), (9, 0), (11, 0)]
    assert rung == [asked.pk] * 3
    assert counts(asked) == {"created": 10, "faulty": 1}


def test_a_file_changed_after_the_dry_run_is_refused(tmp_path):
    job = preview([listed(101)])
    (tmp_path / "player-lists" / job.file.name).write_bytes(upload([listed(102)]).read())
    applied = done(player_imports.request_apply(job))
    assert (applied.state, Player.objects.count()) == ("failed", 0)
    assert "has changed" in applied.message


def test_a_file_that_is_gone_is_told(tmp_path):
    job = preview([listed(101)])
    (tmp_path / "player-lists" / job.file.name).unlink()
    assert "not there any more" in done(player_imports.request_apply(job)).message


def test_a_stopped_import_writes_no_more(small_batches, monkeypatch):
    asked = player_imports.request_apply(preview([listed(n) for n in range(101, 111)]))
    real = import_run.take_batch

    def stopped_meanwhile(rows, **kwargs):
        if rows[0].number == "104":
            PlayerImport.objects.filter(pk=asked.pk).update(token="")
            player_imports.stop(asked)
        return real(rows, **kwargs)

    monkeypatch.setattr(import_run, "take_batch", stopped_meanwhile)
    player_imports.run(asked.pk)
    asked.refresh_from_db()
    assert Player.objects.count() == 3


def test_an_import_that_waits_can_be_stopped_and_asked_for_again():
    job = preview([listed(101)])
    asked = player_imports.request_apply(job)
    player_imports.stop(asked, by=make_user("boss", "players.add_playerimport"))
    asked.refresh_from_db()
    assert (asked.state, asked.message) == ("failed", "Stopped by boss.")
    assert not player_imports.run(asked.pk)
    assert counts(done(player_imports.request_apply(job))) == {"created": 1}


def test_a_file_of_nothing_but_faults_is_not_read_to_its_end(small_batches, monkeypatch):
    monkeypatch.setattr(import_run, "MAX_FAULTY", 4)
    job = preview([listed(n, birth_year=2090) for n in range(201, 231)])
    assert job.state == "failed"
    assert "More than 4 of the first 6 lines have faults" in job.message
    assert job.faulty == 6
