"""What else keeps a production from starting (``ratingsite.checks`` has the first): names, ways, places.

Each check names its variable and the remedy. The numbers begin at portal.E020.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

#: a token or password that nobody guesses
LEAST_TOKEN = 24
LONGEST_SESSION, SHORTEST_HSTS = 30 * 24 * 60, 3600
_OTHERS_WRITE = 0o002
_HERE = ("", "localhost", "127.0.0.1", "::1")


@register(Tags.security)
def check_production(app_configs: object, **_: object) -> list[CheckMessage]:
    if not settings.PORTAL_PRODUCTION:
        return []
    return [*_names(), *_servers(), *_mail(), *_metrics(), *_times(), *_places(), *_secrets()]


def _error(number: int, message: str, hint: str) -> Error:
    return Error(message, hint=hint, id=f"portal.E{number:03}")


def _names() -> Iterator[CheckMessage]:
    hosts, parts = settings.ALLOWED_HOSTS, urlsplit(settings.PORTAL_ORIGIN)
    if wide := [host for host in hosts if host.startswith(".")]:
        hint = "Name each host whole, without a dot in front: ratings.example.org."
        yield _error(20, f"PORTAL_HOSTS allows every name below {wide[0]!r}.", hint)
    if hosts and parts.hostname and not any(parts.hostname == host.strip("[]").lower() for host in hosts):
        hint = f"Add {parts.hostname} to PORTAL_HOSTS, or correct PORTAL_ORIGIN."
        yield _error(21, f"PORTAL_HOSTS does not name {parts.hostname}, the host of PORTAL_ORIGIN.", hint)
    if parts.username or parts.password:
        yield _error(22, "PORTAL_ORIGIN holds a user or a password.", "Remove them: it stands on pages.")
    if os.environ.get("PORTAL_PROXIES", "").strip() and not settings.PORTAL_TRUST_PROXY:
        hint = "Set PORTAL_TRUST_PROXY=1 behind proxies of one's own, or remove PORTAL_PROXIES."
        yield _error(23, "PORTAL_PROXIES counts proxies that are not trusted.", hint)


def _elsewhere(host: str | None) -> bool:
    """Is a server on another machine? A path is a socket; one name without dots is inside a private network
    of containers."""
    if not host or host in _HERE or host.startswith("/"):
        return False
    return ":" in host or "." in host.strip(".")


def _servers() -> Iterator[CheckMessage]:
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("postgresql"):
        host, mode = database["HOST"], database.get("OPTIONS", {}).get("sslmode", "")
        if _elsewhere(host) and not database["PASSWORD"]:
            hint = "Give the account a password: postgresql://user:password@host:5432/name."
            yield _error(24, f"PORTAL_DATABASE_URL opens the database on {host} without a password.", hint)
        if _elsewhere(host) and mode in ("", "disable", "allow", "prefer"):
            hint = "Add ?sslmode=verify-full (or require) to the address."
            yield _error(
                25, f"PORTAL_DATABASE_URL lets what the database on {host} says go unencrypted.", hint
            )
    broker = urlsplit(settings.CELERY_BROKER_URL)
    if not settings.PORTAL_EMBEDDED_BROKER and _elsewhere(broker.hostname):
        if not broker.password:
            hint = "Give it one: rediss://:password@host:6379/0."
            yield _error(
                26, f"PORTAL_REDIS_URL opens the broker on {broker.hostname} without a password.", hint
            )
        if broker.scheme != "rediss":
            hint = "Write rediss://, and have the broker take TLS."
            yield _error(27, f"PORTAL_REDIS_URL: messages to {broker.hostname} go unencrypted.", hint)


def _mail() -> Iterator[CheckMessage]:
    encrypted = settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL
    if settings.EMAIL_HOST and settings.EMAIL_HOST not in _HERE and not encrypted:
        hint = "Remove PORTAL_SMTP_PLAIN: it is for a server on this machine."
        yield _error(28, f"PORTAL_SMTP_PLAIN sends mail to {settings.EMAIL_HOST} unencrypted.", hint)
    if bool(settings.EMAIL_HOST_USER) != bool(settings.EMAIL_HOST_PASSWORD):
        hint = "Set both, or neither."
        message = "Of PORTAL_SMTP_USER and PORTAL_SMTP_PASSWORD only one is set."
        yield _error(29, message, hint)


def _metrics() -> Iterator[CheckMessage]:
    token = settings.PORTAL_METRICS_TOKEN
    if token and len(token) < LEAST_TOKEN:
        hint = "Set it to what `python3 -c 'import secrets; print(secrets.token_urlsafe(32))'` prints."
        yield _error(30, f"PORTAL_METRICS_TOKEN is shorter than {LEAST_TOKEN} characters.", hint)
    for network in settings.PORTAL_METRICS_NETWORKS:
        private = network.is_private or network.is_loopback
        if network.prefixlen == 0 or (not private and network.num_addresses > 256):
            hint = "Name the networks of the machines that read the metrics, such as 10.1.0.0/16."
            yield _error(31, f"PORTAL_METRICS_NETWORKS lets {_said(network)} read the metrics.", hint)


def _said(network: ipaddress.IPv4Network | ipaddress.IPv6Network) -> str:
    return "everybody" if network.prefixlen == 0 else str(network)


def _times() -> Iterator[CheckMessage]:
    minutes = settings.SESSION_COOKIE_AGE // 60
    if not 1 <= minutes <= LONGEST_SESSION:
        hint = f"Set it to 1 to {LONGEST_SESSION} minutes."
        yield _error(
            32, f"PORTAL_SESSION_MINUTES is {minutes}: a sign-in would last too long, or not at all.", hint
        )
    if settings.SECURE_SSL_REDIRECT and settings.SECURE_HSTS_SECONDS < SHORTEST_HSTS:
        hint = f"Set it to {SHORTEST_HSTS} at least, and to a year once https works; or remove it."
        yield _error(33, "PORTAL_HSTS_SECONDS lets browsers come back without encryption.", hint)


def _places() -> Iterator[CheckMessage]:
    static = Path(settings.STATIC_ROOT)
    kept = {
        "PORTAL_VAR": Path(settings.VAR_DIR),
        "PORTAL_ARCHIVE": Path(settings.PORTAL_ARCHIVE),
        "PORTAL_SIGNING_KEY": Path(settings.PORTAL_SIGNING_KEY),
    }
    for name, path in kept.items():
        if path == static or static in path.parents:
            hint = "Put it elsewhere, or set PORTAL_STATIC_ROOT to a folder of its own."
            yield _error(34, f"{name} lies in {static}, from where every file is served.", hint)
    for name in ("PORTAL_VAR", "PORTAL_ARCHIVE"):
        if kept[name].is_dir() and kept[name].stat().st_mode & _OTHERS_WRITE:
            yield _error(35, f"Everybody on the machine can write into {name}.", f"chmod o-w {kept[name]}")
    if static in (Path(settings.BASE_DIR), *Path(settings.BASE_DIR).parents):
        yield _error(36, "PORTAL_STATIC_ROOT holds the code itself.", "Set it to a folder of its own.")


def _secrets() -> Iterator[CheckMessage]:
    try:
        key = settings.SECRET_KEY
    except Exception:  # its absence has an error of its own
        key = ""
    known = {
        "PORTAL_METRICS_TOKEN": settings.PORTAL_METRICS_TOKEN,
        "PORTAL_BACKUP_PASSPHRASE": os.environ.get("PORTAL_BACKUP_PASSPHRASE", ""),
        "PORTAL_SMTP_PASSWORD": settings.EMAIL_HOST_PASSWORD,
        "the database's password": settings.DATABASES["default"].get("PASSWORD", ""),
    }
    for name, value in known.items():
        if value and value == key:
            yield _error(37, f"PORTAL_SECRET_KEY is {name} as well.", "Make one for each.")
    passphrase = known["PORTAL_BACKUP_PASSPHRASE"]
    if passphrase and len(passphrase) < LEAST_TOKEN // 2:
        hint = f"Take {LEAST_TOKEN // 2} characters or more: whoever has a backup can try without end."
        yield _error(38, "PORTAL_BACKUP_PASSPHRASE can be guessed.", hint)
    kept = Path(settings.VAR_DIR) / "secret-key"
    if key and kept.is_file() and kept.read_text(errors="replace").strip() == key:
        hint = "Make a new one for production: demonstrations are shown around."
        yield _error(39, "PORTAL_SECRET_KEY is the secret of a demonstration.", hint)
    if os.environ.get("PORTAL_LOG_LEVEL", "").strip().upper() == "DEBUG":
        hint = "Set PORTAL_LOG_LEVEL=INFO."
        yield _error(40, "PORTAL_LOG_LEVEL=DEBUG writes statements with their values into the log.", hint)
