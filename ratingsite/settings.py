"""Settings of the portal, all from PORTAL_* environment variables (docs/operators/settings.md lists them).

Three modes. PORTAL_DEMO=1, set by ./portal: loopback only, a secret generated and kept in var/.
PORTAL_DEBUG=1: development. Neither: production, where ratingsite.checks refuses what is unsafe.
"""

import os
from pathlib import Path

from ratingsite import environment as env

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = env.folder("PORTAL_VAR", BASE_DIR / "var")
PORTAL_ARCHIVE = env.folder("PORTAL_ARCHIVE", VAR_DIR / "archive")
#: the private key that signs publications (ratinglists.signing)
PORTAL_SIGNING_KEY = env.text("PORTAL_SIGNING_KEY") or str(VAR_DIR / "signing-key.pem")
PORTAL_DEMO = env.flag("PORTAL_DEMO")
DEBUG = env.flag("PORTAL_DEBUG")
PORTAL_PRODUCTION = not (DEBUG or PORTAL_DEMO)
PORTAL_DEMO_ACCOUNTS = {
    name: f"{name}-demo" for name in ("staff", "approver", "arbiter", "clerk", "player", "admin")
}
#: a federation of one person lets him publish what he proposed; each list then says so
PORTAL_ONE_PERSON = env.flag("PORTAL_ONE_PERSON")
# Lists of more players than this are not published as XLSX or PDF; a sheet of Excel has 1,048,576 rows.
PORTAL_XLSX_ROWS = env.number("PORTAL_XLSX_ROWS", 1_048_575)
PORTAL_PDF_ROWS = env.number("PORTAL_PDF_ROWS", 20_000)
#: a period of more games than this is computed by columns, its explanations made when somebody asks
PORTAL_EXPLAIN_AT_ONCE = env.number("PORTAL_EXPLAIN_AT_ONCE", 100_000)
#: into how many shares the events of such a period are divided among the workers
PORTAL_SHARES = env.number("PORTAL_SHARES", 1)
PORTAL_RATING_LOOKUP = "ratinglists.queries.facts_in_force"
PORTAL_EFFECT_LOOKUP = "ratinglists.effect.of_parts"
PORTAL_COUNTED_LOOKUP = "ratinglists.queries.lists_that_counted"
PORTAL_PERIODS_LOOKUP = "ratinglists.queries.closing_days_of"

SECRET_KEY = env.text("PORTAL_SECRET_KEY")
if not SECRET_KEY and not PORTAL_PRODUCTION:
    SECRET_KEY = env.kept_secret(VAR_DIR / "secret-key")
ALLOWED_HOSTS = env.words("PORTAL_HOSTS") or ([] if PORTAL_PRODUCTION else env.LOOPBACK_HOSTS)
PORTAL_ORIGIN = env.text("PORTAL_ORIGIN")
PORTAL_ALLOW_HTTP = env.flag("PORTAL_ALLOW_HTTP")
CSRF_TRUSTED_ORIGINS = [PORTAL_ORIGIN] if PORTAL_ORIGIN else []

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "django.forms",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "crispy_forms",
    "crispy_bootstrap5",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "players",
    "tournaments",
    "ratinglists",
    "accounts",
    "ratingsite",
]
MIDDLEWARE = [
    "ratingsite.middleware.security_headers",
    "ratingsite.metrics.Counted",
    "ratingsite.logs.Logged",
    "ratingsite.middleware.ExactHost",
    "ratingsite.middleware.NulIsABadRequest",
    "ratinglists.api.door.Door",
    "ratingsite.middleware.known_methods",
    "ratingsite.bodies.Limited",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "ratingsite.languages.middleware.ReadersLanguage",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.SecondFactor",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]
ROOT_URLCONF = "ratingsite.urls"
WSGI_APPLICATION = "ratingsite.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["ratingsite.nonces.FilesystemLoader", "ratingsite.nonces.AppDirectoriesLoader"],
                )
            ],
            # Nearly every page needs them: no page has to load them.
            "builtins": [
                "django.templatetags.i18n",
                "players.templatetags.languages",
                "ratingsite.templatetags.nonces",
                "ratingsite.templatetags.quick",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "ratingsite.context.site",
                "ratingsite.context.second_factor",
                "ratingsite.nonces.nonce",
            ],
        },
    }
]

# Forms take errors, options and help texts from templates/, which say them in the reader's language.
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

DATABASES = {"default": env.database("PORTAL_DATABASE_URL", VAR_DIR / "portal.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
AUTHENTICATION_BACKENDS = ["accounts.backend.Backend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
PASSWORD_RESET_TIMEOUT = 3600
#: whether staff and arbiters need a second factor to sign in (accounts.second_factor)
PORTAL_SECOND_FACTOR = env.choice(
    "PORTAL_SECOND_FACTOR", *(("required", "optional") if PORTAL_PRODUCTION else ("optional", "required"))
)

ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.forms.SignInForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_SIGNUP_ENABLED = False
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = ("password", "mfa")
# Whoever may not open a page is shown the sign-in page, signed in or not.
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False
# Failed sign-ins are counted by accounts.slowdown; allauth's own limit would lock an owner out.
ACCOUNT_RATE_LIMITS = {"login": None, "login_failed": None, "reset_password": "20/m/ip"}
MFA_ADAPTER = "accounts.adapter.SecondFactorAdapter"
MFA_FORMS = {
    "authenticate": "accounts.forms.CodeForm",
    "reauthenticate": "accounts.forms.CodeAgainForm",
    "add_webauthn": "accounts.forms.AddPasskeyForm",
    "edit_webauthn": "accounts.forms.RenamePasskeyForm",
    "authenticate_webauthn": "accounts.forms.PasskeyForm",
    "login_webauthn": "accounts.forms.PasskeySignInForm",
    "reauthenticate_webauthn": "accounts.forms.PasskeyAgainForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_TOLERANCE = 1
# Accounts that an administrator makes have addresses that nobody has confirmed.
MFA_ALLOW_UNVERIFIED_EMAIL = True

_https = PORTAL_PRODUCTION and not PORTAL_ALLOW_HTTP
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = env.flag(
    "PORTAL_SECURE_COOKIES", default=_https
)
# A browser takes a cookie of such a name only with Secure, from the very host, and for all of it.
_cookie = "__Host-{}" if SESSION_COOKIE_SECURE else "{}"
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = _cookie.format("sessionid"), _cookie.format("csrftoken")
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
SESSION_COOKIE_AGE = 60 * env.number("PORTAL_SESSION_MINUTES", 720)
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
SECURE_SSL_REDIRECT = _https
SECURE_REDIRECT_EXEMPT = [r"^healthz", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = env.number("PORTAL_HSTS_SECONDS", 31_536_000) if _https else 0
# Of the names below the portal's own. To be preloaded is for whoever holds the whole domain to decide.
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SILENCED_SYSTEM_CHECKS = ["security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
PORTAL_TRUST_PROXY = env.flag("PORTAL_TRUST_PROXY")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PORTAL_TRUST_PROXY else None
#: how many proxies of one's own stand before the portal: the address of a client is read off before them
PORTAL_PROXIES = max(1, env.number("PORTAL_PROXIES", 1))
#: requests of programs in a minute, by client address and by key; a computation counts as ten; 0: no limit
PORTAL_API_PER_MINUTE = env.number("PORTAL_API_PER_MINUTE", 300)
PORTAL_API_KEY_PER_MINUTE = env.number("PORTAL_API_KEY_PER_MINUTE", 1200)
#: who may read /metrics: whoever has the token, and the networks; without either there is no such address
PORTAL_METRICS_TOKEN = env.text("PORTAL_METRICS_TOKEN")
PORTAL_METRICS_NETWORKS = env.networks("PORTAL_METRICS_NETWORKS")
if PORTAL_METRICS_TOKEN or PORTAL_METRICS_NETWORKS:  # before prometheus_client is imported anywhere
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(env.folder("PORTAL_METRICS_DIR", VAR_DIR / "metrics"))
DATA_UPLOAD_MAX_MEMORY_SIZE = 3 * 2**20
DATA_UPLOAD_MAX_NUMBER_FILES = 2
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000
# On the disk where lists stay, so that a long one is neither kept in memory (/tmp may be) nor copied.
FILE_UPLOAD_TEMP_DIR = str(VAR_DIR)

#: what is kept, published and mailed is English; pages follow the reader (docs/developers/languages.md)
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("es", "Español"), ("pt", "Português")]
LOCALE_PATHS = [str(path) for path in sorted((BASE_DIR / "locale").glob("*/")) if path.is_dir()]
LANGUAGE_COOKIE_NAME = _cookie.format("language")
#: a device on which somebody has signed in (accounts.devices); no page but sign-in depends on it
PORTAL_DEVICE_COOKIE = _cookie.format("device")
LANGUAGE_COOKIE_AGE = 31_536_000
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
FORMAT_MODULE_PATH = ["ratingsite.formats"]
USE_TZ = True
TIME_ZONE = env.text("PORTAL_TIME_ZONE", "UTC")

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = env.folder("PORTAL_STATIC_ROOT", VAR_DIR / "static")
_static = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
    if DEBUG
    else "whitenoise.storage.CompressedManifestStaticFilesStorage"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": _static},
}
CRISPY_ALLOWED_TEMPLATE_PACKS = "bootstrap5"
CRISPY_TEMPLATE_PACK = "bootstrap5"

#: while a fault is hunted: the texts of errors too, which may name persons
PORTAL_LOG_ERRORS = env.flag("PORTAL_LOG_ERRORS", default=not PORTAL_PRODUCTION)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "ratingsite.logs.LineFormatter"},
        "json": {"()": "ratingsite.logs.JsonFormatter"},
    },
    "filters": {"server": {"()": "ratingsite.logs.OfServer"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": env.choice("PORTAL_LOG_FORMAT", "line", "json"),
        }
    },
    "root": {"handlers": ["stderr"], "level": env.text("PORTAL_LOG_LEVEL", "INFO")},
    # Django's own handler on "django" would say everything twice.
    "loggers": {
        "django": {"handlers": [], "level": "INFO"},
        "gunicorn.error": {"handlers": ["stderr"], "filters": ["server"], "propagate": False},
    },
}

# Without a server a demonstration writes its mail into a folder, and a production sends none.
EMAIL_HOST = env.text("PORTAL_SMTP_HOST")
EMAIL_PORT = env.number("PORTAL_SMTP_PORT", 587)
EMAIL_HOST_USER = env.text("PORTAL_SMTP_USER")
EMAIL_HOST_PASSWORD = env.text("PORTAL_SMTP_PASSWORD")
EMAIL_USE_SSL = env.flag("PORTAL_SMTP_TLS")
EMAIL_USE_TLS = bool(EMAIL_HOST) and not EMAIL_USE_SSL and not env.flag("PORTAL_SMTP_PLAIN")
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env.text("PORTAL_MAIL_FROM", "portal@localhost")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'filebased'}.EmailBackend"
EMAIL_FILE_PATH = str(VAR_DIR / "mail")
PORTAL_MAIL = bool(EMAIL_HOST) or not PORTAL_PRODUCTION

#: months after which the sender of a closed complaint is forgotten
PORTAL_COMPLAINT_MONTHS = max(1, env.number("PORTAL_COMPLAINT_MONTHS", 12))
#: for how long a job belongs to a worker that gives no sign of life; a live one renews three times as often
PORTAL_LEASE_SECONDS = max(1, env.number("PORTAL_LEASE_SECONDS", 30))
PORTAL_EMBEDDED_BROKER = not env.text("PORTAL_REDIS_URL")
CELERY_BROKER_URL = env.text("PORTAL_REDIS_URL") or env.embedded_broker_url(VAR_DIR)
CACHES = {
    #: what accounts count and remember, such as codes used: for all processes, and without Redis
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "accounts_cache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    },
    "memory": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    #: public pages kept ready (players.kept_pages): some 10 kB each, for at most a minute
    "pages": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pages",
        "TIMEOUT": 60,
        "OPTIONS": {"MAX_ENTRIES": 2000},
    },
    #: what all processes count together; no page may depend on it, since the server may be away
    "shared": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": env.cache_url(CELERY_BROKER_URL),
        "KEY_PREFIX": "portal",
        "OPTIONS": {"socket_timeout": 0.3, "socket_connect_timeout": 0.3},
    },
}
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 900,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_timeout": 10,
    "socket_connect_timeout": 5,
    "socket_keepalive": True,
    "health_check_interval": 25,
}
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_RESULT_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SOFT_TIME_LIMIT = 600
CELERY_TASK_TIME_LIMIT = 660
CELERY_TASK_PUBLISH_RETRY = False
CELERY_WORKER_CONSUMER = "ratingsite.broker:Consumer"
# Who reaches the broker could tell the workers to stop taking messages.
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 200
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
# Celery sleeps all of it even when idle, so a demonstration that ends by Ctrl-C gets less.
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = env.number("PORTAL_SHUTDOWN_SECONDS", 30 if PORTAL_PRODUCTION else 2)
CELERY_WORKER_ENABLE_SOFT_SHUTDOWN_ON_IDLE = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "periods that are due": {"task": "ratinglists.look_for_due_periods", "schedule": 60},
    "registrations": {"task": "tournaments.recheck_upcoming", "schedule": 3600},
    "heartbeat": {"task": "ratingsite.heartbeat", "schedule": 60, "options": {"expires": 120}},
    "notices not sent yet": {"task": "tournaments.send_notices", "schedule": 300},
    "messages not sent yet": {"task": "players.send_messages", "schedule": 300},
    "mails to accounts not sent yet": {"task": "accounts.send_mails", "schedule": 300},
    "what is over of accounts": {"task": "accounts.prune", "schedule": 3600},
    "answers to complaints not sent yet": {"task": "ratinglists.send_complaints", "schedule": 300},
}
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")
