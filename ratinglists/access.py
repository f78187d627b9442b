"""Whose lists, periods, corrections and complaints are whose (``players.access``)."""

from __future__ import annotations

from players.access import belongs
from ratinglists.models import (
    ApiKey,
    ApiSubmission,
    Complaint,
    Correction,
    Job,
    ListRow,
    Period,
    RatingList,
)


def register() -> None:
    """A list is its system's federation's; a complaint the tournament's; a key its own federation's."""
    belongs(Period, "system__federation")
    belongs(RatingList, "period__system__federation")
    belongs(ListRow, "rating_list__period__system__federation")
    belongs(Job, "period__system__federation", "correction__system__federation", "system__federation")
    belongs(Correction, "system__federation")
    belongs(Complaint, "tournament__federation")
    belongs(ApiKey, "federation")
    belongs(ApiSubmission, "key__federation")
