"""Complaints: from a public row to a case, its answer, and a correction; and what nobody may learn."""

import re
from datetime import date, timedelta
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils import timezone

from players.models import AuditEntry, OutboxMessage
from players.roles import CLERKS, RATING_OFFICERS, ensure_roles
from players.services import merge
from ratinglists import complaint_mail, complaint_senders, complaints
from ratinglists.models import Complaint, Correction
from ratinglists.tasks import send_complaints
from regulations.base import Parameter
from tests import factories as make
from tests.pages import fetch, read
from tournaments.transitions import NotAllowedNow

pytestmark = pytest.mark.django_db
SECRET = "Nobody but staff may read this sentence."
GAMES = [(1, 1, 2, "1-0"), (1, 3, 4, "1/2-1/2"), (2, 2, 3, "0-1"), (2, 4, 1, "0-1")]


@pytest.fixture
def system():
    return make.make_system("rapid", complaint_days=30)


@pytest.fixture
def players():
    return [make.make_player(f"Invented, {name}") for name in ("Anna", "Bert", "Carl", "Dora")]


@pytest.fixture
def event(system, players):
    """Reported and accepted, counted by no list yet."""
    made = make.make_tournament(system, name="Isles Rapid", start=date(2022, 3, 5), rounds=2)
    make.make_report(made, players, GAMES)
    return made


@pytest.fixture
def counted(system, players, event):
    """Counted in the list of 1 April 2022, published on that day."""
    make.make_list(system, date(2022, 3, 1), dict.fromkeys(players, 1800))
    make.make_list(
        system,
        date(2022, 4, 1),
        dict.fromkeys(players, 1800),
        events={
            event: {
                players[0]: {
                    "change": "4.8",
                    "k": 20,
                    "detail": {
                        "counted": [
                            {"round": 1, "opponent": str(players[1].pk), "white": True, "score": "1",
                             "opponent_rating": "1800", "difference": 0, "expected": "0.5", "article": "8.3"}
                        ],
                        "uncounted": [
                            {"round": 2, "opponent": str(players[3].pk), "article": "6.4",
                             "reason": "unrated"}
                        ],
                        "steps": [],
                    },
                }
            }
        },
    )  # fmt: skip
    event.refresh_from_db()
    return event


@pytest.fixture
def officer():
    user = make.make_user("officer", is_staff=True, email="officer@example.org")
    user.groups.add(ensure_roles()[RATING_OFFICERS])
    return user


@pytest.fixture
def on_day(monkeypatch):
    """Set the day that it is in every system."""

    def choose(day: date) -> None:
        monkeypatch.setattr("tournaments.systems.RatingSystem.today", lambda self: day)

    return choose


def typed(players, **fields) -> dict:
    return {
        "subject": "game",
        "player": players[0].pk,
        "round": 1,
        "text": SECRET,
        "name": "Zora Sender",
        "email": "zora@example.org",
        **fields,
    }


def opened(event, players, **fields) -> Complaint:
    given = typed(players, **fields)
    given["player"] = next(player for player in players if player.pk == given["player"])
    return complaints.open_case(event, **given)


def faults(response) -> dict:
    return {name: list(errors) for name, errors in response.context["form"].errors.items()}


# --- the links ------------------------------------------------------------------------------------------


def links(page: str) -> list[str]:
    return [unescape(link) for link in re.findall(r'href="([^"]*/complaint/[^"]*)"', page)]


def test_every_game_row_and_identity_row_leads_to_the_form_filled_in(client, counted, players):
    anna = players[0]
    pages = {
        "games": fetch(client, reverse("player-games", args=[anna.pk])),
        "calculation": fetch(client, reverse("calculation", args=[anna.pk, counted.pk])),
        "tournament": fetch(client, reverse("tournament", args=[counted.pk])),
    }
    found = {
        name: {
            tuple(sorted((k, v[0]) for k, v in parse_qs(urlsplit(link).query).items()))
            for link in links(page)
        }
        for name, page in pages.items()
    }
    rounds = {(("player", str(anna.pk)), ("round", str(n)), ("subject", "game")) for n in (1, 2)}
    assert found["games"] == rounds
    assert found["calculation"] == rounds | {
        (("player", str(anna.pk)), ("subject", subject)) for subject in ("calculation", "identity")
    }
    assert found["tournament"] == {(("player", str(each.pk)), ("subject", "identity")) for each in players}
    form = client.get(links(pages["games"])[0]).context["form"]
    assert (form["player"].value(), form["subject"].value()) == (str(anna.pk), "game")
    assert form["round"].value() in ("1", "2")


def test_what_has_no_report_cannot_be_complained_about(client, system, players):
    upcoming = make.make_tournament(system)
    assert client.get(reverse("complain", args=[upcoming.pk])).status_code == 404
    assert "complaint/" not in fetch(client, reverse("tournament", args=[upcoming.pk]))
    with pytest.raises(NotAllowedNow, match="no report"):
        opened(upcoming, players)


@pytest.mark.parametrize("state", ["draft", "refused", "appealed"])
def test_a_hidden_tournament_is_not_given_away(client, event, state):
    type(event).objects.filter(pk=event.pk).update(state=state)
    assert client.get(reverse("complain", args=[event.pk])).status_code == 404


# --- the form -------------------------------------------------------------------------------------------


def test_everything_wrong_is_said_at_once(client, event, players):
    stranger = make.make_player("Invented, Elsa")
    sent = {
        "subject": "taste",
        "player": stranger.pk,
        "round": 9,
        "text": "short",
        "email": "nowhere",
        "website": "x",
    }
    response = client.post(reverse("complain", args=[event.pk]), sent)
    assert response.status_code == 400
    assert faults(response).keys() == {"subject", "player", "round", "text", "name", "email", "website"}
    assert not Complaint.objects.exists()


def test_a_game_needs_a_round_in_which_the_player_has_one(client, event, players):
    page = reverse("complain", args=[event.pk])
    assert faults(client.post(page, typed(players, round=""))) == {"round": ["Choose the round of the game."]}
    event.games.filter(round=2, black__player=players[0]).delete()
    said = faults(client.post(page, typed(players, round=2)))
    assert said == {"round": ["Invented, Anna has no game in round 2."]}


def test_a_calculation_exists_only_when_counted(client, event, players):
    response = client.post(reverse("complain", args=[event.pk]), typed(players, subject="calculation"))
    assert faults(response).keys() == {"subject"}


def test_the_round_of_another_subject_is_left_out(client, event, players):
    client.post(reverse("complain", args=[event.pk]), typed(players, subject="identity", round=2))
    assert Complaint.objects.get().round is None


def test_who_fills_in_what_people_do_not_see_is_no_person(client, event, players):
    response = client.post(
        reverse("complain", args=[event.pk]), typed(players, website="https://example.org")
    )
    assert faults(response).keys() == {"website"}
    assert client.post(reverse("complain", args=[event.pk]), typed(players)).status_code == 302


def test_the_trap_is_hidden_from_people(client, event):
    page = fetch(client, reverse("complain", args=[event.pk]))
    trap = page[page.index('class="visually-hidden" aria-hidden="true"') :]
    assert re.match(r'[^>]*>.*?name="website"', trap)


# --- until when -----------------------------------------------------------------------------------------


def test_the_federations_days_after_the_list(counted, players, on_day, client):
    until = complaints.deadline(counted)
    assert (until.day, until.article) == (date(2022, 5, 1), "")
    for day, late in ((date(2022, 5, 1), False), (date(2022, 5, 2), True)):
        on_day(day)
        page = read(client, reverse("complain", args=[counted.pk]))
        assert "2022-05-01" in page
        assert ("marked as late" in page) is True
        case = opened(counted, players, email=f"{day}@example.org")
        assert (case.until, case.late) == (date(2022, 5, 1), late)


def test_the_days_run_from_a_publication_that_came_later(system, players, event):
    make.make_list(system, date(2022, 3, 1), dict.fromkeys(players, 1800))
    listed = make.make_list(system, date(2022, 4, 1), events={event: {}}, published=False)
    listed.computed_at += timedelta(days=10)
    make.publish(listed)
    assert complaints.deadline(event).day == date(2022, 5, 11)


def test_the_regulations_days_come_first(counted, monkeypatch):
    regulation = type(counted.regulation)
    own = counted.regulation.parameters | {"complaint_days": Parameter(7, "9.9", "days for complaints")}
    monkeypatch.setattr(regulation, "parameters", own)
    until = complaints.deadline(counted)
    assert (until.day, until.article) == (date(2022, 4, 8), "9.9")


def test_before_it_is_counted_until_the_next_list_closes(system, event, players, on_day):
    """C 6.13: the list of 1 April closes three days before it."""
    until = complaints.deadline(event)
    assert (until.day, until.why) == (date(2022, 3, 29), "until the list of 2022-04-01 closes")
    make.make_period(system, date(2022, 4, 1), date(2022, 3, 31))
    assert complaints.deadline(event).day == date(2022, 3, 31)
    on_day(date(2022, 4, 1))
    assert opened(event, players).late


# --- bounds ---------------------------------------------------------------------------------------------


def test_the_same_again_is_refused_while_it_is_open(event, players):
    first = opened(event, players)
    with pytest.raises(NotAllowedNow, match=f"complaint {first.pk} is open"):
        opened(event, players, email="ZORA@example.org")
    opened(event, players, email="other@example.org")
    complaints.withdraw(first)
    opened(event, players)


def test_a_sender_has_so_many_cases_on_a_tournament(client, event, players):
    page = reverse("complain", args=[event.pk])
    for number in range(complaint_senders.MOST_OF_A_SENDER):
        assert client.post(page, typed(players, player=players[number].pk)).status_code == 302
    response = client.post(page, typed(players, player=players[3].pk))
    assert response.status_code == 400
    assert "3 cases on this tournament" in str(faults(response))
    # Neither withdrawing nor an answer makes room on the same day; the day after does.
    complaints.withdraw(Complaint.objects.first())
    assert client.post(page, typed(players, player=players[3].pk)).status_code == 400
    Complaint.objects.update(opened_at=timezone.now() - timedelta(days=2))
    opened(event, players, player=players[3].pk)


def test_nobody_learns_whether_another_has_complained(client, event, players):
    """Whoever knows an address asks with it, from elsewhere, and hears what he would hear of any other."""
    page = reverse("complain", args=[event.pk])
    for number in range(complaint_senders.MOST_OF_A_SENDER):
        client.post(page, typed(players, player=players[number].pk), REMOTE_ADDR="192.0.2.1")
    asked = [
        client.post(page, typed(players, email=email), REMOTE_ADDR="198.51.100.7").status_code
        for email in ("zora@example.org", "nobody@example.org")
    ]
    assert asked == [302, 302]


def test_an_address_gets_so_many_mails_of_a_day(client, event, players, monkeypatch):
    monkeypatch.setattr(complaint_mail, "MOST_A_DAY", 2)
    page = reverse("complain", args=[event.pk])
    for number in range(4):
        client.post(page, typed(players, player=players[number].pk), REMOTE_ADDR=f"192.0.2.{number}")
    assert complaint_mail.send_waiting() == 2
    told = Complaint.objects.order_by("pk").values_list("mail", flat=True)
    assert list(told) == ["sent", "sent", "none", "none"]


def test_a_tournament_has_so_many_open_cases(event, players, monkeypatch):
    monkeypatch.setattr(complaint_senders, "MOST_ON_A_TOURNAMENT", 2)
    for number in range(2):
        opened(event, players, email=f"{number}@example.org")
    with pytest.raises(NotAllowedNow, match="wait already"):
        opened(event, players)


@pytest.mark.parametrize("address", ["ZORA@example.org", "zora+chess@example.org", " Zora+2@Example.org"])
def test_a_sender_is_known_by_his_mailbox(event, players, address):
    first = opened(event, players)
    with pytest.raises(NotAllowedNow, match=f"complaint {first.pk} is open"):
        opened(event, players, email=address)


def test_one_address_in_the_network_has_so_many_cases(client, event, players, monkeypatch, settings):
    monkeypatch.setattr(complaint_senders, "MOST_OF_A_CLIENT", 2)
    page = reverse("complain", args=[event.pk])

    def send(number: int, **where) -> int:
        return client.post(page, typed(players, email=f"{number}@example.org"), **where).status_code

    assert [send(number, REMOTE_ADDR="192.0.2.1") for number in range(3)] == [302, 302, 400]
    assert send(3, REMOTE_ADDR="192.0.2.2") == 302
    assert "192.0.2" not in str(list(Complaint.objects.values()))
    settings.PORTAL_TRUST_PROXY = True
    proxied = {"REMOTE_ADDR": "192.0.2.1", "HTTP_X_FORWARDED_FOR": "192.0.2.1, 2001:db8::1"}
    assert send(4, **proxied) == 302, "only what the proxy itself adds is believed"
    assert send(5, **proxied | {"HTTP_X_FORWARDED_FOR": "2001:db8::2"}) == 302
    assert send(6, **proxied | {"HTTP_X_FORWARDED_FOR": "2001:db8::3"}) == 400, "one network"


def test_senders_of_closed_cases_are_forgotten(event, players, settings):
    settings.PORTAL_COMPLAINT_MONTHS = 6
    staff = make.make_user("sara", "ratinglists.answer_complaint")
    waits, old, new, withdrawn = (opened(event, players, email=f"{n}@example.org") for n in range(4))
    for case in (old, new):
        complaints.answer(case, staff, uphold=False, reason="It stands on the sheet.")
    complaints.withdraw(withdrawn)
    Complaint.objects.exclude(pk=new.pk).update(opened_at=timezone.now() - timedelta(days=200))
    Complaint.objects.filter(pk=old.pk).update(answered_at=timezone.now() - timedelta(days=190))
    assert (complaint_senders.forget(), complaint_senders.forget()) == (2, 0)
    kept = dict(Complaint.objects.values_list("pk", "email"))
    assert kept == {waits.pk: "0@example.org", old.pk: "", new.pk: "2@example.org", withdrawn.pk: ""}
    gone = Complaint.objects.get(pk=old.pk)
    assert (gone.name, gone.mailbox, gone.client, gone.user) == ("", "", "", None)
    assert (gone.text, gone.answer) == (old.text, "It stands on the sheet.")


# --- accounts -------------------------------------------------------------------------------------------


def test_an_account_gives_neither_name_nor_address(client, event, players):
    user = make.make_user("anna", email="anna@example.org", first_name="Anna", last_name="Invented")
    client.force_login(user)
    assert (
        set(client.get(reverse("complain", args=[event.pk])).context["form"].fields) & {"name", "email"}
        == set()
    )
    sent = {"subject": "game", "player": players[0].pk, "round": 1, "text": SECRET}
    assert client.post(reverse("complain", args=[event.pk]), sent).status_code == 302
    case = Complaint.objects.get()
    assert (case.name, case.email, case.user) == ("Anna Invented", "anna@example.org", user)
    own = reverse("complaint-case", args=[case.token])
    assert own in fetch(client, reverse("complain", args=[event.pk]))
    client.force_login(make.make_user("bert", email="bert@example.org"))
    assert own not in fetch(client, reverse("complain", args=[event.pk]))


def test_an_arbiter_needs_no_address_for_his_own_tournament(client, system, event, players):
    user = make.make_user("arbiter")
    other = make.make_tournament(system, rounds=2)
    make.make_report(other, players, GAMES)
    event.appointments.create(arbiter=make.make_arbiter(user=user))
    client.force_login(user)
    sent = {"subject": "game", "player": players[0].pk, "round": 1, "text": SECRET}
    assert faults(client.post(reverse("complain", args=[other.pk]), sent)).keys() == {"email"}
    assert client.post(reverse("complain", args=[event.pk]), sent).status_code == 302
    case = Complaint.objects.get()
    assert (case.name, case.email, case.user) == ("arbiter", "", user)
    for number in range(1, 4):  # he speaks for all his players
        opened(event, players, player=players[number].pk, name="", email="", user=user)


# --- the sender's page ----------------------------------------------------------------------------------


def test_the_sender_reads_the_answer_and_can_withdraw(client, event, players, officer):
    response = client.post(reverse("complain", args=[event.pk]), typed(players), follow=True)
    case = Complaint.objects.get()
    page = reverse("complaint-case", args=[case.token])
    assert response.redirect_chain == [(page, 302)]
    assert len(case.token) == 43
    assert SECRET in read(client, page)
    answer = client.get(page)
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer.headers["Cache-Control"]
    complaints.answer(case, officer, uphold=False, reason="The score sheet says otherwise.")
    assert "The score sheet says otherwise." in read(client, page)
    client.post(page)
    case.refresh_from_db()
    assert case.state == "rejected"
    other = opened(event, players)
    client.post(reverse("complaint-case", args=[other.token]))
    other.refresh_from_db()
    assert other.state == "withdrawn"
    with pytest.raises(NotAllowedNow, match="withdrawn already"):
        complaints.answer(other, officer, uphold=True, reason="Too late.")


def test_another_address_shows_nothing(client, event, players):
    case = opened(event, players)
    assert client.get(reverse("complaint-case", args=[case.token[:-1]])).status_code == 404
    assert client.get(f"/complaints/case/{case.pk}/").status_code == 404


# --- what the public sees -------------------------------------------------------------------------------


def test_the_public_sees_that_there_is_a_case_and_nothing_of_its_sender(client, counted, players, officer):
    case = opened(counted, players)
    addresses = [
        reverse("tournament", args=[counted.pk]),
        reverse("calculation", args=[players[0].pk, counted.pk]),
        reverse("complain", args=[counted.pk]),
    ]
    for state in ("waits for an answer", "upheld"):
        for address in addresses:
            page = fetch(client, address)
            assert state in page[page.index('id="complaints"') :], address
            for hidden in ("Zora", "zora@", SECRET, case.token, "Because it is so."):
                assert hidden not in page, (address, hidden)
        if case.is_open:
            complaints.answer(case, officer, uphold=True, reason="Because it is so.")
            case.refresh_from_db()


def test_another_players_calculation_and_a_withdrawn_case_show_none(client, counted, players):
    case = opened(counted, players, player=players[1].pk)
    assert 'id="complaints"' not in fetch(client, reverse("calculation", args=[players[0].pk, counted.pk]))
    tournament = reverse("tournament", args=[counted.pk])
    assert 'id="complaints"' in fetch(client, tournament)
    complaints.withdraw(case)
    assert 'id="complaints"' not in fetch(client, tournament)


def test_a_case_follows_the_person_to_the_record_that_stands(client, counted, players):
    anna, other = players[0], make.make_player("Invented, Anna Maria", born=None, sex="", fide_id="7000001")
    other.identifiers.all().delete()
    case = opened(counted, players)
    merge(anna, other, make.make_user("m", "players.merge_player"), "One person.")
    assert 'id="complaints"' in fetch(client, reverse("calculation", args=[other.pk, counted.pk]))
    assert other.name in read(client, reverse("complaint-case", args=[case.token]))
    case.refresh_from_db()
    assert case.player_id == anna.pk, "it stays at the record that was complained about"


def test_log_and_messages_hold_no_personal_data(event, players, officer):
    complaints.withdraw(opened(event, players))
    case = opened(event, players)
    complaints.answer(case, officer, uphold=True, reason="True.")
    entries = list(AuditEntry.objects.filter(act__startswith="complaint.").order_by("pk"))
    assert [(e.act.partition(".")[2], e.actor_name) for e in entries] == [
        ("opened", ""), ("withdrawn", ""), ("opened", ""), ("answered", "officer"),
    ]  # fmt: skip
    message = OutboxMessage.objects.get(key=f"complaint:{case.pk}")
    assert message.right == "ratinglists.answer_complaint"
    told = [f"{e.text} {e.data}" for e in entries] + [f"{message.subject} {message.text} {message.link}"]
    for each in told:
        assert not {"Zora", "zora", SECRET, case.token} & {
            w for w in (SECRET, "Zora", "zora", case.token) if w in each
        }


# --- mail -----------------------------------------------------------------------------------------------


def test_the_sender_is_told_that_it_is_open_and_that_it_is_answered(event, players, officer, settings):
    settings.PORTAL_ORIGIN = "https://ratings.example.org"
    case = opened(event, players)
    send_complaints()
    send_complaints()
    complaints.answer(case, officer, uphold=True, reason="The score sheet says so.")
    send_complaints()
    assert [message.to for message in mail.outbox] == [["zora@example.org"]] * 2
    assert [message.subject for message in mail.outbox] == [
        f"Complaint {case.pk} about Isles Rapid is open",
        f"Complaint {case.pk} about Isles Rapid: upheld",
    ]
    for message in mail.outbox:
        assert f"https://ratings.example.org/complaints/case/{case.token}/" in message.body
        assert SECRET not in message.body
        assert "Zora" not in message.body


@pytest.mark.parametrize(("email", "on"), [("", True), ("zora@example.org", False)])
def test_without_address_or_mail_nothing_is_sent(event, players, settings, email, on):
    settings.PORTAL_MAIL = on
    user = make.make_user("", "tournaments.accept_report")
    case = opened(event, players, email=email, user=user)
    assert complaint_mail.send_waiting() == 0
    case.refresh_from_db()
    assert (case.mail, len(mail.outbox)) == ("none", 0)


# --- staff ----------------------------------------------------------------------------------------------


def test_only_rating_officers_see_and_answer(client, event, players, officer):
    case = opened(event, players)
    addresses = [reverse("complaints"), reverse("complaint", args=[case.pk])]
    clerk = make.make_user("clerk", is_staff=True)
    make.appoint(clerk, CLERKS)
    assert [client.get(each).status_code for each in addresses] == [302, 302]
    client.force_login(clerk)
    assert [client.get(each).status_code for each in addresses] == [403, 403]
    assert client.post(reverse("complaint-correct", args=[case.pk])).status_code == 403
    with pytest.raises(PermissionDenied):
        complaints.answer(case, clerk, uphold=True, reason="I may not.")
    client.force_login(officer)
    assert [client.get(each).status_code for each in addresses] == [200, 200]
    listed = client.get(reverse("admin:ratinglists_complaint_changelist"))
    assert listed.status_code == 200
    page = client.get(reverse("admin:ratinglists_complaint_change", args=[case.pk]))
    assert SECRET in page.content.decode()
    assert case.token not in page.content.decode()


def test_the_queue_has_the_nearest_deadline_first(client, system, counted, players, officer, on_day):
    on_day(date(2022, 4, 29))
    first = opened(counted, players)
    nearer = make.make_tournament(system, name="Later Rapid", start=date(2022, 4, 25), rounds=2)
    make.make_report(nearer, players, GAMES)
    second = opened(nearer, players)
    client.force_login(officer)
    page = read(client, reverse("complaints"))
    assert page.index(f"Complaint {second.pk}") < page.index(f"Complaint {first.pk}")
    assert "2022-04-28 came late" in page
    assert "2022-05-01 2 days" in page
    complaints.answer(first, officer, uphold=False, reason="No.")
    assert f"Complaint {first.pk}" not in read(client, reverse("complaints"))
    assert f"Complaint {first.pk}" in read(client, reverse("complaints") + "?state=rejected")


def test_an_answer_needs_a_reason_and_is_given_once(client, event, players, officer):
    case = opened(event, players)
    client.force_login(officer)
    page = reverse("complaint", args=[case.pk])
    assert faults(client.post(page, {"reason": "  ", "uphold": "1"})) == {
        "reason": ["Say why: the sender reads it."]
    }
    client.post(page, {"reason": "It was the other way round.", "uphold": "1"})
    case.refresh_from_db()
    assert (case.state, case.answered_by) == ("upheld", officer)
    response = client.post(page, {"reason": "No.", "reject": "1"})
    assert "upheld already" in str(faults(response))


def test_an_upheld_case_becomes_a_correction(client, counted, players, officer):
    first, second = opened(counted, players), opened(counted, players, player=players[1].pk)
    client.force_login(officer)
    turn = reverse("complaint-correct", args=[first.pk])
    client.post(turn)
    assert not Correction.objects.exists(), "not before it is upheld"
    for case in (first, second):
        complaints.answer(case, officer, uphold=True, reason="True.")
        assert "Turn into a correction" in read(client, reverse("complaint", args=[case.pk]))
        client.post(reverse("complaint-correct", args=[case.pk]))
        client.post(reverse("complaint-correct", args=[case.pk]))
    correction = Correction.objects.get()
    assert (correction.system, correction.state, correction.opened_by) == (
        counted.rating_system,
        "open",
        officer,
    )
    assert correction.reason.splitlines() == [
        f"Isles Rapid (2022-03-05): complaint {case.pk} was upheld." for case in (first, second)
    ]
    assert set(correction.complaints.all()) == {first, second}
    assert "Zora" not in correction.reason
    page = fetch(client, reverse("admin:ratinglists_correction_change", args=[correction.pk]))
    assert reverse("admin:ratinglists_correction_event", args=[counted.pk]) in page


def test_an_uncounted_event_has_its_report_returned_instead(client, event, players, officer):
    case = opened(event, players)
    client.force_login(officer)
    page = fetch(client, reverse("complaint", args=[case.pk]))
    assert reverse("admin:tournaments_tournament_change", args=[event.pk]) in page
    complaints.answer(case, officer, uphold=True, reason="True.")
    with pytest.raises(NotAllowedNow, match="return its report"):
        complaints.turn_into_correction(case, officer)
    assert not Correction.objects.exists()
