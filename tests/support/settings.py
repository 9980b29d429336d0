"""The product's settings, with what tests make shorter; the environment may say more."""

import os

from designer.config.settings import *  # noqa: F403

JOB_LEASE_SECONDS = float(os.environ.get("TEST_LEASE", "2"))
SWEEP_SECONDS = 0.5
DRY_RUN_STEP_PAUSE = float(os.environ.get("TEST_STEP_PAUSE", "0"))
STREAM_HEAL_SECONDS = float(os.environ.get("TEST_HEAL", "0.25"))
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
RATES = dict.fromkeys(RATES)  # type: ignore[has-type]  # noqa: F405
