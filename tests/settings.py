"""The portal's settings for tests: demo mode with its files in a temporary folder.

PORTAL_DATABASE_URL and PORTAL_REDIS_URL choose the services, as in real use.
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
os.environ |= {"PORTAL_DEMO": "1", "PORTAL_VAR": _var}

from ratingsite.settings import *  # noqa: E402, F403

ALLOWED_HOSTS = ["127.0.0.1", "localhost", "testserver"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
