"""What games that nobody has played would make of a rating."""

from datetime import date, timedelta

import pytest

from players.models import FormerName
from ratinglists import whatif
from ratinglists.models import ListRow
from regulations import registry
from tests import factories as make
from tests.pages import fetch, read, text_of
from tournaments.exact import to_decimal

pytestmark = pytest.mark.django_db
DAY = date(2022, 4, 1)
every = pytest.mark.parametrize("regulation", registry.all_regulations(), ids=lambda each: each.code)


@pytest.fixture
def eva(db):
    """Rated 2000 with K 20 on the rapid list of April 2022; Rolf 2100, Nick unrated."""
    system = make.make_system("rapid", name="Isles rapid")
    eva, rolf, nick = (make.make_player(name) for name in ("Sample, Eva", "Rival, Rolf", "New, Nick"))
    make.make_list(system, DAY, {eva: 2000, rolf: 2100, nick: None})
    return eva


def url(player, query: str = "") -> str:
    return f"/players/{player.pk}/what-if/" + (f"?{query}" if query else "")


def test_one_more_win_is_computed_with_every_step_and_its_article(client, eva):
    """7.31-7.33: D 0, PD .5, K 20: +10. D -500 limited to -400, PD .08, a draw: +.42; 20 × .92 = 18.4."""
    asked = "system=rapid&g1-rating=2000&g1-result=1"
    page = read(client, url(eva, asked))
    assert "New rating 2010 before: 2000; the list changes by +10" in page
    assert "Change +10 before rounding to the list" in page
    assert "K 20 Article 7.32" in page
    assert "1 Opponent rated 2000 2000 0 0.5 1 +0.5 7.31" in page
    assert "7.32b Score minus expected score, game 1 0.5" in page
    assert "7.33 New rating (Rn) 2010" in page
    page = read(client, url(eva, f"{asked}&g2-rating=2500&g2-result=half"))
    assert "2 Opponent rated 2500 2400 (has 2500) −400 0.08 0.5 +0.42 7.31" in page
    assert "Change +18.4" in page
    assert "New rating 2018" in page


def test_opponents_by_name_and_number_are_links_and_unrated_ones_do_not_count(client, eva):
    page = fetch(client, url(eva, "system=rapid&g1-player=rolf&g1-result=0&g2-player=New+Nick&g2-result=1"))
    rolf = eva.__class__.objects.get(name="Rival, Rolf")
    assert f'<a href="/players/{rolf.pk}/">Rival, Rolf</a>' in page
    said = text_of(page)
    assert "1 Rival, Rolf 2100 −100 0.36 0 −0.36 7.31" in said
    assert "2 New, Nick unrated opponent 7.31" in said
    for number in (f"%23{rolf.pk}", rolf.fide_id):
        assert "1 Rival, Rolf 2100" in read(client, url(eva, f"g1-player={number}&g1-result=1"))


def test_who_is_unrated_is_computed_by_the_rule_of_first_ratings(client, eva):
    """7.14, 7.21: five games against rated opponents, and a performance of at least the floor."""
    nick = eva.__class__.objects.get(name="New, Nick")
    games = "&".join(f"g{n}-rating=2000&g{n}-result=half" for n in range(1, 6))
    page = read(client, url(nick, f"system=rapid&{games}"))
    assert "New rating 2000 a first rating" in page
    few = read(client, url(nick, "system=rapid&g1-rating=2000&g1-result=half"))
    assert "New rating – still without a rating" in few
    assert "Performance 2000 kept towards a first rating" in few


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("g2-rating=2000", "Game 2, Result: Choose win, draw or loss."),
        ("g1-result=1", "Game 1, Opponent's rating: Give the opponent's rating, or his name or number."),
        ("g1-rating=9999&g1-result=1", "Game 1, Opponent's rating: Ensure this value is less than or equal"),
        ("g1-rating=x&g1-result=1", "Game 1, Opponent's rating: Enter a whole number."),
        ("g1-rating=2000&g1-result=7", "Game 1, Result: Select a valid choice."),
        ("g1-rating=2000&g1-player=rolf&g1-result=1", "or his name, not both"),
        ("g1-player=xqzw&g1-result=1", "No player matches xqzw"),
        ("g1-player=99999999999&g1-result=1", "No player has the number 99999999999."),
        ("g1-player=9999999999999999999&g1-result=1", "No player has the number"),
        ("g1-player=sample+eva&g1-result=1", "Nobody plays against himself"),
        ("g41-rating=2000&g41-result=1", "Game 41: a question has games 1 to 40."),
        ("system=chess960&g1-rating=2000&g1-result=1", "List: chess960 is no list of this portal"),
        (
            "&".join(f"g{n}-player=rolf&g{n}-result=1" for n in range(1, 12)),
            "Game 11, or name or number: One question looks for at most 10",
        ),
    ],
)
def test_what_is_wrong_is_named_by_game_and_field(client, eva, query, fault):
    page = read(client, url(eva, query)).replace("&#x27;", "'")
    assert "Nothing was computed" in page
    assert fault in page
    assert "New rating" not in page


@pytest.mark.parametrize(
    ("query", "es", "pt"),
    [
        (
            "g2-rating=2000",
            "Partida 2, Resultado: Elija victoria, tablas o derrota.",
            "Partida 2, Resultado: Escolha vitória, empate ou derrota.",
        ),
        (
            "g1-rating=x&g1-result=1",
            "Partida 1, Elo del rival: Introduzca un número entero.",
            "Partida 1, Rating do adversário: Introduza um número inteiro.",
        ),
        (
            "g1-player=xqzw&g1-result=1",
            "Partida 1, o nombre o número: Ningún jugador coincide con xqzw",
            "Partida 1, ou nome ou número: Nenhum jogador corresponde a xqzw",
        ),
        ("g41-rating=2000&g41-result=1", "Partida 41: una pregunta", "Partida 41: uma pergunta"),
        ("system=chess960&g1-rating=2000&g1-result=1", "Lista: chess960 no", "Lista: chess960 não"),
    ],
)
def test_what_is_wrong_is_said_in_the_readers_language(client, eva, query, es, pt):
    assert es in read(client, url(eva, query), "es")
    assert pt in read(client, url(eva, query), "pt")


def test_one_of_several_namesakes_is_chosen_by_a_link(client, eva):
    make.make_player("Rival, Rosa")
    page = fetch(client, url(eva, "system=rapid&g1-player=rival&g1-result=1"))
    rolf = eva.__class__.objects.get(name="Rival, Rolf")
    link = f"?system=rapid&amp;g1-player=%23{rolf.pk}&amp;g1-result=1"
    assert link in page
    assert "1 Rival, Rolf 2100" in read(client, url(eva, link[1:].replace("&amp;", "&")))


def test_a_hidden_former_name_leads_to_nobody(client, eva):
    rolf = eva.__class__.objects.get(name="Rival, Rolf")
    FormerName.objects.create(player=rolf, name="Secret, Sol", until=DAY, public=False)
    page = read(client, url(eva, "system=rapid&g1-player=Secret+Sol&g1-result=1"))
    assert "No player matches Secret Sol" in page
    assert "Rival" not in page


def test_rows_are_added_and_the_address_is_short(client, eva):
    page = fetch(client, url(eva))
    assert page.count("<legend>") == 3
    assert 'name="rows" value="8"' in page
    assert "?system=rapid&amp;g1-rating=2000&amp;g1-result=1" in page
    assert fetch(client, url(eva, "rows=8")).count("<legend>") == 8
    full = fetch(client, url(eva, "rows=999"))
    assert full.count("<legend>") == 40
    assert 'name="rows"' not in full
    asked = fetch(
        client, url(eva, "system=rapid&g1-rating=2000&g1-player=&g1-result=1&g2-rating=&g2-player=")
    )
    assert 'href="?system=rapid&amp;g1-rating=2000&amp;g1-result=1">A link' in asked
    assert "invalid-feedback" not in asked


def test_it_is_linked_and_follows_merges(client, eva):
    assert f'href="/players/{eva.pk}/what-if/"' in fetch(client, f"/players/{eva.pk}/")
    assert client.get("/players/987654/what-if/").status_code == 404


def test_a_system_without_regulation_says_so(client, eva):
    make.make_system("later", name="Later", since=date(2999, 1, 1))
    page = read(client, url(eva, "system=later&g1-rating=2000&g1-result=1"))
    assert "Later follows no regulation on" in page


@every
@pytest.mark.parametrize("place", [0, 2], ids=["rated", "unrated"])
def test_it_says_what_the_list_says(regulation, place):
    """Of the same games, played and computed: rating, change, K, steps and games, by every regulation."""
    opened = regulation.next_list_date(regulation.effective_from + timedelta(days=100))
    following = regulation.next_list_date(opened)
    rate = regulation.rates[0]
    system = make.make_system("list", regulation=regulation.code, since=regulation.effective_from, rate=rate)
    people = [make.make_player(f"Invented, {name}") for name in ("Anna", "Bert", "Carl", "Dora", "Emil")]
    ratings = (2145, 2010, None, 1905, 1850)
    fields = [{"rating": r, "career_games": 60 if r else 0} for r in ratings]
    make.make_list(system, opened, rows=dict(zip(people, fields, strict=True)))
    player = people[place]
    others = [each for each in people if each != player]
    results = ("1", "half", "0", "1")
    told = _told(
        player,
        system,
        [whatif.Imagined(n, each, None, others[n - 1]) for n, each in enumerate(results, start=1)],
        opened,
    )
    tournament = make.make_tournament(
        system,
        start=opened,
        rounds=4,
        minutes={"standard": 120, "rapid": 20}.get(rate, 0),
        games_in_event=4 if rate == "postal" else None,
    )
    played = [(n, 1, n + 1, whatif.RESULTS[each]) for n, each in enumerate(results, start=1)]
    make.make_report(tournament, [player, *others], played)
    period = make.make_period(system, following, regulation.closing_date(following))
    row = ListRow.objects.get(rating_list=make.rate_and_list(period), player=player)
    listed = (row.rating, row.status, row.games, row.k, row.k_next, row.change)
    new = told.row
    assert (new.rating, new.status, new.games, new.k, new.k_next, to_decimal(new.change)) == listed
    assert [step.value for step in told.list_steps] == [step["value"] for step in row.steps]
    assert len(told.counted) + len(told.uncounted) == 4
    assert all(line.article for line in (*told.counted, *told.uncounted, *told.list_steps))


def _told(player, system, games, day) -> whatif.Answer:
    """The answer on the day of the list."""
    system.today = lambda: day
    return whatif.answer(player, system, games)
