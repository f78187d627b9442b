"""The portal's settings for tests: demo mode with its files in a temporary folder.

PORTAL_DATABASE_URL and PORTAL_REDIS_URL choose the services, as in real use. Each process of pytest-xdist
has its own database (by pytest-django) and its own number in Redis.
"""

import atexit
import os
import shutil
import tempfile

_var = tempfile.mkdtemp(prefix="portal-test-")
atexit.register(shutil.rmtree, _var, ignore_errors=True)
for name in [name for name in os.environ if name.startswith("PORTAL_")]:
    if name not in ("PORTAL_DATABASE_URL", "PORTAL_REDIS_URL"):
        del os.environ[name]
os.environ |= {
    "PORTAL_DEMO": "1",
    "PORTAL_VAR": _var,
    "PORTAL_ONE_PERSON": "1",
    "PORTAL_API_PER_MINUTE": "0",
    "PORTAL_API_KEY_PER_MINUTE": "0",
}
_broker, _, _number = os.environ.get("PORTAL_REDIS_URL", "").rpartition("/")
if _number.isdigit():
    _own = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    os.environ["PORTAL_REDIS_URL"] = f"{_broker}/{int(_number) + _own}"

from ratingsite.settings import *  # noqa: E402, F403

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # noqa: F405
    # A file, not memory: a worker in another process has to see it.
    DATABASES["default"]["TEST"] = {"NAME": f"{_var}/test.sqlite3"}  # noqa: F405
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "testserver"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Tests roll back what a page was made from, the newest act of the audit log with it.
CACHES["pages"] = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}  # noqa: F405
