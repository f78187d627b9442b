"""Messages to staff: written in the transaction that causes them, sent afterwards, each once.

The row is the truth: a commit rings the workers, the sweep sends what was left.
"""

from __future__ import annotations

from players.models import OutboxMessage


def tell_staff(key: str, right: str, subject: str, text: str, link: str = "") -> OutboxMessage:
    """Have everybody with a right told once, however often this is called with the same key.

    Call it inside the causing transaction. ``right`` is a permission such as
    ``ratinglists.publish_list``; ``link`` a path on the portal.
    """
    return OutboxMessage.objects.get_or_create(
        key=key, defaults={"right": right, "subject": subject[:200], "text": text, "link": link}
    )[0]
