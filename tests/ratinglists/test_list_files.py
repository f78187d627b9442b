"""Files of lists: published once, handed out from the archive for ever; special lists as pages."""

import hashlib
import io
import re
from datetime import date
from html import unescape

import openpyxl
import pytest
from django.db import transaction

from ratinglists import archive, facts, files, listing, paging, special, views
from ratinglists.canonical import canonical_chunks
from ratinglists.models import ListFile, RatingList
from ratinglists.publishing import flip, write_files
from regulations import lists
from tests import factories as make
from tests.pages import text_of

pytestmark = pytest.mark.django_db
MARCH, APRIL = date(2022, 3, 1), date(2022, 4, 1)
URL = "/lists/rapid/2022-04-01/"


def hashed(draft: RatingList) -> RatingList:
    """With the hash of its rows, as a computation leaves it."""
    draft.sha256 = lists.sha256_of(canonical_chunks(draft))
    draft.save(update_fields=["sha256"])
    return draft


def published(*args, **fields) -> RatingList:
    """A list published with its files, as the services do it."""
    draft = hashed(make.make_list(*args, published=False, **fields))
    found = write_files([draft], lambda *_: None)
    with transaction.atomic():
        flip([draft], found, None)
    return RatingList.objects.get(pk=draft.pk)


def body(response) -> bytes:
    return b"".join(response)


@pytest.fixture
def system():
    return make.make_system("rapid", name="Isles rapid")


@pytest.fixture
def people(system):
    people = [make.make_player(f"Pérez, {name}", born=2003) for name in ("Ana", "Bo", "Cy")]
    make.make_list(system, MARCH, {people[0]: 2000, people[1]: 1900})
    return people


@pytest.fixture
def listed(system, people):
    return published(
        system,
        APRIL,
        rows={
            people[0]: {"rating": 2010, "games": 4, "k_next": 20},
            people[1]: {"rating": 1900},
            people[2]: {"rating": 1700},
        },
    )


def test_the_page_has_every_file_with_size_and_hash(client, listed):
    text = client.get(URL).content.decode()
    assert len(listed.files.all()) == 17
    for file in listed.files.all():
        address = f"{URL}files/{file.sha256}/{file.name}"
        assert f'href="{address}"' in text
        assert text.count(file.sha256) >= 2
        response = client.get(address)
        content = body(response)
        assert hashlib.sha256(content).hexdigest() == file.sha256
        assert len(content) == file.size == int(response.headers["Content-Length"])
        assert response.headers["ETag"] == f'"{file.sha256}"'
        assert response.headers["Content-Disposition"] == f'attachment; filename="{file.name}"'
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert response.headers["Content-Type"] == file.media_type


def test_who_has_the_file_is_not_sent_it_again(client, listed):
    file = files.archived(listed, "csv")
    for address in (f"{URL}files/{file.sha256}/{file.name}", f"{URL}list.csv"):
        again = client.get(address, headers={"If-None-Match": f'"{file.sha256}"'})
        assert (again.status_code, again.content) == (304, b"")
        other = client.get(address, headers={"If-None-Match": '"0"'})
        assert other.status_code == 200
        assert hashlib.sha256(body(other)).hexdigest() == file.sha256


@pytest.mark.parametrize("ending", files.WHOLE)
def test_the_old_addresses_serve_what_is_archived(client, listed, ending, monkeypatch):
    monkeypatch.setattr(files, "whole", None)
    response = client.get(f"{URL}list.{ending}")
    file = files.archived(listed, ending)
    assert hashlib.sha256(body(response)).hexdigest() == file.sha256
    assert response.headers["Cache-Control"] == "public, no-cache"
    assert response.headers["Content-Disposition"] == f'attachment; filename="{file.name}"'


def test_a_file_is_found_by_its_own_address_only(client, listed, system):
    file = files.archived(listed, "csv")
    for address in (
        f"{URL}files/{'0' * 64}/{file.name}",
        f"{URL}files/{file.sha256}/other.csv",
        f"/lists/rapid/2022-03-01/files/{file.sha256}/{file.name}",
        f"/lists/blitz/2022-04-01/files/{file.sha256}/{file.name}",
        f"{URL}files/../../{file.name}",
    ):
        assert client.get(address).status_code == 404, address


def test_files_of_a_draft_are_not_public(client, system, people):
    draft = hashed(make.make_list(system, APRIL, {people[0]: 2000}, published=False))
    (row, *_) = write_files([draft], lambda *_: None)
    row.save()
    assert client.get(f"{URL}files/{row.sha256}/{row.name}").status_code == 404


def test_a_file_missing_from_the_archive_is_said_to_be(client, listed):
    file = files.archived(listed, "txt")
    archive.path_of(file.sha256).unlink()
    response = client.get(f"{URL}list.txt")
    assert response.status_code == 503
    assert "missing from the archive" in response.content.decode()


def test_every_revision_keeps_its_files_and_the_earlier_says_what_replaced_it(client, listed, people, system):
    first = files.archived(listed, "csv")
    second = published(system, APRIL, {people[0]: 2099}, revision=2)
    assert files.archived(second, "csv").name == "rapid-2022-04-01-revision-2.csv"
    assert b"2099" in body(client.get(f"{URL}list.csv"))
    assert body(client.get(f"{URL}list.csv?revision=1")) == body(
        client.get(f"{URL}files/{first.sha256}/{first.name}")
    )
    assert "Replaced." not in client.get(f"{URL}top/").content.decode()
    text = text_of(client.get(f"{URL}top/?revision=1").content.decode())
    assert "This is revision 1. Revision 2, published " in text
    assert "replaced it: A wrong result. See the list that stands" in text
    assert first.sha256 in client.get(f"{URL}?revision=1").content.decode()


def test_a_list_too_long_for_a_format_has_none_and_says_so(client, system, people, settings):
    settings.PORTAL_XLSX_ROWS, settings.PORTAL_PDF_ROWS = 2, 1
    listed = published(system, APRIL, {people[0]: 2000, people[1]: 1900})
    endings = {each.name.rpartition(".")[2] for each in listed.files.all()}
    assert endings == {"csv", "txt", "xml", "xlsx", "json"}
    text = text_of(client.get(URL).content.decode())
    assert "No PDF of everybody: such a file holds 1 players at most." in text
    assert "No XLSX" not in text
    assert client.get(f"{URL}list.pdf").status_code == 404


def test_the_workbook_of_a_list(client, listed):
    book = openpyxl.load_workbook(io.BytesIO(body(client.get(f"{URL}list.xlsx"))))
    rows = [[cell.value for cell in row] for row in book.worksheets[0].iter_rows()]
    assert rows[0] == ["Number", "Name", "Title", "Fed.", "Rating", "Games", "Born", "Sex", "K"]
    assert rows[1][1:] == ["Pérez, Ana", None, "XAA", 2010, 4, 2003, "m", 20]
    about = dict(row for row in book["about"].iter_rows(values_only=True))
    assert about["List"] == "List of 2022-04-01"
    assert about["System"] == "Isles rapid"


# --- special lists --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", special.SPECIAL)
def test_each_special_list_has_a_page_that_shows_its_file(client, listed, kind):
    response = client.get(f"{URL}{kind}/")
    text = response.content.decode()
    assert response.status_code == 200
    assert f"<h1>{special.SPECIAL[kind].title}</h1>" in text
    rows, count = files.special_rows(listed, kind)
    shown = [
        (unescape(name), number)
        for number, name in re.findall(r'<th scope="row"><a href="/players/(\d+)/">([^<]*)</a>', text)
    ]
    columns = [column.key for column in special.SPECIAL[kind].table(listed).columns]
    expected = [(row[columns.index("name")], row[-1]) for row in rows]
    assert shown == expected
    assert count == len(expected)
    assert (special.SPECIAL[kind].nobody in text) == (not expected)
    assert 'aria-current="page"' in text
    download = client.get(f"{URL}{kind}.csv")
    assert hashlib.sha256(body(download)).hexdigest() == files.archived(listed, kind).sha256


def test_what_the_pages_show_does_not_change_with_the_register(client, listed, people):
    """A published special list is what its file holds, whatever becomes of the players."""
    before = client.get(f"{URL}changes/").content
    people[2].merged_into = people[1]
    people[2].save()
    assert [each.kinds for each in special.between(listed.previous, listed)] != []
    assert client.get(f"{URL}changes/").content == before


def test_special_lists_of_a_draft_are_computed(client, system, people):
    make.make_list(system, APRIL, {people[0]: 2010, people[2]: 1500}, published=False)
    assert client.get(f"{URL}newcomers/").status_code == 404
    client.force_login(make.make_user("boss", "ratinglists.publish_list", is_staff=True))
    text = client.get(f"{URL}newcomers/?draft=1").content.decode()
    assert "Pérez, Cy" in text
    assert "Pérez, Ana" not in text
    assert "noindex" in text
    assert f'href="{URL}top/?draft=1"' in text
    response = client.get(f"{URL}newcomers.csv?draft=1")
    assert b"Cy" in body(response)
    assert "-draft.csv" in response.headers["Content-Disposition"]


def test_the_first_list_of_a_system_is_compared_with_nothing(client, system, people):
    assert client.get("/lists/rapid/2022-03-01/changes/").status_code == 404
    assert client.get("/lists/rapid/2022-03-01/changes.csv").status_code == 404
    assert "changes/" not in client.get("/lists/rapid/2022-03-01/").content.decode()


def test_the_page_of_federations_shows_one(client, system, people):
    make.make_federation("XBB", "Bay of Bellows")
    other = make.make_player("Bell, B", federation="XBB")
    published(system, APRIL, {people[0]: 2010, other: 2000})
    text = client.get(f"{URL}top-federations/").content.decode()
    assert "Pérez, Ana" in text
    assert "Bell, B" not in text
    text = client.get(f"{URL}top-federations/?federation=XBB").content.decode()
    assert "Bell, B" in text
    assert '<option value="XBB" selected>' in text


# --- pages and counts -----------------------------------------------------------------------------


def test_a_long_list_goes_on_at_the_rating_where_its_pages_end(client, system, monkeypatch):
    monkeypatch.setattr(paging, "MAX_PAGES", 2)
    monkeypatch.setattr(views, "LIST_PAGE", 2)
    people = [make.make_player(f"P, {letter}") for letter in "abcde"]
    make.make_list(system, APRIL, dict(zip(people, (2500, 2400, 2400, 2300, 2200), strict=True)))
    text = client.get(f"{URL}?page=9&sex=m").content.decode()
    assert "3 to 4 of 5 players" in text
    assert '<a href="?sex=m&amp;rating_to=2300">Go on from rating 2300</a>' in text
    rest = client.get(f"{URL}?sex=m&rating_to=2300").content.decode()
    assert "1 to 2 of 2 players" in rest
    assert "pages end here" not in rest
    assert "Go on from" not in client.get(f"{URL}?page=2&order=name").content.decode()


def test_a_stored_number_saves_the_counting(client, system, people, django_assert_num_queries):
    report = {"events": [], "rows": {"active": 7, "provisional": 2, "inactive": 4}}
    listed = make.make_list(system, APRIL, {people[0]: 2000}, report=report)
    with django_assert_num_queries(0):
        assert facts.count_of(listed, listing.Choice()) == 9
        assert facts.count_of(listed, listing.Choice(status="rated", order="name")) == 13
    assert facts.count_of(listed, listing.Choice(sex="f")) == 0


def test_a_published_list_is_counted_once_and_a_draft_each_time(system, people, django_assert_num_queries):
    listed = make.make_list(system, APRIL, {people[0]: 2000})
    choice = listing.Choice(federation="XAA")
    assert facts.count_of(listed, choice) == 1
    with django_assert_num_queries(0):
        assert facts.count_of(listed, choice) == 1
    with django_assert_num_queries(2):  # former names come first
        assert facts.count_of(listed, listing.Choice(text="perez")) == 1
    draft = make.make_list(system, date(2022, 5, 1), {people[0]: 2000}, published=False)
    for _ in range(2):
        with django_assert_num_queries(1):
            facts.count_of(draft, choice)


def test_a_draft_stores_how_many_it_shows(system, people):
    period = make.make_period(system, APRIL)
    draft = make.rate_and_list(period, published=False)
    assert draft.report["rows"] == {"active": 2}
    assert facts.count_of(draft, listing.Choice()) == listing.chosen_rows(draft, listing.Choice()).count()


def test_rows_of_an_archived_file_are_counted(listed):
    assert files.rows_in(files.archived(listed, "top").sha256) == 3
    assert ListFile.objects.count() == 17


def test_a_choice_by_ratings_is_counted_for_all_ratings_at_once(system, people, django_assert_num_queries):
    ratings = dict(zip(people, (2000, 1900, 1900), strict=False))
    listed = make.make_list(system, APRIL, ratings)
    bounds = (None, 1899, 1900, 1901, 2000, 2001)
    choices = [
        listing.Choice(rating_from=low, rating_to=high, status=status)
        for status in ("active", "rated", "unrated")
        for low in bounds
        for high in bounds
        if (low, high) != (None, None)
    ]
    with django_assert_num_queries(3):
        counted = [facts.count_of(listed, choice) for choice in choices]
    assert counted == [listing.chosen_rows(listed, choice).count() for choice in choices]
    assert max(counted) == len(ratings)


def test_the_events_of_a_published_list_are_read_once(system, people, django_assert_num_queries):
    events = [{"tournament": 7, "name": "Open", "outcome": "deferred", "reason": "It is late."}]
    make.make_list(system, APRIL, {people[0]: 2000}, report={"events": events})
    for queries in (2, 0):  # the report, and what its events' own rows say
        listed = listing.find_list(system.code, APRIL)
        with django_assert_num_queries(queries):
            told = facts.of(listed)
        assert [each.name for each in told.handled["deferred"]] == ["Open"]
    draft = make.make_list(
        system, date(2022, 5, 1), {people[0]: 2000}, published=False, report={"events": []}
    )
    assert facts.of(draft).handled["deferred"] == []
    draft.report = {"events": events}
    assert len(facts.of(draft).handled["deferred"]) == 1
