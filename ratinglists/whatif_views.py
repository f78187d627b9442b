"""The page "what if": games that nobody has played, and what they would make of a rating."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from players.languages.texts import said
from players.models import Player
from ratinglists import whatif, whatif_forms
from ratinglists.listing import latest_lists
from ratinglists.models import ListRow
from ratinglists.person_pages import follows_merges, player_or_404


@require_safe
@follows_merges
def what_if(request: HttpRequest, pk: int) -> HttpResponse:
    person = player_or_404(pk)
    newest = latest_lists()
    rows = _current(person, [listed.pk for _, listed in newest if listed is not None])
    systems = {system.code: system for system, _ in newest}
    usual = next(iter(rows), next(iter(systems), ""))
    form = whatif_forms.SystemChoice(
        request.GET, [(code, each.name) for code, each in systems.items()], usual
    )
    question = whatif_forms.read(request.GET, person)
    faults = [gettext("List: %(text)s") % {"text": said(text)} for text in form.errors.get("system", [])]
    faults += question.faults
    system = systems.get(form.value("system"))
    context = {
        "player": person,
        "form": form,
        "question": question,
        "faults": faults,
        "choices": [
            (row, [(each, whatif_forms.with_player(request.GET, row, each)) for each in row.found])
            for row in question.rows
            if row.found
        ],
        "row": rows.get(system.code) if system else None,
        "system": system,
    }
    if system is not None and question.games:
        try:
            context["answer"] = whatif.answer(person, system, question.games)
            context["address"] = question.address(system.code)
        except whatif.Refused as refused:
            faults.append(said(refused))
    return render(request, "ratinglists/whatif.html", context)


def _current(player: Player, lists: list[int]) -> dict[str, ListRow]:
    """The player's rated rows on the newest lists by system, the systems by their names."""
    rows = ListRow.objects.filter(player__in=player.records, rating_list__in=lists, rating__isnull=False)
    rows = rows.select_related("rating_list__period__system").defer("steps", "rating_list__report")
    rows = rows.order_by("rating_list__period__system__name", "rating", "pk")
    return {row.rating_list.period.system_id: row for row in rows}
