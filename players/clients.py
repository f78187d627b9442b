"""From where a request comes."""

from __future__ import annotations

import ipaddress

from django.conf import settings
from django.http import HttpRequest


def network_of(request: HttpRequest) -> str:
    """The client's network address; of IPv6 the network of 64 bits, which is one household's or office's.
    Empty if it cannot be told.

    Behind trusted proxies (PORTAL_TRUST_PROXY, PORTAL_PROXIES) it is what the outermost of them saw; what
    a client itself writes into X-Forwarded-For stands before that and is not looked at.
    """
    given = request.META.get("REMOTE_ADDR", "")
    if settings.PORTAL_TRUST_PROXY:
        hops = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
        given = hops[-settings.PORTAL_PROXIES] if len(hops) >= settings.PORTAL_PROXIES else hops[0]
    try:
        found = ipaddress.ip_address(given.strip())
    except ValueError:
        return ""
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is None:
            return str(ipaddress.ip_network((found, 64), strict=False).network_address)
        found = found.ipv4_mapped
    return str(found)
