"""Handing out a report's original bytes."""

from __future__ import annotations

import base64

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from tournaments.models import Report


def original_file(report: Report) -> HttpResponse:
    """The file as it was sent, never shown in the browser, with its SHA-256 (RFC 9530)."""
    response = HttpResponse(bytes(report.content), content_type="application/octet-stream")
    response.headers["Content-Disposition"] = content_disposition_header(True, report.filename)
    digest = base64.b64encode(bytes.fromhex(report.sha256)).decode()
    response.headers["Repr-Digest"] = f"sha-256=:{digest}:"
    return response
