"""The manifest of a publication: what it holds, by SHA-256, and the manifest before it.

``verifier.form`` has the format, which the offline check reads too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from players.models import AuditEntry
from ratinglists.models import Correction, ListFile, Publication, RatingList
from ratinglists.records import correction_sha256, moment, sha256_of
from ratinglists.signing import public_of
from ratinglists.software import software
from verifier import form


@dataclass(frozen=True, slots=True)
class KeyChange:
    """What a manifest says of keys besides the one that signs it.

    ``next_key`` is a public key that signs from the next manifest on. ``lost`` says why this manifest is
    signed by a key that none before introduced.
    """

    next_key: str | None = None
    lost: str = ""


def build(
    lists: Sequence[RatingList],
    files: Sequence[ListFile],
    last: Publication | None,
    reason: str = "",
    *,
    key: str,
    at: datetime,
    change: KeyChange | None = None,
) -> bytes:
    """The manifest of these lists as canonical JSON, to be signed by the public key ``key``."""
    change = change or KeyChange()
    order = sorted(lists, key=lambda each: (each.list_date, each.period.system_id, each.revision))
    return form.canonical(
        {
            "format": form.FORMAT,
            "number": last.number + 1 if last else 1,
            "previous": last.manifest_sha256 if last else None,
            "published_at": moment(at),
            "software": software(),
            "reason": reason,
            "key": key,
            "next_key": change.next_key,
            "key_lost": change.lost,
            "audit": audit_head(),
            "correction": correction_of(lists),
            "lists": [described(listed, files) for listed in order],
        }
    )


def audit_head() -> dict | None:
    """The newest sealed entry of the audit log; whoever changes an older one breaks this too."""
    sealed = AuditEntry.objects.filter(number__isnull=False).order_by("-number")
    return sealed.values("number", "sha256").first()


def correction_of(lists: Sequence[RatingList]) -> dict | None:
    """The correction whose lists these are, by its number and the SHA-256 of what it says."""
    correction = Correction.objects.filter(lists__in=[each.pk for each in lists]).first()
    return correction and {"number": correction.pk, "sha256": correction_sha256(correction)}


def described(listed: RatingList, files: Sequence[ListFile]) -> dict:
    """A list as its manifest has it."""
    own = [each for each in files if each.rating_list_id == listed.pk]
    return {
        "system": listed.period.system_id,
        "list_date": listed.list_date.isoformat(),
        "revision": listed.revision,
        "regulation": listed.regulation,
        "opening": listed.is_opening,
        "persons": 2 if listed.has_two_persons else 1,
        "previous": _named(listed.previous),
        "closes_on": listed.period.closes_on.isoformat(),
        "computed_at": moment(listed.computed_at),
        "proposed_at": listed.proposed_at and moment(listed.proposed_at),
        "approved_at": listed.approved_at and moment(listed.approved_at),
        "sha256": listed.sha256,
        "input_sha256": listed.input_sha256,
        "sources_sha256": listed.report.get("sources") or None,
        "report_sha256": sha256_of(listed.report),
        "files": [
            {"name": each.name, "sha256": each.sha256, "size": each.size}
            for each in sorted(own, key=lambda each: each.name)
        ],
    }


def _named(listed: RatingList | None) -> dict | None:
    return listed and {"list_date": listed.list_date.isoformat(), "revision": listed.revision}


def sign(body: bytes, key: Ed25519PrivateKey) -> tuple[str, str]:
    """The signature of a manifest and the key's identifier, in hexadecimal."""
    return key.sign(body).hex(), form.key_id(public_of(key))
