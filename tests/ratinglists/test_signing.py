"""The key that signs publications: without the right one nothing is published; it can be changed and lost."""

import os
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import CommandError, call_command

from players.models import AuditEntry
from ratinglists import archives, key_changes, signing
from ratinglists.jobs import Refusal
from ratinglists.models import ListFile, Publication, RatingList
from tests.ratinglists.conftest import open_system, publish_next
from verifier import form
from verifier.chain import read_chain

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_archive")]


def faults(*trusted: str) -> list[str]:
    return [str(fault) for fault in read_chain(archives.PortalArchive(), trusted).faults]


def test_a_demonstration_makes_its_key_for_itself_alone(settings):
    open_system("rapid", 9100)
    mode = Path(settings.PORTAL_SIGNING_KEY).stat().st_mode
    assert stat.S_IMODE(mode) == 0o600
    assert Publication.objects.get().key_id == form.key_id(signing.public_of(signing.read_keys()[0]))
    assert faults() == []


def missing(path: Path) -> None:
    path.unlink()


def open_to_others(path: Path) -> None:
    path.chmod(0o644)


def damaged(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"M", b"#", 2))


def empty(path: Path) -> None:
    path.write_bytes(b"")


def another(path: Path) -> None:
    signing.write_keys([Ed25519PrivateKey.generate()], replace=True)


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (missing, "is not there"),
        (open_to_others, "chmod 600"),
        (damaged, "cannot be read"),
        (empty, "holds no private key"),
        (another, "Bring that key back"),
    ],
)
def test_with_a_wrong_key_nothing_is_published(settings, harm, said):
    opening = open_system("rapid", 9100)
    path = Path(settings.PORTAL_SIGNING_KEY)
    kept = path.read_bytes()
    files, entries = ListFile.objects.count(), AuditEntry.objects.filter(act="list.published").count()
    harm(path)
    job = publish_next(opening)
    assert (job.state, said in job.message) == ("failed", True), job.message
    assert Publication.objects.count() == 1
    assert ListFile.objects.count() == files
    assert AuditEntry.objects.filter(act="list.published").count() == entries
    assert RatingList.objects.filter(state="draft").count() == 1
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_bytes(kept)  # the control: with the right key it goes on
    assert publish_next(opening).state == "done"
    assert faults() == []


def test_a_key_that_goes_wrong_after_the_files_are_written_leaves_nothing_half(monkeypatch):
    opening = open_system("rapid", 9100)
    real, calls = signing.signing_key, []

    def second_time(last):
        calls.append(last)
        if len(calls) == 2:
            raise signing.SigningRefused("The key went away.")
        return real(last)

    monkeypatch.setattr(signing, "signing_key", second_time)
    assert publish_next(opening).message == "The key went away."
    assert (Publication.objects.count(), ListFile.objects.filter(rating_list__is_opening=False).count()) == (
        1,
        0,
    )


def test_a_production_makes_no_key_by_itself(settings):
    settings.PORTAL_PRODUCTION = True
    with pytest.raises(Refusal, match="signing_key make"):
        open_system("rapid", 9100)
    call_command("signing_key", "make")
    open_system("blitz", 9200)
    assert faults() == []


def test_a_changed_key_leaves_the_old_publications_verifiable():
    opening = open_system("rapid", 9100)
    old = Publication.objects.get().key_id
    new = key_changes.make_key()
    assert publish_next(opening).state == "done"
    assert key_changes.retire_keys() == [old]
    assert [each.key_id for each in Publication.objects.order_by("number")] == [old, old, new]
    assert faults() == faults(old) == faults(new) == []
    assert faults("0" * 64) != []
    chain = read_chain(archives.PortalArchive())
    assert [(form.key_id(key), first) for key, first in chain.keys.items()] == [(old, 1), (new, 3)]
    assert AuditEntry.objects.filter(act="key.changed").count() == 1


def test_a_change_of_key_that_dies_is_taken_up_again(monkeypatch):
    opening = open_system("rapid", 9100)

    class Died(BaseException):
        pass

    def die(name: str) -> None:
        if name == "key: the new key is written":
            raise Died

    monkeypatch.setattr("players.crashpoints.here", die)
    with pytest.raises(Died):
        key_changes.make_key()
    monkeypatch.undo()
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)
    written = [form.key_id(signing.public_of(key)) for key in signing.read_keys()]
    assert len(written) == 2
    assert publish_next(opening).state == "done", "the old key goes on signing"
    assert key_changes.make_key() == written[1]
    assert faults() == []


def test_a_lost_key_breaks_the_chain_for_all_to_see(settings):
    opening = open_system("rapid", 9100)
    old = Publication.objects.get().key_id
    os.unlink(settings.PORTAL_SIGNING_KEY)
    with pytest.raises(CommandError, match="--lost REASON"):
        call_command("signing_key", "make")
    new = key_changes.make_key(lost="The disk burnt.")
    assert publish_next(opening).state == "done"
    (fault,) = faults()
    assert "The disk burnt." in fault
    assert faults(new) == []
    assert faults(old) != [], "the old key vouches for nothing after the break"


def test_no_key_is_replaced_as_lost_while_it_is_there():
    open_system("rapid", 9100)
    with pytest.raises(signing.SigningRefused, match="without --lost"):
        key_changes.make_key(lost="Just so.")


def test_without_the_manifest_before_nothing_is_published():
    from ratinglists import archive

    opening = open_system("rapid", 9100)
    path = archive.path_of(Publication.objects.get().manifest_sha256)
    kept = path.read_bytes()
    path.unlink()
    assert "not in the archive" in publish_next(opening).message
    path.write_bytes(kept)
    assert publish_next(opening).state == "done"


def test_the_command_shows_and_lists(capsys):
    open_system("rapid", 9100)
    name = Publication.objects.get().key_id
    for what in ("show", "list", "retire"):
        call_command("signing_key", what)
    said = capsys.readouterr().out
    assert said.count(name) == 2
    assert "Nothing to retire" in said
