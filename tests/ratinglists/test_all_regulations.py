"""Every regulation through the portal: report, list, pages; and the calculator says the same."""

import re
from datetime import date, timedelta
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from players.models import Title
from ratinglists import services
from ratinglists.again import Again
from ratinglists.correction_changes import Changes
from ratinglists.drafts import write_draft
from ratinglists.files import files_of
from ratinglists.models import Correction, ListRow
from ratinglists.pipeline import proven
from ratinglists.sameness import same
from regulations import cli, registry
from regulations.lists import digest
from tests.factories import (
    make_arbiter,
    make_federation,
    make_list,
    make_period,
    make_player,
    make_report,
    make_system,
    make_tournament,
)
from tests.pages import text_of
from tests.ratinglists.corrected import snapshot
from tournaments.queries import stored_event_parts

pytestmark = [pytest.mark.django_db, pytest.mark.once]
every = pytest.mark.parametrize("regulation", registry.all_regulations(), ids=lambda each: each.code)
RATINGS = (2145, 2010, None, 1905, 1850, 2000)
#: rounds of six players: white, black, White's points
ROUNDS = (
    ((1, 2, "1-0"), (3, 4, "1-0"), (5, 6, "1/2-1/2")),
    ((2, 3, "1/2-1/2"), (4, 5, "0-1"), (6, 1, "0-1")),
    ((1, 3, "1-0"), (2, 5, "1-0"), (4, 6, "1/2-1/2")),
    ((3, 5, "1/2-1/2"), (1, 4, "1-0"), (6, 2, "+/-")),
    ((6, 3, "0-1"), (5, 1, "1/2-1/2"), (4, 2, "0-1")),
)
BY_AVERAGES = ("feda-1996", "fide-rapid-2004", "fide-standard-2004")
GAMES = [(number, *game) for number, games in enumerate(ROUNDS, start=1) for game in games]


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job: None)


@pytest.fixture
def world(regulation):
    """A system under the regulation, its list, and a tournament in the following period."""
    opened = regulation.next_list_date(regulation.effective_from + timedelta(days=100))
    following = regulation.next_list_date(opened)
    rate = regulation.rates[0]
    system = make_system("list", regulation=regulation.code, since=regulation.effective_from, rate=rate)
    system.schedule = "manual"
    system.save()
    players = [make_player(f"Invented, {name}") for name in ("Anna", "Bert", "Carl", "Dora", "Emil", "Fay")]
    rows = {
        p: {"rating": r, "career_games": 0 if r is None else 60, "games_by_period": [4]}
        for p, r in zip(players, RATINGS, strict=True)
    }
    make_list(system, opened, rows=rows)
    tournament = make_tournament(
        system,
        name="Isles Open",
        start=opened,
        end=opened + timedelta(days=2),
        rounds=len(ROUNDS),
        minutes={"standard": 120, "rapid": 20}.get(rate, 0),
        games_in_event=len(GAMES) if rate == "postal" else None,
        arbiter=make_arbiter(title="IA"),
    )
    make_report(tournament, players, GAMES)
    return system, tournament, players, opened, following


def publish(system, day):
    period = make_period(system, day, registry.get(system.regulations.get().regulation).closing_date(day))
    for request in (services.request_compute, services.request_publish):
        job = request(period)
        services.run_job(job.pk)
        job.refresh_from_db()
        assert job.state == "done", job.message
    return period.lists.get(state="published")


def calculated(regulation, players, opened, following):
    """The same period by ``python -m regulations list``."""
    previous = [
        {"id": p.name, "rating": r, "career_games": 0 if r is None else 60, "birth_year": p.birth_year,
         "games_by_period": [4], "federation": p.federation_id, "sex": p.sex}
        for p, r in zip(players, RATINGS, strict=True)
    ]  # fmt: skip
    event = {
        "id": "1", "name": "Isles Open", "system": "swiss", "start": str(opened),
        "end": str(opened + timedelta(days=2)),
        "players": [{"id": each["id"], "rating": each["rating"], "birth_year": each["birth_year"]}
                    for each in previous],
        "games": [{"round": n, "white": players[w - 1].name, "black": players[b - 1].name, "result": result}
                  for n, w, b, result in GAMES],
    }  # fmt: skip
    if regulation.rates == ("postal",):
        event |= {"games_in_event": len(GAMES), "finished_on": str(opened)}
    given = {
        "regulation": regulation.code,
        "list_date": str(following),
        "previous": previous,
        "events": [event],
    }
    return {row["id"]: row for row in cli.answer("list", given)["players"]}


@every
def test_the_portal_and_the_calculator_agree(world, regulation):
    system, tournament, players, opened, following = world
    made = publish(system, following)
    told = calculated(regulation, players, opened, following)
    for row in made.rows.select_related("player"):
        said = told[row.player.name]
        assert (row.rating, row.status, row.games) == (said["rating"], said["status"], said["games"])
        assert row.k == said["k"]
    changed = ListRow.objects.get(rating_list=made, player=players[0])
    assert changed.rating > RATINGS[0]
    tournament.refresh_from_db()
    assert tournament.state == "counted"


@every
def test_every_page_shows_it(world, regulation, client):
    system, tournament, players, _, following = world
    publish(system, following)
    anna = players[0]
    for name, arguments in (
        ("list", [system.code, following]),
        ("list-csv", [system.code, following]),
        ("player", [anna.pk]),
        ("player-games", [anna.pk]),
        ("calculation", [anna.pk, tournament.pk]),
        ("tournament", [tournament.pk]),
    ):
        response = client.get(reverse(name, args=arguments))
        assert response.status_code == 200, name
        page = b"".join(response).decode() if response.streaming else response.content.decode()
        assert anna.name in unescape(page), name


@every
def test_the_calculation_has_each_game_and_each_step_with_its_article(world, regulation, client):
    """Anna's games, D, PD and score − PD (or the average and the sum), K and why, rounding and sum; Bert's
    forfeit with its reason. The sheet has the same."""
    system, tournament, players, _, following = world
    publish(system, following)
    shown = {}
    for place, name in ((0, "Anna"), (1, "Bert")):
        player = players[place]
        page = client.get(reverse("calculation", args=[player.pk, tournament.pk])).content.decode()
        sheet = reverse("calculation-sheet", args=[system.code, following, 1, player.pk])
        assert f'href="{sheet}"' in page
        shown[name] = page
        for text in (page, client.get(sheet).content.decode()):
            tables = re.findall(r"<tbody>(.*?)</tbody>", text, re.DOTALL)
            rows = [row for table in tables for row in re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)]
            assert len(rows) > 10
            assert all(re.search(r'class="article">[^<]+<', row) for row in rows), rows
    anna = read_text(shown["Anna"])
    per_game = "fecap" in regulation.code or (
        regulation.code.startswith("fide") and "2004" not in regulation.code
    )
    if per_game:
        assert "Invented, Bert White 2010 135 0.68 1 +0.32" in anna
        assert re.search(r"Sum of score minus expected score[^.]*? 0\.(48|51) ", anna)
    else:
        assert re.search(
            r"Average rating of the opponents.*? 1941.25 \(2010 \+ 2000 \+ 1905 \+ 1850\)/4", anna
        )
        assert "Expected score per game (PD) 0.76 D 204" in anna
        assert "Rating change 6.9 15 × (3.5 − 3.04)" in anna
    assert re.search(r" (K 15 Article|K 20 Article|f 10) \S.*?\S By ", anna)
    assert re.search(r"New rating \(R[nN]\) 215\d 2145 \+ \S+", anna)
    if regulation.code not in BY_AVERAGES and regulation.rates != ("postal",):
        assert re.search(r"Rounded to a whole number 10 9\.6, a half (away from|towards) zero", anna)
    assert re.search(r"the sum of the changes is \+\S+ in [45] games", anna)
    assert re.search(r"6 Invented, Fay forfeit \S+|4 Invented, Fay forfeit \S+", read_text(shown["Bert"]))


def read_text(page: str) -> str:
    return unescape(text_of(page))


@every
def test_a_preview_of_the_report_says_what_the_list_will_say(world, regulation):
    """The ratings in force come from the list before, whatever the day on which somebody looks."""
    _, tournament, _, opened, _ = world
    (part,) = stored_event_parts(tournament, on=timezone.localdate())
    assert part.list_date == opened
    assert {each.rating for each in part.event.players} == set(RATINGS)


def texts(listed) -> dict[str, bytes]:
    """The files of a list but for those whose head names the revision."""
    named = ((f.name.replace("-revision-2", ""), f) for f in files_of(listed))
    return {name: b"".join(f.chunks()) for name, f in named if not name.endswith((".pdf", ".xlsx"))}


@every
def test_computed_again_as_it_stood_a_list_has_the_same_bytes(world, regulation):
    """Though the register has another name, title, federation, sex and year of birth by now."""
    system, _, players, _, following = world
    made = publish(system, following)
    bert = players[1]
    bert.name, bert.sex, bert.birth_date = "Renamed, Bert", "f", date(1991, 1, 1)
    bert.federation = make_federation("XBB", "Beaches")
    bert.save()
    Title.objects.create(player=players[2], code="IM")
    again = Again(made, [made.previous_id], Changes({}, {}, None))
    inputs = again.inputs(lambda *_: None)
    result = proven(inputs, again.due(), lambda *_: None)
    assert (inputs.sha256, digest(inputs.regulation, inputs.given, result)) == (
        made.input_sha256,
        made.sha256,
    )
    assert inputs.sources == made.report["sources"]
    correction = Correction.objects.create(system=system, reason="For nothing")
    draft = write_draft(inputs, result, made, correction)
    assert same(draft, made)
    assert texts(draft) == texts(made)
    told, before = snapshot(draft), snapshot(made)
    assert told == before
