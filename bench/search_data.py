"""A register of FIDE's size with invented names, and one list of it, from a fixed seed.

At scale 1: 1.7 million players. Names are drawn as people have them: few are very common, most are rare
(60,000 family names and 4,000 given names made of syllables); some have two family names or two given
names, some letters with accents.
"""

from __future__ import annotations

from datetime import UTC, date, datetime

import numpy as np

from bench.period_data import load

SEED = 20261129
PLAYERS, RATED, ACTIVE = 1_700_000, 900_000, 500_000
LIST_DATE = date(2026, 11, 1)
NOW = datetime(2026, 10, 30, 12, tzinfo=UTC)
HEADS = [*"bdfghklmnprstvzjw", "br", "dr", "gr", "kr", "pr", "tr", "st", "sch", "ch", "y"]
VOWELS = ["a", "e", "i", "o", "u", "á", "é", "í", "ö", "ü", "ei", "ou"]
TAILS = ["", "", "n", "r", "s", "l", "m", "nd", "rt", "ñ", "ck"]
ENDS = ["", "", "ez", "ov", "sen", "ski", "mann", "ini", "ić", "dottir", "escu", "yan"]


def words(random, count: int, syllables: tuple[int, int], ends: list[str]) -> list[str]:
    """So many different invented words."""
    found: dict[str, None] = {}
    while len(found) < count:
        word = "".join(
            HEADS[random.integers(len(HEADS))]
            + VOWELS[int(len(VOWELS) * random.random() ** 2)]
            + TAILS[random.integers(len(TAILS))]
            for _ in range(random.integers(*syllables))
        )
        found[(word + ends[random.integers(len(ends))]).capitalize()] = None
    return list(found)


def drawn(random, words: list[str], count: int, flat: float) -> list[str]:
    """Words as often as people have them: the n-th is had by a share that falls with n + ``flat``."""
    weights = 1 / (np.arange(len(words)) + flat)
    return [words[n] for n in random.choice(len(words), count, p=weights / weights.sum())]


def names(random, count: int) -> list[str]:
    families, given = words(random, 60_000, (1, 4), ENDS), words(random, 4_000, (1, 3), [""])
    first, second = drawn(random, families, count, 30), drawn(random, families, count, 30)
    own, other = drawn(random, given, count, 8), drawn(random, given, count, 8)
    two, middle = random.random(count) < 0.12, random.random(count) < 0.2
    return [
        f"{a}{f' {b}' if one else ''}, {c}{f' {d}' if more else ''}"
        for a, b, c, d, one, more in zip(first, second, own, other, two, middle, strict=True)
    ]


def build(scale: float) -> int:
    """Fill an empty, migrated database; returns the number of players."""
    from django.db import connection, transaction

    from players import search_index, triggers
    from players.models import Federation, FormerName, Identifier, IssuingBody, Player, Title
    from players.names import keys_of
    from ratinglists.models import ListRow

    random = np.random.default_rng(SEED)
    count = int(PLAYERS * scale)
    codes = [f"X{chr(65 + n // 26)}{chr(65 + n % 26)}" for n in range(200)]
    Federation.objects.bulk_create(Federation(code, f"Federation {code}") for code in codes)
    IssuingBody.objects.bulk_create([IssuingBody("FIDE", "FIDE")])
    ids = range(1, count + 1)
    called = names(random, count)
    keys = [keys_of(name) for name in called]
    columns = {column: [each[column] for each in keys] for column in keys_of("")}
    of = drawn(random, codes, count, 5)
    sex = np.where(random.random(count) < 0.11, "f", "m").tolist()
    junior = random.random(count) < 0.25
    born = np.where(junior, random.integers(2007, 2020, count), random.integers(1940, 2007, count)).tolist()
    rated = random.random(count) < RATED / PLAYERS
    active = rated & (random.random(count) < ACTIVE / RATED)
    ratings = np.where(rated, np.clip(random.normal(1750, 230, count), 1400, 2830), 0).astype(int)
    with transaction.atomic(), connection.cursor() as cursor:
        triggers.remove_all(connection)
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = replica")
            for table in search_index.TABLES:  # made anew below: quicker than row by row
                cursor.execute(f"DROP INDEX {table}_words")
        load(
            Player, count, id=ids, name=called, sex=sex, birth_date=[f"{year}-01-01" for year in born],
            birth_precision="year", created_at=NOW, federation_id=of, **columns,
        )  # fmt: skip
        load(Identifier, count, player_id=ids, issuer_id="FIDE", value=[str(100_000 + 7 * n) for n in ids])
        titled = np.flatnonzero(ratings > 2250)
        titles = np.select([ratings[titled] > 2500, ratings[titled] > 2400], ["GM", "IM"], "FM").tolist()
        load(Title, len(titled), player_id=(titled + 1).tolist(), code=titles)
        title_of = dict(zip(titled.tolist(), titles, strict=True))
        formerly = names(random, count // 100)
        keys = [keys_of(name) for name in formerly]
        columns = {column: [each[column] for each in keys] for column in keys_of("")}
        load(
            FormerName, len(formerly), player_id=range(1, len(formerly) + 1), name=formerly,
            until=date(2020, 1, 1), **columns,
        )  # fmt: skip
        listed = np.select([active, rated], ["active", "inactive"], "unrated").tolist()
        load(
            ListRow, count, rating_list_id=_list().pk, player_id=ids, status=listed,
            rating=[each or None for each in ratings.tolist()], games=0, name=called, federation=of, sex=sex,
            birth_year=born, title=[title_of.get(n, "") for n in range(count)],
            fide_id=[str(100_000 + 7 * n) for n in ids],
        )  # fmt: skip
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = origin")
    triggers.install_all(connection)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    return count


def _list():
    from ratinglists.models import Period, Publication, RatingList
    from tournaments.models import RatingSystem, SystemRegulation

    system = RatingSystem.objects.create(code="bench", name="Bench", rate="standard", schedule="manual")
    SystemRegulation.objects.create(
        system=system, regulation="fide-standard-2024", effective_from=date(2024, 3, 1)
    )
    period = Period.objects.create(system=system, list_date=LIST_DATE, closes_on=LIST_DATE)
    publication = Publication.objects.create(number=1, manifest_sha256="0" * 64, published_at=NOW)
    return RatingList.objects.create(
        period=period, regulation="fide-standard-2024", input_sha256="0" * 64, sha256="0" * 64,
        computed_at=NOW, state="published", published_at=NOW, publication=publication, is_opening=True,
        one_person=True, report={"events": []},
    )  # fmt: skip
