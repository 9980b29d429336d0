"""Settings of what runs beside a request: channel layer, Celery, streams, timers.

Embedded (no `REDIS_URL`): one in-memory layer and a broker of files. Scaled: Redis for both. The
broker only wakes workers up; rows are the truth (stack.md traps 1-6).
"""

from typing import Any

from designer.config.environment import ENVIRONMENT

_REDIS = ENVIRONMENT.redis_url

# Hubs ask for all watched heads this often: what a lost hint costs at most.
STREAM_HEAL_SECONDS = 1.0 if _REDIS else 0.25
SOCKETS_PER_USER = 20
SOCKETS_PER_PROCESS = 2_000
TIMER_SECONDS = 0.25
SWEEP_SECONDS = 2.0
JOB_LEASE_SECONDS = 15
JOB_RESEND_SECONDS = 30
JOB_KEEP_SECONDS = 24 * 3600
DRY_RUN_MAX_LINES = 1_000
DRY_RUN_SECONDS = 60
SUITE_SECONDS = 300
DRY_RUN_STEP_PAUSE = 0.0  # seconds; tests slow a dry run down to kill its worker in the middle

CHANNEL_LAYERS: dict[str, Any] = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        # redis-py 8 would cut every idle socket after 5 s.
        "CONFIG": {"hosts": [{"address": _REDIS, "socket_timeout": None}]},
    }
    if _REDIS
    else {"BACKEND": "designer.realtime.layer.ThreadSafeInMemoryChannelLayer"}
}

CELERY_TASK_SERIALIZER = "json"
CELERY_RESULT_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "calls"
CELERY_TASK_ROUTES = {"designer.run_job": {"queue": "dryrun"}}
CELERY_TASK_SOFT_TIME_LIMIT = 90
CELERY_TASK_TIME_LIMIT = 120
CELERY_TASK_PUBLISH_RETRY = False  # the sweeper sends again
CELERY_TIMEZONE = "UTC"

if _REDIS:
    CELERY_BROKER_URL = _REDIS
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        "visibility_timeout": 600,
        "socket_connect_timeout": 2,
    }
else:
    _QUEUE = ENVIRONMENT.data / "queue"
    _CONTROL = _QUEUE / "control"
    _CONTROL.mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_URL = "files://localhost//"  # config/file_broker.py
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_QUEUE),
        "data_folder_out": str(_QUEUE),
        "control_folder": str(_CONTROL),
        "store_processed": False,
        "polling_interval": 0.02,  # kombu's file broker would look once a second
    }
