"""A period of FIDE's size from a fixed seed, written into PostgreSQL by COPY.

At scale 1: 1.7 million players, 500,000 of them active; 10,000 tournaments with 1.5 million games. Swiss
events of nine rounds with 33 players on average, one in twelve a round robin of ten, a few matches; 8 % of
the entries unrated, byes and forfeits, juniors and strong players by the shares of FIDE's list.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from itertools import repeat

import numpy as np

SEED = 20261128
BEFORE, LIST_DATE = date(2025, 10, 1), date(2025, 11, 1)
PLAYERS, ACTIVE, RATED, TOURNAMENTS = 1_700_000, 500_000, 900_000, 10_000
RESULTS = ("1-0", "0-1", "1/2-1/2", "+/-", "-/+", "bye-1", "bye-1/2", "bye-0")
#: half points of white and black
POINTS = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "+/-": (2, 0), "-/+": (0, 2), "bye-1": (2,),
          "bye-1/2": (1,), "bye-0": (0,)}  # fmt: skip
FAMILIES = [f"{a}{b}{c}" for a in ("Al", "Be", "Cor", "Dun", "El") for b in ("ba", "de", "ri", "mo", "su")
            for c in ("nar", "vel", "tos", "min", "kar", "lund", "zin", "pek")]  # fmt: skip
GIVEN = [
    f"{a}{b}" for a in ("A", "Bo", "Ci", "De", "E", "Fa", "Gu") for b in ("na", "rik", "la", "ton", "ro")
]
NOW = datetime(2025, 10, 30, 12, tzinfo=UTC)


def load(model, count: int, **columns: object) -> None:
    """Rows of a model by COPY: a column is a list or array, or one value for all rows."""
    from django.db.models import NOT_PROVIDED, JSONField

    from ratinglists import rowio

    names, values = [], []
    for field in model._meta.concrete_fields:
        if field.attname in columns:
            value = columns.pop(field.attname)
        elif field.primary_key or field.null:
            continue
        elif isinstance(field, JSONField):
            value = "[]" if field.default is list else "{}"
        else:
            value = "" if field.default is NOT_PROVIDED else field.get_default()
        names.append(field.column)
        if isinstance(value, np.ndarray):
            value = value.tolist()
        values.append(
            value
            if isinstance(value, Iterable) and not isinstance(value, str | bytes)
            else repeat(value, count)
        )
    assert not columns, columns
    rowio.write(model._meta.db_table, [f'"{name}"' for name in names], zip(*values, strict=False))


def build(scale: float) -> dict[str, int]:
    """Fill an empty, migrated database; returns what it holds. Foreign keys are not looked at: they hold
    by construction."""
    from django.contrib.auth import get_user_model
    from django.db import connection, transaction

    random = np.random.default_rng(SEED)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        user = get_user_model().objects.create(username="bench")
        ratings = _register(random, scale)
        period = _lists(random, ratings)
        sizes = _events(random, scale, ratings, period.system, user)
        cursor.execute("SET LOCAL session_replication_role = origin")
    with connection.cursor() as cursor:
        for table in ("players_player", "tournaments_entry", "tournaments_game", "tournaments_tournament"):
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}")
        cursor.execute("ANALYZE")
    return sizes | {"players": len(ratings), "active": int(ACTIVE * scale), "rated": int((ratings > 0).sum())}


def _register(random, scale: float) -> np.ndarray:
    """The players, strongest numbers anywhere; returns each one's rating, 0 for none."""
    from players.models import Federation, Identifier, IssuingBody, Player, Title
    from players.names import keys_of

    count, rated = int(PLAYERS * scale), int(RATED * scale)
    codes = [f"X{chr(65 + n // 26)}{chr(65 + n % 26)}" for n in range(200)]
    Federation.objects.bulk_create(Federation(code, f"Federation {code}") for code in codes)
    IssuingBody.objects.bulk_create([IssuingBody("FIDE", "FIDE")])
    ratings = np.zeros(count, np.int32)
    ratings[:rated] = np.clip(random.normal(1750, 230, rated), 1400, 2830).astype(np.int32)
    # FIDE's list is not in order of strength.
    family, given = random.integers(0, len(FAMILIES), count), random.integers(0, len(GIVEN), count)
    names = [
        f"{FAMILIES[a]}{n % 997}, {GIVEN[b]}" for n, (a, b) in enumerate(zip(family, given, strict=True))
    ]
    junior = random.random(count) < 0.25
    born = np.where(junior, random.integers(2007, 2018, count), random.integers(1940, 2007, count))
    ids = range(1, count + 1)
    keys = [keys_of(name) for name in names]
    columns = {column: [each[column] for each in keys] for column in keys_of("")}
    load(
        Player, count, id=ids, name=names, **columns,
        sex=np.where(random.random(count) < 0.11, "f", "m"), birth_date=[f"{year}-01-01" for year in born],
        birth_precision="year", created_at=NOW,
        federation_id=[codes[n] for n in random.integers(0, 200, count)],
    )  # fmt: skip
    load(Identifier, count, player_id=ids, issuer_id="FIDE", value=[str(100_000 + 7 * n) for n in ids])
    titled = np.flatnonzero(ratings > 2250)
    titles = np.select([ratings[titled] > 2500, ratings[titled] > 2400], ["GM", "IM"], "FM")
    load(Title, len(titled), player_id=titled + 1, code=titles)
    return ratings


def _lists(random, ratings: np.ndarray):
    """The published list, and the period that follows it."""
    from ratinglists.models import ListRow, Period, Publication, RatingList
    from tournaments.models import RatingSystem, SystemRegulation

    system = RatingSystem.objects.create(code="bench", name="Bench", rate="standard", schedule="manual")
    SystemRegulation.objects.create(
        system=system, regulation="fide-standard-2024", effective_from=date(2024, 3, 1)
    )
    first = Period.objects.create(system=system, list_date=BEFORE, closes_on=BEFORE - timedelta(days=3))
    publication = Publication.objects.create(number=1, manifest_sha256="0" * 64, published_at=NOW)
    opening = RatingList.objects.create(
        period=first, regulation="fide-standard-2024", input_sha256="0" * 64, sha256="0" * 64,
        computed_at=NOW,
        state="published", published_at=NOW, publication=publication, is_opening=True, one_person=True,
        report={"events": []},
    )  # fmt: skip
    count = len(ratings)
    rated = ratings > 0
    active = rated & (np.arange(count) < int(ACTIVE * count / PLAYERS))
    career = np.where(rated, random.integers(5, 600, count), 0)
    career = np.where(random.random(count) < 0.12, np.minimum(career, 29), career)
    load(
        ListRow, count, rating_list_id=opening.pk, player_id=range(1, count + 1),
        status=np.select([active, rated], ["active", "inactive"], "unrated"),
        rating=[each or None for each in ratings.tolist()], games=0,
        k_next=[20 if each else None for each in ratings.tolist()], name="Listed", federation="XAA",
        career_games=career, reached_k10=(ratings > 2400) | ((ratings > 2330) & (random.random(count) < 0.1)),
        highest_rating=[(each and each + extra) or None for each, extra in zip(
            ratings.tolist(), random.integers(0, 60, count).tolist(), strict=True)],
        games_by_period=_years(random, active),
        inactive_lists=np.where(rated & ~active, random.integers(1, 60, count), 0),
    )  # fmt: skip
    return Period.objects.create(system=system, list_date=LIST_DATE, closes_on=LIST_DATE - timedelta(days=3))


def _years(random, active: np.ndarray) -> list[str]:
    drawn = ["[" + ", ".join(str(n) for n in random.choice([0, 0, 0, 7, 9], 12)) + "]" for _ in range(5000)]
    which = random.integers(0, len(drawn), len(active))
    none = "[" + ", ".join(["0"] * 12) + "]"
    return [drawn[n] if plays else none for n, plays in zip(which, active, strict=True)]


def _events(random, scale: float, ratings: np.ndarray, system, user) -> dict[str, int]:
    from tournaments.models import Entry, Game, Report, Round, TimeControlStage, Tournament

    count = max(1, int(TOURNAMENTS * scale))
    kind = random.choice(["swiss", "round-robin", "match"], count, p=[0.91, 0.085, 0.005])
    sizes = np.clip(random.lognormal(3.40, 0.6, count), 8, 400).astype(int)
    sizes = np.select([kind == "round-robin", kind == "match"], [10, 2], sizes)
    starts = [BEFORE + timedelta(days=int(day)) for day in random.integers(0, 20, count)]
    ids = np.arange(1, count + 1)
    load(
        Tournament, count, id=ids, name=[f"Open {n}" for n in ids], rating_system_id=system.pk,
        federation_id="XAA",
        organiser="Club", system=kind, start=starts, end=[day + timedelta(days=8) for day in starts],
        registered_on=[day - timedelta(days=30) for day in starts], state="accepted",
        state_since=NOW, created_at=NOW,
        scheduled_games=[9 if each == "match" else None for each in kind],
    )  # fmt: skip
    load(
        TimeControlStage,
        count,
        tournament_id=ids,
        minutes="90.00",
        increment_seconds=30,
        number=1,
        colour="w",
    )
    turn = np.tile(np.arange(1, 10), count)
    load(
        Round, 9 * count, tournament_id=np.repeat(ids, 9), number=turn,
        date=[starts[n // 9] + timedelta(days=n % 9) for n in range(9 * count)],
    )  # fmt: skip
    players = _entered(random, sizes, ratings)
    event = np.repeat(ids, sizes)
    load(
        Entry, len(players), id=range(1, len(players) + 1), tournament_id=event, player_id=players + 1,
        start_number=np.concatenate([np.arange(1, size + 1) for size in sizes]), reported_name="Listed",
    )  # fmt: skip
    games = _games(random, kind, sizes, ratings[players])
    white, black, number, result = (np.concatenate(column) for column in zip(*games, strict=True))
    said = _by_start_number(sizes, white, black, number, result)
    contents = [_report(*each) for each in zip(ids, starts, sizes, said, strict=True)]
    load(
        Report, count, id=ids, tournament_id=ids, format="trf16", filename="report.txt", content=contents,
        sha256=[hashlib.sha256(content).hexdigest() for content in contents], state="accepted",
        submitted_by_id=user.pk, submitted_at=NOW, received_on=date(2025, 10, 28),
    )  # fmt: skip
    load(
        Game, len(white), id=range(1, len(white) + 1), tournament_id=event[white], report_id=event[white],
        round=number,
        white_id=white + 1, black_id=[each + 1 if each >= 0 else None for each in black.tolist()],
        result=[RESULTS[each] for each in result.tolist()],
    )  # fmt: skip
    return {
        "tournaments": count,
        "entries": len(players),
        "games": int((black >= 0).sum()),
        "byes": int((black < 0).sum()),
    }


def _by_start_number(sizes, white, black, turn, result):
    """The games of each event as a report tells them: round, white, black, result."""
    ends = np.cumsum(sizes)
    event = np.searchsorted(ends, white, side="right")
    order = np.argsort(event, kind="stable")
    first = (ends - sizes)[event]
    cells = np.stack([turn, white - first + 1, black - first + 1, result], axis=1)[order]
    for own in np.split(cells, np.searchsorted(event[order], np.arange(1, len(sizes)))):
        yield [(turn, one, other if other > 0 else None, RESULTS[n]) for turn, one, other, n in own.tolist()]


def _report(number: int, start: date, size: int, games: list[tuple]) -> bytes:
    """The event's file, as its arbiter's program would write it."""
    from tournaments.reports import trf16
    from tournaments.reports.model import ParsedReport, ReportedGame, ReportedPlayer

    halves = [0] * (size + 1)
    for _, white, black, result in games:
        for place, gained in zip((white, black), POINTS[result], strict=False):
            halves[place or 0] += gained
    return trf16.write(
        ParsedReport(
            format="trf16", name=f"Open {number}", start=start, end=start + timedelta(days=8), rounds=9,
            federation="XAA",
            players=tuple(
                ReportedPlayer(place, f"Listed {place}", federation="XAA", points=Fraction(halves[place], 2))
                for place in range(1, size + 1)
            ),
            games=tuple(ReportedGame(*game) for game in games),
        )
    ).encode()  # fmt: skip


def _entered(random, sizes: np.ndarray, ratings: np.ndarray) -> np.ndarray:
    """Who plays: players of about one strength in each event, 8 % of them without a rating."""
    active = np.flatnonzero(ratings > 0)[: max(400, int(ACTIVE * len(ratings) / PLAYERS))]
    by_strength = active[np.argsort(ratings[active], kind="stable")]
    unrated = np.flatnonzero(ratings == 0)
    found = []
    for size in sizes:
        window = min(len(by_strength), max(4 * size, len(by_strength) // 3))
        begin = random.integers(0, len(by_strength) - window + 1)
        own = by_strength[begin + random.choice(window, size, replace=False)]
        new = np.flatnonzero(random.random(size) < 0.08) if size > 2 else []
        if len(new):
            own[new] = unrated[random.choice(len(unrated), len(new), replace=False)]
        found.append(own)
    return np.concatenate(found)


def _games(random, kind, sizes, ratings):
    """Pairings and results of each event, by the places of the entries."""
    begin = 0
    for system, size in zip(kind, sizes, strict=True):
        if system == "round-robin":
            first, second = np.triu_indices(size, 1)
            turn = _turns(size)
            white, black = (
                np.where((first + second) % 2, first, second),
                np.where((first + second) % 2, second, first),
            )
        elif system == "match":
            turn = np.arange(1, 10)
            white, black = turn % 2, 1 - turn % 2
        else:
            orders = [random.permutation(size) for _ in range(9)]
            white = np.concatenate([order[0 : size - 1 : 2] for order in orders])
            black = np.concatenate([order[1:size:2] for order in orders])
            turn = np.repeat(np.arange(1, 10), size // 2)
        own, other = ratings[begin + white], ratings[begin + black]
        chance = 1 / (1 + 10 ** ((np.where(other > 0, other, 1500) - np.where(own > 0, own, 1500)) / 400))
        drawn = random.random(len(white))
        result = np.select([drawn < chance * 0.75, drawn < chance * 0.75 + 0.25], [0, 2], 1)
        forfeit = random.random(len(white)) < 0.01
        result = np.where(forfeit, random.integers(3, 5, len(white)), result)
        yield begin + white, begin + black, turn, result
        if system == "swiss" and size % 2:
            byes = np.array([order[-1] for order in orders])
            yield begin + byes, np.full(9, -1), np.arange(1, 10), random.integers(5, 8, 9)
        begin += size


def _turns(size: int) -> np.ndarray:
    """The round of each pair of a round robin (the last player stays, the others turn)."""
    last = size - 1
    found = []
    for first in range(size):
        for second in range(first + 1, size):
            found.append(((first + second) if second != last else 2 * first) % last + 1)
    return np.array(found)
