"""Who gets past the triggers is found by ``manage.py verify``, and told where."""

from datetime import date

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from players import audit
from players.models import AuditEntry, AuditHead
from players.triggers import remove_all
from ratinglists import archive, complaints, corrections, selfcheck, triggers
from ratinglists.models import (
    Complaint,
    Correction,
    EventResult,
    ListFile,
    ListRow,
    PlayerResult,
    PooledSample,
    Publication,
    RatingList,
)
from tests.factories import make_user
from tests.ratinglists.conftest import NEXT, compute_next, open_system, publish_next
from tests.ratinglists.corrected import JULY, OCTOBER, World, computed, published
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def faults() -> list[str]:
    return [str(fault) for fault in selfcheck.check((), lambda stage: None)[1]]


#: model -> the way to its list
OF_LIST = {
    ListRow: "rating_list",
    EventResult: "rating_list",
    PooledSample: "rating_list",
    PlayerResult: "event__rating_list",
}
#: what a superuser may write, and what the check must name
CHANGES = {
    "UPDATE ratinglists_listrow SET rating = rating + 100": "rows of Rapid 2022-04-01, line",
    "UPDATE ratinglists_listrow SET name = 'Somebody, Else'": "Somebody, Else",
    "UPDATE ratinglists_listrow SET change = 9.5": "canonical.json",
    "UPDATE ratinglists_ratinglist SET report = '[]'": "publication 2: expected values that can be read",
    "DELETE FROM ratinglists_listrow": "rows of Rapid 2022-04-01",
    "DELETE FROM ratinglists_listfile": "rapid-2022-04-01.csv",
    "UPDATE ratinglists_listfile SET size = 5": "publication 2, rapid 2022-04-01, files",
    "UPDATE ratinglists_listfile SET sha256 = '" + "a" * 64 + "'": "a" * 12,
    "UPDATE ratinglists_ratinglist SET sha256 = '" + "b" * 64 + "'": "b" * 64,
    "UPDATE ratinglists_ratinglist SET regulation = 'other'": "publication 2, rapid 2022-04-01, regulation",
    "UPDATE ratinglists_ratinglist SET publication_id = 1 WHERE publication_id = 2": "publication 2: rapid",
    "UPDATE ratinglists_ratinglist SET state = 'draft', published_at = NULL": "a published list in the",
    "UPDATE ratinglists_ratinglist SET revision = 2, correction_id = {correction}": "revision 2",
    "UPDATE ratinglists_period SET list_date = '2022-04-02' WHERE list_date > '2022-03-31'": "rapid 2022",
    "UPDATE ratinglists_listrow SET career_games = career_games + 1": "-state.json",
    "UPDATE ratinglists_playerresult SET detail = '{{}}'": "-state.json",
    "UPDATE ratinglists_eventresult SET findings = '[1]'": "-state.json",
    "UPDATE ratinglists_period SET closes_on = '2022-02-01'": "publication 2, rapid 2022-04-01, closes_on",
    "UPDATE ratinglists_ratinglist SET computed_at = '2022-01-01 00:00:00+00:00'": "computed_at",
    "UPDATE ratinglists_ratinglist SET published_at = '2022-01-01 00:00:00+00:00'": "published_at",
    "UPDATE ratinglists_ratinglist SET report = '{{}}'": "publication 2, rapid 2022-04-01, report_sha256",
    "UPDATE ratinglists_ratinglist SET previous_id = NULL": "publication 2, rapid 2022-04-01, previous",
    "UPDATE ratinglists_ratinglist SET proposed_by_id = {user}": "list Rapid 2022-04-01, proposed_by",
    "UPDATE ratinglists_ratinglist SET published_by_id = {user}": "list Rapid 2022-04-01, published_by",
    "UPDATE ratinglists_publication SET signature = '' WHERE number = 2": "manifests/000002.sig",
    "UPDATE ratinglists_publication SET key_id = '' WHERE number = 2": "publication 2, key",
    "UPDATE ratinglists_publication SET manifest_sha256 = '" + "c" * 64 + "' WHERE number = 2": "000002.json",
    "UPDATE ratinglists_publication SET published_at = '2022-01-01 00:00:00+00:00'": "published_at",
}


def test_what_a_superuser_changes_is_found(chain):
    assert faults() == [], "the control"
    system = RatingList.objects.first().period.system
    correction = Correction.objects.create(system=system, reason="Forged", state="published")
    user = make_user("eve")
    triggers.remove(connection)
    missed = {}
    for statement, named in CHANGES.items():
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(statement.format(correction=correction.pk, user=user.pk))
            found = faults()
            missed |= {statement: found} if not any(named in fault for fault in found) else {}
            transaction.set_rollback(True)
    assert missed == {}
    assert faults() == [], "the control"


def test_a_last_publication_taken_out_with_its_lists_is_found(chain):
    """The chain before it is whole: only the audit log still tells of it."""
    last = Publication.objects.first()
    number = last.number
    triggers.remove(connection)
    for row in last.lists.all():
        row.delete()
    last.delete()
    found = faults()
    assert len(found) == 1, found
    assert f"publication {number}: expected the publication that the audit log tells of" in found[0]


def test_a_list_that_was_never_in_a_manifest_is_found(chain):
    """A draft made "published" by hand, in an old publication: no trigger can refuse that."""
    opening = RatingList.objects.get(is_opening=True, period__system="blitz")
    draft = RatingList.objects.create(
        period=opening.period.system.periods.create(list_date="2022-06-01", closes_on="2022-06-01"),
        regulation=opening.regulation,
        input_sha256="d" * 64,
        sha256="e" * 64,
        computed_at=opening.computed_at,
    )
    RatingList.objects.filter(pk=draft.pk).update(
        state="published", published_at=opening.computed_at, one_person=True, publication=4
    )
    assert any("in the manifest of publication 4" in fault for fault in faults())


def test_a_changed_or_missing_file_of_the_archive_is_found(chain):
    stored = ListFile.objects.get(name="rapid-2022-04-01.csv")
    path = archive.path_of(stored.sha256)
    data = path.read_bytes()
    for harm in (data.replace(b"Invented", b"Inventor", 1), b"", None):
        path.unlink()
        if harm is not None:
            path.write_bytes(harm)
        assert any(stored.name in fault for fault in faults())
    path.write_bytes(data)
    assert faults() == []


def test_the_end_of_the_audit_log_taken_out_with_its_head_is_found(own_archive):
    """The log by itself is whole then; the manifest that was made later names the entry."""
    audit.record("test.act", None)
    audit.seal()
    number, sha256 = audit.head()
    open_system("rapid", 9100)
    assert selfcheck.check((), print)[0].manifests[1]["audit"] == {"number": number, "sha256": sha256}
    assert faults() == []
    remove_all(connection)
    AuditEntry.objects.all().delete()
    AuditHead.objects.all().delete()
    assert audit.verify() == [], "the control"
    assert any(f"entry {number}, named by publication 1" in fault for fault in faults())


def test_every_column_of_a_list_is_covered(chain):
    """A value changed in any column of what a published list holds changes a file that verify compares."""
    from ratinglists.canonical import canonical_chunks
    from ratinglists.state import state_chunks

    listed = RatingList.objects.get(is_opening=False)
    triggers.remove(connection)
    row = listed.rows.first()
    PooledSample.objects.create(
        rating_list=listed, player=row.player, list_date=NEXT, performance="1900", games=2, score=1
    )

    def said() -> list[bytes]:
        return [b"".join(chunks(listed)) for chunks in (canonical_chunks, state_chunks)]

    other = {
        "BooleanField": lambda value: not value,
        "DateField": lambda value: date(1999, 1, 1),
        "JSONField": lambda value: ["7"],
        "DecimalField": lambda value: (value or 0) + 1,
        "CharField": lambda value: {"rated": "unrated", "active": "inactive"}.get(value, "7"),
    }
    before, missed = said(), []
    for model in (ListRow, EventResult, PlayerResult, PooledSample):
        for field in model._meta.concrete_fields:
            if field.is_relation or field.primary_key:
                continue
            found = model.objects.filter(**{OF_LIST[model]: listed}).order_by("pk").first()
            value = other.get(field.get_internal_type(), lambda value: (value or 0) + 1)
            if field.name == "withheld":  # one of few words
                value = {"": "year", "year": ""}.get
            with transaction.atomic():
                model.objects.filter(pk=found.pk).update(**{field.name: value(getattr(found, field.name))})
                missed += [f"{model.__name__}.{field.name}"] if said() == before else []
                transaction.set_rollback(True)
    assert missed == []


def test_changed_corrections_are_found(own_archive):
    world = World()
    event = world.play(date(2004, 5, 8), [(1, 1, 2, "1"), (1, 4, 3, "1")])
    world.publish(JULY)
    correction = world.correction()
    item = corrections.exclude(correction, event, world.staff, "Not rated")
    assert computed(correction).state == published(correction).state == "done"
    control = set(faults())
    triggers.remove(connection)
    for row, change in (
        (correction, {"reason": "Another"}),
        (correction, {"remark": "Nobody said that"}),
        (correction, {"closed_at": None}),
        (item, {"reason": "Another"}),
        (item, {"list_date": OCTOBER}),
    ):
        with transaction.atomic():
            type(row).objects.filter(pk=row.pk).update(**change)
            new = set(faults()) - control
            assert [fault for fault in new if "orrection" in fault], (change, new)
            transaction.set_rollback(True)
    assert set(faults()) == control


def test_changed_complaints_are_found(chain):
    staff = make_user("sara", "ratinglists.answer_complaint")
    event = Tournament.objects.get()
    player = event.entries.first().player
    waits, answered = (
        complaints.open_case(event, player, "game", "A draw.", round=n, name="Ann", email="a@example.org")
        for n in (1, 2)
    )
    complaints.answer(answered, staff, uphold=True, reason="The sheet says so.")
    assert faults() == []
    Complaint.objects.update(name="", email="", mail="sent")
    assert faults() == [], "the sender may be forgotten"
    for case, change in (
        (waits, {"text": "It was a win."}),
        (waits, {"state": "withdrawn"}),
        (waits, {"until": date(1999, 1, 1)}),
        (answered, {"answer": "Nothing says so."}),
        (answered, {"state": "rejected"}),
        (answered, {"state": "open"}),
    ):
        with transaction.atomic():
            Complaint.objects.filter(pk=case.pk).update(**change)
            assert [f"complaint {case.pk}" in fault for fault in faults()] == [True], change
            transaction.set_rollback(True)
    gone = waits.pk
    waits.delete()
    assert [f"complaint {gone}: expected the case" in fault for fault in faults()] == [True]


def test_the_command_says_it_and_fails(chain, capsys):
    call_command("verify")
    assert "Whole: 4 publications" in capsys.readouterr().out
    call_command("verify", key=[Publication.objects.get(pk=1).key_id])
    with pytest.raises(CommandError, match="one of the keys given"):
        call_command("verify", key=["0" * 64])
    triggers.remove(connection)
    ListFile.objects.filter(name="rapid-2022-04-01.csv").delete()
    with pytest.raises(CommandError, match=r"Faults: \d+"):
        call_command("verify")


def test_before_the_first_publication_there_is_nothing_to_find(own_archive, capsys):
    call_command("verify")
    assert capsys.readouterr().out == "Nothing is published yet.\n"


def test_rows_of_a_draft_that_were_changed_are_not_published(own_archive):
    """The rows must still be the list that was computed, whose hash two persons agreed to."""
    opening = open_system("rapid", 9100)
    period = compute_next(opening)
    row = period.lists.get().rows.first()
    type(row).objects.filter(pk=row.pk).update(rating=2800)
    job = publish_next(opening)
    assert (job.state, "somebody changed them" in job.message) == ("failed", True)
    type(row).objects.filter(pk=row.pk).update(rating=row.rating)
    assert publish_next(opening).state == "done"


@pytest.mark.usefixtures("transactional_db")
def test_a_superuser_past_the_triggers(own_archive):
    """PostgreSQL: session_replication_role. SQLite: DROP TRIGGER. Both are found."""
    open_system("rapid", 9100)
    if connection.vendor == "postgresql":
        past = "SET LOCAL session_replication_role = replica"
    else:
        past = "DROP TRIGGER ratinglists_listrow_guard_UPDATE"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(past)
        cursor.execute("UPDATE ratinglists_listrow SET rating = 2800 WHERE rating = 1850")
    assert any("line" in fault and "2800" in fault for fault in faults())
