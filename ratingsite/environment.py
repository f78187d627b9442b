"""Reads PORTAL_* environment variables into the values that settings need.

Every reader raises ImproperlyConfigured naming the variable and the form it should have.
"""

import hashlib
import ipaddress
import os
import secrets
import tempfile
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

LOOPBACK_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
SOCKET_PATH_LIMIT = 100  # a socket's address holds 104 bytes on macOS, 108 on Linux


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def words(name: str) -> list[str]:
    """A list separated by commas."""
    return [word.strip() for word in text(name).split(",") if word.strip()]


def networks(name: str) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    """Networks separated by commas, an address being one of itself."""
    try:
        return [ipaddress.ip_network(word) for word in words(name)]
    except ValueError:  # whose text, as every value, may be a secret in the wrong place
        raise ImproperlyConfigured(f"{name}: write networks such as 10.0.0.0/8,::1.") from None


def flag(name: str, default: bool = False) -> bool:
    value = text(name).lower()
    if value not in ("", "0", "1", "true", "false", "yes", "no"):
        raise ImproperlyConfigured(f"{name}: write 1 or 0.")
    return value in ("1", "true", "yes") if value else default


def number(name: str, default: int) -> int:
    value = text(name)
    if value and not (value.isascii() and value.isdigit()):
        raise ImproperlyConfigured(f"{name}: write a whole number, for instance {default}.")
    return int(value) if value else default


def choice(name: str, default: str, *others: str) -> str:
    value = text(name, default)
    if value not in (default, *others):
        raise ImproperlyConfigured(f"{name}: write {' or '.join((default, *others))}.")
    return value


def folder(name: str, default: Path) -> Path:
    path = Path(text(name) or default).expanduser().resolve()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"The folder {path} cannot be made ({error.strerror}): set {name} to another folder."
        ) from error
    return path


def kept_secret(path: Path) -> str:
    """The secret kept in `path`, made at the first call; readable by its owner only."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as new:
            new.write(secrets.token_urlsafe(48))
    except FileExistsError:
        pass
    return path.read_text().strip()


def database(name: str, default: Path) -> dict:
    """Django's database setting from sqlite:///relative, sqlite:////absolute or postgresql://…"""
    url = text(name)
    if not url:
        return _sqlite(default)
    parts = urlsplit(url)
    if parts.scheme == "sqlite" and not parts.netloc and len(parts.path) > 1:
        return _sqlite(Path(unquote(parts.path[1:])).absolute())
    if parts.scheme in ("postgresql", "postgres") and len(parts.path) > 1:
        try:
            port = parts.port
        except ValueError:  # its text may be a part of the password
            raise ImproperlyConfigured(f"{name} has an impossible port.") from None
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path[1:]),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": unquote(parts.hostname or ""),
            "PORT": port or "",
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": {"connect_timeout": "5", **dict(parse_qsl(parts.query))},
        }
    raise ImproperlyConfigured(
        f"{name} is no database's address: write postgresql://user:password@host:5432/name"
        " or sqlite:////absolute/path."
    )


def _sqlite(path: Path) -> dict:
    # IMMEDIATE takes the write lock at BEGIN, so that no transaction fails half way when it comes to write.
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
        },
    }


def embedded_broker_socket(var: Path) -> Path:
    """Where the embedded broker listens: in `var`, or in the temporary folder where that path is too long."""
    path = var / "broker.sock"
    if len(os.fsencode(path)) <= SOCKET_PATH_LIMIT:
        return path
    name = hashlib.sha256(os.fsencode(var)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"portal-{os.getuid()}-{name}" / "broker.sock"


def embedded_broker_url(var: Path) -> str:
    return f"redis+socket://{embedded_broker_socket(var)}"


def cache_url(broker: str) -> str:
    """The broker's address as a Redis client wants it, which calls a socket file otherwise than Celery."""
    return broker.replace("redis+socket://", "unix://", 1)
