"""What a saved page of the admin changed in a registration, in words for its history."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Model

from players.languages.texts import english
from tournaments.models import Entry, Round, TimeControlStage, Tournament, TournamentArbiter
from tournaments.queries import clock_words

_MANY = 20


def described(tournament: Tournament, form, formsets) -> str:
    """Such as ``entry added: Alder, Tom; schedule changed``; empty if nothing was changed."""
    told = []
    fields = {field.name for field in Tournament._meta.fields}
    own = [name for name in form.changed_data if name in fields]
    if own:
        labels = [english(Tournament._meta.get_field(name).verbose_name) for name in own]
        told.append(f"changed: {', '.join(labels)}")
    # A saved row that may not be edited any more says of itself that it has not changed: ask what was saved.
    changed = {
        each.model: each
        for each in formsets
        if each.new_objects or each.changed_objects or each.deleted_objects
    }
    if TimeControlStage in changed or "typed_control" in form.changed_data:
        told.append(f"time control: {clock_words(tournament) or 'none'}")
    if Round in changed or "lay_rounds" in form.changed_data:
        told.append("schedule changed")
    for model, name in ((TournamentArbiter, "arbiter"), (Entry, "entry")):
        if model in changed:
            told += _rows(changed[model], name)
    return "; ".join(told)


def _rows(formset, name: str) -> list[str]:
    parts = (
        ("added", formset.new_objects),
        ("changed", [row for row, _ in formset.changed_objects]),
        ("withdrawn" if name == "entry" else "removed", formset.deleted_objects),
    )
    return [f"{name} {verb}: {_named(rows)}" for verb, rows in parts if rows]


def _named(rows: Iterable[Model]) -> str:
    names = [str(getattr(row, "arbiter", None) or row) for row in rows]
    more = f" and {len(names) - _MANY} more" if len(names) > _MANY else ""
    return f"{', '.join(names[:_MANY])}{more}"
