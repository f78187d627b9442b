"""The manifest of a publication: what it holds, by SHA-256, and the manifest before it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ratinglists.models import ListFile, Publication, RatingList

FORMAT = "rating-portal-manifest-1"


def build(
    lists: Sequence[RatingList], files: Sequence[ListFile], last: Publication | None, reason: str = ""
) -> bytes:
    """The manifest of these lists as canonical JSON: sorted keys, compact, UTF-8."""
    body = {
        "format": FORMAT,
        "number": last.number + 1 if last else 1,
        "previous": last.manifest_sha256 if last else None,
        "reason": reason,
        "lists": [_list(listed, files) for listed in sorted(lists, key=lambda each: each.list_date)],
    }
    return json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def _list(listed: RatingList, files: Sequence[ListFile]) -> dict:
    own = [each for each in files if each.rating_list_id == listed.pk]
    return {
        "system": listed.period.system_id,
        "list_date": listed.list_date.isoformat(),
        "revision": listed.revision,
        "regulation": listed.regulation,
        "sha256": listed.sha256,
        "input_sha256": listed.input_sha256,
        "sources_sha256": listed.report.get("sources") or None,
        "persons": _persons(listed),
        "files": [
            {"name": each.name, "sha256": each.sha256, "size": each.size}
            for each in sorted(own, key=lambda each: each.name)
        ],
    }


def _persons(listed: RatingList) -> int | None:
    """How many persons stand for it; None for an opening list, which comes from elsewhere."""
    if listed.is_opening:
        return None
    return 2 if listed.has_two_persons else 1


def sign(body: bytes) -> tuple[str, str]:
    """The signature of a manifest and the key's identifier, in hexadecimal; empty without a key."""
    return "", ""
