"""The pages of lists: what is public, search, filters, order, pages and files."""

import io
import re
from datetime import date
from html import unescape

import pytest
from django.views.defaults import server_error

from players.listformats.model import ListRating
from players.listformats.reading import PlayerList
from players.models import Identifier, IssuingBody
from ratinglists import handled_views
from ratinglists.models import ListFile
from tests import factories as make
from tests.pages import text_of

pytestmark = pytest.mark.django_db
DAY = date(2022, 3, 1)
URL = "/lists/rapid/2022-03-01/"


def names(response) -> list[str]:
    text = response.content.decode()
    return [unescape(n) for n in re.findall(r'<th scope="row"><a href="/players/\d+/">([^<]*)</a>', text)]


@pytest.fixture
def system(db):
    return make.make_system("rapid", name="Isles rapid")


@pytest.fixture
def people(system):
    make.make_federation("XBB", "Bay of Bellows")
    people = {
        "ana": make.make_player("Ólvarez, Ana María", sex="f", born=2005, titles=("WFM",), fide_id="77001"),
        "bo": make.make_player("Brand, Bo", federation="XBB", born=1950, titles=("GM",)),
        "cy": make.make_player("Cantor, Cy", born=1985),
        "di": make.make_player("Dorval, Di", sex="f", born=None),
        "ex": make.make_player("Elder, Ex"),
    }
    make.make_list(
        system,
        DAY,
        rows={
            people["ana"]: {"rating": 2100, "change": "16.9500", "games": 8, "k_next": 20},
            people["bo"]: {"rating": 2300, "change": "-3.2000", "games": 4, "k_next": 20},
            people["cy"]: {"rating": 1900, "k_next": 20},
            people["di"]: {"rating": 1850, "status": "inactive", "flags": ["i"]},
            people["ex"]: {"rating": None, "status": "delisted"},
        },
    )
    return people


def test_a_published_list_shows_active_players_from_the_top(client, people):
    response = client.get(URL)
    assert response.status_code == 200
    assert names(response) == ["Brand, Bo", "Ólvarez, Ana María", "Cantor, Cy"]
    text = response.content.decode()
    assert "+16.95" in text
    assert "1 to 3 of 3 players" in text
    assert "<title>Isles rapid, 1 March 2022 · Rating portal</title>" in text


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("q=maria olvarez", ["ana"]),
        ("q=ANA", ["ana"]),
        ("q=77001", ["ana"]),
        ("q=7700", []),
        ("q=%2C", []),
        ("federation=XBB", ["bo"]),
        ("sex=f", ["ana"]),
        ("sex=f&status=rated", ["ana", "di"]),
        ("title=GM", ["bo"]),
        ("title=any", ["bo", "ana"]),
        ("status=inactive", ["di"]),
        ("status=delisted", ["ex"]),
        ("rating_from=1900&rating_to=2100", ["ana", "cy"]),
        ("age=u18", ["ana"]),
        ("age=u20", ["ana"]),
        ("age=u16", []),
        ("age=65", ["bo"]),
        ("order=name", ["bo", "cy", "ana"]),
        ("order=-name", ["ana", "cy", "bo"]),
        ("order=rating", ["cy", "ana", "bo"]),
        ("order=-change", ["ana", "bo", "cy"]),
        ("order=change", ["bo", "ana", "cy"]),
        ("order=-games", ["ana", "bo", "cy"]),
        ("order=born", ["bo", "cy", "ana"]),
        ("order=federation", ["ana", "cy", "bo"]),
    ],
)
def test_search_filter_and_order(client, people, query, expected):
    assert names(client.get(f"{URL}?{query}")) == [people[key].name for key in expected]


def test_bad_filters_are_named_and_ignored(client, people):
    response = client.get(f"{URL}?rating_from=2200&rating_to=2000&order=shoe-size&federation=QQQ&page=zzz")
    text = response.content.decode()
    assert response.status_code == 200
    assert "from a lower to a higher number" in text
    assert "QQQ is not one of the available choices" in text
    assert names(response)[0] == "Brand, Bo"


def test_headers_say_the_order_and_turn_it(client, people):
    text = client.get(f"{URL}?status=rated").content.decode()
    assert 'aria-sort="descending"><a href="?status=rated&amp;order=rating">Rating</a>' in text
    assert text.count("aria-sort=") == 1
    text = client.get(f"{URL}?order=name").content.decode()
    assert 'aria-sort="ascending"><a href="?order=-name">Name</a>' in text
    assert '<a href="?order=-rating">Rating</a>' in text


def test_pages_keep_the_filter(client, system):
    players = [make.make_player(f"Pawn, {chr(97 + n // 26)}{chr(97 + n % 26)}") for n in range(120)]
    make.make_list(system, DAY, {player: 2500 - n for n, player in enumerate(players)})
    first, second = client.get(f"{URL}?q=pawn"), client.get(f"{URL}?q=pawn&page=2")
    assert [len(names(page)) for page in (first, second)] == [100, 20]
    assert 'href="?q=pawn&amp;page=2"' in first.content.decode()
    assert "101 to 120 of 120" in second.content.decode()


def test_long_inactive_players_are_off_the_printed_list(client, people, system):
    gone = make.make_player("Gone, Long")
    make.make_list(
        system,
        date(2022, 4, 1),
        rows={
            gone: {"rating": 2000, "status": "inactive", "flags": ["i", "not-shown"]},
            people["di"]: {"rating": 1850, "status": "inactive", "flags": ["i"]},
        },
    )
    assert names(client.get("/lists/rapid/2022-04-01/?status=rated")) == ["Dorval, Di"]
    body = b"".join(client.get("/lists/rapid/2022-04-01/list.csv"))
    assert b"Dorval" in body
    assert b"Gone" not in body


# --- who sees what --------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["", "list.csv", "list.txt", "list.xml"])
def test_drafts_are_for_those_who_may_publish(client, system, suffix):
    make.make_list(system, DAY, {make.make_player(): 2000}, published=False)
    url = URL + suffix
    assert client.get(url).status_code == 404
    assert client.get(f"{url}?draft=1").status_code == 404
    client.force_login(make.make_user("clerk", is_staff=True))
    assert client.get(f"{url}?draft=1").status_code == 404
    client.force_login(make.make_user("boss", "ratinglists.publish_list", is_staff=True))
    assert client.get(url).status_code == 404
    response = client.get(f"{url}?draft=1")
    assert response.status_code == 200
    if not suffix:
        assert "<strong>Draft.</strong>" in response.content.decode()
        assert "noindex" in response.content.decode()
        assert "list.csv?draft=1" in response.content.decode()


def test_drafts_of_another_federation_are_not_there(client, system):
    make.make_federation("XBB", "Bay of Bellows")
    make.make_list(system, DAY, {make.make_player(): 2000}, published=False)
    for federation, status in (("XAA", 200), ("XBB", 404)):
        user = make.make_user(f"of {federation}", "ratinglists.propose_list", federation=federation)
        client.force_login(user)
        assert client.get(f"{URL}?draft=1").status_code == status


def test_a_special_list_whose_file_is_lost_is_drawn_again(client, people, settings, tmp_path, monkeypatch):
    settings.PORTAL_ARCHIVE = str(tmp_path)
    page = client.get(f"{URL}top/")
    assert names(page)[0] == "Brand, Bo"
    lost = ListFile(name="rapid-2022-03-01-top.csv", sha256="0" * 64)
    monkeypatch.setattr("ratinglists.files.archived", lambda listed, what: lost)
    again = client.get(f"{URL}top/?again=1")
    assert again.status_code == 200
    assert names(again) == names(page)


@pytest.mark.parametrize(
    "url",
    ["/lists/blitz/", "/lists/rapid/", URL, "/lists/rapid/2022-02-31/", "/lists/rapid/2022-03-01/list.csv"],
)
def test_what_is_not_published_is_not_found(client, system, url):
    response = client.get(url)
    assert response.status_code == 404
    assert "There is no such page" in response.content.decode()


@pytest.mark.parametrize(
    ("of", "language", "heading", "told"),
    [
        ("", "en", "There is no list of this date", "No list Isles rapid of 2 March 2022 is published."),
        ("", "es", "No hay lista de esta fecha", "No hay publicada ninguna lista Isles rapid del 2 de marzo"),
        ("list.csv", "pt", "Não há lista desta data", "Nenhuma lista Isles rapid de 2 de março de 2022"),
        ("monitoring/", "en", "There is no list of this date", "Those next to this date"),
        ("changed/", "en", "There is no list of this date", "Those next to this date"),
    ],
)
def test_a_date_without_a_list_leads_to_those_that_there_are(client, system, of, language, heading, told):
    player = make.make_player()
    for month in range(1, 10):
        make.make_list(system, date(2022, month, 1), {player: 2000}, published=month != 9)
    response = client.get(f"/lists/rapid/2022-03-02/{of}", headers={"accept-language": language})
    assert response.status_code == 404
    page = response.text
    assert heading in page
    assert told in text_of(page)
    assert re.findall(r'href="/lists/rapid/2022-(\d\d)-01/"', page) == [
        "01",
        "02",
        "03",
        "04",
        "05",
        "06",
        "08",
    ]
    assert 'href="/lists/"' in page.split("<h1>")[1]


@pytest.mark.parametrize("of", ["?revision=7", "top/?revision=7", "changed/?from=7", "changed/?to=7"])
def test_a_revision_that_is_not_there_leads_to_those_that_are(client, system, of):
    player = make.make_player()
    make.make_list(system, DAY, {player: 2000})
    make.make_list(system, date(2022, 4, 1), {player: 2010})
    response = client.get(URL + of)
    assert response.status_code == 404
    assert "The list Isles rapid of 1 March 2022 has no revision 7." in text_of(response.text)
    assert f'href="{URL}?revision=1"' in response.text
    assert 'href="/lists/rapid/2022-04-01/"' in response.text


def test_no_page_of_another_kind_for_programs(client, system):
    make.make_list(system, DAY, {make.make_player(): 2000})
    answer = client.get("/api/v1/lists/rapid/2022-03-02")
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/problem+json")


def test_the_system_address_leads_to_its_latest_list(client, system):
    player = make.make_player()
    make.make_list(system, DAY, {player: 2000})
    make.make_list(system, date(2022, 4, 1), {player: 2010})
    make.make_list(system, date(2022, 5, 1), {player: 2020}, published=False)
    assert client.get("/lists/rapid/").headers["Location"] == "/lists/rapid/2022-04-01/"
    archive = client.get("/lists/").content.decode()
    assert "/lists/rapid/2022-03-01/" in archive
    assert "/lists/rapid/2022-05-01/" not in archive
    home = client.get("/").content.decode()
    assert "List of 1 April 2022" in home
    assert "2022-05-01" not in home


def test_a_revision_replaces_the_list_and_the_first_stays_readable(client, system):
    player = make.make_player()
    make.make_list(system, DAY, {player: 2000})
    make.make_list(system, DAY, {player: 2011}, revision=2)
    assert ">2011<" in client.get(URL).content.decode()
    assert ">2000<" in client.get(f"{URL}?revision=1").content.decode()
    profile = client.get(f"/players/{player.pk}/").content.decode()
    assert "2011" in profile
    assert ">2000<" not in profile


# --- the computation ------------------------------------------------------------------------------


def test_the_list_says_what_was_counted_deferred_and_refused(client, system):
    done, late, bad = (make.make_tournament(system, name=name) for name in ("Done", "Late", "Bad"))
    player = make.make_player()
    report = {
        "events": [
            {"tournament": done.pk, "name": "Done", "outcome": "counted", "reason": ""},
            {"tournament": late.pk, "name": "Late", "outcome": "deferred", "reason": "It ended on a Sunday."},
            {"tournament": bad.pk, "name": "Bad", "outcome": "refused", "reason": "Too late."},
        ]
    }
    listed = make.make_list(system, DAY, {player: 2000}, report=report)
    text = client.get(URL).content.decode()
    assert "1 tournament counted, 1 deferred to a later list, 1 refused." in text
    assert "It ended on a Sunday." in text
    assert "Too late." in text
    assert listed.sha256 in text
    assert listed.input_sha256 in text
    assert "fide-rapid-blitz-2022" in text


@pytest.fixture
def many(system):
    """A list that handled more events than its page shows; the last one has a finding."""
    events = [make.make_tournament(system, name=f"Open {number}") for number in range(1, 24)]
    outcomes = ["counted"] * 21 + ["counted", "refused"]
    told = [
        {"tournament": event.pk, "name": event.name, "outcome": outcome, "reason": ""}
        for event, outcome in zip(events, outcomes, strict=True)
    ]
    listed = make.make_list(
        system,
        DAY,
        {make.make_player(): 2000},
        published=False,
        events={events[21]: {}},
        report={"events": told},
    )
    finding = {"article": "8.2", "message": "Too many rounds a day."}
    listed.events.update(rated=False, findings=[finding])
    make.publish(listed)
    return listed


def test_a_list_names_the_first_of_many_events_and_leads_to_all(client, many):
    text = client.get(URL).content.decode()
    assert "21 tournaments counted, 0 deferred to a later list, 2 refused." in text
    assert "Open 20</a>" in text
    assert "Open 21</a>" not in text
    assert f'href="{URL}events/?outcome=counted"' in text
    assert "outcome=refused" not in text


def test_the_page_of_a_lists_events_has_all_of_them(client, many):
    text = client.get(f"{URL}events/").content.decode()
    assert "21 tournaments counted, 0 deferred to a later list, 2 refused." in text
    assert text.count("<tr>") == 1 + 23
    refused = client.get(f"{URL}events/?outcome=refused").content.decode()
    assert refused.count("<tr>") == 1 + 2
    assert "Its regulation does not rate it." in refused
    assert "Article 8.2" in refused
    assert "Too many rounds a day." in refused
    found = client.get(f"{URL}events/?q=OPEN 2&outcome=counted").content.decode()
    assert found.count("<tr>") == 1 + 4  # 2, 12, 20 and 21
    assert "No tournament matches." in client.get(f"{URL}events/?q=closed").content.decode()


def test_the_events_come_by_pages(client, many, monkeypatch):
    monkeypatch.setattr(handled_views, "EVENTS_PAGE", 10)
    last = client.get(f"{URL}events/?page=3").content.decode()
    assert last.count("<tr>") == 1 + 3
    assert "Page 3 of 3" in last
    assert "Page 1 of 3" in client.get(f"{URL}events/?page=x").content.decode()


def test_only_staff_see_the_events_of_a_draft(client, system):
    make.make_list(system, DAY, {make.make_player(): 2000}, published=False)
    assert client.get(f"{URL}events/").status_code == 404
    assert client.get(f"{URL}events/?draft=1").status_code == 404


# --- files ----------------------------------------------------------------------------------------


def test_files_hold_the_whole_rated_list(client, people):
    response = client.get(f"{URL}list.csv")
    assert response.streaming
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert response.headers["Content-Disposition"] == 'attachment; filename="rapid-2022-03-01.csv"'
    lines = b"".join(response).decode().split("\r\n")
    assert [line.split(",")[2] for line in lines[1:3]] == [people["bo"].fide_id, "77001"]
    assert len(lines) == 6  # header, four rated players, the end of the last line
    assert lines[4].endswith(",i,,inactive,1850,")
    assert "Elder" not in "".join(lines)


def test_the_text_file_flags_as_fide_does(client, people):
    response = client.get(f"{URL}list.txt")
    assert response.headers["Content-Disposition"] == 'attachment; filename="rapid-2022-03-01.txt"'
    lines = b"".join(response).decode("ascii").split("\r\n")
    assert [line[132:].strip() for line in lines[1:5]] == ["", "w", "", "wi"]
    assert all(len(line) == 136 for line in lines[:-1])


def test_the_xml_file_is_a_single_list_that_is_read_back(client, people):
    response = client.get(f"{URL}list.xml")
    assert response.headers["Content-Disposition"] == 'attachment; filename="rapid-2022-03-01.xml"'
    data = b"".join(response)
    assert data.startswith(b"<playerslist>\n<player>\n<fideid>")
    bo, ana, _, di = PlayerList(io.BytesIO(data), "rapid-2022-03-01.xml")
    assert (bo.federation, bo.title, bo.rapid, bo.standard) == ("XBB", "GM", ListRating(2300, 4, 20), None)
    assert (ana.number, ana.name, ana.women_title) == ("77001", "Ólvarez, Ana María", "WFM")
    assert (di.active, di.birth_year, di.sex) == (False, None, "f")


def test_only_reading_is_allowed(client, people):
    assert client.post(URL).status_code == 405


def test_the_page_for_a_fault_needs_no_database(rf):
    response = server_error(rf.get("/"))
    assert response.status_code == 500
    assert "Something went wrong here" in response.content.decode()


def test_what_is_printed_depends_on_the_regulation(client):
    """A 9.12 has K printed, A 15c three digits; of a birth date only the year is ever public."""
    system = make.make_system("old-rapid", regulation="fide-rapid-2004")
    player = make.make_player("Berg, Bea", born=date(1990, 5, 2))
    IssuingBody.objects.create(code=system.federation_id, name="Aaland Isles")
    Identifier.objects.create(player=player, issuer_id=system.federation_id, value="B17")
    make.make_list(system, date(2004, 4, 1), rows={player: {"rating": 2143, "k_next": 15}})
    page = text_of(client.get("/lists/old-rapid/2004-04-01/").content.decode())
    assert "B17 Berg, Bea XAA 214 " in page
    assert "2143" not in page
    assert "1990-05" not in page
    assert " 15 1990 " in page
    rows = b"".join(client.get("/lists/old-rapid/2004-04-01/list.csv")).decode().split("\r\n")
    assert rows[1].endswith(",2143,0,15,1990,,B17,active,214,")


def test_the_year_of_birth_and_the_sex_where_a_text_has_those_printed(client, people):
    page = text_of(client.get(URL).content.decode())
    assert "Sex" in page
    assert "2005-01-01" not in page
