"""What a request may bring with it."""

from __future__ import annotations

from django.http import HttpRequest

from ratinglists.api.problems import Fault


def check(request: HttpRequest, wanted: str, most: int, remedy: str) -> None:
    """Before the body is read: Fault 415 unless it is of this type and not packed, 413 if it is larger than
    ``most`` bytes."""
    packed = request.headers.get("Content-Encoding", "").lower() not in ("", "identity")
    if request.content_type != wanted or packed:
        said = "packed" if packed else request.content_type or "of no media type"
        raise Fault(415, f"The body is {said}.", f"Send it as {wanted}, not packed.")
    length = request.META.get("CONTENT_LENGTH") or "0"
    if length.isdecimal() and int(length) > most:
        raise Fault(413, f"The body has {length} bytes; {most} are the most.", remedy)
