"""What Celery workers do."""

from designer.tasks.child import watch_parent
from designer.tasks.jobs import run_job

__all__ = ["run_job", "watch_parent"]
