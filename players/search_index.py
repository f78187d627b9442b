"""The index of the words of names: trigrams, on PostgreSQL by pg_trgm, on SQLite in a table of FTS5.

What is indexed is folded already (``players.names``): the words as written and in the one spelling of
their sounds, each with a blank before it, so that a word's beginning is found as the text " begin".
The index is made after every ``migrate``. On SQLite triggers keep it; where they are missing, since a
migration made the table anew, it is filled again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from operator import or_

from django.db import connection, transaction
from django.db.models import BooleanField, F, FloatField, Func, Model, Q, QuerySet, TextField, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Collate

from players.triggers import Triggers

TABLES = ("players_player", "players_formername")
#: SQLite's trigrams need as many letters, the blank before the word included
_LEAST = 3
#: so many players are looked up by their keys; a word of more is soon found in the order of the names
_RARE = 3000
#: of names with a piece of a word so many are looked at: a piece of more says little
_OF_A_PIECE = 300


def _text(row: str = "") -> str:
    return f"' ' || {row}name_key || ' ' || {row}loose_key"


def _postgresql() -> Iterable[str]:
    yield "CREATE EXTENSION IF NOT EXISTS pg_trgm"
    for table in TABLES:
        yield f"CREATE INDEX IF NOT EXISTS {table}_words ON {table} USING gin (({_text()}) gin_trgm_ops)"
        # Whether a word is rare or common decides by which index it is looked for.
        yield f"ALTER INDEX {table}_words ALTER COLUMN 1 SET STATISTICS 500"
    # Family names, common words and wide choices are found in their order, without looking at the rows.
    yield "DROP INDEX IF EXISTS players_player_ordered"  # release 0.6: without their privacy
    yield (
        'CREATE INDEX IF NOT EXISTS players_player_in_order ON players_player (stem_key COLLATE "C",'
        ' name COLLATE "C", id) INCLUDE (name_key, loose_key, federation_id, sex, birth_date, privacy)'
        " WHERE merged_into_id IS NULL"
    )


def _sqlite() -> Iterable[str]:
    yield "CREATE INDEX IF NOT EXISTS players_player_ordered ON players_player (stem_key, name, id)"
    for table in TABLES:
        missing = (
            f"NOT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = '{table}_words_add')"
        )
        delete = f"DELETE FROM {table}_words WHERE rowid = OLD.id;"
        add = f"INSERT INTO {table}_words (rowid, words) VALUES (NEW.id, {_text('NEW.')});"
        yield f"CREATE VIRTUAL TABLE IF NOT EXISTS {table}_words USING fts5 (words, tokenize = 'trigram')"
        yield f"DELETE FROM {table}_words WHERE {missing}"
        yield f"INSERT INTO {table}_words (rowid, words) SELECT id, {_text()} FROM {table} WHERE {missing}"
        for name, event, body in (
            ("remove", "DELETE", delete),
            ("change", "UPDATE OF id, name_key, loose_key", delete + add),
            ("add", "INSERT", add),
        ):
            yield (
                f"CREATE TRIGGER IF NOT EXISTS {table}_words_{name} AFTER {event} ON {table} BEGIN {body} END"
            )


#: nothing is dropped: what is there stays, and goes on following its table
WORDS = Triggers(
    create={"postgresql": _postgresql, "sqlite": _sqlite},
    drop={"postgresql": tuple, "sqlite": tuple},
)


@contextmanager
def searching() -> Iterator[None]:
    """Searches within are planned for the first rows: on PostgreSQL workers beside would read far ahead,
    and compiling takes longer than the search."""
    if connection.vendor != "postgresql":
        yield
        return
    with transaction.atomic():
        _set("max_parallel_workers_per_gather", "0")
        _set("jit", "off")
        yield


def _set(name: str, value: str) -> None:
    """Set something of PostgreSQL's until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config(%s, %s, true)", [name, value])


class Words(Func):
    """The indexed text of a row, spelled as in the index."""

    template = "(' ' || %(expressions)s)"
    arg_joiner = " || ' ' || "
    output_field = TextField()

    def __init__(self) -> None:
        super().__init__("name_key", "loose_key")


def ordered(players: QuerySet) -> QuerySet:
    """Players by family name and initial in their loose spelling, then by name: an order that is the same
    in every database, and the one of the index."""
    if connection.vendor == "postgresql":
        columns = {"stem": Collate("stem_key", "C"), "called": Collate("name", "C")}
    else:
        columns = {"stem": F("stem_key"), "called": F("name")}
    return players.alias(**columns).order_by("stem", "called", "pk")


def of_family(beginning: str) -> Q:
    """Has the family name this beginning (in loose spelling)? For players who are ``ordered``."""
    return Q(stem__gte=beginning, stem__lt=beginning[:-1] + chr(ord(beginning[-1]) + 1))


def beginning(rows: QuerySet, words: Sequence[tuple[str, ...]], also: Iterable[int] = ()) -> QuerySet:
    """Those of ``rows`` (players or former names) of which, for each of ``words``, a word begins with one
    of its spellings, and those whose keys are in ``also``."""
    if not words:
        return rows
    condition, left = Q(), list(words)
    if connection.vendor == "sqlite":
        left = [each for each in words if any(len(word) < _LEAST - 1 for word in each)]
        texts = [[f" {word}" for word in each] for each in words if each not in left]
        if texts:
            condition = Q(pk__in=RawSQL(_matching(rows), (_match(texts),)))
    for each in left:
        condition &= reduce(or_, (Q(words__contains=f" {word}") for word in each))
    return rows.alias(words=Words()).filter(condition | Q(pk__in=list(also)))


def rare(model: type[Model], words: Sequence[tuple[str, ...]], also: Iterable[int]) -> Q:
    """Those of a model who have words beginning with all of ``words`` and those in ``also``, by their keys
    where they are few; no condition where they are many. PostgreSQL's planner takes a word that it has not
    seen for a common one, and would walk through the whole register in its order to find nobody."""
    if connection.vendor == "sqlite":
        return Q()
    keys = list(beginning(model.objects.order_by(), words).values_list("pk", flat=True)[: _RARE + 1])
    if len(keys) > _RARE:
        return Q()
    return _one_of([*keys, *also])


def _one_of(keys: Sequence[int]) -> Q:
    return Q(pk__in=RawSQL("SELECT unnest(%s::bigint[])", (list(keys),)))


def alike(rows: QuerySet, words: Sequence[str], limit: int) -> list[tuple[int, str]]:
    """Keys and loose keys of those of ``rows`` that have words beginning with all but one of ``words``, and
    one that begins with what a slip makes of the other (a letter wrong, left out or too many, or two
    swapped): the likeliest, in no order that means anything. The slip is looked for in the longest first."""
    for word in sorted(words, key=len, reverse=True):
        others = list(words)
        others.remove(word)
        pieces = list(_pieces(word, alone=max(map(len, others), default=0) < _LEAST))
        shape = re.compile("|".join(".*".join(some) for some in pieces) or "(?!)")
        found = _with_pieces(rows, [(other,) for other in others], word, pieces, limit) if pieces else []
        if found := [(pk, key) for pk, key in found if shape.search(f" {key}")]:
            return found
    return []


def _pieces(word: str, alone: bool) -> Iterator[tuple[str, ...]]:
    """What is left of a word on both sides of some letters, wherever the slip may be. A short word by
    itself leaves too little: of it only letters that changed places are looked for; and only of a long
    word a first letter that is wrong."""
    if alone and len(word) < 6:
        for at in range(len(word) - 1):
            yield (f" {word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}",)
        return
    gap = 2 if len(word) < 8 else 3 if len(word) < 11 else 4
    for at in range(0 if len(word) > 7 else 1, len(word) - 1, gap - 1):
        yield tuple(filter(None, (f" {word[:at]}" if at else "", word[at + gap :])))


def _with_pieces(
    rows: QuerySet, others: Sequence[tuple[str]], word: str, pieces: list[tuple[str, ...]], limit: int
) -> list[tuple]:
    if connection.vendor == "sqlite":
        rows = beginning(rows, others)
        long = ([each for each in some if len(each) >= _LEAST] for some in pieces)
        match = " OR ".join(f"({_all_of(some)})" for some in long if some)
        likeliest = RawSQL(f"{_matching(rows)} ORDER BY rank LIMIT {10 * limit}", (match,))
        return list(rows.filter(pk__in=likeliest).order_by().values_list("pk", "loose_key")) if match else []
    named = beginning(rows.model.objects.order_by(), others).alias(words=Words())
    patterns = (Q(_Like("words", Value(f"%{'%'.join(some)}%"))) for some in pieces)
    parts = [named.filter(pattern).values_list("pk", flat=True)[:_OF_A_PIECE] for pattern in patterns]
    keys = set(parts[0].union(*parts[1:], all=True))
    likeness = Func(Value(word), F("words"), function="word_similarity", output_field=FloatField())
    rows = rows.alias(words=Words()).filter(_one_of(keys)).order_by(likeness.desc(), "pk")
    return list(rows.values_list("pk", "loose_key")[:limit])


def _all_of(texts: Sequence[str]) -> str:
    return " AND ".join(f'"{text}"' for text in texts)


class _Like(Func):
    template = "(%(expressions)s)"
    arg_joiner = " LIKE "
    output_field = BooleanField()


def _matching(rows: QuerySet) -> str:
    return f"SELECT rowid FROM {rows.model._meta.db_table}_words WHERE words MATCH %s"


def _match(texts: Sequence[Sequence[str]]) -> str:
    """What FTS5 looks for: of each group one of the texts."""
    groups = (" OR ".join(f'"{text}"' for text in group) for group in texts)
    return " AND ".join(f"({group})" for group in groups)
