"""Mail that goes out from rows: each row claimed before its mail is sent, each attempt noted in it.

So two workers do not send one mail twice, what a dead worker left is taken up again, and a mail server in
trouble is asked a few times and no more.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone

from players import crashpoints

log = logging.getLogger(__name__)

WAITING, SENDING, SENT, FAILED = "waiting", "sending", "sent", "failed"
MAX_ATTEMPTS = 5
#: after so long a mail that somebody was sending is tried again; and so long apart are the attempts
GIVEN_UP_AFTER, TRY_AGAIN = timedelta(minutes=15), timedelta(minutes=5)


class Sending:
    """Sends the mails of a model's rows.

    ``state``, ``attempts`` and ``tried`` name its columns; ``same`` one that tells whether the row still
    says the same. ``nobody`` is the state of a row that there is nobody to send to.
    """

    def __init__(
        self,
        *,
        state: str = "state",
        attempts: str = "attempts",
        tried: str = "tried_at",
        same: str = "pk",
        nobody: str,
    ) -> None:
        self.state, self.attempts, self.tried, self.same = state, attempts, tried, same
        self.nobody = nobody

    def due(self, rows: models.QuerySet) -> models.QuerySet:
        """Those that wait, or were left by a worker that died."""
        now = timezone.now()
        waiting = Q(**{self.tried: None}) | Q(**{f"{self.tried}__lt": now - TRY_AGAIN})
        left = Q(**{self.state: SENDING, f"{self.tried}__lt": now - GIVEN_UP_AFTER})
        return rows.filter((Q(**{self.state: WAITING}) & waiting) | left)

    def send(self, rows: models.QuerySet, mail: Callable[[models.Model], bool], limit: int = 200) -> int:
        """Send what is due; ``mail`` sends a row's mail, False if there is nobody to send it to. Returns how
        many went out."""
        return sum(self._try(row, mail) for row in self.due(rows).order_by("pk")[:limit])

    def _try(self, row: models.Model, mail: Callable[[models.Model], bool]) -> bool:
        rows = type(row)._default_manager.filter(**{"pk": row.pk, self.same: getattr(row, self.same)})
        attempt = getattr(row, self.attempts) + 1
        seen = {self.state: getattr(row, self.state), self.attempts: attempt - 1}
        claim = {self.state: SENDING, self.attempts: attempt, self.tried: timezone.now()}
        if not rows.filter(**seen).update(**claim):
            return False
        crashpoints.here("mail: claimed")
        outcome = self._outcome(row, attempt, mail)
        crashpoints.here("mail: sent, not noted")
        # Where the row says something new by now, its own mail waits already.
        rows.filter(**{self.state: SENDING}).update(**{self.state: outcome})
        return outcome == SENT

    def _outcome(self, row: models.Model, attempt: int, mail: Callable[[models.Model], bool]) -> str:
        if attempt > MAX_ATTEMPTS:  # workers died in each of them
            return FAILED
        try:
            return SENT if mail(row) else self.nobody
        except Exception as error:  # whatever a mail server does: the sweep tries again
            log.warning("a mail was not sent: %s", error, extra={"row": f"{row._meta.label}:{row.pk}"})
            return WAITING if attempt < MAX_ATTEMPTS else FAILED
