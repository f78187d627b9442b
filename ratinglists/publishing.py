"""Publishing lists: their files first, under the hash of their content, then one transaction that flips.

Until that transaction commits the public sees the lists before; from then on it sees these, whole. What a
death in between leaves are files that nothing names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from players import audit, crashpoints
from players.ledger import Refusal
from ratinglists import archive, manifest, messages, signing
from ratinglists.canonical import every_file, rewritten
from ratinglists.models import ListFile, Publication, RatingList
from ratinglists.readying import make_ready
from ratinglists.withholding import withhold
from verifier import form
from verifier.form import CANONICAL, STATE

CHANGED = (
    "The rows of {} are not those that were computed or brought in: somebody changed them in the database. "
    "Find out who, and compute the list, or bring it in, again."
)
Progress = Callable[[str, int, int], None]


def write_files(lists: Sequence[RatingList], progress: Progress) -> list[ListFile]:
    """Write every file of these drafts into the archive; returns their rows, not saved yet.

    Refuses a draft whose rows are not the list that was computed.
    """
    signing.signing_key(Publication.objects.first())  # without a key nothing is begun
    for listed in lists:
        withhold(listed)
    specs = [(listed, spec) for listed in lists for spec in every_file(listed)]
    rows = []
    for done, (listed, spec) in enumerate(specs):
        progress(f"writing {spec.name}", done, len(specs))
        stored = archive.store(spec.chunks())
        if stored.sha256 != _expected(listed, spec.name, stored.sha256):
            raise Refusal(CHANGED.format(listed))
        rows.append(
            ListFile(
                rating_list=listed,
                name=spec.name,
                media_type=spec.media_type,
                sha256=stored.sha256,
                size=stored.size,
            )
        )
        crashpoints.here("publish: a file is written")
    progress("files are written", len(specs), len(specs))
    return rows


def _expected(listed: RatingList, name: str, found: str) -> str:
    """The hash that the draft itself says its file has: the canonical list; of one brought in, the state."""
    if name.endswith(CANONICAL):
        return listed.sha256
    return listed.report.get("state", found) if name.endswith(STATE) else found


def flip(
    lists: Sequence[RatingList],
    files: Sequence[ListFile],
    by,
    reason: str = "",
    change: manifest.KeyChange | None = None,
) -> Publication:
    """Publish drafts: the last step, inside the caller's transaction, which holds the lists' locks.

    ``by`` is who had it published, None for the portal on the day of the list. Without lists it is a
    ``change`` of the signing key. Raises SigningRefused without the key that the chain has come to.
    """
    for listed in lists:
        # Under the list's lock: what was written into files before it must still stand in the rows.
        if any(found != file.sha256 for file, _, found in rewritten(listed, files)):
            raise Refusal(CHANGED.format(listed))
    now = timezone.now()
    # All queue at the chain's first link: who holds it sees the last one, and nobody else adds to it.
    list(Publication.objects.select_for_update().filter(number=1))
    last = Publication.objects.first()
    ListFile.objects.bulk_create(files)
    key = signing.signing_key(None if change and change.lost else last)
    body = manifest.build(lists, files, last, reason, key=signing.public_of(key), at=now, change=change)
    form.parse(body)  # what nobody could check is not published
    stored = archive.store([body])
    crashpoints.here("publish: the manifest is written")
    signature, key = manifest.sign(body, key)
    publication = Publication.objects.create(
        number=last.number + 1 if last else 1,
        previous=last,
        manifest_sha256=stored.sha256,
        signature=signature,
        key_id=key,
        published_at=now,
    )
    for listed in lists:
        _publish(listed, publication, by, now)
        act = "list.opened" if listed.is_opening else "list.published"
        audit.record(act, by, listed, str(listed), publication=publication.number, sha256=listed.sha256)
        messages.published(listed)
    transaction.on_commit(lambda: make_ready([listed.pk for listed in lists]), robust=True)
    crashpoints.here("publish: the lists are flipped")
    return publication


def _publish(listed: RatingList, publication: Publication, by, now: datetime) -> None:
    listed.state = RatingList.State.PUBLISHED
    listed.published_at, listed.published_by, listed.publication = now, by, publication
    listed.one_person = settings.PORTAL_ONE_PERSON and not listed.has_two_persons
    listed.save(update_fields=["state", "published_at", "published_by", "publication", "one_person"])
