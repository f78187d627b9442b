"""What is handed out: the files of lists, and the lists beside them as pages."""

from __future__ import annotations

import logging
from datetime import date

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from players.models import Federation
from ratinglists import archive, files, listing, privacy, special
from ratinglists.models import ListFile, RatingList
from ratinglists.paging import of_stream
from ratinglists.presentation import regulation_title
from ratinglists.views import LIST_PAGE, generated, list_or_404, suffix_of
from tournaments.exact import signed

log = logging.getLogger(__name__)
#: a year: the address names the content
FOR_EVER = "public, max-age=31536000, immutable"
#: the address names a list, which a revision may replace: to be asked for anew each time
ASK_AGAIN = "public, no-cache"
#: columns without which a table fits a telephone
NARROW_HIDES = (
    "number",
    "federation",
    "k",
    "games",
    "born",
    "sex",
    "career_games",
    "rating_before",
    "reason",
)


def _from_archive(request: HttpRequest, file: ListFile, caching: str) -> HttpResponseBase:
    etag = f'"{file.sha256}"'
    answer = get_conditional_response(request, etag=etag)
    if answer is None or answer.status_code != 304:
        try:
            content = archive.open_file(file.sha256)
        except FileNotFoundError:
            log.error("%s of %s is not in the archive: %s", file.name, file.rating_list, file.sha256)
            text = f"{file.name} is missing from the archive. Those who run the portal have been told.\n"
            return HttpResponse(text, status=503, content_type="text/plain; charset=utf-8")
        answer = FileResponse(content, as_attachment=True, filename=file.name, content_type=file.media_type)
        answer.headers["ETag"] = etag
    answer.headers["Cache-Control"] = caching
    return answer


@require_safe
def archived_file(request: HttpRequest, system: str, day: date, sha256: str, name: str) -> HttpResponseBase:
    """A file of a published list, whatever revision it is, by its content."""
    found = ListFile.objects.filter(
        rating_list__period__system=system,
        rating_list__period__list_date=day,
        rating_list__state=RatingList.State.PUBLISHED,
        sha256=sha256,
        name=name,
    )
    return _from_archive(request, get_object_or_404(found.select_related("rating_list__period")), FOR_EVER)


@require_safe
def whole_list(request: HttpRequest, system: str, day: date, ending: str) -> HttpResponseBase:
    """Everybody on a list in one format: as it was published, or of a draft as it is now."""
    shown = list_or_404(request, system, day)
    published = shown.state == RatingList.State.PUBLISHED
    if published and (file := files.archived(shown, ending)) is not None:
        return _from_archive(request, file, ASK_AGAIN)
    count = listing.listed_rows(shown).count()
    if count > files.rows_held(ending, count):
        raise Http404("The list is too long for this format.")
    return _made_now(shown, files.whole(shown, ending, count, today=True))


@require_safe
def special_csv(request: HttpRequest, system: str, day: date, kind: str) -> HttpResponseBase:
    """A list beside a rating list, as the rating list itself is handed out."""
    shown = list_or_404(request, system, day)
    if kind not in special.kinds_of(shown):
        raise Http404("The first list of a system has no list before it.")
    published = shown.state == RatingList.State.PUBLISHED
    if published and (file := files.archived(shown, kind)) is not None:
        return _from_archive(request, file, ASK_AGAIN)
    name = f"{files.stem_of(shown)}-{kind}.csv"
    return _made_now(
        shown, files.FileSpec(name, files.CSV, lambda: files.special_csv(shown, kind, today=True))
    )


def _made_now(shown: RatingList, spec: files.FileSpec) -> HttpResponseBase:
    stem, dot, ending = spec.name.rpartition(".")
    name = f"{stem}-draft{dot}{ending}" if shown.state == RatingList.State.DRAFT else spec.name
    return generated(name, spec.media_type, iter(spec.chunks()))


@require_safe
def special_page(request: HttpRequest, system: str, day: date, kind: str) -> HttpResponse:
    shown = list_or_404(request, system, day)
    kinds = special.kinds_of(shown)
    if kind not in kinds:
        raise Http404("The first list of a system has no list before it.")
    chosen = kinds[kind]
    rows, count = files.special_rows(shown, kind)
    columns = chosen.table(shown).columns
    rows = privacy.mask_cells(columns, rows)
    federation, federations = "", []
    if kind == "top-federations":
        rows = list(rows)
        names = {each.code: str(each) for each in Federation.objects.all()}
        federations = [(code, names.get(code, code)) for code in dict.fromkeys(row[0] for row in rows)]
        wanted = request.GET.get("federation", "")
        federation = wanted if wanted in dict(federations) else next(iter(dict(federations)), "")
        rows, count = [row for row in rows if row[0] == federation], None
    context = {
        "list": shown,
        "draft": shown.state == RatingList.State.DRAFT,
        "kind": kind,
        "special": chosen,
        "kinds": kinds,
        "columns": columns[:-1],
        "narrow_hides": NARROW_HIDES,
        "page": (page := of_stream(rows, request.GET.get("page"), LIST_PAGE, count)),
        "lines": [_Line(columns, row) for row in page],
        "federation": federation,
        "federations": federations,
        "regulation": regulation_title(shown.regulation),
        "suffix": suffix_of(shown, request),
        "replaced_by": listing.replacing(shown),
    }
    return render(request, "ratinglists/special.html", context)


class _Line:
    """A row for the page: its cells with their columns, and the player's page."""

    def __init__(self, columns, row) -> None:
        self.player = row[-1]
        self.cells = [
            (column, signed(cell) if column == special.DIFFERENCE else cell)
            for column, cell in zip(columns[:-1], row[:-1], strict=True)
        ]
