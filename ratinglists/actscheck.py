"""Rows held against the audit log: who published, corrections, complaints. Whoever rewrites a row has to
rewrite the log as well, whose chain and whose heads in the manifests tell it."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction

from players import audit
from players.models import AuditEntry
from ratinglists.models import Complaint, Correction, Publication, RatingList
from ratinglists.records import answer_sha256, complaint_sha256
from verifier.chain import Chain
from verifier.faults import Fault

BACKUP = "Compare with a backup and with an archive that somebody downloaded; find out who wrote there."


def check_acts(chain: Chain) -> Iterator[Fault]:
    """Everything that the log tells otherwise than the rows, and what is wrong with the log itself."""
    yield from _heads(chain)
    for text in audit.verify():
        yield Fault("audit log", "a whole chain", text, BACKUP)
    published = RatingList.objects.filter(state=RatingList.State.PUBLISHED)
    for listed in published.select_related("period", "publication").order_by("publication_id", "pk"):
        yield from _list(listed)
    closed = Correction.objects.filter(lists__in=published).distinct()
    for correction in closed.order_by("pk"):
        yield from _correction(correction)
    yield from _complaints()


def _heads(chain: Chain) -> Iterator[Fault]:
    """The heads of the audit log that manifests name are in the log, unchanged."""
    heads = {n: m["audit"] for n, m in chain.manifests.items() if m["audit"]}
    wanted = [head["number"] for head in heads.values()]
    stands = dict(AuditEntry.objects.filter(number__in=wanted).values_list("number", "sha256"))
    for number, head in sorted(heads.items()):
        if (found := stands.get(head["number"])) != head["sha256"]:
            where = f"audit log, entry {head['number']}, named by publication {number}"
            yield Fault(where, head["sha256"], found or "none", BACKUP)


def told_publications() -> set[int]:
    """The publications of lists that the audit log tells of: that the last one was taken out, with its lists,
    no link of the chain shows."""
    acts = AuditEntry.objects.filter(act__in=["list.published", "list.opened"])
    return {
        data["publication"]
        for data in acts.values_list("data", flat=True).iterator()
        if "publication" in data
    }


def _last(row, *acts: str) -> AuditEntry | None:
    found = AuditEntry.objects.filter(act__in=acts, subject=audit.key_of(row))
    return found.order_by("-pk").first()


def _list(listed: RatingList) -> Iterator[Fault]:
    """Who proposed, approved and published a list, and when."""
    where, of = f"list {listed}", listed.correction or listed
    kind = "correction" if listed.correction_id else "list"
    acts = {
        "proposed_by": _last(of, f"{kind}.proposed"),
        "approved_by": _last(of, f"{kind}.approved"),
        "published_by": _last(listed, "list.published", "list.opened"),
    }
    for name, entry in acts.items():
        yield from _differs(f"{where}, {name}", entry and entry.actor_id, getattr(listed, f"{name}_id"))
    yield from _differs(f"{where}, one_person", not listed.has_two_persons, listed.one_person)
    yield from _differs(f"{where}, published_at", listed.publication.published_at, listed.published_at)


def _correction(correction: Correction) -> Iterator[Fault]:
    where = str(correction)
    made = Publication.objects.filter(lists__correction=correction).first()
    yield from _differs(f"{where}, state", Correction.State.PUBLISHED.value, correction.state)
    yield from _differs(f"{where}, closed_at", made and made.published_at, correction.closed_at)


def _complaints() -> Iterator[Fault]:
    """Each case stands as it was opened and answered."""
    told = AuditEntry.objects.filter(act="complaint.opened").order_by("pk").values_list("subject", flat=True)
    numbers = {int(subject.rpartition(":")[2]) for subject in told}
    for number in sorted(numbers | set(Complaint.objects.values_list("pk", flat=True))):
        with transaction.atomic():  # nobody answers it between the two looks
            case = Complaint.objects.select_for_update().filter(pk=number).first()
            entries = AuditEntry.objects.filter(subject=f"{Complaint._meta.label_lower}:{number}")
            acts = dict(entries.order_by("pk").values_list("act", "data"))
        yield from _complaint(f"complaint {number}", case, acts)


def _complaint(where: str, case: Complaint | None, acts: dict[str, dict]) -> Iterator[Fault]:
    if case is None or "complaint.opened" not in acts:
        expected = "the case that the audit log tells of" if case is None else "an entry of the audit log"
        yield Fault(where, expected, "none", BACKUP)
        return
    erased = acts.get("complaint.erased", {})  # whose texts were overwritten for a person's sake
    opened = erased.get("sha256", acts["complaint.opened"]["sha256"])
    yield from _differs(where, opened, complaint_sha256(case))
    if "complaint.answered" in acts:
        answered = acts["complaint.answered"]["sha256"]
        if erased.get("answered"):
            answered = erased["answer_sha256"]
        yield from _differs(f"{where}, answer", answered, answer_sha256(case))
    else:
        state = Complaint.State.WITHDRAWN if "complaint.withdrawn" in acts else Complaint.State.OPEN
        yield from _differs(f"{where}, state", state.value, case.state)
        yield from _differs(f"{where}, answer", "", case.answer)
    wanted = acts.get("complaint.to-correction", {}).get("correction")
    yield from _differs(f"{where}, correction", wanted, case.correction_id)


def _differs(where: str, expected: object, found: object) -> Iterator[Fault]:
    if expected != found:
        yield Fault(where, str(expected), str(found), BACKUP)
