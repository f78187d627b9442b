"""What search engines are told: robots.txt, and the sitemap in parts.

Players go into parts by ranges of their keys, so that neither the index nor a part counts or skips
over those of other parts, however many there are.
"""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urlsplit

from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import index as django_index
from django.contrib.sitemaps.views import sitemap as django_sitemap
from django.core.paginator import EmptyPage, Page, PageNotAnInteger
from django.db.models import Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from players.models import Federation, Player
from ratinglists import addresses, crosstables, listing
from ratinglists.models import RatingList
from tournaments.models import Tournament

#: what nobody needs to find by searching: accounts, staff, forms, and tables of any two players
PRIVATE = ("/admin/", "/accounts/", "/arbiter/", "/me/", "/queue/", "/complaints/", "/api/v1/",
           "/players/*/compare/", "/tournaments/*/complaint/", "/*?draft=")  # fmt: skip
PLAYERS_A_PART = 10_000


class Section(Sitemap):
    """A part whose addresses begin as the public knows the portal."""

    def __init__(self, origin: str) -> None:
        parts = urlsplit(origin)
        self.protocol, self.domain = parts.scheme, parts.netloc

    def get_domain(self, site: object = None) -> str:
        return self.domain


class Pages(Section):
    def items(self) -> list[str]:
        return [
            "home", "lists", "calendar", "players", "federations", "tournaments", "received", "verify", "api",
        ]  # fmt: skip

    def location(self, item: str) -> str:
        return reverse(item)


class Lists(Section):
    def items(self) -> QuerySet:
        return listing.standing().defer("report")

    def location(self, item: RatingList) -> str:
        return reverse("list", args=[item.period.system_id, item.list_date])

    def lastmod(self, item: RatingList) -> datetime | None:
        return item.published_at


class Federations(Section):
    def items(self) -> QuerySet:
        return Federation.objects.order_by("code").only("code")

    def location(self, item: Federation) -> str:
        return reverse("federation", args=[item.code])


class Tournaments(Section):
    limit = 10_000

    def items(self) -> QuerySet:
        return crosstables.public_tournaments().select_related(None).order_by("pk").only("pk")

    def location(self, item: Tournament) -> str:
        return reverse("tournament", args=[item.pk])


class Ranges:
    """Pages of players by their keys: the second one has those above ``PLAYERS_A_PART``, and so on."""

    def __init__(self, people: QuerySet) -> None:
        self.people = people
        highest = people.aggregate(highest=Max("pk"))["highest"] or 1
        self.num_pages = (highest - 1) // PLAYERS_A_PART + 1

    def page(self, number: int | str) -> Page:
        try:
            wanted = int(number)
        except ValueError:
            raise PageNotAnInteger("The number of a part is a whole number.") from None
        if not 1 <= wanted <= self.num_pages:
            raise EmptyPage(f"There are {self.num_pages} parts.")
        last = wanted * PLAYERS_A_PART
        return Page(self.people.filter(pk__gt=last - PLAYERS_A_PART, pk__lte=last), wanted, self)


class Players(Section):
    def items(self) -> QuerySet:
        """Those with a page of their own, except who is hidden or erased."""
        return Player.objects.filter(merged_into__isnull=True, privacy="").order_by("pk").only("pk")

    @property
    def paginator(self) -> Ranges:
        return Ranges(self.items())

    def location(self, item: Player) -> str:
        return reverse("player", args=[item.pk])


SECTIONS = {
    "pages": Pages,
    "lists": Lists,
    "federations": Federations,
    "tournaments": Tournaments,
    "players": Players,
}


def _sections(request: HttpRequest) -> dict[str, Section]:
    return {name: section(addresses.origin(request)) for name, section in SECTIONS.items()}


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    return django_index(request, sitemaps=_sections(request), sitemap_url_name="sitemap-part")


@require_safe
def part(request: HttpRequest, section: str) -> HttpResponse:
    return django_sitemap(request, sitemaps=_sections(request), section=section)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in PRIVATE), ""]
    lines += [f"Sitemap: {addresses.whole(request, reverse('sitemap'))}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
