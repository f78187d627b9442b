"""The canonical list, whose SHA-256 is the list's hash, written again from the rows in the database."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from fractions import Fraction

from ratinglists.files import FileSpec, files_of, stem_of
from ratinglists.models import ListFile, RatingList
from ratinglists.state import state_file
from regulations import lists
from regulations import model as rules
from tournaments.exact import from_text
from verifier.form import CANONICAL

BATCH = 2000


def canonical_file(listed: RatingList) -> Iterator[FileSpec]:
    """Its file; none of an opening list, whose hash is of the file that it came in."""
    if not listed.is_opening:
        yield FileSpec(f"{stem_of(listed)}{CANONICAL}", "application/json", lambda: canonical_chunks(listed))


def every_file(listed: RatingList) -> Iterator[FileSpec]:
    """All that a list is published in."""
    yield from files_of(listed)
    yield from canonical_file(listed)
    yield state_file(listed)


def rewritten(listed: RatingList, files: Iterable[ListFile]) -> Iterator[tuple[ListFile, FileSpec, str]]:
    """Those of a list's files that say its rows one by one (CSV, canonical, state), written anew from the
    rows: each with the hash that it has now."""
    stands = {file.name: file for file in files if file.rating_list_id == listed.pk}
    for spec in every_file(listed):
        if spec.name in stands and spec.media_type.startswith(("text/csv", "application/json")):
            digest = hashlib.sha256()
            for chunk in spec.chunks():
                digest.update(chunk)
            yield stands[spec.name], spec, digest.hexdigest()


def canonical_chunks(listed: RatingList) -> Iterator[bytes]:
    """The bytes that ``regulations.lists.canonical`` gives for this list, in pieces."""
    samples = map(lists.sample_shown, sorted(_samples(listed), key=lists.sample_order))
    return lists.canonical_text(listed.regulation, listed.list_date.isoformat(), _players(listed), samples)


def _players(listed: RatingList) -> Iterator[dict]:
    """In the order of the canonical list: by the player's identifier as text."""
    order = sorted(listed.rows.values_list("player_id", "pk"), key=lambda each: str(each[0]))
    fields = ("player_id", "status", "rating", "change", "games", "k", "flags")
    for start in range(0, len(order), BATCH):
        keys = [pk for _, pk in order[start : start + BATCH]]
        rows = {row["pk"]: row for row in listed.rows.filter(pk__in=keys).values("pk", *fields)}
        for pk in keys:
            row = rows[pk]
            change = row["change"]
            yield lists.row_shown(
                rules.ListRow(
                    id=str(row["player_id"]),
                    status=row["status"],
                    rating=row["rating"],
                    change=None if change is None else Fraction(change),
                    games=row["games"],
                    k=row["k"],
                    flags=tuple(row["flags"]),
                )
            )


def _samples(listed: RatingList) -> Iterator[rules.Sample]:
    for sample in listed.samples.all():
        yield rules.Sample(
            player=str(sample.player_id),
            event=sample.event,
            list_date=sample.list_date,
            performance=from_text(sample.performance),
            games=sample.games,
            score=Fraction(sample.score),
            opponents=tuple(from_text(rating) for rating in sample.opponents),
        )
