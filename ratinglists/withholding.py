"""What lists and complaints hold of a person who is hidden or erased.

Published rows stay, since their lists' signed files are written again from them; pages hide what is in them
(``ratinglists.privacy``). Drafts follow at once.
"""

from __future__ import annotations

import hashlib

from django.db.models import Q

from players import audit, erasing
from players.erasing import GONE, Person, overwritten
from players.models import Player
from players.privacy import PERSON
from ratinglists.drafts import NAMELESS
from ratinglists.models import Complaint, Correction, ListRow, RatingList
from ratinglists.privacy import standing
from ratinglists.records import answer_sha256, complaint_sha256
from ratinglists.state import state_file

#: what a complaint says of its sender
_SENDER = {"name": "", "email": "", "mailbox": "", "client": "", "user": None}


def withhold(draft: RatingList) -> None:
    """Take the names of hidden and erased players out of a draft; call it before its files are written,
    since it may have been computed from the register as it was just before."""
    rows = ListRow.objects.filter(standing({"privacy__gt": ""}), rating_list=draft).exclude(withheld=PERSON)
    _write(draft, list(rows.order_by().values_list("pk", flat=True)))


def follow(person: Person) -> None:
    """Drafts without the person, and of an erased one his complaints. A player who is shown again stands
    in a draft under his name once it is computed again."""
    hidden = Player.objects.filter(pk__in=person.records).exclude(privacy="")
    rows = ListRow.objects.filter(player__in=hidden, rating_list__state=RatingList.State.DRAFT)
    for draft in RatingList.objects.filter(pk__in=rows.order_by().values("rating_list")):
        own = rows.filter(rating_list=draft)
        _write(draft, list(own.order_by().values_list("pk", flat=True)), erased=person.erased)
    if person.erased:
        _complaints(person)


def _write(draft: RatingList, rows: list[int], *, erased: bool = False) -> None:
    if not rows:
        return
    born = {"birth_year": None} if erased else {}
    ListRow.objects.filter(pk__in=rows).update(**NAMELESS, **born, withheld=PERSON, birth_date=None)
    if "state" in draft.report:  # an opening list says of itself what its rows are
        digest = hashlib.sha256()
        for chunk in state_file(draft).chunks():
            digest.update(chunk)
        draft.report["state"] = digest.hexdigest()
        draft.save(update_fields=["report"])


def _complaints(person: Person) -> None:
    """His own complaints lose sender and text, those of others his name. The log gets the hashes of what
    is left, by which ``verify`` knows it."""
    sent = Q(user__in=person.users) | Q(mailbox__in=person.mailboxes)
    pattern, own = person.pattern(), set(Complaint.objects.filter(sent).values_list("pk", flat=True))
    naming = erasing.naming("ratinglists.Complaint", ("text", "answer"), person, Q())
    for pk in sorted(own | {each.pk for each in naming}):
        case = Complaint.objects.select_for_update().get(pk=pk)
        if pk in own:
            case.text, case.answer = GONE, case.answer and GONE
            for name, value in _SENDER.items():
                setattr(case, name, value)
        elif pattern is not None:
            case.text, case.answer = overwritten(case.text, pattern), overwritten(case.answer, pattern)
        case.save()
        hashes = {"sha256": complaint_sha256(case)}
        if case.answered_at is not None:
            hashes |= {"answered": True, "answer_sha256": answer_sha256(case)}
        audit.record("complaint.erased", None, case, str(case), **hashes)


def register() -> None:
    """Tell the register in which texts of lists names can stand, and in which of them they stay."""
    erasing.follow(follow)
    erasing.sweep("ratinglists.ApiSubmission", "answer")
    closed = Q(state=Correction.State.PUBLISHED)
    erasing.sweep("ratinglists.Correction", "reason", "remark")
    erasing.seal("ratinglists.Correction", closed, "reason")
    erasing.sweep("ratinglists.CorrectionItem", "reason")
    erasing.seal("ratinglists.CorrectionItem", Q(correction__state=Correction.State.PUBLISHED), "reason")
