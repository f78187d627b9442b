"""Players hidden, shown again and erased: pages, programs, files to come, proofs, what is left."""

from __future__ import annotations

import json
import re
from datetime import date

import pytest
from django.apps import apps
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, models
from django.utils import timezone

from players import hiding, services
from players.erasing import GONE
from players.hiding import PrivacyRefused, PrivacyRequest
from players.import_batches import take_batch
from players.listformats.model import ListedPlayer
from players.models import HIDDEN_NAME, AuditEntry, FormerName, Identifier, Player
from players.roles import CLERKS, RATING_OFFICERS, ensure_roles
from players.search import find, search
from players.services import IdentityRefused
from ratinglists import archive, complaints, corrections, privacy_requests, recompute, selfcheck
from ratinglists import services as lists
from ratinglists.models import Complaint, ListRow, RatingList
from ratinglists.snapshot import Snapshot
from tests.factories import appoint, make_period, make_player, make_user
from tests.pages import fetch, read
from tests.ratinglists.corrected import World, computed, finished
from tournaments.models import Entry, Report, ReportDraft, Tournament
from tournaments.reporting import ReportRefused

pytestmark = pytest.mark.django_db
JULY, AUGUST, SEPTEMBER = date(2024, 7, 1), date(2024, 8, 1), date(2024, 9, 1)
NAME, NUMBER, NATIONAL, BORN = "Quillfeather, Zora", "7000011", "Q-48213", date(1983, 2, 19)


@pytest.fixture
def zora():
    player = make_player(NAME, fide_id=NUMBER, born=BORN, sex="f", titles=("WFM",))
    services.keep_former_name(player, "Quillfeather, Zorah", "correction of the spelling")
    return player


@pytest.fixture
def world(own_archive, zora):
    """A published list, and the draft of the next one."""
    world = World("fide-standard-2024", players=[zora, *(make_player(born=1980) for _ in range(3))])
    world.unproven = faults()  # the opening list is in no manifest
    world.first = world.play(date(2024, 6, 8), [(1, 1, 2, "1"), (1, 3, 4, "=")])
    world.listed = world.publish(JULY)
    world.play(date(2024, 7, 8), [(1, 2, 1, "1"), (1, 4, 3, "=")], name="Second Open")
    period = world.next_period = make_period(world.system, AUGUST, AUGUST)
    finished(lists.request_compute(period))
    return world


@pytest.fixture
def officer():
    user = make_user("officer", is_staff=True, email="officer@example.org")
    user.groups.add(ensure_roles()[RATING_OFFICERS])
    return user


def faults() -> list[str]:
    return [str(fault) for fault in selfcheck.check((), lambda stage: None)[1]]


def proven(listed: RatingList) -> None:
    """The list comes out of the reports as they were received, byte by byte."""
    snapshot = Snapshot(listed.input_sha256, listed.report["sources"])
    recompute.verify(snapshot, listed.sha256, lambda *_: None)


def public_pages(world, zora) -> list[str]:
    day = f"/lists/standard/{JULY}/"
    event = world.first.pk
    other = world.players[1].pk
    return [
        day,
        f"{day}?order=name",
        f"{day}top/",
        f"{day}top-women/",
        f"{day}changes/",
        f"{day}newcomers/",
        f"/players/{zora.pk}/",
        f"/players/{zora.pk}/games/",
        f"/players/{zora.pk}/privacy/",
        f"/players/{other}/",
        f"/players/{other}/games/",
        f"/players/{other}/compare/{zora.pk}/",
        f"/players/{zora.pk}/events/{event}/",
        f"/players/{other}/events/{event}/",
        f"/tournaments/{event}/",
        f"/tournaments/{event}/complaint/",
        "/lists/standard/live/",
        "/federations/XAA/",
        f"/api/v1/lists/standard/{JULY}/rows",
        f"/api/v1/lists/standard/{JULY}/rows?order=name",
        f"/api/v1/lists/standard/{JULY}/rows?order=name&limit=1",
        f"/api/v1/players/{zora.pk}",
        f"/api/v1/players/{zora.pk}/history",
        f"/api/v1/players/{zora.pk}/games",
        f"/api/v1/players/{other}/games",
        f"/api/v1/players/{other}/calculations/{event}",
        f"/api/v1/tournaments/{event}/crosstable",
        "/api/v1/players",
    ]


def named(text: str) -> bool:
    return bool(re.search(rf"quillfeather|zorah?\b|{NUMBER}", text, re.IGNORECASE))


def naming(client, urls) -> list[str]:
    return [url for url in urls if named(fetch(client, url))]


def test_a_hidden_player_has_no_name_on_any_page_and_a_revealed_one_has(client, world, zora, officer):
    urls = public_pages(world, zora)
    before = naming(client, urls)
    assert len(before) > 20, "the positive control"
    hiding.hide(zora, officer, "Asked by a letter of 3 May.")
    assert naming(client, urls) == []
    assert HIDDEN_NAME in fetch(client, f"/lists/standard/{JULY}/")
    for query in ("quillfeather", "zora", "zorah", NUMBER):
        for url in (
            f"/players/?q={query}",
            f"/api/v1/players?q={query}",
            f"/lists/standard/{JULY}/?q={query}",
        ):
            assert f"/players/{zora.pk}/" not in fetch(client, url), url
        assert find(Player.objects.all(), query).hits == []
    assert "quillfeather" not in json.dumps(client.get("/api/v1/players?limit=1").json()).lower()
    hiding.reveal(zora, officer, "Asked again.")
    assert naming(client, urls) == before
    assert [each.public for each in zora.former_names.all()] == [True]


@pytest.mark.parametrize(("language", "word"), [("es", "Jugador oculto"), ("pt", "Jogador oculto")])
def test_pages_have_the_word_in_the_readers_language_and_programs_in_english(
    client, world, zora, officer, settings, language, word
):
    hiding.hide(zora, officer, "Asked.")
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    urls = public_pages(world, zora)
    other = world.players[1].pk
    urls += [f"/players/{zora.pk}/{each}/" for each in ("history", "statistics", "what-if", "compare")]
    urls += [f"/players/{zora.pk}/compare/{other}/", f"/players/{other}/statistics/"]
    for url in urls:
        page = fetch(client, url).replace(f"«{HIDDEN_NAME}»", "")
        if url.startswith("/api/"):
            assert word not in page, url
        else:
            assert HIDDEN_NAME not in page, url
    for url in (urls[0], f"/players/{zora.pk}/", f"/players/{other}/compare/{zora.pk}/"):
        assert word in fetch(client, url), url


def test_the_administration_has_the_word_in_the_readers_language(
    admin_client, world, zora, officer, settings
):
    record = Player.objects.create(name="Zora, Q.", federation=zora.federation, sex="f")
    merged = services.merge(record, zora, officer, "One person.")
    asked = PrivacyRequest.objects.create(player=zora, wish="hide", name="Z", email="z@example.org")
    case = Complaint.objects.create(
        tournament=Tournament.objects.first(), player=zora, subject="identity", until=JULY, token="x" * 32
    )
    hiding.hide(zora, officer, "Asked.", asked)
    admin_client.cookies[settings.LANGUAGE_COOKIE_NAME] = "es"
    row = ListRow.objects.get(rating_list=world.listed, player=zora)
    urls = [
        "/admin/players/player/",
        "/admin/players/privacyrequest/",
        "/admin/players/identitychange/",
        "/admin/ratinglists/complaint/",
        f"/admin/players/player/{zora.pk}/change/",
        f"/admin/players/player/{merged.source_id}/change/",
        f"/admin/players/player/{merged.source_id}/merge/",
        f"/admin/players/player/{zora.pk}/split/",
        f"/admin/players/privacyrequest/{asked.pk}/change/",
        f"/admin/ratinglists/complaint/{case.pk}/change/",
        f"/admin/tournaments/tournament/{Tournament.objects.first().pk}/change/",
        f"/admin/ratinglists/listrow/?rating_list__id__exact={world.next_period.lists.get().pk}",
        f"/admin/ratinglists/listrow/{row.pk}/change/",
    ]
    for url in urls:
        page = fetch(admin_client, url)
        assert HIDDEN_NAME not in page, url
        assert "Jugador oculto" in page or str(row.pk) in url, url


def test_the_place_in_the_alphabet_is_that_of_the_word_shown(client, world, zora, officer):
    def names(url: str) -> list[str]:
        return [row["name"] for row in client.get(url).json()["items"]]

    hiding.hide(zora, officer, "Asked.")
    url = f"/api/v1/lists/standard/{JULY}/rows?order=name&limit=2"
    first = client.get(url).json()
    found = [row["name"] for row in first["items"]]
    found += names(f"{url}&cursor={first['next']}")
    assert found == sorted(found)
    assert HIDDEN_NAME in found


def test_staff_still_find_him(client, world, zora, officer):
    hiding.hide(zora, officer, "Asked.")
    for text in ("quillfeather zora", "Zorah", NUMBER):
        assert list(search(Player.objects.all(), text)) == [zora]
    client.force_login(officer)
    page = read(client, f"/admin/players/player/{zora.pk}/change/")
    assert "Hidden: the public sees neither name nor numbers" in page


def test_drafts_follow_at_once_and_the_next_files_have_no_name(world, zora, officer):
    draft = world.next_period.lists.get()
    row = ListRow.objects.get(rating_list=draft, player=zora)
    assert (row.name, row.fide_id) == (NAME, NUMBER)
    rated = row.rating
    hiding.hide(zora, officer, "Asked.")
    row.refresh_from_db()
    assert (row.name, row.fide_id, row.withheld) == (HIDDEN_NAME, "", "person")
    assert finished(lists.request_publish(world.next_period)).state == "done"
    draft.refresh_from_db()
    assert draft.state == "published"
    assert ListRow.objects.get(rating_list=draft, player=zora).rating == rated
    for file in draft.files.all():
        assert not named(content_of(file)), file.name
    assert any(named(content_of(file)) for file in world.listed.files.all()), "what is published stays"
    assert faults() == world.unproven
    proven(world.listed), proven(draft)


def content_of(file) -> str:
    return b"".join(archive.read(file.sha256)).decode("latin-1")


def test_a_hidden_player_goes_on_playing(world, zora, officer):
    """Reports name him as before: he is known by his number and the name that is put aside."""
    hiding.hide(zora, officer, "Asked.")
    names = [(NAME if player == zora else player.name, player.fide_id) for player in world.players]
    event = world.play(date(2024, 8, 8), [(1, 1, 2, "1")], name="Third Open", accept=False, names=names)
    assert event.entries.filter(player=zora).exists()
    assert "name-differs" not in str(event.reports.get().findings)
    wrong = [("Stranger, Sam", NUMBER), *names[1:]]
    with pytest.raises(ReportRefused):
        world.play(date(2024, 8, 18), [(1, 1, 2, "1")], name="Fourth Open", accept=False, names=wrong)


def test_a_draft_computed_beside_the_hiding_is_cleared_before_its_files(world, zora, officer):
    draft = world.next_period.lists.get()
    hiding.hide(zora, officer, "Asked.")
    late = {"name": NAME, "fide_id": NUMBER, "withheld": ""}
    ListRow.objects.filter(rating_list=draft, player=zora).update(**late)
    assert finished(lists.request_publish(world.next_period)).state == "done"
    assert not any(named(content_of(file)) for file in draft.files.all())


def test_a_revision_of_an_older_list_does_not_name_him_again(client, world, zora, officer):
    hiding.hide(zora, officer, "Asked.")
    correction = world.correction()
    corrections.exclude(correction, world.first, world.staff, "Not played.")
    computed(correction)
    drafts = RatingList.objects.filter(correction=correction, state="draft")
    assert drafts.exists()
    assert set(
        ListRow.objects.filter(rating_list__in=drafts, player=zora).values_list("name", flat=True)
    ) == {HIDDEN_NAME}


# --- erased ---------------------------------------------------------------------------------------


def everything(*without: type[models.Model]) -> dict[str, str]:
    """Every stored value of the database as text, by table and column."""
    found = {}
    for model in apps.get_models():
        if model in without:
            continue
        for field in model._meta.concrete_fields:
            values = model._base_manager.values_list(field.attname, flat=True)
            found[f"{model._meta.label}.{field.name}"] = "\n".join(
                json.dumps(value, ensure_ascii=False, default=str) for value in values
            )
    return found


def remnants(text: str) -> bool:
    return named(text) or "1983-02-19" in text or "zora@" in text.lower() or NATIONAL in text


@pytest.fixture
def traces(world, zora, officer):
    """Everything that a portal can come to know of a person."""
    account = make_user("zora.q", email="zora@example.org", first_name="Zora", last_name="Quillfeather")
    zora.user = account
    zora.save()
    double = make_player("Quillfeather, Z.", born=None, sex="f")
    double.identifiers.all().delete()
    services.merge(double, zora, make_user("boss", is_superuser=True), f"{NAME} twice, born 1983-02-19")
    case = complaints.open_case(
        world.first, zora, "identity", "I am Zora Quillfeather.", name="Zora", email="Zora+chess@example.org"
    )
    other = complaints.open_case(
        world.first, world.players[1], "game", f"{NAME} lost.", round=1, name="Ann", email="a@example.org"
    )
    complaints.answer(other, officer, uphold=False, reason="Zora Quillfeather did not lose.")
    asked = PrivacyRequest.objects.create(
        player=zora, wish="erase", name=NAME, email="zora@example.org", mailbox="zora@example.org"
    )
    event = world.play(date(2024, 8, 8), [(1, 1, 2, "1")], name="Third Open", accept=False)
    Entry.objects.filter(player=zora).update(reported_name="QUILLFEATHER Zora")
    Report.objects.filter(tournament=event).update(
        remark=f"Is this {NAME}?", findings=[{"message": f"row 1, {NAME}: look", "number": NUMBER}]
    )
    typed = [["1", NUMBER, NAME], ["2", "", "Birch, Ann"]]
    ReportDraft.objects.create(tournament=event, user=officer, players=typed)
    return case, other, asked


def test_nothing_of_an_erased_player_is_left_but_what_is_sealed(client, world, zora, officer, traces):
    case, other, asked = traces
    kept = (Report, ListRow)
    before = {name for name, text in everything(*kept).items() if remnants(text)}
    assert len(before) > 15, "the positive control"
    ratings = list(ListRow.objects.order_by("pk").values_list("player_id", "rating", "k", "change"))
    hiding.erase(zora, officer, f"Letter of {NAME}", asked)

    left = {name for name, text in everything(Report).items() if remnants(text)}
    assert left == {"ratinglists.ListRow.name", "ratinglists.ListRow.fide_id"}
    rows = ListRow.objects.exclude(name=HIDDEN_NAME).filter(player=zora)
    assert set(rows.values_list("rating_list__state", flat=True)) == {"published"}, "as they were printed"
    reports = {
        field: "".join(map(str, Report.objects.values_list(field, flat=True)))
        for field in ("remark", "findings", "changes", "people")
    }
    assert not any(map(remnants, reports.values()))
    assert list(ListRow.objects.order_by("pk").values_list("player_id", "rating", "k", "change")) == ratings
    case.refresh_from_db(), other.refresh_from_db()
    assert (case.text, case.name, case.email) == (GONE, "", "")
    assert (other.text, other.name) == (f"{HIDDEN_NAME} lost.", "Ann")
    assert faults() == world.unproven, "chain, signatures, rows and log hold"
    proven(world.listed)
    assert naming(client, public_pages(world, zora)) == []


def test_the_list_after_an_erasure_can_be_published_and_proven(world, zora, officer):
    hiding.erase(zora, officer, "Asked.")
    assert finished(lists.request_publish(world.next_period)).state == "done"
    listed = world.next_period.lists.get()
    assert not any(named(content_of(file)) for file in listed.files.all())
    world.players[0].refresh_from_db()
    after = finished(lists.request_compute(make_period(world.system, SEPTEMBER, SEPTEMBER)))
    assert after.state == "done", after.message
    draft = RatingList.objects.get(state="draft")
    row, before = (ListRow.objects.get(rating_list=each, player=zora) for each in (draft, listed))
    assert (row.rating, row.name) == (before.rating, HIDDEN_NAME)
    assert faults() == world.unproven
    proven(listed)


def test_fides_list_does_not_bring_the_name_back(zora, officer):
    row = ListedPlayer(
        line=1, number=NUMBER, name="Quillfeather-Smith, Zora", federation="XAA", birth_year=1983
    )
    batch = {"federations": (), "list_date": JULY, "apply": True}
    hiding.hide(zora, officer, "Asked.")
    take_batch([row], **batch)
    zora.refresh_from_db()
    assert zora.name == HIDDEN_NAME, "hidden: not under a new name either"
    hiding.erase(zora, officer, "Asked.")
    outcome = take_batch([row], **batch)
    assert (outcome.created, outcome.changed, outcome.passed_over) == (0, 0, 1)
    assert not Player.objects.filter(name__contains="Quillfeather").exists()
    assert not Identifier.objects.filter(value=NUMBER).exists()
    stranger = row._replace(number="7999999", name="Stranger, A")
    assert take_batch([row, stranger], **batch).created == 1


def test_an_account_of_staff_stays_with_them(zora, officer):
    zora.user = officer
    zora.save()
    hiding.erase(zora, officer, "Asked.")
    officer.refresh_from_db(), zora.refresh_from_db()
    assert zora.user is None
    assert (officer.email, officer.is_active) == ("officer@example.org", True)


def test_who_may_and_what_is_refused(zora, officer):
    clerk = make_user("clerk", is_staff=True)
    appoint(clerk, CLERKS)
    for deed in (hiding.hide, hiding.reveal, hiding.erase):
        with pytest.raises(PermissionDenied):
            deed(zora, clerk, "Asked.")
        with pytest.raises(PrivacyRefused, match="Give a reason"):
            deed(zora, officer, " ")
    with pytest.raises(PrivacyRefused, match="Only a hidden player"):
        hiding.reveal(zora, officer, "Asked.")
    other = make_player()
    hiding.hide(zora, officer, "Asked.")
    boss = make_user("boss", is_superuser=True)
    for one, two in ((zora, other), (other, zora)):
        with pytest.raises(IdentityRefused, match="is hidden: show the player again first"):
            services.merge(one, two, boss, "the same")
    with pytest.raises(PrivacyRefused, match="hidden already"):
        hiding.hide(zora, officer, "Asked.")
    hiding.erase(zora, officer, "Asked.")
    for deed in (hiding.hide, hiding.reveal, hiding.erase):
        with pytest.raises(PrivacyRefused):
            deed(zora, officer, "Asked.")
    zora.refresh_from_db()
    zora.name = NAME
    with pytest.raises(IntegrityError):
        zora.save()


def test_the_log_tells_the_deed_and_no_name(zora, officer):
    hiding.hide(zora, officer, f"{NAME} wrote.")
    hiding.reveal(zora, officer, "Asked.")
    hiding.erase(zora, officer, "Asked.")
    entries = AuditEntry.objects.filter(subject=f"players.player:{zora.pk}").order_by("pk")
    assert [each.act for each in entries] == ["player.hidden", "player.revealed", "player.erased"]
    assert not any(named(f"{each.text} {each.data}") for each in entries)
    assert not FormerName.objects.filter(player=zora).exists()


# --- asking ---------------------------------------------------------------------------------------


def asking(client, player, **fields):
    given = {"wish": "hide", "name": "Zora Q", "email": "zora@example.org", "text": "", **fields}
    return client.post(f"/players/{player.pk}/privacy/", given)


def test_from_the_form_to_the_decision(client, zora, officer, mailoutbox, settings):
    assert asking(client, zora).status_code == 302
    asked = PrivacyRequest.objects.get()
    assert Player.objects.get(pk=zora.pk).name == NAME, "a request changes nothing"
    client.force_login(officer)
    assert "waits for a decision" in read(client, f"/admin/players/privacyrequest/{asked.pk}/change/")
    page = f"/admin/players/player/{zora.pk}/privacy/?request={asked.pk}"
    assert "Zora Q, zora@example.org" in read(client, page)
    wrong = client.post(page, {"act": "erase", "reason": "He asked."})
    assert f"Write {zora.pk} to erase" in wrong.content.decode()
    assert client.post(page, {"act": "hide", "reason": "He asked."}).status_code == 302
    asked.refresh_from_db(), zora.refresh_from_db()
    assert (asked.state, asked.decided_by, asked.reason) == ("done", officer, "He asked.")
    assert zora.name == HIDDEN_NAME
    assert client.post(page, {"act": "erase", "record": zora.pk, "reason": "Again."}).status_code == 302
    zora.refresh_from_db()
    assert zora.privacy == "erased"
    assert client.post(f"/admin/players/player/{zora.pk}/change/", {"name": "X"}).status_code == 403


def test_a_request_that_is_refused(client, zora, officer):
    asking(client, zora)
    asked = PrivacyRequest.objects.get()
    client.force_login(officer)
    page = f"/admin/players/player/{zora.pk}/privacy/?request={asked.pk}"
    assert client.post(page, {"act": "refuse", "reason": "It was not he."}).status_code == 302
    asked.refresh_from_db(), zora.refresh_from_db()
    assert (asked.state, zora.privacy) == ("refused", "")


def test_clerks_have_no_such_page(client, zora):
    clerk = make_user("clerk", is_staff=True)
    appoint(clerk, CLERKS)
    client.force_login(clerk)
    assert client.get(f"/admin/players/player/{zora.pk}/privacy/").status_code == 403
    assert "Hide or erase…" not in fetch(client, f"/admin/players/player/{zora.pk}/change/")


def test_limits_of_mailbox_network_and_player(client, zora):
    others = [make_player() for _ in range(12)]
    for number in range(3):
        assert asking(client, others[number], email=f"Zora+{number}@example.org").status_code == 302
    refused = asking(client, others[4])
    assert refused.status_code == 400
    assert "3 requests from your address" in refused.content.decode()
    for number in range(7):
        assert asking(client, others[5 + number], email=f"who{number}@example.org").status_code == 302
    assert asking(client, zora, email="new@example.org").status_code == 400, "ten of one network"
    PrivacyRequest.objects.all().delete()
    for number in range(5):
        PrivacyRequest.objects.create(player=zora, wish="hide", mailbox=f"w{number}@example.org")
    assert asking(client, zora, email="new@example.org").status_code == 400, "five about one player"
    assert asking(client, others[0], website="x").status_code == 400, "a trap for programs"


def test_nobody_learns_whether_another_has_asked(client, zora):
    for number in range(3):
        PrivacyRequest.objects.create(
            player=make_player(), wish="hide", mailbox="zora@example.org", client=f"elsewhere {number}"
        )
    assert asking(client, zora, email="zora@example.org").status_code == 302


def test_who_asked_is_forgotten_in_time(client, zora, officer, settings):
    asking(client, zora)
    asked = PrivacyRequest.objects.get()
    later = timezone.now().replace(year=timezone.now().year + 4, day=1)
    assert privacy_requests.forget(later) == 0, "it waits"
    hiding.refuse(asked, officer, "Not he.")
    assert privacy_requests.forget() == 0
    assert privacy_requests.forget(later) == 1
    asked.refresh_from_db()
    assert (asked.name, asked.email, asked.mailbox, asked.client, asked.reason) == ("", "", "", "", "Not he.")


def test_a_complaint_of_an_erased_sender_that_is_answered_later_is_no_fault(world, zora, officer):
    case = complaints.open_case(
        world.first, zora, "identity", "It is me, Zora Quillfeather.", name="Ann", email="ann@example.org"
    )
    hiding.erase(zora, officer, "Asked.")
    complaints.answer(Complaint.objects.get(pk=case.pk), officer, uphold=False, reason="No.")
    assert faults() == world.unproven
    Complaint.objects.filter(pk=case.pk).update(text="Something else.")
    assert len(faults()) > len(world.unproven)
