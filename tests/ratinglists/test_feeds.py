"""The feeds of publications: what Atom (RFC 4287) asks of them, and what they say of lists."""

import re
from datetime import date, datetime
from urllib.parse import urlsplit
from xml.etree import ElementTree as tree

import pytest

from ratinglists import corrections
from ratinglists.models import RatingList
from tests import factories as make
from tests.ratinglists.conftest import NEXT, OPENED
from tests.ratinglists.corrected import JULY, World, computed, published

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


def one(element, name: str):
    (found,) = element.findall(ATOM + name)
    return found


def instant(element) -> datetime:
    """A date construct (3.3): by RFC 3339, with its offset."""
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", element.text)
    return datetime.fromisoformat(element.text)


def iri(text: str) -> str:
    assert urlsplit(text).scheme
    assert text.strip() == text
    return text


def read(client, url: str):
    """The feed at an address, held against RFC 4287."""
    answer = client.get(url)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = tree.fromstring(answer.content)
    assert feed.tag == ATOM + "feed"
    assert one(feed, "title").text
    iri(one(feed, "id").text)
    changed = instant(one(feed, "updated"))
    assert one(one(feed, "author"), "name").text  # 4.1.1: of the feed, so that entries need none
    (own,) = [link for link in feed.findall(ATOM + "link") if link.get("rel") == "self"]
    assert own.get("href") == f"http://testserver{url}"
    entries = feed.findall(ATOM + "entry")
    for entry in entries:
        assert one(entry, "title").text
        iri(one(entry, "id").text)
        assert instant(one(entry, "updated")) <= changed
        instant(one(entry, "published"))
        assert one(entry, "summary").text
        alternates = [link for link in entry.findall(ATOM + "link") if link.get("rel") == "alternate"]
        assert len(alternates) == 1
        for link in entry.findall(ATOM + "link"):
            iri(link.get("href"))
    ids = [one(entry, "id").text for entry in entries]
    assert len(set(ids)) == len(ids)
    return entries


def links(entry, rel: str) -> list[str]:
    return [link.get("href") for link in entry.findall(ATOM + "link") if link.get("rel") == rel]


def local(address: str) -> str:
    assert address.startswith("http://testserver/")
    return address.removeprefix("http://testserver")


@pytest.fixture
def bells(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)


@pytest.fixture
def revised(bells):
    """July's list of the standard system, and its revision."""
    world = World()
    event = world.play(date(2004, 5, 1), [(1, 2, 4, "0"), (1, 1, 3, "1")])
    world.publish(JULY)
    correction = world.correction("Lou <beat> Jo & Tom.\x0b\ufffe\uffff")
    corrections.exclude(correction, event, world.staff, "not played")
    computed(correction)
    assert published(correction).state == "done"
    return world


def test_every_publication_is_an_entry_with_its_files(client, chain):
    entries = read(client, "/feeds/lists.atom")
    assert [one(entry, "title").text for entry in entries] == [
        "Blitz, list of 1 March 2022",
        "Rapid, list of 1 April 2022",
        "Rapid, list of 1 March 2022",
    ]
    listed = RatingList.objects.get(period__system="rapid", period__list_date=NEXT)
    entry = entries[1]
    assert client.get(local(*links(entry, "alternate"))).status_code == 200
    assert len(links(entry, "enclosure")) == listed.files.count() > 5
    for link in entry.findall(ATOM + "link"):
        if link.get("rel") == "enclosure":
            file = client.get(local(link.get("href")))
            content = b"".join(file.streaming_content)
            assert len(content) == int(link.get("length"))
            assert file.headers["Content-Type"] == link.get("type")
    assert one(entry, "summary").text == "1 tournament counted."
    assert "starts from" in one(entries[2], "summary").text
    assert links(entry, "related") == []


def test_a_feed_of_one_system(client, chain):
    entries = read(client, "/feeds/lists/blitz.atom")
    assert [one(entry, "category").get("term") for entry in entries] == ["blitz"]
    assert client.get("/feeds/lists/bullet.atom").status_code == 404


def test_a_revision_tells_its_reason_and_leads_to_what_changed(client, own_archive, revised):
    (entry,) = read(client, "/feeds/revisions.atom")
    assert one(entry, "title").text == "Standard, list of 1 July 2004: revision 2"
    summary = one(entry, "summary")
    assert summary.get("type") == "html"
    assert summary.text.startswith("Lou &lt;beat&gt; Jo &amp; Tom. ")
    assert "players changed" in summary.text
    for address in links(entry, "related") + links(entry, "alternate"):
        assert client.get(local(address)).status_code == 200
    assert len(links(entry, "related")) == 2
    first = [each for each in read(client, "/feeds/lists.atom") if links(each, "related") == []]
    assert links(entry, "alternate")[0].endswith("?revision=2")
    assert len(first) == 2


def test_identifiers_stay_the_same(client, chain, settings):
    before = [one(entry, "id").text for entry in read(client, "/feeds/lists.atom")]
    assert all(re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", each) for each in before)
    settings.PORTAL_ORIGIN = "https://ratings.example"
    moved = tree.fromstring(client.get("/feeds/lists.atom").content)
    assert [one(entry, "id").text for entry in moved.findall(ATOM + "entry")] == before
    assert links(moved, "self") == ["https://ratings.example/feeds/lists.atom"]


def test_who_has_it_already_gets_nothing(client, own_archive):
    make.make_list(make.make_system("rapid"), OPENED)
    answer = client.get("/feeds/lists.atom")
    headers = {"If-None-Match": answer.headers["ETag"]}
    again = client.get("/feeds/lists.atom", headers=headers)
    assert (again.status_code, again.content) == (304, b"")
    make.make_list(make.make_system("blitz"), OPENED)
    assert client.get("/feeds/lists.atom", headers=headers).status_code == 200


def test_an_empty_feed_is_a_feed_and_does_not_change(client):
    assert read(client, "/feeds/lists.atom") == []
    one_, other = (client.get("/feeds/lists.atom").headers["ETag"] for _ in range(2))
    assert one_ == other


def test_drafts_are_in_no_feed(client):
    make.make_list(make.make_system("rapid"), OPENED, published=False)
    assert read(client, "/feeds/lists.atom") == []


def test_queries_do_not_grow_with_lists(client, django_assert_max_num_queries):
    system = make.make_system("rapid")
    for month in range(1, 13):
        make.make_list(system, date(2022, month, 1))
    with django_assert_max_num_queries(3):
        assert len(read(client, "/feeds/lists.atom")) == 12


def test_pages_name_the_feeds(client):
    make.make_list(make.make_system("rapid"), OPENED)
    assert 'type="application/atom+xml"' in client.get("/").content.decode()
    assert 'href="/feeds/lists/rapid.atom"' in client.get("/lists/rapid/2022-03-01/").content.decode()
