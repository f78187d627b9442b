"""Reads for the pages of lists: which lists the public sees, and a list filtered and ordered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from players.models import Player
from players.privacy import policy
from players.search import search
from ratinglists import privacy
from ratinglists.formats.line import ListLine
from ratinglists.models import ListRow, RatingList
from ratinglists.queries import of_standing
from regulations import registry
from regulations.base import Regulation
from regulations.lists import NOT_SHOWN
from tournaments.models import RatingSystem

#: the statuses of players who belong into a rating list: everybody with a rating
RATED = (ListRow.Status.ACTIVE, ListRow.Status.PROVISIONAL, ListRow.Status.INACTIVE)
#: a long inactive player stays on record but is not printed any more (2004 9.23)
SHOWN = ~Q(status=ListRow.Status.INACTIVE, flags__icontains=NOT_SHOWN)
#: choices by status of whom nobody has a rating
UNRATED = ("delisted", "titled-unrated", "unrated")
STATUSES = {
    "active": (ListRow.Status.ACTIVE, ListRow.Status.PROVISIONAL),
    "inactive": (ListRow.Status.INACTIVE,),
    "rated": RATED,
    "provisional": (ListRow.Status.PROVISIONAL,),
    "delisted": (ListRow.Status.DELISTED,),
    "titled-unrated": (ListRow.Status.TITLED_UNRATED,),
    "unrated": (ListRow.Status.UNRATED,),
}
#: column -> fields, in the direction that the first click on its header gives
ORDERS = {
    "rating": ("-rating", "name", "id"),
    "name": ("name", "id"),
    "federation": ("federation", "-rating", "id"),
    "title": ("title", "-rating", "id"),
    "born": ("birth_year", "-rating", "id"),
    "change": ("-change", "name", "id"),
    "games": ("-games", "-rating", "id"),
    "k": ("-k_next", "-rating", "id"),
}
DESCENDING = frozenset(column for column, fields in ORDERS.items() if fields[0].startswith("-"))


def standing(lists: QuerySet | None = None) -> QuerySet:
    """Published lists that no later revision replaces."""
    lists = RatingList.objects.all() if lists is None else lists
    return (
        of_standing(lists)
        .select_related("period__system")
        .defer("report")
        .order_by("-period__list_date", "period__system__name")
    )


def latest_lists() -> list[tuple[RatingSystem, RatingList | None]]:
    """Every system with its newest list, in two queries whatever the number of systems."""
    systems = list(_with_newest())
    lists = standing().in_bulk([system.newest for system in systems if system.newest])
    return [(system, lists.get(system.newest)) for system in systems]


def newest_keys() -> list[int]:
    """The key of each system's newest list."""
    return list(_with_newest().order_by().filter(newest__isnull=False).values_list("newest", flat=True))


def _with_newest() -> QuerySet:
    newest = of_standing(RatingList.objects.filter(period__system=OuterRef("pk")))
    newest = newest.order_by("-period__list_date").values("pk")[:1]
    return RatingSystem.objects.annotate(newest=Subquery(newest))


def find_list(
    system: str, day: date, *, revision: int | None = None, draft: bool = False
) -> RatingList | None:
    """A system's list of a date: the standing one, a revision of it, or the draft."""
    lists = RatingList.objects.filter(period__system=system, period__list_date=day)
    lists = lists.select_related("period__system__federation", "previous__period")
    lists = lists.defer("report", "previous__report")
    if draft:
        return lists.filter(state=RatingList.State.DRAFT).first()
    if revision is not None:
        lists = lists.filter(revision=revision)
    return lists.filter(state=RatingList.State.PUBLISHED).order_by("-revision").first()


@dataclass(frozen=True, slots=True)
class Choice:
    """What a visitor wants of a list; empty fields ask for nothing."""

    text: str = ""
    federation: str = ""
    sex: str = ""
    title: str = ""
    status: str = "active"
    rating_from: int | None = None
    rating_to: int | None = None
    born_from: int | None = None
    born_to: int | None = None
    order: str = "rating"
    turned: bool = False


def chosen_rows(rating_list: RatingList, choice: Choice) -> QuerySet:
    """A list's rows as chosen, in the order wanted, without the explanations; with ``shown_name``."""
    rows = privacy.with_shown_names(rows_of_choice(rating_list, choice), rating_list)
    return rows.order_by(*_order(choice))


def rows_of_choice(rating_list: RatingList, choice: Choice) -> QuerySet:
    rows = ListRow.objects.filter(
        SHOWN, by_text(choice.text), rating_list=rating_list, status__in=STATUSES[choice.status]
    )
    if choice.status not in UNRATED:
        # No row of these is without a rating; said so that who goes through the list from the top begins
        # with the highest rating and not with all rows that have none.
        rows = rows.filter(rating__isnull=False)
    bounds = {"rating__gte": choice.rating_from, "rating__lte": choice.rating_to}
    rows = rows.filter(**{name: value for name, value in bounds.items() if value is not None})
    rows = of_persons(rows, choice.federation, choice.sex, choice.title, choice.born_from, choice.born_to)
    return rows.defer("steps", "games_by_period").order_by()


def of_persons(
    rows: QuerySet, federation: str, sex: str, title: str, born_from: int | None, born_to: int | None
) -> QuerySet:
    """Those of a list's rows whose persons are, on that list, what is asked for; ``title`` "any": some.
    No choice by age finds somebody whose year of birth is withheld."""
    asked = {
        "federation": federation,
        "sex": sex,
        "birth_year__gte": born_from,
        "birth_year__lte": born_to,
    }
    rows = rows.filter(**{name: value for name, value in asked.items() if value not in ("", None)})
    if title:
        rows = rows.exclude(title="") if title == "any" else rows.filter(title=title)
    return rows if born_from is None and born_to is None else rows.exclude(privacy.ageless(policy()))


def replacing(rating_list: RatingList) -> RatingList | None:
    """The revision that stands in place of an earlier one; None where a list stands itself."""
    standing = RatingList.objects.filter(
        period=rating_list.period_id, state=RatingList.State.PUBLISHED, revision__gt=rating_list.revision
    )
    if rating_list.state == RatingList.State.DRAFT:
        return None
    return standing.select_related("correction").order_by("-revision").first()


def by_text(text: str) -> Q:
    """A player's number, or words with which words of his name begin, in any order."""
    if not text.strip():
        return Q()
    found = search(Player.objects.order_by(), text, public=True).values("pk")
    if any(char.isdigit() for char in text):  # a merge takes the number along, a list's row stays
        owners = [row["pk"] for row in found]
        return Q(player__in=owners) | Q(player__merged_into__in=owners)
    return Q(player__in=found)


def _order(choice: Choice) -> list:
    fields = ORDERS[choice.order]
    order = []
    for place, field in enumerate(fields):
        if field == "-rating" and choice.status in UNRATED:
            continue  # the same order, for which there is an index
        down = field.startswith("-") != (choice.turned and place == 0)
        name = field.lstrip("-")
        # Only these can be empty, and only "rating" has an index, which plain DESC can use.
        if name in ("change", "k_next", "birth_year"):
            by = privacy.shown_year(policy()) if name == "birth_year" else F(name)
            order.append(by.desc(nulls_last=True) if down else by.asc(nulls_last=True))
        elif name == "name":
            order.append("-shown_name" if down else "shown_name")
        else:
            order.append(f"-{name}" if down else name)
    return order


def dates_of(system: RatingSystem) -> list[date]:
    """The dates of a system's published lists, newest first."""
    return list(standing().filter(period__system=system).values_list("period__list_date", flat=True))


def regulation_of(rating_list: RatingList) -> Regulation | None:
    """The regulation that made a list, or of an opening list the one of its day; None if unknown."""
    try:
        return registry.get(rating_list.regulation)
    except registry.UnknownRegulation:
        return rating_list.system.regulation_on(rating_list.list_date)


def listed_rows(rating_list: RatingList) -> QuerySet:
    """The rows of a list as it is handed out: every rated player that it shows, strongest first."""
    rows = ListRow.objects.filter(SHOWN, rating_list=rating_list, rating__isnull=False)
    return rows.order_by("-rating", "name", "id").defer("steps", "games_by_period")


def list_lines(rating_list: RatingList) -> Iterator[ListLine]:
    """The whole list for a file."""
    return lines_of(rating_list, listed_rows(rating_list).iterator(chunk_size=2000))


def lines_of(rating_list: RatingList, rows: Iterable[ListRow]) -> Iterator[ListLine]:
    """Rows of a list as it prints them."""
    rules = regulation_of(rating_list)
    for row in rows:
        yield ListLine(
            fide_id=row.fide_id,
            name=row.name,
            sex=row.sex,
            federation=row.federation,
            title=row.title,
            women_title=row.women_title,
            rating=row.rating,
            games=row.games,
            k=row.k_next,
            birth_year=None if row.withheld else row.birth_year,
            flag="i" if row.status == ListRow.Status.INACTIVE else "",
            national_id=row.national_id,
            status=row.status,
            printed=printed_text(row.rating, rules),
            birth_date=row.birth_date if rules and "birth_date" in rules.printed else None,
            record=row.player_id,
            career_games=row.career_games,
        )


def printed_text(rating: int | None, rules: Regulation | None) -> str:
    """A rating as its list prints it; nothing for an unrated player."""
    if rating is None:
        return ""
    return rules.printed_rating(rating) if rules else str(rating)


def archive() -> list[tuple[RatingSystem, list[tuple[int, list[RatingList]]]]]:
    """Every system's standing lists by year, newest first, in two queries."""
    found: dict[str, dict[int, list[RatingList]]] = {}
    for item in standing():
        found.setdefault(item.period.system_id, {}).setdefault(item.list_date.year, []).append(item)
    return [(system, list(found.get(system.code, {}).items())) for system in RatingSystem.objects.all()]
