"""The audit log: what was done, by whom, when. Entries are only ever added.

``record`` writes an entry inside the transaction of the act. ``seal`` numbers the entries of committed
transactions and chains them: each entry's hash covers the entry and the hash before it, so that none can
be changed, taken out or put in unnoticed.
"""

from __future__ import annotations

from django.db import models

from players.models import AuditEntry


def record(act: str, by, subject: models.Model | None = None, text: str = "", **data) -> AuditEntry:
    """Note an act: call it inside the transaction that does it.

    ``act`` is a short code such as ``list.published``; ``by`` the account, None for the portal itself;
    ``text`` says it in a sentence; ``data`` are JSON values that a later reader may need (no personal
    data beyond keys).
    """
    return AuditEntry.objects.create(
        act=act,
        actor=by,
        actor_name="" if by is None else by.get_username(),
        subject="" if subject is None else f"{subject._meta.label_lower}:{subject.pk}",
        text=text,
        data=data,
    )
