"""Clients who have just signed in, as far as the portal knows: where it asks again who they are."""

from __future__ import annotations

from allauth.account.internal.flows.login import record_authentication
from django.http import HttpRequest
from django.test import Client


def just_signed_in(user, client: Client | None = None) -> Client:
    """A client (or this one) with a session that began now by password."""
    client = client or Client()
    client.force_login(user)
    request = HttpRequest()
    request.session = client.session
    record_authentication(request, user, "password", username=user.get_username())
    request.session.save()
    return client
