"""Reports sent with a key: by the arbiters' service, once, by whom it concerns, whole or not at all."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from players.models import AuditEntry, Player
from ratinglists import api_keys, api_reports
from ratinglists.models import ApiKey, ApiSubmission
from tests.factories import make_federation, root
from tests.ratinglists.api.conftest import V1
from tests.tournaments.report_files import ASYMMETRIC, NOMINAL
from tournaments.models import Game, Report
from tournaments.reports.text import MAX_BYTES
from tournaments.services import cancel

pytestmark = pytest.mark.django_db


def send(tournament: int, key: str, content: bytes = NOMINAL, name: str = "a-1", client=None, **fields):
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    headers |= {"Idempotency-Key": name} if name else {}
    body = {"file": SimpleUploadedFile("nominal.trf", content), **fields}
    return (client or Client()).post(f"{V1}/tournaments/{tournament}/reports", body, headers=headers)


def test_a_report_is_stored_once_with_its_findings(key, pairs, officer):
    first = send(pairs.pk, key)
    assert first.status_code == 201, first.content
    told, report = first.json(), Report.objects.get(tournament=pairs)
    assert (told["id"], told["sha256"], told["state"]) == (report.pk, report.sha256, "submitted")
    assert told["findings"] == report.findings
    assert {each["code"] for each in told["findings"]} >= {"nominal-rating"}
    assert (bytes(report.content), report.submitted_by) == (NOMINAL, officer)
    assert Game.objects.filter(report=report).count() == 4
    again = send(pairs.pk, key)
    assert (again.status_code, again.content) == (201, first.content)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert Report.objects.filter(tournament=pairs).count() == 1
    noted = AuditEntry.objects.get(act="report.sent-by-key")
    assert (noted.actor, noted.data["key"]) == (officer, ApiKey.objects.get().pk)


def test_a_refusal_names_each_fault_and_stores_nothing(key, pairs):
    answer = send(pairs.pk, key, ASYMMETRIC)
    said = answer.json()
    assert (answer.status_code, said["status"]) == (422, 422)
    faults = [each for each in said["findings"] if each["severity"] == "error"]
    assert len(said["errors"]) == len(faults) > 0
    assert all(each["remedy"] for each in faults)
    assert not Report.objects.filter(tournament=pairs).exists()
    pairs.refresh_from_db()
    assert pairs.state == "registered"
    assert send(pairs.pk, key, ASYMMETRIC).content == answer.content
    assert send(pairs.pk, key, NOMINAL).status_code == 409  # another body under the same name
    assert send(pairs.pk, key, NOMINAL, name="a-2").status_code == 201


def test_a_person_whom_the_file_does_not_name_is_chosen(key, pairs):
    unknown = NOMINAL.replace(b"7000014", b"       ")
    person = Player.objects.get(name="Dogwood, Jo", identifiers__value="7000014")
    assert send(pairs.pk, key, unknown).status_code == 422
    answer = send(pairs.pk, key, unknown, name="a-2", people=f'{{"4": {person.pk}}}')
    assert answer.status_code == 201, answer.content
    assert Report.objects.get(tournament=pairs).people == {"4": person.pk}


def test_new_players_need_the_right_of_the_account(key, pairs):
    unknown = NOMINAL.replace(b"7000014", b"7000099").replace(b"Dogwood, Jo", b"Elder, Max ")
    answer = send(pairs.pk, key, unknown, people='{"4": "new"}')
    assert answer.status_code == 403
    assert not ApiSubmission.objects.exists()
    assert not Player.objects.filter(name="Elder, Max").exists()


def test_only_the_own_federation_and_what_the_account_may(key, pairs, world, officer):
    made = {"name": "Other", "user": officer, "expires_at": timezone.now() + timedelta(days=9)}
    other = api_keys.make(officer, **made, federation=make_federation("XBB"), scopes=["reports"])[1]
    reader = api_keys.make(officer, **made, federation=make_federation(), scopes=[])[1]
    assert send(pairs.pk, other).status_code == 403
    assert send(pairs.pk, reader).status_code == 403
    assert send(987654, key).status_code == 404
    assert send(world.draft_event.pk, other).status_code == 404  # not public: not even that it is there
    assert send(pairs.pk, "").status_code == 401
    officer.user_permissions.clear()
    assert send(pairs.pk, key).status_code == 403  # by the rights of this moment
    assert not Report.objects.filter(tournament=pairs).exists()
    assert not ApiSubmission.objects.exists()


@pytest.mark.parametrize(
    ("fields", "status", "path"),
    [
        ({"people": "["}, 422, "body.people"),
        ({"people": '{"4": true}'}, 422, "body.people"),
        ({"people": '{"4": 99999999999999999999}'}, 422, "body.people"),
        ({"correcting": "yes"}, 422, "body.correcting"),
        ({"more": "1"}, 422, "body.more"),
        ({"file": ""}, 422, "body.file"),
        ({"file": SimpleUploadedFile("a.trf", b" " * (MAX_BYTES + 1))}, 413, None),
        ({"file": SimpleUploadedFile("a.trf", b" " * (MAX_BYTES + 100_000))}, 413, None),
    ],
)
def test_bodies_that_cannot_be_used(key, pairs, fields, status, path):
    answer = send(pairs.pk, key, **fields)
    assert answer.status_code == status
    assert [each["path"] for each in answer.json()["errors"]] == ([path] if path else [])


def test_what_a_request_needs(key, pairs, client):
    for name in ("", "a b"):
        refused = send(pairs.pk, key, name=name).json()
        assert [each["path"] for each in refused["errors"]] == ["header.Idempotency-Key"]
        assert "a name of your own for this attempt" in refused["remedy"]
    headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": "a"}
    url = f"{V1}/tournaments/{pairs.pk}/reports"
    assert client.post(url, NOMINAL, content_type="text/plain", headers=headers).status_code == 415
    broken = client.post(url, b"--x", content_type="multipart/form-data", headers=headers)
    assert broken.status_code == 400
    assert broken.headers["Content-Type"] == "application/problem+json"


def test_a_death_in_the_middle_leaves_nothing(key, pairs, monkeypatch):
    def dies(report):
        raise RuntimeError("gone")

    monkeypatch.setattr(api_reports, "_stored", dies)
    answer = send(pairs.pk, key, client=Client(raise_request_exception=False))
    assert (answer.status_code, answer.json()["status"]) == (500, 500)
    assert not Report.objects.filter(tournament=pairs).exists()
    assert not ApiSubmission.objects.exists()
    monkeypatch.undo()
    assert send(pairs.pk, key).status_code == 201


def test_a_cancelled_tournament_takes_none(key, pairs):
    cancel(pairs, root(), "No hall.")
    answer = send(pairs.pk, key)
    (fault,) = [each for each in answer.json()["findings"] if each["severity"] == "error"]
    assert (answer.status_code, fault["code"]) == (422, "state")
    assert fault["remedy"] == "If it was played, ask the federation to register it again."
    assert not Report.objects.filter(tournament=pairs).exists()
