"""The public page on which anybody can check a file."""

import hashlib
import io
import os
import tarfile
import tempfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from ratinglists import archive, verify_views
from ratinglists.models import ListFile, Publication, RatingList
from tests.pages import fetch
from tests.ratinglists.conftest import compute_next, open_system
from verifier import form
from verifier.__main__ import main

pytestmark = pytest.mark.django_db
PAGE = "/verify/"


def sent(client, data: bytes, name: str = "list.csv"):
    return client.post(PAGE, {"file": SimpleUploadedFile(name, data)})


def test_every_publication_is_shown_with_its_proof(client, chain):
    page = client.get(PAGE).content.decode()
    for publication in Publication.objects.all():
        for text in (publication.manifest_sha256, publication.signature, publication.key_id):
            assert text in page
    assert "a change of the signing key" in page
    listed = RatingList.objects.get(period__system="rapid", is_opening=False)
    shown = client.get(reverse("list", args=["rapid", listed.list_date])).content.decode()
    assert f"{PAGE}?sha256={listed.sha256}" in shown


def test_the_lists_have_the_dates_of_the_language(client, chain):
    listed = RatingList.objects.get(period__system="rapid", is_opening=False)
    page = fetch(client, PAGE, "es")
    assert f">{listed.system.name} {listed.list_date:%d/%m/%Y}</a>" in page
    assert f"{listed.list_date}</a>" not in page


@pytest.mark.parametrize(("language", "words"), [("es", "el archivo"), ("pt", "o ficheiro")])
def test_a_file_is_named_in_the_readers_language(client, chain, language, words):
    stored = RatingList.objects.get(period__system="rapid", is_opening=False).files.first()
    assert f"{words} {stored.name}" in fetch(client, f"{PAGE}?sha256={stored.sha256}", language)


def test_nothing_published_yet(client):
    response = client.get(PAGE)
    assert response.status_code == 200
    assert "Nothing is published yet" in response.content.decode()


def test_a_hash_is_looked_up(client, chain):
    listed = RatingList.objects.get(period__system="rapid", is_opening=False)
    stored = listed.files.get(name="rapid-2022-04-01.csv")
    known = {
        stored.sha256: "the file rapid-2022-04-01.csv",
        f" {stored.sha256.upper()}  rapid.csv": "the file rapid-2022-04-01.csv",
        listed.sha256: "the list itself",
        listed.input_sha256: "the input from which",
        listed.publication.manifest_sha256: "its manifest",
    }
    for asked, text in known.items():
        page = client.get(PAGE, {"sha256": asked}).content.decode()
        assert text in page
        assert "publication 2" in page
    assert "was not published here" in client.get(PAGE, {"sha256": "0" * 64}).content.decode()
    for wrong in ("abc", "0" * 63, "g" * 64, "0" * 65, "\x00"):
        assert "has 64 digits" in client.get(PAGE, {"sha256": wrong}).content.decode()


def test_the_hash_of_a_draft_is_not_told(client, own_archive):
    draft = compute_next(open_system("rapid", 9100)).lists.get()
    assert draft.state == "draft"
    for sha256 in (draft.sha256, draft.input_sha256):
        assert "was not published here" in client.get(PAGE, {"sha256": sha256}).content.decode()


def test_a_file_is_recognised_and_not_kept(client, chain, monkeypatch):
    stored = ListFile.objects.get(name="rapid-2022-04-01.csv")
    with archive.open_file(stored.sha256) as file:
        data = file.read()
    page = sent(client, data).content.decode()
    assert "list.csv was published here" in page
    assert "the file rapid-2022-04-01.csv" in page
    assert "was not published here" in sent(client, data + b" ").content.decode()
    assert "<b>" not in sent(client, data, "<b>.csv").content.decode()

    def never(*args, **kwargs):
        raise AssertionError("the file is written somewhere")

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", never)
    monkeypatch.setattr(tempfile, "mkstemp", never)
    big = os.urandom(5 * 2**20)  # more than Django keeps in memory
    assert hashlib.sha256(big).hexdigest() in sent(client, big).content.decode()


def test_a_file_too_large_is_not_read_to_its_end(client, monkeypatch):
    monkeypatch.setattr(verify_views, "MOST_BYTES", 2**20)
    read = []
    real = verify_views.Hasher.receive_data_chunk
    monkeypatch.setattr(
        verify_views.Hasher,
        "receive_data_chunk",
        lambda self, raw, start: (read.append(len(raw)), real(self, raw, start))[1],
    )
    assert "larger than 1 MB" in sent(client, bytes(4 * 2**20)).content.decode()
    assert sum(read) < 2 * 2**20
    assert "larger" not in sent(client, bytes(2**19)).content.decode()


def test_without_a_file_or_without_the_token():
    assert "Choose a file" in Client().post(PAGE, {}).content.decode()
    assert Client(enforce_csrf_checks=True).post(PAGE, {}).status_code == 403


def test_what_is_downloaded_proves_the_publications(client, chain, tmp_path):
    for publication in Publication.objects.all():
        number = publication.number
        body = client.get(f"{PAGE}{number}/manifest.json").content
        signature = client.get(f"{PAGE}{number}/manifest.sig").content
        pem = client.get(f"{PAGE}keys/{publication.key_id}.pem").content
        public = form.parse(body)["key"]
        assert pem == form.key_file(public)
        assert form.is_signed(body, signature, public)
        data = b"".join(client.get(f"{PAGE}{number}/archive.tar").streaming_content)
        target = tmp_path / f"archive-{number}"
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            tar.extractall(target, filter="data")
        assert main([str(target), "--since", str(number), "--key", publication.key_id]) == 0


@pytest.mark.parametrize("path", ["9/manifest.json", "9/manifest.sig", "9/archive.tar", "keys/abc.pem"])
def test_what_is_not_there_is_not_found(client, chain, path):
    assert client.get(PAGE + path).status_code == 404


def test_a_damaged_archive_does_not_take_the_page_down(client, chain):
    for path in (archive.path_of(each.manifest_sha256) for each in Publication.objects.all()):
        path.unlink()
    assert client.get(PAGE).status_code == 200
    assert client.get(f"{PAGE}1/manifest.json").status_code == 404
