"""A small made-up federation with everything that a period can hold, from a seed."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from players.models import Player
from ratinglists.models import Period, RatingList
from regulations.model import PLAYED, UNPLAYED
from tests.factories import make_list, make_period, make_player, make_report, make_system, make_tournament
from tournaments.models import Game, Tournament

#: each text with a list date, the list before and the one before that
TEXTS = {
    "fide-rapid-blitz-2018": (date(2020, 5, 1), date(2020, 4, 1), date(2020, 3, 1)),
    "fide-rapid-blitz-2022": (date(2022, 5, 1), date(2022, 4, 1), date(2022, 3, 1)),
    "fide-standard-2024": (date(2025, 11, 1), date(2025, 10, 1), date(2025, 9, 1)),
    "fide-rapid-blitz-2024": (date(2025, 2, 1), date(2025, 1, 1), date(2024, 12, 1)),
}


def build(code: str, seed: int, people: int = 40, events: int = 9) -> Period:
    """A period with accepted reports, after two published lists."""
    random, (list_date, before, first) = Random(seed), TEXTS[code]
    rapid = "rapid" in code
    reference = (
        make_system("reference", regulation="fide-standard-2024", since=date(2000, 1, 1)) if rapid else None
    )
    system = make_system("large", regulation=code, rate="rapid" if rapid else "standard", reference=reference)
    players = [
        make_player(born=random.choice([None, 1960, 1990, 2008, date(2012, 5, 6)]), titles=_titles(random))
        for _ in range(people)
    ]
    if reference:
        make_list(reference, first, {p: random.randint(1500, 2700) for p in players if random.random() < 0.3})
    older = {p: random.randint(1405, 2800) for p in players if random.random() < 0.6}
    make_list(system, first, older, rows={p: _row(random, older[p]) for p in older})
    newer = {p: min(2900, rating + random.randint(-20, 20)) for p, rating in older.items()}
    newer |= {p: random.choice([None, random.randint(1400, 2450)]) for p in players if random.random() < 0.2}
    rows = {p: _row(random, rating) for p, rating in newer.items()}
    earlier = make_tournament(system, start=first + timedelta(days=2), state="counted")
    met = {earlier: {p: {"met_rated": True} for p in random.sample(players, 6)}}
    make_list(system, before, newer, rows=rows, events=met)
    for _ in range(events):
        _event(random, system, players, list_date)
    return make_period(system, list_date, list_date - timedelta(days=1))


def _titles(random: Random) -> tuple[str, ...]:
    return tuple(random.sample([*"", "FM", "WIM", "CM"], random.choice([0, 0, 0, 1, 2])))


def _row(random: Random, rating: int | None) -> dict:
    rating = rating or None
    return {
        "status": "unrated" if rating is None else "active",
        "career_games": random.randint(0, 50),
        "reached_k10": bool(rating and rating > 2390 and random.random() < 0.5),
        "highest_rating": rating and rating + random.choice([0, 0, 120]),
        "games_by_period": [random.choice([0, 0, 1, 7]) for _ in range(random.randint(0, 12))],
        "inactive_lists": random.choice([0, 0, 3]),
    }


def _event(random: Random, system, players: list[Player], list_date: date) -> Tournament:
    kind = random.choice(["swiss", "swiss", "swiss", "team", "match", "round-robin"])
    size = 2 if kind == "match" else random.randint(5, 12)
    own = random.sample(players, size)
    start = list_date - timedelta(days=random.randint(8, 45))
    tournament = make_tournament(
        system,
        start=start,
        end=start + timedelta(days=3),
        minutes=random.choice([60, 90, 120]) if system.rate == "standard" else 10,
        hybrid=random.random() < 0.05,
        scheduled_games=5 if kind == "match" else None,
    )
    Tournament.objects.filter(pk=tournament.pk).update(system=kind)
    games, places = [], list(range(1, size + 1))
    if kind == "round-robin":
        pairs = [(x, y) for x in places for y in places if x < y]
        games = [(n, x, y, random.choice(PLAYED)) for n, (x, y) in enumerate(pairs, 1)]
    else:
        for turn in range(1, 6):
            random.shuffle(places)
            for white, black in zip(places[::2], places[1::2], strict=False):
                games.append((turn, white, black, random.choice(PLAYED * 5 + UNPLAYED)))
            if size % 2:
                games.append((turn, places[-1], None, random.choice(["bye-1", "bye-1/2", "bye-0"])))
    make_report(tournament, own, games)
    Game.objects.filter(tournament=tournament, result="+/-").update(why_unplayed="arrived late")
    return tournament


def figures(draft: RatingList) -> dict:
    """All that a list says, without keys of rows and without explanations."""
    without = ("id", "rating_list_id", "steps")
    rows = {row["player_id"]: row for row in draft.rows.order_by().values()}
    results = {}
    for event in draft.events.select_related("tournament"):
        told = {name: value for name, value in vars(event).items() if name in EVENT}
        people = {row["player_id"]: row for row in event.players.values()}
        for row in people.values():
            for name in ("id", "event_id", "detail"):
                row.pop(name)
        results[event.tournament_id, event.part] = (told, people)
    for row in rows.values():
        for name in without:
            row.pop(name)
    samples = sorted(
        (
            *tuple(
                value for name, value in sample.items() if name not in ("id", "rating_list_id", "opponents")
            ),
            tuple(sample["opponents"]),
        )
        for sample in draft.samples.values()
    )
    return {"sha256": draft.sha256, "rows": rows, "events": results, "samples": samples, "report": {
        key: value for key, value in draft.report.items() if key not in ("explanations", "sources", "columns")
    }}  # fmt: skip


EVENT = ("rated", "treated_as", "ra", "findings", "ratings_from", "regulation")
