"""From where requests come, with and without proxies in front."""

import pytest
from django.test import RequestFactory

from players.clients import network_of


@pytest.mark.parametrize(
    ("trusted", "proxies", "remote", "forwarded", "found"),
    [
        (False, 1, "192.0.2.1", "203.0.113.9", "192.0.2.1"),
        (True, 1, "10.0.0.1", "203.0.113.9", "203.0.113.9"),
        (
            True,
            1,
            "10.0.0.1",
            "198.51.100.7, 203.0.113.9",
            "203.0.113.9",
        ),  # the first is what the client says
        (True, 2, "10.0.0.1", "198.51.100.7, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        (True, 1, "10.0.0.1", "", ""),
        (False, 1, "2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::"),
        (False, 1, "::ffff:192.0.2.1", "", "192.0.2.1"),
        (False, 1, "", "", ""),
    ],
)
def test_whose_address_counts(settings, trusted, proxies, remote, forwarded, found):
    settings.PORTAL_TRUST_PROXY, settings.PORTAL_PROXIES = trusted, proxies
    request = RequestFactory().get("/", REMOTE_ADDR=remote, HTTP_X_FORWARDED_FOR=forwarded)
    assert network_of(request) == found
