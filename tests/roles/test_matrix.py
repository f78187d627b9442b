"""Every address of the resolver × every role × every method, on objects of one's own and of others."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db import transaction
from django.test import Client
from django.urls import reverse

from players import access
from ratinglists import sitemaps, special
from tests.ratinglists.canary_urls import patterns
from tests.roles.rows import MODELS, NAMELESS, NOTHING_HERE, ROWS, row_of
from tests.roles.world import LISTED, OTHER, OWN, ROLES, World
from tournaments.models import RatingSystem

pytestmark = [pytest.mark.django_db, pytest.mark.once]
METHODS = ("GET", "HEAD", "POST")
REFUSED = {401: "401", 403: "403", 404: "404", 405: "405"}
QUERIES = {
    "admin:autocomplete": {"app_label": "tournaments", "model_name": "entry", "field_name": "player"},
    "admin:players_player_merge": {"into": "#1"},
}
#: addresses whose argument stands in the path of what includes them
NESTED = {"mfa_edit_webauthn": ["pk"], "mfa_remove_webauthn": ["pk"]}
FIXED = {
    "number": 1, "revision": 1, "code": "csv", "section": next(iter(sitemaps.SECTIONS)), "uidb36": "1",
    "key": "none",
    "sha256": "a" * 64, "app_label": "players", "content_type_id": 1, "day": LISTED, "url": "nowhere",
    "kind": next(iter(special.SPECIAL)), "what": "compute",
}  # fmt: skip


class Address:
    """One address, with the arguments that name the objects of a side."""

    def __init__(self, name: str, path: str, prefix: str) -> None:
        self.name, self.path, self.prefix = name, path, prefix
        self.row = row_of(name, path)
        self.parameters = re.findall(r"<(?:\w+:)?(\w+)>", path) or NESTED.get(name, [])

    def on(self, world: World, code: str) -> str:
        side = world.sides[code]
        if not self.name or self.name == "admin:":
            return self.prefix + re.sub(r"<path:object_id>|\(\?P<url>.*\)\$", "1", self.path)
        given = {name: self._argument(name, world, side) for name in self.parameters}
        query = QUERIES.get(self.name)
        return reverse(self.name, kwargs=given) + (f"?{urlencode(query)}" if query else "")

    def _argument(self, name: str, world: World, side):
        if (self.name, name) in ARGUMENTS:
            return ARGUMENTS[self.name, name](side)
        if name in ("pk", "object_id", "id"):
            return self._row(world, side).pk
        return OWN_ARGUMENTS[name](side) if name in OWN_ARGUMENTS else FIXED[name]

    def _row(self, world: World, side):
        """The object that the address is about, by its name."""
        if found := re.match(r"admin:([a-z]+)_([a-z]+)_", self.name):
            if self.name == "admin:ratinglists_correction_event":
                return side.complaint.tournament
            return world.row(apps.get_model(found[1], found[2]), side.code)
        if self.name.startswith("arbiter") or self.name == "compare":
            return side.tournament
        if self.name == "second-factor-reset":
            return world.row(get_user_model(), side.code)
        if self.name in ("tournament", "complain"):
            return side.complaint.tournament
        return side.complaint if self.name.startswith("complaint") else side.player


OWN_ARGUMENTS = {
    "system": lambda side: side.rows[RatingSystem].pk,
    "report": lambda side: side.report.pk,
    "entry": lambda side: side.tournament.entries.first().pk,
    "player": lambda side: side.player.pk,
    "tournament": lambda side: side.complaint.tournament_id,
    "other": lambda side: side.other.pk,
    "token": lambda side: side.complaint.token,
    "name": lambda side: "list.csv",
}
ARGUMENTS = {
    ("federation", "code"): lambda side: side.code,
    ("api-v1:federation", "code"): lambda side: side.code,
    ("language", "code"): lambda side: "es",
    ("invitation", "token"): lambda side: "none",
    ("verify-key", "name"): lambda side: "none",
    ("admin:tournaments_tournament_decide", "what"): lambda side: "register",
    ("admin:view_on_site", "object_id"): lambda side: 1,
}


def addresses() -> list[Address]:
    return [Address(name, path, prefix) for name, path, prefix in prefixed()]


def prefixed():
    """Name, own path and the path before it of every address, as far as nameless ones need it."""
    for name, path in patterns():
        yield (
            name,
            path,
            "/admin/players/player/"
            if name == "admin:" and "object_id" in path
            else ("/admin/" if name == "admin:" else "/"),
        )


def answered(response) -> str:
    if response.status_code == 302 and "/login/" in response.headers["Location"]:
        return "login"
    if response.status_code >= 500 and response.status_code != 503:
        return str(response.status_code)
    return REFUSED.get(response.status_code, "in")


class Undone(Exception):
    """Takes back what a request has changed."""


def ask(client: Client, method: str, url: str):
    """The answer; whatever the request changed is taken back."""
    try:
        with transaction.atomic():
            response = client.generic(method, url)
            if response.streaming:
                list(response.streaming_content)
            raise Undone
    except Undone:
        return response


def test_every_address_has_a_row_and_every_row_an_address():
    names = {(name if name not in ("", "admin:") else NAMELESS.get(path, name)) for name, path in patterns()}
    assert [f"{name} {path}" for name, path in patterns() if row_of(name, path) is None] == []
    assert set(ROWS) - names == set()
    assert set(MODELS) == {model._meta.label_lower.replace(".", "_") for model in admin.site._registry}


def test_every_model_of_the_admin_says_whose_its_rows_are():
    for model, one in admin.site._registry.items():
        shown = [model, *(inline.model for inline in one.inlines)]
        assert [each for each in shown if not access.known(each)] == []
        name = model._meta.label_lower.replace(".", "_")
        assert bool(access._WAYS[model]) == (MODELS[name][-1] == "own"), name


@pytest.mark.parametrize("letter", list(ROLES))
def test_who_gets_in_where(world, letter):
    client = Client(raise_request_exception=True)
    if user := world.users.get(letter):
        client.force_login(user)
    session = client.cookies.copy()
    wrong, asked = [], 0
    for address in addresses():
        for code in (OWN, OTHER):
            url = address.on(world, code)
            if code == OTHER and not (address.row.own and letter in "LAK"):
                continue  # to the others the two federations are one
            for method in METHODS:
                wanted = address.row.expected(letter, method, code == OWN)
                if method == "HEAD" and wanted == "in" and letter != str(address.row.get)[0]:
                    continue  # the page that GET has shown
                client.cookies = session.copy()
                got = answered(ask(client, method, url))
                asked += 1
                if got != wanted:
                    wrong.append(f"{letter} {method} {url} ({address.name}): {got}, not {wanted}")
    assert not wrong, f"{len(wrong)} of {asked}:\n" + "\n".join(wrong)
    assert asked > 500


@pytest.mark.parametrize("letter", ["P", "D"])
def test_no_address_takes_another_method(world, letter):
    """It is refused before anybody asks who it is."""
    client = Client()
    if user := world.users.get(letter):
        client.force_login(user)
    for address in addresses():
        url = address.on(world, OWN)
        for method in ("PUT", "PATCH", "DELETE", "TRACE"):
            response = client.generic(method, url)
            wanted = (404, 405) if address.row == NOTHING_HERE else (405,)
            assert response.status_code in wanted, f"{method} {address.name}: {response.status_code}"


@pytest.mark.parametrize("letter", ["P", "L", "A", "K"])
def test_asking_for_the_methods_shows_nothing(world, letter):
    client = Client()
    if user := world.users.get(letter):
        client.force_login(user)
    for address in addresses():
        for code in (OWN, OTHER):
            url = address.on(world, code)
            if address.row.expected(letter, "GET", code == OWN) == "in":
                continue
            response = ask(client, "OPTIONS", url)
            assert response.status_code != 200 or response.content == b"", f"{letter} {url}"
