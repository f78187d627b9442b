"""System checks that keep an unsafe production from starting. Each names its variable and the remedy."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register, run_checks
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connections

from ratingsite.environment import LOOPBACK_HOSTS

SECRET_LENGTH = 50
SECRET_VARIETY = 10


@register(Tags.security)
def check_settings(app_configs: object, **_: object) -> list[CheckMessage]:
    if settings.PORTAL_PRODUCTION:
        return [
            *_secret(),
            *_hosts(),
            *_origin(),
            *_cookies(),
            *_second_factor(),
            *_signing_key(),
            *_embedded(),
            *_one_person(),
        ]
    return [*_not_production()]


def _secret() -> Iterator[CheckMessage]:
    try:
        secret = settings.SECRET_KEY
    except ImproperlyConfigured:  # Django's own refusal of an empty one
        secret = ""
    remedy = "Set it to what `python3 -c 'import secrets; print(secrets.token_urlsafe(50))'` prints."
    remedy += " (For development set PORTAL_DEBUG=1 instead.)"
    if not secret:
        yield Error("PORTAL_SECRET_KEY is not set.", hint=remedy, id="portal.E001")
    elif (
        len(secret) < SECRET_LENGTH
        or len(set(secret)) < SECRET_VARIETY
        or secret.startswith("django-insecure-")
    ):
        message = (
            f"PORTAL_SECRET_KEY can be guessed: it needs {SECRET_LENGTH} characters or more, at least"
            f" {SECRET_VARIETY} of them different, and must not be a known default."
        )
        yield Error(message, hint=remedy, id="portal.E002")


def _hosts() -> Iterator[CheckMessage]:
    remedy = "Set it to the names under which the portal is reached, for instance ratings.example.org."
    if not settings.ALLOWED_HOSTS:
        yield Error("PORTAL_HOSTS is not set.", hint=remedy, id="portal.E003")
    elif any("*" in host for host in settings.ALLOWED_HOSTS):
        yield Error("PORTAL_HOSTS allows any name ('*').", hint=remedy, id="portal.E004")


def _origin() -> Iterator[CheckMessage]:
    remedy = "Set it to the portal's public address, for instance https://ratings.example.org."
    parts = urlsplit(settings.PORTAL_ORIGIN)
    if not settings.PORTAL_ORIGIN:
        yield Error("PORTAL_ORIGIN is not set.", hint=remedy, id="portal.E005")
    elif parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        yield Error("PORTAL_ORIGIN is no address.", hint=remedy, id="portal.E005")
    elif parts.scheme == "http" and not settings.PORTAL_ALLOW_HTTP:
        hint = "Use an https:// address. On a closed network only: set PORTAL_ALLOW_HTTP=1."
        yield Error("PORTAL_ORIGIN is not encrypted (http).", hint=hint, id="portal.E006")
    elif parts.scheme == "https" and settings.PORTAL_ALLOW_HTTP:
        hint = "Remove PORTAL_ALLOW_HTTP."
        yield Error("PORTAL_ALLOW_HTTP is set though PORTAL_ORIGIN is https.", hint=hint, id="portal.E007")
    elif parts.scheme == "https" and not settings.PORTAL_TRUST_PROXY:
        hint = "Set PORTAL_TRUST_PROXY=1 behind a proxy that sets X-Forwarded-Proto; else all redirects."
        yield Warning("No proxy is trusted to say that a request came by https.", hint=hint, id="portal.W001")


def _cookies() -> Iterator[CheckMessage]:
    if not settings.PORTAL_ALLOW_HTTP and not (
        settings.SESSION_COOKIE_SECURE and settings.CSRF_COOKIE_SECURE
    ):
        hint = "Remove PORTAL_SECURE_COOKIES=0, or set PORTAL_ALLOW_HTTP=1 on a closed network."
        yield Error("PORTAL_SECURE_COOKIES lets cookies travel unencrypted.", hint=hint, id="portal.E008")


def _second_factor() -> Iterator[CheckMessage]:
    if settings.PORTAL_SECOND_FACTOR != "required":
        hint = "Remove PORTAL_SECOND_FACTOR. A lost one is reset by: manage.py second_factor reset NAME."
        yield Error(
            "PORTAL_SECOND_FACTOR lets staff sign in with a password alone.", hint=hint, id="portal.E016"
        )


def _signing_key() -> Iterator[CheckMessage]:
    path = Path(settings.PORTAL_SIGNING_KEY)
    try:
        mode = path.stat().st_mode
    except OSError as error:
        hint = "Make one with: manage.py signing_key make (or set PORTAL_SIGNING_KEY to where it lies)."
        message = f"There is no signing key {path}: {error.strerror}. No list could be published."
        yield Error(message, hint=hint, id="portal.E013")
        return
    if mode & 0o077:
        hint = f"chmod 600 {path}"
        yield Error(f"Others can read or write the signing key {path}.", hint=hint, id="portal.E014")


def _embedded() -> Iterator[CheckMessage]:
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        hint = "One machine and few arbiters: fine. Else set PORTAL_DATABASE_URL to a PostgreSQL database."
        yield Warning("The database is an SQLite file.", hint=hint, id="portal.W002")
    if settings.PORTAL_EMBEDDED_BROKER:
        hint = "It runs only under ./portal. Else set PORTAL_REDIS_URL."
        yield Warning("The broker is the embedded one.", hint=hint, id="portal.W003")


def _one_person() -> Iterator[CheckMessage]:
    if settings.PORTAL_ONE_PERSON:
        hint = "Remove PORTAL_ONE_PERSON once two persons look at each list; it stands on each."
        yield Warning("One person alone can publish a list.", hint=hint, id="portal.W008")


def _not_production() -> Iterator[CheckMessage]:
    if settings.PORTAL_DEMO and settings.DEBUG:
        yield Error("PORTAL_DEMO and PORTAL_DEBUG are both set.", hint="Remove one.", id="portal.E009")
    outside = set(settings.ALLOWED_HOSTS) - {*LOOPBACK_HOSTS, "testserver"}
    if outside:
        mode = "PORTAL_DEMO" if settings.PORTAL_DEMO else "PORTAL_DEBUG"
        message = f"PORTAL_HOSTS names {', '.join(sorted(outside))}, but {mode} is for this machine only."
        hint = f"Remove {mode} and set what production needs, or remove PORTAL_HOSTS."
        yield Error(message, hint=hint, id="portal.E010")


@register(Tags.security)
def check_restoration(app_configs: object, **_: object) -> list[CheckMessage]:
    """Refuses to run what a broken restoration left: it might look whole."""
    from ratingsite.backup.target import mark

    if not mark().exists():
        return []
    hint = "Run manage.py restore with the backup again: it removes what is left and begins anew."
    return [Error("The restoration of a backup was broken off.", hint=hint, id="portal.E015")]


@register(Tags.database)
def check_demo_accounts(app_configs: object, databases: list[str] | None, **_: object) -> list[CheckMessage]:
    """Refuses a production where accounts of the demonstration, whose passwords are public, work."""
    if not settings.PORTAL_PRODUCTION or "default" not in (databases or []):
        return []
    from django.contrib.auth import get_user_model

    users = get_user_model()
    try:
        if users._meta.db_table not in connections["default"].introspection.table_names():
            return []
        found = [
            user.get_username()
            for user in users.objects.filter(username__in=settings.PORTAL_DEMO_ACCOUNTS, is_active=True)
            if user.check_password(settings.PORTAL_DEMO_ACCOUNTS[user.get_username()])
        ]
    except DatabaseError as error:
        hint = "Check PORTAL_DATABASE_URL and that the server runs."
        return [Error(f"The database does not answer: {error}".strip(), hint=hint, id="portal.E012")]
    hint = "Use a database without demo data, or change their passwords: manage.py changepassword NAME."
    return [
        Error(f"The demo account {name!r} works with its public password.", hint=hint, id="portal.E011")
        for name in found
    ]


def refuse_unsafe_start() -> None:
    """Runs every system check, for processes that Django does not check by itself.

    Raises ImproperlyConfigured with all errors at once; warnings go to the log of the caller.
    """
    messages = run_checks(databases=["default"])
    errors = [message for message in messages if message.is_serious() and not message.is_silenced()]
    if errors:
        lines = "".join(f"\n  {error.id}: {error.msg} {error.hint or ''}".rstrip() for error in errors)
        raise ImproperlyConfigured(f"The portal does not start with unsafe or broken settings:{lines}")
