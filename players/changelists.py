"""Lists of the admin that take any number in their address."""

from __future__ import annotations

from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList


class BoundedChangeList(ChangeList):
    """A number that no date and no database holds is a filter that cannot be, not an error of the portal."""

    def get_filters(self, request):
        try:
            return super().get_filters(request)
        except OverflowError as error:
            raise IncorrectLookupParameters(error) from error

    def get_queryset(self, request, *args, **kwargs):
        try:
            return super().get_queryset(request, *args, **kwargs)
        except OverflowError as error:
            raise IncorrectLookupParameters(error) from error

    def get_results(self, request):
        try:
            super().get_results(request)
        except OverflowError as error:
            raise IncorrectLookupParameters(error) from error


class BoundedLists:
    """For every admin of ours: its list is a BoundedChangeList."""

    def get_changelist(self, request, **kwargs):
        return BoundedChangeList
