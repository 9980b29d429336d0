"""Channels and Celery settings; the calls room writes them."""
