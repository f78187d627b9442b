"""Long lists by pages, of which the database never has to skip more than ten thousand rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import islice

from django.core.paginator import Page, Paginator
from django.db.models import Count, QuerySet, Window

#: pages that can be turned to: what comes after is reached by narrowing the choice, or in the file
MAX_PAGES = 100


class BoundedPaginator(Paginator):
    """The first ``MAX_PAGES`` pages of rows whose number is known, or told by ``count``."""

    def __init__(self, rows: QuerySet | _Window, size: int, count: int | Callable[[], int]) -> None:
        super().__init__(rows, size)
        self._count = count

    @cached_property
    def count(self) -> int:
        return self._count() if callable(self._count) else self._count

    @cached_property
    def num_pages(self) -> int:
        return min(super().num_pages, MAX_PAGES)

    @property
    def is_cut(self) -> bool:
        """Are there rows after the last page?"""
        return self.count > self.num_pages * self.per_page

    def page(self, number) -> Page:
        """As Django's, but the last page ends where it is full."""
        number = self.validate_number(number)
        start = (number - 1) * self.per_page
        return _BoundedPage(self.object_list[start : start + self.per_page], number, self)


class _BoundedPage(Page):
    def end_index(self) -> int:
        return self.start_index() + len(self.object_list) - 1 if self.paginator.count else 0


class _Window:
    """Rows that can only be read from the first on."""

    def __init__(self, rows: Iterable) -> None:
        self._rows = rows

    def __getitem__(self, part: slice) -> list:
        return list(islice(self._rows, part.start, part.stop))


def bounded(rows: QuerySet, number: str | None, size: int, count: int | Callable[[], int]) -> Page:
    """A page of a queryset; a bad number gives the first or the last."""
    return BoundedPaginator(rows, size, count).get_page(number)


def of_stream(rows: Iterable, number: str | None, size: int, count: int | None) -> Page:
    """A page of rows that come one after the other; without ``count`` all are read."""
    if count is None:
        rows = list(rows)
        count = len(rows)
    return BoundedPaginator(_Window(rows), size, count).get_page(number)


def counted(rows: QuerySet, number: str | None, size: int) -> Page:
    """A page of a queryset and the number of its rows in one query, for short ones that are shown first."""
    wanted = int(number) if number and number.isascii() and number.isdigit() and len(number) < 5 else 1
    start = max(wanted - 1, 0) * size
    found = list(_with_count(rows)[start : start + size])
    if not found or wanted > MAX_PAGES:
        return bounded(rows, number, size, rows.count)
    return _page_of(found, max(wanted, 1), size)


def first_rows(rows: QuerySet, size: int) -> QuerySet:
    """The rows of the first page, each with the number of all, for ``first_page``."""
    return _with_count(rows)[:size]


def first_page(found: list, size: int) -> Page:
    """The first page, of rows as ``first_rows`` reads them."""
    return _page_of(found, 1, size) if found else bounded(found, None, size, 0)


def _with_count(rows: QuerySet) -> QuerySet:
    return rows.annotate(rows_in_all=Window(Count("pk")))


def _page_of(found: list, number: int, size: int) -> Page:
    return _BoundedPage(found, number, BoundedPaginator(found, size, found[0].rows_in_all))
