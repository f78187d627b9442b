"""Who gets past the triggers is found by ``manage.py verify``, and told where."""

import hashlib

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from players import audit
from players.models import AuditEntry
from ratinglists import archive, selfcheck, triggers
from ratinglists.models import Correction, ListFile, Publication, RatingList
from tests.ratinglists.conftest import compute_next, open_system, publish_next

pytestmark = pytest.mark.django_db


def faults() -> list[str]:
    return [str(fault) for fault in selfcheck.check((), lambda stage: None)[1]]


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
    "UPDATE ratinglists_publication SET signature = '' WHERE number = 2": "manifests/000002.sig",
    "UPDATE ratinglists_publication SET key_id = '' WHERE number = 2": "publication 2, key",
    "UPDATE ratinglists_publication SET manifest_sha256 = '" + "c" * 64 + "' WHERE number = 2": "000002.json",
    "UPDATE ratinglists_publication SET published_at = '2022-01-01 00:00:00+00:00'": "published_at",
}


@pytest.mark.parametrize("statement", CHANGES)
def test_what_a_superuser_changes_is_found(chain, statement):
    assert faults() == [], "the control"
    system = RatingList.objects.first().period.system
    correction = Correction.objects.create(system=system, reason="Forged", state="published")
    triggers.remove(connection)
    with connection.cursor() as cursor:
        cursor.execute(statement.format(correction=correction.pk))
    assert any(CHANGES[statement] in fault for fault in faults()), faults()


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


def test_a_changed_audit_log_is_found(own_archive, monkeypatch):
    """The manifest names the newest sealed entry; the log has to have it still."""
    entry = audit.record("test.act", None)
    sealed = hashlib.sha256(b"entry").hexdigest()
    AuditEntry.objects.filter(pk=entry.pk).update(number=1, sha256=sealed)
    open_system("rapid", 9100)
    assert selfcheck.check((), print)[0].manifests[1]["audit"] == {"number": 1, "sha256": sealed}
    assert faults() == []
    other = hashlib.sha256(b"what the log said then").hexdigest()
    monkeypatch.setattr("ratinglists.manifest.audit_head", lambda: {"number": 1, "sha256": other})
    open_system("blitz", 9200)
    assert any("audit log, entry 1" in fault and other in fault and sealed in fault for fault in faults())


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
