"""Django's settings. What a person may choose comes from `environment.py`."""

from typing import Any

from designer.config.database import database
from designer.config.environment import ENVIRONMENT, ROOT
from designer.config.security import POLICY, cookies_and_headers

MODE = ENVIRONMENT.mode
DEBUG = ENVIRONMENT.debug
SECRET_KEY = ENVIRONMENT.secret_key
ALLOWED_HOSTS = list(ENVIRONMENT.hosts)
CSRF_TRUSTED_ORIGINS = list(ENVIRONMENT.origins)
DATA_DIR = ENVIRONMENT.data
REDIS_URL = ENVIRONMENT.redis_url
RATES = ENVIRONMENT.rates
TRUST_PROXY = ENVIRONMENT.trust_proxy

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "servestatic.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "channels",
    "csp",
    "django_vite",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
    "rules",
    "designer",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "designer.config.http.StaticFiles",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "designer.config.urls"
CSRF_FAILURE_VIEW = "designer.pages.views.csrf_failed"
ASGI_APPLICATION = "designer.config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = {"default": database(ENVIRONMENT.database_url)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES: dict[str, Any] = {
    "default": {"BACKEND": "designer.config.cache.FallbackRedisCache", "LOCATION": REDIS_URL}
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True

# Static files: the bundle that Vite builds lands in designer/pages/static/app.
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [ROOT / "designer" / "pages" / "static"]
SERVESTATIC_USE_FINDERS = True
SERVESTATIC_AUTOREFRESH = DEBUG
SERVESTATIC_ALLOW_ALL_ORIGINS = False
SERVESTATIC_KEEP_ONLY_HASHED_FILES = False
DJANGO_VITE: dict[str, Any] = {
    "default": {
        "dev_mode": False,
        "static_url_prefix": "app",
        "manifest_path": ROOT / "designer" / "pages" / "static" / "app" / "manifest.json",
    }
}

# Sign-in: e-mail and password, no sign-up, rate limits by allauth.
AUTH_USER_MODEL = "designer.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "designer.accounts.passwords.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "designer.accounts.adapter.ClosedAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_RATE_LIMITS = {"login": "30/m/ip", "login_failed": "10/m/ip,10/m/key"}
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"

# The size of a request is judged by the API's own parser; this bounds form posts.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "designer.api.authentication.BearerAuthentication",
        "designer.api.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["designer.api.permissions.PolicyPermission"],
    "DEFAULT_PARSER_CLASSES": ["designer.api.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["designer.api.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "designer.api.schema.CallchartSchema",
    "DEFAULT_THROTTLE_CLASSES": ["designer.api.throttles.BucketThrottle"],
    "EXCEPTION_HANDLER": "designer.api.problems.handle",
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "designer.api.renderers.OnlyJSON",
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Callchart",
    "VERSION": "1",
    "DESCRIPTION": "Conversations as statecharts: drafts, versions, dry runs and live Calls.",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "POSTPROCESSING_HOOKS": [
        "designer.api.schema.add_problem",
    ],
}

# What went wrong is in the server's own output, each record on lines of its own (no forged ones).
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"()": "designer.config.logs.OneLine"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "loggers": {
        "django": {"handlers": ["console"], "level": "WARNING", "propagate": False},
        "django.request": {"handlers": ["console"], "level": "ERROR", "propagate": False},
        "django.security.DisallowedHost": {"handlers": [], "propagate": False},
        "designer": {"handlers": ["console"], "level": "WARNING", "propagate": False},
    },
}

# Who sends a job's wake-up: `queue.enqueue` finds it by name, so no capability knows Celery.
CALLCHART_QUEUE_SENDER = "designer.config.celery.send"

CONTENT_SECURITY_POLICY = POLICY
globals().update(cookies_and_headers(https=ENVIRONMENT.https, trust_proxy=ENVIRONMENT.trust_proxy))

from designer.config.realtime_settings import *  # noqa: E402,F403
