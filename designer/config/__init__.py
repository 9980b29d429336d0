"""Settings, routes, ASGI, Celery."""
