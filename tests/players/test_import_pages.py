"""Imports in the admin: upload, dry run, progress, faults, application; who may."""

from __future__ import annotations

import csv
import io
import re

import pytest
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.test import Client
from django.urls import reverse

from players import player_imports
from players.models import Player, PlayerImport
from players.roles import APPROVERS, CLERKS, RATING_OFFICERS
from tests.factories import appoint, make_player, make_user
from tests.pages import text_of
from tests.players.lists import done, listed, preview, upload

pytestmark = pytest.mark.django_db
ADD = "/admin/players/playerimport/add/"


@pytest.fixture(autouse=True)
def quiet(settings, tmp_path, monkeypatch):
    settings.VAR_DIR = tmp_path
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    monkeypatch.setattr("players.player_imports.ring", lambda pk: None)


def member(group: str) -> Client:
    user = make_user(is_staff=True)
    appoint(user, group)
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def officer() -> Client:
    return member(RATING_OFFICERS)


def page_of(client: Client, job: PlayerImport) -> str:
    response = client.get(reverse("admin:players_playerimport_change", args=[job.pk]))
    assert response.status_code == 200
    return response.content.decode()


def test_from_upload_to_register(officer):
    make_player("Berg, Bo", fide_id="102", born=1980)
    rows = [listed(101, "Normal, Nora"), listed(102, "Berg, Bo"), listed(103, birth_year=2099)]
    given = {"file": upload(rows), "list_date": "2026-10-01", "federations": "xaa, XBB"}
    response = officer.post(ADD, given, follow=True)
    job = PlayerImport.objects.get()
    assert response.redirect_chain[-1][0] == f"/admin/players/playerimport/{job.pk}/change/"
    assert job.federations == ["XAA", "XBB"]
    waiting = response.content.decode()
    assert f'data-progress="/admin/players/playerimport/{job.pk}/progress/"' in waiting
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in waiting
    assert "Apply" not in waiting
    progress = officer.get(f"/admin/players/playerimport/{job.pk}/progress/").json()
    assert (progress["state"], progress["finished"]) == ("queued", False)

    done(job)
    progress = officer.get(f"/admin/players/playerimport/{job.pk}/progress/").json()
    assert (progress["finished"], progress["stage"]) == (True, "3 lines read, kilobytes")
    page = text_of(page_of(officer, job))
    assert "New players 1 Players changed 1 Players unchanged 0" in page
    assert "Lines left out for faults 1" in page
    assert "birth year 1980 → 1990" in page
    assert "2099 lies in the future." in page
    assert Player.objects.count() == 1

    response = officer.post(f"/admin/players/playerimport/{job.pk}/apply/", follow=True)
    applied = PlayerImport.objects.get(kind="apply")
    done(applied)
    assert "What the list changed" in page_of(officer, applied)
    assert "see the import" in page_of(officer, job)
    assert Player.objects.count() == 2


def test_a_large_upload_goes_to_the_disk(officer, tmp_path, monkeypatch):
    kinds = []
    real = player_imports.request_preview
    monkeypatch.setattr(
        player_imports,
        "request_preview",
        lambda file, **options: (kinds.append(type(file)), real(file, **options))[1],
    )
    rows = [listed(n) for n in range(1000, 18_500)]
    officer.post(ADD, {"file": upload(rows), "list_date": "2026-10-01"})
    assert kinds == [TemporaryUploadedFile]
    job = PlayerImport.objects.get()
    assert job.size > 2_500_000
    assert [path for path in tmp_path.iterdir() if path.is_file()] == []


def test_a_list_on_the_server_can_be_chosen(officer, tmp_path):
    assert "Or a list on the server" not in officer.get(ADD).content.decode()
    (tmp_path / "player-lists").mkdir()
    (tmp_path / "player-lists/october.xml").write_bytes(upload([listed(101)], "fide-xml").read())
    assert "october.xml" in officer.get(ADD).content.decode()
    officer.post(ADD, {"waiting": "october.xml", "list_date": "2026-10-01"})
    job = done(PlayerImport.objects.get())
    assert (job.format, job.file_name, job.created) == ("fide-xml", "october.xml", 1)


@pytest.mark.parametrize("name", ["../secret-key", "nothing.txt"])
def test_no_other_file_of_the_server_can_be_chosen(officer, tmp_path, name):
    (tmp_path / "player-lists").mkdir()
    (tmp_path / "player-lists/own.txt").write_bytes(b"x")
    (tmp_path / "secret-key").write_bytes(b"x")
    page = officer.post(ADD, {"waiting": name, "list_date": "2026-10-01"}).content.decode()
    assert "not one of the available choices" in page
    assert not PlayerImport.objects.exists()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "Choose one list."),
        ({"file": b""}, "The file is empty."),
        ({"file": b"hello"}, "This is no list of players."),
        ({"file": b"fide_id,name\n1,A\n"}, "The list does not tell its date: give it."),
        ({"file": b"fide_id,name\n1,A\n", "federations": "Spain"}, "SPAIN: write three-letter codes"),
        ({"file": b"fide_id,name,shoe\n1,A\n", "list_date": "2026-10-01"}, "shoe"),
    ],
)
def test_what_cannot_be_taken_is_told_at_once(officer, given, told):
    if "file" in given:
        given = {**given, "file": upload(given["file"])}
    response = officer.post(ADD, given)
    assert response.status_code == 200
    assert told in response.content.decode()
    assert not PlayerImport.objects.exists()


def test_faults_as_csv(officer):
    job = preview([listed(101, birth_year=2090), listed(102, birth_year=2091)])
    PlayerImport.objects.filter(pk=job.pk).update(fault_count=700)
    response = officer.get(f"/admin/players/playerimport/{job.pk}/faults.csv")
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(io.StringIO(b"".join(response).decode(), newline="")))
    assert rows[0] == ["line", "column", "field", "message", "remedy"]
    assert rows[1] == ["2", "", "birth_year", "2090 lies in the future.", "Correct the year."]
    assert rows[3][3] == "698 more faults are not listed."


def test_stopping(officer):
    job = player_imports.request_preview(upload([listed(1)]), list_date="2026-10-01")
    assert ">Stop<" in page_of(officer, job)
    officer.post(f"/admin/players/playerimport/{job.pk}/stop/")
    job.refresh_from_db()
    assert job.state == "failed"
    assert "Stopped by" in page_of(officer, job)


def test_a_second_application_is_refused_with_its_reason(officer):
    job = preview([listed(1)])
    url = f"/admin/players/playerimport/{job.pk}/apply/"
    officer.post(url)
    assert "This dry run has been applied." in officer.post(url, follow=True).content.decode()
    assert officer.get(url).status_code == 405


def test_deleting_takes_the_file_along(officer, tmp_path):
    job = preview([listed(1)])
    officer.post(f"/admin/players/playerimport/{job.pk}/delete/", {"post": "yes"})
    assert not PlayerImport.objects.exists()
    assert not list((tmp_path / "player-lists/uploads").iterdir())


def test_approvers_look_and_do_not_import_and_clerks_do_neither(officer):
    job = preview([listed(1)])
    approver, clerk = member(APPROVERS), member(CLERKS)
    assert "Apply" not in text_of(page_of(approver, job))
    assert clerk.get(ADD).status_code == 403
    for what in ("apply", "stop"):
        for reader in (approver, clerk):
            assert reader.post(f"/admin/players/playerimport/{job.pk}/{what}/").status_code == 403
    assert approver.get("/admin/players/playerimport/").status_code == 200
    # A list names players of all federations.
    for page in ("", f"{job.pk}/change/", f"{job.pk}/faults.csv"):
        assert clerk.get(f"/admin/players/playerimport/{page}").status_code == 403
    nobody = Client()
    assert nobody.get(f"/admin/players/playerimport/{job.pk}/faults.csv").status_code == 302


def test_what_fide_said_stands_on_the_players_page(officer):
    done(player_imports.request_apply(preview([listed(101, "Berg, Bo", other_titles="NA")])))
    page = officer.get(
        reverse("admin:players_player_change", args=[Player.objects.get().pk])
    ).content.decode()
    assert re.search(r"Berg, Bo, FIDE (2026-10-01|Oct)", text_of(page))
    listing = officer.get("/admin/players/player/").content.decode()
    assert ADD in listing
    assert "/players/export/" in listing


def test_an_upload_lies_under_a_random_name_for_the_portal_alone(officer, settings):
    names = set()
    for _ in range(2):
        given = {
            "file": upload([listed(101, "Normal, Nora")], name="../../secret name.csv"),
            "list_date": "2026-10-01",
        }
        officer.post(ADD, given)
        job = PlayerImport.objects.latest("pk")
        place = settings.VAR_DIR / "player-lists" / job.file.name
        assert re.fullmatch(r"uploads/[0-9a-f]{32}", job.file.name)
        assert place.stat().st_mode & 0o777 == 0o600
        assert place.parent.stat().st_mode & 0o777 == 0o700
        assert settings.STATIC_ROOT not in [str(each) for each in place.parents]
        names.add(job.file.name)
        player_imports.stop(job, None)
    assert len(names) == 2
